"""Ended matches, one after the other, from a place in the export to its present end.

The order is that of numbers given after the end of a match, one transaction at a time. A match
whose last write was long in coming is numbered when it is there: it never falls behind a cursor.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from api import opaque
from api.export import store
from api.history.store import Filter
from api.matches import store as matches
from api.pages import bad_input
from api.services import Services

PAGE = 20
SCAN = 500
NUMBER_BATCH = 1000
CURSOR = struct.Struct(">1sQ")
MARK = b"x"


@dataclass(frozen=True, slots=True)
class Step:
    """Some matches by number; all that is asked for up to `reached` has been found.

    `more`: there is something beyond it now, though perhaps nothing that is asked for.
    """

    found: tuple[tuple[int, UUID], ...]
    reached: int
    more: bool


async def number_ended(services: Services) -> None:
    """Number whatever has ended by now."""
    given = NUMBER_BATCH
    while given == NUMBER_BATCH:
        async with services.database.transaction() as session:
            given = await store.number_ended(session, NUMBER_BATCH)


async def step(services: Services, wanted: Filter, reader: UUID | None, after: int) -> Step:
    """The next matches after a number: a person's own, or without one all that are public."""
    player = wanted.player or reader
    async with services.database.reading() as session:
        if player is None:
            rows = await store.scan(session, wanted, after, SCAN)
            asked = [(row.number, row.match_id) for row in rows if row.asked]
            reached, more = (rows[-1].number, len(rows) == SCAN) if rows else (after, False)
        else:
            wanted = replace(wanted, player=player)
            rows = await store.of_player(session, wanted, player, reader, after, PAGE + 1)
            asked = [(row.number, row.match_id) for row in rows]
            reached, more = asked[-1][0] if asked else after, False
    if len(asked) > PAGE:
        asked, more = asked[:PAGE], True
        reached = asked[-1][0]
    return Step(tuple(asked), reached, more)


async def records(services: Services, ids: Sequence[UUID]) -> dict[UUID, Any]:
    """These matches as stored, without their states, by id; those of games that are not served are
    missing.
    """
    found = await matches.heads(services.database, ids)
    return {each["id"]: each for each in found if each["game"] in services.games}


def write_cursor(number: int) -> str:
    """A place in the export as clients carry it."""
    return opaque.encode(CURSOR.pack(MARK, number))


def read_cursor(text: str | None) -> int:
    """The number in a cursor; without one, the beginning. Raises BAD_USER_INPUT."""
    if text is None:
        return 0
    try:
        mark, number = CURSOR.unpack(opaque.decode(text) or b"")
    except struct.error:
        mark, number = b"", 0
    if mark != MARK or number >= 1 << 63:
        raise bad_input("커서가 올바르지 않아요.", "This is not a cursor of the export.")
    return int(number)
