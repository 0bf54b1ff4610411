"""What a page of history costs among a million matches: `python -m tests.bench.history_plans`.

Fills a scratch database and prints, for each filter, the rows and blocks that the first page, one
in the middle and one far down take, and how the one in the middle is read, branch by branch.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg

from api import embedded, migrate
from api.history import store
from api.history.store import Filter
from api.pages import Window

START = datetime(2025, 1, 1, tzinfo=UTC)
SPACING = timedelta(seconds=30)
PEOPLE = 20_000
PAGE = 20
GAMES = ("marble", "number_tiles", "rare_game")
REASONS = ("ROUND_LIMIT", "LAST_SURVIVOR", "RARE_REASON")
LOWEST = UUID(int=0)

# One in ten matches is private, one in a thousand of the rare game, as many end for the rare
# reason; the last two hundred still run, one in ten thousand was abandoned. They take up to an
# hour, and one a month.
FILL = """
INSERT INTO account (id, display_name, revision, created_at)
SELECT lpad(to_hex(n), 32, '0')::uuid, 'Player', 1, now() FROM generate_series(1, {people}) n;

CREATE TEMP TABLE made AS
SELECT gen_random_uuid() AS id, n, timestamptz '{start}' + n * interval '{spacing} s' AS started_at,
       CASE WHEN n % 1000 = 0 THEN 'rare_game' WHEN n % 2 = 0 THEN 'marble' ELSE 'number_tiles' END
           AS game,
       n % 10 <> 0 AS public,
       CASE WHEN n > {matches} - 200 THEN 'RUNNING' WHEN n % 10000 = 7 THEN 'ABANDONED'
            ELSE 'FINISHED' END AS status,
       CASE WHEN n % 100000 = 11 THEN interval '30 days' ELSE (n * 7 % 3600) * interval '1 s' END
           AS lasted,
       CASE WHEN n % 1000 = 3 THEN 'RARE_REASON' WHEN n % 3 = 0 THEN 'LAST_SURVIVOR'
            ELSE 'ROUND_LIMIT' END AS reason
FROM generate_series(1, {matches}) n;

INSERT INTO match (id, room_id, game, rules_version, options, seats, seed, seed_commitment, public,
    allow_spectators, open_replay, verifiable, status, version, state, started_at, outages)
SELECT id, id, game, 1, '{{}}', 2, '', '', public, true, false, false, status, 1, '{{}}',
       started_at, 0
FROM made;

INSERT INTO match_listing (match_id, game, public, listed, status, started_at, finished_at,
    end_reason, counted)
SELECT id, game, public, public, status, started_at,
       CASE WHEN status <> 'RUNNING' THEN started_at + lasted END,
       CASE WHEN status = 'FINISHED' THEN reason END, true
FROM made;

INSERT INTO match_seat (match_id, seat, account_id, game, started_at)
SELECT id, seat, lpad(to_hex(1 + (n * (7 + 4 * seat) + seat) % {people}), 32, '0')::uuid,
       game, started_at
FROM made, generate_series(0, 1) seat;

INSERT INTO room (id, code, game, options, seats, visibility, allow_spectators, open_replay,
    verifiable, status, revision, joins, host_id, match_id, created_at)
SELECT id, n::text, game, '{{}}', 2, 'PRIVATE', true, false, false, 'PLAYING', 1, 2,
       lpad('1', 32, '0')::uuid, id, started_at
FROM made WHERE n > {matches} - 10000;

