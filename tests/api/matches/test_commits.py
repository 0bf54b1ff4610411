"""Actions of many matches in one statement: none fails, waits or is lost for another's sake."""

import asyncio
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from api.accounts import service as accounts
from api.accounts.tokens import unseal
from api.matches import service as matches
from api.matches import store
from api.matches.live import to_datetime
from api.matches.store import KeyTaken, Write
from api.services import Services
from tests.api.in_process import games, person, services

__all__ = ["games", "services"]

COUNT = 8
SOON = 10.0


async def deal(services: Services, count: int = COUNT) -> list[UUID]:
    """Running matches of the same two people."""
    people = [await person(services), await person(services)]
    dealt = []
    for _ in range(count):
        async with services.database.transaction() as session:
            match_id = await matches.start(
                services,
                session,
                room_id=UUID(int=0),
                engine_id="coin_race",
                options={"turnSeconds": None},
                accounts=people,
                public=True,
                allow_spectators=True,
                open_replay=False,
                verifiable=False,
            )
        dealt.append(match_id)
    return dealt


def write(services: Services, match_id: UUID, version: int = 1, **given: Any) -> Write:
    """An action on this version, in a form that only the log has to understand."""
    parts: dict[str, Any] = {
        "match_id": match_id,
        "judged_version": version,
        "state": f'{{"after": {version}}}',
        "deadline_at": to_datetime(services.database.game_now() + 60_000),
        "status": "RUNNING",
        "result": None,
        "finished_at": None,
        "actor": "SEAT",
        "seat": 0,
        "idempotency_key": None,
        "action": '{"heads": true}',
        "events": f'[{{"number": {version}}}]',
        "at": to_datetime(services.database.game_now()),
        "unit": version,
        "awaited": 1,
        "absent": None,
    }
    return Write(**{**parts, **given})


async def append_all(services: Services, writes: list[Write]) -> list[bool | BaseException]:
    """Write them side by side; what came of each. The first goes alone, all others together."""
    async with asyncio.timeout(SOON):
        return await asyncio.gather(*map(services.commits.append, writes), return_exceptions=True)


async def stored(services: Services, ids: list[UUID]) -> list[tuple[Any, ...]]:
    """Version, state and deadline of each match, and the newest row of its log."""
    rows = await services.database.fetch(
        "SELECT m.version, m.state::text, m.deadline_at, l.actor, l.seat, l.idempotency_key, "
        "l.action::text, l.events::text, l.at, l.unit, l.awaited, l.absent "
        "FROM unnest($1::uuid[]) WITH ORDINALITY AS given (id, place) "
        "JOIN match m ON m.id = given.id "
        "JOIN match_log l ON l.match_id = m.id AND l.version = m.version ORDER BY place",
        ids,
    )
    return [tuple(row) for row in rows]


def as_stored(each: Write) -> tuple[Any, ...]:
    head = (each.judged_version + 1, each.state, each.deadline_at, each.actor, each.seat)
    return (*head, each.idempotency_key, each.action, each.events, *each[12:16])


async def transactions(services: Services, ids: list[UUID]) -> int:
    """In how many transactions the newest rows of these logs were written."""
    row = await services.database.fetchrow(
        "SELECT count(DISTINCT l.xmin::text) FROM match_log l JOIN match m ON m.id = l.match_id "
        "AND m.version = l.version WHERE m.id = ANY($1)",
        ids,
    )
    assert row is not None
    return int(row[0])


async def test_what_waits_side_by_side_is_one_transaction(services: Services) -> None:
    ids = await deal(services)
    writes = [
        write(services, id_, seat=None, actor="TIMER", absent=number % 2 == 0)
        if number % 3 == 0
        else write(services, id_, idempotency_key=f"key {number}")
        for number, id_ in enumerate(ids)
    ]
    assert await append_all(services, writes) == [True] * COUNT
    assert await stored(services, ids) == [as_stored(each) for each in writes]
    assert await transactions(services, ids) == 2


async def test_one_that_was_overtaken_fails_alone(services: Services) -> None:
    ids = await deal(services)
    assert await services.commits.append(write(services, ids[3]))
    assert await append_all(services, [write(services, id_) for id_ in ids]) == [
        number != 3 for number in range(COUNT)
    ]
    assert [row[0] for row in await stored(services, ids)] == [2] * COUNT


