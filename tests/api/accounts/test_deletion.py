"""Deleting an account: the person is gone, the matches stay."""

import asyncio
from collections.abc import AsyncIterator
from uuid import UUID

import pytest
from sqlmodel import select
from websockets.exceptions import ConnectionClosed

from api.accounts import deletion, store
from api.accounts import service as accounts
from api.accounts.models import Account, AccountSession
from api.errors import RequestFault
from api.history.models import PlayerPlaces
from api.refusals import Refused
from api.rooms import entry
from api.rooms import service as rooms
from api.rooms.entry import NewRoom
from api.rooms.models import PLAYER, RoomBan, RoomMember
from api.services import Services
from api.statistics import service as statistics
from tests.api.client import Client, Failed, signed_in
from tests.api.ended import ended, seated
from tests.api.in_process import person
from tests.api.server import ServerProcess

PLAYER_BY_ID = "query P($id: ID!) { player(id: $id) { id } node(id: $id) { id } }"
MATCH = """
query M($id: ID!) { match(id: $id) {
  status seats { player { id displayName statistics { played } } } result { summary }
} }
"""
ROOM = (
    "query R($id: ID!) { room(id: $id) { status host { id } members { player { displayName } } } }"
)


@pytest.fixture
async def people(server: ServerProcess) -> AsyncIterator[list[Client]]:
    async with signed_in(server.base_url, "Mina", "Juno") as people:
        yield people


async def test_the_person_is_gone_and_the_matches_stay(people: list[Client]) -> None:
    mina, juno = people
    over = await ended(mina, juno)
    room_id, running = await seated(mina, juno)
    assert (await juno.run(MATCH, {"id": over}))["match"]["seats"][0]["player"]["statistics"] == [
        {"played": 1}
    ]
    payload = await mina.do("deleteAccount", "deletedPlayerId", confirmation="Mina")
    assert payload["deletedPlayerId"] == mina.player_id

    with pytest.raises(Failed) as failed:
        await mina.run("{ me { id } }")
    assert failed.value.codes == ["UNAUTHENTICATED"]
    refreshed = await juno.mutate(
        "refreshSession", "player { id }", refreshToken=mina.refresh_token
    )
    assert [error["code"] for error in refreshed["userErrors"]] == ["SESSION_ENDED"]
    found = await juno.run(PLAYER_BY_ID, {"id": mina.player_id})
    assert found == {"player": None, "node": None}

    for locale, name in (("en", "Deleted player"), ("ko", "탈퇴한 사용자")):
        juno.locale = locale
        for match_id in (over, running):
            match = (await juno.run(MATCH, {"id": match_id}))["match"]
            assert match["status"] == "FINISHED"
            seat = match["seats"][0]["player"]
            assert (seat["displayName"], seat["statistics"]) == (name, [])
            assert "Mina" not in match["result"]["summary"]
    room = (await juno.run(ROOM, {"id": room_id}))["room"]
    assert (room["host"]["id"], room["members"]) == (
        juno.player_id,
        [{"player": {"displayName": "Juno"}}],
    )


async def test_the_seat_is_given_up_as_deleted(people: list[Client], server: ServerProcess) -> None:
    mina, juno = people
    _, match_id = await seated(mina, juno)
    await mina.do("deleteAccount", "deletedPlayerId", confirmation=" Mina ")
    document = """
    query L($id: ID!) { match(id: $id) { log(after: 1) { nodes { actor seat action {
      ... on LeaveAction { cause } } } } } }
    """
    nodes = (await juno.run(document, {"id": match_id}))["match"]["log"]["nodes"]
    assert nodes == [{"actor": "SYSTEM", "seat": 0, "action": {"cause": "DELETED"}}]


async def test_its_sockets_are_closed(people: list[Client]) -> None:
    mina, _ = people
    async with mina.socket() as socket:
        updates = socket.subscribe("subscription { lobbyUpdates { snapshot } }")
        await anext(updates)
        await mina.do("deleteAccount", "deletedPlayerId", confirmation="Mina")
        with pytest.raises((ConnectionError, ConnectionClosed)):
            async with asyncio.timeout(10):
                await anext(updates)
        await socket.connection.wait_closed()
        assert socket.connection.close_code == 4403


