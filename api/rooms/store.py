"""All SQL of rooms, their members and bans."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from sqlalchemy import ColumnElement, delete, exists, func, literal, update
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from sqlmodel.sql.expression import SelectOfScalar

from api.accounts.models import Account
from api.matches.live import RUNNING
from api.matches.models import Match
from api.pages import Window
from api.rooms.codes import draw_code
from api.rooms.models import CLOSED, PLAYER, PLAYING, PUBLIC, Room, RoomBan, RoomMember

CODE_ATTEMPTS = 10
REVISIONS = "SELECT id, revision FROM room WHERE id = ANY($1)"


class Connection(Protocol):
    """What the poll needs: a raw connection, or the database itself."""

    async def fetch(self, statement: str, *args: object) -> list[Any]: ...


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody in a room, with the profile as it was read."""

    account: Account
    role: str
    ready: bool


@dataclass(frozen=True, slots=True)
class RoomState:
    """A whole room as of its revision; members in the order they joined.

    `overtaken` says that its match has ended and the room does not show it yet.
    """

    room: Room
    members: tuple[Member, ...]
    overtaken: bool

    def member(self, account_id: UUID) -> Member | None:
        """This person's place in the room."""
        return next((m for m in self.members if m.account.id == account_id), None)

    def heirs(self) -> list[UUID]:
        """Who may become the host, in this order: players as they joined, then spectators."""
        order = sorted(self.members, key=lambda m: m.role != PLAYER)
        return [m.account.id for m in order]

    @property
    def players(self) -> int:
        """How many are in the room to play."""
        return sum(m.role == PLAYER for m in self.members)


@dataclass(frozen=True, slots=True)
class Filter:
    """Which public rooms are asked for; None: whatever."""

    game: str | None = None
    statuses: frozenset[str] | None = None
    free_seat: bool | None = None

    def accepts(self, state: RoomState) -> bool:
        """Whether a room is asked for; agrees with `conditions`."""
        room = state.room
        return (
            self.game in (None, room.game)
            and (self.statuses is None or room.status in self.statuses)
            and self.free_seat in (None, state.players < room.seats)
        )

    def conditions(self) -> list[ColumnElement[bool]]:
        """The same in SQL."""
        found = listed()
        if self.game is not None:
            found.append(col(Room.game) == self.game)
        if self.statuses is not None:
            found.append(col(Room.status).in_(self.statuses))
        if self.free_seat is not None:
            players = (
                select(func.count())
                .where(col(RoomMember.room_id) == col(Room.id), col(RoomMember.role) == PLAYER)
                .scalar_subquery()
            )
            free = players < col(Room.seats)
            found.append(free if self.free_seat else ~free)
        return found


def fixed(value: str) -> ColumnElement[str]:
    """A constant written into the statement: PostgreSQL must see it to use a partial index."""
    return literal(value, literal_execute=True)


def listed() -> list[ColumnElement[bool]]:
    """That a room is in the public lobby."""
    return [col(Room.visibility) == fixed(PUBLIC), col(Room.status) != fixed(CLOSED)]


async def insert_room(
    session: AsyncSession, room: Room, draw: Callable[[], str] = draw_code
) -> None:
    """Insert a new room; if a living room has its code, under another one, drawn by `draw`."""
    for _ in range(CODE_ATTEMPTS):
        statement = (
            insert(Room)
            .values(room.model_dump())
            .on_conflict_do_nothing(
                index_elements=[col(Room.code)], index_where=col(Room.status) != fixed(CLOSED)
            )
        )
        if (await session.exec(statement)).rowcount:
            return
        room.code = draw()
    raise RuntimeError("no free room code was found")


async def lock(session: AsyncSession, room_id: UUID, *, skip_locked: bool = False) -> Room | None:
    """A room, locked until the transaction ends; None if unknown, or locked and to be skipped."""
    by_id = col(Room.id) == room_id
    return await _locked(session, by_id, skip_locked=skip_locked)


async def lock_by_code(session: AsyncSession, code: str) -> Room | None:
    """The living room with this code, locked until the transaction ends."""
    return await _locked(session, col(Room.code) == code, col(Room.status) != fixed(CLOSED))


async def members(session: AsyncSession, room_id: UUID) -> list[RoomMember]:
    """The members of a room in the order they joined."""
    found = await session.exec(
        select(RoomMember)
        .where(col(RoomMember.room_id) == room_id)
        .order_by(col(RoomMember.number))
    )
    return list(found)


async def memberships(session: AsyncSession, account_id: UUID) -> int:
    """How many rooms a person is in."""
    found = await session.exec(select(func.count()).where(col(RoomMember.account_id) == account_id))
    return found.one()


async def match_over(session: AsyncSession, match_id: UUID | None) -> bool:
    """Whether a match has ended, in whatever way."""
    found = await session.exec(select(Match.status).where(col(Match.id) == match_id))
    return found.one_or_none() != RUNNING


async def ban(session: AsyncSession, room_id: UUID, account_id: UUID) -> None:
    """Remember that somebody is not to come back."""
    await session.exec(
        insert(RoomBan).values(room_id=room_id, account_id=account_id).on_conflict_do_nothing()
    )


