"""The stream of chance: typed-in vectors, a second implementation, and no bias by rejection."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines.rng import Stream, commitment

Z = bytes(32)
N = bytes(range(32))
DOCUMENT = Path(__file__).parents[2] / "docs" / "chance.md"

BLOCKS = {  # sha256sum of seed and counter, computed outside this project
    (Z, 0): "2c34ce1df23b838c5abf2a7f6437cca3d3067ed509ff25f11df6b11b582b51eb",
    (Z, 1): "08e00266fff0aacc64974f22a53622a7dc458ac1b5fd446ae7c99a4a99a564e6",
    (N, 0): "a9d6e500293a88bd38cbe213d07ab71f8cb2258552072a01bdf1c40be527f4d0",
    (N, 1): "6061c4386d7a1788ba52e2e8b2ee6fe6137644ec75a70bf7042cfd67a1e57bd3",
}


def words(seed: bytes) -> Iterator[int]:
    """The specification once more, by bytes instead of by index."""
    counter = 0
    while True:
        block = hashlib.sha256(seed + bytes(7) + bytes([counter])).hexdigest()
        for start in range(0, 64, 8):
            yield int(block[start : start + 8], 16)
        counter += 1


def below(source: Iterator[int], n: int) -> int:
    """A draw of the specification: refuse the incomplete last run of n words."""
    while True:
        word = next(source)
        if word // n < 2**32 // n:
            return word % n


@pytest.mark.parametrize(("seed", "block"), BLOCKS)
def test_words_are_the_hash_of_seed_and_counter(seed: bytes, block: int) -> None:
    drawn = b"".join(
        Stream(seed, 8 * block + i).draw(1 << 32)[0].to_bytes(4, "big") for i in range(8)
    )
    assert drawn.hex() == BLOCKS[seed, block]


def test_dice_of_the_two_seeds() -> None:
    assert Stream(Z).dice(10) == ((2, 3, 4, 4, 2, 6, 6, 4, 1, 3), Stream(Z, 10))
    assert Stream(N).dice(10) == ((1, 2, 4, 2, 6, 4, 2, 1, 5, 1), Stream(N, 10))


def test_dice_one_by_one_are_the_dice_at_once() -> None:
    first, stream = Stream(N).dice(1)
    second, stream = stream.dice(1)
    assert (first + second, stream) == Stream(N).dice(2)


def test_a_match_is_dealt_and_rolled() -> None:
    order, stream = Stream(N).shuffle(range(3))
    deck, stream = stream.shuffle(range(1, 21))
    dice, stream = stream.dice(2)
    assert order == (2, 1, 0)
    assert deck == (16, 9, 6, 5, 4, 19, 17, 8, 3, 7, 10, 15, 13, 11, 1, 18, 14, 12, 2, 20)
    assert dice == (5, 6)
    assert stream.taken == 23


def test_rejection_has_its_edge_at_the_last_whole_multiple() -> None:
    first, second = 2849432832, 691701949  # words 0 and 1 of seed N
    assert Stream(N).draw(first) == (second, Stream(N, 2))
    assert Stream(N).draw(first + 1) == (first, Stream(N, 1))


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 20, 106, 2**31 + 1, 3 * 2**30, 2**32 - 1, 2**32])
def test_draws_agree_with_a_second_implementation(n: int) -> None:
    stream, source = Stream(N), words(N)
    for _ in range(60):
        value, stream = stream.draw(n)
        assert value == below(source, n)


def test_shuffles_agree_with_a_second_implementation() -> None:
    source, items = words(Z), list("ABCDEFGHIJKLMNOPQRST")
    for last in range(19, 0, -1):
        other = below(source, last + 1)
        items[last], items[other] = items[other], items[last]
    assert Stream(Z).shuffle("ABCDEFGHIJKLMNOPQRST") == (tuple(items), Stream(Z, 19))


def test_short_shuffles_take_no_words() -> None:
    assert Stream(N).shuffle(()) == ((), Stream(N))
    assert Stream(N).shuffle("A") == (("A",), Stream(N))


def test_a_stream_is_a_value() -> None:
    stream = Stream(N, 5)
    assert stream.draw(6) == stream.draw(6)
    assert stream == Stream(N, 5)


def test_the_commitment_is_the_hash_of_the_seed_alone() -> None:
    assert commitment(N).hex() == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_the_document_gives_the_same_vectors() -> None:
    seeds = {"Z": Z, "N": N}
    rows = re.findall(r"^\| (.+?) \| ([ZN]) \| (.+?) \|$", DOCUMENT.read_text("utf-8"), re.M)
    assert [value for what, seed, value in rows if what == "commitment"] == [
        commitment(Z).hex(),
        commitment(N).hex(),
    ]
    for what, name, value in rows:
        stream = Stream(seeds[name])
        if what.startswith("block"):
            assert value == BLOCKS[seeds[name], int(what[-1])]
        if what.endswith("dice"):
            assert value == " ".join(map(str, stream.dice(10)[0]))
        if what.startswith("shuffle"):
            assert value == " ".join(map(str, stream.shuffle(range(20))[0]))
        if match := re.match(r"draw\((\d+)\)", what):
            assert value == str(stream.draw(int(match[1]))[0])
    assert len(rows) == 11
