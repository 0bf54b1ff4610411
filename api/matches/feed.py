"""What happened in a match, as one viewer may see it: events, and what an update tells."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from api.accounts.store import Profile
from api.matches import store
from api.matches.live import Live, Row
from api.matches.records import decode_row
from api.services import Services
from engines.protocol import Viewer

BATCH = 100
"""Most log rows in one update of a long catch-up."""


@dataclass(slots=True)
class Seen:
    """One event as a viewer may see it, with its place in the log.

    `presented` keeps what GraphQL shows of it, once made.
    """

    row: Row
    index: int
    event: Any
    presented: Any = None


@dataclass(slots=True, eq=False)
class Sight:
    """The events of some rows that one viewer may see, or all of those who see the same.

    `answers` keeps what they were told of them.
    """

    seen: tuple[Seen, ...]
    answers: dict[Any, Any] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Sitting:
    """Who sits at a match, as all are told it: those of them who are connected, and the profiles.

    `shown` keeps what GraphQL shows of it, by language, and `answers` what they were told.
    """

    connected: frozenset[UUID]
    profiles: Mapping[UUID, Profile]
    shown: dict[str, Any] = field(default_factory=dict)
    answers: dict[Any, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Update:
    """What a viewer is told of the versions after `from_version` up to `version`.

    `newest` is the match at `version`, or later in the earlier batches of a long catch-up, which
    are not `complete`. `at` is when the update was made, in game time.
    """

    from_version: int
    version: int
    sight: Sight
    viewer: Viewer
    newest: Live
    complete: bool
    sitting: Sitting
    at: datetime
    delay: int | None = None
    """Since the last of the events, in milliseconds; None without events."""


def visible(live: Live, rows: tuple[Row, ...], viewer: Viewer) -> tuple[Seen, ...]:
    """The events of these rows that a viewer may see, each as the viewer may see it."""
    redact, options = live.engine.redact, live.facts.options
    seen = []
    for row in rows:
        for index, event in enumerate(row.events):
            shown = redact(options, event, viewer)
            if shown is not None:
                seen.append(Seen(row, index, shown))
    return tuple(seen)


def rows_at_hand(
    services: Services, live: Live, after: int, limit: int = BATCH
) -> tuple[Row, ...] | None:
    """What `read_rows` reads, where this process has it in memory."""
    recent = services.recent.since(live.facts.id, after)
    if recent is None:
        return None
    return tuple(row for row in recent[1] if row.version <= live.version)[:limit]


async def read_rows(
    services: Services, live: Live, after: int, limit: int = BATCH
) -> tuple[Row, ...]:
    """Log rows after a version, at most `limit`, none newer than `live`."""
    known = rows_at_hand(services, live, after, limit)
    if known is not None:
        return known
    records = await store.rows(services.database, live.facts.id, after, live.version, limit)
    return tuple(decode_row(live.engine, record) for record in records)
