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

REMEMBERED = 50_000


class Holders:
    """Whose session is whose: what this process has read, and what never changes."""

    def __init__(self, most: int = REMEMBERED) -> None:
        self._most = most
        self._accounts: OrderedDict[UUID, UUID] = OrderedDict()

    def of(self, session_id: UUID) -> UUID | None:
        """The account of a session that held when it was last read; None if it is not known."""
        return self._accounts.get(session_id)

    def remember(self, session_id: UUID, account_id: UUID) -> None:
        """Note a session just read; the one noted longest ago makes room."""
        self._accounts[session_id] = account_id
        if len(self._accounts) > self._most:
            self._accounts.popitem(last=False)

    def forget(self, session_id: UUID) -> None:
        """The session has ended: whoever shows its token is nobody before anything else."""
        self._accounts.pop(session_id, None)


@dataclass(slots=True)
class Session:
    """A signed-in person: the account, the session's id, and when its token expires."""

    account_id: UUID
    session_id: UUID
    expires_at: datetime


@dataclass(slots=True)
class Claim:
    """A session by a genuine token that has not expired; it may have been ended meanwhile."""

    database: Database
    holders: Holders
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
            self.holders.forget(session_id)
            raise unauthenticated(AccountReason.SESSION_ENDED.text)
        self.proven = True
