"""The public view of a match rebuilt from its events alone, as a client would do it."""

from dataclasses import asdict
from typing import Any

from engines.marble import events as e
from engines.marble.board import CELLS, TOURS, CellKind
from engines.marble.money import Party, PartyKind
from engines.marble.reasons import EscapeMeans
from engines.marble.views import View
from engines.protocol import DeadlineShifted

Public = dict[str, Any]

NOT_EXPLAINED = ("your_seat", "available", "choices", "turn_seq")
"""The viewer's own choices, and the number of actions, which a client knows as the version."""

PASSING = (e.Conceded, e.RoundEnded, e.MonopolyWon, e.GameStarted, DeadlineShifted)
"""Facts that by themselves change nothing one can see."""


def public_of(view: View) -> Public:
    """What the events must explain of a view."""
    public = asdict(view)
    for name in NOT_EXPLAINED:
        del public[name]
    public["lands"] = {land["pos"]: land for land in public["lands"]}
    return public


def reduced(public: Public, event: Any) -> Public:
    """`public` after one event."""
    new = {
        **public,
        "players": tuple(dict(player) for player in public["players"]),
        "lands": {pos: dict(land) for pos, land in public["lands"].items()},
        "debt": public["debt"] and dict(public["debt"]),
    }
    if not isinstance(event, PASSING):
        HANDLERS[type(event)](new, event)
    return with_derived(new)


def with_derived(public: Public) -> Public:
    """Tolls, land counts, assets and what is missing follow from the rest."""
    owners = [land["owner"] for land in public["lands"].values()]
    for pos, land in public["lands"].items():
        tours = sum(
            pos in TOURS and land["owner"] == public["lands"][pos]["owner"]
            for pos in TOURS
            if pos in public["lands"]
        )
        toll = CELLS[pos].tolls[land["level"]]
        doubled = CELLS[pos].kind is CellKind.TOUR and tours > 1
        land["toll"] = 2 * toll if doubled else toll
    for player in public["players"]:
        player["land_count"] = owners.count(player["seat"])
        player["total_assets"] = player["cash"] + sum(
            (CELLS[pos].price or 0) + sum(CELLS[pos].build_costs[: land["level"]])
            for pos, land in public["lands"].items()
            if land["owner"] == player["seat"]
        )
    if public["debt"]:
        debtor = public["players"][public["debt"]["debtor"]]
        public["debt"]["missing"] = public["debt"]["amount"] - debtor["cash"]
    return public


def pay(new: Public, payer: Party | int | None, receiver: Party | None, amount: int) -> None:
    """Move money; None and the bank are bottomless. The payment of an open debt closes it."""
    if isinstance(payer, int):
        payer = Party(PartyKind.PLAYER, payer)
    for party, change in ((payer, -amount), (receiver, amount)):
        if party is None or party.kind is PartyKind.BANK:
            continue
        if party.kind is PartyKind.FUND:
            new["fund"] += change
        else:
            new["players"][party.seat]["cash"] += change


def settle(new: Public, payer: Party | int, receiver: Party, amount: int) -> None:
    """A compulsory payment: it closes the debt that was open for it."""
    pay(new, payer, receiver, amount)
    new["debt"] = None


def await_turn(new: Public, seat: int) -> None:
    """The seat's turnStart opens."""
    new |= {"phase": "turnStart", "awaited": seat, "decision": None, "extra_roll": False}


def turn_started(new: Public, event: e.TurnStarted) -> None:
    await_turn(new, event.seat)
    new |= {"current": event.seat, "round": event.round, "doubles_this_turn": 0}
    new |= {"cards_this_turn": 0, "trades_this_turn": 0}


def rolled(new: Public, event: e.Rolled) -> None:
    new |= {"last_roll": event.dice, "doubles_this_turn": event.doubles}
    new["extra_roll"] = event.double


def moved(new: Public, event: e.Moved) -> None:
    new["players"][event.seat]["pos"] = event.to_pos


def decision_opened(new: Public, event: e.DecisionOpened) -> None:
    offered = asdict(event)
    seat = offered.pop("seat")
    new |= {"phase": "decide", "awaited": seat, "decision": offered}


def bought(new: Public, event: e.Bought) -> None:
    pay(new, event.seat, None, event.price)
    new["lands"][event.pos] = {"pos": event.pos, "owner": event.seat, "level": 0}
    new["decision"] = None


def built(new: Public, event: e.Built) -> None:
    pay(new, event.seat, None, event.cost)
    new["lands"][event.pos]["level"] = event.level
    new["decision"] = None


def passed(new: Public, event: e.Passed) -> None:
    new["decision"] = None


def toll_paid(new: Public, event: e.TollPaid) -> None:
    if not event.waived:
        settle(new, event.seat, event.receiver, event.amount)


def taken_over(new: Public, event: e.TakenOver) -> None:
    old = Party(PartyKind.PLAYER, event.previous_owner)
    pay(new, event.seat, old, event.price)
    new["lands"][event.pos]["owner"] = event.seat
    new["decision"] = None


