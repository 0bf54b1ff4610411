"""The public lobby, and single rooms."""

from typing import Annotated

import strawberry

from api.context import Info
from api.pages import After, Before, Connection, First, Last, window
from api.relay import read_id
from api.rooms import reading
from api.rooms.guesses import try_code
from api.rooms.types import Room, RoomFilter, read_filter, room_of

FilterArgument = Annotated[
    RoomFilter | None, strawberry.argument(description="Which rooms to give.")
]


@strawberry.type
class RoomsQuery:
    @strawberry.field(
        description="The public rooms that are not closed, newest first, for those who are signed "
        "in."
    )
    async def rooms(
        self,
        info: Info,
        filter: FilterArgument = None,
        first: First = None,
        after: After = None,
        last: Last = None,
        before: Before = None,
    ) -> Connection[Room] | None:
        info.context.require_account()
        wanted = window(first, after, last, before)
        found = await reading.page(info.context.services, read_filter(info, filter), wanted)
        return wanted.connection(
            found,
            lambda state: (state.room.created_at, state.room.id),
            lambda kept: map(Room.of, kept),
        )

    @strawberry.field(
        description="The rooms that the one who asks is in, public and private, newest first."
    )
    async def my_rooms(self, info: Info) -> list[Room]:
        account = info.context.require_account()
        return [Room.of(state) for state in await reading.rooms_of(info.context.services, account)]

    @strawberry.field(
        description="A room by id; null if it is unknown, or private and not yours to see."
    )
    async def room(
        self,
        info: Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="The room's id.")],
    ) -> Room | None:
        info.context.require_account()
        room_id = read_id("Room", id)
        return await room_of(info, room_id) if room_id else None

    @strawberry.field(
        description="A room by its code, for those who want to know what they join; null if no "
        "living room has it."
    )
    async def room_by_code(
        self,
        info: Info,
        code: Annotated[str, strawberry.argument(description="The code, however it is typed.")],
    ) -> Room | None:
        account = info.context.require_account()
        state = await try_code(
            info.context, lambda: reading.get_by_code(info.context.services, account, code)
        )
        return Room.of(state) if state else None
