"""Rooms as clients see them."""

from collections.abc import Sequence
from datetime import datetime
from enum import Enum
from typing import Self
from uuid import UUID

import strawberry
from strawberry.dataloader import DataLoader

from api.absence import store
from api.absence.reasons import AbsenceReason
from api.absence.service import asked
from api.absence.types import RoomAbsence
from api.accounts.types import Player
from api.context import Info
from api.games.types import ChosenOption, Game, OptionValue, game_of
from api.matches.types import Match, match_of
from api.presence.types import connected_in
from api.refusals import error_type
from api.relay import Node, global_id
from api.rooms import models, reading
from api.rooms.reasons import RoomReason
from api.rooms.store import Filter, RoomState

RoomError = error_type("Room", "Concerns rooms and who is in them.", RoomReason, AbsenceReason)


@strawberry.enum(description="What a room is doing.")
class RoomStatus(Enum):
    WAITING = strawberry.enum_value(
        models.WAITING, description="Players gather and get ready; the host may start."
    )
    PLAYING = strawberry.enum_value(models.PLAYING, description="A match is being played.")
    FINISHED = strawberry.enum_value(
        models.FINISHED,
        description="The match is over; any player may reopen the room with `requestRematch`.",
    )
    CLOSED = strawberry.enum_value(
        models.CLOSED, description="Everybody has left. The room stays closed."
    )


@strawberry.enum(description="Who finds a room.")
class RoomVisibility(Enum):
    PUBLIC = strawberry.enum_value(
        models.PUBLIC, description="Everybody who is signed in, through the lobby."
    )
    PRIVATE = strawberry.enum_value(models.PRIVATE, description="Only those who know its code.")


@strawberry.enum(description="What somebody is in a room for.")
class RoomRole(Enum):
    PLAYER = strawberry.enum_value(models.PLAYER, description="To play the next match.")
    SPECTATOR = strawberry.enum_value(models.SPECTATOR, description="To watch.")


@strawberry.type(description="Somebody in a room.")
class RoomMember:
    player: Player = strawberry.field(description="Who it is.")
    role: RoomRole = strawberry.field(description="What they are there for.")
    ready: bool = strawberry.field(
        description="Whether they have said that they are ready for the next match. The host "
        "need not say it; spectators never are."
    )
    account_id: strawberry.Private[UUID]
    room_id: strawberry.Private[UUID]

    @strawberry.field(
        description="Whether a device of theirs follows the room or its match right now."
    )
    async def connected(self, info: Info) -> bool:
        return self.account_id in await connected_in(info, self.room_id)


