"""What GraphQL adds to the marble engine: the catalogue of its board and cards."""

from api.games.registry import Game
from engines.marble import ENGINE
from engines.marble.board import CATALOGUE

GAME = Game(engine=ENGINE, catalogue=CATALOGUE)
