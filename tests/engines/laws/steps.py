"""Laws of a single step: nothing is changed in place, lost on the way, or done for a refusal."""

from random import Random
from typing import Any

from engines import codec
from engines.protocol import SHARED_EVENTS, SYSTEM, SYSTEM_ACTIONS, Actor, Engine, Illegal, TimeOut
from engines.replay import Entry, perform, replay
from tests.engines.laws.adapter import Adapter
from tests.engines.laws.matches import START, Match

HOSTILE_TRIES = 3


def law_inputs_are_never_changed(
    engine: Engine[Any], adapter: Adapter[Any], matches: list[Match]
) -> None:
    """A state or action handed in reads afterwards as it did before."""
    for match in matches:
        for turn in match.turns:
            assert codec.encode_state(turn.before) == turn.before_bytes
            assert codec.encode_action(turn.entry.action) == turn.action_bytes


def law_everything_survives_the_codec(
    engine: Engine[Any], adapter: Adapter[Any], matches: list[Match]
) -> None:
    """State, options, action, events and result come back equal from JSON."""
    for match in matches:
        options = codec.decode_options(engine, codec.encode_options(match.options))
        assert options == match.options
        for turn in match.turns:
            assert codec.decode_action(engine, turn.action_bytes) == turn.entry.action
        for step in match.steps:
            assert codec.decode_state(engine, codec.encode_state(step.state)) == step.state
            assert codec.decode_events(engine, codec.encode_events(step.events)) == step.events
        result = engine.result(match.last)
        if result is not None:
            assert codec.decode_result(engine, codec.encode_result(result)) == result


def law_the_log_is_the_truth(
    engine: Engine[Any], adapter: Adapter[Any], matches: list[Match]
) -> None:
    """Options, seed and the log as stored give every state and every event again."""
    for match in matches:
        log = [
            Entry(turn.entry.actor, codec.decode_action(engine, turn.action_bytes), turn.entry.at)
            for turn in match.turns
        ]
        again = list(replay(engine, match.options, match.seats, match.seed, START, log))
        assert len(again) == len(match.steps)
        for new, old in zip(again, match.steps, strict=True):
            assert codec.encode_state(new.state) == codec.encode_state(old.state)
            assert codec.encode_events(new.events) == codec.encode_events(old.events)


def law_a_stored_state_plays_on(
    engine: Engine[Any], adapter: Adapter[Any], matches: list[Match]
) -> None:
    """A state read back from the database takes the next step as the one in memory did."""
    for match in matches:
        for turn in match.turns:
            step = perform(engine, codec.decode_state(engine, turn.before_bytes), turn.entry)
            assert step.state == turn.step.state
            assert step.events == turn.step.events


def law_refusals_change_nothing(
    engine: Engine[Any], adapter: Adapter[Any], matches: list[Match]
) -> None:
    """Whatever is sent is judged: accepted, or refused by a named reason without a trace."""
    refused = 0
    for number, match in enumerate(matches):
        rnd = Random(number)
        for turn in match.turns:
            actors: tuple[Actor, ...] = (rnd.randrange(match.seats), SYSTEM)
            for actor in actors * HOSTILE_TRIES:
                action = adapter.hostile_action(turn.before, actor, rnd)
                refused += judged(engine, turn.before, turn.before_bytes, actor, action)
    assert refused, "no hostile action was refused"


def judged(engine: Engine[Any], state: Any, before: bytes, actor: Actor, action: object) -> bool:
    """Whether the action is refused; checks the refusal and that the state stayed."""
    sent = codec.encode_action(action)
    refused = refusal_of(engine, state, actor, action)
    assert codec.encode_state(state) == before
    assert codec.encode_action(action) == sent
    if refused is None:
        return False
    assert isinstance(refused.reason, engine.reasons)
    assert refused.rule
    assert "{" not in refused.text.ko + refused.text.en
    return True


def refusal_of(engine: Engine[Any], state: Any, actor: Actor, action: object) -> Illegal | None:
    """The refusal of an action, None where it is accepted; any other exception is a bug."""
    try:
        engine.apply(state, actor, action, START)
    except Illegal as refused:
        return refused
    return None


def law_every_action_is_handled(
    engine: Engine[Any], adapter: Adapter[Any], matches: list[Match]
) -> None:
    """Each action of the contents page is accepted somewhere, each event happens somewhere.

    The system's own time-out is a row like any other; what is not an action is refused.
    """
    rows = {type(entry.action) for match in matches for entry in match.log}
    missing = {*engine.actions, *engine.host_actions, TimeOut} - rows
    assert not missing, f"never accepted: {missing}"
    assert rows <= {*engine.actions, *engine.host_actions, *SYSTEM_ACTIONS}
    facts = {type(event) for match in matches for step in match.steps for event in step.events}
    assert facts <= {*engine.events, *SHARED_EVENTS}
    assert not {*engine.events} - facts, f"never happened: { ({*engine.events} - facts) }"


def law_strangers_are_refused(
    engine: Engine[Any], adapter: Adapter[Any], matches: list[Match]
) -> None:
    """What is no action of the game is refused as data, from a seat and from the system."""
    for actor in (0, SYSTEM):
        refused = refusal_of(engine, matches[0].first.state, actor, Stranger())
        assert refused is not None, "an unknown action was accepted"
        assert isinstance(refused.reason, engine.reasons)


class Stranger:
    """No action of any game."""


def law_no_ops_keep_the_object(
    engine: Engine[Any], adapter: Adapter[Any], matches: list[Match]
) -> None:
    """A step that changes nothing gives the very state back and tells nothing."""
    for match in matches:
        for turn in match.turns:
            same = turn.step.state is turn.before
            assert same == (codec.encode_state(turn.step.state) == turn.before_bytes)
            if same:
                assert turn.step.events == ()


def law_nothing_appears_or_vanishes(
    engine: Engine[Any], adapter: Adapter[Any], matches: list[Match]
) -> None:
    """The game's own accounts agree with its events at every step."""
    for match in matches:
        for turn in match.turns:
            adapter.check_conservation(turn.before, turn.step.events, turn.step.state)
