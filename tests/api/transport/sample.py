"""A small schema with one field for each way to go right or wrong, and its gateway."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import strawberry
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from strawberry import relay
from strawberry.types import Info as StrawberryInfo

from api.errors import forbidden, rate_limited, unauthenticated, unavailable
from api.transport import (
    Arrivals,
    GraphQLEndpoint,
    HTTPLimits,
    Schema,
    SocketControl,
    SocketLimits,
    StreamLimits,
    explorer_files,
)

FAULTS = {
    "forbidden": forbidden,
    "limited": lambda: rate_limited(2.5),
    "unauthenticated": unauthenticated,
    "unavailable": unavailable,
}


class Secret(Exception):
    """A bug whose text must never leave the server."""


@dataclass
class Context:
    locale: Literal["ko", "en"]
    request_id: str
    running: Counter[str]


Info = StrawberryInfo[Context, None]


@strawberry.type
class Item:
    name: str

    @strawberry.field
    def items(self) -> list["Item"]:
        return []


@strawberry.type
class ItemConnection:
    nodes: list[Item]


@strawberry.type
class Cat:
    name: str
    lives: int


@strawberry.type
class Dog:
    name: str
    tricks: list[str]


@strawberry.type
class Query:
    @strawberry.field
    def hello(self) -> str:
        return "world"

    @strawberry.field
    def echo(self, text: str = "", number: int = 0) -> str:
        return f"{text}{number}"

    @strawberry.field
    def item(self) -> Item:
        return Item(name="one")

    @strawberry.field
    def items(self, first: int = 20, last: int | None = None) -> ItemConnection:
        return ItemConnection(nodes=[Item(name=str(number)) for number in range(min(first, 3))])

    @strawberry.field(metadata={"list_size": 40})
    def cells(self) -> list[Item]:
        return []

    @strawberry.field
    def things(self, ids: list[strawberry.ID]) -> list[Item]:
        return [Item(name=each) for each in ids]

    @strawberry.field
    def pets(self) -> list[Cat | Dog]:
        return [Cat(name="Nabi", lives=9)]

    @strawberry.field
    def node(self, id: relay.GlobalID) -> str | None:
        return id.node_id

    @strawberry.field
    def boom(self) -> str | None:
        raise Secret("the seed is 42")

    @strawberry.field
    def misfits(self) -> list[int | None]:
        return [1, "seed", "seed"]  # type: ignore[list-item]

    @strawberry.field
    def refuse(self, how: str) -> str | None:
        raise FAULTS[how]()

    @strawberry.field
    def away(self) -> str | None:
        raise ConnectionRefusedError("10.0.0.7 is away")

    @strawberry.field
    def request_id(self, info: Info) -> str:
        return info.context.request_id


@strawberry.type
class Mutation:
    @strawberry.mutation
    def add(self, number: int) -> int:
        return number + 1


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def count(self, to: int) -> AsyncIterator[int]:
        for number in range(to):
            yield number

    @strawberry.subscription
    async def forever(self, info: Info) -> AsyncIterator[int]:
        running = info.context.running
        running["forever"] += 1
        try:
            yield running["forever"]
            await asyncio.Event().wait()
        finally:
            running["forever"] -= 1

    @strawberry.subscription
    async def break_down(self) -> AsyncIterator[int]:
        yield 1
        raise Secret("the seed is 42")

    @strawberry.subscription
    async def lose_right(self) -> AsyncIterator[int]:
        yield 1
        raise forbidden()

    @strawberry.subscription
    async def flood(self, size: int) -> AsyncIterator[str]:
        while True:
            yield "x" * size


SCHEMA = Schema(Query, Mutation, Subscription)


@dataclass
class Session:
    gateway: "Gateway"
    locale: Literal["ko", "en"]
    ack: Mapping[str, Any] | None

    def context(self, request_id: str) -> Context:
        if self.gateway.broken:
            raise Secret("the seed is 42")
        return Context(self.locale, request_id, self.gateway.running)

    async def closed(self) -> None:
        self.gateway.running["sockets"] -= 1
        self.gateway.gone.set()


@dataclass
class Gateway:
    """Admits everybody but those who ask in so many words to be turned away."""

    running: Counter[str] = field(default_factory=Counter)
    controls: list[SocketControl] = field(default_factory=list)
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    broken: bool = False
    arrivals: Arrivals = field(default_factory=lambda: Arrivals(100, 100))

    def locale(self, connection: HTTPConnection) -> Literal["ko", "en"]:
        return "en" if connection.headers.get("accept-language", "").startswith("en") else "ko"

    async def request_context(self, request: Request, request_id: str) -> Context:
        self._admit(request.headers.get("authorization"))
        return Context(self.locale(request), request_id, self.running)

    @contextmanager
    def arrival(self, socket: WebSocket) -> Iterator[None]:
        with self.arrivals.one("all"):
            yield

    async def open_socket(
        self, socket: WebSocket, params: Mapping[str, Any], control: SocketControl
    ) -> Session:
        if params.get("token") == "hang":
            await asyncio.Event().wait()
        self._admit(params.get("token"))
        locale = params.get("locale", self.locale(socket))
        return self._session(locale, params.get("ack"), control)

    async def open_stream(self, request: Request, control: SocketControl) -> Session:
        self._admit(request.headers.get("authorization"))
        return self._session(self.locale(request), None, control)

    def _session(
        self, locale: Literal["ko", "en"], ack: Mapping[str, Any] | None, control: SocketControl
    ) -> Session:
        self.running["sockets"] += 1
        self.controls.append(control)
        return Session(self, locale, ack)

    def _admit(self, token: str | None) -> None:
        if token in FAULTS:
            raise FAULTS[token]()
        if token == "bug":
            raise Secret("the seed is 42")


def sample_app(
    gateway: Gateway,
    http: HTTPLimits | None = None,
    socket: SocketLimits | None = None,
    stream: StreamLimits | None = None,
) -> Starlette:
    """The sample behind `/graphql`."""
    endpoint = GraphQLEndpoint(
        SCHEMA,
        gateway,
        allowed_origins=["https://play.example"],
        http=http,
        socket=socket,
        stream=stream,
    )
    app = Starlette(
        routes=[
            Route("/graphql", endpoint),
            WebSocketRoute("/graphql", endpoint),
            Route("/graphql/stream", endpoint.streams),
            explorer_files(),
        ]
    )
    app.state.streams = endpoint.streams
    return app
