"""Display names: what a person may be called so that others can read it and tell it apart."""

import unicodedata

from api.accounts.reasons import AccountReason
from api.refusals import Refused

MAX_VISIBLE = 20
MAX_CODE_POINTS = 40
MAX_MARKS_IN_A_ROW = 2
MAX_GIVEN = 400
EMOJI_STYLE = "\ufe0f"  # keyboards add it to emoji; it changes their look only
UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
UNSEEN_LETTERS = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
UNSEEN_MARKS = (
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x180B, 0x180F),  # Mongolian variation selectors
    (0xFE00, 0xFE0F),  # variation selectors
    (0xE0100, 0xE01EF),
)


def read_display_name(given: str) -> str:
    """The name as it is kept: NFC, trimmed, each run of spaces one space.

    Raises NAME_EMPTY, NAME_TOO_LONG or NAME_UNREADABLE. Combining marks are not counted as
    characters of their own, but few of them may be stacked.
    """
    if len(given) > MAX_GIVEN:
        raise _refused(AccountReason.NAME_TOO_LONG, max=MAX_VISIBLE)
    name = unicodedata.normalize("NFC", given.replace(EMOJI_STYLE, ""))
    name = " ".join(name.split())
    if not name:
        raise _refused(AccountReason.NAME_EMPTY)
    if any(_unseen(character) for character in name):
        raise _refused(AccountReason.NAME_UNREADABLE)
    marks = [unicodedata.category(character).startswith("M") for character in name]
    if _longest_run(marks) > MAX_MARKS_IN_A_ROW or marks[0]:
        raise _refused(AccountReason.NAME_UNREADABLE)
    if marks.count(False) > MAX_VISIBLE or len(name) > MAX_CODE_POINTS:
        raise _refused(AccountReason.NAME_TOO_LONG, max=MAX_VISIBLE)
    return name


def _unseen(character: str) -> bool:
    """Whether a character shows nothing, or turns the direction of what follows."""
    if character in UNSEEN_LETTERS or unicodedata.category(character) in UNSEEN_CATEGORIES:
        return True
    return any(low <= ord(character) <= high for low, high in UNSEEN_MARKS)


def _longest_run(marks: list[bool]) -> int:
    longest = run = 0
    for mark in marks:
        run = run + 1 if mark else 0
        longest = max(longest, run)
    return longest


def _refused(reason: AccountReason, **params: object) -> Refused:
    return Refused(reason, path=("displayName",), **params)
