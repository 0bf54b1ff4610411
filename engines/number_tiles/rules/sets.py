"""§5.1 and §5.5: which tiles make a run or a group, and what a joker in it stands for."""

from functools import lru_cache
from typing import NamedTuple

from engines.number_tiles.reasons import SetProblem
from engines.number_tiles.tiles import COLOR_OF, FIRST_JOKER, HIGHEST, NUMBER_OF, SetKind

SMALLEST = 3
LARGEST_GROUP = 4


class Reading(NamedTuple):
    """A valid set: `tiles` in normalised order (N-10) and the number its first place stands for.

    Place i of a run stands for number `first` + i, every place of a group for `first`.
    """

    kind: SetKind
    tiles: bytes
    first: int

    def number_at(self, place: int) -> int:
        """What the tile at this place stands for."""
        return self.first + place if self.kind is SetKind.RUN else self.first

    @property
    def points(self) -> int:
        """The sum of the numbers its tiles stand for (§3, N-15)."""
        count = len(self.tiles)
        above = count * (count - 1) // 2 if self.kind is SetKind.RUN else 0
        return count * self.first + above


@lru_cache(maxsize=8192)
def read_set(tiles: bytes, hint: SetKind | None = None) -> Reading | SetProblem:
    """Judge distinct tiles as one set; the hint decides only where both kinds fit (N-05, N-06)."""
    if len(tiles) < SMALLEST:
        return SetProblem.TOO_FEW
    real = [tile for tile in tiles if tile < FIRST_JOKER]
    if not real:
        return SetProblem.NOT_A_SET
    number, color = NUMBER_OF[real[0]], COLOR_OF[real[0]]
    one_number = one_color = True
    for tile in real:
        one_number = one_number and NUMBER_OF[tile] == number
        one_color = one_color and COLOR_OF[tile] == color
    run = _as_run(tiles, real) if one_color else SetProblem.NOT_A_SET
    group = _as_group(tiles, real) if one_number else SetProblem.NOT_A_SET
    if isinstance(group, Reading):
        return run if isinstance(run, Reading) and hint is not SetKind.GROUP else group
    if isinstance(run, Reading):
        return run
    return group if one_number else run


def _as_group(tiles: bytes, real: list[int]) -> Reading | SetProblem:
    if len({COLOR_OF[tile] for tile in real}) < len(real):
        return SetProblem.DUPLICATE_COLOR
    if len(tiles) > LARGEST_GROUP:
        return SetProblem.TOO_MANY
    return Reading(SetKind.GROUP, bytes(sorted(tiles)), NUMBER_OF[real[0]])


def _as_run(tiles: bytes, real: list[int]) -> Reading | SetProblem:
    start = _start_as_sent(tiles, real[0])
    if start:
        return Reading(SetKind.RUN, tiles, start)
    return _sorted_run(tiles, real)


def _start_as_sent(tiles: bytes, anchor: int) -> int:
    """The first number of the run in the very order sent (N-01), 0 if it is none."""
    start = NUMBER_OF[anchor] - tiles.index(anchor)
    if start < 1 or start + len(tiles) - 1 > HIGHEST:
        return 0
    for number, tile in enumerate(tiles, start):
        if tile < FIRST_JOKER and NUMBER_OF[tile] != number:
            return 0
    return start


def _sorted_run(tiles: bytes, real: list[int]) -> Reading | SetProblem:
    """§5.5: sort, fill the gaps, put spare jokers above up to 13 and the rest below (N-02)."""
    by_number = {NUMBER_OF[tile]: tile for tile in real}
    if len(by_number) < len(real):
        return SetProblem.DUPLICATE_NUMBER
    low, high = min(by_number), max(by_number)
    jokers = [tile for tile in tiles if tile >= FIRST_JOKER]
    spare = len(jokers) - (high - low + 1 - len(real))
    if spare < 0:
        return SetProblem.NOT_CONSECUTIVE
    if len(tiles) > HIGHEST:
        return SetProblem.TOO_MANY
    above = min(spare, HIGHEST - high)
    low -= spare - above
    assert low >= 1, "N-04: up to thirteen tiles always find room"
    fill = iter(jokers)  # N-09: in the order sent, over the free numbers ascending
    numbers = range(low, high + above + 1)
    ordered = [by_number[n] if n in by_number else next(fill) for n in numbers]
    return Reading(SetKind.RUN, bytes(ordered), low)
