"""What the transport asks of the application: who is there, and in which language they read."""

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Literal, Protocol, TypeVar

from starlette.requests import HTTPConnection, Request
from starlette.websockets import WebSocket

Locale = Literal["ko", "en"]

SESSION_ENDED = 4403
"""Close code of a socket whose session expired or was revoked: clients reconnect and sign in."""


class Caller(Protocol):
    """The part of a GraphQL context that the transport reads."""

    @property
    def locale(self) -> Locale: ...


C = TypeVar("C", bound=Caller)
C_co = TypeVar("C_co", bound=Caller, covariant=True)


class SocketControl:
    """Ends one socket or stream from outside; safe to keep, and to call after it is gone."""

    __slots__ = ("_end", "_ended", "_timer")

    def __init__(self) -> None:
        self._end: tuple[int, str] | None = None
        self._ended: Callable[[int, str], None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def close(self, code: int = SESSION_ENDED, reason: str = "Session ended") -> None:
        """End the socket soon, with all its operations; the first call decides the code."""
        if self._end is None:
            self._end = (code, reason)
            if self._ended is not None:
                self._ended(code, reason)

    def close_at(self, timestamp: float, reason: str = "Session expired") -> None:
        """End the socket with 4403 at a time in Unix seconds; the last call decides the time."""
        self.release()
        delay = max(0.0, timestamp - time.time())
        self._timer = asyncio.get_running_loop().call_later(
            delay, self.close, SESSION_ENDED, reason
        )

    def release(self) -> None:
        """Forget the time set; the transport calls it when the socket is gone."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def when_told(self, ended: Callable[[int, str], None]) -> None:
        """Have the transport called with the code and the reason, at once if it is over already."""
        self._ended = ended
        if self._end is not None:
            ended(*self._end)


class SocketSession(Protocol[C_co]):
    """One admitted socket or stream."""

    @property
    def ack(self) -> Mapping[str, Any] | None:
        """What `connection_ack` carries, if anything."""

    def context(self, request_id: str) -> C_co:
        """The context of one operation, a fresh one each time. Must not raise."""

    async def closed(self) -> None:
        """The socket is gone and all its operations have ended."""


class Gateway(Protocol[C_co]):
    """Admits requests and sockets. RequestFaults raised here are answered before any GraphQL."""

    def locale(self, connection: HTTPConnection) -> Locale:
        """The language for faults that come before there is a context. Never raises."""

    async def request_context(self, request: Request, request_id: str) -> C_co:
        """The context of one HTTP request."""

    def arrival(self, socket: WebSocket) -> AbstractContextManager[None]:
        """Held from a socket's handshake until it is admitted or turned away."""

    async def open_socket(
        self, socket: WebSocket, params: Mapping[str, Any], control: SocketControl
    ) -> SocketSession[C_co]:
        """Admit a socket by its handshake and the payload of `connection_init`.

        Keep `control` for as long as the session may be revoked.
        """

    async def open_stream(self, request: Request, control: SocketControl) -> SocketSession[C_co]:
        """Admit a stream of results over HTTP by its request, as `open_socket` does a socket."""
