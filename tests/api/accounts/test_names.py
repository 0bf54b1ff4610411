"""What a person may be called."""

import pytest

from api.accounts.names import read_display_name
from api.accounts.reasons import AccountReason
from api.refusals import Refused

FAMILY_EMOJI = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
HEART = "\u2764"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("가온", "가온"),
        ("  Mina  ", "Mina"),
        ("김 \t 가온", "김 가온"),
        ("\u1100\u1161", "가"),  # conjoining jamo are composed
        ("e\u0301", "é"),
        ("น้ำ", "น้ำ"),
        (f"{HEART}\ufe0f", HEART),
        ("\u3000a\u00a0b", "a b"),
        ("a" * 20, "a" * 20),
        ("n\u0303\u0323" * 20, "\u1e47\u0303" * 20),  # marks are not counted
    ],
)
def test_a_readable_name_is_kept_in_one_form(given: str, kept: str) -> None:
    assert read_display_name(given) == kept


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("", AccountReason.NAME_EMPTY),
        (" \t\n ", AccountReason.NAME_EMPTY),
        ("\ufe0f", AccountReason.NAME_EMPTY),
        ("a" * 21, AccountReason.NAME_TOO_LONG),
        ("a" * 100_000, AccountReason.NAME_TOO_LONG),
        ("a\0b", AccountReason.NAME_UNREADABLE),
        ("a\u202eb", AccountReason.NAME_UNREADABLE),  # turns the direction of writing
        ("a\u2066b", AccountReason.NAME_UNREADABLE),
        ("a\u200bb", AccountReason.NAME_UNREADABLE),
        (FAMILY_EMOJI, AccountReason.NAME_UNREADABLE),
        ("\u3164", AccountReason.NAME_UNREADABLE),  # Hangul filler
        ("\u115fa", AccountReason.NAME_UNREADABLE),
        ("\u2800", AccountReason.NAME_UNREADABLE),  # blank Braille pattern
        ("a\u034f", AccountReason.NAME_UNREADABLE),
        ("a\U000e0101", AccountReason.NAME_UNREADABLE),
        ("\ud800", AccountReason.NAME_UNREADABLE),
        ("\ue000", AccountReason.NAME_UNREADABLE),
        ("\u0301a", AccountReason.NAME_UNREADABLE),  # a mark with nothing to stand on
        ("a" + "\u0321" * 3, AccountReason.NAME_UNREADABLE),  # a tower of marks
    ],
)
def test_a_name_that_cannot_be_read_is_refused(given: str, reason: AccountReason) -> None:
    with pytest.raises(Refused) as refusal:
        read_display_name(given)
    assert refusal.value.reason is reason
    assert refusal.value.path == ("displayName",)


def test_the_limit_is_told() -> None:
    with pytest.raises(Refused) as refusal:
        read_display_name("가" * 21)
    assert refusal.value.text.ko == "이름은 20자까지 쓸 수 있어요."
    assert refusal.value.text.en == "A name has at most 20 characters."
