"""GraphQL over HTTP and WebSocket: framing, limits and errors; nothing of any game."""

from api.transport.endpoint import GraphQLEndpoint
from api.transport.explorer import explorer_files
from api.transport.gateway import Gateway, SocketControl, SocketSession
from api.transport.guard import Schema, guard
from api.transport.http import HTTPLimits
from api.transport.websocket import SocketLimits

__all__ = [
    "Gateway",
    "GraphQLEndpoint",
    "HTTPLimits",
    "Schema",
    "SocketControl",
    "SocketLimits",
    "SocketSession",
    "explorer_files",
    "guard",
]