@strawberry.type(
    description="Where people meet to play one game, once or again and again. Public rooms can be "
    "read by all who are signed in, private ones by their members."
)
class Room(Node):
    state: strawberry.Private[RoomState]
    visibility: RoomVisibility = strawberry.field(description="Who finds the room.")
    members: list[RoomMember] = strawberry.field(
        description="Who is in the room, in the order they joined. Players are seated in this "
        "order when the match starts."
    )
    seats: int = strawberry.field(description="How many can play.")
    status: RoomStatus = strawberry.field(description="What the room is doing.")
    revision: int = strawberry.field(
        description="Goes up with every change of anything that is shown here."
    )
    allow_spectators: bool = strawberry.field(
        description="Whether others may come in to watch, and read the running match."
    )
    open_replay: bool = strawberry.field(
        description="Whether log, events and replays of its matches show after the end what was "
        "hidden while they were played."
    )
    verifiable: bool = strawberry.field(
        description="Whether the seed of its matches is published after the end, so that anyone "
        "can check all chance in them. That reveals everything that was hidden, too."
    )
    created_at: datetime = strawberry.field(description="When the room was opened.")

    @classmethod
    def of(cls, state: RoomState) -> Self:
        """A room as read."""
        room = state.room
        return cls(
            id=global_id("Room", room.id),
            state=state,
            visibility=RoomVisibility(room.visibility),
            members=[
                RoomMember(
                    player=Player.of(m.account),
                    role=RoomRole(m.role),
                    ready=m.ready,
                    account_id=m.account.id,
                    room_id=room.id,
                )
                for m in state.members
            ],
            seats=room.seats,
            status=RoomStatus(room.status),
            revision=room.revision,
            allow_spectators=room.allow_spectators,
            open_replay=room.open_replay,
            verifiable=room.verifiable,
            created_at=room.created_at,
        )

    @classmethod
    async def resolve_nodes(cls, info: Info, keys: Sequence[str]) -> Sequence[Self | None]:
        """Rooms by key, for those who may see them."""
        account = info.context.require_account()
        ids = cls.read_keys(keys)
        found = await reading.get_many(info.context.services, account, filter(None, ids))
        states = (found.get(id_) if id_ else None for id_ in ids)
        return [cls.of(state) if state else None for state in states]

    @strawberry.field(
        description="Six letters and digits to join by, typed in any case; shown to members, and "
        "to everybody if the room is public. It stays the same while the room lives."
    )
    def code(self, info: Info) -> str | None:
        account = info.context.account_id
        shown = account is not None and reading.may_see(self.state, account)
        return self.state.room.code if shown else None

    @strawberry.field(description="The game that is played here.")
    def game(self, info: Info) -> Game | None:
        return game_of(info, self.state.room.game)

    @strawberry.field(description="Every option of the game with the value the host chose.")
    def options(self) -> list[ChosenOption]:
        return [
            ChosenOption(key=key, value=OptionValue(value))
            for key, value in self.state.room.options.items()
        ]

    @strawberry.field(
        description="Who decides in this room; null once it is closed. If the host leaves, the "
        "player who joined first takes over, or else the spectator who did."
    )
    def host(self) -> Player | None:
        member = self.state.member(self.state.room.host_id)
        return Player.of(member.account) if member else None

    @strawberry.field(
        description="What the host is asked about players who have been absent for long, the "
        "oldest question first."
    )
    async def absence(self, info: Info) -> list[RoomAbsence]:
        services, room = info.context.services, self.state.room
        if room.status != models.PLAYING:
            return []
        questions = await store.questions(services.database, room.id)
        if not questions:
            return []
        here = await connected_in(info, room.id)
        heirs = self.state.heirs()
        return [
            RoomAbsence(
                question=question,
                asked_id=asked(room.host_id, heirs, here, question),
                seat=question.seat,
                asked_at=question.asked_at,
            )
            for question in questions
        ]

    @strawberry.field(
        description="The match being played, or the one played last; null before the first, and "
        "for those who may not read it."
    )
    async def match(self, info: Info) -> Match | None:
        match_id = self.state.room.match_id
        return None if match_id is None else await match_of(info, match_id)


@strawberry.input(description="Input. Which rooms of the public lobby to give; all if empty.")
class RoomFilter:
    game: strawberry.ID | None = strawberry.field(
        default=None, description="Only rooms of this game, by its id."
    )
    status: list[RoomStatus] | None = strawberry.field(
        default=None, description="Only rooms in one of these states."
    )
    has_free_seat: bool | None = strawberry.field(
        default=None, description="Only rooms with a seat free, or only those without."
    )


def read_filter(info: Info, given: RoomFilter | None) -> Filter | None:
    """The filter that a client asks for; None if nothing can pass it."""
    if given is None:
        return Filter()
    if given.game is not None and given.game not in info.context.services.games:
        return None
    statuses = None if given.status is None else frozenset(s.name for s in given.status)
    return Filter(given.game, statuses, given.has_free_seat)


def rooms(info: Info) -> DataLoader[UUID, Room | None]:
    """Loads the rooms asked for in one tick together; remembers none, so a socket may keep it."""

    async def load(ids: list[UUID]) -> list[Room | None]:
        account = info.context.require_account()
        found = await reading.get_many(info.context.services, account, set(ids))
        return [Room.of(found[id_]) if id_ in found else None for id_ in ids]

    loader: DataLoader[UUID, Room | None] = info.context.loaders.setdefault(
        "rooms", DataLoader(load_fn=load, cache=False)
    )
    return loader


async def room_of(info: Info, room_id: UUID) -> Room | None:
    """A room by id for the one who asks; None if unknown, or not theirs to see."""
    return None if info.context.account_id is None else await rooms(info).load(room_id)
