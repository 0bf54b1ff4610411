"""What the database holds of a match, judged: the log replays to the state, the secrets kept."""

import json
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

import asyncpg

from api.matches.live import to_ms
from api.relay import read_id
from engines import codec
from engines.protocol import SYSTEM, System
from engines.replay import Entry, replay
from tests.api.engine_values import spoken
from tests.api.table import Table
from tests.api.watcher import Watcher


async def judge_records(database_url: str, table: Table, watchers: Sequence[Watcher]) -> None:
    """Log, state, result, updates and the secrecy of the seed agree for a match that was played."""
    match, log = await stored(database_url, table)
    steps = replayed(table, match, log)
    assert [row["version"] for row in log] == list(range(1, match["version"] + 1))
    for row, step in zip(log, steps, strict=True):
        assert row["events"] == codec.encode_events(step.events).decode()
    assert match["state"] == codec.encode_state(steps[-1].state).decode()
    result = table.engine.result(steps[-1].state)
    if match["status"] == "FINISHED":
        assert match["result"] == codec.encode_result(result).decode()
    for watcher in watchers:
        told_all(table, watcher, steps)
        assert await watcher.history() == seen_of(table, watcher, steps)
        keeps_secret(watcher.seen, match["seed"])


async def stored(database_url: str, table: Table) -> tuple[Any, Sequence[Any]]:
    """The row of a match and its log, oldest first."""
    connection = await asyncpg.connect(database_url)
    try:
        match_id = read_id("Match", table.match_id)
        match = await connection.fetchrow("SELECT * FROM match WHERE id = $1", match_id)
        log = await connection.fetch(
            "SELECT * FROM match_log WHERE match_id = $1 ORDER BY version", match_id
        )
    finally:
        await connection.close()
    return match, log


def replayed(table: Table, match: Any, log: Sequence[Any]) -> list[Any]:
    """Every step of the match, from seed and log alone."""
    engine = table.engine
    return list(
        replay(
            engine,
            codec.decode_options(engine, match["options"]),
            match["seats"],
            match["seed"],
            to_ms(match["started_at"]),
            (
                Entry(actor_of(row), codec.decode_action(engine, row["action"]), to_ms(row["at"]))
                for row in log[1:]
            ),
        )
    )


def actor_of(row: Any) -> int | System:
    """Whom the engine saw act."""
    return row["seat"] if row["actor"] == "SEAT" else SYSTEM


def told_all(table: Table, watcher: Watcher, steps: Sequence[Any]) -> None:
    """The watcher got every event it may see since it began to watch, once and in order."""
    first = watcher.seen[0]["version"]
    assert watcher.events == seen_of(table, watcher, steps[first:])


def seen_of(table: Table, watcher: Watcher, steps: Sequence[Any]) -> list[Any]:
    """The events of these steps as the watcher may see them, in the watcher's language."""
    options = steps[-1].state.options if steps else None
    shown = (
        table.engine.redact(options, event, watcher.seat) for step in steps for event in step.events
    )
    return [spoken(event, watcher.client.locale) for event in shown if event is not None]


def keeps_secret(told: Any, seed: bytes) -> None:
    """Nothing that was told spells the seed."""
    text = json.dumps(told)
    for spelling in (seed.hex(), b64encode(seed).decode(), str(int.from_bytes(seed, "big"))):
        assert spelling not in text
