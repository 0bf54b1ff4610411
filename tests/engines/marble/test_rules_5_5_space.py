"""§5.5: space travel."""

import pytest

from engines.marble.actions import (
    ActionName,
    Buy,
    Concede,
    ProposeTrade,
    RespondToTrade,
    Roll,
    SaleKind,
    Sell,
    SpaceTravel,
    TradeSide,
)
from engines.marble.events import (
    CardDrawn,
    DebtOpened,
    DecisionOpened,
    ExtraRollStarted,
    FundPaid,
    FundReceived,
    Moved,
    SalaryPaid,
    SentToIsland,
    SpaceFeePaid,
    SpaceTravelled,
    SpaceTravelReady,
    TollPaid,
    TurnStarted,
    WentBankrupt,
)
from engines.marble.money import PaymentCause, party
from engines.marble.reasons import MoveCause, Refusal
from engines.marble.state import Phase
from tests.engines.marble.table import ENGINE, Table, table


def ready(seats: int = 2, **changes: object) -> Table:
    """Seat 0 waits on 30 for its flight, at the start of its turn."""
    return table(seats, **{"pos": (30,) + (13,) * (seats - 1), "space": (0,), **changes})


def test_5_5_reaching_space_travel_ends_the_turn() -> None:
    """§5.2: the flight is due in the next turn."""
    t = table(pos=23)
    t.roll(3, 4)
    assert t.told(SpaceTravelReady) == [SpaceTravelReady(0)]
    assert t.told(TurnStarted) == [TurnStarted(1, 1)]
    assert t.state.players[0].space_pending


def test_5_5_only_a_flight_is_possible() -> None:
    """R83: of the moves; trading and giving up stay allowed."""
    t = ready(trade=True, lands={1: 0})
    t.refuses(0, Roll(), Refusal.MUST_SPACE_TRAVEL)
    assert ENGINE.view(t.state, 0).available == (
        ActionName.SPACE_TRAVEL,
        ActionName.PROPOSE_TRADE,
        ActionName.CONCEDE,
    )
    t.do(0, ProposeTrade(1, TradeSide((1,), 0), TradeSide((), 1)))
    t.do(1, RespondToTrade(accept=False))
    t.refuses(0, Roll(), Refusal.MUST_SPACE_TRAVEL)
    t.do(0, Concede())


def test_5_5_without_a_flight_due_there_is_none() -> None:
    """§8.2 SPACE_TRAVEL: spacePending is required."""
    t = table(pos=30)
    t.refuses(0, SpaceTravel(1), Refusal.NOT_SPACE_PENDING)


def test_5_5_fee_then_flight_then_salary_then_arrival() -> None:
    """§10 우주여행, R75, R144: 30 → 5 over the start; the fee goes to the owner of 25."""
    t = ready(lands={25: 1})
    t.do(0, SpaceTravel(5))
    assert [type(event) for event in t.events] == [
        SpaceTravelled,
        SpaceFeePaid,
        Moved,
        SalaryPaid,
        DecisionOpened,
    ]
    assert t.told(SpaceFeePaid) == [SpaceFeePaid(0, party(1), 20)]
    assert t.told(Moved)[0].passed_start is True
    assert t.told(Moved)[0].move_cause is MoveCause.FLIGHT
    assert (t.cash, t.pos[0]) == ((300, 320), 5)


def test_5_5_the_salary_of_the_flight_cannot_pay_the_fee() -> None:
    """R75: with 19 in hand and nothing to sell the traveller is bankrupt on the ground."""
    t = ready(3, cash=(19, 300, 300), lands={25: 1})
    t.do(0, SpaceTravel(0))
    assert t.told(WentBankrupt) == [WentBankrupt(0, party(1), 19, 1)]


@pytest.mark.parametrize("lands", [{}, {25: 0}])
def test_5_5_the_bank_and_the_owner_fly_free(lands: dict[int, int]) -> None:
    """§5.5: no fee where 25 is the bank's or one's own."""
    t = ready(lands=lands)
    t.do(0, SpaceTravel(39))
    assert t.told(SpaceFeePaid) == []
    assert t.cash == (300, 300)


def test_5_5_the_boarding_fee_never_doubles() -> None:
    """R12: it is no toll."""
    t = ready(lands={25: 1, 5: 1, 15: 1, 35: 1})
    t.do(0, SpaceTravel(39))
    assert t.told(SpaceFeePaid) == [SpaceFeePaid(0, party(1), 20)]


def test_5_5_the_destination_waits_for_the_fee() -> None:
    """R76: still on 30 in the debt, the choice is final, then the flight."""
    t = ready(cash=(10, 300), lands={25: 1, 39: 0})
    t.do(0, SpaceTravel(5))
    assert t.told(DebtOpened) == [DebtOpened(0, 20, party(1), PaymentCause.SPACE_FEE)]
    assert (t.phase, t.pos[0], t.state.players[0].space_pending) == (Phase.DEBT, 30, False)
    t.refuses(0, SpaceTravel(1), Refusal.WRONG_PHASE)
    t.do(0, Sell(39, SaleKind.ALL))
    assert t.told(SpaceFeePaid) == [SpaceFeePaid(0, party(1), 20)]
    assert (t.pos[0], t.cash[0]) == (5, 10 + 20 - 20 + 20)


def test_5_5_a_fee_that_cannot_be_raised() -> None:
    """R77: bankrupt in favour of the owner of 25; no flight, no salary."""
    t = ready(3, cash=(3, 300, 300), lands={25: 2, 1: 0})
    t.do(0, SpaceTravel(5))
    assert t.told(WentBankrupt) == [WentBankrupt(0, party(2), 6, 1)]
    assert t.told(Moved, SalaryPaid, SpaceFeePaid) == []
    assert t.cash == (0, 300, 306)


