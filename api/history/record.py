"""The export record: one match as a JSON document, format version 1.

`docs/export.schema.json` is made from these classes. A new field leaves the version as it is, and
readers pass over fields that they do not know; any other change raises it.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

Moment = Annotated[datetime, Meta(tz=True)]
Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Vocabulary = dict[str, Any]


class Player(Struct, frozen=True, rename="camel"):
    """Who held a seat."""

    seat: Annotated[int, Meta(ge=0, description="The seat, from 0.")]
    id: Annotated[str, Meta(description="The player's global id, as in the API.")]
    name: Annotated[
        str | None,
        Meta(description="The player's name when this was written; null for a deleted account."),
    ]


class Entry(Struct, frozen=True, rename="camel"):
    """One version of the match: an accepted action, or the deal."""

    version: Annotated[int, Meta(ge=1, description="The version it led to; 1 is the deal.")]
    actor: Annotated[
        Literal["SEAT", "TIMER", "HOST", "SYSTEM"], Meta(description="Who brought it about.")
    ]
    seat: Annotated[
        int | None, Meta(description="The seat that acted or was acted upon, if there is one.")
    ]
    at: Annotated[Moment, Meta(description="When, in game time, to the millisecond.")]
    action: Annotated[
        Vocabulary | None,
        Meta(
            description="What was done: `type` is the action's name in the game, the other "
            "members are its fields. Null for the deal, and for what is redacted."
        ),
    ]
    events: Annotated[
        list[Vocabulary],
        Meta(description="What it brought about, each as `type` and fields, in order."),
    ]


class Record(Struct, frozen=True, rename="camel"):
    """One match. Actions, events and the result are in the words of the game's rules version."""

    format: Annotated[Literal["board-match"], Meta(description="What kind of document this is.")]
    format_version: Annotated[Literal[1], Meta(description="Version of this format.")]
    id: Annotated[str, Meta(description="The match's global id, as in the API.")]
    game: Annotated[str, Meta(description="The game's id.")]
    rules_version: Annotated[int, Meta(ge=1, description="Version of the rules it was played by.")]
    options: Annotated[
        dict[str, bool | int | str | None],
        Meta(description="Every option of the game by key, as in `Game.options`."),
    ]
    players: Annotated[list[Player], Meta(description="Who held the seats, by number.")]
    status: Annotated[
        Literal["RUNNING", "FINISHED", "ABANDONED"],
        Meta(description="FINISHED with a result, ABANDONED without."),
    ]
    started_at: Annotated[Moment, Meta(description="When it was dealt, in game time.")]
    finished_at: Annotated[
        Moment | None, Meta(description="When it ended, in game time; null while it runs.")
    ]
    end_reason: Annotated[
        str | None, Meta(description="Why it ended, as `MatchResult.reasonCode`; null without.")
    ]
    result: Annotated[Vocabulary | None, Meta(description="The result; null if there is none.")]
    seed_commitment: Annotated[Hex32, Meta(description="SHA-256 of the seed, hexadecimal.")]
    seed: Annotated[
        Hex32 | None,
        Meta(
            description="The 32-byte seed, hexadecimal; null unless the room was made "
            "`verifiable` and the match has ended."
        ),
    ]
    complete: Annotated[
        bool,
        Meta(
            description="True if nothing in `log` is redacted: the match has ended and the room "
            "was made `verifiable` or `openReplay`. Otherwise `log` is what spectators may know."
        ),
    ]
    log: Annotated[
        list[Entry] | UnsetType,
        Meta(description="All versions, oldest first; absent where only the summary was asked."),
    ] = UNSET


class Malformed(Exception):
    """A document is no export record of a known version."""


def write(record: Record, indent: int = 0) -> bytes:
    """A record as JSON, on one line unless `indent` asks for more."""
    encoded = msgspec.json.encode(record)
    return msgspec.json.format(encoded, indent=indent) if indent else encoded


class _Line(Struct):
    """A line of the export, which has the record inside."""

    match: msgspec.Raw | UnsetType = UNSET


def read(data: bytes) -> Record:
    """The inverse of `write`, also for a line of the export. Raises `Malformed`."""
    try:
        line = msgspec.json.decode(data, type=_Line)
        return msgspec.json.decode(data if line.match is UNSET else line.match, type=Record)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise Malformed(str(error)) from error


def plain(encoded: bytes) -> Any:
    """What the engines' codec has written, as plain values."""
    return msgspec.json.decode(encoded)


def schema() -> bytes:
    """The JSON Schema of a record, as `docs/export.schema.json` holds it."""
    described = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Match record, format version 1",
        **msgspec.json.schema(Record),
    }
    return msgspec.json.format(msgspec.json.encode(described), indent=2) + b"\n"
