"""Places, ties and the wording of a finished match (§6, §8.6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from engines.marble.reasons import EndReason, MonopolyType
from engines.marble.state import State, lands_of, living, total_assets
from engines.protocol import Seat
from engines.texts import Text


@dataclass(frozen=True, slots=True)
class Place:
    """One row of the final ranking."""

    rank: Annotated[int, "Rank from 1; equal places share it and the next rank skips."]
    seat: Annotated[int, "Seat of the player."]
    total_assets: Annotated[int, "Cash and list price of lands and buildings, in 만."]
    cash: Annotated[int, "Cash in 만."]
    lands: Annotated[int, "Number of lands owned, tourist sites included."]
    bankrupt_at_round: Annotated[
        int | None, "Round in which the player went out; null for survivors."
    ]


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a match."""

    reason: Annotated[EndReason, "Why the match ended."]
    monopoly_type: Annotated[MonopolyType | None, "Which monopoly won; null for other reasons."]
    round: Annotated[int, "The last round played."]
    ranking: Annotated[tuple[Place, ...], "All seats, the best first."]
    winners: Annotated[tuple[int, ...], "Seats of everybody on rank 1."]


def result(state: State) -> Result | None:
    """The outcome once the match is over (§6); None before."""
    ending = state.ending
    if ending is None:
        return None
    survivors = living(state)
    standing = {s: (total_assets(state, s), state.players[s].cash) for s in survivors}
    first = [s for s in survivors if s == ending.achiever]  # R116
    rest = [s for s in survivors if s != ending.achiever]
    rest.sort(key=standing.__getitem__, reverse=True)  # stable: equals stay in turn order
    out = [s for s in state.order if not state.players[s].alive]
    out.sort(key=lambda s: state.players[s].out_seq or 0, reverse=True)  # R113
    places: list[Place] = []
    for index, seat in enumerate(first + rest + out):
        above = rest[rest.index(seat) - 1] if seat in rest[1:] else None
        tied = above is not None and standing[above] == standing[seat]
        places.append(_place(state, seat, places[-1].rank if tied else index + 1))
    winners = tuple(place.seat for place in places if place.rank == 1)
    return Result(ending.reason, ending.monopoly, state.round, tuple(places), winners)


def _place(state: State, seat: Seat, rank: int) -> Place:
    player = state.players[seat]
    assets = total_assets(state, seat)
    count = len(lands_of(state, seat))
    return Place(rank, seat, assets, player.cash, count, player.bankrupt_at_round)


_MONOPOLIES = {
    MonopolyType.TRIPLE: Text("트리플 독점", "Triple monopoly"),
    MonopolyType.LINE: Text("라인 독점", "Line monopoly"),
    MonopolyType.TOUR: Text("관광지 독점", "Tourist site monopoly"),
}

_ROUND_LIMIT = Text(
    "{round}라운드 종료! {who} 총자산 {assets}만으로 승리",
    "Round {round} is over! {who} wins with total assets of {assets}만",
)
_ROUND_LIMIT_JOINT = Text(
    "{round}라운드 종료! {who} 총자산 {assets}만으로 공동 승리",
    "Round {round} is over! {who} win together with total assets of {assets}만",
)
_LAST_SURVIVOR = Text(
    "{round}라운드에서 {who} 마지막까지 살아남아 승리",
    "{who} wins as the last survivor in round {round}",
)
_MONOPOLY = Text("{monopoly}! {who} 승리", "{monopoly}! {who} wins")


def summary(result: Result, names: Sequence[str]) -> Text:
    """The outcome in one sentence, given the display name of each seat (§8.6, R118)."""
    who = "·".join(names[seat] for seat in result.winners)
    if result.monopoly_type is not None:
        kind = _MONOPOLIES[result.monopoly_type]
        return Text(
            _MONOPOLY.ko.format(monopoly=kind.ko, who=who),
            _MONOPOLY.en.format(monopoly=kind.en, who=who),
        )
    if result.reason is EndReason.LAST_SURVIVOR:
        return _LAST_SURVIVOR.format(round=result.round, who=who)
    wording = _ROUND_LIMIT if len(result.winners) == 1 else _ROUND_LIMIT_JOINT
    assets = result.ranking[0].total_assets
    return wording.format(round=result.round, who=who, assets=assets)
