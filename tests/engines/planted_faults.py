"""Faulty coin races, one fault each, and the law that must object to it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from itertools import count
from typing import Annotated, Any

import msgspec

from engines.protocol import Engine, Illegal, Reason, Step
from engines.texts import Text
from tests.engines.laws import endings, secrecy, shape, steps
from tests.extra_games.engines.coin_race import ENGINE
from tests.extra_games.engines.coin_race import events as e
from tests.extra_games.engines.coin_race.actions import Choose, PlayCard
from tests.extra_games.engines.coin_race.results import CoinRacePlacing
from tests.extra_games.engines.coin_race.rules.turn import do_choose

Sound = Engine[Any]
changed = msgspec.structs.replace


def scribble(state: Any) -> None:
    """Change a frozen state in place, as a list or dict inside it could be."""
    msgspec.structs.force_setattr(state, "round", state.round + 1)


def apply_scribbles(state, actor, action, at):
    step = ENGINE.apply(state, actor, action, at)
    scribble(state)
    return step


def apply_scribbles_when_refusing(state, actor, action, at):
    try:
        return ENGINE.apply(state, actor, action, at)
    except Illegal:
        scribble(state)
        raise


def apply_refuses_by_a_foreign_reason(state, actor, action, at):
    class Foreign(Reason):
        NO = "안 돼요.", "No."

    try:
        return ENGINE.apply(state, actor, action, at)
    except Illegal as no:
        raise Illegal(Foreign.NO, no.rule) from no


def apply_leaves_a_place_unfilled(state, actor, action, at):
    try:
        return ENGINE.apply(state, actor, action, at)
    except Illegal as no:
        raise Illegal(ENGINE.reasons.NOT_YOUR_CARD, no.rule) from no


def apply_keeps_a_list(state, actor, action, at):
    step = ENGINE.apply(state, actor, action, at)
    return replace(step, state=changed(step.state, played=list(step.state.played)))


def apply_counts_its_calls():
    calls = count()

    def apply(state, actor, action, at):
        step = ENGINE.apply(state, actor, action, at)
        return replace(step, state=changed(step.state, since=next(calls)))

    return apply


def apply_knows_its_own_objects():
    last: list[Any] = [None]

    def apply(state, actor, action, at):
        step = ENGINE.apply(state, actor, action, at)
        if last[0] is not None and state is not last[0]:
            step = replace(step, events=(*step.events, *step.events))
        last[0] = step.state
        return step

    return apply


def apply_takes_anything(state, actor, action, at):
    known = type(action).__name__ != "Stranger"
    return ENGINE.apply(state, actor, action, at) if known else Step(state)


def apply_copies_on_a_no_op(state, actor, action, at):
    step = ENGINE.apply(state, actor, action, at)
    return replace(step, state=changed(step.state))


def apply_loses_the_card(state, actor, action, at):
    step = ENGINE.apply(state, actor, action, at)
    if isinstance(action, PlayCard):
        return replace(step, state=changed(step.state, played=state.played))
    return step


def never_ending(step, at):
    if step.state.reason is None:
        return step
    state = changed(step.state, reason=None, round=1, since=at, until=at + 1)
    return Step(state, step.events[:-1])


def apply_never_ends(state, actor, action, at):
    return never_ending(ENGINE.apply(state, actor, action, at), at)


def on_timeout_never_ends(state, at):
    return never_ending(ENGINE.on_timeout(state, at), at)


def on_timeout_keeps_the_deadline(state, at):
    step = ENGINE.on_timeout(state, at)
    if step.state.reason is not None:
        return step
    return replace(step, state=changed(step.state, since=state.since, until=state.until))


def deadline_only_with_a_limit(state):
    return None if state.until is None else ENGINE.deadline(state)


def apply_still_takes_choices(state, actor, action, at):
    if isinstance(action, Choose) and isinstance(actor, int) and state.reason is not None:
        return do_choose(state, actor, action, at)
    return ENGINE.apply(state, actor, action, at)


def result_knows_no_ties(state):
    sound = ENGINE.result(state)
    if sound is None:
        return None
    places = enumerate(sound.ranking, 1)
    ranking = tuple(CoinRacePlacing(rank, place.seat, place.field) for rank, place in places)
    return replace(sound, ranking=ranking)


def result_forgets_the_last(state):
    sound = ENGINE.result(state)
    return sound and replace(sound, ranking=sound.ranking[:-1])


def summary_in_one_language(done, names):
    text = ENGINE.summary(done, names)
    return Text(text.ko, text.ko)


def view_shows_the_stock(state, viewer):
    return replace(ENGINE.view(state, viewer), goal=state.stock[0])


def view_shows_all_hands_as_own(state, viewer):
    return replace(ENGINE.view(state, viewer), own=ENGINE.view(state, 0).own)


def view_shows_the_seed(state, viewer):
    return replace(ENGINE.view(state, viewer), goal=state.rng.seed[0])


def redact_nothing(options, event, viewer):
    return event


def redact_no_action(options, actor, action, viewer):
    return action


def apply_tells_who_holds_the_card(state, actor, action, at):
    try:
        return ENGINE.apply(state, actor, action, at)
    except Illegal as no:
        if isinstance(action, Choose) and action.card in state.stock:
            raise Illegal(no.reason, "unseen", path=no.path, **no.params) from no
        raise


def redact_away_turns(options, event, viewer):
    return None if isinstance(event, e.TurnStarted) else ENGINE.redact(options, event, viewer)


@dataclass(frozen=True, slots=True)
class Undescribed:
    """An event whose field says nothing about itself."""

    seat: int


@dataclass(frozen=True, slots=True)
class Undocumented:
    seat: Annotated[int, "The racer."]


@dataclass(frozen=True, slots=True)
class Terse:
    """An event with a description that is none."""

    seat: Annotated[int, "seat"]


class PlainEnum(Enum):
    """An enum whose members say nothing."""

    ONE = 1


@dataclass(frozen=True, slots=True)
class WithPlainEnum:
    """An event that leads to it."""

    kind: Annotated[PlainEnum | None, "What kind."]


@dataclass(frozen=True, slots=True)
class SeatOrNobody:
    """An event whose seat may be nobody's, unlike all others."""

    seat: Annotated[int | None, "The racer, or nobody."]


