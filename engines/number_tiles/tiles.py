"""The 106 tiles (§3): as small integers inside the engine, as ids like "R7a" for everyone else.

Tile t is 26 * colour + 2 * (number - 1) + copy, colours in the order K, R, B, O; 104 and 105 are
the jokers. That is the canonical order of T-01, and several tiles are `bytes`.
"""

from dataclasses import dataclass
from typing import Annotated, Final

from engines.protocol import Described
from engines.texts import Text


class Color(Described):
    """The four colours of the number tiles."""

    BLACK = "K", "Black: letter K in tile ids, shape ●."
    RED = "R", "Red: letter R in tile ids, shape ♥."
    BLUE = "B", "Blue: letter B in tile ids, shape ◆."
    ORANGE = "O", "Orange: letter O in tile ids, shape ★."


class SetKind(Described):
    """The two kinds of valid sets."""

    RUN = "run", "Three to thirteen consecutive numbers of one colour; 1 is always the lowest."
    GROUP = "group", "Three or four tiles of one number, every colour at most once."


COLORS: Final = tuple(Color)
HIGHEST: Final = 13
COPIES: Final = "ab"
FIRST_JOKER: Final = len(COLORS) * HIGHEST * len(COPIES)
JOKERS: Final = bytes((FIRST_JOKER, FIRST_JOKER + 1))
ALL_TILES: Final = bytes(range(FIRST_JOKER + len(JOKERS)))

TILE_IDS: Final = (
    *(
        f"{color.value}{number}{copy}"
        for color in COLORS
        for number in range(1, HIGHEST + 1)
        for copy in COPIES
    ),
    "JK1",
    "JK2",
)
TILE_OF_ID: Final = {tile_id: tile for tile, tile_id in enumerate(TILE_IDS)}

COLOR_OF: Final = tuple(tile // (2 * HIGHEST) for tile in ALL_TILES)
"""Index into COLORS by tile; meaningless for jokers."""
NUMBER_OF: Final = (*(tile // 2 % HIGHEST + 1 for tile in range(FIRST_JOKER)), 0, 0)
"""1..13 by tile; 0 for jokers."""


def ids_of(tiles: bytes) -> tuple[str, ...]:
    """The public ids of tiles, in their order."""
    return tuple([TILE_IDS[tile] for tile in tiles])


@dataclass(frozen=True, slots=True)
class CatalogueTile:
    """One of the 106 tiles of the game."""

    tile_id: Annotated[str, "Id used in every view, event and action, such as `R7a` or `JK1`."]
    color: Annotated[Color | None, "Colour of a number tile; null for a joker."]
    number: Annotated[int | None, "Number 1 to 13 of a number tile; null for a joker."]
    joker: Annotated[bool, "Whether the tile is one of the two jokers."]


@dataclass(frozen=True, slots=True)
class CatalogueColor:
    """One colour of the tiles, with the shape that tells it apart without seeing colours."""

    color: Annotated[Color, "The colour."]
    letter: Annotated[str, "First letter of the ids of its tiles."]
    shape: Annotated[str, "Sign printed under the number."]
    name: Annotated[Text, "Name of the colour."]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Everything a client needs to draw the tiles."""

    tiles: Annotated[tuple[CatalogueTile, ...], "All 106 tiles in the canonical order."]
    colors: Annotated[tuple[CatalogueColor, ...], "The four colours in the order of sorting."]


def _catalogue_tile(tile: int) -> CatalogueTile:
    if tile >= FIRST_JOKER:
        return CatalogueTile(TILE_IDS[tile], None, None, True)
    return CatalogueTile(TILE_IDS[tile], COLORS[COLOR_OF[tile]], NUMBER_OF[tile], False)


CATALOGUE: Final = Catalogue(
    tiles=tuple(_catalogue_tile(tile) for tile in ALL_TILES),
    colors=(
        CatalogueColor(Color.BLACK, "K", "●", Text("검정", "Black")),
        CatalogueColor(Color.RED, "R", "♥", Text("빨강", "Red")),
        CatalogueColor(Color.BLUE, "B", "◆", Text("파랑", "Blue")),
        CatalogueColor(Color.ORANGE, "O", "★", Text("주황", "Orange")),
    ),
)
