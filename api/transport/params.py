"""The parameters of one GraphQL request, and how they are read from JSON."""

import re
from typing import Any

import msgspec

from api.errors import RequestFault, bad_request
from engines.texts import Text

_NUL_ESCAPE = re.compile(r"\\u(?:0000|\{0+\})")


class Params(msgspec.Struct, rename="camel"):
    """What every transport sends: unknown members are ignored, wrong types are not."""

    query: str
    variables: dict[str, Any] | None = None
    operation_name: str | None = None
    extensions: dict[str, Any] | None = None


_PARAMS = msgspec.json.Decoder(Params)
_OBJECT = msgspec.json.Decoder(dict[str, Any])


def params_from_json(body: bytes) -> Params:
    """The parameters in a JSON object. Raises BAD_REQUEST, also for a batch."""
    try:
        params = _PARAMS.decode(body)
    except (msgspec.DecodeError, RecursionError) as error:
        raise _malformed(error) from None
    return checked_text(params)


def params_from_query(query: dict[str, str]) -> Params:
    """The parameters in a URL, whose `variables` and `extensions` are JSON. Raises BAD_REQUEST."""
    if "query" not in query:
        raise bad_request(
            Text("쿼리가 없어요.", "The request holds no query: send it as the parameter `query`.")
        )
    try:
        params = Params(
            query=query["query"],
            operation_name=query.get("operationName"),
            variables=_OBJECT.decode(query["variables"]) if query.get("variables") else None,
            extensions=_OBJECT.decode(query["extensions"]) if query.get("extensions") else None,
        )
    except (msgspec.DecodeError, RecursionError) as error:
        raise _malformed(error) from None
    return checked_text(params)


def checked_text(params: Params) -> Params:
    """The same parameters. Raises BAD_REQUEST where a text holds NUL, which no database keeps."""
    if _NUL_ESCAPE.search(params.query) or _holds_nul(params.variables):
        raise bad_request(
            Text("NUL 문자는 쓸 수 없어요.", "Texts must not hold the character NUL.")
        )
    return params


def _holds_nul(value: Any) -> bool:
    left = [value]
    while left:
        item = left.pop()
        if isinstance(item, str):
            if "\0" in item:
                return True
        elif isinstance(item, dict):
            left.extend(item)
            left.extend(item.values())
        elif isinstance(item, list):
            left.extend(item)
    return False


def _malformed(error: Exception) -> RequestFault:
    why = "nested too deeply" if isinstance(error, RecursionError) else str(error)
    return bad_request(
        Text("요청을 읽을 수 없어요: {why}", "The request cannot be read: {why}").format(why=why)
    )