async def is_banned(session: AsyncSession, room_id: UUID, account_id: UUID) -> bool:
    """Whether somebody was removed from a room by its host."""
    return await session.get(RoomBan, (room_id, account_id)) is not None


async def forget_bans(session: AsyncSession, room_id: UUID) -> None:
    """Delete the bans of a room that is no more."""
    await session.exec(delete(RoomBan).where(col(RoomBan.room_id) == room_id))


async def forget_person(session: AsyncSession, account_id: UUID) -> None:
    """Delete the bans of somebody who is no more."""
    await session.exec(delete(RoomBan).where(col(RoomBan.account_id) == account_id))


async def room_ids_of(session: AsyncSession, account_id: UUID) -> Sequence[UUID]:
    """The rooms a person is in."""
    found = await session.exec(
        select(RoomMember.room_id).where(col(RoomMember.account_id) == account_id)
    )
    return found.all()


async def touch_rooms_of(session: AsyncSession, account_id: UUID) -> list[UUID]:
    """Count a change, such as of a name, on all rooms a person is in; gives their ids."""
    theirs = (
        select(Room.id)
        .where(
            exists().where(
                col(RoomMember.room_id) == col(Room.id),
                col(RoomMember.account_id) == account_id,
            )
        )
        .order_by(col(Room.id))
        .with_for_update()
    )
    ids = list(await session.exec(theirs))
    await session.exec(
        update(Room).where(col(Room.id).in_(ids)).values(revision=col(Room.revision) + 1)
    )
    return ids


async def states(session: AsyncSession, ids: Iterable[UUID]) -> Mapping[UUID, RoomState]:
    """Whole rooms by id; unknown ids are missing."""
    return _by_id(await _states(session, select(Room).where(col(Room.id).in_(list(ids)))))


async def state_by_code(session: AsyncSession, code: str) -> RoomState | None:
    """The living room with this code."""
    found = await _states(
        session, select(Room).where(col(Room.code) == code, col(Room.status) != fixed(CLOSED))
    )
    return found[0] if found else None


async def states_of(session: AsyncSession, account_id: UUID) -> list[RoomState]:
    """The rooms a person is in, newest first."""
    statement = (
        select(Room)
        .join(RoomMember, col(RoomMember.room_id) == col(Room.id))
        .where(col(RoomMember.account_id) == account_id)
        .order_by(col(Room.created_at).desc(), col(Room.id).desc())
    )
    return await _states(session, statement)


async def page(session: AsyncSession, wanted: Filter, window: Window) -> list[RoomState]:
    """Public rooms in the order of the window, with one row more if others follow."""
    statement = select(Room).where(*wanted.conditions())
    return await _states(session, window.select(statement, col(Room.created_at), col(Room.id)))


async def lobby(session: AsyncSession, limit: int) -> Mapping[UUID, int]:
    """The revisions of the newest public rooms, newest first."""
    found = await session.exec(
        select(Room.id, Room.revision)
        .where(*listed())
        .order_by(col(Room.created_at).desc(), col(Room.id).desc())
        .limit(limit)
    )
    return dict(found.all())


async def overtaken(session: AsyncSession, limit: int) -> Sequence[UUID]:
    """Rooms that still show as playing a match that has ended."""
    found = await session.exec(
        select(Room.id)
        .join(Match, col(Match.id) == col(Room.match_id))
        .where(col(Room.status) == fixed(PLAYING), col(Match.status) != RUNNING)
        .limit(limit)
    )
    return found.all()


async def revisions(connection: Connection, ids: Iterable[UUID]) -> Mapping[UUID, int]:
    """The present revision of each of these rooms."""
    return {r["id"]: r["revision"] for r in await connection.fetch(REVISIONS, list(ids))}


async def _locked(
    session: AsyncSession, *where: ColumnElement[bool], skip_locked: bool = False
) -> Room | None:
    found = await session.exec(select(Room).where(*where).with_for_update(skip_locked=skip_locked))
    return found.one_or_none()


async def _states(session: AsyncSession, statement: SelectOfScalar[Room]) -> list[RoomState]:
    rooms = (await session.exec(statement)).all()
    ids = [room.id for room in rooms]
    playing = [room.match_id for room in rooms if room.status == PLAYING]
    present = defaultdict(list)
    if ids:
        found = await session.exec(
            select(RoomMember, Account)
            .join(Account, col(Account.id) == col(RoomMember.account_id))
            .where(col(RoomMember.room_id).in_(ids), col(Account.deleted_at).is_(None))
            .order_by(col(RoomMember.number))
        )
        for member, account in found:
            present[member.room_id].append(Member(account, member.role, member.ready))
    over: set[UUID] = set()
    if playing:
        over.update(
            await session.exec(
                select(Match.id).where(col(Match.id).in_(playing), col(Match.status) != RUNNING)
            )
        )
    return [RoomState(room, tuple(present[room.id]), room.match_id in over) for room in rooms]


def _by_id(found: Iterable[RoomState]) -> Mapping[UUID, RoomState]:
    return {state.room.id: state for state in found}
