"""§3.4 and §5.3 Moving money between players, the bank and the welfare fund."""

from engines.marble.money import Party, PartyKind
from engines.marble.state import State
from engines.protocol import Seat


def spend(state: State, seat: Seat, amount: int) -> State:
    """Take `amount` from a player's cash, which must suffice."""
    return state.with_player(seat, cash=state.players[seat].cash - amount)


def receive(state: State, receiver: Party, amount: int) -> State:
    """Give `amount` to a player or the fund; what the bank receives is gone."""
    if receiver.kind is PartyKind.FUND:
        return state.but(fund=state.fund + amount)
    if receiver.seat is None:
        return state
    return state.with_player(receiver.seat, cash=state.players[receiver.seat].cash + amount)
