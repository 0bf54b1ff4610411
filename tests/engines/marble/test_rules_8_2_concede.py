"""§8.2 CONCEDE: giving up, in any phase and out of turn."""

import pytest

from engines.marble.actions import (
    Concede,
    Pass,
    ProposeTrade,
    RespondToTrade,
    SaleKind,
    Sell,
    SpaceTravel,
    TradeSide,
)
from engines.marble.cards import CardId
from engines.marble.events import (
    CardMoney,
    Conceded,
    DebtRedirected,
    DecisionOpened,
    ExtraRollStarted,
    SpaceFeePaid,
    TollPaid,
    TradeResolved,
    TurnStarted,
    WentBankrupt,
)
from engines.marble.money import BANK, party
from engines.marble.reasons import ConcedeCause, EndReason, TradeReason
from engines.marble.state import Phase
from engines.protocol import Leave, LeaveCause
from tests.engines.marble.table import table

TAIPEI = TradeSide((1,), 0)
FIFTY = TradeSide((), 50)


def test_8_2_everything_goes_to_the_bank() -> None:
    """R124: lands are sold, cash is gone, cards lie at the bottom; the next one's turn begins."""
    t = table(3, lands={39: (0, 1), 5: 0}, held={0: ("L12",)}, fund=9)
    t.do(0, Concede())
    assert t.events == (
        Conceded(0, ConcedeCause.CONCEDED),
        WentBankrupt(0, BANK, 300 + 20 + 10 + 10, 1),
        TurnStarted(1, 1),
    )
    assert (t.cash, t.lands, t.state.fund) == ((0, 300, 300), {}, 9)
    assert t.state.deck[-1] is CardId.L12


def test_8_2_out_of_turn_phase_and_timer_stay() -> None:
    """R124, R152: another's concession leaves the prompt as it is."""
    t = table(3)
    t.roll(1, 3)
    before = (t.phase, t.state.awaited, t.state.prompted_at, t.state.deadline_at)
    t.do(2, Concede())
    assert (t.phase, t.state.awaited, t.state.prompted_at, t.state.deadline_at) == before
    assert t.events == (Conceded(2, ConcedeCause.CONCEDED), WentBankrupt(2, BANK, 300, 1))
    t.do(0, Pass())
    assert t.state.current == 1


def test_8_2_an_open_debtor_owes_nobody() -> None:
    """R124: the creditor gets nothing, the bank takes all."""
    t = table(3, cash=(90, 300, 300), pos=(31, 0, 0), lands={39: (1, 3), 5: 0})
    t.roll(3, 5)
    assert t.phase is Phase.DEBT
    t.do(0, Concede())
    assert t.told(WentBankrupt) == [WentBankrupt(0, BANK, 100, 1)]
    assert t.cash == (0, 300, 300)
    assert (t.state.debt, t.state.current) == (None, 1)


def test_8_2_the_creditor_of_an_open_debt_leaves() -> None:
    """R125: the debt stays due, to the bank."""
    t = table(3, cash=(90, 300, 300), pos=(31, 0, 0), lands={39: (1, 3), 5: 0})
    t.roll(3, 5)
    t.do(1, Concede())
    assert t.told(DebtRedirected) == [DebtRedirected(0, 100, BANK)]
    assert (t.phase, t.state.awaited) == (Phase.DEBT, 0)
    t.do(0, Sell(5, SaleKind.ALL))
    assert t.told(TollPaid) == [TollPaid(0, BANK, 39, 100, waived=False)]
    assert t.cash == (0, 0, 300)


def test_8_2_the_receiver_of_an_open_boarding_fee_leaves() -> None:
    """R125, R76: the fee goes to the bank and the flight follows."""
    t = table(3, cash=(15, 300, 300), pos=(30, 0, 0), space=(0,), lands={25: 1, 5: 0})
    t.do(0, SpaceTravel(39))
    t.do(1, Concede())
    t.do(0, Sell(5, SaleKind.ALL))
    assert t.told(SpaceFeePaid) == [SpaceFeePaid(0, BANK, 20)]
    assert (t.pos[0], t.cash[0]) == (39, 5)


def test_8_2_the_owner_leaves_during_the_takeover_decision() -> None:
    """R126: closed as by PASS; the city is the bank's and not for sale on this visit."""
    t = table(3, pos=(31, 0, 0), lands={39: 1}, takeover=True)
    t.roll(3, 5)
    assert t.phase is Phase.DECIDE
    t.do(1, Concede())
    assert t.told(DecisionOpened) == []
    assert (t.lands, t.state.decision, t.state.current) == ({}, None, 2)


