"""Admits requests and sockets: the session behind a token, the language, the end of both."""

from collections.abc import Hashable, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from typing import Any

from starlette.requests import HTTPConnection, Request
from starlette.websockets import WebSocket

from api.accounts.claims import Session
from api.accounts.service import authenticate, claimed
from api.context import Context, Locale
from api.errors import RequestFault, forbidden, too_many_sockets
from api.keys.scopes import PREFIX, Key
from api.keys.service import authenticate as authenticate_key
from api.services import Services
from api.sessions import Sessions
from api.transport import Arrivals, Places, SocketControl
from api.turns import Kind, as_kind
from engines.texts import Text

BEARER = "bearer "

ADDRESSES_AT_ONCE = 4
"""How many addresses may have all the arriving sockets they are allowed, at one time."""

NO_SOCKETS = Text(
    "API 키로는 구독할 수 없어요. HTTP 요청으로 조회해 주세요.",
    "API keys cannot subscribe; ask by HTTP requests.",
)


@dataclass(frozen=True, slots=True)
class Who:
    """Who a token says is there: one of these, or nobody."""

    session: Session | None = None
    key: Key | None = None
    fault: RequestFault | None = None


class AppGateway:
    """What the transport asks of the application."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._sessions = Sessions(services)
        self._of_accounts = Places(services.config.sockets_per_account)
        self._of_addresses = Places(services.config.sockets_per_address)
        arriving = services.config.arriving_sockets
        self._arrivals = Arrivals(arriving, ADDRESSES_AT_ONCE * arriving)

    def locale(self, connection: HTTPConnection) -> Locale:
        """The first language of `Accept-Language` that we speak; Korean if there is none."""
        return read_locale(connection.headers.get("accept-language", ""))

    async def request_context(self, request: Request, request_id: str) -> Context:
        """The context of one HTTP request; a bad token is a fault only where it matters.

        A session that this process knows is yet to be proven: before the operation or by it.
        """
        services, locale, address = self._services, self.locale(request), network(request)
        token = bearer(request)
        if token is not None and (claim := claimed(services, token)):
            return Context(services, locale, address=address, claim=claim)
        who = await self.who(token)
        return Context(services, locale, who.session, who.key, who.fault, address)

    async def who(self, token: str | None) -> "Who":
        """Who sent a token: a person, a program, or somebody whose token is not good."""
        if token is None:
            return Who()
        if token.startswith(PREFIX):
            key = await authenticate_key(self._services.database, token)
            return Who(fault=key) if isinstance(key, RequestFault) else Who(key=key)
        found = await authenticate(self._services, token)
        return Who(fault=found) if isinstance(found, RequestFault) else Who(session=found)

    def arrival(self, socket: WebSocket) -> AbstractContextManager[None]:
        """A place among the sockets of its address that are not admitted yet, and among those of
        all addresses. Raises TOO_MANY_SOCKETS.
        """
        return self._arrivals.one(network(socket))

    async def open_socket(
        self, socket: WebSocket, params: Mapping[str, Any], control: SocketControl
    ) -> "OpenSocket":
        """Admit a socket; with a token, for as long as its session lasts. Raises UNAUTHENTICATED
        for a token that is not good: the client should refresh it first. Raises TOO_MANY_SOCKETS.
        """
        token, language = params.get("token"), params.get("locale")
        locale = read_locale(language) if isinstance(language, str) else self.locale(socket)
        return await self._open(socket, token if isinstance(token, str) else None, locale, control)

    async def open_stream(self, request: Request, control: SocketControl) -> "OpenSocket":
        """Admit a stream by the token in its header. It counts as a socket; raises as for one."""
        return await self._open(request, bearer(request), self.locale(request), control)

    async def _open(
        self, peer: HTTPConnection, token: str | None, locale: Locale, control: SocketControl
    ) -> "OpenSocket":
        with as_kind(Kind.ARRIVAL):
            who = await self.who(token)
        if who.fault is not None:
            raise who.fault
        if who.key is not None:
            raise forbidden(NO_SOCKETS)
        session = who.session
        places: Places
        places, key = (
            (self._of_accounts, session.account_id)
            if session
            else (self._of_addresses, network(peer))
        )
        if not places.take(key):
            raise too_many_sockets(places.limit)
        return OpenSocket(
            self._services, locale, session, network(peer), control, self._sessions, (places, key)
        )


class OpenSocket:
    """One admitted socket or stream and, if somebody is signed in on it, the watch over the
    session.
    """

    __slots__ = ("_address", "_held", "_locale", "_places", "_services", "_session")
    ack: Mapping[str, Any] | None = None

    def __init__(
        self,
        services: Services,
        locale: Locale,
        session: Session | None,
        address: str,
        control: SocketControl,
        sessions: Sessions,
        places: tuple[Places, Hashable],
    ) -> None:
        self._services = services
        self._locale = locale
        self._session = session
        self._address = address
        self._places = places
        self._held = sessions.hold(session, control) if session is not None else None

    def context(self, request_id: str) -> Context:
        """The context of one operation."""
        return Context(self._services, self._locale, self._session, address=self._address)

    async def closed(self) -> None:
        """The socket is gone."""
        places, key = self._places
        places.give_back(key)
        if self._held is not None:
            self._held.release()


def bearer(request: Request) -> str | None:
    """The token in the `Authorization` header."""
    given = request.headers.get("authorization", "")
    return given[len(BEARER) :].strip() if given.lower().startswith(BEARER) else None


def network(peer: HTTPConnection) -> str:
    """What counts as one place on the net: an IPv4 address, or the /64 that an IPv6 host owns."""
    host = peer.client.host if peer.client else ""
    try:
        address = ip_address(host)
    except ValueError:
        return host  # a socket of the file system has none
    if address.version == 4:
        return host
    return str(ip_network((address, 64), strict=False))


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
