"""Connections before they are requests: how many, how slow, and how long their heads may be.

uvicorn leaves that to a balancer, and there need not be one.
"""

import asyncio
import logging
import resource
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from api.transport.wire import Wire

log = logging.getLogger(__name__)

HEAD_SECONDS = 10.0
HEAD_BYTES = 64 << 10
CLOSE_SECONDS = 2.0
SPARE_FILES = 100
"""For the database, the bus and the log, whatever comes in."""

TOO_LONG = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-length: 0\r\nconnection: close\r\n\r\n"
)


def most_connections() -> int:
    """How many connections this process may hold, by the number of files it may open."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if files == resource.RLIM_INFINITY:
        files = 1 << 20
    return max(files // 2, files - SPARE_FILES)


class Requests(HttpToolsProtocol):
    """A connection over HTTP.

    While no answer is under way the peer has `head_seconds` to send a whole head of a request, or
    uvicorn's keep-alive to begin with one; a head that is too long is answered 431.
    """

    most = most_connections()
    head_seconds = HEAD_SECONDS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._late: asyncio.TimerHandle | None = None
        self._in_head = False
        self._head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let it in, unless the process is full."""
        super().connection_made(transport)
        if len(self.connections) > self.most:
            transport.abort()
        else:
            self._watch()

    def data_received(self, data: bytes) -> None:
        """Some of a request."""
        was_in_head = self._in_head
        super().data_received(data)
        if was_in_head and self._in_head:
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES:
                self._refuse()
        self._watch()

    def on_message_begin(self) -> None:
        """The first byte of a head."""
        super().on_message_begin()
        self._in_head, self._head_bytes = True, 0

    def on_headers_complete(self) -> None:
        """The head is whole."""
        self._in_head = False
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        self._unwatch()
        super().connection_lost(exc)

    @property
    def _idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _refuse(self) -> None:
        if not self._idle:
            self.transport.abort()
        elif not self.transport.is_closing():
            self.transport.write(TOO_LONG)
            self.transport.close()

    def _watch(self) -> None:
        """Have the time run if it is the peer's turn, and nobody else looks at the clock."""
        upgraded = self not in self.connections
        if upgraded or not self._idle or self.timeout_keep_alive_task is not None:
            self._unwatch()
        elif self._late is None:
            self._late = self.loop.call_later(self.head_seconds, self.transport.abort)

    def _unwatch(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class Sockets(Wire):
    """A WebSocket; who does not answer a close frame is not waited for as long as by default."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.close_timeout = CLOSE_SECONDS
