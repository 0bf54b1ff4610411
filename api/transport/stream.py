"""GraphQL over HTTP where one request has many results, for clients without WebSocket.

One stream carries one operation of any kind, and is admitted, limited and ended as a socket is.
"""

import asyncio
import uuid
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Generic, NoReturn

from starlette.requests import ClientDisconnect, Request
from starlette.types import Message, Receive, Scope, Send
from strawberry.schema import BaseSchema
from strawberry.types.execution import ExecutionResult
from strawberry.types.graphql import OperationType

from api import logs, metrics
from api.errors import bad_request, unauthenticated, unavailable
from api.transport.encodings import EVENT_STREAM, MULTIPART, Encoding
from api.transport.gateway import SESSION_ENDED, C, Gateway, SocketControl, SocketSession
from api.transport.http import refused
from api.transport.params import Params
from api.transport.report import Origin, as_error, payload, report
from api.transport.requests import HTTPLimits, Refusal, preferred, read_params
from engines.texts import Text

SERVICE_RESTART = 1012

_OFFERS: dict[str, Encoding] = {
    "multipart/mixed;subscriptionspec=1.0": MULTIPART,
    "text/event-stream": EVENT_STREAM,
    "text/*": EVENT_STREAM,
    "*/*": EVENT_STREAM,
}
_ALLOWED = {
    "GET": {OperationType.QUERY, OperationType.SUBSCRIPTION},
    "POST": set(OperationType),
}
_HEADERS = {
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",  # proxies of the nginx family would hold the events back
    "x-content-type-options": "nosniff",
}
_NOT_ACCEPTABLE = Text(
    "text/event-stream 또는 multipart/mixed;subscriptionSpec=1.0으로만 답할 수 있어요.",
    "Streams are text/event-stream or multipart/mixed;subscriptionSpec=1.0 only.",
)


@dataclass(frozen=True, slots=True)
class StreamLimits:
    """Times in seconds: a stream says that it lives every `beat_seconds`, and a client that takes
    nothing for `stall_seconds` is let go; an end that cannot be sent within `close_seconds` is not
    sent.
    """

    beat_seconds: float = 10.0
    stall_seconds: float = 20.0
    close_seconds: float = 1.0


class Hangup(Exception):
    """Nothing more can or shall be sent, except for the end."""


class StreamTransport(Generic[C]):
    """The ASGI application behind the path of streams. Mount it as `Route(path, transport)`."""

    def __init__(
        self,
        schema: BaseSchema,
        gateway: Gateway[C],
        http: HTTPLimits | None = None,
        limits: StreamLimits | None = None,
    ) -> None:
        self._schema = schema
        self._gateway = gateway
        self._http = http or HTTPLimits()
        self._limits = limits or StreamLimits()
        self._controls: set[SocketControl] = set()
        self.stopping = False

    def stop(self) -> None:
        """End all streams and admit no more: the server is about to stop."""
        self.stopping = True
        for control in self._controls:
            control.close(SERVICE_RESTART, "Service restart")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        encoding = preferred(request.headers.get("accept"), _OFFERS)
        origin = Origin(uuid.uuid4().hex, self._gateway.locale(request))
        logs.about(request_id=origin.request_id)
        control = SocketControl()
        self._controls.add(control)
        try:
            if encoding is None:
                raise Refusal(406, bad_request(_NOT_ACCEPTABLE))
            params = await read_params(request, self._http)
            if self.stopping:
                raise unavailable()
            session = await self._gateway.open_stream(request, control)
        except ClientDisconnect:
            self._controls.discard(control)
        except Exception as error:
            self._controls.discard(control)
            await refused(error, origin, None)(scope, receive, send)
        else:
            try:
                stream: Stream[C] = Stream(request, send, encoding, control, self._limits)
                with metrics.socket(encoding.name):
                    await stream.serve(self._schema, params, session, origin)
            finally:
                self._controls.discard(control)
                control.release()
                await session.closed()


class Stream(Generic[C]):
    """One response, from its head to its end."""

    def __init__(
        self,
        request: Request,
        send: Send,
        encoding: Encoding,
        control: SocketControl,
        limits: StreamLimits,
    ) -> None:
        self._request = request
        self._send_message = send
        self._encoding = encoding
        self._control = control
        self._limits = limits
        self._end: bytes | None = b""

    async def serve(
        self, schema: BaseSchema, params: Params, session: SocketSession[C], origin: Origin
    ) -> None:
        """Send the results until the operation, the client or the session ends."""
        context = session.context(origin.request_id)
        origin = Origin(origin.request_id, context.locale, params.operation_name)
        try:
            async with asyncio.TaskGroup() as tasks:

                def told(code: int, _: str) -> None:
                    ending = self._end_as_told(code, origin)
                    try:
                        tasks.create_task(ending)
                    except RuntimeError:  # it ends anyway
                        ending.close()

                self._control.when_told(told)
                tasks.create_task(self._end_when_gone())
                await self._start(origin)
                tasks.create_task(self._beat())
                await self._operate(schema, params, context, origin)
                self._end = self._encoding.complete
                raise Hangup
        except* Hangup:
            pass
        await self._finish()

    async def _start(self, origin: Origin) -> None:
        fields = {
            **_HEADERS,
            "content-type": self._encoding.content_type,
            "x-request-id": origin.request_id,
        }
        await self._send(
            {
                "type": "http.response.start",
                "status": 200,
                "headers": [(name.encode(), value.encode()) for name, value in fields.items()],
            }
        )
        await self._write(self._encoding.start)

    async def _operate(
        self, schema: BaseSchema, params: Params, context: C, origin: Origin
    ) -> None:
        """Send every result; whatever is wrong with the operation is a result as well."""
        try:
            results = await schema.stream(
                params.query,
                variable_values=params.variables,
                context_value=context,
                operation_name=params.operation_name,
                operation_extensions=params.extensions,
                allowed_operation_types=_ALLOWED[self._request.method],
            )
            async with aclosing(results):
                async for result in results:
                    assert isinstance(result, ExecutionResult)
                    await self._write(self._encoding.result(payload(result, origin)))
                    # A stream that never waits must not keep the others waiting.
                    await asyncio.sleep(0)
        except Hangup:
            raise
        except Exception as error:
            errors = report([as_error(error)], origin)
            await self._write(self._encoding.result({"errors": errors}))

    async def _beat(self) -> NoReturn:
        while True:
            await asyncio.sleep(self._limits.beat_seconds)
            await self._write(self._encoding.beat)

    async def _end_as_told(self, code: int, origin: Origin) -> NoReturn:
        fault = unauthenticated() if code == SESSION_ENDED else unavailable()
        self._end = self._encoding.broken(report([as_error(fault)], origin))
        raise Hangup

    async def _end_when_gone(self) -> NoReturn:
        while (await self._request.receive())["type"] != "http.disconnect":
            pass
        self._end = None
        raise Hangup

    async def _write(self, chunk: bytes) -> None:
        await self._send({"type": "http.response.body", "body": chunk, "more_body": True})

    async def _send(self, message: Message) -> None:
        try:
            async with asyncio.timeout(self._limits.stall_seconds):
                await self._send_message(message)
        except TimeoutError:
            self._end = None
            raise Hangup from None

    async def _finish(self) -> None:
        """Send the end, unless the client takes nothing; the server then drops the connection."""
        if self._end is None:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(self._limits.close_seconds):
                await self._send_message({"type": "http.response.body", "body": self._end})
