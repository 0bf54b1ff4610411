"""What those who watch a room or the lobby are told, against a real server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import asyncpg
import pytest

from tests.api.client import Client, Failed, Socket, signed_in
from tests.api.conftest import StartServer
from tests.api.server import ServerProcess

ROOM = (
    "id revision status host { id } members { player { id displayName } role ready } match { id }"
)
ROOM_UPDATES = f"subscription R($id: ID!) {{ roomUpdates(roomId: $id) {{ {ROOM} }} }}"
LOBBY_UPDATES = f"""
subscription L($filter: RoomFilter) {{
  lobbyUpdates(filter: $filter) {{
    snapshot removed added {{ {ROOM} }} changed {{ {ROOM} }}
  }}
}}
"""
BY_ID = f"query R($id: ID!) {{ room(id: $id) {{ {ROOM} }} }}"
LOBBY = f"""
query L($filter: RoomFilter) {{ rooms(filter: $filter, first: 100) {{ nodes {{ {ROOM} }} }} }}
"""
GAME = "coin_race"
NO_ROOM = "Um9vbTowMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMA"
PATIENCE = 20.0


class Watch:
    """One subscription, read to the state it should lead to."""

    def __init__(self, items: AsyncIterator[Any]) -> None:
        self._items = items
        self.rooms: dict[str, Any] = {}
        self.snapshots = 0
        self.revision = 0

    async def next(self) -> Any:
        async with asyncio.timeout(PATIENCE):
            return await anext(self._items)

    async def room(self, revision: int) -> Any:
        """The room at a revision; those before it may have been shown or not, in order."""
        while self.revision < revision:
            room = (await self.next())["roomUpdates"]
            assert self.revision < room["revision"] <= revision
            self.revision = room["revision"]
        return room

    async def ended(self) -> bool:
        with pytest.raises(StopAsyncIteration):
            await self.next()
        return True

    async def lobby(self, client: Client, filter_: dict[str, Any]) -> None:
        """Follow until what was told equals what a query says."""
        while True:
            wanted = (await client.run(LOBBY, {"filter": filter_}))["rooms"]["nodes"]
            if self.snapshots and self.rooms == {room["id"]: room for room in wanted}:
                return
            self.take((await self.next())["lobbyUpdates"])

    def take(self, update: Any) -> None:
        """One delta, which must fit what was told before."""
        assert update["snapshot"] == (self.snapshots == 0)
        self.snapshots += 1
        for room in update["added"]:
            assert room["id"] not in self.rooms
            self.rooms[room["id"]] = room
        for room in update["changed"]:
            assert room["revision"] > self.rooms[room["id"]]["revision"]
            self.rooms[room["id"]] = room
        for id_ in update["removed"]:
            del self.rooms[id_]


@pytest.fixture(scope="module")
def server_environ() -> dict[str, str]:
    return {"BOARD_GAME_PACKAGES": "tests.extra_games"}


@pytest.fixture
async def people(server: ServerProcess) -> AsyncIterator[list[Client]]:
    """A host, a guest and a stranger."""
    async with signed_in(server.base_url, "Hana", "Gun", "Seo") as people:
        yield people


@pytest.fixture
async def sockets(people: list[Client]) -> AsyncIterator[list[Socket]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(each.socket()) for each in people]


async def create(host: Client, **given: Any) -> dict[str, Any]:
    room: dict[str, Any] = (
        await host.do("createRoom", f"room {{ {ROOM} code }}", game=GAME, **given)
    )["room"]
    return room


async def do(client: Client, mutation: str, room_id: str, /, **given: Any) -> int:
    """One change of a room; its revision afterwards, 0 if it is no longer to be seen."""
    payload = await client.do(mutation, "room { revision }", roomId=room_id, **given)
    return payload["room"]["revision"] if payload["room"] else 0


async def test_a_room_is_shown_whole_after_each_change(
    people: list[Client], sockets: list[Socket]
) -> None:
    host, guest, stranger = people
    created = await create(host)
    room_id = created.pop("id")
    watch = Watch(sockets[2].subscribe(ROOM_UPDATES, {"id": room_id}))
    first = (await watch.next())["roomUpdates"]
    assert first["revision"] == created["revision"]
    room = await watch.room(await do(guest, "joinRoom", room_id))
    assert [m["player"]["id"] for m in room["members"]] == [host.player_id, guest.player_id]
    room = await watch.room(await do(guest, "setReady", room_id, ready=True))
    assert [m["ready"] for m in room["members"]] == [False, True]
    room = await watch.room(await do(host, "startMatch", room_id))
    assert room["status"] == "PLAYING"
    assert room["match"] is not None
    room = await watch.room(await do(guest, "leaveRoom", room_id))
    assert (room["status"], len(room["members"])) == ("FINISHED", 1)
    await stranger.do("joinRoom", "room { id }", roomId=room_id)
    await host.do("leaveRoom", "room { id }", roomId=room_id)
    room = await watch.room((await stranger.run(BY_ID, {"id": room_id}))["room"]["revision"])
    assert room["host"]["id"] == stranger.player_id
    room = await watch.room(await do(stranger, "leaveRoom", room_id))
    assert (room["status"], room["members"]) == ("CLOSED", [])
    assert await watch.ended()


async def test_a_match_that_ends_by_itself_reaches_the_room(
    people: list[Client], sockets: list[Socket]
) -> None:
    host, guest, _ = people
    room_id = (await create(host, options=[{"key": "turnSeconds", "value": None}]))["id"]
    await do(guest, "joinRoom", room_id)
    await do(guest, "setReady", room_id, ready=True)
    revision = await do(host, "startMatch", room_id)
    watch = Watch(sockets[0].subscribe(ROOM_UPDATES, {"id": room_id}))
    match_id = (await watch.room(revision))["match"]["id"]
    racers = [host, guest]
    for turn in range(1000):
        racer = racers[turn % 2]
        payload = await racer.do("coinRaceFlip", "view { result { reasonCode } }", matchId=match_id)
        if payload["view"]["result"] is not None:
            break
    room = await watch.room(revision + 1)
    assert (room["status"], room["match"]["id"]) == ("FINISHED", match_id)


async def test_a_renamed_member_is_shown_renamed(
    people: list[Client], sockets: list[Socket]
) -> None:
    host, guest, _ = people
    room_id = (await create(host))["id"]
    revision = await do(guest, "joinRoom", room_id)
    watch = Watch(sockets[0].subscribe(ROOM_UPDATES, {"id": room_id}))
    await watch.room(revision)
    await guest.do("updateProfile", "player { id }", displayName="Gunther")
    room = await watch.room(revision + 1)
    assert [m["player"]["displayName"] for m in room["members"]] == ["Hana", "Gunther"]


async def test_private_rooms_are_shown_to_members_while_they_are_members(
    people: list[Client], sockets: list[Socket]
) -> None:
    host, guest, _ = people
    room = await create(host, visibility="PRIVATE")
    for id_ in (room["id"], NO_ROOM, "nonsense"):
        assert await Watch(sockets[2].subscribe(ROOM_UPDATES, {"id": id_})).ended()
    joined = await guest.do("joinRoom", "room { revision }", code=room["code"])
    watch = Watch(sockets[1].subscribe(ROOM_UPDATES, {"id": room["id"]}))
    await watch.room(joined["room"]["revision"])
    await do(host, "kickMember", room["id"], playerId=guest.player_id)
    assert await watch.ended()


async def test_subscriptions_are_for_those_signed_in(server: ServerProcess) -> None:
    nobody = Client(server.base_url)
    async with nobody.socket() as socket:
        for document, variables in ((ROOM_UPDATES, {"id": NO_ROOM}), (LOBBY_UPDATES, {})):
            with pytest.raises(Failed) as failed:
                await anext(socket.subscribe(document, variables))
            assert failed.value.codes == ["UNAUTHENTICATED"]
    await nobody.close()


async def test_the_lobby_is_a_snapshot_and_then_deltas(
    people: list[Client], sockets: list[Socket]
) -> None:
    host, guest, reader = people
    old = await create(host)
    watch = Watch(sockets[2].subscribe(LOBBY_UPDATES, {}))
    await watch.lobby(reader, {})
    assert old["id"] in watch.rooms
    new, hidden = await create(host), await create(host, visibility="PRIVATE")
    await watch.lobby(reader, {})
    assert new["id"] in watch.rooms
    assert hidden["id"] not in watch.rooms
    await do(guest, "joinRoom", new["id"])
    await watch.lobby(reader, {})
    assert len(watch.rooms[new["id"]]["members"]) == 2
    await do(host, "leaveRoom", old["id"])
    await watch.lobby(reader, {})
    assert old["id"] not in watch.rooms


async def test_the_lobby_through_a_filter(people: list[Client], sockets: list[Socket]) -> None:
    host, guest, reader = people
    filter_ = {"game": GAME, "status": ["WAITING"], "hasFreeSeat": True}
    watch = Watch(sockets[2].subscribe(LOBBY_UPDATES, {"filter": filter_}))
    await watch.lobby(reader, filter_)
    room_id = (await create(host, seats=2))["id"]
    await watch.lobby(reader, filter_)
    assert room_id in watch.rooms
    await do(guest, "joinRoom", room_id)
    await watch.lobby(reader, filter_)
    assert room_id not in watch.rooms
    await do(guest, "leaveRoom", room_id)
    await watch.lobby(reader, filter_)
    assert room_id in watch.rooms


async def test_a_lobby_of_an_unknown_game_is_empty(sockets: list[Socket]) -> None:
    watch = Watch(sockets[0].subscribe(LOBBY_UPDATES, {"filter": {"game": "nothing"}}))
    update = (await watch.next())["lobbyUpdates"]
    assert update == {"snapshot": True, "added": [], "changed": [], "removed": []}


async def test_lost_wake_ups_are_made_up_for(
    server: ServerProcess, people: list[Client], sockets: list[Socket]
) -> None:
    host, _, reader = people
    room = await create(host)
    watch = Watch(sockets[0].subscribe(ROOM_UPDATES, {"id": room["id"]}))
    lobby = Watch(sockets[2].subscribe(LOBBY_UPDATES, {}))
    await watch.room(room["revision"])
    await lobby.lobby(reader, {})
    connection = await asyncpg.connect(server.database_url)
    await connection.execute(
        "UPDATE room SET revision = revision + 1 WHERE code = $1", room["code"]
    )
    await connection.close()
    await watch.room(room["revision"] + 1)
    await lobby.lobby(reader, {})
    assert lobby.rooms[room["id"]]["revision"] == room["revision"] + 1


async def test_watchers_on_another_process_are_told(start_server: StartServer) -> None:
    environ = {"BOARD_GAME_PACKAGES": "tests.extra_games"}
    here, there = start_server(**environ), start_server(**environ)
    host = await Client(here.base_url).sign_in("Hana")
    guest = await Client(there.base_url).sign_in("Gun")
    room = await create(host)
    async with guest.socket() as socket:
        watch = Watch(socket.subscribe(ROOM_UPDATES, {"id": room["id"]}))
        lobby = Watch(socket.subscribe(LOBBY_UPDATES, {}))
        await watch.room(room["revision"])
        await lobby.lobby(guest, {})
        await do(guest, "joinRoom", room["id"])
        revision = await do(host, "transferHost", room["id"], playerId=guest.player_id)
        assert (await watch.room(revision))["host"]["id"] == guest.player_id
        await lobby.lobby(guest, {})
        await do(host, "leaveRoom", room["id"])
        await do(guest, "leaveRoom", room["id"])
        await lobby.lobby(guest, {})
        assert lobby.rooms == {}
    await host.close()
    await guest.close()
