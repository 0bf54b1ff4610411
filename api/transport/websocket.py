"""GraphQL over WebSocket, protocol graphql-transport-ws: one socket, many operations.

A frame that breaks the protocol closes the socket with the protocol's code; whatever is wrong with
an operation is answered under its id and harms no other. Codes of our own are ones that clients
retry on: 4403 session ended, 4408 silent too long, 1013 busy or too fast.
"""

import asyncio
import uuid
from collections.abc import Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Any, Generic, NoReturn

import msgspec
from graphql import GraphQLError
from starlette.websockets import WebSocket, WebSocketDisconnect
from strawberry.schema import BaseSchema
from strawberry.types.execution import ExecutionResult, PreExecutionError

from api import logs
from api.errors import Code, RequestFault, fault_of
from api.transport.bucket import Bucket
from api.transport.frames import (
    BROKEN,
    ID_IN_USE,
    INITIALISED_TWICE,
    MALFORMED,
    SILENT,
    TOO_EARLY,
    TRY_AGAIN_LATER,
    Complete,
    ConnectionInit,
    Frame,
    Ping,
    Subscribe,
    frame_from_json,
)
from api.transport.gateway import SESSION_ENDED, C, Gateway, SocketControl, SocketSession
from api.transport.params import checked_text
from api.transport.report import Origin, as_error, payload, report
from engines.texts import Text

_REASON_BYTES = 123
_TOO_MANY = Text(
    "한 연결에서 동시에 {limit}개까지만 실행할 수 있어요.",
    "At most {limit} operations may run on one socket at a time.",
)


@dataclass(frozen=True, slots=True)
class SocketLimits:
    """Limits of one socket; times in seconds.

    `init_seconds` is the peer's time for `connection_init`, and then ours for its authentication.
    A peer is pinged every `ping_seconds` and must send something within `pong_seconds`; a close
    frame that cannot be sent within `close_seconds` is not sent.
    """

    init_seconds: float = 10.0
    ping_seconds: float = 10.0
    pong_seconds: float = 10.0
    operations: int = 50
    messages_per_second: float = 30.0
    message_burst: int = 150
    close_seconds: float = 2.0


class Hangup(Exception):
    """The socket is gone or has been closed: everything that runs on it ends."""


