"""What a client is told of errors, and what the log is told: each once, none too much."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from traceback import walk_tb
from typing import Any

from graphql import GraphQLError, GraphQLSyntaxError
from strawberry.exceptions import MissingQueryError
from strawberry.relay import GlobalIDValueError
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.types.execution import ExecutionResult, PreExecutionError

from api import metrics
from api.errors import Code, RequestFault, fault_of
from api.limits import TOO_MANY_TOKENS
from api.transport.gateway import Locale
from engines.texts import Text

log = logging.getLogger(__name__)

_NAME_SHOWN = 64
_OURS = Text("서버에 문제가 생겼어요.", "Something went wrong on our side.")
_TOO_DEEP = Text("쿼리가 너무 깊어요.", "The query is nested too deeply.")


@dataclass(frozen=True, slots=True)
class Origin:
    """Whose errors these are: `request_id` is in the log line, and shown for bugs."""

    request_id: str
    locale: Locale
    operation: str | None = None


@dataclass(frozen=True, slots=True)
class _Told:
    """One error, judged. A bug has the exception to log and nothing else for the client."""

    code: str
    message: str
    retry_after: float | None = None
    bug: BaseException | None = None


def report(errors: Sequence[GraphQLError], origin: Origin) -> list[dict[str, Any]]:
    """Log the errors of one result and return them as the client sees them.

    Client faults make one INFO line without variables or tokens; a bug is logged with its
    traceback, once for each place it comes from, and masked.
    """
    judged = [(error, _judge(error, origin.locale)) for error in errors]
    for _, told in judged:
        metrics.told(told.code)
    _log(origin, [told for _, told in judged])
    return [_formatted(error, told, origin) for error, told in judged]


def payload(result: ExecutionResult, origin: Origin) -> dict[str, Any]:
    """One result of an operation as every transport sends it, its errors reported."""
    shown: dict[str, Any] = {}
    if not isinstance(result, PreExecutionError):
        shown["data"] = result.data
    if result.errors:
        shown["errors"] = report(result.errors, origin)
    if result.extensions:
        shown["extensions"] = result.extensions
    return shown


def as_error(error: Exception) -> GraphQLError:
    """Any exception as a GraphQL error that `report` can judge."""
    return error if isinstance(error, GraphQLError) else GraphQLError("", original_error=error)


def _judge(error: GraphQLError, locale: Locale) -> _Told:
    origin = error.original_error
    if fault := fault_of(error):
        message: str = getattr(fault.text, locale)
        # A fault nobody raised as one is worth a line of its own: the database is away.
        bug = None if _raised_as_fault(error) else origin
        return _Told(fault.code, message, fault.retry_after, bug)
    if isinstance(error, GraphQLSyntaxError):
        return _syntax(error, locale)
    if isinstance(origin, (CannotGetOperationTypeError, InvalidOperationTypeError)):
        return _Told(Code.OPERATION_RESOLUTION_FAILURE, error.message)
    if isinstance(origin, MissingQueryError):
        return _Told(Code.BAD_REQUEST, "The request holds no query.")
    if code := (error.extensions or {}).get("code"):
        return _Told(str(code), error.message)
    if _is_bad_input(error):
        return _Told(Code.BAD_USER_INPUT, error.message)
    return _Told(Code.INTERNAL, getattr(_OURS, locale), bug=origin or error)


def _syntax(error: GraphQLSyntaxError, locale: Locale) -> _Told:
    if "tokens. Parsing aborted" in error.message:
        limit = "".join(filter(str.isdigit, error.message))
        return _Told(Code.TOO_MANY_TOKENS, getattr(TOO_MANY_TOKENS.format(limit=limit), locale))
    if "nested too deeply" in error.message:
        return _Told(Code.QUERY_TOO_DEEP, getattr(_TOO_DEEP, locale))
    return _Told(Code.GRAPHQL_PARSE_FAILED, error.message)


def _is_bad_input(error: GraphQLError) -> bool:
    """Variables and arguments that do not fit their types, found when the operation starts."""
    origin = error.original_error
    if isinstance(origin, GlobalIDValueError):
        return True
    if error.path is None:
        return bool(error.nodes)
    # An argument's own error points at the argument; one of serialisation points nowhere.
    return isinstance(origin, GraphQLError) and bool(origin.nodes)


def _raised_as_fault(error: BaseException | None) -> bool:
    while isinstance(error, GraphQLError):
        error = error.original_error
    return isinstance(error, RequestFault)


def _formatted(error: GraphQLError, told: _Told, origin: Origin) -> dict[str, Any]:
    extensions: dict[str, Any] = {"code": told.code}
    if told.retry_after is not None:
        extensions["retryAfter"] = told.retry_after
    if told.code == Code.INTERNAL:
        extensions["requestId"] = origin.request_id
    shown: dict[str, Any] = {"message": told.message, "extensions": extensions}
    if error.locations:
        shown["locations"] = [place.formatted for place in error.locations]
    if error.path is not None:
        shown["path"] = error.path
    return shown


def _log(origin: Origin, told: Sequence[_Told]) -> None:
    operation = repr((origin.operation or "")[:_NAME_SHOWN])
    extra = {"request_id": origin.request_id}
    refused = sorted({item.code for item in told if item.bug is None})
    if refused:
        log.info("refused %s: %s", operation, ", ".join(refused), extra=extra)
    bugs: dict[object, BaseException] = {}
    for item in told:
        if item.bug is not None and item.code == Code.INTERNAL:
            bugs.setdefault(_place(item.bug), item.bug)
        elif item.bug is not None:
            bugs.setdefault(item.code, item.bug)
    for place, bug in bugs.items():
        if isinstance(place, str):
            log.warning("%s %s: %s", place, operation, type(bug).__name__, extra=extra)
        else:
            log.error("bug in %s", operation, exc_info=bug, extra=extra)


def _place(error: BaseException) -> tuple[object, ...]:
    """Where an exception was raised: the same place in a list of a hundred is one bug."""
    frames = [(frame.f_code, line) for frame, line in walk_tb(error.__traceback__)]
    return (type(error), *frames[-1:])
