"""Who pays whom and what for; all amounts are whole numbers of 만."""

from dataclasses import dataclass
from typing import Annotated, Final

from engines.protocol import Described, Seat


class PartyKind(Described):
    """The three kinds of pockets money moves between."""

    PLAYER = "player", "A player's cash."
    BANK = "bank", "The bank, whose money never ends."
    FUND = "fund", "The welfare fund."


@dataclass(frozen=True, slots=True)
class Party:
    """One side of a payment: a player, the bank or the welfare fund."""

    kind: Annotated[PartyKind, "Which kind of pocket it is."]
    seat: Annotated[int | None, "The player's seat; null for the bank and the fund."] = None


class PaymentCause(Described):
    """Why a payment is compulsory."""

    TOLL = "toll", "The toll of another player's land."
    SPACE_FEE = "spaceFee", "The boarding fee of a space flight."
    CARD = "card", "A lucky card."
    FUND = "fund", "The payment on cell 38."


BANK: Final = Party(PartyKind.BANK)
FUND: Final = Party(PartyKind.FUND)
_PLAYERS: Final = tuple(Party(PartyKind.PLAYER, seat) for seat in range(4))


def party(seat: Seat) -> Party:
    """The player of a seat as a side of a payment."""
    return _PLAYERS[seat]
