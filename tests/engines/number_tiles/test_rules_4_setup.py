"""§4: who begins, and the deal."""

from collections import Counter

import pytest

from engines import codec
from engines.number_tiles import ENGINE
from engines.number_tiles.events import GameStarted, StarterDrawn, TilesDealt, TurnStarted
from engines.number_tiles.rules.dealing import draw_starter
from engines.number_tiles.tiles import ALL_TILES, TILE_OF_ID, ids_of
from engines.rng import Stream
from tests.engines.number_tiles.table import NOW, table, tiles

SEED = bytes(range(32))


def deal(seats: int, seed: bytes = SEED):
    return ENGINE.setup(ENGINE.options({}), seats, seed, NOW)


class Bag(Stream, frozen=True):
    """A stream whose shuffles put chosen tiles in front, one list a shuffle."""

    fronts: tuple[bytes, ...] = ()

    def shuffle(self, items):
        front, *rest = self.fronts
        left = bytes(tile for tile in items if tile not in front)
        return tuple(front + left), Bag(self.seed, 0, tuple(rest))


def starter(seats: int, *fronts: str):
    found = draw_starter(Bag(SEED, 0, tuple(tiles(front) for front in fronts)), tuple(range(seats)))
    return found[0], [(draw.round, draw.seat, draw.tile_id) for draw in found[1]]


@pytest.mark.parametrize(("seats", "pool"), [(2, 78), (3, 64), (4, 50)])
def test_4_fourteen_each_and_the_rest_is_the_pool(seats: int, pool: int) -> None:
    """§10 셋업: 106 tiles, 14 each, pools of 78, 64 and 50."""
    state = deal(seats).state
    assert [len(rack) for rack in state.racks] == [14] * seats
    assert len(state.pool) == pool
    assert sorted((*b"".join(state.racks), *state.pool)) == list(ALL_TILES)
    assert state.table == ()
    assert state.melded == (False,) * seats


def test_4_the_same_seed_is_the_same_game() -> None:
    """§10 셋업, S-06: byte for byte; another seed is another game."""
    assert codec.encode_state(deal(3).state) == codec.encode_state(deal(3).state)
    assert deal(3).events == deal(3).events
    assert deal(3).state.racks != deal(3, bytes(32)).state.racks


def test_4_the_deal_by_the_stream() -> None:
    """S-04, S-06: shuffle, draw, shuffle again, 14 from the front by seat, the rest is the pool."""
    seat, draws, rng = draw_starter(Stream(SEED), (0, 1, 2))
    dealt, _ = rng.shuffle(ALL_TILES)
    step = deal(3)
    assert step.state.racks == tuple(bytes(dealt[n : n + 14]) for n in (0, 14, 28))
    assert step.state.pool == bytes(dealt[42:])
    assert step.events[0] == StarterDrawn(draws, seat)
    first, _ = Stream(SEED).shuffle(ALL_TILES)
    assert [TILE_OF_ID[draw.tile_id] for draw in draws] == list(first[: len(draws)])


def test_4_the_highest_number_begins() -> None:
    """§4: one tile each, in the order of seats."""
    assert starter(3, "K4 R11 B3") == (1, [(1, 0, "K4a"), (1, 1, "R11a"), (1, 2, "B3a")])


def test_4_a_joker_draws_again() -> None:
    """S-01: only whoever drew it, until it is a number; the other numbers stand."""
    assert starter(3, "K4 JK1 B3 JK2 R12") == (
        1,
        [(1, 0, "K4a"), (1, 1, "JK1"), (1, 2, "B3a"), (1, 1, "JK2"), (1, 1, "R12a")],
    )


def test_4_ties_draw_again_among_themselves() -> None:
    """S-01, S-02: the highest only, as often as it takes."""
    assert starter(4, "K9 R9 B3 O9 K5 R5 O2 K1 R8") == (
        1,
        [
            *((1, 0, "K9a"), (1, 1, "R9a"), (1, 2, "B3a"), (1, 3, "O9a")),
            *((2, 0, "K5a"), (2, 1, "R5a"), (2, 3, "O2a")),
            *((3, 0, "K1a"), (3, 1, "R8a")),
        ],
    )


def test_4_drawn_tiles_go_back_when_the_starter_is_known() -> None:
    """S-03: 53 ties empty the bag of two drawers; then all 106 are shuffled again."""
    pairs = " ".join(f"{c}{n} {c}{n}b" for c in "KRBO" for n in range(1, 14))
    seat, draws = starter(2, pairs + " JK1 JK2", "K1 R2")
    assert seat == 1
    assert len(draws) == 104 + 2 + 2
    assert draws[-4:] == [(53, 0, "JK1"), (53, 1, "JK2"), (53, 0, "K1a"), (53, 1, "R2a")]
    assert sorted((*b"".join(deal(2).state.racks), *deal(2).state.pool)) == list(ALL_TILES)


def test_4_tiles_are_drawn_from_the_front() -> None:
    """S-05: pool[0] first, penalties in order."""
    t = table(["K1", "K2"], pool="O3 O1 O2 O4 O5")
    t.do(t.draw)
    assert t.rack(0) == "K1 O3"
    t.add("K2")
    t.time_out()
    assert t.rack(1) == "K2 O1 O2 O4"


def test_4_clockwise_is_the_next_seat() -> None:
    """S-07: the next index, cyclic; seats are not turned to put the starter first."""
    t = table(["K1", "K2", "K3"], current=1)
    order = []
    for _ in range(4):
        order.append(t.state.current)
        t.do(t.draw)
    assert order == [1, 2, 0, 1]
    assert deal(4).state.seats == range(4)


def test_4_the_first_turn_begins_with_the_setup() -> None:
    """S-08: at the time given; an allowance for the animation is the server's to add."""
    step = deal(2)
    due = ENGINE.deadline(step.state)
    assert (due.since, due.until, due.seat) == (NOW, NOW + 60_000, step.state.current)


def test_4_the_draws_are_shown() -> None:
    """S-09, §4: the draw for the animation is public, the deal is not."""
    step = deal(2)
    kinds = [type(event) for event in step.events]
    assert kinds == [StarterDrawn, GameStarted, TilesDealt, TilesDealt, TurnStarted]
    for viewer in (0, 1, None):
        assert ENGINE.redact(step.state.options, step.events[0], viewer) == step.events[0]
    assert step.events[1] == GameStarted(1, 1, 78)
    assert step.events[-1] == TurnStarted(1, step.events[0].seat)
    mine, theirs = step.events[2:4]
    assert ENGINE.redact(step.state.options, mine, 0).tile_ids == ids_of(step.state.racks[0])
    assert ENGINE.redact(step.state.options, theirs, 0) == TilesDealt(1, 14, None)


def test_4_every_seat_begins_at_times() -> None:
    """§4: the starter is drawn, not the first seat."""
    first = Counter(deal(4, bytes([n]) * 32).state.current for n in range(60))
    assert sorted(first) == [0, 1, 2, 3]
