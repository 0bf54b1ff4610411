"""Clients that people use, on a live room and match of the real server: they ask, they watch, they
lose their connection and resume, their session expires and they go on with a fresh token.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any

import pytest
from gql import Client as GQLClient
from gql import GraphQLRequest, gql
from gql.transport.exceptions import TransportConnectionFailed
from gql.transport.httpx import HTTPXAsyncTransport
from gql.transport.websockets import WebsocketsTransport
from websockets.exceptions import ConnectionClosedError
from websockets.frames import Close

from engines.marble import ENGINE
from tests import cluster as clusters
from tests.api.client import SIGN_IN, Client
from tests.api.server import ServerProcess
from tests.api.table import Table
from tests.conformance.conftest import HERE
from tests.conformance.proxy import Proxy
from tests.faults.play import play_to

SECONDS = 30.0
MATCH = (
    "subscription M($id: ID!, $after: Int) "
    "{ matchUpdates(matchId: $id, after: $after) { fromVersion version } }"
)
EXPIRED = {
    "graphql-ws": ("socket", "4403"),
    "apollo": ("match", "4403"),
    "apollo-multipart": ("match", "로그인이 필요해요."),
    "urql": ("match", "4403"),
    "urql-events": ("match", "completed"),  # it takes every end of a stream for its completion
    "graphql-sse": ("match", "Connection closed while having active streams"),
}
"""What each client says of an expired session: which feed breaks, and in which words."""


class Lines:
    """What `watch.mjs` says, as it says it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        self._stdout = process.stdout
        self.all: list[dict[str, Any]] = []

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Read up to the first line that is wanted."""
        async with asyncio.timeout(SECONDS):
            while True:
                self.all.append(json.loads(await self._stdout.readline()))
                if wanted(self.all[-1]):
                    return self.all[-1]

    async def first(self, kind: str) -> Any:
        """The first line of this kind, said already or not."""
        said = next((line for line in self.all if kind in line), None)
        return (said or await self.until(lambda line: kind in line))[kind]

    async def match_at(self, version: int) -> None:
        """Read until the match has been seen at this version."""
        if max((line["match"][1] for line in self.all if "match" in line), default=-1) < version:
            await self.until(lambda line: "match" in line and line["match"][1] >= version)

    def is_gapless(self) -> bool:
        """Whether each update of the match begins where the one before it ended."""
        updates = [line["match"] for line in self.all if "match" in line]
        return all(before[1] == after[0] for before, after in pairwise(updates))


class Scene:
    """A match under way, and two servers on one database: one gives long sessions, one short."""

    def __init__(self, lasting: ServerProcess, brief: ServerProcess) -> None:
        self.lasting = lasting
        self.brief = brief
        self.table = Table(ENGINE, "Marble", lasting.base_url, 11)
        self.code = ""

    async def set_up(self) -> None:
        await self.table.gather(2, 0, options={"maxRounds": 0, "startMoney": 500})
        await self.table.start()
        query = "query R($id: ID!) { room(id: $id) { code } }"
        room = await self.table.players[0].run(query, {"id": self.table.room_id})
        self.code = room["room"]["code"]

    async def guest(self, server: ServerProcess) -> dict[str, Any]:
        """The session of a spectator in the room, who signed in at one of the servers."""
        client = Client(server.base_url)
        signed_in = await client.run(SIGN_IN, {"input": {"displayName": "Watcher"}})
        session: dict[str, Any] = signed_in["signInAsGuest"]["session"]
        client.token = session["accessToken"]
        await client.do("joinRoom", "room { id }", code=self.code, role="SPECTATOR")
        await client.close()
        return {**session, "signedInAt": server.url}

    async def move_on(self, lines: Lines | None = None) -> int:
        """One more move; the version it made, which the client has seen."""
        async with self.table.watched() as watchers:
            version = watchers[0].version + 1
            await play_to(version, self.table, watchers)
        if lines is not None:
            await lines.match_at(version)
        return version


@pytest.fixture(scope="module")
def servers(
    cluster_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[ServerProcess, ServerProcess]]:
    database_url = asyncio.run(clusters.create(cluster_url))
    shared = {
        "DATABASE_URL": database_url,
        "BOARD_SECRET": "0" * 64,
        "BOARD_BUS_URL": "postgres",
    }
    folder = tmp_path_factory.mktemp("servers")
    lasting = ServerProcess(folder / "lasting", **shared)
    brief = ServerProcess(folder / "brief", **shared, BOARD_SESSION_SECONDS="2")
    yield lasting, brief
    for each in (lasting, brief):
        each.stop()
    asyncio.run(clusters.drop(cluster_url, database_url))
    assert [*lasting.errors(), *brief.errors()] == []


@pytest.fixture(scope="module")
async def scene(servers: tuple[ServerProcess, ServerProcess]) -> AsyncIterator[Scene]:
    scene = Scene(*servers)
    await scene.set_up()
    yield scene
    await scene.table.close()


@asynccontextmanager
async def watching(
    node: str, name: str, scene: Scene, session: dict[str, Any], address: str
) -> AsyncIterator[Lines]:
    """A client at work that reaches the server by this address."""
    settings = {
        "client": name,
        "url": f"http://{address}/graphql",
        "wsUrl": f"ws://{address}/graphql",
        "streamUrl": f"http://{address}/graphql/stream",
        "signInUrl": session["signedInAt"],
        "roomId": scene.table.room_id,
        "matchId": scene.table.match_id,
        "session": session,
    }
    process = await asyncio.create_subprocess_exec(
        *(node, str(HERE / "watch.mjs"), json.dumps(settings)), stdout=asyncio.subprocess.PIPE
    )
    try:
        yield Lines(process)
    finally:
        process.kill()
        await process.wait()


@pytest.mark.parametrize("name", EXPIRED)
async def test_client_asks_watches_and_resumes(node: str, scene: Scene, name: str) -> None:
    session = await scene.guest(scene.lasting)
    async with (
        Proxy(scene.lasting.base_url).running() as proxy,
        watching(node, name, scene, session, proxy.address) as lines,
    ):
        assert (await lines.first("query"))["me"]["displayName"] == "Watcher"
        started, revision = await lines.first("match"), await lines.first("room")
        assert started[0] == started[1]
        await scene.move_on(lines)

        proxy.cut()
        missed = await scene.move_on()
        await lines.match_at(missed)
        assert any("broken" in line for line in lines.all)
        await scene.move_on(lines)
        assert lines.is_gapless()

        await scene.guest(scene.lasting)
        await lines.until(lambda line: line.get("room", 0) > revision)


@pytest.mark.parametrize("name", EXPIRED)
async def test_client_goes_on_with_a_fresh_token(node: str, scene: Scene, name: str) -> None:
    session = await scene.guest(scene.brief)
    feed, why = EXPIRED[name]
    address = scene.lasting.base_url.removeprefix("http://")
    async with watching(node, name, scene, session, address) as lines:
        await lines.first("match")
        broken = await lines.until(lambda line: line.get("broken") == feed)
        assert why in broken["why"]
        await scene.move_on(lines)
        assert lines.is_gapless()


async def test_gql_asks_watches_and_resumes(scene: Scene) -> None:
    session = await scene.guest(scene.lasting)
    token = session["accessToken"]
    http = HTTPXAsyncTransport(scene.lasting.url, headers={"Authorization": f"Bearer {token}"})
    async with GQLClient(transport=http) as asking:
        assert await asking.execute(gql("{ me { displayName } }")) == {
            "me": {"displayName": "Watcher"}
        }
    async with Proxy(scene.lasting.base_url).running() as proxy:
        feed = PythonFeed(scene, f"ws://{proxy.address}/graphql", token)
        await feed.start()
        version = await scene.move_on()
        await feed.match_at(version)

        proxy.cut()
        with pytest.raises(TransportConnectionFailed):
            await feed.end()
        missed = await scene.move_on()
        await feed.start()
        await feed.match_at(missed)
        feed.stop()
    assert feed.updates[0] == [version - 1, version - 1]
    assert all(before[1] == after[0] for before, after in pairwise(feed.updates))


async def test_gql_goes_on_with_a_fresh_token(scene: Scene) -> None:
    session = await scene.guest(scene.brief)
    feed = PythonFeed(scene, scene.lasting.ws_url, session["accessToken"])
    await feed.start()
    with pytest.raises(TransportConnectionFailed) as ended:
        await feed.end()
    assert isinstance(ended.value.__cause__, ConnectionClosedError)
    assert ended.value.__cause__.rcvd == Close(4403, "Session expired")
    refresh = Client(scene.lasting.base_url)
    renewed = await refresh.do(
        "refreshSession", "session { accessToken }", refreshToken=session["refreshToken"]
    )
    await refresh.close()
    feed.token = renewed["session"]["accessToken"]
    await feed.start()
    await feed.match_at(await scene.move_on())
    feed.stop()


class PythonFeed:
    """The match as gql follows it, from what it has seen on whenever it is started."""

    def __init__(self, scene: Scene, ws_url: str, token: str) -> None:
        self.token = token
        self.updates: list[list[int]] = []
        self._match_id = scene.table.match_id
        self._url = ws_url
        self._news = asyncio.Event()
        self._task: asyncio.Task[None]

    async def start(self) -> None:
        """Follow; returns when the first update is here."""
        before = len(self.updates)
        self._task = asyncio.create_task(self._follow())
        await self._until(lambda: len(self.updates) > before)

    async def match_at(self, version: int) -> None:
        """Wait until the match has been seen at this version."""
        await self._until(lambda: self.updates[-1][1] >= version)

    async def end(self) -> None:
        """Wait for the feed to end, and raise what ended it."""
        async with asyncio.timeout(SECONDS):
            await self._task

    def stop(self) -> None:
        self._task.cancel()

    async def _until(self, done: Callable[[], bool]) -> None:
        async with asyncio.timeout(SECONDS):
            while not done():
                self._news.clear()
                await self._news.wait()

    async def _follow(self) -> None:
        after = self.updates[-1][1] if self.updates else None
        request = GraphQLRequest(MATCH, variable_values={"id": self._match_id, "after": after})
        transport = WebsocketsTransport(self._url, init_payload={"token": self.token})
        async with GQLClient(transport=transport) as watching:
            async for data in watching.subscribe(request):
                update = data["matchUpdates"]
                self.updates.append([update["fromVersion"], update["version"]])
                self._news.set()
