"""Admits requests and sockets: the session behind a token, the language, the end of both."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from starlette.requests import HTTPConnection, Request
from starlette.websockets import WebSocket

from api.accounts.service import authenticate, is_alive, revisions, topic
from api.context import Context, Locale, Session
from api.errors import RequestFault, fault_of
from api.services import Services
from api.transport import SocketControl

BEARER = "bearer "


class AppGateway:
    """What the transport asks of the application."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def locale(self, connection: HTTPConnection) -> Locale:
        """The first language of `Accept-Language` that we speak; Korean if there is none."""
        return read_locale(connection.headers.get("accept-language", ""))

    async def request_context(self, request: Request, request_id: str) -> Context:
        """The context of one HTTP request; a bad token is a fault only where it matters."""
        given = request.headers.get("authorization", "")
        token = given[len(BEARER) :].strip() if given.lower().startswith(BEARER) else None
        session, fault = await _session(self._services, token)
        return Context(self._services, self.locale(request), session, fault)

    async def open_socket(
        self, socket: WebSocket, params: Mapping[str, Any], control: SocketControl
    ) -> "OpenSocket":
        """Admit a socket; with a token, for as long as its session lasts. Raises UNAUTHENTICATED
        for a token that is not good: the client should refresh it first.
        """
        token, language = params.get("token"), params.get("locale")
        locale = read_locale(language) if isinstance(language, str) else self.locale(socket)
        session, fault = await _session(self._services, token if isinstance(token, str) else None)
        if fault is not None:
            raise fault
        return OpenSocket(self._services, locale, session, control)


class OpenSocket:
    """One admitted socket and, if somebody is signed in on it, the watch over the session."""

    ack: Mapping[str, Any] | None = None

    def __init__(
        self, services: Services, locale: Locale, session: Session | None, control: SocketControl
    ) -> None:
        self._services = services
        self._locale = locale
        self._session = session
        self._watch: asyncio.Task[None] | None = None
        if session is not None:
            control.close_at(session.expires_at.timestamp())
            self._watch = asyncio.create_task(_end_with(services, session, control))

    def context(self, request_id: str) -> Context:
        """The context of one operation."""
        return Context(self._services, self._locale, self._session)

    async def closed(self) -> None:
        """The socket is gone."""
        if self._watch is not None:
            self._watch.cancel()
            with suppress(asyncio.CancelledError):
                await self._watch


def read_locale(languages: str) -> Locale:
    """The language to answer in, from an `Accept-Language` or a bare tag: Korean unless English
    is asked for before Korean.
    """
    wanted: list[tuple[float, int, Locale]] = []
    for place, part in enumerate(languages[:200].split(",")):
        tag, _, quality = part.strip().partition(";")
        primary = tag.strip().lower().split("-")[0]
        with suppress(ValueError):
            weight = float(quality.partition("=")[2] or 1)
            if primary == "en" and weight > 0:
                wanted.append((-weight, place, "en"))
            elif primary == "ko" and weight > 0:
                wanted.append((-weight, place, "ko"))
    return min(wanted)[2] if wanted else "ko"


async def _session(
    services: Services, token: str | None
) -> tuple[Session | None, RequestFault | None]:
    if token is None:
        return None, None
    found = await authenticate(services, token)
    return (None, found) if isinstance(found, RequestFault) else (found, None)


async def _end_with(services: Services, session: Session, control: SocketControl) -> None:
    """Close the socket as soon as its session is revoked."""
    account = session.account_id
    async with services.hub.watch(topic(account)) as waiter:
        while True:
            try:
                waiter.marker = (await revisions(services, [account])).get(account)
                if not await is_alive(services, session):
                    break
            except Exception as error:
                if fault_of(error) is None:
                    raise
                waiter.marker = None  # the database is away: the poll will ask again
            await waiter.wait()
    control.close()
