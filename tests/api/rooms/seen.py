"""A room as its rows say, and what is refused, in the words that tests compare."""

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest

from api.refusals import Refused
from api.rooms import store
from api.services import Services


@dataclass(frozen=True)
class Seen:
    """Everything about a room that tests look at; `players` in the order they joined."""

    code: str
    status: str
    revision: int
    host: UUID
    match_id: UUID | None
    options: dict[str, Any]
    seats: int
    players: tuple[UUID, ...]
    spectators: tuple[UUID, ...]
    ready: frozenset[UUID]


async def look(services: Services, room_id: UUID) -> Seen:
    """The room as it is stored, not settled by the look."""
    async with services.database.reading() as session:
        state = (await store.states(session, [room_id]))[room_id]
    room = state.room
    return Seen(
        code=room.code,
        status=room.status,
        revision=room.revision,
        host=room.host_id,
        match_id=room.match_id,
        options=room.options,
        seats=room.seats,
        players=tuple(m.account.id for m in state.members if m.role == "PLAYER"),
        spectators=tuple(m.account.id for m in state.members if m.role == "SPECTATOR"),
        ready=frozenset(m.account.id for m in state.members if m.ready),
    )


async def refused(work: Awaitable[Any]) -> tuple[str, tuple[str, ...]]:
    """The code and the path of the refusal that `work` must end in."""
    with pytest.raises(Refused) as refusal:
        await work
    assert "{" not in refusal.value.text.ko + refusal.value.text.en
    return refusal.value.reason.name, refusal.value.path
