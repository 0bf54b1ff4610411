"""The whole truth of a match (§8.1), immutable, secrets included."""

from dataclasses import dataclass
from typing import Annotated, Any, Final

import msgspec
from msgspec.structs import replace

from engines.marble.actions import TradeSide
from engines.marble.board import CELL_COUNT, INVESTED, SALE_TOTALS, Pos
from engines.marble.cards import CardId
from engines.marble.money import Party, PaymentCause
from engines.marble.options import Options
from engines.marble.reasons import EndReason, MonopolyType
from engines.protocol import Described, Seat
from engines.rng import Stream


class Phase(Described):
    """What the match is waiting for."""

    TURN_START = "turnStart", "The current player rolls, or chooses on the island or for a flight."
    DECIDE = "decide", "The current player buys, builds, takes over or passes."
    DEBT = "debt", "The debtor sells until the debt can be paid."
    TRADE_RESPONSE = "tradeResponse", "The player asked answers an offer."
    FINISHED = "finished", "The match is over."


@dataclass(frozen=True, slots=True)
class Decision:
    """What the rules offer the current player on the cell reached, cash aside."""

    pos: Annotated[int, "Number of the cell."]
    can_buy: Annotated[bool, "True if the land is for sale."]
    can_build: Annotated[int | None, "The stage that may be built, 1..4; null if none."]
    can_takeover: Annotated[int | None, "Price of a takeover in 만; null if there is none."]
    bought_this_visit: Annotated[bool, "True if the land was bought on this visit."]


@dataclass(frozen=True, slots=True)
class TradeOffer:
    """An offer that waits for its answer."""

    proposer: Annotated[int, "Seat of the player who made the offer."]
    responder: Annotated[int, "Seat of the player who answers it."]
    give: Annotated[TradeSide, "What the proposer gives."]
    take: Annotated[TradeSide, "What the proposer receives."]


class Land(msgspec.Struct, frozen=True):
    """An owned land: level 0 is land alone, 1 villa, 2 building, 3 hotel, 4 landmark."""

    owner: Seat
    level: int = 0


class Player(msgspec.Struct, frozen=True):
    """One seat; `island_left` is 0 when not stuck, `out_seq` counts eliminations from 1 (R84)."""

    cash: int
    pos: Pos = 0
    alive: bool = True
    island_left: int = 0
    space_pending: bool = False
    held: tuple[CardId, ...] = ()
    bankrupt_at_round: int | None = None
    out_seq: int | None = None


class Payment(msgspec.Struct, frozen=True, tag=True):
    """A compulsory payment: pending, or open as the debt; `pos` is the cell of a toll."""

    debtor: Seat
    to: Party
    amount: int
    cause: PaymentCause
    card: CardId | None = None
    pos: Pos | None = None


class Arrive(msgspec.Struct, frozen=True, tag=True):
    """Pending: apply the cell the current player has reached."""


class Fly(msgspec.Struct, frozen=True, tag=True):
    """Pending: the current player's flight, once its fee is paid (R76)."""

    dest: Pos


class OfferTakeover(msgspec.Struct, frozen=True, tag=True):
    """Pending: offer the city reached, once its toll is discharged, while `owner` still has it."""

    owner: Seat


class OfferVilla(msgspec.Struct, frozen=True, tag=True):
    """Pending: offer a villa on the land just bought (buildOnPurchase, R48)."""


class JudgeMonopoly(msgspec.Struct, frozen=True, tag=True):
    """Pending: land has changed hands, look for a monopoly (R98)."""


class EndVisit(msgspec.Struct, frozen=True, tag=True):
    """Pending, always last: the extra roll, or else the next player's turn."""


Pending = Payment | Arrive | Fly | OfferTakeover | OfferVilla | JudgeMonopoly | EndVisit


class Ending(msgspec.Struct, frozen=True):
    """Why the match is over; `achiever` and `monopoly` are set for a monopoly only."""

    reason: EndReason
    monopoly: MonopolyType | None = None
    achiever: Seat | None = None


