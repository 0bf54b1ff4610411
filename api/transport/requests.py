"""Reading an HTTP request: what it asks for, and the media type it wants the answer in."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from starlette.requests import Request

from api.errors import RequestFault, bad_request, too_large
from api.transport.params import Params, params_from_json, params_from_query
from engines.texts import Text

T = TypeVar("T")

JSON = "application/json"

_NOT_ALLOWED = Text("GET과 POST만 받아요.", "Only GET and POST are accepted.")
_NOT_JSON = Text(
    "본문은 압축하지 않은 UTF-8 application/json이어야 해요.",
    "The body must be application/json in UTF-8, not compressed.",
)
_SLOW = Text("요청 본문이 너무 늦게 왔어요.", "The request body came too slowly.")


@dataclass(frozen=True, slots=True)
class HTTPLimits:
    """The largest body in bytes and the longest time in seconds for it to arrive."""

    body_bytes: int = 128 << 10
    body_seconds: float = 15.0


class Refusal(Exception):
    """A fault that has an HTTP status of its own."""

    def __init__(self, status: int, fault: RequestFault, **headers: str) -> None:
        super().__init__(fault.text.en)
        self.status = status
        self.fault = fault
        self.headers = headers


async def read_params(request: Request, limits: HTTPLimits) -> Params:
    """What a GET or POST asks for. Raises Refusal, RequestFault, or ClientDisconnect."""
    if request.method == "GET":
        if len(request.scope["query_string"]) > limits.body_bytes:
            raise too_large(limits.body_bytes)
        return params_from_query(dict(request.query_params))
    if request.method != "POST":
        raise Refusal(405, bad_request(_NOT_ALLOWED), allow="GET, POST")
    # Refusing every other type is also what keeps other sites' forms from posting here.
    if not _is_json(request.headers):
        raise Refusal(415, bad_request(_NOT_JSON))
    return params_from_json(await _body(request, limits))


def preferred(accept: str | None, offers: Mapping[str, T]) -> T | None:
    """The offer that an `Accept` header likes best, the first one named where it likes several.

    `offers` maps media ranges in lower case, with the parameters they must have, to what is
    offered. None when nothing is acceptable.
    """
    best: T | None = None
    best_quality = 0.0
    for item in (accept or "*/*").split(","):
        name, *parameters = (part.strip().lower() for part in item.split(";"))
        quality = _quality(parameters)
        if quality <= best_quality:
            continue
        for wanted, offer in offers.items():
            range_, *needed = wanted.split(";")
            if name == range_ and set(needed) <= {part.replace('"', "") for part in parameters}:
                best, best_quality = offer, quality
                break
    return best


async def _body(request: Request, limits: HTTPLimits) -> bytes:
    limit = limits.body_bytes
    declared = request.headers.get("content-length", "")
    refusal = too_large(limit)
    if declared.isdigit() and int(declared[:20]) > limit:
        raise refusal
    body = bytearray()
    try:
        async with asyncio.timeout(limits.body_seconds):
            async for chunk in request.stream():
                body += chunk
                if len(body) > limit:
                    raise refusal
    except TimeoutError:
        raise Refusal(408, bad_request(_SLOW), connection="close") from None
    return bytes(body)


def _quality(parameters: Sequence[str]) -> float:
    for parameter in parameters:
        if parameter.startswith("q="):
            try:
                return float(parameter[2:])
            except ValueError:
                return 0.0
    return 1.0


def _is_json(headers: Mapping[str, str]) -> bool:
    name, *parameters = (
        part.strip().lower() for part in headers.get("content-type", "").split(";")
    )
    charsets = [part for part in parameters if part.startswith("charset=")]
    return (
        name == JSON
        and all(part[8:].strip('"') in ("utf-8", "utf8") for part in charsets)
        and headers.get("content-encoding", "identity").lower() == "identity"
    )
