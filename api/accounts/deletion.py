"""The end of an account: the person is gone at once, and then everything of theirs but matches.

The first transaction decides. What follows can be done again, by any process, until all is done.
"""

import logging
from contextlib import suppress
from datetime import datetime, timedelta
from uuid import UUID

from sqlmodel.ext.asyncio.session import AsyncSession

from api.accounts import store
from api.accounts.names import read_display_name
from api.accounts.reasons import AccountReason
from api.accounts.service import topic
from api.errors import unauthenticated
from api.matches.live import to_datetime
from api.matches.service import unbroken
from api.refusals import Refused
from api.rooms import service as rooms
from api.rooms import store as rooms_store
from api.services import Services
from api.statistics import store as statistics
from engines.protocol import LeaveCause

log = logging.getLogger(__name__)

LEFT_TO_ITS_PROCESS = timedelta(seconds=10)
BATCH = 20


async def delete(services: Services, account_id: UUID, confirmation: str) -> None:
    """Delete an account whose present name is given as confirmation: name and sessions are gone.

    Then leave its rooms and matches and forget its records. Raises CONFIRMATION_WRONG.
    """

    async def work(session: AsyncSession) -> None:
        account = await store.lock(session, account_id)
        if account is None:
            raise unauthenticated()
        if not _confirms(confirmation, account.display_name):
            raise Refused(AccountReason.CONFIRMATION_WRONG, path=("confirmation",))
        account.display_name = ""
        account.deleted_at = _now(services)
        account.revision += 1
        await store.end_sessions(session, account_id)

    await services.database.atomically(work)
    await unbroken(_follow_up(services, account_id))


async def finish_deletions(services: Services) -> None:
    """Erase what a crash has left of deleted accounts; for a loop that calls now and then."""
    async with services.database.reading() as session:
        ids = await store.unerased(session, _now(services) - LEFT_TO_ITS_PROCESS, BATCH)
    for account_id in ids:
        await _try_to_erase(services, account_id)


async def _follow_up(services: Services, account_id: UUID) -> None:
    await services.hub.publish(topic(account_id))
    await _try_to_erase(services, account_id)


async def _try_to_erase(services: Services, account_id: UUID) -> None:
    """Erase an account, or say in the log why it must be tried again; the deletion stands."""
    try:
        await erase(services, account_id)
    except Exception:
        log.exception("an account is deleted but not yet erased")


async def erase(services: Services, account_id: UUID) -> None:
    """Leave all rooms of a deleted account and forget what is recorded of it. Safe to repeat."""
    async with services.database.reading() as session:
        room_ids = await rooms_store.room_ids_of(session, account_id)
    for room_id in room_ids:
        with suppress(Refused):  # another process is at it, too
            await rooms.leave(services, account_id, room_id, LeaveCause.DELETED)
    async with services.database.transaction() as session:
        await rooms_store.forget_person(session, account_id)
        await statistics.forget_person(session, account_id)
        await store.erased(session, account_id, _now(services))


def _confirms(given: str, name: str) -> bool:
    try:
        return read_display_name(given) == name
    except Refused:
        return False


def _now(services: Services) -> datetime:
    return to_datetime(services.database.now())
