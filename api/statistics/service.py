"""What finished matches come to for those who played them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from api.services import Services
from api.statistics import store
from api.statistics.store import Place

COUNT_BATCH = 200


@dataclass(frozen=True, slots=True)
class Record:
    """A person's finished matches of one game, by the places taken, best first."""

    game: str
    places: tuple[Place, ...]

    @property
    def played(self) -> int:
        """All finished matches."""
        return sum(place.matches for place in self.places)

    @property
    def won(self) -> int:
        """Matches in which nobody did better, shared first places included."""
        return sum(place.matches for place in self.places if place.rank == 1)


async def count_finished(services: Services) -> None:
    """Add every finished match to its players' records; each counts once, whoever comes first."""
    while await store.count_finished(services.database, COUNT_BATCH) == COUNT_BATCH:
        pass


async def records(services: Services, ids: Iterable[UUID]) -> Mapping[UUID, list[Record]]:
    """The records of people by game, all finished matches counted."""
    await count_finished(services)
    async with services.database.reading() as session:
        found = await store.places(session, ids)
    return {id_: _by_game(places) for id_, places in found.items()}


def _by_game(places: list[Place]) -> list[Record]:
    games: dict[str, list[Place]] = {}
    for place in places:
        games.setdefault(place.game, []).append(place)
    return [Record(game, tuple(each)) for game, each in games.items()]
