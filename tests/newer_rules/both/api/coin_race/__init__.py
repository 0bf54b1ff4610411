"""The coin race by the rules of version 2, with those of version 1 still at hand."""

from dataclasses import replace

from tests.extra_games.api import coin_race
from tests.newer_rules.coin_race import BOTH

GAME = replace(coin_race.GAME, engine=BOTH)
