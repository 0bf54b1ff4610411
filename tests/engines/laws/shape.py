"""Laws of what a game publishes: everything described, in both languages, and nothing twice."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from string import Formatter
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from engines.options import BadOption, Option
from engines.protocol import SHARED_EVENTS, Described, Engine, Guide
from engines.texts import Text

HANGUL = re.compile("[가-힣]")
FOREIGN = re.compile("(?<![0-9}])[가-힣]")
"""Korean in an English text; a unit right behind a number, as in `812만`, is none."""
PUBLIC_TYPES = ("options_type", "view_type", "result_type")


def law_public_types_are_described(engine: Engine[Any]) -> None:
    """Every public class has a docstring, every field an `Annotated` description, every enum
    member its own."""
    roots = [getattr(engine, name) for name in PUBLIC_TYPES]
    for cls in reachable([*roots, *engine.actions, *engine.host_actions, *engine.events]):
        assert cls.__doc__, f"{cls.__name__} has no docstring"
        assert not cls.__doc__.startswith(f"{cls.__name__}("), f"{cls.__name__} has no docstring"
        if issubclass(cls, Enum):
            assert issubclass(cls, Described), f"{cls.__name__} describes no member"
            for member in cls:
                assert sentence(member.description), member
            continue
        assert cls.__dataclass_params__.frozen
        hints = get_type_hints(cls, include_extras=True)
        for field in fields(cls):
            hint = hints[field.name]
            assert get_origin(hint) is Annotated, f"{cls.__name__}.{field.name} is not described"
            assert sentence(hint.__metadata__[0]), f"{cls.__name__}.{field.name}"


def law_one_field_name_has_one_type_among_events(engine: Engine[Any]) -> None:
    """A client selects fields of all events at once: GraphQL refuses one name with two types."""
    types: dict[str, Any] = {}
    for cls in (*engine.events, *SHARED_EVENTS):
        for name, hint in get_type_hints(cls).items():
            assert types.setdefault(name, hint) == hint, f"{cls.__name__}.{name}"


def sentence(text: object) -> bool:
    """Whether a description is more than a word and ends like a sentence."""
    return isinstance(text, str) and len(text) > 3 and text[-1] in ".!?)"


def reachable(roots: list[type]) -> list[type]:
    """The dataclasses and enums that the fields of `roots` lead to, the roots included."""
    found: list[type] = []
    waiting = list(roots)
    while waiting:
        cls = waiting.pop()
        if cls in found or cls is Text:
            continue
        found.append(cls)
        if is_dataclass(cls):
            for hint in get_type_hints(cls).values():
                waiting.extend(classes_in(hint))
    return found


def classes_in(hint: Any) -> Iterator[type]:
    """The dataclasses and enums named in a type hint."""
    if isinstance(hint, type) and (is_dataclass(hint) or issubclass(hint, Enum)):
        yield hint
    for part in get_args(hint):
        yield from classes_in(part)


def law_the_contents_page_is_whole(engine: Engine[Any]) -> None:
    """The id is a folder name, class names are unambiguous, seats and texts make sense."""
    assert re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", engine.id)
    assert set(engine.concessions) <= set(engine.actions)
    for classes in (engine.actions + engine.host_actions, engine.events):
        names = [cls.__name__ for cls in classes]
        assert len(set(names)) == len(names)
    about = engine.about
    assert 1 <= about.seats[0] <= about.seats[1]
    assert 1 <= about.minutes[0] <= about.minutes[1]
    topics = [guide.topic for guide in about.guides]
    assert len(set(topics)) == len(topics)
    for text in (about.name, about.summary, about.notice, *about.unsupported):
        assert both(text)
    for guide in about.guides:
        assert isinstance(guide, Guide)
        assert both(guide.title)
        assert both(guide.body)


def law_options_are_data(engine: Engine[Any]) -> None:
    """Keys, defaults, choices and labels agree with the options class and the check."""
    specs: tuple[Option, ...] = engine.option_specs
    assert [spec.field for spec in specs] == [f.name for f in fields(engine.options_type)]
    default = engine.options({})
    for spec in specs:
        assert re.fullmatch(r"[a-z]+([A-Z][a-z]+)*", spec.key)
        assert both(spec.label)
        assert both(spec.description)
        values = [(type(choice.value), choice.value) for choice in spec.choices]
        assert len(set(values)) == len(values)
        assert (type(spec.default), spec.default) in values
        assert getattr(default, spec.field) == spec.default
        for choice in spec.choices:
            assert choice.label.ko
            assert choice.label.en
            assert getattr(engine.options({spec.key: choice.value}), spec.field) is choice.value
        for wrong in ({spec.key: object()}, {spec.key + "X": spec.default}):
            assert refused_key(engine, wrong) == next(iter(wrong))


def refused_key(engine: Engine[Any], given: dict[str, object]) -> str | None:
    """The key an engine's options check refuses, None if it takes them."""
    try:
        engine.options(given)
    except BadOption as bad:
        return bad.key
    return None


def law_reasons_speak_both_languages(engine: Engine[Any]) -> None:
    """Every refusal has a code and a text in Korean and English with the same named places."""
    assert len(list(engine.reasons)) >= 1
    for reason in engine.reasons:
        assert re.fullmatch(r"[A-Z]+(_[A-Z]+)*", reason.name)
        assert both(reason.text), reason
        assert places(reason.text.ko) == places(reason.text.en), reason


def both(text: Text) -> bool:
    """Whether a text is Korean in Korean and not so in English."""
    return bool(HANGUL.search(text.ko) and text.en and not FOREIGN.search(text.en))


def places(template: str) -> set[str]:
    """The named places of a template."""
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}
