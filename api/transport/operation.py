"""One operation on a socket: a task that runs it, or a feed that tells it what to send."""

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
from strawberry.types.execution import ExecutionResult

from api import logs
from api.subscribing import Subscription
from api.transport.report import Origin, as_error, payload, report

if TYPE_CHECKING:
    from api.transport.websocket import Connection
    from api.transport.wire import Wire


class Operation:
    """What runs under one id. As a listener it is ready while the socket takes what it is sent,
    and no answer of its own is on the way: a slow reader is told later, of all it has missed.
    """

    __slots__ = ("_connection", "_head", "_subscription", "_wire", "id", "origin", "task")

    def __init__(self, connection: "Connection[Any]", id_: str, origin: Origin) -> None:
        self._connection = connection
        self.id = id_
        self.origin = origin
        self.task: asyncio.Task[None] | None = None
        self._subscription: Subscription | None = None
        self._wire: Wire | None = None
        self._head = b""

    def cancel(self) -> None:
        """End it without a word."""
        if self.task is not None:
            self.task.cancel()
        if self._subscription is not None:
            self._subscription.feed.close()

    async def follow(self, subscription: Subscription, wire: "Wire") -> None:
        """Send what a feed tells from now on; raises what opening it raises."""
        self._subscription = subscription
        self._wire = wire
        self._head = b'{"id":' + msgspec.json.encode(self.id) + b',"type":"next","payload":'
        await subscription.feed.open(self)
        self.task = None
        self.resume()

    def resume(self) -> None:
        """The socket takes more: be told what was missed."""
        if self._subscription is not None and self._subscription.feed.opened:
            self._subscription.feed.resume()

    @property
    def ready(self) -> bool:
        """Whether the next answer can be sent now."""
        return self.task is None and self._wire is not None and self._wire.ready

    def tell(self, item: Any) -> None:
        """Send the answer to an item, or have it made first if that takes time."""
        assert self._subscription is not None
        try:
            answer = self._subscription.answer(item)
        except Exception as error:
            self._subscription.feed.fail(error)
            return
        if answer is None:
            self.task = self._connection.start(self._execute(item))
        else:
            self._push(answer)

    def end(self) -> None:
        """Nothing more comes."""
        if self.task is not None and self.task is not asyncio.current_task():
            self.task.cancel()  # an answer that was begun
        # The id is free before the client can know it: it may use it again at once.
        self._connection.forget(self)
        if self._wire is not None:
            self._wire.push(b'{"id":', msgspec.json.encode(self.id), b',"type":"complete"}')

    def fail(self, error: Exception) -> None:
        """Nothing more comes, because of an error: as GraphQL has it, the last result."""
        errors = report([as_error(error)], self.origin)
        self._push(msgspec.json.encode({"data": None, "errors": errors}))
        self.end()

    async def _execute(self, item: Any) -> None:
        assert self._subscription is not None
        logs.about(request_id=self.origin.request_id)
        try:
            result: ExecutionResult = await self._subscription.execute(item)
            answer = msgspec.json.encode(payload(result, self.origin))
        except Exception as error:
            self.task = None
            self._subscription.feed.fail(error)
            return
        self.task = None
        self._push(answer)
        self.resume()

    def _push(self, answer: bytes) -> None:
        if self._wire is not None:
            self._wire.push(self._head, answer, b"}")
