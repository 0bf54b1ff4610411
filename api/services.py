"""What every service works with, made once per process."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from api.bus import Hub
from api.config import Config
from api.db import Database
from api.games.registry import Game
from api.matches.live import Recent


@dataclass(frozen=True, slots=True)
class Services:
    """The process's connections and the games it serves."""

    config: Config
    database: Database
    hub: Hub
    games: Mapping[str, Game]
    recent: Recent = field(default_factory=Recent)
