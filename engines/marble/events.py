"""The facts of a match (§8.2), one class each; all of them are public.

They explain every change of cash and fund, each by exactly one event, and are enough to rebuild
the public view.
"""

from dataclasses import dataclass
from typing import Annotated, Final

from engines.marble.actions import SaleKind, TradeSide
from engines.marble.cards import CardId
from engines.marble.money import Party, PaymentCause
from engines.marble.reasons import (
    ConcedeCause,
    EscapeMeans,
    IslandReason,
    MonopolyType,
    MoveCause,
    TradeReason,
)
from engines.marble.results import Result


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The order of turns was drawn and the cash handed out."""

    order: Annotated[tuple[int, ...], "Seats in the order of turns."]
    cash: Annotated[int, "Cash of every player, in 만."]
    deck_count: Annotated[int, "Number of lucky cards in the deck."]


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A player's turn begins."""

    seat: Annotated[int, "Seat of the player."]
    round: Annotated[int, "The round, from 1."]


@dataclass(frozen=True, slots=True)
class ExtraRollStarted:
    """The same player rolls once more because of a double."""

    seat: Annotated[int, "Seat of the player."]


@dataclass(frozen=True, slots=True)
class Rolled:
    """Two dice were rolled for a normal move."""

    seat: Annotated[int, "Seat of the player."]
    dice: Annotated[tuple[int, ...], "The two dice in the order rolled."]
    double: Annotated[bool, "True if both dice are equal."]
    doubles: Annotated[
        int, "Doubles of this turn so far; after the first two an extra roll follows."
    ]


@dataclass(frozen=True, slots=True)
class Moved:
    """A pawn moved."""

    seat: Annotated[int, "Seat of the player."]
    from_pos: Annotated[int, "Number of the cell left."]
    to_pos: Annotated[int, "Number of the cell reached."]
    path: Annotated[tuple[int, ...], "The cells on the way in order, the one reached included."]
    passed_start: Annotated[bool, "True if the salary follows."]
    move_cause: Annotated[MoveCause, "What made the pawn move."]


@dataclass(frozen=True, slots=True)
class SalaryPaid:
    """The bank paid the salary."""

    seat: Annotated[int, "Seat of the player."]
    amount: Annotated[int, "The salary in 만."]


@dataclass(frozen=True, slots=True)
class DecisionOpened:
    """The current player may buy, build or take over; what the rules offer, cash aside."""

    seat: Annotated[int, "Seat of the player."]
    pos: Annotated[int, "Number of the cell."]
    can_buy: Annotated[bool, "True if the land is for sale."]
    can_build: Annotated[int | None, "The stage that may be built, 1..4; null if none."]
    can_takeover: Annotated[int | None, "Price of a takeover in 만; null if there is none."]
    bought_this_visit: Annotated[bool, "True if the land was bought on this visit."]


@dataclass(frozen=True, slots=True)
class Passed:
    """The player made no use of what the cell offers."""

    seat: Annotated[int, "Seat of the player."]
    pos: Annotated[int, "Number of the cell."]


@dataclass(frozen=True, slots=True)
class Bought:
    """A land was bought from the bank."""

    seat: Annotated[int, "Seat of the buyer."]
    pos: Annotated[int, "Number of the cell."]
    price: Annotated[int, "Price in 만, paid to the bank."]


@dataclass(frozen=True, slots=True)
class Built:
    """A stage was built."""

    seat: Annotated[int, "Seat of the owner."]
    pos: Annotated[int, "Number of the cell."]
    level: Annotated[int, "The stage: 1 villa, 2 building, 3 hotel, 4 landmark."]
    cost: Annotated[int, "Cost in 만, paid to the bank."]


@dataclass(frozen=True, slots=True)
class TollPaid:
    """A toll was paid, or waived by a toll exemption: then no money moved."""

    seat: Annotated[int, "Seat of the visitor, who pays."]
    receiver: Annotated[Party, "The owner; the bank if the owner gave up before it was paid."]
    pos: Annotated[int, "Number of the cell."]
    amount: Annotated[int, "The toll in 만."]
    waived: Annotated[bool, "True if nothing was paid."]


