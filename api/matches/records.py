"""Stored matches and log rows, decoded."""

from datetime import datetime
from typing import Any, Final

from api.matches.live import Facts, Live, Row, to_datetime
from engines import codec
from engines.protocol import Engine


class NotRead:
    """In place of the state of a match of which only the head was read."""


NOT_READ: Final = NotRead()


def decode_live(engine: Engine[Any], record: Any) -> Live:
    """A stored match, decoded; its state is NOT_READ if it is not in the record."""
    facts = Facts(
        id=record["id"],
        room_id=record["room_id"],
        game=record["game"],
        rules_version=record["rules_version"],
        options=codec.decode_options(engine, record["options"]),
        accounts=tuple(record["accounts"]),
        seed_commitment=bytes(record["seed_commitment"]),
        public=record["public"],
        allow_spectators=record["allow_spectators"],
        open_replay=record["open_replay"],
        verifiable=record["verifiable"],
        started_at=record["started_at"],
    )
    state, result = record.get("state"), record["result"]
    return Live(
        facts=facts,
        engine=engine,
        version=record["version"],
        status=record["status"],
        state=NOT_READ if state is None else codec.decode_state(engine, state),
        finished_at=record["finished_at"],
        result=None if result is None else codec.decode_result(engine, result),
    )


def decode_row(engine: Engine[Any], record: Any) -> Row:
    """A stored log row, decoded."""
    action = record["action"]
    return Row(
        version=record["row_version"],
        actor=record["actor"],
        seat=record["seat"],
        idempotency_key=record["idempotency_key"],
        action=None if action is None else codec.decode_action(engine, action),
        events=codec.decode_events(engine, record["events"]),
        at=record["at"],
    )


def deadline_at(engine: Engine[Any], state: Any) -> datetime | None:
    """The deadline as its column holds it."""
    deadline = engine.deadline(state)
    return None if deadline is None or deadline.until is None else to_datetime(deadline.until)
