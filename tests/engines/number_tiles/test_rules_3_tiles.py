"""§3: the 106 tiles."""

from collections import Counter

from engines.number_tiles.tiles import CATALOGUE, TILE_IDS, Color
from tests.engines.number_tiles.table import table


def test_3_ids_in_canonical_order() -> None:
    """T-01: colour, number, copy; then the jokers."""
    assert len(TILE_IDS) == len(set(TILE_IDS)) == 106
    assert TILE_IDS[:4] == ("K1a", "K1b", "K2a", "K2b")
    assert TILE_IDS[24:28] == ("K13a", "K13b", "R1a", "R1b")
    assert TILE_IDS[52:54] == ("B1a", "B1b")
    assert TILE_IDS[78:80] == ("O1a", "O1b")
    assert TILE_IDS[102:] == ("O13a", "O13b", "JK1", "JK2")


def test_3_the_catalogue_holds_every_tile() -> None:
    """§10 셋업, §3: 104 numbers, 26 of each colour and 8 of each number, and two jokers."""
    numbers = [tile for tile in CATALOGUE.tiles if not tile.joker]
    assert tuple(tile.tile_id for tile in CATALOGUE.tiles) == TILE_IDS
    assert Counter(tile.color for tile in numbers) == dict.fromkeys(Color, 26)
    assert Counter(tile.number for tile in numbers) == dict.fromkeys(range(1, 14), 8)
    assert [(t.tile_id, t.color, t.number) for t in CATALOGUE.tiles if t.joker] == [
        ("JK1", None, None),
        ("JK2", None, None),
    ]


def test_3_every_colour_has_its_shape() -> None:
    """§9: ● ♥ ◆ ★ tell the colours apart."""
    assert [(c.letter, c.shape, c.name.ko) for c in CATALOGUE.colors] == [
        ("K", "●", "검정"),
        ("R", "♥", "빨강"),
        ("B", "◆", "파랑"),
        ("O", "★", "주황"),
    ]


def test_3_copies_are_equal_but_distinct() -> None:
    """T-02, D-05: R5b may take the place of R5a, which goes elsewhere; one tile is laid."""
    t = table(["R5b K1", "K2"], ["R4 R5 R6", "K5 B5 O5"])
    t.draft("R4 R5b R6", "K5 B5 O5 R5")
    t.do(t.commit)
    assert t.table_text == ["R4 R5b R6", "K5 R5 B5 O5"]
    assert t.rack(0) == "K1"
