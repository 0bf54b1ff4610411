"""§8.2: the order in which an action is judged (R120)."""

from dataclasses import dataclass

import pytest

from engines.marble.actions import (
    ACTIONS,
    Build,
    Buy,
    Concede,
    Pass,
    PayIslandFee,
    ProposeTrade,
    RespondToTrade,
    Roll,
    SaleKind,
    Sell,
    SpaceTravel,
    Takeover,
    TradeSide,
    UseEscapeCard,
)
from engines.marble.reasons import Refusal
from engines.protocol import SYSTEM
from tests.engines.marble.table import Table, table

NOTHING = TradeSide((), 0)
ORDER = [
    "GAME_OVER",
    "UNKNOWN_PLAYER",
    "ELIMINATED",
    "UNKNOWN_ACTION",
    "OPTION_OFF",
    "BAD_PAYLOAD",
    "NOT_YOUR_TURN",
    "WRONG_PHASE",
    "MUST_SPACE_TRAVEL",
    "NOT_SPACE_PENDING",
    "NOT_ON_ISLAND",
    "NO_CARD",
    "BAD_DEST",
    "CANNOT_BUY",
    "CANNOT_BUILD",
    "BAD_LEVEL",
    "CANNOT_TAKEOVER",
    "NOT_OWNER",
    "NO_BUILDING",
    "TRADE_LIMIT",
    "BAD_TRADE",
    "NOT_ENOUGH_MONEY",
]


@dataclass(frozen=True)
class Juggle:
    """No action of this game."""


def test_8_2_the_codes_in_their_order() -> None:
    """R120: as listed."""
    assert [reason.name for reason in Refusal] == ORDER


def finished() -> Table:
    """Seat 1 is the last survivor."""
    t = table()
    t.do(0, Concede())
    return t


def test_8_2_game_over_comes_first() -> None:
    """R120, R142: whoever asks, and whatever for."""
    t = finished()
    for actor in (0, 1, 9):
        for action in (Juggle(), Roll(), Takeover(), Concede()):
            t.refuses(actor, action, Refusal.GAME_OVER)


def test_8_2_unknown_players_before_unknown_actions() -> None:
    """R120."""
    t = table()
    for actor in (2, 9, -1):
        t.refuses(actor, Juggle(), Refusal.UNKNOWN_PLAYER)
        t.refuses(actor, Concede(), Refusal.UNKNOWN_PLAYER)


def test_8_2_the_eliminated_before_unknown_actions() -> None:
    """R120, R141."""
    t = table(3, out=(2,))
    for action in (Juggle(), Takeover(), Roll(), Concede()):
        t.refuses(2, action, Refusal.ELIMINATED)


def test_8_2_unknown_actions_before_the_turn() -> None:
    """R120: from a seat and from the system."""
    t = table()
    for actor in (0, 1, SYSTEM):
        t.refuses(actor, Juggle(), Refusal.UNKNOWN_ACTION)


BROKEN_OFFER = ProposeTrade(1, NOTHING, None)  # type: ignore[arg-type]


@pytest.mark.parametrize("action", [Takeover(), PayIslandFee(), BROKEN_OFFER])
def test_8_2_options_before_payload_and_turn(action: object) -> None:
    """R120, R97: OPTION_OFF comes before BAD_PAYLOAD, NOT_YOUR_TURN and WRONG_PHASE."""
    t = table()
    t.refuses(0, action, Refusal.OPTION_OFF)
    t.refuses(1, action, Refusal.OPTION_OFF)


@pytest.mark.parametrize(
    ("action", "path"),
    [
        (BROKEN_OFFER, ("take",)),
        (ProposeTrade("1", NOTHING, NOTHING), ("to",)),  # type: ignore[arg-type]
        (ProposeTrade(1, TradeSide((), 1.5), NOTHING), ("give", "cash")),  # type: ignore[arg-type]
        (ProposeTrade(1, NOTHING, TradeSide([1], 0)), ("take", "lands")),  # type: ignore[arg-type]
        (Sell("39", SaleKind.TOP), ("pos",)),  # type: ignore[arg-type]
        (Sell(True, SaleKind.TOP), ("pos",)),
        (Sell(39, "half"), ("what",)),  # type: ignore[arg-type]
        (RespondToTrade(1), ("accept",)),  # type: ignore[arg-type]
    ],
)
def test_8_2_payload_before_the_turn(action: object, path: tuple[str, ...]) -> None:
    """R120: BAD_PAYLOAD comes before NOT_YOUR_TURN and names the field."""
    t = table(trade=True)
    for seat in (0, 1):
        assert t.refuses(seat, action, Refusal.BAD_PAYLOAD).path == path


@pytest.mark.parametrize(
    "action",
    [
        Roll(),
        UseEscapeCard(),
        SpaceTravel(99),
        Buy(),
        Build(9),
        Pass(),
        Sell(39, SaleKind.TOP),
        RespondToTrade(accept=True),
        ProposeTrade(9, NOTHING, NOTHING),
    ],
)
def test_8_2_the_turn_before_the_phase(action: object) -> None:
    """R120: whoever is not awaited is told so, CONCEDE alone excepted."""
    t = table(trade=True)
    t.refuses(1, action, Refusal.NOT_YOUR_TURN)