class State(msgspec.Struct, frozen=True):
    """A match; `players` by seat, `lands` by cell, `order` the seats in the order of turns.

    At most one of `decision`, `debt`, `offer` and `ending` is set and gives the phase. `pending`
    holds what still has to be done by itself, first to last; times are game milliseconds.
    """

    options: Options
    rng: Stream
    order: tuple[Seat, ...]
    current: Seat
    players: tuple[Player, ...]
    deck: tuple[CardId, ...]
    prompted_at: int
    deadline_at: int | None
    lands: tuple[Land | None, ...] = (None,) * CELL_COUNT
    fund: int = 0
    round: int = 1
    doubles_this_turn: int = 0
    cards_this_turn: int = 0
    trades_this_turn: int = 0
    extra_roll: bool = False
    last_roll: tuple[int, ...] | None = None
    turn_seq: int = 0
    decision: Decision | None = None
    debt: Payment | None = None
    offer: TradeOffer | None = None
    pending: tuple[Pending, ...] = ()
    ending: Ending | None = None

    @property
    def phase(self) -> Phase:
        """What the match is waiting for."""
        if self.ending is not None:
            return Phase.FINISHED
        if self.debt is not None:
            return Phase.DEBT
        if self.offer is not None:
            return Phase.TRADE_RESPONSE
        return Phase.TURN_START if self.decision is None else Phase.DECIDE

    @property
    def awaited(self) -> Seat | None:
        """The seat whose input the phase needs; None when the match is over."""
        if self.ending is not None:
            return None
        if self.debt is not None:
            return self.debt.debtor
        return self.current if self.offer is None else self.offer.responder

    def but(self, **changes: Any) -> "State":
        """The same state with some fields changed."""
        return replace(self, **changes)

    def with_player(self, seat: Seat, **changes: Any) -> "State":
        """The same state with one seat's fields changed."""
        players = list(self.players)
        players[seat] = replace(players[seat], **changes)
        return replace(self, players=tuple(players))

    def with_land(self, pos: Pos, land: Land | None) -> "State":
        """The same state with one cell's ownership changed."""
        return replace(self, lands=(*self.lands[:pos], land, *self.lands[pos + 1 :]))

    def then(self, *steps: Pending) -> "State":
        """The same state with `steps` due before what is pending already."""
        return replace(self, pending=steps + self.pending)


BOTTOM: Final = EndVisit()
"""The last pending step of every visit."""


def owner_of(state: State, pos: Pos) -> Seat | None:
    """Who owns a cell; None for the bank, for cells without an owner and beyond the board."""
    land = state.lands[pos] if 0 <= pos < CELL_COUNT else None
    return None if land is None else land.owner


def lands_of(state: State, seat: Seat) -> list[tuple[Pos, Land]]:
    """A seat's lands in the order of their cells."""
    return [(pos, land) for pos, land in enumerate(state.lands) if land and land.owner == seat]


def living(state: State) -> list[Seat]:
    """The seats not yet eliminated, in the order of turns."""
    return [seat for seat in state.order if state.players[seat].alive]


def others_after(state: State, seat: Seat) -> list[Seat]:
    """The other living seats in the order of turns, from the next one on (R22)."""
    at = state.order.index(seat)
    turned = state.order[at + 1 :] + state.order[:at]
    return [other for other in turned if state.players[other].alive]


def total_assets(state: State, seat: Seat) -> int:
    """Cash and the list price of lands and buildings, in 만 (§6, R115)."""
    invested = sum(INVESTED[pos][land.level] for pos, land in lands_of(state, seat))
    return state.players[seat].cash + invested


def raisable(state: State, seat: Seat) -> int:
    """Cash and what the bank would pay for everything, in 만 (§5.3, R58)."""
    sales = sum(SALE_TOTALS[pos][land.level] for pos, land in lands_of(state, seat))
    return state.players[seat].cash + sales
