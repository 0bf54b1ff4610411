"""What GraphQL adds to the marble engine: the catalogue of its board and cards."""

from pathlib import Path

from api.games.registry import Game
from engines.marble import ENGINE
from engines.marble.board import CATALOGUE

GAME = Game(
    engine=ENGINE,
    catalogue=CATALOGUE,
    examples=Path(__file__).with_name("examples.graphql").read_text("utf-8"),
)
