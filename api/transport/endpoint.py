"""The ASGI applications behind `/graphql` and `/graphql/stream`, over one schema."""

from collections.abc import Sequence
from typing import Generic

from starlette.requests import Request
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from strawberry.http.websocket_origin import (
    is_same_origin,
    normalize_allowed_origins,
    normalize_origin,
)

from api import metrics
from api.transport.frames import PROTOCOL, UNKNOWN_PROTOCOL
from api.transport.gateway import C, Gateway
from api.transport.http import HTTPTransport
from api.transport.requests import HTTPLimits
from api.transport.schema import Schema
from api.transport.stream import StreamLimits, StreamTransport
from api.transport.websocket import Connection, SocketLimits


class GraphQLEndpoint(Generic[C]):
    """Mount it as `Route(path, endpoint)` and `WebSocketRoute(path, endpoint)`, and its `streams`
    as `Route(f"{path}/stream", endpoint.streams)`.

    Strawberry parses, validates and executes; both transports are our own, because its views close
    a whole socket for one bad operation and answer faults without codes.
    """

    def __init__(
        self,
        schema: Schema,
        gateway: Gateway[C],
        *,
        allowed_origins: Sequence[str] = (),
        http: HTTPLimits | None = None,
        socket: SocketLimits | None = None,
        stream: StreamLimits | None = None,
        explorer: bool = True,
    ) -> None:
        self._schema = schema
        self._gateway = gateway
        self._origins = normalize_allowed_origins(allowed_origins)
        self._http = HTTPTransport(schema, gateway, http or HTTPLimits(), explorer)
        self._socket = socket or SocketLimits()
        self.streams = StreamTransport(schema, gateway, http, stream)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._connect(WebSocket(scope, receive, send))
        elif response := await self._http.answer(Request(scope, receive)):
            await response(scope, receive, send)

    async def _connect(self, websocket: WebSocket) -> None:
        if not self._is_welcome(websocket):
            await websocket.close()  # before accepting: the handshake is answered 403
            return
        if PROTOCOL not in websocket.scope["subprotocols"]:
            await websocket.accept()
            await websocket.close(UNKNOWN_PROTOCOL, "Subprotocol not acceptable")
            return
        await websocket.accept(PROTOCOL)
        with metrics.socket("websocket"):
            await Connection(websocket, self._schema, self._gateway, self._socket).serve()

    def _is_welcome(self, websocket: WebSocket) -> bool:
        """Browsers name the origin of the page; only our own and the listed ones may connect."""
        origin = websocket.headers.get("origin")
        return (
            origin is None
            or websocket.headers.get("sec-fetch-site") == "same-origin"
            or is_same_origin(origin, websocket.headers.get("host"))
            or "*" in self._origins
            or normalize_origin(origin) in self._origins
        )
