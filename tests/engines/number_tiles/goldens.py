"""How the matches in `golden/` were made; see `tests/engines/laws/golden.py`."""

from typing import Any

from engines.number_tiles.state import State
from engines.replay import Entry
from tests.engines.laws.golden import Scenario
from tests.engines.laws.matches import Table, any_move, time_out
from tests.engines.number_tiles.player import sensible_action

EVERYTHING = {
    "initialMeldPoints": 20,
    "turnSeconds": 90,
    "timeoutValidDraft": "revert",
    "invalidTimeoutPenalty": 1,
    "invalidCommitPenalty": "penalty3",
    "jokerPenalty": 50,
    "initialMeldAllowExtend": True,
    "showDraftToOthers": True,
    "gamesPerMatch": 2,
    "hints": False,
}


def plain_move(table: Table, state: State, now: int) -> Entry:
    """Everybody lays what easily fits."""
    action: Any = sensible_action(state)
    return Entry(state.current, action, now + 1_000)


SCENARIOS = {
    "defaults": Scenario({}, 2, plain_move, 33),
    "every_option_changed": Scenario(EVERYTHING, 3, any_move, 14),
    "nobody_acts": Scenario({}, 4, time_out, 3),
    "somebody_leaves": Scenario({"gamesPerMatch": "seats"}, 3, any_move, 31),
}
