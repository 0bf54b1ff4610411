"""§8.1: counters and marks of the state that clients rely on."""

from engines.marble.actions import Buy, ProposeTrade, RespondToTrade, Roll, TradeSide
from engines.marble.reasons import Refusal
from engines.marble.state import Phase
from engines.protocol import ShiftDeadline
from tests.engines.marble.table import ENGINE, table


def test_8_1_every_accepted_action_counts() -> None:
    """R119: time-outs included, refusals not."""
    t = table()
    t.roll(1, 3)
    assert t.state.turn_seq == 1
    t.refuses(0, Roll(), Refusal.WRONG_PHASE)
    t.do(0, Buy())
    assert t.state.turn_seq == 2
    t.time_out_rolling(1, 4)
    assert t.state.turn_seq == 3
    assert ENGINE.view(t.state, None).turn_seq == 3


def test_8_1_a_shifted_deadline_is_nobodys_action() -> None:
    """R119: nothing was decided, so a click already on its way stays good."""
    t = table()
    t.system(ShiftDeadline(5_000))
    assert t.state.turn_seq == 0
    assert t.state.deadline_at == 1_000_000 + 30_000 + 5_000


def test_8_1_a_decision_is_about_the_players_own_cell() -> None:
    """R150: decision.pos is the current player's pos, also behind a card and a flight."""
    for top, dice in (("L15", (3, 4)), ("L16", (3, 4)), ("L18", (3, 4))):
        t = table(top=(top,))
        t.roll(*dice)
        assert t.state.decision is not None
        assert t.state.decision.pos == t.pos[0]


def test_8_1_exactly_one_thing_is_waited_for() -> None:
    """§8.1: the phase follows from what is open."""
    t = table(lands={1: 0}, trade=True)
    assert (t.phase, t.state.awaited) == (Phase.TURN_START, 0)
    t.do(0, ProposeTrade(1, TradeSide((1,), 0), TradeSide((), 1)))
    assert (t.phase, t.state.awaited) == (Phase.TRADE_RESPONSE, 1)
    t.do(1, RespondToTrade(accept=False))
    t.roll(1, 3)
    assert (t.phase, t.state.awaited) == (Phase.DECIDE, 0)
