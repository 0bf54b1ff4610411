"""§9: the simple hint: new sets that could be laid from the rack alone (U-01, U-02).

Inside, a face is a colour and a number without its copy: 4 * (13 - number) + colour, so that the
search begins with the high numbers and a set touches only faces near each other.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Annotated, Final, NamedTuple

from engines.number_tiles.rules.sets import LARGEST_GROUP, SMALLEST
from engines.number_tiles.tiles import (
    COLOR_OF,
    COLORS,
    FIRST_JOKER,
    HIGHEST,
    NUMBER_OF,
    SetKind,
    ids_of,
)

EFFORT: Final = 3_000
"""Tries after which the search for most points settles for what it has found (some 5 ms).

Racks of ordinary size are searched to the end; with eighty tiles any hint will do.
"""
LONGEST_PIECE: Final = 5
"""A longer run falls into pieces of three to five that are worth the same."""
JOKER: Final = 4 * HIGHEST


@dataclass(frozen=True, slots=True)
class HintSet:
    """A set that the own rack could lay."""

    tile_ids: Annotated[tuple[str, ...], "Ids of its tiles, in the order to lay them."]
    kind: Annotated[SetKind, "Whether it is a run or a group."]
    points: Annotated[int, "The sum of the numbers its tiles stand for."]


@dataclass(frozen=True, slots=True)
class Hint:
    """New sets the own rack could lay; moves on the table are not looked for."""

    sets: Annotated[
        tuple[HintSet, ...],
        "One set; before the first registration the sets with most points together.",
    ]
    points: Annotated[int, "The points of these sets together."]
    needed: Annotated[int | None, "Points the first registration takes; null once it is done."]
    enough: Annotated[bool, "Whether these sets can be laid as they are."]


class Piece(NamedTuple):
    """A possible set: place by place the face of a real tile, or JOKER."""

    places: tuple[int, ...]
    kind: SetKind
    points: int

    @property
    def real(self) -> tuple[int, ...]:
        """The faces of its real tiles."""
        return tuple(face for face in self.places if face != JOKER)


@lru_cache(maxsize=4096)
def hint_for(rack: bytes, needed: int | None) -> Hint | None:
    """What these rack tiles could lay; `needed` as in `Hint`. None where there is no set.

    Jokers are used last: only where there is no set, or too few points, without them.
    """
    counts = bytearray(JOKER)
    for tile in rack:
        if tile < FIRST_JOKER:
            counts[_face(COLOR_OF[tile], NUMBER_OF[tile])] += 1
    find = _one_set if needed is None else _all_sets
    best: Hint | None = None
    for jokers in range(1 + sum(tile >= FIRST_JOKER for tile in rack)):
        chosen = find(bytes(counts), jokers)
        points = sum(piece.points for piece in chosen)
        if chosen and (best is None or points > best.points):
            best = _hint(rack, chosen, points, needed)
        if best is not None and best.enough:
            break
    return best


def _face(color: int, number: int) -> int:
    return len(COLORS) * (HIGHEST - number) + color


def _hint(rack: bytes, chosen: tuple[Piece, ...], points: int, needed: int | None) -> Hint:
    """The pieces as sets of actual tiles, copy a before b."""
    left: dict[int, list[int]] = {}
    for tile in sorted(rack, reverse=True):
        joker = tile >= FIRST_JOKER
        left.setdefault(JOKER if joker else _face(COLOR_OF[tile], NUMBER_OF[tile]), []).append(tile)
    sets = tuple(
        HintSet(ids_of(bytes(left[face].pop() for face in piece.places)), piece.kind, piece.points)
        for piece in chosen
    )
    return Hint(sets, points, needed, needed is None or points >= needed)


def _one_set(counts: bytes, jokers: int) -> tuple[Piece, ...]:
    """The one set with most points, or none."""
    for piece in _PIECES:
        for filled in _filled(piece, counts, jokers):
            return (filled,)
    return ()


def _all_sets(counts: bytes, jokers: int) -> tuple[Piece, ...]:
    """The sets with most points together."""
    first: dict[int, list[Piece]] = {}
    for piece in _PIECES:
        if len(piece.places) <= LONGEST_PIECE:
            for filled in _filled(piece, counts, jokers):
                first.setdefault(min(filled.real), []).append(filled)
    return _Search(first).best(counts, jokers)[1]


def _filled(piece: Piece, counts: bytes, jokers: int) -> Iterator[Piece]:
    """The piece with jokers for what is missing, and perhaps for more of its tiles."""
    missing = 0
    for face in piece.places:
        if not counts[face]:
            missing += 1
            if missing > jokers:
                return
    held = [i for i, face in enumerate(piece.places) if counts[face]]
    spare = min(jokers - missing, len(held) - 1)
    for more in range(spare + 1):
        for replaced in combinations(held, more):
            places = tuple(
                face if i in held and i not in replaced else JOKER
                for i, face in enumerate(piece.places)
            )
            yield piece._replace(places=places)


class _Search:
    """Divides counts of faces into pieces: face after face, which piece begins with it?"""

    def __init__(self, first: dict[int, list[Piece]]) -> None:
        self.first = first
        self.tries = 0
        self.known: dict[tuple[bytes, int], tuple[int, tuple[Piece, ...]]] = {}

    def best(self, counts: bytes, jokers: int) -> tuple[int, tuple[Piece, ...]]:
        """Most points from the counts of the last faces, and the pieces that make them."""
        counts = counts.lstrip(b"\0")
        key = counts, jokers
        if key in self.known or not counts or self.tries >= EFFORT:
            return self.known.get(key, (0, ()))
        self.known[key] = 0, ()
        face = JOKER - len(counts)
        found: tuple[int, tuple[Piece, ...]] = (0, ())
        for piece in self.first.get(face, ()):
            if self.tries >= EFFORT:
                break
            self.tries += 1
            rest = _without(counts, face, piece)
            spent = len(piece.places) - len(piece.real)
            if rest is not None and spent <= jokers:
                points, pieces = self.best(rest, jokers - spent)
                found = max(found, (points + piece.points, (piece, *pieces)), key=_points)
        found = max(found, self.best(counts[1:], jokers), key=_points)
        self.known[key] = found
        return found


def _points(found: tuple[int, tuple[Piece, ...]]) -> int:
    return found[0]


def _without(counts: bytes, start: int, piece: Piece) -> bytes | None:
    """The counts, which begin at face `start`, less those of a piece; None if there are too few."""
    rest = bytearray(counts)
    for face in piece.real:
        if not rest[face - start]:
            return None
        rest[face - start] -= 1
    return bytes(rest)


def _all_pieces() -> Iterator[Piece]:
    for low in range(HIGHEST, 0, -1):
        for color in range(len(COLORS)):
            for high in range(low + SMALLEST - 1, HIGHEST + 1):
                numbers = range(low, high + 1)
                places = tuple(_face(color, number) for number in numbers)
                yield Piece(places, SetKind.RUN, sum(numbers))
        for size in range(SMALLEST, LARGEST_GROUP + 1):
            for colors in combinations(range(len(COLORS)), size):
                places = tuple(_face(color, low) for color in colors)
                yield Piece(places, SetKind.GROUP, low * size)


_PIECES: Final = sorted(_all_pieces(), key=lambda piece: -piece.points)
