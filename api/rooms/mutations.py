"""Everything people do with rooms."""

from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar
from uuid import UUID

import strawberry

from api.absence import service as absence
from api.absence.types import AbsenceDecision
from api.context import Info
from api.refusals import Refused
from api.relay import read_id
from api.rooms import entry, inputs, service
from api.rooms.choices import read_pairs
from api.rooms.entry import NewRoom
from api.rooms.guesses import try_code
from api.rooms.reasons import RoomReason
from api.rooms.types import Room, RoomError, room_of

P = TypeVar("P", bound="RoomPayload")


@strawberry.type
class RoomPayload:
    room: Room | None = strawberry.field(
        default=None,
        description="The room as it is now; null when refused, and when it is not yours to see.",
    )
    user_errors: list[RoomError] = strawberry.field(
        default_factory=list, description="Why nothing happened; empty on success."
    )


@strawberry.type(description="What came of `createRoom`.")
class CreateRoomPayload(RoomPayload): ...


@strawberry.type(description="What came of `joinRoom`.")
class JoinRoomPayload(RoomPayload): ...


@strawberry.type(description="What came of `leaveRoom`.")
class LeaveRoomPayload(RoomPayload): ...


@strawberry.type(description="What came of `setReady`.")
class SetReadyPayload(RoomPayload): ...


@strawberry.type(description="What came of `updateRoomOptions`.")
class UpdateRoomOptionsPayload(RoomPayload): ...


@strawberry.type(description="What came of `kickMember`.")
class KickMemberPayload(RoomPayload): ...


@strawberry.type(description="What came of `transferHost`.")
class TransferHostPayload(RoomPayload): ...


@strawberry.type(description="What came of `startMatch`.")
class StartMatchPayload(RoomPayload): ...


@strawberry.type(description="What came of `requestRematch`.")
class RequestRematchPayload(RoomPayload): ...


@strawberry.type(description="What came of `resolveAbsence`.")
class ResolveAbsencePayload(RoomPayload): ...


INPUT = strawberry.argument(description="What to do, and in which room.")
CreateRoom = Annotated[inputs.CreateRoomInput, INPUT]
JoinRoom = Annotated[inputs.JoinRoomInput, INPUT]
LeaveRoom = Annotated[inputs.LeaveRoomInput, INPUT]
SetReady = Annotated[inputs.SetReadyInput, INPUT]
UpdateRoomOptions = Annotated[inputs.UpdateRoomOptionsInput, INPUT]
ResolveAbsence = Annotated[inputs.ResolveAbsenceInput, INPUT]
KickMember = Annotated[inputs.KickMemberInput, INPUT]
TransferHost = Annotated[inputs.TransferHostInput, INPUT]
StartMatch = Annotated[inputs.StartMatchInput, INPUT]
RequestRematch = Annotated[inputs.RequestRematchInput, INPUT]


