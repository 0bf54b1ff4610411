"""Laws of what may be known: nothing hidden shows, and what is told is enough."""

from random import Random
from typing import Any

import msgspec

from engines import codec
from engines.protocol import Engine, Illegal, Viewer
from engines.replay import Entry, perform
from tests.engines.laws.adapter import Adapter
from tests.engines.laws.matches import Match

MATCHES = 8
EVERY = 3
"""The secrecy laws look at every third state; with many matches no kind of state is missed."""

_encode = msgspec.json.Encoder().encode


def law_views_hide(engine: Engine[Any], adapter: Adapter[Any], matches: list[Match]) -> None:
    """Two states that differ in hidden things only look the same, byte for byte."""
    for number, match in enumerate(matches[:MATCHES]):
        rnd, changed = Random(number), set()
        for step in match.steps[::EVERY]:
            for viewer in match.viewers:
                other, _ = adapter.other_world(step.state, viewer, rnd)
                assert seen(engine, other, viewer) == seen(engine, step.state, viewer)
                if other != step.state:
                    changed.add(viewer)
        assert changed == set(match.viewers), "the other worlds are the same world"


def law_events_hide(engine: Engine[Any], adapter: Adapter[Any], matches: list[Match]) -> None:
    """The same step in a world that differs in hidden things tells a viewer the same."""
    for number, match in enumerate(matches[:MATCHES]):
        rnd, changed = Random(number), 0
        for turn in match.turns[::EVERY]:
            for viewer in match.viewers:
                other, entry = adapter.other_world(
                    turn.before, viewer, rnd, turn.entry, turn.step.events
                )
                assert entry is not None
                changed += other != turn.before
                assert told(engine, match, other, entry, viewer) == told(
                    engine, match, turn.before, turn.entry, viewer
                )
        assert changed, "the other worlds are the same world"


def law_refusals_hide(engine: Engine[Any], adapter: Adapter[Any], matches: list[Match]) -> None:
    """A refusal depends on nothing that the refused seat may not know."""
    for number, match in enumerate(matches[:MATCHES]):
        rnd = Random(number)
        for turn in match.turns[::EVERY]:
            for seat in range(match.seats):
                action = adapter.hostile_action(turn.before, seat, rnd)
                entry = Entry(seat, action, turn.entry.at)
                answer = refusal(engine, turn.before, entry)
                if answer is not None:
                    other, _ = adapter.other_world(turn.before, seat, rnd)
                    assert refusal(engine, other, entry) == answer


def law_the_feed_is_enough(
    engine: Engine[Any], adapter: Adapter[Any], matches: list[Match]
) -> None:
    """A snapshot plus the redacted events, as sent, is the snapshot taken later."""
    for match in matches[:MATCHES]:
        for viewer in match.viewers:
            public = adapter.public(engine.view(match.first.state, viewer))
            for turn in match.turns:
                for event in sent(engine, match, turn.step.events, viewer):
                    public = adapter.reduce(public, event, viewer)
                assert public == adapter.public(engine.view(turn.step.state, viewer))


def seen(engine: Engine[Any], state: Any, viewer: Viewer) -> bytes:
    """A view as bytes."""
    return _encode(engine.view(state, viewer))


def sent(engine: Engine[Any], match: Match, events: Any, viewer: Viewer) -> tuple[Any, ...]:
    """The events a viewer gets, through the codec as a client would."""
    redacted = (engine.redact(match.options, event, viewer) for event in events)
    shown = [event for event in redacted if event is not None]
    return codec.decode_events(engine, codec.encode_events(shown))


def told(
    engine: Engine[Any], match: Match, state: Any, entry: Entry, viewer: Viewer
) -> tuple[bytes, bytes, bytes]:
    """All that a viewer learns of one step: the row, the events, the view behind it."""
    step = perform(engine, state, entry)
    row = engine.redact_action(match.options, entry.actor, entry.action, viewer)
    shown = [engine.redact(match.options, event, viewer) for event in step.events]
    return (
        b"" if row is None else codec.encode_action(row),
        codec.encode_events(event for event in shown if event is not None),
        seen(engine, step.state, viewer),
    )


def refusal(engine: Engine[Any], state: Any, entry: Entry) -> tuple[Any, ...] | None:
    """All that a refused seat is told; None where the action is accepted."""
    try:
        perform(engine, state, entry)
    except Illegal as no:
        return no.reason, no.rule, no.path, no.text
    return None
