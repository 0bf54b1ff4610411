"""What a token withstands."""

from dataclasses import replace
from uuid import UUID

from api import opaque
from api.accounts.tokens import Token, Use, seal, unseal

SECRET = bytes(range(32))
TOKEN = Token(Use.ACCESS, UUID(int=7), 3, 1_700_000_000_000)


def test_a_token_says_what_was_sealed() -> None:
    assert unseal(SECRET, seal(SECRET, TOKEN)) == TOKEN


def test_equal_claims_give_equal_tokens() -> None:
    assert seal(SECRET, TOKEN) == seal(SECRET, replace(TOKEN))


def test_every_claim_changes_the_token() -> None:
    others = [
        replace(TOKEN, use=Use.REFRESH),
        replace(TOKEN, session_id=UUID(int=8)),
        replace(TOKEN, generation=4),
        replace(TOKEN, expires_at=TOKEN.expires_at + 1),
    ]
    assert len({seal(SECRET, token) for token in [TOKEN, *others]}) == 5


def test_no_changed_bit_is_accepted() -> None:
    raw = opaque.decode(seal(SECRET, TOKEN)) or b""
    for bit in range(len(raw) * 8):
        changed = bytearray(raw)
        changed[bit // 8] ^= 1 << bit % 8
        assert unseal(SECRET, opaque.encode(bytes(changed))) is None


def test_another_secret_opens_nothing() -> None:
    assert unseal(bytes(32), seal(SECRET, TOKEN)) is None


def test_what_was_never_sealed_is_no_token() -> None:
    text = seal(SECRET, TOKEN)
    for given in [
        "",
        "x",
        text[:-1],
        text + "A",
        text + "=",
        "가" * len(text),
        "\ud800",
        "A" * 9999,
    ]:
        assert unseal(SECRET, given) is None
