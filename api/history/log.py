"""Who may know what of a logged action, while a match runs and after."""

from typing import Any

from api.history.replays import entry_of
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
