"""§8.5: deadlines, and what happens by itself."""

import pytest

from engines.marble.actions import (
    Build,
    Concede,
    Pass,
    PayIslandFee,
    ProposeTrade,
    SaleKind,
    Sell,
    TradeSide,
)
from engines.marble.cards import CardId
from engines.marble.events import (
    Bought,
    CardMoney,
    DebtOpened,
    Escaped,
    IslandRolled,
    Moved,
    Passed,
    Rolled,
    SalaryPaid,
    Sold,
    SpaceFeePaid,
    SpaceTravelled,
    TollPaid,
    TradeResolved,
    WentBankrupt,
)
from engines.marble.money import PaymentCause, party
from engines.marble.reasons import Refusal, TradeReason
from engines.marble.state import Phase
from engines.protocol import Away, Back, Deadline, DeadlineShifted, ShiftDeadline
from tests.engines.marble.table import ENGINE, START, table


def test_8_5_every_prompt_gets_its_whole_time() -> None:
    """R152, R132: after each accepted action that leaves somebody to decide."""
    t = table(pos=10, island={0: 2}, island_fee=10)
    assert ENGINE.deadline(t.state) == Deadline(START, START + 30_000, 0)
    t.do(0, PayIslandFee())
    assert ENGINE.deadline(t.state) == Deadline(t.now, t.now + 30_000, 0)
    t.roll(1, 3)
    assert ENGINE.deadline(t.state) == Deadline(t.now, t.now + 30_000, 0)
    t.do(0, Pass())
    assert ENGINE.deadline(t.state) == Deadline(t.now, t.now + 30_000, 1)


def test_8_5_a_sale_gets_a_fresh_deadline() -> None:
    """R152: also when the same player stays."""
    t = table(cash=(10, 300), pos=(31, 0), lands={39: (1, 3), 36: (0, 3), 37: (0, 3)})
    t.roll(3, 5)
    t.do(0, Sell(36, SaleKind.TOP))
    assert ENGINE.deadline(t.state) == Deadline(t.now, t.now + 30_000, 0)


def test_8_5_a_bystander_gets_a_full_prompt() -> None:
    """R132: the debtor of a birthday has the whole time."""
    t = table(3, cash=(300, 0, 300), lands={39: 1}, top=("L04",))
    t.roll(3, 4)
    assert ENGINE.deadline(t.state) == Deadline(t.now, t.now + 30_000, 1)


def test_8_5_a_concession_of_a_bystander_renews_nothing() -> None:
    """R152: nobody gains time by another's leaving."""
    t = table(3)
    t.do(2, Concede())
    assert ENGINE.deadline(t.state) == Deadline(START, START + 30_000, 0)


def test_8_5_at_the_start_of_a_turn_the_dice_are_rolled() -> None:
    """R136: and the move goes its ordinary way."""
    t = table()
    t.time_out_rolling(1, 3)
    assert t.told(Rolled) == [Rolled(0, (1, 3), double=False, doubles=0)]
    assert (t.phase, t.pos[0]) == (Phase.DECIDE, 4)


def test_8_5_an_extra_roll_is_rolled_too() -> None:
    """R136: it is a turnStart like any other."""
    t = table(pos=16)
    t.roll(2, 2)
    t.time_out_rolling(3, 4)
    assert t.told(Rolled) == [Rolled(0, (3, 4), double=False, doubles=1)]
    assert t.pos[0] == 27


def test_8_5_on_the_island_nothing_is_spent() -> None:
    """R134: the dice are rolled, with card and fee at hand."""
    t = table(pos=10, island={0: 3}, held={0: ("L11",)}, island_fee=10)
    t.time_out_rolling(1, 2)
    assert t.told(IslandRolled) == [IslandRolled(0, (1, 2), double=False, island_left=2)]
    assert t.told(Escaped) == []
    assert (t.cash[0], t.state.players[0].held) == (300, (CardId.L11,))


def test_8_5_a_flight_goes_to_the_start() -> None:
    """R135: with the salary."""
    t = table(pos=30, space=(0,))
    t.time_out()
    assert t.told(SpaceTravelled) == [SpaceTravelled(0, 0)]
    assert t.told(SalaryPaid) == [SalaryPaid(0, 20)]
    assert (t.pos[0], t.cash[0], t.state.current) == (0, 320, 1)


def test_8_5_the_fee_of_such_a_flight_is_due() -> None:
    """R135: with a debt or bankruptcy if need be."""
    t = table(pos=30, space=(0,), lands={25: 1})
    t.time_out()
    assert t.told(SpaceFeePaid) == [SpaceFeePaid(0, party(1), 20)]
    t = table(cash=(15, 300), pos=30, space=(0,), lands={25: 1, 39: 0})
    t.time_out()
    assert t.told(DebtOpened) == [DebtOpened(0, 20, party(1), PaymentCause.SPACE_FEE)]
    t = table(3, cash=(15, 300, 300), pos=30, space=(0,), lands={25: 1})
    t.time_out()
    assert t.told(WentBankrupt) == [WentBankrupt(0, party(1), 15, 1)]
    assert t.told(Moved) == []


