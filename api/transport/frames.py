"""graphql-transport-ws on the wire: the frames a client may send, and the codes we close with."""

from typing import Annotated, Any

import msgspec

from api.transport.params import Params

PROTOCOL = "graphql-transport-ws"

MALFORMED = 4400
TOO_EARLY = 4401
SILENT = 4408
ID_IN_USE = 4409
INITIALISED_TWICE = 4429
BROKEN = 4500
TRY_AGAIN_LATER = 1013
UNKNOWN_PROTOCOL = 4406

Id = Annotated[str, msgspec.Meta(min_length=1)]


class ConnectionInit(msgspec.Struct, tag_field="type", tag="connection_init"):
    """The first frame; its payload is the application's."""

    payload: dict[str, Any] | None = None


class Ping(msgspec.Struct, tag_field="type", tag="ping"):
    """Wants a pong with the same payload."""

    payload: dict[str, Any] | None = None


class Pong(msgspec.Struct, tag_field="type", tag="pong"):
    """Answers a ping, or just says that the client is alive."""

    payload: dict[str, Any] | None = None


class Subscribe(msgspec.Struct, tag_field="type", tag="subscribe"):
    """Starts an operation of any kind under an id of the client's."""

    id: Id
    payload: Params


class Complete(msgspec.Struct, tag_field="type", tag="complete"):
    """The client wants no more of an operation."""

    id: Id


Frame = ConnectionInit | Ping | Pong | Subscribe | Complete

_FRAMES: msgspec.json.Decoder[Frame] = msgspec.json.Decoder(Frame)


def frame_from_json(text: str) -> Frame:
    """The frame in a text message. Raises ValueError saying what is wrong with it."""
    try:
        return _FRAMES.decode(text)
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