class LonelyReason(Reason):
    NOT_MINE = "{seat}번 자리가 아니에요.", "Not your seat."


class KoreanReason(Reason):
    NOT_MINE = "안 돼요.", "안 돼요."


def with_events(*more: type) -> Sound:
    return replace(ENGINE, events=(*ENGINE.events, *more))


def with_option(**changes: object) -> Sound:
    first, *rest = ENGINE.option_specs
    return replace(ENGINE, option_specs=(replace(first, **changes), *rest))


def coerced_options(given):
    return ENGINE.options({key: given[key] for key in given if isinstance(given[key], int)})


FAULTS: list[tuple[Callable[..., None], Sound]] = [
    (steps.law_inputs_are_never_changed, replace(ENGINE, apply=apply_scribbles)),
    (steps.law_everything_survives_the_codec, replace(ENGINE, apply=apply_keeps_a_list)),
    (steps.law_the_log_is_the_truth, replace(ENGINE, apply=apply_counts_its_calls())),
    (steps.law_a_stored_state_plays_on, replace(ENGINE, apply=apply_knows_its_own_objects())),
    (steps.law_refusals_change_nothing, replace(ENGINE, apply=apply_scribbles_when_refusing)),
    (steps.law_refusals_change_nothing, replace(ENGINE, apply=apply_refuses_by_a_foreign_reason)),
    (steps.law_refusals_change_nothing, replace(ENGINE, apply=apply_leaves_a_place_unfilled)),
    (steps.law_every_action_is_handled, replace(ENGINE, actions=(*ENGINE.actions, Undescribed))),
    (steps.law_every_action_is_handled, with_events(Undescribed)),
    (steps.law_every_action_is_handled, replace(ENGINE, events=ENGINE.events[1:])),
    (steps.law_strangers_are_refused, replace(ENGINE, apply=apply_takes_anything)),
    (steps.law_no_ops_keep_the_object, replace(ENGINE, apply=apply_copies_on_a_no_op)),
    (steps.law_nothing_appears_or_vanishes, replace(ENGINE, apply=apply_loses_the_card)),
    (
        endings.law_random_play_ends,
        replace(ENGINE, apply=apply_never_ends, on_timeout=on_timeout_never_ends),
    ),
    (endings.law_waiting_alone_ends_a_match, replace(ENGINE, on_timeout=on_timeout_never_ends)),
    (endings.law_a_time_out_moves_on, replace(ENGINE, on_timeout=on_timeout_keeps_the_deadline)),
    (
        endings.law_somebody_is_waited_for_until_the_end,
        replace(ENGINE, deadline=deadline_only_with_a_limit),
    ),
    (endings.law_over_is_over, replace(ENGINE, apply=apply_still_takes_choices)),
    (endings.law_results_rank_every_seat, replace(ENGINE, result=result_knows_no_ties)),
    (endings.law_results_rank_every_seat, replace(ENGINE, result=result_forgets_the_last)),
    (
        endings.law_results_are_worded_in_both_languages,
        replace(ENGINE, summary=summary_in_one_language),
    ),
    (secrecy.law_views_hide, replace(ENGINE, view=view_shows_the_stock)),
    (secrecy.law_views_hide, replace(ENGINE, view=view_shows_all_hands_as_own)),
    (secrecy.law_views_hide, replace(ENGINE, view=view_shows_the_seed)),
    (secrecy.law_events_hide, replace(ENGINE, redact=redact_nothing)),
    (secrecy.law_events_hide, replace(ENGINE, redact_action=redact_no_action)),
    (secrecy.law_refusals_hide, replace(ENGINE, apply=apply_tells_who_holds_the_card)),
    (secrecy.law_the_feed_is_enough, replace(ENGINE, redact=redact_away_turns)),
    (shape.law_public_types_are_described, with_events(Undescribed)),
    (shape.law_public_types_are_described, with_events(Undocumented)),
    (shape.law_public_types_are_described, with_events(Terse)),
    (shape.law_public_types_are_described, with_events(WithPlainEnum)),
    (shape.law_one_field_name_has_one_type_among_events, with_events(SeatOrNobody)),
    (shape.law_the_contents_page_is_whole, replace(ENGINE, id="CoinRace")),
    (shape.law_the_contents_page_is_whole, with_events(e.CoinFlipped)),
    (
        shape.law_the_contents_page_is_whole,
        replace(ENGINE, about=replace(ENGINE.about, name=Text("Coin", "Coin"))),
    ),
    (shape.law_options_are_data, with_option(key="finish")),
    (shape.law_options_are_data, with_option(default=7)),
    (shape.law_options_are_data, with_option(label=Text("Goal", "Goal"))),
    (shape.law_options_are_data, replace(ENGINE, options=coerced_options)),
    (shape.law_reasons_speak_both_languages, replace(ENGINE, reasons=LonelyReason)),
    (shape.law_reasons_speak_both_languages, replace(ENGINE, reasons=KoreanReason)),
]
