"""GraphQL over HTTP: one POST or GET, one answer, as the specification of that name has it."""

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

import msgspec
from graphql import GraphQLError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from strawberry.schema import BaseSchema
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.types.graphql import OperationType

from api.errors import Code, RequestFault, bad_request, too_large
from api.transport.explorer import explorer_page, wants_explorer
from api.transport.gateway import C, Gateway
from api.transport.params import Params, params_from_json, params_from_query
from api.transport.report import Origin, as_error, report
from engines.texts import Text

GRAPHQL_RESPONSE = "application/graphql-response+json"
JSON = "application/json"

_STATUS = {
    Code.UNAUTHENTICATED: 401,
    Code.FORBIDDEN: 403,
    Code.TOO_LARGE: 413,
    Code.RATE_LIMITED: 429,
    Code.INTERNAL: 500,
    Code.UNAVAILABLE: 503,
}
_ALLOWED = {"GET": {OperationType.QUERY}, "POST": {OperationType.QUERY, OperationType.MUTATION}}
_NOT_ALLOWED = Text("GET과 POST만 받아요.", "Only GET and POST are accepted.")
_POST_ONLY = Text("조회가 아닌 작업은 POST로 보내 주세요.", "Only queries may be sent by GET.")
_NO_STREAM = Text(
    "구독은 WebSocket(graphql-transport-ws)으로만 할 수 있어요.",
    "Subscriptions run over WebSocket (graphql-transport-ws), not over HTTP.",
)
_NOT_ACCEPTABLE = Text(
    "application/graphql-response+json 또는 application/json으로만 답할 수 있어요.",
    "Answers are application/graphql-response+json or application/json only.",
)
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


class _Refusal(Exception):
    """A fault that has an HTTP status of its own."""

    def __init__(self, status: int, fault: RequestFault, **headers: str) -> None:
        super().__init__(fault.text.en)
        self.status = status
        self.fault = fault
        self.headers = headers


class HTTPTransport(Generic[C]):
    """Answers the HTTP requests of one endpoint."""

    def __init__(
        self, schema: BaseSchema, gateway: Gateway[C], limits: HTTPLimits, explorer: bool
    ) -> None:
        self._schema = schema
        self._gateway = gateway
        self._limits = limits
        self._explorer = explorer

    async def answer(self, request: Request) -> Response | None:
        """The response to any request; None when the client has gone before sending it whole."""
        if self._explorer and wants_explorer(request):
            return explorer_page()
        media = media_type(request.headers.get("accept"))
        origin = Origin(uuid.uuid4().hex, self._gateway.locale(request))
        try:
            if media is None:
                raise _Refusal(406, bad_request(_NOT_ACCEPTABLE))
            params = await self._params(request)
            return await self._execute(request, params, media, origin)
        except ClientDisconnect:
            return None
        except _Refusal as refusal:
            return _refused(refusal.fault, origin, media, refusal.status, refusal.headers)
        except Exception as error:
            return _refused(error, origin, media)

    async def _params(self, request: Request) -> Params:
        if request.method == "GET":
            if len(request.scope["query_string"]) > self._limits.body_bytes:
                raise too_large(self._limits.body_bytes)
            return params_from_query(dict(request.query_params))
        if request.method != "POST":
            raise _Refusal(405, bad_request(_NOT_ALLOWED), allow="GET, POST")
        # Refusing every other type is also what keeps other sites' forms from posting here.
        if not _is_json(request.headers):
            raise _Refusal(415, bad_request(_NOT_JSON))
        return params_from_json(await self._body(request))

    async def _body(self, request: Request) -> bytes:
        limit = self._limits.body_bytes
        declared = request.headers.get("content-length", "")
        refusal = too_large(limit)
        if declared.isdigit() and int(declared[:20]) > limit:
            raise refusal
        body = bytearray()
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                async for chunk in request.stream():
                    body += chunk
                    if len(body) > limit:
                        raise refusal
        except TimeoutError:
            raise _Refusal(408, bad_request(_SLOW), connection="close") from None
        return bytes(body)

    async def _execute(
        self, request: Request, params: Params, media: str, origin: Origin
    ) -> Response:
        context = await self._gateway.request_context(request, origin.request_id)
        origin = Origin(origin.request_id, context.locale, params.operation_name)
        try:
            result = await self._schema.execute(
                params.query,
                variable_values=params.variables,
                context_value=context,
                operation_name=params.operation_name,
                allowed_operation_types=_ALLOWED[request.method],
                operation_extensions=params.extensions,
            )
        except InvalidOperationTypeError as error:
            if error.operation_type == OperationType.SUBSCRIPTION:
                raise bad_request(_NO_STREAM) from None
            raise _Refusal(405, bad_request(_POST_ONLY), allow="POST") from None
        except CannotGetOperationTypeError as error:
            named = GraphQLError(error.as_http_error_reason(), original_error=error)
            return _response({"errors": report([named], origin)}, origin, media)
        answer: dict[str, Any] = {}
        if result.errors:
            answer["errors"] = report(result.errors, origin)
        if result.data is not None or not _are_request_errors(result.errors):
            answer["data"] = result.data
        if result.extensions:
            answer["extensions"] = result.extensions
        return _response(answer, origin, media)


def media_type(accept: str | None) -> str | None:
    """The media type to answer with: the best liked of the two, `application/json` for any.

    None when neither is acceptable.
    """
    best, best_quality = None, 0.0
    for item in (accept or "*/*").split(","):
        name, *parameters = (part.strip().lower() for part in item.split(";"))
        offered = {GRAPHQL_RESPONSE: GRAPHQL_RESPONSE, JSON: JSON, "application/*": JSON}
        found = JSON if name == "*/*" else offered.get(name)
        quality = _quality(parameters)
        if found and quality > best_quality:
            best, best_quality = found, quality
    return best


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


def _are_request_errors(errors: Sequence[GraphQLError] | None) -> bool:
    """Whether nothing was executed, so that the answer has no `data` at all."""
    return bool(errors) and all(error.path is None for error in errors or ())


def _refused(
    error: Exception,
    origin: Origin,
    media: str | None,
    status: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    errors = report([as_error(error)], origin)
    code = errors[0]["extensions"]["code"]
    status = status or _STATUS.get(code, 400)
    return _response({"errors": errors}, origin, media or JSON, status, headers)


def _response(
    answer: dict[str, Any],
    origin: Origin,
    media: str,
    status: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    if status is None:
        # Of the two types, only the newer promises that the status tells of GraphQL errors.
        failed = "data" not in answer and media == GRAPHQL_RESPONSE
        status = _STATUS.get(answer["errors"][0]["extensions"]["code"], 400) if failed else 200
    wait = [
        error["extensions"]["retryAfter"]
        for error in answer.get("errors", ())
        if "retryAfter" in error["extensions"] and status in (429, 503)
    ]
    return Response(
        msgspec.json.encode(answer),
        status_code=status,
        media_type=f"{media}; charset=utf-8",
        headers={
            "cache-control": "no-store",
            "x-content-type-options": "nosniff",
            "x-request-id": origin.request_id,
            **({"retry-after": str(max(1, round(max(wait))))} if wait else {}),
            **(headers or {}),
        },
    )
