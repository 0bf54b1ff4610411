"""The write of one move, as the product's statement takes it."""

from typing import Any
from uuid import UUID

from api.matches.live import to_datetime
from engines import codec
from engines.marble import ENGINE
from tests.bench.scripts import Move


def encoded(moves: list[Move]) -> list[list[Any]]:
    """The parts of each move's write that are text or numbers: state, action, events, seat."""
    return [
        [
            codec.encode_state(move.step.state).decode(),
            codec.encode_action(move.action).decode(),
            codec.encode_events(move.step.events).decode(),
            move.seat,
        ]
        for move in moves
        if ENGINE.result(move.step.state) is None
    ]


def arguments(match: str, number: int, write: list[Any], start: int) -> tuple[Any, ...]:
    """The arguments of `api.matches.store.APPEND` for the move of this number; `start` in ms."""
    state, action, events, seat = write
    at = to_datetime(start + 1_000 * number)
    deadline = to_datetime(start + 1_000 * number + 60_000_000)
    key = f"{match[:8]}-{number}"
    head = (UUID(match), number + 1, state, deadline, "RUNNING", None, None)
    return (*head, "SEAT", seat, key, action, events, at, 1, seat, None, None)
