"""Session tokens: opaque to clients, sealed with the server's secret, stored nowhere.

A token names its session and the generation of the pair it belongs to. Because a pair is computed
rather than drawn, a client that lost an answer gets the very same pair again, and any older token
that ever was given out is recognised, without a record of each.
"""

import hmac
import struct
from dataclasses import dataclass
from enum import Enum
from uuid import UUID

from api import opaque

CLAIMS = struct.Struct(">c16sIQ")
SEAL_BYTES = 32
PURPOSE = b"board session token 1\0"


class Use(Enum):
    """What a token is good for."""

    ACCESS = b"a"
    REFRESH = b"r"


@dataclass(frozen=True, slots=True)
class Token:
    """What a token says; `expires_at` in ms of the database's time."""

    use: Use
    session_id: UUID
    generation: int
    expires_at: int


def seal(secret: bytes, token: Token) -> str:
    """The token as clients carry it; equal claims give equal tokens."""
    claims = CLAIMS.pack(
        token.use.value, token.session_id.bytes, token.generation, token.expires_at
    )
    return opaque.encode(claims + _mac(secret, claims))


def unseal(secret: bytes, text: str) -> Token | None:
    """What a genuine token says, expired or not; None for anything `seal` did not make."""
    raw = opaque.decode(text)
    if raw is None or len(raw) != CLAIMS.size + SEAL_BYTES:
        return None
    claims, mac = raw[: CLAIMS.size], raw[CLAIMS.size :]
    if not hmac.compare_digest(mac, _mac(secret, claims)):
        return None
    use, session_id, generation, expires_at = CLAIMS.unpack(claims)
    return Token(Use(use), UUID(bytes=session_id), generation, expires_at)


def _mac(secret: bytes, claims: bytes) -> bytes:
    return hmac.digest(secret, PURPOSE + claims, "sha256")
