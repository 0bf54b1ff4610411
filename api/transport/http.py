"""GraphQL over HTTP: one POST or GET, one answer, as the specification of that name has it."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Generic

import msgspec
from graphql import GraphQLError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from strawberry.schema import BaseSchema
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.types.graphql import OperationType

from api import logs
from api.errors import Code, bad_request
from api.transport.explorer import explorer_page, wants_explorer
from api.transport.gateway import C, Gateway
from api.transport.params import Params
from api.transport.report import Origin, as_error, report
from api.transport.requests import JSON, HTTPLimits, Refusal, preferred, read_params
from engines.texts import Text

GRAPHQL_RESPONSE = "application/graphql-response+json"
_OFFERS = {GRAPHQL_RESPONSE: GRAPHQL_RESPONSE, JSON: JSON, "application/*": JSON, "*/*": JSON}

_STATUS = {
    Code.UNAUTHENTICATED: 401,
    Code.FORBIDDEN: 403,
    Code.TOO_LARGE: 413,
    Code.RATE_LIMITED: 429,
    Code.TOO_MANY_SOCKETS: 429,
    Code.INTERNAL: 500,
    Code.UNAVAILABLE: 503,
}
_ALLOWED = {"GET": {OperationType.QUERY}, "POST": {OperationType.QUERY, OperationType.MUTATION}}
_POST_ONLY = Text("조회가 아닌 작업은 POST로 보내 주세요.", "Only queries may be sent by GET.")
_NO_STREAM = Text(
    "구독은 여기서 WebSocket(graphql-transport-ws)으로, 또는 `/stream` 경로에서 스트림으로 "
    "할 수 있어요.",
    "Subscriptions run over WebSocket (graphql-transport-ws) here, or as a stream at the path "
    "`/stream` below this one.",
)
_NOT_ACCEPTABLE = Text(
    "application/graphql-response+json 또는 application/json으로만 답할 수 있어요. 스트림은 이 "
    "경로 아래 `/stream`에 있어요.",
    "Answers are application/graphql-response+json or application/json only; streams are at the "
    "path `/stream` below this one.",
)


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
        logs.about(request_id=origin.request_id)
        try:
            if media is None:
                raise Refusal(406, bad_request(_NOT_ACCEPTABLE))
            params = await read_params(request, self._limits)
            return await self._execute(request, params, media, origin)
        except ClientDisconnect:
            return None
        except Exception as error:
            return refused(error, origin, media)

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
            raise Refusal(405, bad_request(_POST_ONLY), allow="POST") from None
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
    return preferred(accept, _OFFERS)


def _are_request_errors(errors: Sequence[GraphQLError] | None) -> bool:
    """Whether nothing was executed, so that the answer has no `data` at all."""
    return bool(errors) and all(error.path is None for error in errors or ())


def refused(error: Exception, origin: Origin, media: str | None) -> Response:
    """The answer to a request that was not admitted: one error, and a status that tells of it."""
    status, headers = None, None
    if isinstance(error, Refusal):
        status, headers, error = error.status, error.headers, error.fault
    errors = report([as_error(error)], origin)
    status = status or _STATUS.get(errors[0]["extensions"]["code"], 400)
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
