"""The sessions behind open sockets: each socket ends as soon as its session is revoked."""

import asyncio
import logging
from collections import defaultdict
from contextvars import Context

from api import turns
from api.accounts.claims import Session
from api.accounts.service import living, topic
from api.bus import Watcher
from api.errors import fault_of
from api.services import Services
from api.transport import SocketControl

log = logging.getLogger(__name__)

BATCH = 500
"""Most sessions in one question to the database."""


class Hold(Watcher):
    """One socket's hold on its session, woken when the session may have ended."""

    __slots__ = ("_sessions", "control", "session")

    def __init__(self, sessions: "Sessions", session: Session, control: SocketControl) -> None:
        super().__init__()
        self._sessions = sessions
        self.session = session
        self.control = control

    def wake(self) -> None:
        """Have the session looked at."""
        self._sessions.look_at(self)

    def release(self) -> None:
        """The socket is gone."""
        self._sessions.release(self)


class Sessions:
    """The sessions held in this process. Those to be looked at are asked for together."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._unsure: set[Hold] = set()
        self._looking: asyncio.Task[None] | None = None

    def hold(self, session: Session, control: SocketControl) -> Hold:
        """Close `control` when its token expires, or soon after the session is ended."""
        held = Hold(self, session, control)
        control.close_at(session.expires_at.timestamp())
        self._services.hub.join(topic(session.account_id), held)
        self.look_at(held)  # it may have been ended between its proof and now
        return held

    def release(self, held: Hold) -> None:
        """Look at a session no more."""
        self._services.hub.leave(topic(held.session.account_id), held)
        self._unsure.discard(held)

    def look_at(self, held: Hold) -> None:
        """Ask whether a session still holds."""
        self._unsure.add(held)
        if self._looking is None:
            self._looking = asyncio.create_task(self._look(), context=Context())

    async def _look(self) -> None:
        turns.be(turns.Kind.FOLLOWER)
        try:
            while self._unsure:
                await self._ask([self._unsure.pop() for _ in range(min(BATCH, len(self._unsure)))])
        finally:
            self._looking = None

    async def _ask(self, held: list[Hold]) -> None:
        by_session = defaultdict(list)
        for each in held:
            by_session[each.session.session_id].append(each)
        try:
            revisions = await living(self._services, by_session)
        except Exception as error:
            if fault_of(error) is None:
                log.exception("could not look after sessions")
            for each in held:
                each.marker = None  # the poll asks again
            return
        for session_id, holds in by_session.items():
            for each in holds:
                each.marker = revisions.get(session_id)
                if each.marker is None:
                    each.control.close()
