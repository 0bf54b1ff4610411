"""`Player.statistics`: every finished match counts once for each of its players."""

import asyncio
import json
from collections import Counter
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from api.matches import store
from api.statistics import service
from api.statistics.store import count_finished
from tests.api.client import Client
from tests.api.history.conftest import Archive

STATISTICS = """
query S($id: ID!) {
  player(id: $id) { statistics { game { id } played won places { rank count } } }
}
"""


async def statistics(client: Client, player: Client | None = None) -> dict[str, Any]:
    data = await client.run(STATISTICS, {"id": (player or client).player_id})
    return {
        each["game"]["id"]: (
            each["played"],
            each["won"],
            {place["rank"]: place["count"] for place in each["places"]},
        )
        for each in data["player"]["statistics"]
    }


async def test_places_by_game(archive: Archive) -> None:
    one, two, three = await archive.people(3)
    assert await statistics(one) == {}
    await archive.ended([one, two])
    await archive.ended([two, one])
    await archive.ended([one, three, two])
    await archive.ended([one, two], game="marble", options={}, public=False)
    await archive.start([one, two])
    closed = await archive.start([one, two])
    assert await store.abandon(archive.services.database, closed, datetime.now(UTC))
    for client in (one, three):
        assert await statistics(client, one) == {
            "coin_race": (3, 1, {1: 1, 2: 2}),
            "marble": (1, 0, {2: 1}),
        }
    assert await statistics(two) == {"coin_race": (3, 2, {1: 2, 2: 1}), "marble": (1, 1, {1: 1})}
    assert await statistics(three) == {"coin_race": (1, 0, {2: 1})}


async def test_counted_once_however_many_count(archive: Archive) -> None:
    people = await archive.people(2)
    for _ in range(12):
        await archive.ended(people)
    database = archive.services.database
    await asyncio.gather(*(count_finished(database, 3) for _ in range(12)))
    await service.count_finished(archive.services)
    assert await statistics(people[1]) == {"coin_race": (12, 12, {1: 12})}
    await service.count_finished(archive.services)
    assert await statistics(people[0]) == {"coin_race": (12, 0, {2: 12})}


async def test_counting_that_was_cut_short_is_done_again(archive: Archive) -> None:
    people = await archive.people(2)
    match_id = await archive.ended(people)
    try:
        async with archive.services.database.transaction() as session:
            await count_finished(store.InSession(session), 10)
            raise ConnectionError
    except ConnectionError:
        pass
    (row,) = await archive.sql("SELECT counted FROM match_listing WHERE match_id = $1", match_id)
    assert not row["counted"]
    assert await statistics(people[1]) == {"coin_race": (1, 1, {1: 1})}


async def test_records_add_up_to_the_results(archive: Archive) -> None:
    """The table holds what the results of all finished matches say, no more and no less."""
    await service.count_finished(archive.services)
    expected: Counter[tuple[UUID, str, int]] = Counter()
    for row in await archive.sql(
        """
        SELECT m.game, m.result::jsonb AS result, s.account_id, s.seat FROM match m
        JOIN match_seat s ON s.match_id = m.id WHERE m.status = 'FINISHED'
        """
    ):
        for place in json.loads(row["result"])["ranking"]:
            if place["seat"] == row["seat"]:
                expected[row["account_id"], row["game"], place["rank"]] += 1
    rows = await archive.sql("SELECT account_id, game, rank, matches FROM player_places")
    assert {(r["account_id"], r["game"], r["rank"]): r["matches"] for r in rows} == expected