def test_8_2_the_owner_leaves_while_the_toll_is_raised() -> None:
    """R126, R125: toll to the bank, no takeover, no sale of the city."""
    t = table(3, cash=(90, 300, 300), pos=(31, 0, 0), lands={39: (1, 3), 5: 0}, takeover=True)
    t.roll(3, 5)
    t.do(1, Concede())
    t.do(0, Sell(5, SaleKind.ALL))
    assert t.told(DecisionOpened) == []
    assert (t.state.decision, t.state.current) == (None, 2)


def test_8_2_the_one_asked_leaves() -> None:
    """R127: the offer is void; the proposer's turn goes on."""
    t = table(3, lands={1: 0}, trade=True)
    t.do(0, ProposeTrade(1, TAIPEI, FIFTY))
    t.do(1, Concede())
    assert t.told(TradeResolved) == [
        TradeResolved(0, 1, False, TradeReason.CONCEDED, TAIPEI, FIFTY)
    ]
    assert (t.phase, t.state.awaited, t.state.offer) == (Phase.TURN_START, 0, None)
    assert t.state.deadline_at == t.now + 30_000


def test_8_2_the_proposer_leaves() -> None:
    """R127: the offer is void; the next player's turn begins."""
    t = table(3, lands={1: 0}, trade=True)
    t.do(0, ProposeTrade(1, TAIPEI, FIFTY))
    t.do(0, Concede())
    assert [event.trade_reason for event in t.told(TradeResolved)] == [TradeReason.CONCEDED]
    assert (t.phase, t.state.awaited, t.lands) == (Phase.TURN_START, 1, {})


def test_8_2_a_third_leaves_while_an_offer_is_open() -> None:
    """R127: nothing changes for the two, their timer neither."""
    t = table(3, lands={1: 0}, trade=True)
    t.do(0, ProposeTrade(1, TAIPEI, FIFTY))
    until = t.state.deadline_at
    t.do(2, Concede())
    assert (t.phase, t.state.awaited, t.state.deadline_at) == (Phase.TRADE_RESPONSE, 1, until)
    t.do(1, RespondToTrade(accept=True))
    assert t.lands == {1: (1, 0)}


def test_8_2_the_drawer_leaves_during_the_birthday() -> None:
    """R128, R125: the open debt goes to the bank, the rest lapses, the next turn begins."""
    t = table(4, cash=(300, 0, 300, 300), lands={39: 1}, top=("L04",))
    t.roll(3, 4)
    assert t.state.awaited == 1
    t.do(0, Concede())
    assert t.told(DebtRedirected) == [DebtRedirected(1, 5, BANK)]
    t.do(1, Sell(39, SaleKind.ALL))
    assert t.told(CardMoney) == [CardMoney(CardId.L04, party(1), BANK, 5)]
    assert t.told(TurnStarted) == [TurnStarted(1, 1)]
    assert t.cash == (0, 15, 300, 300)


def test_8_2_the_open_debtor_leaves_during_the_birthday() -> None:
    """R128: the bank takes all, the collection goes on."""
    t = table(4, cash=(300, 0, 300, 300), lands={39: 1}, top=("L04",))
    t.roll(1, 1)
    t.do(1, Concede())
    assert t.told(WentBankrupt) == [WentBankrupt(1, BANK, 20, 1)]
    assert t.told(CardMoney) == [
        CardMoney(CardId.L04, party(2), party(0), 5),
        CardMoney(CardId.L04, party(3), party(0), 5),
    ]
    assert t.cash == (310, 0, 295, 295)
    assert t.told(ExtraRollStarted) == [ExtraRollStarted(0)]


def test_8_2_a_queued_debtor_of_the_birthday_leaves() -> None:
    """R129: that item lapses."""
    t = table(4, cash=(300, 0, 300, 300), lands={39: 1}, top=("L04",))
    t.roll(3, 4)
    t.do(2, Concede())
    assert (t.phase, t.state.awaited) == (Phase.DEBT, 1)
    t.do(1, Sell(39, SaleKind.ALL))
    assert t.cash == (310, 15, 0, 295)
    assert t.told(WentBankrupt) == []
    assert t.state.players[2].out_seq == 1


def test_8_2_a_queued_creditor_of_the_travel_costs_leaves() -> None:
    """R129: nothing is due to who is out."""
    t = table(4, cash=(0, 300, 300, 300), lands={39: 0}, top=("L19",))
    t.roll(3, 4)
    t.do(2, Concede())
    t.do(0, Sell(39, SaleKind.ALL))
    assert t.cash == (20 - 10, 305, 0, 305)


