"""One game bound to GraphQL: its derived types, and the functions that present engine values."""

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any, get_args, get_type_hints

from api.games.derive import Derivation
from api.games.registry import Game
from api.games.rules import rules_at_hand
from api.games.types import Game as GameInterface
from api.matches.feed import Seen
from api.matches.live import Facts, Live
from api.matches.reasons import MatchReason
from api.matches.views import MatchAction, MatchEvent, MatchPlacing, MatchResult, MatchView
from api.refusals import error_type
from engines.protocol import SHARED_EVENTS, SYSTEM_ACTIONS, Engine, Viewer


class Binding:
    """What the API does with one game. Built once per process."""

    def __init__(self, game: Game) -> None:
        engine = game.engine
        self.game = game
        self.engine: Engine[Any] = engine
        self._rules: dict[int, Engine[Any]] = {}
        self.derivation = derivation = Derivation(game.prefix)
        for cls in nested(engine.result_type):
            if {"rank", "seat"} <= {f.name for f in fields(cls)}:
                derivation.bases[cls] = MatchPlacing
        self.result_type, self._present_result = derivation.presented(
            engine.result_type, MatchResult, "Result"
        )
        derivation.present_inside(engine.result_type, self.result_type, self._present_result)
        self.view_type, self._present_view = derivation.presented(
            engine.view_type, MatchView, "View"
        )
        self.event_types: list[type] = []
        self._present_event: dict[type, Callable[..., Any]] = {}
        for cls in engine.events:
            event_type, present = derivation.presented(cls, MatchEvent)
            self.event_types.append(event_type)
            self._present_event[cls] = present
        for cls in SHARED_EVENTS:
            self._present_event[cls] = shared_event(cls)[1]
        self.action_types: list[type] = []
        self._present_action: dict[type, Callable[..., Any]] = {}
        for cls in (*engine.actions, *engine.host_actions):
            action_type, present = derivation.presented(cls, MatchAction, f"{cls.__name__}Action")
            self.action_types.append(action_type)
            self._present_action[cls] = present
        for cls in SYSTEM_ACTIONS:
            self._present_action[cls] = shared_action(cls)[1]
        self.error_type = error_type(
            game.prefix, f"A refusal in {engine.about.name.en}.", MatchReason, engine.reasons
        )
        self.game_type, self._present_game = derivation.presented(
            type(game.catalogue), GameInterface, "Game"
        )

    def rules(self, version: int) -> Engine[Any]:
        """The engine of a rules version, see `rules_at_hand`; `engine` is the newest."""
        if version not in self._rules:
            self._rules[version] = rules_at_hand(self.engine, version)
        return self._rules[version]

    def view(self, live: Live, viewer: Viewer, now: datetime) -> MatchView:
        """The view of a match for a viewer, as GraphQL shows it."""
        shown: MatchView = self._present_view(
            live.view(viewer), live.facts, version=live.version, server_time=now
        )
        return shown

    def event(self, seen: Seen, facts: Facts) -> Any:
        """One redacted event, as GraphQL shows it."""
        present = self._present_event[type(seen.event)]
        return present(
            seen.event, facts, version=seen.row.version, index=seen.index, at=seen.row.at
        )

    def action(self, action: Any, facts: Facts) -> MatchAction:
        """One redacted action of the log, as GraphQL shows it."""
        cls = type(action)
        shown: MatchAction = self._present_action[cls](action, facts, action_name=cls.__name__)
        return shown

    def result(self, result: Any, facts: Facts) -> MatchResult:
        """A result, as GraphQL shows it."""
        shown: MatchResult = self._present_result(result, facts, facts=facts)
        return shown

    def catalogue(self) -> GameInterface:
        """The game itself: its options, texts and catalogue."""
        shown: GameInterface = self._present_game(self.game.catalogue, None, engine=self.engine)
        return shown

    def types(self) -> Sequence[type]:
        """The types that no field names and the schema would miss."""
        return [
            self.view_type,
            self.result_type,
            self.game_type,
            self.error_type,
            *self.event_types,
            *self.action_types,
        ]


_shared = Derivation("")
_shared_events: dict[type, tuple[type, Callable[..., Any]]] = {}
_shared_actions: dict[type, tuple[type, Callable[..., Any]]] = {}


def shared_event(cls: type) -> tuple[type, Callable[..., Any]]:
    """The type of an event that every game shares, and its presenter."""
    if cls not in _shared_events:
        _shared_events[cls] = _shared.presented(cls, MatchEvent)
    return _shared_events[cls]


def shared_action(cls: type) -> tuple[type, Callable[..., Any]]:
    """The type of an action that every game shares, and its presenter."""
    if cls not in _shared_actions:
        _shared_actions[cls] = _shared.presented(cls, MatchAction, f"{cls.__name__}Action")
    return _shared_actions[cls]


def nested(cls: type) -> list[type]:
    """The dataclasses that lie directly inside the fields of a dataclass."""
    found: list[type] = []

    def walk(hint: Any) -> None:
        if isinstance(hint, type) and is_dataclass(hint):
            found.append(hint)
        for arg in get_args(hint):
            walk(arg)

    for hint in get_type_hints(cls).values():
        walk(hint)
    return found
