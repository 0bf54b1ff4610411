"""Bytes as text that clients carry about unread: ids, cursors, tokens."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error

MAX_LENGTH = 200


def encode(raw: bytes) -> str:
    """Bytes as URL-safe text."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def decode(text: str) -> bytes | None:
    """The inverse of `encode`; None for any text that it never gives."""
    if len(text) > MAX_LENGTH:
        return None
    try:
        raw = urlsafe_b64decode(text.encode() + b"=" * (-len(text) % 4))
    except (Base64Error, UnicodeEncodeError):
        return None
    # Other spellings of the same bytes are refused, so that each thing has one name.
    return raw if encode(raw) == text else None
