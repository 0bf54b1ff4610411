"""Coming into a room: opening one, or joining by its id or code."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from sqlmodel.ext.asyncio.session import AsyncSession

from api.accounts import store as accounts
from api.errors import unauthenticated
from api.matches.live import to_datetime
from api.refusals import Refused
from api.rooms import store
from api.rooms.choices import check_seats, read_choices
from api.rooms.codes import draw_code, read_code
from api.rooms.models import PLAYER, PLAYING, PRIVATE, PUBLIC, SPECTATOR, Room
from api.rooms.reasons import RoomReason
from api.rooms.table import Table, announce, open_table
from api.services import Services

MAX_ROOMS = 10
"""How many rooms one person may be in at a time; it bounds the rooms there can be."""
MAX_SPECTATORS = 50


@dataclass(frozen=True, slots=True)
class NewRoom:
    """What a host chooses; options left out take their default, seats the game's most."""

    game: str
    options: Mapping[str, object] = field(default_factory=dict)
    seats: int | None = None
    visibility: str = PUBLIC
    allow_spectators: bool = True
    open_replay: bool = False
    verifiable: bool = False


async def create(services: Services, account_id: UUID, new: NewRoom) -> UUID:
    """Open a room with the person as its host and first player; its id.

    Raises UNKNOWN_GAME, BAD_OPTION, BAD_SEATS or TOO_MANY_ROOMS.
    """
    game = services.games.get(new.game)
    if game is None:
        raise Refused(RoomReason.UNKNOWN_GAME, path=("game",))
    seats = game.engine.about.seats[1] if new.seats is None else new.seats
    check_seats(game.engine, seats)
    room = Room(
        code=draw_code(),
        game=new.game,
        options=read_choices(game.engine, new.options),
        seats=seats,
        visibility=new.visibility,
        allow_spectators=new.allow_spectators,
        open_replay=new.open_replay,
        verifiable=new.verifiable,
        host_id=account_id,
        created_at=to_datetime(services.database.now()),
    )
    async with services.database.transaction() as session:
        await _check_memberships(session, account_id)
        await store.insert_room(session, room)
        locked = await store.lock(session, room.id)
        table = await open_table(session, locked, path="id")
        table.seat(account_id, PLAYER)
    await announce(services, table)
    return room.id


async def join(
    services: Services,
    account_id: UUID,
    role: str,
    *,
    room_id: UUID | None = None,
    code: str | None = None,
) -> UUID:
    """Come into a room by its id or, which a secret one needs, its code; the room's id.

    A member changes role. Raises ROOM_NOT_FOUND, REMOVED_BY_HOST, TOO_MANY_ROOMS, MATCH_RUNNING,
    ROOM_FULL, NO_SPECTATORS or SPECTATORS_FULL.
    """
    async with services.database.transaction() as session:
        # The account first: its memberships are counted while no other join of it is under way.
        if await accounts.lock(session, account_id) is None:
            raise unauthenticated()
        if code is not None:
            typed = read_code(code)
            room = await store.lock_by_code(session, typed) if typed else None
            table = await open_table(session, room, path="code")
        else:
            room = await store.lock(session, room_id) if room_id else None
            table = await open_table(session, room, path="roomId")
            if table.room.visibility == PRIVATE:
                table.require_member(account_id)
        await _come_in(table, account_id, role)
    await announce(services, table)
    return table.room.id


async def _come_in(table: Table, account_id: UUID, role: str) -> None:
    member = table.member(account_id)
    if member is None and await store.is_banned(table.session, table.room.id, account_id):
        raise Refused(RoomReason.REMOVED_BY_HOST)
    if member is not None and member.role == role:
        return
    seated = member is not None and member.role == PLAYER
    if table.room.status == PLAYING and (role == PLAYER or seated):
        raise Refused(RoomReason.MATCH_RUNNING)
    if role == SPECTATOR:
        if not table.room.allow_spectators:
            raise Refused(RoomReason.NO_SPECTATORS, path=("role",))
        if len(table.with_role(SPECTATOR)) >= MAX_SPECTATORS:
            raise Refused(RoomReason.SPECTATORS_FULL)
    elif len(table.with_role(PLAYER)) >= table.room.seats:
        raise Refused(RoomReason.ROOM_FULL)
    if member is None:
        if await store.memberships(table.session, account_id) >= MAX_ROOMS:
            raise Refused(RoomReason.TOO_MANY_ROOMS, max=MAX_ROOMS)
        table.seat(account_id, role)
    else:
        member.role, member.ready = role, False
        table.touch()


async def _check_memberships(session: AsyncSession, account_id: UUID) -> None:
    if await accounts.lock(session, account_id) is None:
        raise unauthenticated()
    if await store.memberships(session, account_id) >= MAX_ROOMS:
        raise Refused(RoomReason.TOO_MANY_ROOMS, max=MAX_ROOMS)
