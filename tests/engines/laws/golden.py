"""Whole matches on file: options, seed, actions, events and a hash of every state.

A golden is replayed from its own lines alone, so it notices whatever changes the course of a
match. To record them anew on purpose, after raising `rules_version` and with the reason in the
commit: `python -m tests.engines.laws.golden <game> --rewrite`. Without the flag nothing is written.
"""

import argparse
import hashlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from engines import codec
from engines.options import write_options
from engines.protocol import SYSTEM, Actor, Engine, Step
from engines.registry import discover, rules_of
from engines.replay import Entry, perform
from tests.engines.laws.adapter import adapter_of
from tests.engines.laws.matches import HOMES, START, Chooser, Match, play

HERE = Path(__file__).parents[1]


@dataclass(frozen=True)
class Scenario:
    """How one golden was made: options, seats, who chose the moves, and by which chance."""

    options: Mapping[str, object]
    seats: int
    choose: Chooser
    number: int


class Head(msgspec.Struct):
    """The first line: all that the deal needs."""

    game: str
    rules_version: int
    options: dict[str, Any]
    seats: int
    seed: str
    at: int
    events: msgspec.Raw
    state: str


class Row(msgspec.Struct):
    """One line for each step: the log row, its events, the hash of the state behind it."""

    actor: int | str
    action: msgspec.Raw
    at: int
    events: msgspec.Raw
    state: str


def files_of(game: str) -> list[Path]:
    """The goldens of a game."""
    return sorted((HERE / game / "golden").glob("*.jsonl"))


def scenarios_of(game: str) -> dict[str, Scenario]:
    """How a game's goldens are made, by file name without its ending."""
    return import_module(f"tests.engines.{game}.goldens").SCENARIOS


def hash_of(state: Any) -> str:
    """Sixteen hexadecimal digits of the state's JSON."""
    return hashlib.sha256(codec.encode_state(state)).hexdigest()[:16]


def record(engine: Engine[Any], scenario: Scenario) -> bytes:
    """The lines of a golden, played anew."""
    rnd = Random(scenario.number)
    adapter = adapter_of(engine)
    match = play(engine, adapter, rnd, scenario.choose, scenario.options, scenario.seats)
    rows = [row(turn.entry, turn.action_bytes, turn.step) for turn in match.turns]
    lines = [head(engine, match), *rows]
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def head(engine: Engine[Any], match: Match) -> Head:
    """The first line of a match."""
    return Head(
        engine.id,
        engine.rules_version,
        write_options(engine.option_specs, match.options),
        match.seats,
        match.seed.hex(),
        START,
        msgspec.Raw(codec.encode_events(match.first.events)),
        hash_of(match.first.state),
    )


def row(entry: Entry, action: bytes, step: Step[Any]) -> Row:
    """The line of one step."""
    actor = "system" if entry.actor is SYSTEM else entry.actor
    events = msgspec.Raw(codec.encode_events(step.events))
    return Row(actor, msgspec.Raw(action), entry.at, events, hash_of(step.state))


def check(engine: Engine[Any], path: Path) -> None:
    """Replay a golden by the rules it names; AssertionError names the first line that differs."""
    first, *rest = path.read_bytes().splitlines()
    top = msgspec.json.decode(first, type=Head)
    rules = rules_of(engine, top.rules_version)
    assert rules is not None, f"{path.name} is of rules that are not at hand"
    assert top.game == rules.id
    options, seed = rules.options(top.options), bytes.fromhex(top.seed)
    step = rules.setup(options, top.seats, seed, top.at)
    same(step, top.events, top.state, f"{path.name}:1")
    for number, line in enumerate(rest, 2):
        played = msgspec.json.decode(line, type=Row)
        actor: Actor = SYSTEM if isinstance(played.actor, str) else played.actor
        action = codec.decode_action(rules, bytes(played.action))
        step = perform(rules, step.state, Entry(actor, action, played.at))
        same(step, played.events, played.state, f"{path.name}:{number}")
    assert rules.deadline(step.state) is None, f"{path.name} ends before its match"


def same(step: Step[Any], events: msgspec.Raw, state: str, line: str) -> None:
    """A step is the one on file."""
    assert codec.encode_events(step.events).decode() == bytes(events).decode(), line
    assert hash_of(step.state) == state, line


def main() -> int:
    """Compare a game's goldens with what would be recorded now, and write if told to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("game")
    parser.add_argument("--rewrite", action="store_true", help="record the goldens anew")
    asked = parser.parse_args()
    engine = discover(HOMES)[asked.game]
    folder = HERE / asked.game / "golden"
    differing = []
    for name, scenario in scenarios_of(asked.game).items():
        path, lines = folder / f"{name}.jsonl", record(engine, scenario)
        if not path.exists() or path.read_bytes() != lines:
            differing.append(name)
            if asked.rewrite:
                folder.mkdir(exist_ok=True)
                path.write_bytes(lines)
    sys.stdout.write("".join(f"{name} differs\n" for name in differing))
    return bool(differing) and not asked.rewrite


if __name__ == "__main__":
    sys.exit(main())
