"""GraphQL over HTTP, WebSocket and streams: framing, limits and errors; nothing of any game."""

from api.transport.endpoint import GraphQLEndpoint
from api.transport.explorer import Tab, explorer_files
from api.transport.gateway import Gateway, SocketControl, SocketSession
from api.transport.places import Arrivals, Places
from api.transport.requests import HTTPLimits
from api.transport.schema import Schema
from api.transport.stream import StreamLimits
from api.transport.websocket import SocketLimits

__all__ = [
    "Arrivals",
    "Gateway",
    "GraphQLEndpoint",
    "HTTPLimits",
    "Places",
    "Schema",
    "SocketControl",
    "SocketLimits",
    "SocketSession",
    "StreamLimits",
    "Tab",
    "explorer_files",
]
