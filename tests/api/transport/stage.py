"""A stage whose newest scene is told to all who follow, and the schema and gateway around it."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import strawberry
from starlette.requests import HTTPConnection
from strawberry.types import Info as StrawberryInfo

from api.errors import forbidden
from api.execution import Executor
from api.following import FOLLOWED, Feed
from api.projection import READS
from api.sharing import Alike
from api.transport import Schema
from tests.api.transport.sample import Gateway as SampleGateway


class Stage:
    """What is told, and to whom."""

    def __init__(self) -> None:
        self.feeds: list[StageFeed] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.doors = asyncio.Event()
        self.doors.set()
        self.changed = asyncio.Event()
        self.reads = 0
        self.latest: Scene | None = None

    def tell(self, scene: "Scene") -> None:
        self.latest = scene
        for feed in tuple(self.feeds):
            feed.resume()

    def note(self) -> None:
        self.changed.set()

    async def until(self, followers: int) -> None:
        """Wait until so many follow."""
        while len(self.feeds) != followers:
            self.changed.clear()
            await self.changed.wait()


@dataclass
class Context:
    locale: Literal["ko", "en"]
    who: str
    stage: Stage
    services: Any = None


Info = StrawberryInfo[Context, None]


@strawberry.type
class Scene:
    stage: strawberry.Private[Stage]
    number: int
    text: str = ""
    wrong: int = 0
    alike: strawberry.Private[Alike | None] = field(default_factory=Alike)

    @strawberry.field(metadata=READS)
    def counted(self) -> int:
        self.stage.reads += 1
        return self.stage.reads

    @strawberry.field(metadata=READS)
    def who(self, info: Info) -> str:
        return info.context.who

    @strawberry.field
    async def slow(self) -> int:
        await self.stage.gate.wait()
        return self.number


class StageFeed(Feed):
    """Tells the newest scene that it has not told."""

    def __init__(self, stage: Stage, how: str) -> None:
        super().__init__()
        self.stage, self.how = stage, how
        self.told: Scene | None = None

    def resume(self) -> None:
        scene = self.stage.latest
        if scene is not None and scene is not self.told and self.listener.ready:
            self.told = scene
            self.listener.tell(scene)

    async def _begin(self) -> None:
        await self.stage.doors.wait()
        if self.how == "forbidden":
            raise forbidden()
        if self.how == "nothing":
            self.end()
            return
        self.stage.feeds.append(self)
        self.stage.note()
        self.resume()

    def _leave(self) -> None:
        if self in self.stage.feeds:
            self.stage.feeds.remove(self)
        self.stage.note()


@strawberry.type
class Query:
    nothing: int = 0


@strawberry.type
class Subscription:
    @strawberry.subscription(metadata={FOLLOWED: True})
    def scenes(self, info: Info, how: str = "") -> AsyncGenerator[Scene, None]:
        return cast("AsyncGenerator[Scene, None]", StageFeed(info.context.stage, how))


SCHEMA = Schema(query=Query, subscription=Subscription, execution_context_class=Executor)


@dataclass
class Session:
    gateway: "Gateway"
    who: str
    ack: None = None

    def context(self, request_id: str) -> Context:
        return Context("en", self.who, self.gateway.stage)

    async def closed(self) -> None:
        self.gateway.gone.set()


@dataclass
class Gateway(SampleGateway):
    stage: Stage = field(default_factory=Stage)

    async def open_socket(self, socket: HTTPConnection, params: Any, control: Any) -> Any:
        return Session(self, params.get("who", ""))

    async def open_stream(self, request: HTTPConnection, control: Any) -> Any:
        return Session(self, "stream")