@pytest.mark.parametrize(
    ("lands", "takeover"),
    [({}, False), ({4: 0}, False), ({4: 1}, True)],
    ids=["buy", "build", "takeover"],
)
def test_8_5_a_decision_is_passed(lands: dict[int, int], takeover: bool) -> None:
    """§10 시간 초과: nobody's money is spent, be it to buy, to build or to take over."""
    t = table(lands=lands, takeover=takeover)
    t.roll(1, 3)
    assert t.phase is Phase.DECIDE
    cash, owned = t.cash, t.lands
    t.time_out()
    assert t.told(Passed) == [Passed(0, 4)]
    assert t.told(Bought) == []
    assert (t.cash, t.lands, t.state.current) == (cash, owned, 1)


def test_8_5_the_cheapest_stages_are_sold_first() -> None:
    """§10 시간 초과, R133: by sale value over all cities, ties by cell, until the debt is paid."""
    lands = {39: (1, 3), 36: (0, 2), 3: (0, 1), 1: (0, 1), 5: 0, 6: 0}
    t = table(cash=(90, 300), pos=(31, 0), lands=lands)
    t.roll(3, 5)
    t.time_out()
    assert t.told(Sold) == [
        Sold(0, 1, SaleKind.TOP, 1),
        Sold(0, 3, SaleKind.TOP, 1),
        Sold(0, 36, SaleKind.TOP, 17),
    ]
    assert t.told(TollPaid) == [TollPaid(0, party(1), 39, 100, waived=False)]
    assert t.cash == (9, 400)


def test_8_5_lands_are_sold_only_without_buildings() -> None:
    """R133: a villa for 9 goes before a land for 3; then lands by price, ties by cell."""
    lands = {39: (1, 3), 36: (0, 1), 15: 0, 5: 0, 6: 0, 1: 0}
    t = table(cash=(65, 300), pos=(31, 0), lands=lands)
    t.roll(3, 5)
    t.time_out()
    assert t.told(Sold) == [
        Sold(0, 36, SaleKind.TOP, 9),
        Sold(0, 1, SaleKind.ALL, 3),
        Sold(0, 6, SaleKind.ALL, 5),
        Sold(0, 5, SaleKind.ALL, 10),
        Sold(0, 15, SaleKind.ALL, 10),
    ]
    assert t.cash == (65 + 37 - 100, 400)
    assert t.lands == {39: (1, 3), 36: (0, 0)}


def test_8_5_one_expiry_closes_one_debt() -> None:
    """R132: the next creditor of the travel costs is a new prompt."""
    t = table(3, cash=(0, 300, 300), lands={1: 0, 3: 0, 4: 0}, top=("L19",))
    t.roll(3, 4)
    t.time_out()
    assert t.told(Sold) == [Sold(0, 1, SaleKind.ALL, 3), Sold(0, 3, SaleKind.ALL, 3)]
    assert t.told(CardMoney) == [CardMoney(CardId.L19, party(0), party(1), 5)]
    assert t.told(DebtOpened) == [DebtOpened(0, 5, party(2), PaymentCause.CARD)]
    assert ENGINE.deadline(t.state) == Deadline(t.now, t.now + 30_000, 0)


def test_8_5_an_offer_is_declined() -> None:
    """§8.5, R109: no answer is no."""
    t = table(lands={1: 0}, trade=True)
    t.do(0, ProposeTrade(1, TradeSide((1,), 0), TradeSide((), 5)))
    t.time_out()
    assert [event.trade_reason for event in t.told(TradeResolved)] == [TradeReason.TIMED_OUT]
    assert (t.state.awaited, t.lands) == (0, {1: (0, 0)})


def test_8_5_an_absent_player_is_played_and_paid() -> None:
    """§10 연결 끊김, R52: the turn goes its way by time-outs, tolls are received."""
    t = table(pos=(0, 31), lands={39: 0, 4: 1})
    t.system(Away(0))
    t.time_out_rolling(1, 3)
    assert t.cash == (298, 302)
    t.roll(3, 5)
    assert t.cash == (306, 294)
    t.system(Back(0))
    t.roll(1, 6)
    assert t.pos[0] == 11


def test_8_5_away_and_back_change_nothing_in_the_game() -> None:
    """R137, R138: presence is the server's; the engine's state stays the very same."""
    t = table()
    for action in (Away(1), Back(1), Away(0)):
        before = t.state
        t.system(action)
        assert t.state is before
        assert t.events == ()


def test_8_5_an_outage_moves_the_deadline() -> None:
    """§8.5: by as long as it lasted; without a deadline there is nothing to move."""
    t = table()
    t.system(ShiftDeadline(4_000))
    assert t.events == (DeadlineShifted(4_000),)
    assert ENGINE.deadline(t.state) == Deadline(START + 4_000, START + 34_000, 0)
    t = table(turn_seconds=None)
    before = t.state
    t.system(ShiftDeadline(4_000))
    assert (t.state, t.events) == (before, ())


def test_8_5_an_own_city_is_not_built_on() -> None:
    """§8.5: the time-out passes, and BUILD comes too late."""
    t = table(pos=31, lands={39: 0})
    t.roll(3, 5)
    t.time_out()
    assert t.lands == {39: (0, 0)}
    t.refuses(0, Build(1), Refusal.NOT_YOUR_TURN)
