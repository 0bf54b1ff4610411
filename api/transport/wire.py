"""uvicorn's WebSocket, which also takes finished messages from code that cannot wait."""

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

EXTENSION = "board.wire"
"""Under this name of the scope's extensions an application finds its wire."""

_TEXT = 0x81
_TWO_BYTES, _EIGHT_BYTES = 126, 127


class Wire(WebSocketsSansIOProtocol):
    """A socket that can be written to at once. What is written waits in the buffer of the
    connection, so look whether it is `ready` before; `drained` is called when it is again.
    """

    drained: Callable[[], None] | None = None

    async def run_asgi(self) -> None:
        """Run the application, with this wire in its scope."""
        extensions: dict[str, Any] = self.scope["extensions"]
        extensions[EXTENSION] = self
        try:
            await super().run_asgi()
        finally:
            self.drained = None

    def forget_handshake(self) -> None:
        """Let go of the request and its answer, once accepted: nobody asks for them again."""
        self.request = self.response = None  # type: ignore[assignment]

    @property
    def ready(self) -> bool:
        """Whether the peer takes what it is sent. False, too, when it has gone."""
        return self.open and self.writable.is_set()

    @property
    def open(self) -> bool:
        """Whether messages may still be sent."""
        return self.handshake_complete and not (self.disconnected or self.close_sent)

    def push(self, *parts: bytes) -> None:
        """Write one text message, given in parts; nothing happens where it is not open."""
        if self.open:
            message = b"".join(parts)
            self.transport.write(_head(len(message)) + message)

    def resume_writing(self) -> None:
        """The buffer has been taken."""
        super().resume_writing()
        if self.drained is not None:
            self.drained()


def _head(size: int) -> bytes:
    """What stands before the bytes of a text message that is sent whole (RFC 6455, 5.2)."""
    if size < _TWO_BYTES:
        return bytes((_TEXT, size))
    if size < 1 << 16:
        return bytes((_TEXT, _TWO_BYTES)) + size.to_bytes(2, "big")
    return bytes((_TEXT, _EIGHT_BYTES)) + size.to_bytes(8, "big")
