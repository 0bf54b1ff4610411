"""The migration that brought the listing: matches from before it are in it."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import UUID

import asyncpg
import pytest

from api import migrate
from tests import cluster as clusters

START = datetime(2026, 1, 1, tzinfo=UTC)
END = datetime(2026, 1, 2, tzinfo=UTC)


@pytest.fixture
def old_url(cluster_url: str) -> Iterator[str]:
    """A database as it was before the listing."""
    url = asyncio.run(clusters.create(cluster_url, template="template0"))
    migrate.upgrade(url, "0001")
    yield url
    asyncio.run(clusters.drop(cluster_url, url))


def test_matches_from_before_are_listed(old_url: str) -> None:
    cases = [
        # public, watchable, status, ended, result, then: listed, reason
        (True, True, "RUNNING", None, None, True, None),
        (True, False, "RUNNING", None, None, False, None),
        (True, False, "FINISHED", END, '{"reason":"lastSurvivor"}', True, "LAST_SURVIVOR"),
        (False, True, "FINISHED", END, '{"reason":"goal"}', False, "GOAL"),
        (True, True, "ABANDONED", END, None, True, None),
    ]

    async def insert() -> None:
        connection = await asyncpg.connect(old_url)
        await connection.execute(
            "INSERT INTO account (id, display_name, revision, created_at) VALUES ($1, 'A', 1, $2)",
            UUID(int=0),
            START,
        )
        for number, (public, watchable, status, ended, result, *_) in enumerate(cases):
            await connection.execute(
                """
                INSERT INTO match (id, room_id, game, rules_version, options, seats, seed,
                    seed_commitment, public, allow_spectators, open_replay, verifiable, status,
                    version, state, started_at, finished_at, result)
                VALUES ($1, $1, 'marble', 1, '{}', 2, '', '', $2, $3, false, false, $4, 1, '{}',
                    $5, $6, $7)
                """,
                UUID(int=number),
                public,
                watchable,
                status,
                START,
                ended,
                result,
            )
            await connection.execute(
                "INSERT INTO match_seat (match_id, seat, account_id) VALUES ($1, 0, $2)",
                UUID(int=number),
                UUID(int=0),
            )
        await connection.close()

    async def read() -> tuple[list[tuple], list[tuple]]:
        connection = await asyncpg.connect(old_url)
        listing = await connection.fetch(
            """
            SELECT game, public, listed, status, started_at, finished_at, end_reason, counted
            FROM match_listing ORDER BY match_id
            """
        )
        seats = await connection.fetch("SELECT game, started_at FROM match_seat")
        await connection.close()
        return [tuple(row) for row in listing], [tuple(row) for row in seats]

    asyncio.run(insert())
    migrate.upgrade(old_url)
    listing, seats = asyncio.run(read())
    assert listing == [
        ("marble", public, listed, status, START, ended, reason, False)
        for public, _, status, ended, _, listed, reason in cases
    ]
    assert seats == [("marble", START)] * len(cases)
