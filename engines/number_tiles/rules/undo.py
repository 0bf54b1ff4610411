"""The history of a draft as differences (§5.6), so that a hundred steps stay small.

A difference is a row of instructions that build the older layout from the newer one. A byte of
0x80 or more begins one: COPY, index, count takes that many sets of the newer layout from that
index on; LITERAL + the code of the hint is followed by the tiles of one set. A difference is
never longer than the older layout written out, so at most 212 bytes.
"""

from itertools import takewhile
from typing import Final

from engines.number_tiles.state import Layout, PackedSet
from engines.number_tiles.tiles import SetKind

DEPTH: Final = 100
"""How many steps can be taken back (D-09)."""

COPY: Final = 0xFF
COPY_LENGTH: Final = 3
LITERAL: Final = 0x80
HINTS: Final = (None, SetKind.RUN, SetKind.GROUP)


def difference(newer: Layout, older: Layout) -> bytes:
    """The instructions that lead from `newer` back to `older`."""
    place = {packed: index for index, packed in enumerate(newer)}
    out = bytearray()
    index = 0
    while index < len(older):
        start = place.get(older[index])
        count = 1 if start is None else _common(newer, start, older, index)
        literal = b"".join(map(_literal, older[index : index + count]))
        if start is not None and len(literal) > COPY_LENGTH:
            out += bytes((COPY, start, count))
        else:
            out += literal
        index += count
    return bytes(out)


def restore(newer: Layout, steps: bytes) -> Layout:
    """The older layout; the inverse of `difference`."""
    out: list[PackedSet] = []
    index = 0
    while index < len(steps):
        code = steps[index]
        if code == COPY:
            start, count = steps[index + 1], steps[index + 2]
            out += newer[start : start + count]
            index += COPY_LENGTH
        else:
            end = index + 1
            while end < len(steps) and steps[end] < LITERAL:
                end += 1
            out.append(PackedSet(steps[index + 1 : end], HINTS[code - LITERAL]))
            index = end
    return tuple(out)


def _literal(packed: PackedSet) -> bytes:
    return bytes((LITERAL + HINTS.index(packed.kind), *packed.tiles))


def _common(newer: Layout, start: int, older: Layout, index: int) -> int:
    """How many sets the two layouts share in a row from these places on."""
    pairs = zip(newer[start:], older[index:], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
