"""The result of a match: its games, who won it, and the one sentence that says so (§6, R-09)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from engines.number_tiles.reasons import EndReason
from engines.number_tiles.rules.scoring import GameOutcome, rank_seats
from engines.number_tiles.state import Phase, State
from engines.protocol import AtMost
from engines.texts import Text


@dataclass(frozen=True, slots=True)
class MatchPlacing:
    """One row of the match's ranking: most games won, then the higher total (R-06)."""

    rank: Annotated[int, "Place, from 1; equal rows share a place and the next one skips."]
    seat: Annotated[int, "The seat."]
    wins: Annotated[int, "Games won; a joint win counts in full."]
    total: Annotated[int, "Sum of the points of all games."]
    left: Annotated[bool, "Whether the player left; such rows come after all who stayed."]


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How the match ended, and every game of it."""

    reason: Annotated[EndReason, "How its last game ended, or that all but one player left."]
    winners: Annotated[
        tuple[int, ...], "Seats of the match winner, or of the joint winners.", AtMost(4)
    ]
    ranking: Annotated[tuple[MatchPlacing, ...], "All seats, best first.", AtMost(4)]
    games: Annotated[tuple[GameOutcome, ...], "The games that were played to their end.", AtMost(4)]


def wins_of(outcomes: Sequence[GameOutcome], seat: int) -> int:
    """Games this seat won; joint winners win one each (R-05)."""
    return sum(seat in outcome.winners for outcome in outcomes)


def total_of(outcomes: Sequence[GameOutcome], seat: int) -> int:
    """Points of this seat over the games so far."""
    return sum(row.score for outcome in outcomes for row in outcome.ranking if row.seat == seat)


def result(state: State) -> MatchResult | None:
    """The result once the match is over, else None."""
    return match_result(state) if state.phase is Phase.FINISHED else None


def match_result(state: State) -> MatchResult:
    """The match as its games stand; whoever left cannot win it (R-06)."""
    rows = {
        seat: (
            seat not in state.left,
            wins_of(state.outcomes, seat),
            total_of(state.outcomes, seat),
        )
        for seat in state.seats
    }
    ranking = tuple(
        MatchPlacing(rank, seat, rows[seat][1], rows[seat][2], not rows[seat][0])
        for rank, seat in rank_seats(rows)
    )
    forfeit = len(state.staying) == 1
    return MatchResult(
        EndReason.FORFEIT if forfeit else state.outcomes[-1].reason,
        tuple(row.seat for row in ranking if row.rank == 1),
        ranking,
        state.outcomes,
    )


def summary(result: MatchResult, names: Sequence[str]) -> Text:
    """The result in one sentence; `names` are those of the seats."""
    who = ", ".join(names[seat] for seat in result.winners)
    best = result.ranking[0]
    if result.reason is EndReason.FORFEIT:
        text = Text(
            "다른 사람이 모두 나가서 {who} 님이 이겼어요! ({total:+}점)",
            "All others left, so {who} won! ({total:+} points)",
        )
    elif len(result.games) > 1:
        text = Text(
            "{who} 님이 {games}판 가운데 {wins}판을 이겨 우승했어요! (모두 {total:+}점)",
            "{who} won the match with {wins} of {games} games! ({total:+} points in all)",
        )
    elif result.reason is EndReason.RACK_EMPTY:
        text = Text(
            "{who} 님이 타일을 모두 내려놓았어요! ({total:+}점)",
            "{who} laid all tiles! ({total:+} points)",
        )
    else:
        text = Text(
            "더 낼 사람이 없어 끝났어요. {who} 님이 이겼어요! ({total:+}점)",
            "Nobody could go on. {who} won! ({total:+} points)",
        )
    return text.format(who=who, wins=best.wins, total=best.total, games=len(result.games))
