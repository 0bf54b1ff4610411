"""What the laws must be told about marble."""

from collections.abc import Iterable
from random import Random
from typing import Any

from msgspec.structs import replace

from engines.marble import ENGINE
from engines.marble import events as e
from engines.marble.actions import (
    ActionName,
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
from engines.marble.options import OPTION_SPECS, Options
from engines.marble.state import State, lands_of, others_after
from engines.marble.views import View
from engines.protocol import Actor, Viewer
from engines.replay import Entry
from engines.rng import Stream
from tests.engines.marble.ledger import check_accounts, check_cards, check_lands
from tests.engines.marble.reducer import Public, public_of, reduced

STEPS_PER_TURN = 40
GIVE_UP = 0.002
GIVE_UP_IN_BETWEEN = 0.05
"""With a debt or an offer open: rare moments in which somebody's leaving matters most."""
OFFER = 0.3
DECLINE_TO_SPEND = 0.2
TIGHT = {"startMoney": 200, "salary": 10, "maxRounds": 0}


class MarbleAdapter:
    """The deck and the stream are the only secrets; everything else is public."""

    def random_options(self, rnd: Random) -> dict[str, object]:
        """Each option left out or set to any of its choices; half of the matches are tight.

        Tight ones have little money and no early end: debts and bankruptcies are rare elsewhere.
        """
        chosen = {
            spec.key: rnd.choice(spec.choices).value for spec in OPTION_SPECS if rnd.random() < 0.7
        }
        return chosen if rnd.random() < 0.5 else chosen | TIGHT

    def longest(self, options: Options, seats: int) -> int | None:
        """Without a round limit a match need not end (R04)."""
        return options.max_rounds * seats * STEPS_PER_TURN or None

    def random_action(self, state: State, actor: Actor, rnd: Random) -> Any | None:
        """One of the actions the view calls available; giving up and offering are rarer."""
        if not isinstance(actor, int):
            return None
        names = [name for name in ENGINE.view(state, actor).available if wanted(name, state, rnd)]
        return action_of(rnd.choice(names), state, actor, rnd) if names else None

    def hostile_action(self, state: State, actor: Actor, rnd: Random) -> Any:
        """Any action with cells, seats and amounts from anywhere."""
        pos, seat = rnd.randrange(-2, 43), rnd.randrange(-1, 6)
        sides = [
            TradeSide(
                tuple(rnd.randrange(-1, 41) for _ in range(rnd.randrange(3))),
                rnd.randrange(-20, 900),
            )
            for _ in range(2)
        ]
        return rnd.choice(
            [
                *(Roll(), PayIslandFee(), UseEscapeCard(), Buy(), Takeover(), Pass(), Concede()),
                *(SpaceTravel(pos), Build(rnd.randrange(-1, 6))),
                Sell(pos, rnd.choice(list(SaleKind))),
                ProposeTrade(seat, *sides),
                RespondToTrade(rnd.random() < 0.5),
            ]
        )

    def other_world(
        self,
        state: State,
        viewer: Viewer,
        rnd: Random,
        entry: Entry | None = None,
        events: Iterable[Any] = (),
    ) -> tuple[State, Entry | None]:
        """Shuffle the deck below the cards about to be drawn; other dice unless some are rolled."""
        told = tuple(events)
        drawn = sum(isinstance(event, e.CardDrawn) for event in told)
        rest = list(state.deck[drawn:])
        rnd.shuffle(rest)
        dice = any(isinstance(event, e.Rolled | e.IslandRolled) for event in told)
        rng = state.rng if dice else Stream(rnd.randbytes(32), rnd.randrange(1_000))
        return replace(state, deck=(*state.deck[:drawn], *rest), rng=rng), entry

    def public(self, view: View) -> Public:
        """All but the viewer's own choices."""
        return public_of(view)

    def reduce(self, public: Public, event: Any, viewer: Viewer) -> Public:
        """One event, the same for every viewer."""
        return reduced(public, event)

    def check_conservation(self, before: State, events: Iterable[Any], after: State) -> None:
        """Money, cards and lands."""
        check_accounts(before, events, after)
        check_cards(after)
        check_lands(after)


def wanted(name: ActionName, state: State, rnd: Random) -> bool:
    """Whether an available action is among those thought of this time."""
    if name is ActionName.CONCEDE:
        delicate = state.debt is not None or state.offer is not None
        return rnd.random() < (GIVE_UP_IN_BETWEEN if delicate else GIVE_UP)
    if name is ActionName.PROPOSE_TRADE:
        return rnd.random() < OFFER
    return name is not ActionName.PASS or rnd.random() < DECLINE_TO_SPEND


def action_of(name: ActionName, state: State, seat: int, rnd: Random) -> Any:
    """An action of that name which the rules allow the seat now."""
    match name:
        case ActionName.SPACE_TRAVEL:
            return SpaceTravel(rnd.choice([pos for pos in range(40) if pos != 30]))
        case ActionName.BUILD:
            assert state.decision is not None
            assert state.decision.can_build is not None
            return Build(state.decision.can_build)
        case ActionName.SELL:
            choices = ENGINE.view(state, seat).choices
            sale = rnd.choice(choices.sales)
            return Sell(sale.pos, sale.what)
        case ActionName.PROPOSE_TRADE:
            return random_offer(state, seat, rnd)
        case ActionName.RESPOND_TO_TRADE:
            return RespondToTrade(rnd.random() < 0.6)
    return PLAIN[name]()


def random_offer(state: State, seat: int, rnd: Random) -> ProposeTrade:
    """Some lands and cash of both sides, never nothing at all."""
    other = rnd.choice(others_after(state, seat))
    while True:
        give, take = (random_side(state, giver, rnd) for giver in (seat, other))
        if give != TradeSide((), 0) or take != TradeSide((), 0):
            return ProposeTrade(other, give, take)


def random_side(state: State, seat: int, rnd: Random) -> TradeSide:
    """Up to two lands and some cash a seat really has."""
    lands = [pos for pos, _ in lands_of(state, seat)]
    chosen = rnd.sample(lands, min(len(lands), rnd.randrange(3)))
    return TradeSide(tuple(chosen), rnd.randint(0, state.players[seat].cash))


PLAIN: dict[ActionName, type] = {
    ActionName.ROLL: Roll,
    ActionName.PAY_ISLAND_FEE: PayIslandFee,
    ActionName.USE_ESCAPE_CARD: UseEscapeCard,
    ActionName.BUY: Buy,
    ActionName.TAKEOVER: Takeover,
    ActionName.PASS: Pass,
    ActionName.CONCEDE: Concede,
}

ADAPTER = MarbleAdapter()