INSERT INTO room_member (room_id, account_id, role, number, ready)
SELECT match_id, account_id, 'PLAYER', min(seat), true FROM match_seat
WHERE match_id IN (SELECT id FROM room) GROUP BY 1, 2;
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one page took: rows read from tables and indexes, blocks, milliseconds."""

    rows: int
    blocks: int
    ms: float
    read: str
    scanned: bool


def cases(matches: int) -> dict[str, Filter]:
    """The filters that are measured."""
    middle = START + SPACING * (matches // 2)
    week = middle + timedelta(days=7)
    me, other = UUID(int=1), UUID(int=2)
    return {
        "all": Filter(),
        "game": Filter(game="marble"),
        "game, rare": Filter(game="rare_game"),
        "status RUNNING": Filter(statuses=frozenset({"RUNNING"})),
        "status ABANDONED": Filter(statuses=frozenset({"ABANDONED"})),
        "status FINISHED": Filter(statuses=frozenset({"FINISHED"})),
        "endReason": Filter(end_reason="LAST_SURVIVOR", games=GAMES),
        "endReason, rare": Filter(end_reason="RARE_REASON", games=GAMES),
        "endReason, game": Filter(end_reason="LAST_SURVIVOR", game="marble"),
        "started, a week": Filter(started_after=middle, started_before=week),
        "finished, a week": Filter(finished_after=middle, finished_before=week),
        "finishedAfter": Filter(finished_after=middle),
        "game, finished": Filter(game="rare_game", finished_after=middle, finished_before=week),
        "own": Filter(player=me),
        "own, game": Filter(player=me, game="number_tiles"),
        "player": Filter(player=other),
        "player, game": Filter(player=other, game="number_tiles"),
        "player, finished": Filter(player=other, finished_after=middle),
    }


def windows(matches: int) -> dict[str, Window]:
    """Where in the list the pages lie."""

    def below(share: float) -> Window:
        return Window(PAGE, False, (START + SPACING * int(matches * share), LOWEST), None)

    return {
        "first": Window(PAGE, False, None, None),
        "middle": below(0.5),
        "deep": below(0.02),
        "last": Window(PAGE, True, None, None),
    }


async def measure(url: str, matches: int, show: str | None) -> None:
    """Print the costs of every case, or the plans of one."""
    connection = await asyncpg.connect(url, server_settings={"jit": "off"})
    print(f"{'filter':<20}" + "".join(f"{name:>28}" for name in windows(matches)))
    for name, wanted in cases(matches).items():
        cells, read = [], ""
        for place, window in windows(matches).items():
            plan = await explain(connection, wanted, window)
            if name == show:
                print(json.dumps(plan, indent=2))
            cost = cost_of(plan)
            read = cost.read if place == "middle" else read
            mark = " SEQ SCAN" if cost.scanned else ""
            cells.append(f"{cost.rows} rows {cost.blocks} blocks {cost.ms:.1f} ms{mark}")
        print(f"{name:<20}" + "".join(f"{cell:>28}" for cell in cells))
        print(f"{'':<20}  {read}")
    await connection.close()


async def explain(connection: asyncpg.Connection, wanted: Filter, window: Window) -> Any:
    """The plan of a page's statement as it was carried out, the second time."""
    query, values = store.page_query(wanted, UUID(int=1), window)
    statement = "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + query
    await connection.fetchval(statement, *values)
    return json.loads(await connection.fetchval(statement, *values))[0]


def cost_of(plan: dict[str, Any]) -> Cost:
    """The sums over a plan."""
    nodes = list(nodes_of(plan["Plan"]))
    scans = [node for node in nodes if "Scan" in node["Node Type"] and "CTE" not in str(node)[:40]]
    rows = sum(
        (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"]
        for node in scans
    )
    top = plan["Plan"]
    return Cost(
        rows=round(rows),
        blocks=top["Shared Hit Blocks"] + top["Shared Read Blocks"],
        ms=plan["Execution Time"],
        read=" + ".join(branches_of(plan["Plan"])),
        scanned=any(node["Node Type"] == "Seq Scan" for node in nodes),
    )


def branches_of(plan: dict[str, Any]) -> list[str]:
    """How each branch of a page is read: its indexes from the outside in, `↓` where backward,
    `sorted` where not in order. Primary keys, by which the rest is looked up, are left out.
    """
    named = {node["Subplan Name"]: node for node in nodes_of(plan) if "Subplan Name" in node}
    found = []
    for node in nodes_of(plan):
        below = list(nodes_of(node))[1:]
        if node["Node Type"] != "Limit" or any(each["Node Type"] == "Limit" for each in below):
            continue
        for each in [each for each in below if "CTE Name" in each]:
            below += nodes_of(named[f"CTE {each['CTE Name']}"])
        kept = [index_of(e) for e in below if not e.get("Index Name", "pk_").startswith("pk_")]
        order = " sorted" if any(each["Node Type"] == "Sort" for each in below) else ""
        if kept:
            found.append(" > ".join(kept) + order)
    return found


def index_of(node: dict[str, Any]) -> str:
    """An index scan as text."""
    backward = node.get("Scan Direction") == "Backward"
    return str(node["Index Name"]) + (" ↓" if backward else "")


def nodes_of(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A node of a plan and all below it."""
    yield node
    for child in node.get("Plans", ()):
        yield from nodes_of(child)


async def fill(url: str, matches: int) -> None:
    """A history of so many matches."""
    connection = await asyncpg.connect(url)
    await connection.execute(
        FILL.format(matches=matches, people=PEOPLE, start=START, spacing=SPACING.total_seconds())
    )
    await connection.execute("VACUUM ANALYZE")
    await connection.close()


def main() -> None:
    """Make the database, fill it, measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--show", help="print the plans of this filter in full")
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="board-") as folder,
        embedded.running(Path(folder)) as url,
    ):
        migrate.upgrade(url)
        asyncio.run(fill(url, given.matches))
        asyncio.run(measure(url, given.matches, given.show))


if __name__ == "__main__":
    main()
