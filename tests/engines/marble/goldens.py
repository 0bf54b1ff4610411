"""How the matches in `golden/` were made; see `tests/engines/laws/golden.py`."""

from tests.engines.laws.golden import Scenario
from tests.engines.laws.matches import any_move, time_out

EVERYTHING = {
    "startMoney": 500,
    "salary": 30,
    "maxRounds": 15,
    "buildOnPurchase": True,
    "islandTurns": 2,
    "islandFee": 10,
    "takeover": True,
    "landmark": True,
    "monopolyWin": True,
    "trade": True,
    "turnSeconds": 15,
}
SHORT_OF_MONEY = {"startMoney": 200, "salary": 10, "maxRounds": 0, "turnSeconds": None}

SCENARIOS = {
    "defaults": Scenario({}, 3, any_move, 1),
    "every_option_changed": Scenario(EVERYTHING, 4, any_move, 2),
    "nobody_acts": Scenario({}, 2, time_out, 3),
    "to_the_last_survivor": Scenario(SHORT_OF_MONEY, 3, any_move, 4),
}
