"""How a stream of results is written into an HTTP response: two ways, by media type."""

from typing import Any, Protocol

import msgspec


class Encoding(Protocol):
    """One way to write a stream. Every chunk but the first is written whole or not at all."""

    name: str
    content_type: str
    start: bytes
    beat: bytes
    """What says that the stream lives while nothing happens."""

    complete: bytes
    """The operation is over: nothing more is to be expected."""

    def result(self, result: dict[str, Any]) -> bytes:
        """One result of the operation."""

    def broken(self, errors: list[dict[str, Any]]) -> bytes:
        """The stream ends although the operation is not over; clients connect again."""


class EventStream:
    """Server-sent events as graphql-sse has them, in its mode of distinct connections."""

    name = "events"
    content_type = "text/event-stream; charset=utf-8"
    start = b":\n\n"
    beat = b":\n\n"
    complete = b"event: complete\ndata:\n\n"

    def result(self, result: dict[str, Any]) -> bytes:
        """JSON never holds a line break, so one line of data is enough."""
        return b"event: next\ndata: " + msgspec.json.encode(result) + b"\n\n"

    def broken(self, errors: list[dict[str, Any]]) -> bytes:
        """Nothing: an end without `complete` is what the clients of the protocol retry on."""
        return b""


class Multipart:
    """Parts of `multipart/mixed` as Apollo's protocol for subscriptions, version 1.0, has them.

    Each part is sent with the boundary behind it: clients read up to there.
    """

    name = "multipart"
    content_type = 'multipart/mixed; boundary="graphql"; subscriptionSpec="1.0"'
    start = b"\r\n--graphql"
    complete = b"--\r\n"

    def __init__(self) -> None:
        self.beat = self._part({})

    def result(self, result: dict[str, Any]) -> bytes:
        """The result as a payload; what stands beside it is of the transport."""
        return self._part({"payload": result})

    def broken(self, errors: list[dict[str, Any]]) -> bytes:
        """The errors, of the transport and not of any result, and the last boundary."""
        return self._part({"payload": None, "errors": errors}) + self.complete

    def _part(self, content: dict[str, Any]) -> bytes:
        head = b"\r\nContent-Type: application/json\r\n\r\n"
        return head + msgspec.json.encode(content) + b"\r\n--graphql"


EVENT_STREAM = EventStream()
MULTIPART = Multipart()
