"""The short codes that rooms are joined by: easy to say, to type, and hard to guess."""

import secrets

# No vowels, so that no word comes up; none of the letters and digits that are mistaken.
ALPHABET = "BCDFGHJKMNPQRTVWXZ3479"
LENGTH = 6
SEPARATORS = str.maketrans("", "", " -")
MAX_GIVEN = 32


def draw_code() -> str:
    """A fresh code out of 113 million, not yet known to be free."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def read_code(given: str) -> str | None:
    """A code as it is kept, however it was typed; None if it cannot be one."""
    code = given[:MAX_GIVEN].upper().translate(SEPARATORS)
    return code if len(code) == LENGTH and set(code) <= set(ALPHABET) else None
