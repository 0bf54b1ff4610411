"""Options are checked literally: no coercion, no unknown keys, defaults for what is missing."""

from dataclasses import dataclass

import pytest

from engines.options import BadOption, Choice, Option, read_options, write_options
from engines.texts import Text


def option(key: str, default: object, *values: object) -> Option:
    text = Text("이름", "name")
    return Option(key, text, text, tuple(Choice(v, text) for v in values), default)


SPECS = (
    option("goal", 20, 10, 20, 1),
    option("fastPlay", False, False, True),
    option("turnSeconds", None, 15, None),
    option("mode", "solo", "solo", "team"),
)


@dataclass(frozen=True, slots=True)
class Chosen:
    goal: int
    fast_play: bool
    turn_seconds: int | None
    mode: str


def test_missing_keys_take_their_default() -> None:
    assert read_options(Chosen, SPECS, {}) == Chosen(20, False, None, "solo")
    assert read_options(Chosen, SPECS, {"fastPlay": True}) == Chosen(20, True, None, "solo")


def test_null_is_a_value_like_any_other() -> None:
    assert read_options(Chosen, SPECS, {"turnSeconds": 15}).turn_seconds == 15
    assert read_options(Chosen, SPECS, {"turnSeconds": None}).turn_seconds is None
    with pytest.raises(BadOption):
        read_options(Chosen, SPECS, {"goal": None})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("goal", 30),
        ("goal", 20.0),
        ("goal", "20"),
        ("goal", True),
        ("fastPlay", 1),
        ("fastPlay", "true"),
        ("fastPlay", None),
        ("turnSeconds", 0),
        ("turnSeconds", False),
        ("mode", "SOLO"),
        ("mode", ["solo"]),
    ],
)
def test_only_the_choices_themselves_are_taken(key: str, value: object) -> None:
    with pytest.raises(BadOption) as refused:
        read_options(Chosen, SPECS, {key: value})
    assert refused.value.key == key


@pytest.mark.parametrize("key", ["Goal", "fast_play", "unknown", ""])
def test_unknown_keys_are_refused_by_name(key: str) -> None:
    with pytest.raises(BadOption) as refused:
        read_options(Chosen, SPECS, {"goal": 10, key: 1})
    assert refused.value.key == key


def test_writing_is_the_inverse_of_reading() -> None:
    given = {"goal": 10, "fastPlay": True, "turnSeconds": 15, "mode": "team"}
    written = write_options(SPECS, read_options(Chosen, SPECS, given))
    assert written == given
    assert list(written) == ["goal", "fastPlay", "turnSeconds", "mode"]


def test_the_field_is_the_key_in_snake_case() -> None:
    keys = ("goal", "fastPlay", "turnSeconds", "buildOnPurchase")
    fields = [option(key, None, None).field for key in keys]
    assert fields == ["goal", "fast_play", "turn_seconds", "build_on_purchase"]
