"""What an export asks for, read from its address: the filters of `matches`, by the same names."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any

import strawberry
from starlette.datastructures import QueryParams

from api.history.store import Filter
from api.history.types import MatchFilter, read_filter
from api.matches.types import MatchStatus
from api.pages import bad_input

AFTER = "after"
STATUS = "status"


def read_asked(games: Collection[str], params: QueryParams) -> Filter | None:
    """The filter; None if nothing can pass it. Raises BAD_USER_INPUT, for unknown names too."""
    given: dict[str, Any] = {}
    for name, value in params.multi_items():
        if name == AFTER:
            continue
        if name not in READ or (name in given and name != STATUS):
            raise bad_input(
                f"`{name[:40]}`은(는) 쓸 수 없거나 한 번만 쓸 수 있어요.",
                f"`{name[:40]}` is unknown, or may be given only once.",
            )
        given[name] = [*given.get(name, ()), READ[name](name, value)]
    fields = {FIELDS[name]: v if name == STATUS else v[0] for name, v in given.items()}
    return read_filter(games, MatchFilter(**fields))


def _text(_: str, value: str) -> str:
    return value


def _id(_: str, value: str) -> strawberry.ID:
    return strawberry.ID(value)


def _moment(name: str, value: str) -> datetime:
    try:
        # A plus sign that is not escaped arrives as a space.
        return datetime.fromisoformat(value.replace(" ", "+"))
    except ValueError:
        raise bad_input(
            f"`{name}`은(는) 2026-01-01T00:00:00Z 같은 시각이어야 해요.",
            f"`{name}` must be a time like 2026-01-01T00:00:00Z.",
        ) from None


def _status(name: str, value: str) -> MatchStatus:
    try:
        return MatchStatus[value]
    except KeyError:
        raise bad_input(
            f"`{name}`은(는) FINISHED 또는 ABANDONED예요.",
            f"`{name}` is FINISHED or ABANDONED, and may be given twice.",
        ) from None


READ: Mapping[str, Callable[[str, str], Any]] = {
    "game": _id,
    "player": _id,
    STATUS: _status,
    "endReason": _text,
    "startedAfter": _moment,
    "startedBefore": _moment,
    "finishedAfter": _moment,
    "finishedBefore": _moment,
}

FIELDS: Mapping[str, str] = {
    "game": "game",
    "player": "player",
    STATUS: "status",
    "endReason": "end_reason",
    "startedAfter": "started_after",
    "startedBefore": "started_before",
    "finishedAfter": "finished_after",
    "finishedBefore": "finished_before",
}
