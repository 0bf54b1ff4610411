"""What an action must carry: exact types, so that `True` is no cell and no hostile value gets in.

Destinations and levels are left to their own rules, which refuse every other value by name
(R50, R78).
"""

from typing import Any

from engines.marble.actions import ProposeTrade, RespondToTrade, SaleKind, Sell, TradeSide


def fault_of(action: Any) -> tuple[str, ...] | None:
    """The path of the first field of a wrong type; None if the action is well formed."""
    match action:
        case Sell(pos, what):
            if type(pos) is not int:
                return ("pos",)
            return None if type(what) is SaleKind else ("what",)
        case ProposeTrade(to, give, take):
            if type(to) is not int:
                return ("to",)
            return _side_fault(give, "give") or _side_fault(take, "take")
        case RespondToTrade(accept):
            return None if type(accept) is bool else ("accept",)
    return None


def _side_fault(side: Any, name: str) -> tuple[str, ...] | None:
    if type(side) is not TradeSide:
        return (name,)
    if type(side.lands) is not tuple or any(type(pos) is not int for pos in side.lands):
        return (name, "lands")
    return None if type(side.cash) is int else (name, "cash")