def card_drawn(new: Public, event: e.CardDrawn) -> None:
    new["cards_this_turn"] += 1
    if event.kept:
        new["players"][event.seat]["held_cards"] += (event.card,)
        new["deck_count"] -= 1


def card_used(new: Public, event: e.CardUsed) -> None:
    player = new["players"][event.seat]
    player["held_cards"] = tuple(card for card in player["held_cards"] if card != event.card)
    new["deck_count"] += 1


def sent_to_island(new: Public, event: e.SentToIsland) -> None:
    new["players"][event.seat].update(pos=10, island_left=event.island_left)
    new |= {"extra_roll": False, "doubles_this_turn": 0}


def island_rolled(new: Public, event: e.IslandRolled) -> None:
    new["players"][event.seat]["island_left"] = event.island_left
    new["last_roll"] = event.dice


def escaped(new: Public, event: e.Escaped) -> None:
    new["players"][event.seat]["island_left"] = 0
    if event.means is EscapeMeans.FEE:
        pay(new, event.seat, None, event.cost)


def space_travel_ready(new: Public, event: e.SpaceTravelReady) -> None:
    new["players"][event.seat]["space_pending"] = True
    new["extra_roll"] = False


def space_travelled(new: Public, event: e.SpaceTravelled) -> None:
    new["players"][event.seat]["space_pending"] = False


def debt_opened(new: Public, event: e.DebtOpened) -> None:
    new["debt"] = {
        "debtor": event.debtor,
        "amount": event.amount,
        "to": asdict(event.to),
        "cause": event.payment_cause,
    }
    new |= {"phase": "debt", "awaited": event.debtor}


def debt_redirected(new: Public, event: e.DebtRedirected) -> None:
    new["debt"]["to"] = asdict(event.to)


def sold(new: Public, event: e.Sold) -> None:
    pay(new, None, Party(PartyKind.PLAYER, event.seat), event.amount)
    if event.what == "all":
        del new["lands"][event.pos]
    else:
        new["lands"][event.pos]["level"] -= 1


def went_bankrupt(new: Public, event: e.WentBankrupt) -> None:
    player = new["players"][event.seat]
    new["deck_count"] += len(player["held_cards"])
    player |= {"pos": None, "cash": 0, "alive": False, "held_cards": ()}
    player |= {"island_left": 0, "space_pending": False, "bankrupt_at_round": event.round}
    lands = new["lands"].items()
    new["lands"] = {pos: land for pos, land in lands if land["owner"] != event.seat}
    pay(new, None, event.creditor, event.amount)
    if new["debt"] and new["debt"]["debtor"] == event.seat:
        new["debt"] = None
    if event.seat == new["current"]:
        new |= {"decision": None, "extra_roll": False}


def trade_proposed(new: Public, event: e.TradeProposed) -> None:
    new |= {"phase": "tradeResponse", "awaited": event.responder, "pending_trade": asdict(event)}
    new["trades_this_turn"] += 1


def trade_resolved(new: Public, event: e.TradeResolved) -> None:
    new["pending_trade"] = None
    await_turn(new, event.proposer)
    if not event.accepted:
        return
    for side, giver, taker in (
        (event.give, event.proposer, event.responder),
        (event.take, event.responder, event.proposer),
    ):
        pay(new, giver, Party(PartyKind.PLAYER, taker), side.cash)
        for pos in side.lands:
            new["lands"][pos]["owner"] = taker


def game_over(new: Public, event: e.GameOver) -> None:
    new |= {"phase": "finished", "awaited": None, "decision": None, "extra_roll": False}
    new |= {"debt": None, "pending_trade": None}


HANDLERS: dict[type, Any] = {
    e.TurnStarted: turn_started,
    e.ExtraRollStarted: lambda new, event: await_turn(new, event.seat),
    e.Rolled: rolled,
    e.Moved: moved,
    e.SalaryPaid: lambda new, event: pay(
        new, None, Party(PartyKind.PLAYER, event.seat), event.amount
    ),
    e.DecisionOpened: decision_opened,
    e.Passed: passed,
    e.Bought: bought,
    e.Built: built,
    e.TollPaid: toll_paid,
    e.TakenOver: taken_over,
    e.CardDrawn: card_drawn,
    e.CardMoney: lambda new, event: settle(new, event.payer, event.receiver, event.amount),
    e.CardUsed: card_used,
    e.FundPaid: lambda new, event: settle(new, event.seat, event.receiver, event.amount),
    e.FundReceived: lambda new, event: pay(
        new, Party(PartyKind.FUND), Party(PartyKind.PLAYER, event.seat), event.amount
    ),
    e.SentToIsland: sent_to_island,
    e.IslandRolled: island_rolled,
    e.Escaped: escaped,
    e.SpaceTravelReady: space_travel_ready,
    e.SpaceTravelled: space_travelled,
    e.SpaceFeePaid: lambda new, event: settle(new, event.seat, event.receiver, event.amount),
    e.DebtOpened: debt_opened,
    e.DebtRedirected: debt_redirected,
    e.Sold: sold,
    e.WentBankrupt: went_bankrupt,
    e.TradeProposed: trade_proposed,
    e.TradeResolved: trade_resolved,
    e.GameOver: game_over,
}
