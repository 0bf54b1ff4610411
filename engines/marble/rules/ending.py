"""§5.6 The end of a match, and §5.7 the monopolies that bring it about at once."""

from collections.abc import Iterable, Set

from engines.marble.board import GROUPS, LINES, TOURS, Pos
from engines.marble.events import GameOver, Log, MonopolyWon
from engines.marble.reasons import EndReason, MonopolyType
from engines.marble.results import result
from engines.marble.state import Ending, JudgeMonopoly, State, lands_of, others_after


def finish(state: State, log: Log, ending: Ending) -> State:
    """Close the match: nothing is collected or decided any more (R67, R90)."""
    state = state.but(
        ending=ending, decision=None, debt=None, offer=None, pending=(), extra_roll=False
    )
    final = result(state)
    assert final is not None
    log.append(GameOver(final))
    return state


def judge_monopoly(state: State, _: JudgeMonopoly, log: Log) -> State:
    """End the match if a player has a monopoly; the current player is looked at first (R99)."""
    if not state.options.monopoly_win:
        return state
    for seat in (state.current, *others_after(state, state.current)):
        kind = monopoly_of({pos for pos, _ in lands_of(state, seat)})
        if kind is not None:
            log.append(MonopolyWon(seat, kind))
            return finish(state, log, Ending(EndReason.MONOPOLY, kind, seat))
    return state


def monopoly_of(owned: Set[Pos]) -> MonopolyType | None:
    """The monopoly these lands make; of several the first in the document's order (R100)."""
    if sum(_whole(group, owned) for group in GROUPS) >= 3:
        return MonopolyType.TRIPLE
    if any(_whole(line, owned) for line in LINES):
        return MonopolyType.LINE
    return MonopolyType.TOUR if _whole(TOURS, owned) else None


def _whole(positions: Iterable[Pos], owned: Set[Pos]) -> bool:
    return all(pos in owned for pos in positions)
