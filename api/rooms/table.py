"""One change of a room: the locked row and its members, the checks, and what follows by itself."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from uuid import UUID

from sqlmodel.ext.asyncio.session import AsyncSession

from api.matches import service as matches
from api.refusals import Refused
from api.rooms import lobby, store
from api.rooms.models import (
    CLOSED,
    FINISHED,
    PLAYER,
    PLAYING,
    PRIVATE,
    PUBLIC,
    SPECTATOR,
    Room,
    RoomMember,
)
from api.rooms.reasons import RoomReason
from api.services import Services
from engines.protocol import LeaveCause


class Table:
    """A room while one person changes it. `touch` counts the change; untouched, nothing moves."""

    def __init__(self, session: AsyncSession, room: Room, members: list[RoomMember]) -> None:
        self.session = session
        self.room = room
        self.members = members
        self.touched = False

    def touch(self) -> None:
        """Something a member sees has changed."""
        if not self.touched:
            self.room.revision += 1
            self.touched = True

    def member(self, account_id: UUID) -> RoomMember | None:
        """This person's membership."""
        return next((m for m in self.members if m.account_id == account_id), None)

    def with_role(self, role: str) -> list[RoomMember]:
        """The players or the spectators, in the order they joined."""
        return [m for m in self.members if m.role == role]

    def heirs(self) -> list[RoomMember]:
        """Who may become the host, in this order: players as they joined, then spectators."""
        return [*self.with_role(PLAYER), *self.with_role(SPECTATOR)]

    def require_member(self, account_id: UUID) -> RoomMember:
        """The person's membership. Raises NOT_A_MEMBER, or ROOM_NOT_FOUND if the room is secret."""
        member = self.member(account_id)
        if member is None:
            hidden = self.room.visibility == PRIVATE or self.room.status == CLOSED
            raise Refused(
                RoomReason.ROOM_NOT_FOUND if hidden else RoomReason.NOT_A_MEMBER, path=("roomId",)
            )
        return member

    def require_player(self, account_id: UUID) -> RoomMember:
        """The player's membership. Raises NOT_A_PLAYER for spectators."""
        member = self.require_member(account_id)
        if member.role != PLAYER:
            raise Refused(RoomReason.NOT_A_PLAYER)
        return member

    def require_host(self, account_id: UUID) -> None:
        """Raises NOT_HOST for all but the host."""
        self.require_member(account_id)
        if self.room.host_id != account_id:
            raise Refused(RoomReason.NOT_HOST)

    def require_waiting(self) -> None:
        """Raises MATCH_RUNNING or MATCH_OVER unless a match may be prepared."""
        if self.room.status == PLAYING:
            raise Refused(RoomReason.MATCH_RUNNING)
        if self.room.status == FINISHED:
            raise Refused(RoomReason.MATCH_OVER)

    def seat(self, account_id: UUID, role: str) -> None:
        """Bring somebody in."""
        self.room.joins += 1
        member = RoomMember(
            room_id=self.room.id, account_id=account_id, role=role, number=self.room.joins
        )
        self.session.add(member)
        self.members.append(member)
        self.touch()

    async def part(self, services: Services, member: RoomMember, cause: LeaveCause) -> None:
        """Take somebody out for good: out of a running match, too, and out of the host's office.

        The next host is whoever joined first, of the players if there are any; the room closes
        when nobody is left.
        """
        if self.room.status == PLAYING and member.role == PLAYER and self.room.match_id:
            await matches.leave(services, self.room.match_id, member.account_id, cause)
        await self.session.delete(member)
        self.members.remove(member)
        self.touch()
        await self.settle()
        heirs = self.heirs()
        if not heirs:
            self.room.status = CLOSED
            await store.forget_bans(self.session, self.room.id)
        elif self.room.host_id == member.account_id:
            self.room.host_id = heirs[0].account_id

    def unready(self) -> None:
        """Have every player agree anew."""
        for member in self.members:
            member.ready = False

    async def settle(self) -> None:
        """Let the room show that its match has ended, if it has."""
        if self.room.status == PLAYING and await store.match_over(self.session, self.room.match_id):
            self.room.status = FINISHED
            self.unready()
            self.touch()


@asynccontextmanager
async def changing(services: Services, room_id: UUID | None) -> AsyncIterator[Table]:
    """The table of a room, locked; written and told to the watchers on leaving if touched.

    Raises ROOM_NOT_FOUND for a room that is unknown or closed; other refusals change nothing.
    """
    async with services.database.transaction() as session:
        room = await store.lock(session, room_id) if room_id else None
        table = await open_table(session, room, path="roomId")
        yield table
    await announce(services, table)


async def open_table(session: AsyncSession, room: Room | None, *, path: str) -> Table:
    """The table of a room that has just been locked. Raises ROOM_NOT_FOUND if there is none."""
    if room is None or room.status == CLOSED:
        raise Refused(RoomReason.ROOM_NOT_FOUND, path=(path,))
    table = Table(session, room, await store.members(session, room.id))
    await table.settle()
    return table


async def announce(services: Services, table: Table) -> None:
    """After the commit: wake those who watch the room, and the lobby if it is listed there."""
    if table.touched:
        await wake(services, [table.room.id], listed=table.room.visibility == PUBLIC)


async def wake(services: Services, room_ids: Iterable[UUID], *, listed: bool) -> None:
    """Tell the watchers of rooms that they have changed."""
    for room_id in room_ids:
        await services.hub.publish(topic(room_id))
    if listed:
        await services.hub.publish(lobby.TOPIC)


def topic(room_id: UUID) -> str:
    """The topic that wakes when a room may have changed."""
    return f"room:{room_id}"
