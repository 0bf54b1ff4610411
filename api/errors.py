"""Request faults: who are you, slow down, too large. Refusals by the rules of a game are data."""

from enum import StrEnum

import asyncpg
from sqlalchemy import exc as sqlalchemy

from engines.texts import Text


class Code(StrEnum):
    """The `extensions.code` of a GraphQL error, for good: clients branch on it."""

    UNAUTHENTICATED = "UNAUTHENTICATED"
    FORBIDDEN = "FORBIDDEN"
    RATE_LIMITED = "RATE_LIMITED"
    TOO_LARGE = "TOO_LARGE"
    BAD_REQUEST = "BAD_REQUEST"
    UNAVAILABLE = "UNAVAILABLE"
    INTERNAL = "INTERNAL"
    GRAPHQL_PARSE_FAILED = "GRAPHQL_PARSE_FAILED"
    GRAPHQL_VALIDATION_FAILED = "GRAPHQL_VALIDATION_FAILED"
    OPERATION_RESOLUTION_FAILURE = "OPERATION_RESOLUTION_FAILURE"
    BAD_USER_INPUT = "BAD_USER_INPUT"
    TOO_MANY_TOKENS = "TOO_MANY_TOKENS"
    TOO_MANY_ALIASES = "TOO_MANY_ALIASES"
    TOO_MANY_SUBSCRIPTIONS = "TOO_MANY_SUBSCRIPTIONS"
    TOO_MANY_SOCKETS = "TOO_MANY_SOCKETS"
    QUERY_TOO_DEEP = "QUERY_TOO_DEEP"
    QUERY_TOO_COMPLEX = "QUERY_TOO_COMPLEX"
    RULES_UNAVAILABLE = "RULES_UNAVAILABLE"


class RequestFault(Exception):
    """The request cannot be served; answered as a GraphQL error and never logged as a bug.

    `text` is shown in the language of the one who asks, `retry_after` counts seconds.
    """

    def __init__(self, code: str, text: Text, retry_after: float | None = None) -> None:
        super().__init__(text.en)
        self.code = str(code)
        self.text = text
        self.retry_after = retry_after


def unauthenticated(text: Text | None = None) -> RequestFault:
    """Nobody is signed in, or the token is not valid (any more)."""
    return RequestFault(
        Code.UNAUTHENTICATED, text or Text("로그인이 필요해요.", "You need to sign in.")
    )


def forbidden(text: Text | None = None) -> RequestFault:
    """The one who asks may not; used only where existence is no secret."""
    return RequestFault(
        Code.FORBIDDEN, text or Text("권한이 없어요.", "You are not allowed to do this.")
    )


def rate_limited(retry_after: float) -> RequestFault:
    """Too much in too short a time; welcome again after `retry_after` seconds."""
    return RequestFault(
        Code.RATE_LIMITED,
        Text(
            "요청이 너무 많아요. 잠시 후 다시 시도해 주세요.", "Too many requests. Try again later."
        ),
        retry_after,
    )


def too_many_sockets(limit: int) -> RequestFault:
    """Whoever asks holds `limit` sockets and streams already."""
    return RequestFault(
        Code.TOO_MANY_SOCKETS,
        Text(
            "연결이 너무 많아요. 동시에 {limit}개까지 열 수 있어요.",
            "Too many connections; at most {limit} may be open at a time.",
        ).format(limit=limit),
        retry_after=5.0,
    )


def too_large(limit: int) -> RequestFault:
    """The request is larger than `limit` bytes."""
    return RequestFault(
        Code.TOO_LARGE,
        Text(
            "요청이 너무 커요. 최대 {limit}바이트예요.",
            "The request is too large; at most {limit} bytes are accepted.",
        ).format(limit=limit),
    )


def bad_request(text: Text) -> RequestFault:
    """The request cannot be understood; `text` says what is wrong with it."""
    return RequestFault(Code.BAD_REQUEST, text)


def unavailable(retry_after: float = 1.0) -> RequestFault:
    """Something the server needs is away for the moment."""
    return RequestFault(
        Code.UNAVAILABLE,
        Text(
            "지금은 처리할 수 없어요. 잠시 후 다시 시도해 주세요.",
            "The service is unavailable right now. Try again later.",
        ),
        retry_after,
    )


def fault_of(error: BaseException | None) -> RequestFault | None:
    """The fault behind an exception: its own, or UNAVAILABLE when the database is away.

    None when the exception is a bug.
    """
    while error is not None:
        if isinstance(error, RequestFault):
            return error
        if isinstance(error, _AWAY) or getattr(error, "connection_invalidated", False):
            return unavailable()
        # what GraphQL wraps, or what SQLAlchemy wraps
        error = getattr(error, "original_error", None) or getattr(error, "driver_exception", None)
    return None


def is_away(error: BaseException) -> bool:
    """Whether an exception tells no more than that something the server needs is away."""
    fault = fault_of(error)
    return fault is not None and fault.code == Code.UNAVAILABLE


_AWAY = (
    ConnectionError,
    TimeoutError,
    sqlalchemy.TimeoutError,
    sqlalchemy.OperationalError,
    asyncpg.PostgresConnectionError,
    asyncpg.InternalClientError,  # used in the moment in which PostgreSQL ends it
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
)
