"""Feeds: what goes on somewhere, told to whoever listens, without a task or a generator for each.

A feed is pushed to a listener that can take an item at once, as a socket can, or pulled like any
other asynchronous iterator.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from typing import Any, Protocol

FOLLOWED = "followed"
"""Metadata of a subscription whose resolver gives a `Feed`."""


class Count(Protocol):
    """What goes up while a feed is open, and down again."""

    def inc(self) -> None: ...
    def dec(self) -> None: ...


class Listener(Protocol):
    """One who follows a feed."""

    @property
    def ready(self) -> bool:
        """Whether the next item can be taken now. Who was not ready calls `Feed.resume` later."""

    def tell(self, item: Any) -> None:
        """Take an item. Must not raise."""

    def end(self) -> None:
        """There will be no more; the feed is closed."""

    def fail(self, error: Exception) -> None:
        """The same, because of an error."""


class Feed(ABC, AsyncIterator[Any]):
    """What one follower is told. It is opened once; nothing of it stays when it is closed."""

    __slots__ = ("count", "listener", "opened")
    listener: Listener

    def __init__(self) -> None:
        self.count: Count | None = None
        self.opened = False

    async def open(self, listener: Listener) -> None:
        """Begin: tells what is to be told first before it returns, even the end.

        Raises what `_begin` raises; the feed is closed then.
        """
        self.listener = listener
        self.opened = True
        if self.count is not None:
            self.count.inc()
        try:
            await self._begin()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Tell nothing more; may be called at any time, and twice."""
        if self.opened:
            self.opened = False
            if self.count is not None:
                self.count.dec()
            self._leave()

    def end(self) -> None:
        """Close the feed and say so."""
        self.close()
        self.listener.end()

    def fail(self, error: Exception) -> None:
        """Close the feed because of an error."""
        self.close()
        self.listener.fail(error)

    @abstractmethod
    def resume(self) -> None:
        """The listener is ready again: tell what it has missed."""

    @abstractmethod
    async def _begin(self) -> None:
        """Find what is followed. It may call `end` at once."""

    @abstractmethod
    def _leave(self) -> None:
        """Let go of all that `_begin` took, however far it came."""

    def __aiter__(self) -> "Feed":
        return self

    async def __anext__(self) -> Any:
        puller: _Puller | None = getattr(self, "listener", None)
        if puller is None:
            puller = _Puller()
            waiting = puller.ask()
            await self.open(puller)
        else:
            waiting = puller.ask()
            if self.opened:
                self.resume()
        return await waiting

    async def aclose(self) -> None:
        """Close the feed, for those who pull."""
        self.close()


class _Puller:
    """Listens on behalf of one who asks for each item: ready while a question is open."""

    def __init__(self) -> None:
        self._asked: asyncio.Future[Any] | None = None
        self._over: Exception | None = None

    def ask(self) -> "asyncio.Future[Any]":
        """The next item to come."""
        self._asked = asyncio.get_running_loop().create_future()
        if self._over is not None:
            self._asked.set_exception(self._over)
        return self._asked

    @property
    def ready(self) -> bool:
        return self._asked is not None and not self._asked.done()

    def tell(self, item: Any) -> None:
        if self._asked is not None:
            self._asked.set_result(item)

    def end(self) -> None:
        self.fail(StopAsyncIteration())

    def fail(self, error: Exception) -> None:
        self._over = error
        if self._asked is not None and not self._asked.done():
            self._asked.set_exception(error)
