"""§3.5 The deck: cards leave from the top and come back at the bottom, never reshuffled."""

from engines.marble.cards import KEPT, CardId
from engines.marble.events import CardDrawn, CardUsed, Log
from engines.marble.state import State
from engines.protocol import Seat


def draw_card(state: State, log: Log) -> tuple[CardId, State]:
    """The current player's card; kept by the player, or under the deck at once (R18)."""
    seat = state.current
    card, rest = state.deck[0], state.deck[1:]
    kept = card in KEPT
    log.append(CardDrawn(seat, card, kept))
    state = state.but(
        deck=rest if kept else (*rest, card), cards_this_turn=state.cards_this_turn + 1
    )
    if kept:
        state = state.with_player(seat, held=(*state.players[seat].held, card))
    return card, state


def use_card(state: State, log: Log, seat: Seat, card: CardId) -> State:
    """Put a kept card that was used under the deck."""
    log.append(CardUsed(seat, card))
    held = tuple(other for other in state.players[seat].held if other is not card)
    return state.with_player(seat, held=held).but(deck=(*state.deck, card))
