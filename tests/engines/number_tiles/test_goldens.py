"""The matches on file show all there is to show; `tests/engines/test_golden.py` replays them."""

import msgspec

from engines.number_tiles import ENGINE
from tests.engines.laws.golden import files_of


def test_the_files_hold_every_event_and_action() -> None:
    """S-06: a change to any of them is noticed."""
    lines = [line for path in files_of("number_tiles") for line in path.read_bytes().splitlines()]
    rows = [msgspec.json.decode(line) for line in lines]
    events = {event["type"] for row in rows for event in row["events"]}
    actions = {row["action"]["type"] for row in rows if "action" in row}
    assert events >= {cls.__name__ for cls in ENGINE.events}
    assert actions >= {cls.__name__ for cls in (*ENGINE.actions, *ENGINE.host_actions)}