@pytest.mark.parametrize(
    ("cause", "told"),
    [
        (LeaveCause.LEFT, ConcedeCause.LEFT),
        (LeaveCause.KICKED, ConcedeCause.KICKED),
        (LeaveCause.DELETED, ConcedeCause.DELETED),
    ],
)
def test_8_5_leaving_and_being_kicked_are_concessions(
    cause: LeaveCause, told: ConcedeCause
) -> None:
    """R139: in or out of turn, like CONCEDE in all but the cause told."""
    for seat in (0, 2):
        t, kicked = table(3, lands={5: seat}), table(3, lands={5: seat})
        t.do(seat, Concede())
        kicked.system(Leave(seat, cause))
        assert kicked.state == t.state
        assert kicked.events == (Conceded(seat, told), *t.events[1:])


def test_8_2_giving_up_can_end_the_match() -> None:
    """§8.2, R67: one is left."""
    t = table(lands={39: 1}, fund=3)
    t.do(0, Concede())
    assert (t.result.reason, t.result.winners) == (EndReason.LAST_SURVIVOR, (1,))


def test_8_2_a_void_takeover_keeps_the_extra_roll() -> None:
    """R126, R42: closed as by PASS, so a double still rolls again."""
    t = table(3, pos=(35, 0, 0), lands={39: 1}, takeover=True)
    t.roll(2, 2)
    t.do(1, Concede())
    assert t.told(ExtraRollStarted) == [ExtraRollStarted(0)]
    assert (t.phase, t.state.awaited) == (Phase.TURN_START, 0)
    assert t.state.deadline_at == t.now + 30_000


def test_8_2_the_debtor_gains_no_time_when_the_creditor_leaves() -> None:
    """R125, R152: the same prompt goes on."""
    t = table(3, cash=(90, 300, 300), pos=(31, 0, 0), lands={39: (1, 3), 5: 0})
    t.roll(3, 5)
    until = t.state.deadline_at
    t.do(1, Concede())
    assert t.state.deadline_at == until


def test_8_2_the_creditor_of_the_travel_costs_leaves() -> None:
    """R125, R129: the open 5 go to the bank, the next creditor is paid as usual."""
    t = table(4, cash=(0, 300, 300, 300), lands={39: 0}, top=("L19",))
    t.roll(3, 4)
    t.do(1, Concede())
    assert t.told(DebtRedirected) == [DebtRedirected(0, 5, BANK)]
    t.do(0, Sell(39, SaleKind.ALL))
    assert t.told(CardMoney) == [
        CardMoney(CardId.L19, party(0), BANK, 5),
        CardMoney(CardId.L19, party(0), party(2), 5),
        CardMoney(CardId.L19, party(0), party(3), 5),
    ]
    assert t.cash == (5, 0, 305, 305)


def test_8_2_the_drawer_leaves_on_a_double() -> None:
    """R128, R42: no extra roll is left behind for anybody."""
    t = table(3, cash=(300, 0, 300), lands={39: 1}, top=("L04",))
    t.roll(1, 1)
    t.do(0, Concede())
    t.do(1, Sell(39, SaleKind.ALL))
    assert t.told(ExtraRollStarted) == []
    assert (t.state.current, t.state.extra_roll, t.state.doubles_this_turn) == (1, False, 0)


def test_8_2_the_drawer_leaves_in_the_last_turn_of_all() -> None:
    """R128, R88: the round limit waits for the open debt."""
    t = table(3, cash=(0, 300, 300), lands={39: 0}, top=("L04",), current=2, round=20)
    t.roll(3, 4)
    t.do(2, Concede())
    assert (t.phase, t.state.awaited) == (Phase.DEBT, 0)
    t.do(0, Sell(39, SaleKind.ALL))
    assert t.result.reason is EndReason.ROUND_LIMIT
    assert t.cash == (15, 300, 0)


def test_8_2_the_open_debtor_leaves_and_the_next_gets_a_full_prompt() -> None:
    """R128, R132, R152: a new prompt, a fresh deadline."""
    t = table(4, cash=(300, 0, 0, 300), lands={39: 1, 37: 2}, top=("L04",))
    t.roll(3, 4)
    t.do(1, Concede())
    assert (t.phase, t.state.awaited) == (Phase.DEBT, 2)
    assert t.state.deadline_at == t.now + 30_000


def test_8_2_giving_up_on_the_island_or_before_a_flight() -> None:
    """R124: in any phase; the next one plays."""
    for start in ({"pos": 10, "island": {0: 2}}, {"pos": 30, "space": (0,)}):
        t = table(3, **start)
        t.do(0, Concede())
        player = t.state.players[0]
        assert (player.island_left, player.space_pending) == (0, False)
        assert t.state.current == 1