@strawberry.type
class RoomsMutation:
    @strawberry.mutation(description="Open a room, as its host and first player.")
    async def create_room(self, info: Info, input: CreateRoom) -> CreateRoomPayload:
        services, account = info.context.services, info.context.require_account()

        def new() -> NewRoom:
            return NewRoom(
                game=input.game,
                options=read_pairs((option.key, option.value) for option in input.options),
                seats=input.seats,
                visibility=input.visibility.name,
                allow_spectators=input.allow_spectators,
                open_replay=input.open_replay,
                verifiable=input.verifiable,
            )

        return await _answer(
            info, CreateRoomPayload, lambda: entry.create(services, account, new())
        )

    @strawberry.mutation(
        description="Come into a room, as a player while no match is running, or as a spectator. "
        "A member who joins in another role changes to it."
    )
    async def join_room(self, info: Info, input: JoinRoom) -> JoinRoomPayload:
        services, account = info.context.services, info.context.require_account()
        role = input.role.name

        def join() -> Awaitable[UUID]:
            if input.room_id is not None and input.code is None:
                return entry.join(services, account, role, room_id=_room(input.room_id))
            if input.code is not None and input.room_id is None:
                return try_code(
                    info.context, lambda: entry.join(services, account, role, code=input.code)
                )
            raise Refused(RoomReason.NAME_ROOM_ONCE)

        return await _answer(info, JoinRoomPayload, join)

    @strawberry.mutation(
        description="Leave a room for good. Whoever still plays in its match concedes; a host is "
        "succeeded by the player who joined first, or else by the spectator who did."
    )
    async def leave_room(self, info: Info, input: LeaveRoom) -> LeaveRoomPayload:
        services, account = info.context.services, info.context.require_account()
        room_id = _room(input.room_id)
        return await _answer(
            info, LeaveRoomPayload, lambda: service.leave(services, account, room_id), room_id
        )

    @strawberry.mutation(description="Say that you are ready for the match, or not yet.")
    async def set_ready(self, info: Info, input: SetReady) -> SetReadyPayload:
        services, account = info.context.services, info.context.require_account()
        room_id = _room(input.room_id)
        return await _answer(
            info,
            SetReadyPayload,
            lambda: service.set_ready(services, account, room_id, input.ready),
            room_id,
        )

    @strawberry.mutation(
        description="As the host, change options or seats before a match. Everybody must then say "
        "anew that they are ready."
    )
    async def update_room_options(
        self, info: Info, input: UpdateRoomOptions
    ) -> UpdateRoomOptionsPayload:
        services, account = info.context.services, info.context.require_account()
        room_id = _room(input.room_id)

        def update() -> Awaitable[None]:
            options = read_pairs((option.key, option.value) for option in input.options)
            return service.update_options(services, account, room_id, options, input.seats)

        return await _answer(info, UpdateRoomOptionsPayload, update, room_id)

    @strawberry.mutation(
        description="As the host, remove somebody for good, out of a running match as well. They "
        "cannot come back into this room."
    )
    async def kick_member(self, info: Info, input: KickMember) -> KickMemberPayload:
        services, account = info.context.services, info.context.require_account()
        room_id, target = _room(input.room_id), read_id("Player", input.player_id)
        return await _answer(
            info,
            KickMemberPayload,
            lambda: service.kick(services, account, room_id, target),
            room_id,
        )

    @strawberry.mutation(
        description="Decide about a player who has been absent for long: the answer to a question "
        "in `Room.absence`, by the one who is asked there."
    )
    async def resolve_absence(self, info: Info, input: ResolveAbsence) -> ResolveAbsencePayload:
        services, account = info.context.services, info.context.require_account()
        room_id, target = _room(input.room_id), read_id("Player", input.player_id)
        kick = input.decision is AbsenceDecision.KICK
        return await _answer(
            info,
            ResolveAbsencePayload,
            lambda: absence.resolve(services, account, room_id, target, kick),
            room_id,
        )

    @strawberry.mutation(description="As the host, make another member the host.")
    async def transfer_host(self, info: Info, input: TransferHost) -> TransferHostPayload:
        services, account = info.context.services, info.context.require_account()
        room_id, target = _room(input.room_id), read_id("Player", input.player_id)
        return await _answer(
            info,
            TransferHostPayload,
            lambda: service.transfer_host(services, account, room_id, target),
            room_id,
        )

    @strawberry.mutation(
        description="As the host, start the match with the players who are in the room; all but "
        "the host must be ready."
    )
    async def start_match(self, info: Info, input: StartMatch) -> StartMatchPayload:
        services, account = info.context.services, info.context.require_account()
        room_id = _room(input.room_id)
        return await _answer(
            info,
            StartMatchPayload,
            lambda: service.start_match(services, account, room_id),
            room_id,
        )

    @strawberry.mutation(
        description="After a match, be ready for another one in the same room. The first player "
        "who asks reopens the room, with the same code and options; those who do not want to play "
        "again leave, others may join, and the host starts."
    )
    async def request_rematch(self, info: Info, input: RequestRematch) -> RequestRematchPayload:
        services, account = info.context.services, info.context.require_account()
        room_id = _room(input.room_id)
        return await _answer(
            info,
            RequestRematchPayload,
            lambda: service.request_rematch(services, account, room_id),
            room_id,
        )


def _room(value: str) -> UUID | None:
    return read_id("Room", value)


async def _answer(
    info: Info,
    payload: type[P],
    work: Callable[[], Awaitable[UUID | None]],
    room_id: UUID | None = None,
) -> P:
    """The room that `work` names or else `room_id`, after the work is done; or why it was not."""
    try:
        found = await work() or room_id
    except Refused as refusal:
        return payload(user_errors=[RoomError.of(refusal, info.context.locale)])
    return payload(room=await room_of(info, found) if found else None)
