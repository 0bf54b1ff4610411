"""Who may know what of the log, its actions and its events, while a match runs and after."""

from typing import Any

from api.history.replays import entry_of
from api.matches.feed import Seen, visible
from api.matches.live import Live, Row
from engines.protocol import Viewer


def may_open(live: Live) -> bool:
    """Whether all that was hidden may be shown by now."""
    return not live.running and (live.facts.open_replay or live.facts.verifiable)


def redacted(live: Live, row: Row, viewer: Viewer) -> Any:
    """The part of a row's action that a viewer may know; None for the deal, and for nothing."""
    if row.action is None:
        return None
    if may_open(live):
        viewer = row.seat
    return live.engine.redact_action(live.facts.options, entry_of(row).actor, row.action, viewer)


def told(live: Live, rows: tuple[Row, ...], viewer: Viewer) -> tuple[Seen, ...]:
    """The events of these rows as a viewer may know them; all of them once all may be shown."""
    if not may_open(live):
        return visible(live, rows, viewer)
    return tuple(Seen(row, i, event) for row in rows for i, event in enumerate(row.events))
