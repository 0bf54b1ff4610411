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


def keen(view: View, rnd: Random) -> Move | None:
    """Buys, builds and takes over whatever it can pay, and trades now and then."""
    if view.choices is None:
        return None
    offered = [name for name in view.available if name is not ActionName.CONCEDE]
    for name in PREFERRED:
        if name in offered and rnd.random() < 0.9:
            return _move(name, view, rnd)
    if ActionName.PROPOSE_TRADE in offered and rnd.random() > 0.15:
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
        return _offer(view, rnd)
    return {}


def _offer(view: View, rnd: Random) -> dict[str, object]:
    others = [p.seat for p in view.players if p.alive and p.seat != view.your_seat]
    to = rnd.choice(others)

    def side(seat: int | None) -> dict[str, object]:
        lands = [land.pos for land in view.lands if land.owner == seat]
        cash = next(p.cash for p in view.players if p.seat == seat)
        some = rnd.sample(lands, min(len(lands), rnd.randint(0, 2)))
        return {"lands": some, "cash": rnd.randint(1, min(20, cash)) if cash else 0}

    return {"to": to, "give": side(view.your_seat), "take": side(to)}
