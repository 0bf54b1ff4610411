"""What every service works with, made once per process."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from api.bus import Hub
from api.config import Config
from api.db import Database
from api.matches.live import Recent

from api.rates import Rates
if TYPE_CHECKING:
    from api.games.binding import Binding
from api.rooms.lobby import Lobby


@dataclass(frozen=True, slots=True)
class Services:
    """The process's connections and the games it serves."""

    config: Config
    database: Database
    hub: Hub
    games: "Mapping[str, Binding]"
    recent: Recent = field(default_factory=Recent)
    lobby: Lobby = field(default_factory=Lobby)
    rates: Rates = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rates", Rates(self.config))
