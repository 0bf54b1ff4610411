"""The view after an event, rebuilt from redacted events alone, as a client would."""

from dataclasses import asdict
from typing import Any

from engines.number_tiles import events as e
from engines.protocol import DeadlineShifted, Viewer

PREVIEWS = ("hint", "available")


def public_part(view: dict[str, Any]) -> dict[str, Any]:
    """The part of a view that events explain."""
    public = {key: value for key, value in view.items() if key not in PREVIEWS}
    if public["draft"] is not None:
        public["draft"] = in_brief(public["draft"]["sets"], public["draft"]["rev"])
    return public


def in_brief(sets: Any, rev: int) -> dict[str, Any]:
    """A draft without what its player is told about it beyond the events."""
    return {"sets": [(each["tile_ids"], each["valid"]) for each in sets], "rev": rev}


def reduced(public: dict[str, Any], event: Any, viewer: Viewer) -> dict[str, Any]:
    """`public` after one event, which is not changed."""
    new = {**public, "seats": tuple(dict(seat) for seat in public["seats"])}
    if not isinstance(event, DeadlineShifted):
        _REDUCERS[type(event)](new, asdict(event), viewer)
    return new


def _started(new: dict[str, Any], event: dict[str, Any], viewer: Viewer) -> None:
    new |= {
        "game_no": event["game_no"],
        "games": event["games"],
        "pool_count": event["pool_count"],
        "table": (),
        "passes": (),
    }
    for seat in new["seats"]:
        seat |= {"rack_count": 0, "has_melded": False}
    if viewer is not None:
        new["rack"] = ()


def _dealt(new: dict[str, Any], event: dict[str, Any], viewer: Viewer) -> None:
    new["seats"][event["seat"]]["rack_count"] = event["count"]
    if event["seat"] == viewer:
        new["rack"] = event["tile_ids"]
    else:
        assert event["tile_ids"] is None


def _turn(new: dict[str, Any], event: dict[str, Any], viewer: Viewer) -> None:
    seat = event["seat"]
    new |= {"phase": "playing", "current": seat, "turn": event["turn"], "draft": None}
    new["thinking"] = {"seat": seat, "changes": 0, "sets": None}
    if seat == viewer:
        sets = [{**each["reading"], "valid": True} for each in new["table"]]
        new["draft"] = in_brief(sets, 0)


def _draft(new: dict[str, Any], event: dict[str, Any], viewer: Viewer) -> None:
    sets = None if event["seat"] == viewer else event["sets"]
    new["thinking"] = {"seat": event["seat"], "changes": event["changes"], "sets": sets}
    if event["seat"] == viewer:
        new["draft"] = in_brief(event["sets"], event["changes"])


def _committed(new: dict[str, Any], event: dict[str, Any], viewer: Viewer) -> None:
    seat = new["seats"][event["seat"]]
    assert event["first_registration"] is not seat["has_melded"]
    seat |= {"rack_count": seat["rack_count"] - len(event["laid"]), "has_melded": True}
    assert event["changed_set_ids"] == _changed(new["table"], event["table"])
    new |= {"table": event["table"], "passes": ()}
    if event["seat"] == viewer:
        new["rack"] = tuple(tile for tile in new["rack"] if tile not in event["laid"])


def _changed(old: tuple[dict[str, Any], ...], new: tuple[dict[str, Any], ...]) -> tuple[int, ...]:
    """U-07: ids that are new or hold other tiles."""
    before = {each["set_id"]: sorted(each["reading"]["tile_ids"]) for each in old}
    return tuple(
        each["set_id"]
        for each in new
        if before.get(each["set_id"]) != sorted(each["reading"]["tile_ids"])
    )


def _drawn(new: dict[str, Any], event: dict[str, Any], viewer: Viewer) -> None:
    new["seats"][event["seat"]]["rack_count"] += event["count"]
    new["pool_count"] -= event["count"]
    assert new["pool_count"] == event["pool_count"]
    if event["seat"] == viewer:
        new["rack"] += event["tile_ids"]
        assert len(event["tile_ids"]) == event["count"]
    else:
        assert event["tile_ids"] is None


def _passed(new: dict[str, Any], event: dict[str, Any], viewer: Viewer) -> None:
    new["passes"] = event["passes"]


def _ended(new: dict[str, Any], event: dict[str, Any], viewer: Viewer) -> None:
    new["outcomes"] += (event["outcome"],)
    for seat, wins, total in zip(new["seats"], event["wins"], event["totals"], strict=True):
        seat |= {"wins": wins, "total": total}
    new |= {
        "phase": "finished" if event["last"] else "betweenGames",
        "current": None,
        "thinking": None,
        "draft": None,
    }


def _over(new: dict[str, Any], event: dict[str, Any], viewer: Viewer) -> None:
    new |= {"phase": "finished", "winners": event["result"]["winners"]}


def _left(new: dict[str, Any], event: dict[str, Any], viewer: Viewer) -> None:
    new["seats"][event["seat"]]["left"] = True
    new["order"] = tuple(seat for seat in new["order"] if seat != event["seat"])


def _away(new: dict[str, Any], event: dict[str, Any], viewer: Viewer) -> None:
    new["seats"][event["seat"]]["away"] = True


def _back(new: dict[str, Any], event: dict[str, Any], viewer: Viewer) -> None:
    new["seats"][event["seat"]]["away"] = False


def _nothing(new: dict[str, Any], event: dict[str, Any], viewer: Viewer) -> None:
    """A fact that is shown once and leaves no trace in the view."""


_REDUCERS = {
    e.StarterDrawn: _nothing,
    e.GameStarted: _started,
    e.TilesDealt: _dealt,
    e.TurnStarted: _turn,
    e.DraftChanged: _draft,
    e.SetsCommitted: _committed,
    e.DraftReverted: _nothing,
    e.TilesDrawn: _drawn,
    e.Passed: _passed,
    e.GameEnded: _ended,
    e.MatchEnded: _over,
    e.SeatLeft: _left,
    e.SeatAway: _away,
    e.SeatBack: _back,
}