@pytest.mark.parametrize("dest", [30, 40, -1, 70, True, False, None, "39"])
def test_5_5_where_one_cannot_fly(dest: object) -> None:
    """R78: integers 0..39 but 30, else BAD_DEST."""
    t = ready()
    refused = t.refuses(0, SpaceTravel(dest), Refusal.BAD_DEST)  # type: ignore[arg-type]
    assert refused.path == ("dest",)


def test_5_5_every_other_cell_can_be_reached() -> None:
    """R78: all thirty-nine."""
    for dest in range(40):
        if dest != 30:
            t = ready(top=("L01",))
            t.do(0, SpaceTravel(dest))
            assert t.told(SpaceTravelled) == [SpaceTravelled(0, dest)]
            assert t.told(Moved)[0].path[-1] == dest


def test_5_5_to_the_island() -> None:
    """R78: stuck there, with the salary on the way."""
    t = ready()
    t.do(0, SpaceTravel(10))
    assert len(t.told(SentToIsland)) == 1
    assert (t.cash[0], t.state.players[0].island_left) == (320, 3)


def test_5_5_to_the_start() -> None:
    """R78: one salary."""
    t = ready()
    t.do(0, SpaceTravel(0))
    assert t.told(SalaryPaid) == [SalaryPaid(0, 20)]
    assert (t.cash[0], t.state.current) == (320, 1)


def test_5_5_to_the_payout() -> None:
    """R78: the whole fund, with the salary on the way."""
    t = ready(fund=33)
    t.do(0, SpaceTravel(20))
    assert t.told(FundReceived) == [FundReceived(0, 33)]
    assert t.cash[0] == 353


def test_5_5_to_the_donation() -> None:
    """R78: 15, and no salary on the way."""
    t = ready()
    t.do(0, SpaceTravel(38))
    assert len(t.told(FundPaid)) == 1
    assert (t.cash[0], t.told(SalaryPaid)) == (285, [])


def test_5_5_to_a_card() -> None:
    """R78: card cells draw."""
    t = ready(top=("L02",))
    t.do(0, SpaceTravel(33))
    assert len(t.told(CardDrawn)) == 1
    assert t.cash[0] == 310


@pytest.mark.parametrize(("lands", "toll"), [({25: 1}, 15), ({25: 1, 5: 1}, 30)])
def test_5_5_to_the_space_centre_of_another(lands: dict[int, int], toll: int) -> None:
    """R79: fee and toll, two payments."""
    t = ready(lands=lands)
    t.do(0, SpaceTravel(25))
    assert t.told(SpaceFeePaid) == [SpaceFeePaid(0, party(1), 20)]
    assert t.told(TollPaid) == [TollPaid(0, party(1), 25, toll, waived=False)]
    assert t.cash == (300 - 20 + 20 - toll, 320 + toll)


def test_5_5_the_owner_is_read_when_the_flight_is_chosen() -> None:
    """R80: bought by trade in the same turn, the flight is free."""
    t = ready(lands={25: 1}, trade=True)
    t.do(0, ProposeTrade(1, TradeSide((), 30), TradeSide((25,), 0)))
    t.do(1, RespondToTrade(accept=True))
    t.do(0, SpaceTravel(39))
    assert t.told(SpaceFeePaid) == []


def test_5_5_the_owner_on_the_island_is_paid() -> None:
    """R81: as with tolls."""
    t = ready(lands={25: 1}, island={1: 2})
    t.do(0, SpaceTravel(39))
    assert t.cash == (280, 320)


@pytest.mark.parametrize("card", ["L14", "L16"])
def test_5_5_a_flight_may_lead_back_to_30(card: str) -> None:
    """R82: by a card on 33; the next flight is due in the next turn."""
    t = ready(top=(card,))
    t.do(0, SpaceTravel(33))
    assert (t.pos[0], t.state.players[0].space_pending, t.state.current) == (30, True, 1)


def test_5_5_a_flight_gives_no_extra_roll() -> None:
    """R85: the turn ends after the arrival is dealt with."""
    t = ready()
    t.do(0, SpaceTravel(39))
    assert t.state.extra_roll is False
    t.do(0, Buy())
    assert t.told(ExtraRollStarted) == []
    assert t.told(TurnStarted) == [TurnStarted(1, 1)]


def test_5_5_what_a_flight_would_bring_is_shown() -> None:
    """§9: salary, toll and to whom, fee, price and fund, cell by cell."""
    t = ready(lands={25: 1, 39: (1, 3), 5: 1, 1: 0}, fund=12, held={0: ("L12",)})
    shown = {preview.pos: preview for preview in ENGINE.view(t.state, 0).choices.destinations}
    assert sorted(shown) == [pos for pos in range(40) if pos != 30]
    seoul = shown[39]
    assert (seoul.boarding_fee, seoul.salary, seoul.toll, seoul.toll_to) == (20, 0, 100, 1)
    assert (seoul.toll_waived, seoul.price) == (True, None)
    jeju = shown[5]
    assert (jeju.salary, jeju.toll, jeju.toll_to) == (20, 20, 1)
    assert (shown[3].price, shown[3].toll, shown[3].toll_to) == (6, 0, None)
    assert (shown[1].price, shown[1].toll) == (None, 0)
    assert (shown[38].fund_payment, shown[38].salary) == (15, 0)
    assert (shown[20].fund_receipt, shown[20].salary) == (12, 20)
    assert ENGINE.view(t.state, 1).choices is None
