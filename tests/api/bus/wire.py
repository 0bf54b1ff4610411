"""A bus within the test's process that fails in every way a real one can."""

import asyncio

from broadcaster import Broadcast

from api.bus.carriers import Backend, Lost


class Wire:
    """A carrier. Many hubs may share it; each end is a connection."""

    def __init__(self) -> None:
        self.on = True
        self.deaf = False
        self.attempts = 0
        self.messages: list[str] = []
        self.ends: set[End] = set()
        self._attempted = asyncio.Event()

    def __call__(self, lost: Lost) -> Broadcast:
        return Broadcast(backend=End(self, lost))

    async def attempted(self, times: int) -> None:
        """Return when that many connections have been tried."""
        while self.attempts < times:
            self._attempted.clear()
            await self._attempted.wait()

    def attempt(self) -> None:
        self.attempts += 1
        self._attempted.set()

    def cut(self) -> None:
        """End every connection."""
        for end in list(self.ends):
            end.cut()


class End(Backend):
    """One connection to the wire."""

    def __init__(self, wire: Wire, lost: Lost) -> None:
        super().__init__("wire://", lost)
        self._wire = wire

    async def connect(self) -> None:
        self._wire.attempt()
        if not self._wire.on:
            raise ConnectionRefusedError("the wire is off")
        self._wire.ends.add(self)

    async def disconnect(self) -> None:
        self._wire.ends.discard(self)

    async def publish(self, channel: str, message: str) -> None:
        if self not in self._wire.ends:
            raise ConnectionError("the wire is cut")
        self._wire.messages.append(message)
        if not self._wire.deaf:
            for end in self._wire.ends:
                end.received(message)

    def cut(self) -> None:
        self._wire.ends.discard(self)
        self._lost(ConnectionError("the wire is cut"))
