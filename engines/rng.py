"""The seeded stream of chance: SHA-256 in counter mode, specified for every language to check.

The stream of a 32-byte seed is the sequence of 32-bit words w(0), w(1), ...: word i is bytes
4*(i mod 8) .. 4*(i mod 8)+3, read big-endian, of SHA-256(seed || c), where c is i div 8 as an
unsigned 64-bit big-endian integer.

`draw(n)` takes words until one is below the largest multiple of n that is at most 2^32, and gives
that word modulo n. `shuffle` is Fisher-Yates from the last index down: for i = len-1 .. 1 swap i
with draw(i+1). A die is 1 + draw(6). Test vectors: tests/engines/test_rng.py and docs/chance.md.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

import msgspec

T = TypeVar("T")

WORDS_PER_BLOCK = 8
WORD_RANGE = 1 << 32


class Stream(msgspec.Struct, frozen=True):
    """A place in the stream of one seed: the seed and the number of words already taken."""

    seed: bytes
    taken: int = 0

    def draw(self, n: int) -> "tuple[int, Stream]":
        """An unbiased integer in 0..n-1 (1 <= n <= 2^32) and the stream behind it."""
        limit = WORD_RANGE - WORD_RANGE % n
        taken = self.taken
        while True:
            word = _word(self.seed, taken)
            taken += 1
            if word < limit:
                return word % n, Stream(self.seed, taken)

    def dice(self, count: int, sides: int = 6) -> "tuple[tuple[int, ...], Stream]":
        """`count` dice of `sides` sides in the order rolled, each 1..sides."""
        stream = self
        rolled = []
        for _ in range(count):
            value, stream = stream.draw(sides)
            rolled.append(value + 1)
        return tuple(rolled), stream

    def shuffle(self, items: Sequence[T]) -> "tuple[tuple[T, ...], Stream]":
        """`items` in a random order, every order equally likely."""
        stream = self
        out = list(items)
        for i in range(len(out) - 1, 0, -1):
            j, stream = stream.draw(i + 1)
            out[i], out[j] = out[j], out[i]
        return tuple(out), stream


def commitment(seed: bytes) -> bytes:
    """What is published at the start of a match: SHA-256 of the seed alone.

    The stream hashes 40-byte inputs and the commitment a 32-byte one, so it reveals no word.
    """
    return sha256(seed).digest()


def _word(seed: bytes, index: int) -> int:
    block, place = divmod(index, WORDS_PER_BLOCK)
    digest = sha256(seed + block.to_bytes(8, "big")).digest()
    return int.from_bytes(digest[4 * place : 4 * place + 4], "big")
