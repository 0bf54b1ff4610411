"""GraphQL over WebSocket, protocol graphql-transport-ws: one socket, many operations.

A frame that breaks the protocol closes the socket with the protocol's code; whatever is wrong with
an operation is answered under its id and harms no other. Codes of our own are ones that clients
retry on: 4403 session ended, 4408 silent too long, 1013 busy or too fast.
"""

import asyncio
import uuid
from collections.abc import Coroutine, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Any, Generic, NoReturn

import msgspec
from graphql import GraphQLError
from starlette.websockets import WebSocket, WebSocketDisconnect
from strawberry.types.execution import ExecutionResult, PreExecutionError

from api import logs
from api.errors import Code, RequestFault, fault_of
from api.subscribing import Subscription
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
from api.transport.operation import Operation
from api.transport.params import Params, checked_text
from api.transport.report import Origin, as_error, payload, report
from api.transport.schema import Schema
from api.transport.wire import EXTENSION, Wire
from engines.texts import Text

_REASON_BYTES = 123
_PING = {"type": "ping"}
_PING_BYTES = msgspec.json.encode(_PING)
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
        schema: Schema,
        gateway: Gateway[C],
        limits: SocketLimits,
    ) -> None:
        self._websocket = websocket
        self._schema = schema
        self._gateway = gateway
        self._limits = limits
        self._id = uuid.uuid4().hex
        self._started = 0
        self._operations: dict[str, Operation] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._pinged = False
        self._closed = False
        self._wire: Wire | None = websocket.scope.get("extensions", {}).get(EXTENSION)
        self._bucket = Bucket(limits.messages_per_second, limits.message_burst)
        self._control = SocketControl()
        self._session: SocketSession[C] | None = None

    async def serve(self) -> None:
        """Talk until either side ends it; returns when every operation has ended too."""
        logs.about(request_id=self._id)
        try:
            async with asyncio.TaskGroup() as self._tasks:
                self._control.when_told(self._end)
                session = await self._introduce()
                self._ping_later()
                if self._wire is not None:
                    self._wire.forget_handshake()
                    self._wire.drained = self._drained
                await self._listen(session)
        except* Hangup:
            pass
        except* Exception as bugs:
            origin = Origin(self._id, self._gateway.locale(self._websocket))
            report([as_error(bug) for bug in bugs.exceptions], origin)
            with suppress(Hangup):
                await self._close(BROKEN, Code.INTERNAL)
        finally:
            self._control.release()
            if self._timer is not None:
                self._timer.cancel()
            for operation in tuple(self._operations.values()):
                operation.cancel()
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

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """A task that ends with the socket, and ends it by `Hangup`."""
        return self._tasks.create_task(work)

    def forget(self, operation: Operation) -> None:
        """Free an id, unless the client has given it to another operation meanwhile."""
        if self._operations.get(operation.id) is operation:
            del self._operations[operation.id]

    async def _listen(self, session: SocketSession[C]) -> NoReturn:
        while True:
            # A name here would keep the last frame, with its document, until the next one.
            await self._heed(await self._receive(), session)

    async def _heed(self, frame: Frame, session: SocketSession[C]) -> None:
        match frame:
            case Subscribe():
                await self._subscribe(frame, session)
            case Complete(id_):
                if operation := self._operations.pop(id_, None):
                    operation.cancel()
            case Ping(payload):
                await self._pong(payload)
            case ConnectionInit():
                await self._close(INITIALISED_TWICE, "Too many initialisation requests")

    async def _subscribe(self, frame: Subscribe, session: SocketSession[C]) -> None:
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
        operation = self._operations[frame.id] = Operation(self, frame.id, origin)
        operation.task = self.start(self._operate(operation, frame.payload, context))

    async def _operate(self, operation: Operation, params: Params, context: C) -> None:
        """Run one operation to its end, or to where it follows a feed; its faults are its own."""
        logs.about(request_id=operation.origin.request_id)
        try:
            subscription = await self._subscription(params, context)
            if subscription is None:
                await self._stream(operation, params, context)
            elif isinstance(subscription, Subscription):
                assert self._wire is not None
                try:
                    await operation.follow(subscription, self._wire)
                except Exception as error:
                    operation.fail(error)
                return
            else:
                self.forget(operation)
                await self._send_errors(operation.id, subscription, operation.origin)
        except Hangup:
            raise
        except Exception as error:
            self.forget(operation)
            await self._send_errors(operation.id, [as_error(error)], operation.origin)
        self.forget(operation)

    async def _subscription(
        self, params: Params, context: C
    ) -> Subscription | list[GraphQLError] | None:
        """What a feed answers, where there is one and the socket can be written to at once."""
        if self._wire is None:
            return None
        return await self._schema.follow(
            params.query, params.variables, context, params.operation_name, params.extensions
        )

    async def _stream(self, operation: Operation, params: Params, context: C) -> None:
        results = await self._schema.stream(
            params.query,
            variable_values=params.variables,
            context_value=context,
            operation_name=params.operation_name,
            operation_extensions=params.extensions,
        )
        async with aclosing(results):
            async for result in results:
                assert isinstance(result, ExecutionResult)
                if isinstance(result, PreExecutionError):
                    self.forget(operation)
                    await self._send_errors(operation.id, result.errors or [], operation.origin)
                    return
                shown = payload(result, operation.origin)
                await self._send({"id": operation.id, "type": "next", "payload": shown})
                # A stream that never waits must not keep the others waiting.
                await asyncio.sleep(0)
        # The id is free before the client can know it: it may use it again at once.
        self.forget(operation)
        await self._send({"id": operation.id, "type": "complete"})

    async def _send_errors(
        self, operation: str, errors: list[GraphQLError], origin: Origin
    ) -> None:
        await self._send({"id": operation, "type": "error", "payload": report(errors, origin)})

    def _drained(self) -> None:
        """The socket takes more: those who were not ready are told what they have missed."""
        for operation in tuple(self._operations.values()):
            operation.resume()

    def _ping_later(self) -> None:
        self._pinged = False
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self._limits.ping_seconds, self._ping)

    def _ping(self) -> None:
        self._pinged = True
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self._limits.pong_seconds, self._give_up)
        if self._wire is None:
            self.start(self._send(_PING))
        elif self._wire.ready:  # else there is enough for the peer to take
            self._wire.push(_PING_BYTES)

    def _give_up(self) -> None:
        self._end(SILENT, "No answer to ping")

    def _end(self, code: int, reason: str) -> None:
        closing = self._close(code, reason)
        try:
            self.start(closing)
        except RuntimeError:  # all tasks have ended, and so will the socket
            closing.close()

    async def _pong(self, payload: dict[str, Any] | None) -> None:
        await self._send({"type": "pong", **({"payload": payload} if payload else {})})

    async def _receive(self) -> Frame:
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            self._closed = True
            raise Hangup
        if self._pinged and self._timer is not None:
            self._timer.cancel()
            self._ping_later()
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