@dataclass(frozen=True, slots=True)
class TakenOver:
    """A city was taken over with its buildings."""

    seat: Annotated[int, "Seat of the new owner."]
    previous_owner: Annotated[int, "Seat of the old owner, who receives the price."]
    pos: Annotated[int, "Number of the cell."]
    price: Annotated[int, "Price in 만."]


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A lucky card was drawn; unless it is kept it goes to the bottom of the deck at once."""

    seat: Annotated[int, "Seat of the player."]
    card: Annotated[CardId, "The card."]
    kept: Annotated[bool, "True if the player keeps it."]


@dataclass(frozen=True, slots=True)
class CardMoney:
    """A lucky card moved money."""

    card: Annotated[CardId, "The card."]
    payer: Annotated[Party, "Who pays."]
    receiver: Annotated[Party, "Who receives."]
    amount: Annotated[int, "Amount in 만."]


@dataclass(frozen=True, slots=True)
class CardUsed:
    """A kept card was used and went to the bottom of the deck."""

    seat: Annotated[int, "Seat of the player."]
    card: Annotated[CardId, "The card."]


@dataclass(frozen=True, slots=True)
class FundPaid:
    """Money went into the welfare fund."""

    seat: Annotated[int, "Seat of the player who pays."]
    amount: Annotated[int, "Amount in 만."]
    receiver: Annotated[Party, "The welfare fund."]


@dataclass(frozen=True, slots=True)
class FundReceived:
    """A player received the whole welfare fund."""

    seat: Annotated[int, "Seat of the player."]
    amount: Annotated[int, "Amount in 만."]


@dataclass(frozen=True, slots=True)
class SentToIsland:
    """A player is stuck on the island, whatever cell they stood on; no further roll this turn."""

    seat: Annotated[int, "Seat of the player."]
    island_reason: Annotated[IslandReason, "Why the player is sent there."]
    island_left: Annotated[int, "Turns the player misses at most."]


@dataclass(frozen=True, slots=True)
class IslandRolled:
    """A roll for a double on the island."""

    seat: Annotated[int, "Seat of the player."]
    dice: Annotated[tuple[int, ...], "The two dice in the order rolled."]
    double: Annotated[bool, "True if both dice are equal: the player leaves."]
    island_left: Annotated[int, "Turns still to be missed; 0 means free from the next turn on."]


@dataclass(frozen=True, slots=True)
class Escaped:
    """A player left the island."""

    seat: Annotated[int, "Seat of the player."]
    means: Annotated[EscapeMeans, "By what means."]
    cost: Annotated[int, "Fee in 만, paid to the bank; 0 for a double or a card."]


@dataclass(frozen=True, slots=True)
class SpaceTravelReady:
    """A player reached space travel and flies in the next turn; no further roll this turn."""

    seat: Annotated[int, "Seat of the player."]


@dataclass(frozen=True, slots=True)
class SpaceTravelled:
    """A destination was chosen; the flight follows as soon as the fee, if any, is paid."""

    seat: Annotated[int, "Seat of the player."]
    dest: Annotated[int, "Number of the cell chosen."]


@dataclass(frozen=True, slots=True)
class SpaceFeePaid:
    """The boarding fee was paid."""

    seat: Annotated[int, "Seat of the traveller, who pays."]
    receiver: Annotated[
        Party, "The owner of the space centre; the bank if the owner gave up before it was paid."
    ]
    amount: Annotated[int, "Fee in 만."]


@dataclass(frozen=True, slots=True)
class DebtOpened:
    """A compulsory payment exceeds the cash; the debtor sells until it can be paid."""

    debtor: Annotated[int, "Seat of the debtor."]
    amount: Annotated[int, "The debt in 만."]
    to: Annotated[Party, "The creditor."]
    payment_cause: Annotated[PaymentCause, "What the debt is for."]


@dataclass(frozen=True, slots=True)
class DebtRedirected:
    """The creditor of the open debt gave up; the debt is now due to the bank."""

    debtor: Annotated[int, "Seat of the debtor."]
    amount: Annotated[int, "The debt in 만, unchanged."]
    to: Annotated[Party, "The new creditor: the bank."]


@dataclass(frozen=True, slots=True)
class Sold:
    """Something was sold to the bank to raise money for a debt."""

    seat: Annotated[int, "Seat of the seller."]
    pos: Annotated[int, "Number of the cell."]
    what: Annotated[SaleKind, "The topmost stage, or the land with everything on it."]
    amount: Annotated[int, "What the bank paid, in 만."]


@dataclass(frozen=True, slots=True)
class Conceded:
    """A player gave up; the settlement follows as `WentBankrupt`."""

    seat: Annotated[int, "Seat of the player."]
    concede_cause: Annotated[ConcedeCause, "Why the seat was given up."]


@dataclass(frozen=True, slots=True)
class WentBankrupt:
    """A player is out: lands go back to the bank, all money to the creditor."""

    seat: Annotated[int, "Seat of the player."]
    creditor: Annotated[Party, "Who receives what is left."]
    amount: Annotated[int, "What is left in 만: cash and the sale of all lands."]
    round: Annotated[int, "The round in which it happened."]


@dataclass(frozen=True, slots=True)
class TradeProposed:
    """A trade was offered."""

    proposer: Annotated[int, "Seat of the player who made the offer."]
    responder: Annotated[int, "Seat of the player who answers it."]
    give: Annotated[TradeSide, "What the proposer gives."]
    take: Annotated[TradeSide, "What the proposer receives."]


@dataclass(frozen=True, slots=True)
class TradeResolved:
    """The open offer came to its end; lands and cash moved only if it was accepted."""

    proposer: Annotated[int, "Seat of the player who made the offer."]
    responder: Annotated[int, "Seat of the player who was asked."]
    accepted: Annotated[bool, "True if the trade was carried out."]
    trade_reason: Annotated[TradeReason, "How it came to its end."]
    give: Annotated[TradeSide, "What the proposer gives."]
    take: Annotated[TradeSide, "What the proposer receives."]


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """Every living player has had a turn."""

    round: Annotated[int, "The round that ended."]


@dataclass(frozen=True, slots=True)
class MonopolyWon:
    """A player completed a monopoly and wins at once."""

    seat: Annotated[int, "Seat of the winner."]
    monopoly_type: Annotated[MonopolyType, "Which monopoly."]


@dataclass(frozen=True, slots=True)
class GameOver:
    """The match is over."""

    result: Annotated[Result, "Ranking, winners and reason."]


EVENTS: Final[tuple[type, ...]] = (
    GameStarted,
    TurnStarted,
    ExtraRollStarted,
    Rolled,
    Moved,
    SalaryPaid,
    DecisionOpened,
    Passed,
    Bought,
    Built,
    TollPaid,
    TakenOver,
    CardDrawn,
    CardMoney,
    CardUsed,
    FundPaid,
    FundReceived,
    SentToIsland,
    IslandRolled,
    Escaped,
    SpaceTravelReady,
    SpaceTravelled,
    SpaceFeePaid,
    DebtOpened,
    DebtRedirected,
    Sold,
    Conceded,
    WentBankrupt,
    TradeProposed,
    TradeResolved,
    RoundEnded,
    MonopolyWon,
    GameOver,
)

Log = list[object]
"""The events of the step under way, in order; rules append to it."""
