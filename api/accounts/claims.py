"""Sessions as tokens claim them. Whether one still holds, the database says: by a read of its own,
or in the same statement as the write that an action leads to.
"""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.accounts import store
from api.accounts.reasons import AccountReason
from api.db import Database
from api.errors import unauthenticated
from api.matches.live import to_datetime

REMEMBERED = 20_000


@dataclass(slots=True)
class Session:
    """A signed-in person: the account, the session's id, and when its token expires."""

    account_id: UUID
    session_id: UUID
    expires_at: datetime


class Known:
    """Genuine access tokens that this process has been shown, and the session each is of.

    What a token says never changes; whether its session still holds is another matter.
    """

    def __init__(self, most: int = REMEMBERED) -> None:
        self._most = most
        self._sessions: OrderedDict[str, Session] = OrderedDict()

    def of(self, token: str) -> Session | None:
        """The session of a token, which held when it was last read; None if it is not known."""
        return self._sessions.get(token)

    def remember(self, token: str, session: Session) -> None:
        """Note a token whose session has just been read; the one noted longest ago makes room."""
        self._sessions[token] = session
        if len(self._sessions) > self._most:
            self._sessions.popitem(last=False)

    def forget(self, token: str) -> None:
        """The session has ended: whoever shows its token is nobody before anything else."""
        self._sessions.pop(token, None)


@dataclass(slots=True)
class Claim:
    """A session by a genuine token that has not expired; it may have been ended meanwhile."""

    database: Database
    known: Known
    token: str
    session: Session
    proven: bool = False

    @property
    def unproven(self) -> UUID | None:
        """The session's id until it is known to hold."""
        return None if self.proven else self.session.session_id

    async def prove(self) -> None:
        """Return if the session holds. Raises UNAUTHENTICATED if it has ended."""
        session_id, now = self.session.session_id, to_datetime(self.database.now())
        if not self.proven and await store.session_account(self.database, session_id, now) is None:
            self.known.forget(self.token)
            raise unauthenticated(AccountReason.SESSION_ENDED.text)
        self.proven = True
