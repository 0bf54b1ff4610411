"""The games the API serves: every subpackage of api/games that exposes GAME, found by folder."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from engines.protocol import Engine
from engines.registry import check_earlier, submodules

HOME = "api.games"


@dataclass(frozen=True, slots=True)
class Pace:
    """Actions that a seat may send only so many of a second, all of them together."""

    actions: tuple[type, ...]
    per_second: int


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """What GraphQL adds to one engine.

    `catalogue` is a described dataclass of everything a client draws the game from; `paces` slow
    down what is cheap to send and dear to take; `examples` are operations to begin with, for the
    explorer; `prefix` and `verb` begin the names of the game's types (`Marble`) and mutations
    (`marble`).
    """

    engine: Engine[Any]
    catalogue: Any
    paces: tuple[Pace, ...] = ()
    examples: str = ""

    @property
    def prefix(self) -> str:
        """`number_tiles` gives `NumberTiles`."""
        return "".join(part.capitalize() for part in self.engine.id.split("_"))

    @property
    def verb(self) -> str:
        """`number_tiles` gives `numberTiles`."""
        return self.prefix[:1].lower() + self.prefix[1:]


def packages(extra: Iterable[str]) -> tuple[str, ...]:
    """Where to look for games: our own and the `api` folder of each extra package."""
    return (HOME, *(f"{package}.api" for package in extra))


def discover(extra: Iterable[str] = ()) -> dict[str, Game]:
    """All games by id, in the order of their ids.

    Raises ValueError when two claim one id, or earlier rules do not fit the newest.
    """
    found: dict[str, Game] = {}
    for package in packages(extra):
        for module in submodules(package):
            game = getattr(module, "GAME", None)
            if game is None:
                continue
            if game.engine.id in found:
                raise ValueError(f"two games call themselves {game.engine.id!r}")
            check_earlier(game.engine)
            found[game.engine.id] = game
    return dict(sorted(found.items()))
