"""The decisions a player can make (§8.2), one class each."""

from dataclasses import dataclass
from typing import Annotated, Final

from engines.protocol import Described


class SaleKind(Described):
    """How much of a land is sold."""

    TOP = "top", "The topmost stage only."
    ALL = "all", "The land with every stage on it."


@dataclass(frozen=True, slots=True)
class TradeSide:
    """What one side of a trade hands over; lands go with their buildings."""

    lands: Annotated[tuple[int, ...], "Numbers of the cells, each at most once."]
    cash: Annotated[int, "Cash in 만, 0 or more."]


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll the dice and move; on the island, try for a double."""


@dataclass(frozen=True, slots=True)
class PayIslandFee:
    """Pay the fee and leave the island; the roll of the same turn follows."""


@dataclass(frozen=True, slots=True)
class UseEscapeCard:
    """Use the island escape card and leave the island; the roll of the same turn follows."""


@dataclass(frozen=True, slots=True)
class SpaceTravel:
    """Fly from the space travel cell to any other cell."""

    dest: Annotated[int, "Number of the cell to fly to, 0..39 but not 30."]


@dataclass(frozen=True, slots=True)
class Buy:
    """Buy the land the player stands on."""


@dataclass(frozen=True, slots=True)
class Build:
    """Build the next stage on the player's own city."""

    level: Annotated[int, "The stage to build: 1 villa, 2 building, 3 hotel, 4 landmark."]


@dataclass(frozen=True, slots=True)
class Takeover:
    """Take over the city the player stands on, with its buildings."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Neither buy, build nor take over."""


@dataclass(frozen=True, slots=True)
class Sell:
    """Sell to the bank to raise money for an open debt."""

    pos: Annotated[int, "Number of the cell."]
    what: Annotated[SaleKind, "The topmost stage, or the land with everything on it."]


@dataclass(frozen=True, slots=True)
class ProposeTrade:
    """Offer another player a trade, before rolling; at most two offers a turn."""

    to: Annotated[int, "Seat of the other player."]
    give: Annotated[TradeSide, "What the proposer gives."]
    take: Annotated[TradeSide, "What the proposer receives."]


@dataclass(frozen=True, slots=True)
class RespondToTrade:
    """Answer the open offer."""

    accept: Annotated[bool, "True to accept, false to decline."]


@dataclass(frozen=True, slots=True)
class Concede:
    """Give up: everything goes to the bank and the player is out."""


ACTIONS: Final[tuple[type, ...]] = (
    Roll,
    PayIslandFee,
    UseEscapeCard,
    SpaceTravel,
    Buy,
    Build,
    Takeover,
    Pass,
    Sell,
    ProposeTrade,
    RespondToTrade,
    Concede,
)


class ActionName(Described):
    """The decisions of the game, as a view lists what may be done now."""

    ROLL = "roll", "Roll the dice."
    PAY_ISLAND_FEE = "payIslandFee", "Pay to leave the island."
    USE_ESCAPE_CARD = "useEscapeCard", "Use the island escape card."
    SPACE_TRAVEL = "spaceTravel", "Choose where to fly."
    BUY = "buy", "Buy the land."
    BUILD = "build", "Build the next stage."
    TAKEOVER = "takeover", "Take over the city."
    PASS = "pass", "Neither buy, build nor take over."
    SELL = "sell", "Sell something to pay a debt."
    PROPOSE_TRADE = "proposeTrade", "Offer a trade."
    RESPOND_TO_TRADE = "respondToTrade", "Answer the open offer."
    CONCEDE = "concede", "Give up."
