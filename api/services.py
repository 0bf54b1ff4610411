"""What every service works with, made once per process."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import UUID

from api.accounts.claims import Known
from api.bus import Hub
from api.config import Config
from api.db import Database
from api.history.snapshots import Snapshots
from api.matches.commits import Commits
from api.matches.live import Recent
from api.presence.board import Presence
from api.rates import Rates
from api.rooms.lobby import Lobby

if TYPE_CHECKING:
    from api.games.binding import Binding
    from api.matches.channel import Channel


@dataclass(frozen=True, slots=True)
class Services:
    """The process's connections and the games it serves."""

    config: Config
    database: Database
    hub: Hub
    games: "Mapping[str, Binding]"
    recent: Recent = field(default_factory=Recent)
    snapshots: Snapshots = field(default_factory=Snapshots)
    lobby: Lobby = field(default_factory=Lobby)
    known: Known = field(default_factory=Known)
    commits: Commits = field(init=False)
    channels: "dict[UUID, Channel]" = field(default_factory=dict)
    rates: Rates = field(init=False)
    presence: Presence = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "commits", Commits(self.database))
        object.__setattr__(self, "rates", Rates(self.config))
        object.__setattr__(self, "presence", Presence(self.database, self.hub))
