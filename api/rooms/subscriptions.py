"""Watching one room, and watching the lobby."""

from collections.abc import AsyncGenerator, Mapping
from typing import Annotated
from uuid import UUID

import strawberry

from api import turns
from api.context import Info
from api.relay import global_id, read_id
from api.rooms import reading
from api.rooms.lobby import SIZE
from api.rooms.models import CLOSED
from api.rooms.store import Filter, RoomState
from api.rooms.table import topic
from api.rooms.types import Room, RoomFilter, read_filter


@strawberry.type(
    description="What has changed in the lobby since the update before, as seen through the "
    "filter. Changes that follow each other fast are shown together."
)
class LobbyUpdate:
    snapshot: bool = strawberry.field(
        description="Whether this is the first update: `added` then holds all rooms there are."
    )
    added: list[Room] = strawberry.field(description="Rooms that were not shown before.")
    changed: list[Room] = strawberry.field(
        description="Rooms that were shown before and have another revision now."
    )
    removed: list[strawberry.ID] = strawberry.field(
        description="Ids of rooms that are no longer shown."
    )


@strawberry.type
class RoomsSubscription:
    @strawberry.subscription(
        description="A room, whole, now and after each change and whenever somebody comes or "
        "goes; changes that follow each other fast are shown together. While you follow it you "
        "count as connected. Completes when the room is closed, when you may no longer see it, and "
        "at once if there is no such room to be seen."
    )
    async def room_updates(
        self,
        info: Info,
        room_id: Annotated[strawberry.ID, strawberry.argument(description="The room's id.")],
    ) -> AsyncGenerator[Room, None]:
        services, account = info.context.services, info.context.require_account()
        key = read_id("Room", room_id)
        if key is None:
            return
        turns.be(turns.Kind.FOLLOWER)
        shown: tuple[int, frozenset[UUID]] = (0, frozenset())
        async with services.hub.watch(topic(key)) as change:
            if await reading.get(services, account, key) is None:
                return
            async with services.presence.here(key, account, change) as presence:
                while True:
                    # Who may see the room is asked anew each time.
                    state = await reading.get(services, account, key)
                    if state is None:
                        return
                    change.marker = state.room.revision
                    now = (state.room.revision, presence.connected)
                    if now[0] >= shown[0] and now != shown:
                        shown = now
                        yield Room.of(state)
                    if state.room.status == CLOSED:
                        return
                    await change.wait()

    @strawberry.subscription(
        description=f"The public lobby: first all rooms, then what changes. It shows the {SIZE} "
        "newest rooms; `rooms` pages through all."
    )
    async def lobby_updates(
        self,
        info: Info,
        filter: Annotated[
            RoomFilter | None, strawberry.argument(description="Which rooms to show.")
        ] = None,
    ) -> AsyncGenerator[LobbyUpdate, None]:
        services = info.context.services
        info.context.require_account()
        wanted = read_filter(info, filter)
        turns.be(turns.Kind.FOLLOWER)
        shown: dict[UUID, int] | None = None
        async with services.lobby.watching(services) as change:
            while True:
                rooms = _shown(services.lobby.rooms, wanted)
                update = _difference(shown, rooms)
                if update is not None:
                    shown = {id_: state.room.revision for id_, state in rooms.items()}
                    yield update
                await change.wait()


def _shown(rooms: Mapping[UUID, RoomState], wanted: Filter | None) -> dict[UUID, RoomState]:
    if wanted is None:
        return {}
    return {id_: state for id_, state in rooms.items() if wanted.accepts(state)}


def _difference(
    before: Mapping[UUID, int] | None, now: Mapping[UUID, RoomState]
) -> LobbyUpdate | None:
    """What leads from the revisions shown to the rooms now, None if nothing has changed."""
    known = before or {}
    added = [Room.of(state) for id_, state in now.items() if id_ not in known]
    changed = [
        Room.of(state)
        for id_, state in now.items()
        if id_ in known and known[id_] != state.room.revision
    ]
    removed = [global_id("Room", id_) for id_ in known if id_ not in now]
    if before is not None and not (added or changed or removed):
        return None
    return LobbyUpdate(snapshot=before is None, added=added, changed=changed, removed=removed)