def test_8_2_giving_up_is_always_possible() -> None:
    """R120: CONCEDE is exempt from turn and phase."""
    t = table(3)
    t.do(1, Concede())
    assert not t.state.players[1].alive


@pytest.mark.parametrize(
    "action",
    [Buy(), Build(9), Takeover(), Pass(), Sell(1, SaleKind.TOP), RespondToTrade(accept=True)],
)
def test_8_2_the_phase_before_the_rest_at_turn_start(action: object) -> None:
    """R120: WRONG_PHASE comes before the action's own checks."""
    table(takeover=True, trade=True).refuses(0, action, Refusal.WRONG_PHASE)


@pytest.mark.parametrize(
    "action",
    [
        Roll(),
        PayIslandFee(),
        UseEscapeCard(),
        SpaceTravel(99),
        ProposeTrade(9, NOTHING, NOTHING),
        Sell(1, SaleKind.TOP),
    ],
)
def test_8_2_the_phase_before_the_rest_in_a_decision(action: object) -> None:
    """R120: the same in decide."""
    t = table(trade=True, island_fee=10)
    t.roll(1, 3)
    t.refuses(0, action, Refusal.WRONG_PHASE)


def test_8_2_own_checks_of_the_island() -> None:
    """R120: NOT_ON_ISLAND before NO_CARD and before NOT_ENOUGH_MONEY."""
    t = table(cash=0, island_fee=10)
    t.refuses(0, UseEscapeCard(), Refusal.NOT_ON_ISLAND)
    t.refuses(0, PayIslandFee(), Refusal.NOT_ON_ISLAND)


def test_8_2_own_checks_of_a_flight() -> None:
    """R120: NOT_SPACE_PENDING before BAD_DEST."""
    table().refuses(0, SpaceTravel(99), Refusal.NOT_SPACE_PENDING)


def test_8_2_own_checks_of_building() -> None:
    """R120: CANNOT_BUILD before BAD_LEVEL before NOT_ENOUGH_MONEY."""
    t = table(cash=(0, 300))
    t.roll(1, 3)
    t.refuses(0, Build(9), Refusal.CANNOT_BUILD)
    t = table(cash=(0, 300), pos=31, lands={39: 0})
    t.roll(3, 5)
    t.refuses(0, Build(9), Refusal.BAD_LEVEL)
    t.refuses(0, Build(1), Refusal.NOT_ENOUGH_MONEY)


def test_8_2_own_checks_of_buying_and_taking_over() -> None:
    """R120: CANNOT_BUY and CANNOT_TAKEOVER before NOT_ENOUGH_MONEY."""
    t = table(cash=(0, 300), pos=31, lands={39: 0}, takeover=True)
    t.roll(3, 5)
    t.refuses(0, Buy(), Refusal.CANNOT_BUY)
    t.refuses(0, Takeover(), Refusal.CANNOT_TAKEOVER)


def test_8_2_own_checks_of_selling() -> None:
    """R120: NOT_OWNER before NO_BUILDING."""
    t = table(cash=(1, 300), lands={39: 0, 1: 1}, top=("L07",))
    t.roll(3, 4)
    t.refuses(0, Sell(1, SaleKind.TOP), Refusal.NOT_OWNER)
    t.refuses(0, Sell(39, SaleKind.TOP), Refusal.NO_BUILDING)


def test_8_2_own_checks_of_a_trade() -> None:
    """R120: NOT_OWNER, TRADE_LIMIT, BAD_TRADE, NOT_ENOUGH_MONEY, in this order."""
    t = table(trade=True)
    foreign, poor = TradeSide((1,), 999), TradeSide((), 999)
    t.state = t.state.but(trades_this_turn=2)
    t.refuses(0, ProposeTrade(1, foreign, NOTHING), Refusal.NOT_OWNER)
    t.refuses(0, ProposeTrade(0, poor, NOTHING), Refusal.TRADE_LIMIT)
    t.state = t.state.but(trades_this_turn=1)
    t.refuses(0, ProposeTrade(0, poor, NOTHING), Refusal.BAD_TRADE)
    t.refuses(0, ProposeTrade(1, poor, NOTHING), Refusal.NOT_ENOUGH_MONEY)


def test_8_2_a_refusal_uses_no_chance() -> None:
    """R120, R146: the stream stands where it stood."""
    t = table(pos=30, space=(0,))
    before = t.state
    t.refuses(0, Roll(), Refusal.MUST_SPACE_TRAVEL)
    assert t.state is before
    assert t.state.rng.taken == 0


def test_8_2_twelve_actions() -> None:
    """§8.2: the list of actions."""
    assert [action.__name__ for action in ACTIONS] == [
        "Roll",
        "PayIslandFee",
        "UseEscapeCard",
        "SpaceTravel",
        "Buy",
        "Build",
        "Takeover",
        "Pass",
        "Sell",
        "ProposeTrade",
        "RespondToTrade",
        "Concede",
    ]
