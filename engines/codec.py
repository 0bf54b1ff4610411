"""States, actions, events and results as JSON, and back. Field names are the engine's own."""

from collections.abc import Iterable
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

import msgspec

from engines.protocol import SHARED_EVENTS, SYSTEM_ACTIONS, Engine

S = TypeVar("S")

_encoder = msgspec.json.Encoder()


def encode_state(state: object) -> bytes:
    """The whole truth of a match as JSON, secrets included."""
    return _encoder.encode(state)


def decode_state(engine: Engine[S], data: bytes | str) -> S:
    """The inverse of `encode_state`; raises `msgspec.ValidationError` on foreign data."""
    cls: type = engine.state_type
    state: S = _decoder(cls).decode(data)
    return state


def encode_options(options: object) -> bytes:
    """An engine's options object as JSON, by field name."""
    return _encoder.encode(options)


def decode_options(engine: Engine[Any], data: bytes | str) -> Any:
    """The inverse of `encode_options`."""
    return _decoder(engine.options_type).decode(data)


def encode_result(result: object) -> bytes:
    """An engine's result as JSON."""
    return _encoder.encode(result)


def decode_result(engine: Engine[Any], data: bytes | str) -> Any:
    """The inverse of `encode_result`."""
    return _decoder(engine.result_type).decode(data)


def encode_action(action: object) -> bytes:
    """An action as a JSON object whose `type` is its class name."""
    return _encoder.encode(_tagged(action))


def decode_action(engine: Engine[Any], data: bytes | str) -> Any:
    """The inverse of `encode_action`, for the engine's own and the shared system actions."""
    return _from_tagged(_classes(engine, "actions"), msgspec.json.decode(data))


def encode_events(events: Iterable[object]) -> bytes:
    """Events as a JSON list of objects whose `type` is their class name."""
    return _encoder.encode([_tagged(event) for event in events])


def decode_events(engine: Engine[Any], data: bytes | str) -> tuple[Any, ...]:
    """The inverse of `encode_events`."""
    classes = _classes(engine, "events")
    return tuple(_from_tagged(classes, item) for item in msgspec.json.decode(data))


@cache
def _decoder(cls: type) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(cls)


@cache
def _field_names(cls: Any) -> tuple[str, ...]:
    return tuple(f.name for f in fields(cls))


def _tagged(item: object) -> dict[str, object]:
    cls: type = type(item)
    out: dict[str, object] = {"type": cls.__name__}
    for name in _field_names(cls):
        out[name] = getattr(item, name)
    return out


@cache
def _classes(engine: Engine[Any], kind: str) -> dict[str, type]:
    own = (
        engine.actions + engine.host_actions + SYSTEM_ACTIONS
        if kind == "actions"
        else engine.events + SHARED_EVENTS
    )
    return {cls.__name__: cls for cls in own}


def _from_tagged(classes: dict[str, type], item: dict[str, Any]) -> Any:
    cls = classes[item["type"]]
    return msgspec.convert({k: v for k, v in item.items() if k != "type"}, cls)
