"""What an API key may be good for. A key is not a person: it never acts, nor sees what is private.

This module imports nothing of ours, so that the context can speak of keys.
"""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

PREFIX = "key_"


class Scope(StrEnum):
    """One thing that a key allows."""

    HISTORY_READ = "history:read"
    """Read the ended matches of public rooms, and export them."""


@dataclass(frozen=True, slots=True)
class Key:
    """A living key that a request was sent with."""

    id: UUID
    scopes: frozenset[Scope]
