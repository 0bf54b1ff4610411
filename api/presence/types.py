"""Presence as resolvers ask for it."""

from uuid import UUID

from strawberry.dataloader import DataLoader

from api.context import Info
from api.presence import store


async def connected_in(info: Info, room_id: UUID) -> frozenset[UUID]:
    """Who is connected to a room: from memory where it is watched here, else read together with
    the other rooms asked for in this moment.
    """
    known = info.context.services.presence.known(room_id)
    return known if known is not None else await _loader(info).load(room_id)


def _loader(info: Info) -> DataLoader[UUID, frozenset[UUID]]:
    async def load(ids: list[UUID]) -> list[frozenset[UUID]]:
        found = await store.connected_many(info.context.services.database, set(ids))
        return [found.get(id_, frozenset()) for id_ in ids]

    loader: DataLoader[UUID, frozenset[UUID]] = info.context.loaders.setdefault(
        "presence", DataLoader(load_fn=load, cache=False)
    )
    return loader
