"""Every list is read in order from an index, whatever is asked for and however deep."""

import json
from datetime import UTC, datetime
from uuid import UUID

import pytest

from api.history import store
from api.history.store import Filter
from api.pages import Window
from tests.api.history.conftest import Archive

MOMENT = datetime(2026, 3, 1, tzinfo=UTC)
ME, OTHER = UUID(int=1), UUID(int=2)
DEEP = (MOMENT, UUID(int=3))

FILTERS = {
    "everything": (Filter(), {"ix_match_listing", "ix_match_seat_account"}),
    "game": (Filter(game="marble"), {"ix_match_listing_game", "ix_match_seat_account_game"}),
    "own": (Filter(player=ME), {"ix_match_seat_account"}),
    "own, game": (Filter(player=ME, game="marble"), {"ix_match_seat_account_game"}),
    "player": (Filter(player=OTHER), {"ix_match_seat_account"}),
    "player, game": (Filter(player=OTHER, game="marble"), {"ix_match_seat_account_game"}),
    "running": (Filter(statuses=frozenset({"RUNNING"})), {"ix_match_listing_status"}),
    "reason": (
        Filter(end_reason="LEFT", games=("coin_race", "marble")),
        {"ix_match_listing_reason"},
    ),
    "reason, game": (Filter(end_reason="LEFT", game="marble"), {"ix_match_listing_reason"}),
    "started": (Filter(started_after=MOMENT, started_before=MOMENT), {"ix_match_listing"}),
    "finished": (
        Filter(finished_after=MOMENT, finished_before=MOMENT),
        {"ix_match_listing", "ix_match_listing_span"},
    ),
}


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("backward", [False, True])
async def test_lists_are_read_from_their_indexes(
    archive: Archive, name: str, backward: bool
) -> None:
    wanted, indexes = FILTERS[name]
    window = Window(20, backward, None if backward else DEEP, DEEP if backward else None)
    plan = await plan_of(archive, wanted, window)
    assert "Seq Scan" not in plan
    assert {index for index in indexes if f'"Index Name": "{index}"' not in plan} == set()


async def plan_of(archive: Archive, wanted: Filter, window: Window) -> str:
    """The plan of a page's statement, where sequential scans are the last resort."""
    statement, values = store.page_query(wanted, ME, window)
    async with archive.services.database.reading() as session:
        connection = await session.connection()
        await connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        await connection.exec_driver_sql("SET LOCAL enable_bitmapscan = off")
        rows = await connection.exec_driver_sql("EXPLAIN (FORMAT JSON) " + statement, tuple(values))
        return json.dumps(rows.scalar_one())
