"""The log is the truth: fold it and the state comes out."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from engines.protocol import Actor, Engine, Step, TimeOut

S = TypeVar("S")


class Entry(NamedTuple):
    """One accepted action: who, what, and when (game time in milliseconds)."""

    actor: Actor
    action: Any
    at: int


def perform(engine: Engine[S], state: S, entry: Entry) -> Step[S]:
    """The step one log entry makes from `state`."""
    if isinstance(entry.action, TimeOut):
        return engine.on_timeout(state, entry.at)
    return engine.apply(state, entry.actor, entry.action, entry.at)


def replay(
    engine: Engine[S], options: object, seats: int, seed: bytes, at: int, log: Iterable[Entry]
) -> Iterator[Step[S]]:
    """Every step of a match from its setup on; the last one's state is the state now.

    `at` is the game time of the setup in milliseconds.
    """
    step = engine.setup(options, seats, seed, at)
    yield step
    for entry in log:
        step = perform(engine, step.state, entry)
        yield step
