"""The accounts of a match: every coin that moved is told by exactly one event (R121)."""

from collections.abc import Iterable
from typing import Any

from engines.marble import events as e
from engines.marble.cards import CardId
from engines.marble.money import Party, PartyKind
from engines.marble.state import State
from tests.engines.marble.reducer import pay


def check_accounts(before: State, events: Iterable[Any], after: State) -> None:
    """Cash and fund before, plus what the events say, are cash and fund after."""
    books = {"fund": before.fund, "players": [{"cash": p.cash} for p in before.players]}
    for event in events:
        for payer, receiver, amount in transfers(event):
            pay(books, payer, receiver, amount)
        if isinstance(event, e.WentBankrupt):
            books["players"][event.seat]["cash"] = 0
    assert [p["cash"] for p in books["players"]] == [p.cash for p in after.players]
    assert books["fund"] == after.fund >= 0
    assert all(p.cash >= 0 for p in after.players)


def check_cards(state: State) -> None:
    """Deck and held cards are the twenty, each once; only L11 and L12 are held."""
    held = [card for player in state.players for card in player.held]
    assert sorted((*state.deck, *held)) == sorted(CardId)
    assert set(held) <= {CardId.L11, CardId.L12}


def check_lands(state: State) -> None:
    """No land of the dead, no building where none can stand."""
    for pos, land in enumerate(state.lands):
        if land is not None:
            assert state.players[land.owner].alive, pos
            assert 0 <= land.level <= (4 if state.options.landmark else 3)
            assert pos not in (5, 15, 25, 35) or land.level == 0


def player(seat: int) -> Party:
    """A seat's cash."""
    return Party(PartyKind.PLAYER, seat)


def transfers(event: Any) -> list[tuple[Party | None, Party | None, int]]:
    """Who pays whom by an event; None is the bank."""
    match event:
        case e.SalaryPaid(seat, amount) | e.Sold(seat=seat, amount=amount):
            return [(None, player(seat), amount)]
        case e.Bought(seat=seat, price=amount) | e.Built(seat=seat, cost=amount):
            return [(player(seat), None, amount)]
        case e.TollPaid(seat=seat, receiver=receiver, amount=amount, waived=waived):
            return [] if waived else [(player(seat), receiver, amount)]
        case e.TakenOver(seat=seat, previous_owner=owner, price=amount):
            return [(player(seat), player(owner), amount)]
        case e.CardMoney(payer=payer, receiver=receiver, amount=amount):
            return [(payer, receiver, amount)]
        case e.FundPaid(seat, amount, receiver) | e.SpaceFeePaid(seat, receiver, amount):
            return [(player(seat), receiver, amount)]
        case e.FundReceived(seat, amount):
            return [(Party(PartyKind.FUND), player(seat), amount)]
        case e.Escaped(seat=seat, cost=amount):
            return [(player(seat), None, amount)]
        case e.WentBankrupt(creditor=creditor, amount=amount):
            return [(None, creditor, amount)]
        case e.TradeResolved(proposer, responder, True, _, give, take):
            return [
                (player(proposer), player(responder), give.cash),
                (player(responder), player(proposer), take.cash),
            ]
    return []