async def test_a_wrong_confirmation_changes_nothing(people: list[Client]) -> None:
    mina, _ = people
    for wrong in ("", "mina", "Mina Kim", "x" * 1000):
        payload = await mina.mutate("deleteAccount", "deletedPlayerId", confirmation=wrong)
        assert payload["deletedPlayerId"] is None
        (error,) = payload["userErrors"]
        assert (error["code"], error["path"]) == ("CONFIRMATION_WRONG", ["confirmation"])
    assert (await mina.run("{ me { displayName } }"))["me"]["displayName"] == "Mina"
    stranger = Client(mina.base_url)
    with pytest.raises(Failed) as failed:
        await stranger.do("deleteAccount", "deletedPlayerId", confirmation="Mina")
    assert failed.value.codes == ["UNAUTHENTICATED"]
    await stranger.close()


async def left_of(services: Services, account_id: UUID) -> dict[str, int]:
    """How many rows of each kind are left of an account."""
    async with services.database.reading() as session:
        return {
            model.__tablename__: len(
                (await session.exec(select(model).where(model.account_id == account_id))).all()
            )
            for model in (AccountSession, RoomMember, RoomBan, PlayerPlaces)
        }


async def account_of(services: Services, account_id: UUID) -> Account:
    async with services.database.reading() as session:
        return (await store.accounts(session, [account_id]))[account_id]


async def test_a_crash_after_the_first_step_is_made_good(services: Services) -> None:
    """The first transaction alone, as a process that dies behind it leaves things."""
    mina, host = await person(services, "미나"), await person(services, "방장")
    room_id = await entry.create(services, host, NewRoom("coin_race"))
    await entry.join(services, mina, PLAYER, room_id=room_id)
    banned = await entry.create(services, host, NewRoom("coin_race"))
    await entry.join(services, mina, PLAYER, room_id=banned)
    await rooms.kick(services, host, banned, mina)
    async with services.database.transaction() as session:
        account = await store.lock(session, mina)
        assert account is not None
        account.display_name, account.deleted_at = "", account.created_at
        await store.end_sessions(session, mina)
    with pytest.raises(RequestFault):
        await entry.create(services, mina, NewRoom("coin_race"))
    assert await left_of(services, mina) == {
        "account_session": 0,
        "room_member": 1,
        "room_ban": 1,
        "player_places": 0,
    }
    async with services.database.transaction() as session:
        account = await session.get(Account, mina)
        assert account is not None
        account.deleted_at = account.created_at - 2 * deletion.LEFT_TO_ITS_PROCESS
    # Two processes at once, and once more: nothing is done twice.
    await asyncio.gather(*(deletion.finish_deletions(services) for _ in range(2)))
    await deletion.finish_deletions(services)
    assert set((await left_of(services, mina)).values()) == {0}
    assert (await account_of(services, mina)).erased_at is not None
    async with services.database.reading() as session:
        assert await store.unerased(session, account.created_at, 10) == []


async def test_a_match_counted_late_leaves_no_record_of_the_deleted(services: Services) -> None:
    mina, host = await person(services, "미나"), await person(services, "방장")
    room_id = await entry.create(services, host, NewRoom("coin_race"))
    await entry.join(services, mina, PLAYER, room_id=room_id)
    await rooms.set_ready(services, mina, room_id, True)
    await rooms.start_match(services, host, room_id)
    await deletion.delete(services, mina, "미나")
    assert (await account_of(services, mina)).erased_at is not None
    found = await statistics.records(services, [mina, host])
    assert [(r.game, r.played, r.won) for r in found[host]] == [("coin_race", 1, 1)]
    assert mina not in found
    assert set((await left_of(services, mina)).values()) == {0}


async def test_it_happens_once(services: Services) -> None:
    mina = await person(services, "미나")
    results = await asyncio.gather(
        *(deletion.delete(services, mina, "미나") for _ in range(3)), return_exceptions=True
    )
    faults = [each for each in results if each is not None]
    assert [type(each) for each in faults] == [RequestFault] * 2
    assert {each.code for each in faults} == {"UNAUTHENTICATED"}
    account = await account_of(services, mina)
    assert (account.display_name, account.revision) == ("", 2)
    with pytest.raises((RequestFault, Refused)):
        await accounts.rename(services, mina, "미나")
