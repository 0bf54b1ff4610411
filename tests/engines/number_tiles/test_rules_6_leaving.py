"""Leaving and conceding: the document is silent, so the resolutions L-01 to L-06 hold."""

import pytest

from engines.number_tiles import ENGINE
from engines.number_tiles.actions import Concede, NextGame
from engines.number_tiles.events import GameEnded, MatchEnded, SeatLeft, TilesDealt, TurnStarted
from engines.number_tiles.reasons import Departure, EndReason, Refusal
from engines.number_tiles.state import Phase
from engines.protocol import SYSTEM, Away, Back, Leave, LeaveCause
from tests.engines.number_tiles.table import TURN, ids, table

THREE = ["K1 K2", "O3 O4", "B9"]


def test_6_the_rack_stays_face_down() -> None:
    """L-01: neither in the pool nor shown; the count stays, and all tiles are accounted for."""
    t = table(THREE, pool=5, current=1)
    pool = t.state.pool
    t.do(Concede(), seat=0)
    assert t.events == (SeatLeft(0, Departure.CONCEDED),)
    assert (t.rack(0), t.state.pool) == ("K1 K2", pool)
    seat = t.view(1).seats[0]
    assert (seat.rack_count, seat.left) == (2, True)
    assert t.view(1).order == (1, 2)


def test_6_in_turn_the_draft_is_dropped() -> None:
    """L-01: the next player begins, no tile is drawn."""
    t = table(THREE, pool=5)
    t.add("K1")
    t.do(Concede())
    assert t.events == (SeatLeft(0, Departure.CONCEDED), TurnStarted(TURN + 1, 1))
    assert (t.rack(0), len(t.state.pool)) == ("K1 K2", 5)


@pytest.mark.parametrize("cause", list(LeaveCause))
def test_6_the_server_may_take_a_seat_out(cause: LeaveCause) -> None:
    """L-01: by leaving the room, by a kick, with the account; twice changes nothing."""
    t = table(THREE, pool=5)
    t.system(Leave(2, cause))
    assert t.events == (SeatLeft(2, Departure(cause.value)),)
    before = t.state
    t.system(Leave(2, cause))
    assert t.state is before


@pytest.mark.parametrize("leaver", [0, 1])
def test_6_the_last_one_left_wins_at_once(leaver: int) -> None:
    """L-02: forfeit; others pay their racks, and the match is over, also with games to come."""
    t = table(["K1 K2", "O3 O4"], games_per_match=3)
    t.do(Concede(), seat=leaver)
    (told,) = t.told(GameEnded)
    winner, value = 1 - leaver, (3, 7)[leaver]
    assert told.outcome.reason is EndReason.FORFEIT
    assert told.outcome.winners == (winner,)
    assert (told.totals[winner], told.totals[leaver]) == (value, -value)
    assert told.last is True
    assert t.state.phase is Phase.FINISHED
    assert ENGINE.result(t.state).reason is EndReason.FORFEIT


def test_6_earlier_leavers_pay_a_forfeit_too() -> None:
    """L-02, L-04: all others of the game."""
    t = table(THREE, pool=5)
    t.do(Concede(), seat=1)
    t.do(Concede(), seat=2)
    assert t.told(GameEnded)[0].totals == (16, -7, -9)


def test_6_the_seat_is_skipped() -> None:
    """L-03: and gets no tiles and no score in later games."""
    t = table(THREE, pool="", games_per_match=2)
    t.do(Concede(), seat=1)
    t.do(t.pass_)
    assert t.state.current == 2
    t.do(t.pass_)
    assert t.state.phase is Phase.BETWEEN_GAMES
    t.system(NextGame())
    assert [event.seat for event in t.told(TilesDealt)] == [0, 2]
    assert [len(rack) for rack in t.state.racks] == [14, 0, 14]
    assert len(t.state.pool) == 78
    for _ in range(300):
        if t.state.phase is Phase.FINISHED:
            break
        t.time_out()
    (row,) = (r for r in t.state.outcomes[1].ranking if r.seat == 1)
    assert (row.rank, row.score, row.rack_value, row.tiles_left, row.left) == (3, 0, 0, 0, True)


