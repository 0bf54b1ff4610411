"""What people do in a room: get ready, choose, start, play again, hand over, remove, leave."""

from collections.abc import Mapping
from uuid import UUID

from api.matches import service as matches
from api.refusals import Refused
from api.rooms import store
from api.rooms.choices import check_seats, read_choices
from api.rooms.models import FINISHED, PLAYER, PLAYING, PUBLIC, WAITING, RoomMember
from api.rooms.reasons import RoomReason
from api.rooms.table import Table, announce, changing, open_table
from api.services import Services
from engines.protocol import LeaveCause

SETTLE_BATCH = 100


async def leave(
    services: Services,
    account_id: UUID,
    room_id: UUID | None,
    cause: LeaveCause = LeaveCause.LEFT,
) -> None:
    """Go for good; a living seat in a running match is given up. Raises NOT_A_MEMBER."""
    async with changing(services, room_id) as table:
        await table.part(services, table.require_member(account_id), cause)


async def set_ready(
    services: Services, account_id: UUID, room_id: UUID | None, ready: bool
) -> None:
    """Say that one is ready, or not yet. Raises NOT_A_PLAYER, MATCH_RUNNING or MATCH_OVER."""
    async with changing(services, room_id) as table:
        player = table.require_player(account_id)
        table.require_waiting()
        _set_ready(table, player, ready)


async def update_options(
    services: Services,
    account_id: UUID,
    room_id: UUID | None,
    options: Mapping[str, object],
    seats: int | None,
) -> None:
    """Change some options or the number of seats; then the others must get ready anew.

    Raises NOT_HOST, MATCH_RUNNING, MATCH_OVER, BAD_OPTION, BAD_SEATS or SEATS_TAKEN.
    """
    async with changing(services, room_id) as table:
        table.require_host(account_id)
        table.require_waiting()
        room = table.room
        engine = services.games[room.game].engine
        chosen = read_choices(engine, {**room.options, **options})
        wanted = room.seats if seats is None else seats
        check_seats(engine, wanted)
        players = len(table.with_role(PLAYER))
        if wanted < players:
            raise Refused(RoomReason.SEATS_TAKEN, path=("seats",), players=players)
        if (chosen, wanted) != (room.options, room.seats):
            room.options, room.seats = chosen, wanted
            table.unready()
            table.touch()


async def kick(
    services: Services, account_id: UUID, room_id: UUID | None, target: UUID | None
) -> None:
    """Remove somebody for good; the code will not let them in again.

    Raises NOT_HOST, NOT_YOURSELF or MEMBER_NOT_FOUND.
    """
    async with changing(services, room_id) as table:
        table.require_host(account_id)
        member = _target(table, target)
        if member.account_id == account_id:
            raise Refused(RoomReason.NOT_YOURSELF, path=("playerId",))
        await remove(services, table, member)


async def remove(services: Services, table: Table, member: RoomMember) -> None:
    """Take a member out of a room that is being changed, for good."""
    await store.ban(table.session, table.room.id, member.account_id)
    await table.part(services, member, LeaveCause.KICKED)


async def transfer_host(
    services: Services, account_id: UUID, room_id: UUID | None, target: UUID | None
) -> None:
    """Make another member the host. Raises NOT_HOST or MEMBER_NOT_FOUND."""
    async with changing(services, room_id) as table:
        table.require_host(account_id)
        heir = _target(table, target).account_id
        if heir != table.room.host_id:
            table.room.host_id = heir
            table.touch()


async def start_match(services: Services, account_id: UUID, room_id: UUID | None) -> None:
    """Start the match with the players present, seated in the order they joined.

    The host's start says that the host is ready. Raises NOT_HOST, MATCH_RUNNING, MATCH_OVER,
    TOO_FEW_PLAYERS or NOT_ALL_READY.
    """
    async with changing(services, room_id) as table:
        table.require_host(account_id)
        table.require_waiting()
        room, players = table.room, table.with_role(PLAYER)
        engine = services.games[room.game].engine
        least, _ = engine.about.seats
        if len(players) < least:
            raise Refused(RoomReason.TOO_FEW_PLAYERS, min=least)
        if not all(p.ready or p.account_id == account_id for p in players):
            raise Refused(RoomReason.NOT_ALL_READY)
        room.match_id = await matches.start(
            services,
            table.session,
            room_id=room.id,
            engine_id=room.game,
            options=read_choices(engine, room.options),
            accounts=[p.account_id for p in players],
            public=room.visibility == PUBLIC,
            allow_spectators=room.allow_spectators,
            open_replay=room.open_replay,
            verifiable=room.verifiable,
        )
        room.status = PLAYING
        table.touch()


async def request_rematch(services: Services, account_id: UUID, room_id: UUID | None) -> None:
    """Be ready for another match; the first who asks reopens the room under the same code.

    Raises NOT_A_PLAYER, MATCH_RUNNING or NO_MATCH_YET.
    """
    async with changing(services, room_id) as table:
        player = table.require_player(account_id)
        if table.room.match_id is None:
            raise Refused(RoomReason.NO_MATCH_YET)
        if table.room.status == PLAYING:
            raise Refused(RoomReason.MATCH_RUNNING)
        if table.room.status == FINISHED:
            table.room.status = WAITING
            table.touch()
        _set_ready(table, player, True)


async def settle(services: Services, room_id: UUID) -> None:
    """Let a room show that its match has ended. Does nothing if it does, or is being changed."""
    async with services.database.transaction() as session:
        room = await store.lock(session, room_id, skip_locked=True)
        if room is None or room.status != PLAYING:
            return
        table = await open_table(session, room, path="id")
    await announce(services, table)


async def settle_finished(services: Services) -> None:
    """Settle every room whose match has ended unnoticed; for a loop that calls now and then."""
    async with services.database.reading() as session:
        ids = await store.overtaken(session, SETTLE_BATCH)
    for room_id in ids:
        await settle(services, room_id)


def _set_ready(table: Table, player: RoomMember, ready: bool) -> None:
    if player.ready != ready:
        player.ready = ready
        table.touch()


def _target(table: Table, account_id: UUID | None) -> RoomMember:
    member = table.member(account_id) if account_id else None
    if member is None:
        raise Refused(RoomReason.MEMBER_NOT_FOUND, path=("playerId",))
    return member