async def test_of_two_at_the_same_version_one_is_written(services: Services) -> None:
    ids = await deal(services)
    twice = [write(services, id_, events=f"[{n}]") for id_ in ids for n in range(3)]
    outcomes = await append_all(services, twice)
    assert [outcomes[place : place + 3].count(True) for place in range(0, 3 * COUNT, 3)] == [
        1
    ] * COUNT
    assert outcomes.count(False) == 2 * COUNT
    assert [row[0] for row in await stored(services, ids)] == [2] * COUNT


async def test_a_key_used_before_stays_with_its_sender(services: Services) -> None:
    ids = await deal(services)
    assert await services.commits.append(write(services, ids[5], idempotency_key="once"))
    writes = [write(services, id_, idempotency_key="once") for id_ in ids]
    writes[5] = write(services, ids[5], version=2, idempotency_key="once")
    outcomes = await append_all(services, writes)
    assert isinstance(outcomes.pop(5), KeyTaken)
    assert outcomes == [True] * (COUNT - 1)
    assert [row[0] for row in await stored(services, ids)] == [2] * COUNT


async def test_an_ended_session_writes_nothing_for_itself_alone(services: Services) -> None:
    ids = await deal(services)
    grant = await accounts.sign_in_as_guest(services, "가온")
    token = unseal(services.config.secret, grant.access_token)
    assert token is not None
    good, ended = token.session_id, UUID(int=1)
    writes = [write(services, id_, session_id=good) for id_ in ids]
    writes[2] = write(services, ids[2], session_id=ended)
    assert await append_all(services, writes) == [number != 2 for number in range(COUNT)]
    await accounts.sign_out(services, good)
    later = [write(services, id_, version=2, session_id=good) for id_ in ids]
    assert await append_all(services, later) == [False] * COUNT


@pytest.mark.parametrize("place", [0, 1, 4])
async def test_a_match_that_another_transaction_holds_keeps_nobody_waiting(
    services: Services, place: int
) -> None:
    """Neither does the first, which goes by itself, nor one of those that go together."""
    ids = await deal(services)
    held, others = ids[place], [id_ for id_ in ids if id_ != ids[place]]
    connection = await asyncpg.connect(services.config.database_url)
    transaction = connection.transaction()
    await transaction.start()
    await connection.fetch("SELECT 1 FROM match WHERE id = $1 FOR UPDATE", held)
    tasks = {id_: asyncio.create_task(services.commits.append(write(services, id_))) for id_ in ids}
    async with asyncio.timeout(SOON):
        assert await asyncio.gather(*(tasks[id_] for id_ in others)) == [True] * (COUNT - 1)
        assert not tasks[held].done()
        await transaction.commit()
        assert await tasks[held]
    await connection.close()


async def test_the_last_action_closes_the_listing(services: Services) -> None:
    ids = await deal(services)
    at = to_datetime(services.database.game_now())
    end = {"deadline_at": None, "status": "FINISHED", "result": "{}", "finished_at": at}
    writes = [write(services, id_) for id_ in ids]
    writes[6] = write(services, ids[6], end_reason="LAST_STANDING", **end)
    assert await append_all(services, writes) == [True] * COUNT
    rows = await services.database.fetch(
        "SELECT m.id, m.status, m.finished_at, i.status, i.finished_at, i.end_reason "
        "FROM match m JOIN match_listing i ON i.match_id = m.id WHERE m.id = ANY($1) "
        "AND (m.status <> 'RUNNING' OR i.status <> 'RUNNING')",
        ids,
    )
    assert [tuple(row) for row in rows] == [
        (ids[6], "FINISHED", at, "FINISHED", at, "LAST_STANDING")
    ]


async def test_a_lost_connection_is_told_to_all_and_replaced(services: Services) -> None:
    ids = await deal(services)
    connection = await asyncpg.connect(services.config.database_url)
    transaction = connection.transaction()
    await transaction.start()
    await connection.fetch("LOCK TABLE match_log IN EXCLUSIVE MODE")
    tasks = [asyncio.create_task(services.commits.append(write(services, id_))) for id_ in ids]
    killer = await asyncpg.connect(services.config.database_url)
    async with asyncio.timeout(SOON):
        while not await killer.fetchval(  # until the first is there, and waits
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE datname = current_database() AND wait_event_type = 'Lock'"
        ):
            pass
        with pytest.raises((OSError, asyncpg.PostgresError, asyncpg.InterfaceError)):
            await tasks[0]
        await transaction.rollback()
        assert await asyncio.gather(*tasks[1:]) == [True] * (COUNT - 1)
    await connection.close()
    await killer.close()
    assert await store.append(services.database, write(services, ids[0]))
    assert await services.commits.append(write(services, ids[0], version=2))
