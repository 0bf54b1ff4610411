"""`GET /export/matches.ndjson`: ended matches as lines of JSON, as many as there are.

Each line has the cursor to go on behind it. The last one says whether that was all, or why not.
"""

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from api.context import Context
from api.errors import fault_of, rate_limited, unavailable
from api.export import service
from api.export.asked import AFTER, read_asked
from api.gateway import AppGateway
from api.history import record
from api.history.export import record_of
from api.history.store import Filter
from api.matches.loading import decoded
from api.relay import global_id
from api.services import Services
from api.transport import Places
from api.transport.http import refused
from api.transport.report import Origin, as_error, report

STEP_PRICE = 50
MATCH_PRICE = 50
VERSION_PRICE = 10
"""What an export costs, in the values of `rateLimit`: each look, each match, each version of it."""

AT_A_TIME = 2
BUSY_SECONDS = 5.0


class MatchLine(msgspec.Struct, frozen=True):
    """One match; `cursor` goes on behind it."""

    cursor: str
    match: msgspec.Raw


class BrokenLine(msgspec.Struct, frozen=True):
    """A match that could not be exported; `cursor` goes on behind it."""

    cursor: str
    id: str
    error: dict[str, Any]


class LastLine(msgspec.Struct, frozen=True):
    """The end: `done` if that was all there is by now; else the error that broke it off."""

    cursor: str
    done: bool
    error: dict[str, Any] | UnsetType = UNSET


class Exports:
    """Answers the requests for exports. `is_stopping` tells that the server is about to stop."""

    def __init__(
        self, services: Services, gateway: AppGateway, is_stopping: Callable[[], bool]
    ) -> None:
        self._services = services
        self._gateway = gateway
        self._is_stopping = is_stopping
        self._places = Places(AT_A_TIME)

    async def answer(self, request: Request) -> Response:
        """The stream, or a refusal in the form of GraphQL errors with a status that fits."""
        origin = Origin(uuid.uuid4().hex, self._gateway.locale(request), "export")
        try:
            context, reader = await self._reader(request, origin)
            wanted = read_asked(self._services.games, request.query_params)
            after = service.read_cursor(request.query_params.get(AFTER))
            await context.spend(STEP_PRICE)
        except Exception as error:
            return refused(error, origin, None)
        return StreamingResponse(
            self._lines(request, context, reader, wanted, after, origin),
            media_type="application/x-ndjson",
            headers={
                "cache-control": "no-store, no-transform",
                "x-accel-buffering": "no",
                "x-content-type-options": "nosniff",
                "x-request-id": origin.request_id,
            },
        )

    async def _reader(self, request: Request, origin: Origin) -> tuple[Context, UUID | None]:
        context = await self._gateway.request_context(request, origin.request_id)
        await context.prove()
        return context, context.require_reader()

    async def _lines(
        self,
        request: Request,
        context: Context,
        reader: UUID | None,
        wanted: Filter | None,
        after: int,
        origin: Origin,
    ) -> AsyncIterator[bytes]:
        more, who = wanted is not None, context.budget[1]
        has_place = self._places.take(who)
        try:
            if not has_place:
                raise rate_limited(BUSY_SECONDS)
            await service.number_ended(self._services)
            while more:
                assert wanted is not None
                step = await service.step(self._services, wanted, reader, after)
                found = await service.records(self._services, [id_ for _, id_ in step.found])
                for number, id_ in step.found:
                    if stored := found.get(id_):
                        await self._pay(context, stored["version"])
                        line = await self._match(stored, service.write_cursor(number), origin)
                        after = number
                        yield _line(line)
                after, more = step.reached, step.more
                if more:
                    # The right to read may have ended meanwhile.
                    context, reader = await self._reader(request, origin)
                    await context.spend(STEP_PRICE)
                    await asyncio.sleep(0)
        except Exception as error:
            (told,) = report([as_error(error)], origin)
            yield _line(LastLine(service.write_cursor(after), False, told))
        else:
            yield _line(LastLine(service.write_cursor(after), True))
        finally:
            if has_place:
                self._places.give_back(who)

    async def _match(self, stored: Any, cursor: str, origin: Origin) -> "MatchLine | BrokenLine":
        """The line of a match. One that cannot be read is a bug that must not end the export."""
        try:
            made = await record_of(self._services, decoded(self._services, stored))
        except Exception as error:
            if fault_of(error):
                raise
            (told,) = report([as_error(error)], origin)
            return BrokenLine(cursor, global_id("Match", stored["id"]), told)
        return MatchLine(cursor, msgspec.Raw(record.write(made)))

    async def _pay(self, context: Context, versions: int) -> None:
        if self._is_stopping():
            raise unavailable()
        await context.spend(MATCH_PRICE + VERSION_PRICE * versions)


def _line(line: msgspec.Struct) -> bytes:
    return msgspec.json.encode(line) + b"\n"