def test_6_a_leaver_pays_the_winner() -> None:
    """L-04: an emptied rack; ranked after all who stayed."""
    t = table(["K5 K6 K7", "O1", "B9"])
    t.do(Concede(), seat=1)
    t.add("K5 K6 K7")
    t.do(t.commit)
    (told,) = t.told(GameEnded)
    assert told.totals == (10, -1, -9)
    assert [(r.seat, r.rank, r.left) for r in told.outcome.ranking] == [
        (0, 1, False),
        (2, 2, False),
        (1, 3, True),
    ]


def test_6_a_leaver_cannot_win_a_stalemate() -> None:
    """L-04: not considered for the lowest rack; scores -max(0, own - winner's)."""
    t = table(["K5", "O1", "B9", "R13"], pool="")
    t.do(Concede(), seat=1)
    t.do(Concede(), seat=3)
    t.do(t.pass_)
    t.do(t.pass_)
    (told,) = t.told(GameEnded)
    assert told.outcome.winners == (0,)
    assert told.totals == (12, 0, -4, -8)
    assert [(r.seat, r.rank) for r in told.outcome.ranking] == [(0, 1), (2, 2), (1, 3), (3, 4)]


def test_6_a_leaver_does_not_count_as_having_passed() -> None:
    """L-05, F-06: A and B pass, A leaves: C has still to pass."""
    t = table(THREE, pool="", current=0)
    t.do(t.pass_)
    t.do(t.pass_)
    t.do(Concede(), seat=0)
    assert (t.state.phase, t.state.current) == (Phase.PLAYING, 2)
    t.do(t.pass_)
    assert t.state.phase is Phase.FINISHED


def test_6_a_leave_may_end_the_game() -> None:
    """L-05: all who are left have passed."""
    t = table([*THREE, "R1"], pool="", current=0)
    for _ in range(3):
        t.do(t.pass_)
    t.do(Concede(), seat=3)
    (told,) = t.told(GameEnded)
    assert told.outcome.reason is EndReason.STALEMATE
    assert told.outcome.winners == (0,)


@pytest.mark.parametrize("action", [Concede(), None])
def test_6_there_is_no_way_back_from_leaving(action: object) -> None:
    """L-06: a seat that left does nothing more, and does not come back."""
    t = table(THREE, pool=5)
    t.do(Concede(), seat=1)
    if action is None:
        t.refuses(t.draw, Refusal.NOT_YOUR_TURN, seat=1)
    else:
        t.refuses(action, Refusal.ALREADY_LEFT, seat=1)
    before = t.state
    t.system(Away(1))
    t.system(Back(1))
    assert t.state is before


def test_6_a_disconnect_is_no_leave() -> None:
    """L-06, W-08: away and back again, the seat plays on."""
    t = table(THREE, pool=5)
    t.system(Away(0))
    t.system(Back(0))
    t.do(t.draw)
    assert t.state.current == 1


def test_6_leaving_between_two_games() -> None:
    """L-02, L-03: the next game is dealt to the rest; the last one left has won the match."""
    t = table(THREE, pool="", games_per_match=4)
    for _ in range(3):
        t.do(t.pass_)
    t.do(Concede(), seat=0)
    assert t.events == (SeatLeft(0, Departure.CONCEDED),)
    assert t.state.phase is Phase.BETWEEN_GAMES
    t.system(Leave(1))
    assert [type(event) for event in t.events] == [SeatLeft, MatchEnded]
    result = ENGINE.result(t.state)
    assert (result.reason, result.winners, len(result.games)) == (EndReason.FORFEIT, (2,), 1)


def test_6_nobody_leaves_what_is_over() -> None:
    """L-02, X-01: GAME_OVER."""
    t = table(["K1", "O1"])
    t.do(Concede(), seat=0)
    t.refuses(Concede(), Refusal.GAME_OVER, seat=1)
    t.refuses(Leave(1), Refusal.GAME_OVER, seat=SYSTEM)


@pytest.mark.parametrize("seat", [-1, 3, True, "0", None])
def test_6_only_seats_leave(seat: object) -> None:
    """L-01: a seat that is none is malformed."""
    table(THREE).refuses(Leave(seat), Refusal.BAD_PAYLOAD, seat=SYSTEM)


def test_8_3_a_former_player_sees_the_old_rack() -> None:
    """V-10: as a spectator otherwise."""
    t = table(THREE, pool=5)
    t.do(Concede(), seat=1)
    seen, spectator = t.view(1), t.view(None)
    assert (seen.rack, seen.draft, seen.available) == (ids("O3 O4"), None, ())
    assert (spectator.rack, spectator.your_seat) == (None, None)
    assert seen.seats == spectator.seats
