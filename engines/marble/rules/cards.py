"""§3.5 What the lucky cards do; payments and arrivals they cause are left pending."""

from collections.abc import Callable
from typing import Final

from engines.marble.board import CELL_COUNT, FUND_TAKE, SEOUL, SPACE, START, TOURS
from engines.marble.cards import CardId
from engines.marble.events import CardMoney, Log
from engines.marble.money import BANK, FUND, Party, PaymentCause, party
from engines.marble.reasons import IslandReason, MoveCause
from engines.marble.rules.deck import draw_card
from engines.marble.rules.island import send_to_island
from engines.marble.rules.ledger import receive
from engines.marble.rules.movement import advance_to, step_back
from engines.marble.state import Arrive, Payment, State, lands_of, others_after
from engines.protocol import Seat

CARDS_PER_TURN: Final = 5
REPAIRS: Final = (0, 3, 9, 19, 34)
"""L09 in 만 by level: 3, 6, 10 and 15 for each stage built, summed (R24)."""

Effect = Callable[[State, Log, CardId], State]


def play_card(state: State, log: Log) -> State:
    """The current player draws the top card and it takes effect."""
    card, state = draw_card(state, log)
    return EFFECTS[card](state, log, card)


def _keep(state: State, log: Log, card: CardId) -> State:
    return state


def _income(amount: int) -> Effect:
    def effect(state: State, log: Log, card: CardId) -> State:
        drawer = party(state.current)
        log.append(CardMoney(card, BANK, drawer, amount))
        return receive(state, drawer, amount)

    return effect


def _expense(to: Party, amount: Callable[[State], int]) -> Effect:
    def effect(state: State, log: Log, card: CardId) -> State:
        due = amount(state)  # R24, R25: fixed when drawn
        return state.then(_due(card, state.current, to, due)) if due else state

    return effect


def _due(card: CardId, debtor: Seat, to: Party, amount: int) -> Payment:
    return Payment(debtor, to, amount, PaymentCause.CARD, card)


def _repairs(state: State) -> int:
    return sum(REPAIRS[land.level] for _, land in lands_of(state, state.current))


def _property_tax(state: State) -> int:
    return 2 * len(lands_of(state, state.current))


def _birthday(state: State, log: Log, card: CardId) -> State:
    drawer = state.current
    givers = others_after(state, drawer)  # R22
    return state.then(*(_due(card, giver, party(drawer), 5) for giver in givers))


def _travel_costs(state: State, log: Log, card: CardId) -> State:
    drawer = state.current
    takers = others_after(state, drawer)  # R22
    return state.then(*(_due(card, drawer, party(taker), 5) for taker in takers))


def _storm(state: State, log: Log, card: CardId) -> State:
    return send_to_island(state, log, IslandReason.CARD)


def _forward_to(dest: int) -> Effect:
    def effect(state: State, log: Log, card: CardId) -> State:
        return advance_to(state, log, dest, MoveCause.CARD).then(Arrive())

    return effect


def _sightseeing(state: State, log: Log, card: CardId) -> State:
    pos = state.players[state.current].pos
    nearest = min(TOURS, key=lambda tour: (tour - pos - 1) % CELL_COUNT)  # R32: strictly ahead
    return advance_to(state, log, nearest, MoveCause.CARD).then(Arrive())


def _three_back(state: State, log: Log, card: CardId) -> State:
    return step_back(state, log, 3).then(Arrive())


EFFECTS: Final[dict[CardId, Effect]] = {
    CardId.L01: _income(20),
    CardId.L02: _income(10),
    CardId.L03: _income(15),
    CardId.L04: _birthday,
    CardId.L05: _income(10),
    CardId.L06: _expense(FUND, lambda _: 5),
    CardId.L07: _expense(BANK, lambda _: 10),
    CardId.L08: _expense(FUND, lambda _: 10),
    CardId.L09: _expense(BANK, _repairs),
    CardId.L10: _storm,
    CardId.L11: _keep,
    CardId.L12: _keep,
    CardId.L13: _forward_to(START),
    CardId.L14: _forward_to(SPACE),
    CardId.L15: _forward_to(SEOUL),
    CardId.L16: _three_back,
    CardId.L17: _forward_to(FUND_TAKE),
    CardId.L18: _sightseeing,
    CardId.L19: _travel_costs,
    CardId.L20: _expense(BANK, _property_tax),
}
