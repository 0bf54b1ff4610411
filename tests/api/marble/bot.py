"""Seats of a marble match that play by what their view offers."""

from random import Random

from engines.marble.actions import ActionName
from engines.marble.views import View
from tests.api.table import Move

PREFERRED = (
    ActionName.BUILD,
    ActionName.TAKEOVER,
    ActionName.BUY,
    ActionName.USE_ESCAPE_CARD,
    ActionName.PAY_ISLAND_FEE,
)


def keen(view: View, rnd: Random, trades: float = 0.15) -> Move | None:
    """Buys, builds and takes over whatever it can pay, and trades now and then."""
    if view.choices is None:
        return None
    offered = [name for name in view.available if name is not ActionName.CONCEDE]
    for name in PREFERRED:
        if name in offered and rnd.random() < 0.9:
            return _move(name, view, rnd)
    if ActionName.PROPOSE_TRADE in offered and rnd.random() > trades:
        offered.remove(ActionName.PROPOSE_TRADE)
    return _move(rnd.choice(offered), view, rnd)


def _move(name: ActionName, view: View, rnd: Random) -> Move:
    action = name.value[:1].upper() + name.value[1:]
    return Move(action, _given(name, view, rnd))


def _given(name: ActionName, view: View, rnd: Random) -> dict[str, object]:
    assert view.choices is not None
    if name is ActionName.BUILD:
        assert view.decision is not None
        return {"level": view.decision.can_build}
    if name is ActionName.SPACE_TRAVEL:
        return {"dest": rnd.choice(view.choices.destinations).pos}
    if name is ActionName.SELL:
        sale = rnd.choice(view.choices.sales)
        return {"pos": sale.pos, "what": sale.what.name}
    if name is ActionName.RESPOND_TO_TRADE:
        return {"accept": rnd.random() < 0.6}
    if name is ActionName.PROPOSE_TRADE:
        return _offer(view, rnd).given
    return {}


def _offer(view: View, rnd: Random) -> Move:
    others = [p.seat for p in view.players if p.alive and p.seat != view.your_seat]
    to = rnd.choice(others)

    def side(seat: int | None) -> dict[str, object]:
        lands = [land.pos for land in view.lands if land.owner == seat]
        cash = next(p.cash for p in view.players if p.seat == seat)
        some = rnd.sample(lands, min(len(lands), rnd.randint(0, 2)))
        return {"lands": some, "cash": rnd.randint(1, min(20, cash)) if cash else 0}

    return Move("ProposeTrade", {"to": to, "give": side(view.your_seat), "take": side(to)})


def wild(view: View, rnd: Random) -> Move | None:
    """Plays keenly and recklessly, and gives up when somebody owes it money, now and then."""
    if view.your_seat is not None and ActionName.CONCEDE in view.available:
        owed = view.debt is not None and view.debt.to.seat == view.your_seat
        if rnd.random() < (0.2 if owed else 0.001):
            return Move("Concede", {})
    return keen(view, rnd)


def generous(view: View, rnd: Random) -> Move | None:
    """Buys all it can and gives it to seat 0 as a present, which seat 0 never declines."""
    if view.choices is None:
        return None
    mine = [land.pos for land in view.lands if land.owner == view.your_seat]
    if ActionName.RESPOND_TO_TRADE in view.available:
        return Move("RespondToTrade", {"accept": True})
    if ActionName.PROPOSE_TRADE in view.available and mine and view.your_seat != 0:
        nothing = {"lands": [], "cash": 0}
        return Move("ProposeTrade", {"to": 0, "give": {"lands": mine, "cash": 0}, "take": nothing})
    return keen(view, rnd, trades=0)


def nuisance(view: View, rnd: Random) -> Move | None:
    """Something the rules do not allow, mostly where it is nearly allowed; never gives up."""
    near_miss = _near_miss(view, rnd)
    seldom = view.choices is not None and bool(view.choices.destinations or view.choices.sales)
    if near_miss is not None and (seldom or rnd.random() < 0.4):
        return near_miss
    if rnd.random() < 0.6:
        return None
    cell = rnd.choice([rnd.randint(-2, 45), *(land.pos for land in view.lands)])
    side = {"lands": rnd.sample(range(-1, 41), rnd.randint(0, 2)), "cash": rnd.randint(-1, 500)}
    return rnd.choice(
        [
            Move("PayIslandFee", {}),
            Move("UseEscapeCard", {}),
            Move("SpaceTravel", {"dest": cell}),
            Move("Buy", {}),
            Move("Build", {"level": rnd.randint(0, 5)}),
            Move("Takeover", {}),
            Move("Sell", {"pos": cell, "what": rnd.choice(["TOP", "ALL"])}),
            Move("ProposeTrade", {"to": rnd.randint(-1, 4), "give": side, "take": side}),
            Move("RespondToTrade", {"accept": rnd.random() < 0.5}),
        ]
    )


def _near_miss(view: View, rnd: Random) -> Move | None:
    """What the awaited player may nearly do."""
    choices = view.choices
    if choices is None:
        return None
    if choices.island is not None and not choices.island.escape_card:
        return Move("UseEscapeCard", {})
    if choices.destinations:
        return rnd.choice([Move("SpaceTravel", {"dest": 30}), Move("Roll", {})])
    if choices.sales:
        bare = [land.pos for land in view.lands if land.level == 0 and land.owner == view.your_seat]
        return Move("Sell", {"pos": bare[0], "what": "TOP"}) if bare else None
    if view.trades_this_turn == 2:
        return _offer(view, rnd)
    if view.decision is not None and view.decision.can_build is not None:
        return Move("Build", {"level": view.decision.can_build + 1})
    return None
