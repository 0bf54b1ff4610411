"""The coin race by the rules of version 2, and by no others."""

from dataclasses import replace

from tests.extra_games.api import coin_race
from tests.newer_rules.coin_race import ALONE

GAME = replace(coin_race.GAME, engine=ALONE)
