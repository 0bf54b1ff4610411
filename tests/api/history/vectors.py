"""The test vectors of `docs/verification.md`, one short match of each game, and the JSON Schema.

Written anew by `python -m tests.api.history.vectors`, after a change of rules or of the format.
"""

from pathlib import Path
from random import Random
from typing import Any

from api.games.registry import discover
from api.games.types import chosen_options
from api.history import record
from api.matches.live import to_datetime
from api.relay import global_id
from engines import codec
from engines.protocol import SYSTEM, Engine, Leave, TimeOut
from engines.replay import Entry, perform
from engines.rng import commitment
from tests.engines.laws import matches as laws
from tests.engines.laws.adapter import adapter_of

DOCS = Path(__file__).resolve().parents[3] / "docs"
SEED = bytes(range(32))
START = 1_767_225_600_000  # 2026-01-01
SEATS = 2
MOVES = 24


def play(engine: Engine[Any]) -> record.Record:
    """Some random moves with the default options from the seed 00 01 … 1f, then seat 1 leaves."""
    options = engine.options({})
    step = engine.setup(options, SEATS, SEED, START)
    table = laws.Table(engine, adapter_of(engine), SEATS, Random(engine.id))
    entries, events = [], [step.events]
    now = START
    while len(entries) < MOVES:
        entry = laws.any_move(table, step.state, now)
        if isinstance(entry.action, Leave):
            continue
        made = perform(engine, step.state, entry)
        now = entry.at
        if made.state is not step.state:
            step = made
            entries.append(entry)
            events.append(step.events)
    entries.append(Entry(SYSTEM, Leave(1), now))
    step = perform(engine, step.state, entries[-1])
    events.append(step.events)
    log = [row(1, None, START, events[0])]
    log += [row(n, e, e.at, events[n - 1]) for n, e in enumerate(entries, 2)]
    result = engine.result(step.state)
    return record.Record(
        format="board-match",
        format_version=1,
        id=global_id("Match", "0" * 32),
        game=engine.id,
        rules_version=engine.rules_version,
        options={each.key: each.value for each in chosen_options(engine, options)},
        players=[
            record.Player(seat, global_id("Player", f"{seat:032}"), f"Player {seat}")
            for seat in range(SEATS)
        ],
        status="FINISHED",
        started_at=to_datetime(START),
        finished_at=log[-1].at,
        end_reason=result.reason.name,
        result=record.plain(codec.encode_result(result)),
        seed_commitment=commitment(SEED).hex(),
        seed=SEED.hex(),
        complete=True,
        log=log,
    )


def row(version: int, entry: Entry | None, at: int, events: tuple[Any, ...]) -> record.Entry:
    """One version as the log has it."""
    actor, seat = "SYSTEM", None
    if entry is not None:
        if isinstance(entry.actor, int):
            actor, seat = "SEAT", entry.actor
        elif isinstance(entry.action, TimeOut):
            actor = "TIMER"
        else:
            seat = getattr(entry.action, "seat", None)
    return record.Entry(
        version=version,
        actor=actor,  # type: ignore[arg-type]
        seat=seat,
        at=to_datetime(at),
        action=None if entry is None else record.plain(codec.encode_action(entry.action)),
        events=record.plain(codec.encode_events(events)),
    )


def main() -> None:
    """Write all of it."""
    (DOCS / "export.schema.json").write_bytes(record.schema())
    (DOCS / "vectors").mkdir(exist_ok=True)
    for id_, game in discover().items():
        written = record.write(play(game.engine), indent=2) + b"\n"
        (DOCS / "vectors" / f"{id_}.json").write_bytes(written)


if __name__ == "__main__":
    main()
