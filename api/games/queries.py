"""The games that rooms can be opened for."""

from typing import Annotated

import strawberry

from api.context import Info
from api.games.types import Game, game_of


@strawberry.type
class GamesQuery:
    @strawberry.field(description="All games, by id.")
    def games(self, info: Info) -> list[Game]:
        return [binding.catalogue() for binding in info.context.services.games.values()]

    @strawberry.field(description="A game by id; null if there is none.")
    def game(
        self,
        info: Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="The game's id.")],
    ) -> Game | None:
        return game_of(info, id)