class Connection(Generic[C]):
    """One accepted socket, from its first frame to its last."""

    def __init__(
        self,
        websocket: WebSocket,
        schema: BaseSchema,
        gateway: Gateway[C],
        limits: SocketLimits,
    ) -> None:
        self._websocket = websocket
        self._schema = schema
        self._gateway = gateway
        self._limits = limits
        self._id = uuid.uuid4().hex
        self._started = 0
        self._operations: dict[str, asyncio.Task[None]] = {}
        self._heard = asyncio.Event()
        self._closed = False
        self._bucket = Bucket(limits.messages_per_second, limits.message_burst)
        self._control = SocketControl()
        self._session: SocketSession[C] | None = None

    async def serve(self) -> None:
        """Talk until either side ends it; returns when every operation has ended too."""
        logs.about(request_id=self._id)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._end_when_told())
                session = await self._introduce()
                tasks.create_task(self._keep_alive())
                await self._listen(session, tasks)
        except* Hangup:
            pass
        except* Exception as bugs:
            origin = Origin(self._id, self._gateway.locale(self._websocket))
            report([as_error(bug) for bug in bugs.exceptions], origin)
            with suppress(Hangup):
                await self._close(BROKEN, Code.INTERNAL)
        finally:
            self._control.release()
            if self._session:
                await self._session.closed()

    async def _introduce(self) -> SocketSession[C]:
        """Wait for `connection_init`, then admit the socket, each before its deadline."""
        deadline: asyncio.Timeout | None = None
        try:
            with self._gateway.arrival(self._websocket):
                async with asyncio.timeout(self._limits.init_seconds) as deadline:
                    params = await self._await_init()
                    now = asyncio.get_running_loop().time()
                    deadline.reschedule(now + self._limits.init_seconds)
                    session = self._session = await self._gateway.open_socket(
                        self._websocket, params, self._control
                    )
        except Hangup:
            raise
        except Exception as error:
            if deadline is not None and deadline.expired():
                await self._close(SILENT, "Connection initialisation timeout")
            await self._turn_away(error)
        ack: dict[str, Any] = {"type": "connection_ack"}
        await self._send({**ack, "payload": session.ack} if session.ack else ack)
        return session

    async def _await_init(self) -> Mapping[str, Any]:
        while True:
            match await self._receive():
                case ConnectionInit(payload):
                    return payload or {}
                case Ping(payload):
                    await self._pong(payload)
                case Subscribe():
                    await self._close(TOO_EARLY, "Unauthorized")

    async def _turn_away(self, error: Exception) -> NoReturn:
        origin = Origin(self._id, self._gateway.locale(self._websocket), "connection_init")
        code = report([as_error(error)], origin)[0]["extensions"]["code"]
        if code in (Code.UNAVAILABLE, Code.RATE_LIMITED, Code.TOO_MANY_SOCKETS):
            await self._close(TRY_AGAIN_LATER, code)
        await self._close(SESSION_ENDED if fault_of(error) else BROKEN, code)

    async def _listen(self, session: SocketSession[C], tasks: asyncio.TaskGroup) -> NoReturn:
        while True:
            match await self._receive():
                case Subscribe() as frame:
                    await self._subscribe(frame, session, tasks)
                case Complete(operation):
                    if task := self._operations.pop(operation, None):
                        task.cancel()
                case Ping(payload):
                    await self._pong(payload)
                case ConnectionInit():
                    await self._close(INITIALISED_TWICE, "Too many initialisation requests")

    async def _subscribe(
        self, frame: Subscribe, session: SocketSession[C], tasks: asyncio.TaskGroup
    ) -> None:
        if frame.id in self._operations:
            await self._close(ID_IN_USE, f"Subscriber for {frame.id} already exists")
        self._started += 1
        context = session.context(f"{self._id}-{self._started}")
        origin = Origin(f"{self._id}-{self._started}", context.locale, frame.payload.operation_name)
        try:
            checked_text(frame.payload)
            if len(self._operations) >= self._limits.operations:
                text = _TOO_MANY.format(limit=self._limits.operations)
                raise RequestFault(Code.TOO_MANY_SUBSCRIPTIONS, text)
        except RequestFault as fault:
            await self._send_errors(frame.id, [as_error(fault)], origin)
            return
        self._operations[frame.id] = tasks.create_task(self._operate(frame, context, origin))

    async def _operate(self, frame: Subscribe, context: C, origin: Origin) -> None:
        """Run one operation to its end; its faults are its own."""
        logs.about(request_id=origin.request_id)
        try:
            await self._stream(frame, context, origin)
        except Hangup:
            raise
        except Exception as error:
            self._forget(frame.id)
            await self._send_errors(frame.id, [as_error(error)], origin)
        finally:
            self._forget(frame.id)

    async def _stream(self, frame: Subscribe, context: C, origin: Origin) -> None:
        results = await self._schema.stream(
            frame.payload.query,
            variable_values=frame.payload.variables,
            context_value=context,
            operation_name=frame.payload.operation_name,
            operation_extensions=frame.payload.extensions,
        )
        async with aclosing(results):
            async for result in results:
                assert isinstance(result, ExecutionResult)
                if isinstance(result, PreExecutionError):
                    self._forget(frame.id)
                    await self._send_errors(frame.id, result.errors or [], origin)
                    return
                await self._send(
                    {"id": frame.id, "type": "next", "payload": payload(result, origin)}
                )
                # A stream that never waits must not keep the others waiting.
                await asyncio.sleep(0)
        # The id is free before the client can know it: it may use it again at once.
        self._forget(frame.id)
        await self._send({"id": frame.id, "type": "complete"})

    def _forget(self, operation: str) -> None:
        """Free an id, unless the client has given it to another operation meanwhile."""
        if self._operations.get(operation) is asyncio.current_task():
            del self._operations[operation]

    async def _send_errors(
        self, operation: str, errors: list[GraphQLError], origin: Origin
    ) -> None:
        await self._send({"id": operation, "type": "error", "payload": report(errors, origin)})

    async def _keep_alive(self) -> NoReturn:
        while True:
            await asyncio.sleep(self._limits.ping_seconds)
            self._heard.clear()
            try:
                async with asyncio.timeout(self._limits.pong_seconds):
                    await self._send({"type": "ping"})
                    await self._heard.wait()
            except TimeoutError:
                await self._close(SILENT, "No answer to ping")

    async def _end_when_told(self) -> NoReturn:
        await self._close(*await self._control.told())

    async def _pong(self, payload: dict[str, Any] | None) -> None:
        await self._send({"type": "pong", **({"payload": payload} if payload else {})})

    async def _receive(self) -> Frame:
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            self._closed = True
            raise Hangup
        self._heard.set()
        if not self._bucket.take(asyncio.get_running_loop().time()):
            await self._close(TRY_AGAIN_LATER, "Too many messages")
        if (text := message.get("text")) is None:
            await self._close(MALFORMED, "WebSocket message type must be text")
        try:
            return frame_from_json(text)
        except ValueError as error:
            await self._close(MALFORMED, f"Invalid message: {error}")

    async def _send(self, message: dict[str, Any]) -> None:
        if self._closed:
            raise Hangup
        try:
            await self._websocket.send_text(msgspec.json.encode(message).decode())
        except (WebSocketDisconnect, RuntimeError) as error:
            raise Hangup from error

    async def _close(self, code: int, reason: str) -> NoReturn:
        """Send the close frame, or give up on a peer that does not even take that, and end."""
        if not self._closed:
            self._closed = True
            with suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
                async with asyncio.timeout(self._limits.close_seconds):
                    short = reason.encode()[:_REASON_BYTES].decode(errors="ignore")
                    await self._websocket.close(code, short)
        raise Hangup
