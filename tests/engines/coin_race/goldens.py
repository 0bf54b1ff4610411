"""How the matches in `golden/` were made; see `tests/engines/laws/golden.py`."""

from tests.engines.laws.golden import Scenario
from tests.engines.laws.matches import any_move, time_out

SCENARIOS = {
    "defaults": Scenario({}, 3, any_move, 1),
    "nobody_acts": Scenario({"goal": 10, "turnSeconds": None}, 2, time_out, 2),
}
