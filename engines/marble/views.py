"""What a viewer may know (§8.3, §9), built field by field; what is not written here is not seen."""

from dataclasses import dataclass
from typing import Annotated, NamedTuple

from engines.marble.actions import ActionName
from engines.marble.board import INVESTED
from engines.marble.cards import CardId
from engines.marble.money import Party, PaymentCause
from engines.marble.options import Options
from engines.marble.previews import Choices, available, choices
from engines.marble.rules.arrival import toll_at
from engines.marble.state import Decision, Phase, State, TradeOffer
from engines.protocol import Actor, Seat, Viewer


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


def view(state: State, viewer: Viewer) -> View:
    """The match as a seat or a spectator sees it; who is out sees what a spectator sees (R141)."""
    board = _board(state)
    return View(
        phase=state.phase,
        round=state.round,
        order=state.order,
        current=state.current,
        awaited=state.awaited,
        players=board.players,
        lands=board.lands,
        fund=state.fund,
        deck_count=len(state.deck),
        decision=state.decision,
        debt=_debt(state),
        pending_trade=state.offer,
        extra_roll=state.extra_roll,
        last_roll=state.last_roll,
        doubles_this_turn=state.doubles_this_turn,
        cards_this_turn=state.cards_this_turn,
        trades_this_turn=state.trades_this_turn,
        turn_seq=state.turn_seq,
        your_seat=viewer,
        available=available(state, viewer),
        choices=choices(state, viewer),
    )


class _Board(NamedTuple):
    """What takes long to build and is the same for all viewers of a state."""

    state: State
    players: tuple[PlayerView, ...]
    lands: tuple[LandView, ...]


_last: list[_Board] = []
"""The one built last: those at a table look one after the other."""


def _board(state: State) -> _Board:
    for board in _last:
        if board.state is state:
            return board
    board = _Board(state, _players(state), _lands(state))
    _last[:] = [board]
    return board


def _players(state: State) -> tuple[PlayerView, ...]:
    counts = [0] * len(state.players)
    assets = [player.cash for player in state.players]
    for pos, land in enumerate(state.lands):
        if land is not None:
            counts[land.owner] += 1
            assets[land.owner] += INVESTED[pos][land.level]
    return tuple(
        [_player(state, seat, counts[seat], assets[seat]) for seat in range(len(state.players))]
    )


def _player(state: State, seat: Seat, land_count: int, assets: int) -> PlayerView:
    player = state.players[seat]
    return PlayerView(
        seat=seat,
        pos=player.pos if player.alive else None,
        cash=player.cash,
        alive=player.alive,
        island_left=player.island_left,
        space_pending=player.space_pending,
        held_cards=player.held,
        land_count=land_count,
        total_assets=assets,
        bankrupt_at_round=player.bankrupt_at_round,
    )


def _lands(state: State) -> tuple[LandView, ...]:
    return tuple(
        [
            LandView(pos, land.owner, land.level, toll_at(state, pos))
            for pos, land in enumerate(state.lands)
            if land is not None
        ]
    )


def _debt(state: State) -> DebtView | None:
    debt = state.debt
    if debt is None:
        return None
    missing = debt.amount - state.players[debt.debtor].cash
    return DebtView(debt.debtor, debt.amount, missing, debt.to, debt.cause)


def redact(options: Options, event: object, viewer: Viewer) -> object:
    """The event itself: everything that happens is public (§8.3)."""
    return event


def redact_action(options: Options, actor: Actor, action: object, viewer: Viewer) -> object:
    """The action itself: every decision is public (§8.3)."""
    return action
