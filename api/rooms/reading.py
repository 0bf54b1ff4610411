"""Rooms as they are, for those who may see them."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from api.pages import Window
from api.rooms import store
from api.rooms.codes import read_code
from api.rooms.models import PUBLIC
from api.rooms.service import settle
from api.rooms.store import Filter, RoomState
from api.services import Services


async def get(services: Services, account_id: UUID, room_id: UUID) -> RoomState | None:
    """A whole room for one person; None if it is unknown, or a secret one they are not in."""
    return (await get_many(services, account_id, [room_id])).get(room_id)


async def get_many(
    services: Services, account_id: UUID, ids: Iterable[UUID]
) -> Mapping[UUID, RoomState]:
    """Whole rooms by id for one person; those unknown or not theirs to see are missing."""
    found = await _current(services, ids)
    return {id_: state for id_, state in found.items() if may_see(state, account_id)}


async def get_by_code(services: Services, account_id: UUID, code: str) -> RoomState | None:
    """The room with a code, which is the right to see it; None if there is none, or one is banned
    from a secret one.
    """
    typed = read_code(code)
    if typed is None:
        return None
    async with services.database.reading() as session:
        state = await store.state_by_code(session, typed)
        if state is None:
            return None
        secret = not may_see(state, account_id)
        if secret and await store.is_banned(session, state.room.id, account_id):
            return None
    return (await _current(services, [state.room.id])).get(state.room.id)


async def page(services: Services, wanted: Filter | None, window: Window) -> list[RoomState]:
    """Public rooms in the order of the window, with one row more if others follow."""
    if wanted is None:
        return []
    async with services.database.reading() as session:
        return await store.page(session, wanted, window)


async def rooms_of(services: Services, account_id: UUID) -> list[RoomState]:
    """The rooms a person is in, newest first."""
    async with services.database.reading() as session:
        return await store.states_of(session, account_id)


async def revisions(services: Services, ids: Iterable[UUID]) -> Mapping[UUID, int]:
    """The present revision of each of these rooms, for the poll behind the hub."""
    return await store.revisions(services.database, ids)


def may_see(state: RoomState, account_id: UUID) -> bool:
    """Whether a person may see a room without its code."""
    return state.room.visibility == PUBLIC or state.member(account_id) is not None


async def _current(services: Services, ids: Iterable[UUID]) -> Mapping[UUID, RoomState]:
    """Whole rooms by id, none of them behind its match unless it is being changed right now."""
    async with services.database.reading() as session:
        found = await store.states(session, ids)
    behind = [id_ for id_, state in found.items() if state.overtaken]
    if not behind:
        return found
    for room_id in behind:
        await settle(services, room_id)
    async with services.database.reading() as session:
        return await store.states(session, found)
