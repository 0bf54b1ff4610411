"""What a viewer may know (§8.3, §9), built field by field; what is not written here is not seen."""

from dataclasses import dataclass
from typing import Annotated

from engines.marble.actions import ActionName, SaleKind
from engines.marble.board import CellKind
from engines.marble.cards import CardId
from engines.marble.money import Party, PaymentCause
from engines.marble.state import Decision, Phase, TradeOffer


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player as everybody sees them."""

    seat: Annotated[int, "Seat of the player."]
    pos: Annotated[int | None, "Number of the cell the pawn stands on; null once out."]
    cash: Annotated[int, "Cash in 만."]
    alive: Annotated[bool, "False once the player is out."]
    island_left: Annotated[int, "Turns still to be missed on the island; 0 when not stuck."]
    space_pending: Annotated[bool, "True if the player flies in the next turn."]
    held_cards: Annotated[tuple[CardId, ...], "Kept cards, in the order acquired."]
    land_count: Annotated[int, "Number of lands owned, tourist sites included."]
    total_assets: Annotated[int, "Cash and list price of lands and buildings, in 만."]
    bankrupt_at_round: Annotated[
        int | None, "Round in which the player went out; null while in the game."
    ]


@dataclass(frozen=True, slots=True)
class LandView:
    """An owned land."""

    pos: Annotated[int, "Number of the cell."]
    owner: Annotated[int, "Seat of the owner."]
    level: Annotated[int, "0 land alone, 1 villa, 2 building, 3 hotel, 4 landmark."]
    toll: Annotated[int, "What another player pays here now, in 만."]


@dataclass(frozen=True, slots=True)
class DebtView:
    """The open debt."""

    debtor: Annotated[int, "Seat of the player who has to pay."]
    amount: Annotated[int, "The debt in 만."]
    missing: Annotated[int, "What the debtor's cash still lacks, in 만."]
    to: Annotated[Party, "The creditor."]
    cause: Annotated[PaymentCause, "What the debt is for."]


@dataclass(frozen=True, slots=True)
class CostPreview:
    """What a choice would cost."""

    price: Annotated[int, "Price in 만."]
    affordable: Annotated[bool, "True if the cash suffices."]
    cash_after: Annotated[int | None, "Cash left in 만; null if not affordable."]
    low_cash: Annotated[bool, "True if less than 50 would be left: warn the player."]


@dataclass(frozen=True, slots=True)
class IslandPreview:
    """The ways off the island."""

    fee: Annotated[CostPreview | None, "Leaving for the fee; null if this room plays without it."]
    escape_card: Annotated[bool, "True if the player holds the escape card."]


@dataclass(frozen=True, slots=True)
class DestinationPreview:
    """What a flight to one cell would bring."""

    pos: Annotated[int, "Number of the cell."]
    kind: Annotated[CellKind, "What happens there."]
    boarding_fee: Annotated[int, "Fee in 만 before take-off; 0 if it is free."]
    salary: Annotated[int, "Salary on the way in 만; 0 if the flight does not reach the start."]
    price: Annotated[int | None, "Price of the land in 만 if it is for sale; otherwise null."]
    toll: Annotated[int, "Toll due there in 만; 0 if none."]
    toll_to: Annotated[int | None, "Seat that receives the toll; null if there is none."]
    toll_waived: Annotated[bool, "True if a held exemption would waive the toll."]
    fund_payment: Annotated[int, "What goes into the welfare fund there, in 만."]
    fund_receipt: Annotated[int, "What the welfare fund pays out there, in 만."]


@dataclass(frozen=True, slots=True)
class SalePreview:
    """Something that can be sold to pay the debt."""

    pos: Annotated[int, "Number of the cell."]
    what: Annotated[SaleKind, "The topmost stage, or the land with everything on it."]
    amount: Annotated[int, "What the bank pays, in 만."]


@dataclass(frozen=True, slots=True)
class Choices:
    """What the awaited player may choose now, with a preview of what it costs."""

    buy: Annotated[CostPreview | None, "Buying the land; null if not on offer."]
    build: Annotated[CostPreview | None, "Building the next stage; null if not on offer."]
    takeover: Annotated[CostPreview | None, "Taking over the city; null if not on offer."]
    island: Annotated[IslandPreview | None, "Ways off the island; null if not stuck."]
    destinations: Annotated[
        tuple[DestinationPreview, ...], "All cells one can fly to; empty if no flight is due."
    ]
    sales: Annotated[tuple[SalePreview, ...], "What can be sold; empty if no debt is open."]
    offers_left: Annotated[int, "Trade offers that can still be made this turn."]


@dataclass(frozen=True, slots=True)
class View:
    """A match as one viewer sees it; all fields but the last three are the same for everybody."""

    phase: Annotated[Phase, "What the match is waiting for."]
    round: Annotated[int, "The round, from 1."]
    order: Annotated[tuple[int, ...], "Seats in the order of turns."]
    current: Annotated[int, "Seat whose turn it is."]
    awaited: Annotated[int | None, "Seat whose input is needed; null when the match is over."]
    players: Annotated[tuple[PlayerView, ...], "All players by seat."]
    lands: Annotated[tuple[LandView, ...], "Owned lands in the order of their cells."]
    fund: Annotated[int, "The welfare fund in 만."]
    deck_count: Annotated[int, "Number of lucky cards in the deck."]
    decision: Annotated[Decision | None, "What the cell offers the current player."]
    debt: Annotated[DebtView | None, "The open debt."]
    pending_trade: Annotated[TradeOffer | None, "The offer that waits for its answer."]
    extra_roll: Annotated[bool, "True if one more roll follows what is going on."]
    last_roll: Annotated[tuple[int, ...] | None, "The two dice last rolled by anybody."]
    doubles_this_turn: Annotated[int, "Doubles of this turn; the third leads to the island."]
    cards_this_turn: Annotated[int, "Lucky cards drawn this turn; five at most."]
    trades_this_turn: Annotated[int, "Trade offers made this turn; two at most."]
    turn_seq: Annotated[int, "Number of actions accepted so far, timeouts included."]
    your_seat: Annotated[int | None, "The viewer's seat; null for spectators."]
    available: Annotated[
        tuple[ActionName, ...], "What the viewer may do and afford now; empty for spectators."
    ]
    choices: Annotated[Choices | None, "Previews, for the awaited player only."]
