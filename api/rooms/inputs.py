"""What the mutations of rooms take."""

import strawberry

from api.absence.types import AbsenceDecision
from api.games.types import ChosenOptionInput
from api.rooms.types import RoomRole, RoomVisibility

OPTIONS = (
    "Values for options of the game, each at most once. A refused one is named in the error's path."
)


@strawberry.input
class RoomInput:
    room_id: strawberry.ID = strawberry.field(description="The room.")


@strawberry.input(description="Input. A new room.")
class CreateRoomInput:
    game: strawberry.ID = strawberry.field(description="The id of the game to play.")
    options: list[ChosenOptionInput] = strawberry.field(
        default_factory=list, description=OPTIONS + " Those left out take their default."
    )
    seats: int | None = strawberry.field(
        default=None, description="How many can play; the game's most if left out."
    )
    visibility: RoomVisibility = strawberry.field(
        default=RoomVisibility.PUBLIC, description="Who finds the room."
    )
    allow_spectators: bool = strawberry.field(
        default=True, description="Whether others may come in to watch."
    )
    open_replay: bool = strawberry.field(
        default=False,
        description="Whether log, events and replays show after the end what was hidden while the "
        "match was played.",
    )
    verifiable: bool = strawberry.field(
        default=False,
        description="Whether to publish each match's seed after its end, so that anyone can check "
        "all chance in it; it reveals everything that was hidden.",
    )


@strawberry.input(description="Input. The room to come into, and what for.")
class JoinRoomInput:
    room_id: strawberry.ID | None = strawberry.field(
        default=None, description="A public room by its id. Either this or `code`."
    )
    code: str | None = strawberry.field(
        default=None, description="Any room by its code, however it is typed."
    )
    role: RoomRole = strawberry.field(
        default=RoomRole.PLAYER, description="What to be there; members change their role with it."
    )


@strawberry.input(description="Input. The room to leave.")
class LeaveRoomInput(RoomInput): ...


@strawberry.input(description="Input. Whether one is ready.")
class SetReadyInput(RoomInput):
    ready: bool = strawberry.field(description="Whether you are ready for the match.")


@strawberry.input(description="Input. What the host changes before the match.")
class UpdateRoomOptionsInput(RoomInput):
    options: list[ChosenOptionInput] = strawberry.field(
        default_factory=list, description=OPTIONS + " Those left out stay as they are."
    )
    seats: int | None = strawberry.field(
        default=None, description="How many can play; stays as it is if left out."
    )


@strawberry.input(description="Input. Whom the host removes.")
class KickMemberInput(RoomInput):
    player_id: strawberry.ID = strawberry.field(description="The member to remove.")


@strawberry.input(description="Input. What becomes of an absent player.")
class ResolveAbsenceInput(RoomInput):
    player_id: strawberry.ID = strawberry.field(description="The absent player.")
    decision: AbsenceDecision = strawberry.field(description="What becomes of the player.")


@strawberry.input(description="Input. Whom the host makes the host.")
class TransferHostInput(RoomInput):
    player_id: strawberry.ID = strawberry.field(description="The member who takes over.")


@strawberry.input(description="Input. The room whose match starts.")
class StartMatchInput(RoomInput): ...


@strawberry.input(description="Input. The room to play in again.")
class RequestRematchInput(RoomInput): ...
