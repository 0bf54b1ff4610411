"""Whether an exported match is true to its seed: the algorithm of `docs/verification.md`.

Needs the record and the rules, no server and no database.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import UNSET

from api.games.rules import RulesUnavailable
from api.history.record import Entry, Record, plain
from api.matches.live import to_ms
from engines import codec
from engines.options import BadOption
from engines.protocol import SYSTEM, Engine
from engines.registry import rules_of
from engines.replay import Entry as Move
from engines.replay import replay
from engines.rng import commitment


class Untrue(Exception):
    """The log is not what seed and rules make of it; the message says where."""


class Unverifiable(Exception):
    """The record cannot be checked here; the message says what it lacks."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked, and what was found; `fault` is None if it holds."""

    name: str
    fault: str | None


def verify(record: Record, engines: Mapping[str, Engine[Any]]) -> list[Check]:
    """Seed against commitment, log against seed, result against log, in this order.

    `engines` has the newest engine of each game; the record is checked by the rules it names.

    There is no result to check where the log fails. Raises `Unverifiable` where seed, log or
    rules are not at hand.
    """
    newest = engines.get(record.game)
    if newest is None:
        raise Unverifiable(f"the game {record.game!r} is not known here")
    engine = rules_of(newest, record.rules_version)
    if engine is None:
        raise Unverifiable(RulesUnavailable(newest, record.rules_version).text.en)
    if record.seed is None:
        raise Unverifiable("its seed has not been published")
    if record.log is UNSET or not record.complete:
        raise Unverifiable("its log is not complete")
    seed = bytes.fromhex(record.seed)
    commitment_check = Check("commitment", _commitment(record, seed))
    try:
        state = _replay(record, engine, seed, record.log)
    except Untrue as error:
        return [commitment_check, Check("log", str(error))]
    result_check = Check("result", _result(record, engine, state, record.log))
    return [commitment_check, Check("log", None), result_check]


def _commitment(record: Record, seed: bytes) -> str | None:
    """What is wrong with the seed."""
    found = commitment(seed).hex()
    if found != record.seed_commitment:
        return f"SHA-256 of the seed is {found}, not {record.seed_commitment}"
    return None


def _replay(record: Record, engine: Engine[Any], seed: bytes, log: list[Entry]) -> Any:
    """The last state that seed and actions make. Raises `Untrue` where the record differs."""
    if not log or log[0].action is not None or log[0].at != record.started_at:
        raise Untrue("the first version is not the deal")
    try:
        options = engine.options(record.options)
    except BadOption as error:
        raise Untrue(f"{error} is no option of the game, or has no such value") from error
    entries = (_entry(engine, entry) for entry in log[1:])
    steps = replay(engine, options, len(record.players), seed, to_ms(record.started_at), entries)
    for number, entry in enumerate(log, 1):
        if entry.version != number:
            raise Untrue(f"version {number} is missing")
        try:
            step = next(steps)
        except Exception as error:
            raise Untrue(f"version {number} is impossible: {error!r}") from error
        told = plain(codec.encode_events(step.events))
        if told != entry.events:
            raise Untrue(f"version {number} leads to {told}, not {entry.events}")
    return step.state


def _entry(engine: Engine[Any], entry: Entry) -> Move:
    actor = entry.seat if entry.actor == "SEAT" and entry.seat is not None else SYSTEM
    action = codec.decode_action(engine, msgspec.json.encode(entry.action))
    return Move(actor, action, to_ms(entry.at))


def _result(record: Record, engine: Engine[Any], state: Any, log: list[Entry]) -> str | None:
    """What is wrong with the result."""
    result = engine.result(state)
    if result is None:
        ended = record.status == "FINISHED" or record.result is not None
        return "the match has not ended by its log" if ended else None
    told = plain(codec.encode_result(result))
    if record.status != "FINISHED" or told != record.result:
        return f"the log leads to {told}, not {record.result}"
    if record.end_reason != result.reason.name:
        return f"it ended by {result.reason.name}, not {record.end_reason}"
    if record.finished_at != log[-1].at:
        return f"it ended at {log[-1].at}, not {record.finished_at}"
    return None
