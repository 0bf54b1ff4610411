"""Matches played ahead of time, so that a client can send moves without looking at its view."""

from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from random import Random
from typing import Any

from engines.marble import ENGINE
from engines.marble.actions import Concede
from engines.protocol import Step
from tests.engines.marble.adapter import ADAPTER

START = 1_700_000_000_000
CHOSEN = {"turnSeconds": 60, "maxRounds": 30, "startMoney": 500}


@dataclass(frozen=True)
class Move:
    """One action of a script, and the state before it and after."""

    seat: int
    action: Any
    before: Any
    step: Step[Any]

    @property
    def mutation(self) -> str:
        """The mutation that performs it."""
        return f"marble{type(self.action).__name__}"

    @property
    def given(self) -> dict[str, Any]:
        """Its part of the mutation's input."""
        given = as_input(self.action)
        assert isinstance(given, dict)
        return given


def script(seats: int, seed: bytes, steps: int) -> list[Move]:
    """The first moves of a marble match by somebody who chooses at random; fewer if it ends."""
    rnd = Random(seed)
    state = ENGINE.setup(ENGINE.options(CHOSEN), seats, seed, START).state
    moves: list[Move] = []
    while len(moves) < steps and state.awaited is not None:
        seat = state.awaited
        action = ADAPTER.random_action(state, seat, rnd)
        if action is None or isinstance(action, Concede):
            continue
        step = ENGINE.apply(state, seat, action, START)
        moves.append(Move(seat, action, state, step))
        state = step.state
    return moves


def as_input(value: Any) -> Any:
    """An engine's action as the input of its mutation."""
    if isinstance(value, Enum):
        return value.name
    if is_dataclass(value) and not isinstance(value, type):
        return {_camel(f.name): as_input(getattr(value, f.name)) for f in fields(value)}
    return [as_input(item) for item in value] if isinstance(value, tuple) else value


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.title, rest))
