"""Who somebody is: sign-in, the renewal and end of sessions, and the profile."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from api.accounts import store
from api.accounts.claims import Claim, Session
from api.accounts.models import Account, AccountSession
from api.accounts.names import read_display_name
from api.accounts.reasons import AccountReason
from api.accounts.store import Profile
from api.accounts.tokens import Token, Use, seal, unseal
from api.config import Config
from api.errors import RequestFault, unauthenticated
from api.matches.live import to_datetime, to_ms
from api.refusals import Refused
from api.rooms.store import touch_rooms_of
from api.rooms.table import wake
from api.services import Services
from engines.texts import Text

RENEWAL_GRACE = timedelta(seconds=60)
"""How long after a renewal the token it used is answered with the same new pair again."""


@dataclass(frozen=True, slots=True)
class Grant:
    """A session's newest pair of tokens, and whose it is."""

    account: Account
    access_token: str
    refresh_token: str
    expires_at: datetime
    refresh_expires_at: datetime


async def sign_in_as_guest(services: Services, display_name: str) -> Grant:
    """A new account and its first session. Raises the refusals of display names."""
    name = read_display_name(display_name)
    now = _now(services)
    account = Account(display_name=name, created_at=now)
    session = AccountSession(
        account_id=account.id, renewed_at=now, ends_at=now + _refresh_life(services.config)
    )
    async with services.database.transaction() as transaction:
        await store.purge_sessions(transaction, now)
        transaction.add(account)
        await transaction.flush()
        transaction.add(session)
    return _grant(services.config, account, session)


async def refresh(services: Services, refresh_token: str) -> Grant:
    """The next pair of tokens of a session; the refresh token given is then used up.

    Within `RENEWAL_GRACE` the same token gets the same answer again, for a client that lost the
    first one. Any other second use means that the token has been copied: the session is ended.
    Raises SESSION_ENDED.
    """
    refused = Refused(AccountReason.SESSION_ENDED, path=("refreshToken",))
    token = unseal(services.config.secret, refresh_token)
    now = _now(services)
    if token is None or token.use is not Use.REFRESH:
        raise refused
    async with services.database.transaction() as transaction:
        session = await store.lock_session(transaction, token.session_id)
        if session is None or session.ends_at <= now:
            raise refused
        account = (await store.accounts(transaction, [session.account_id]))[session.account_id]
        copied = not _may_renew(session, token, now)
        if copied:
            await store.end_session(transaction, session.id)
        elif token.generation == session.generation:
            session.generation += 1
            session.renewed_at = now
            session.ends_at = now + _refresh_life(services.config)
    if copied:
        await services.hub.publish(topic(account.id))
        raise refused
    return _grant(services.config, account, session)


def claimed(services: Services, token: str) -> Claim | None:
    """The session that an access token names, if this process knows the token: to be proven.

    None is no judgement: `authenticate` gives that.
    """
    session = services.known.of(token)
    if session is None or to_ms(session.expires_at) <= services.database.now():
        return None
    return Claim(services.database, services.known, token, session)


async def authenticate(services: Services, token: str) -> Session | RequestFault:
    """The living session behind an access token, or the fault to answer where one is needed."""
    claims = unseal(services.config.secret, token)
    if claims is None or claims.use is not Use.ACCESS:
        return unauthenticated(Text("토큰이 올바르지 않아요.", "This token is not valid."))
    now = services.database.now()
    account_id = None
    if claims.expires_at > now:
        account_id = await store.session_account(
            services.database, claims.session_id, to_datetime(now)
        )
    if account_id is None:
        return unauthenticated(AccountReason.SESSION_ENDED.text)
    session = Session(account_id, claims.session_id, to_datetime(claims.expires_at))
    services.known.remember(token, session)
    return session


async def living(services: Services, session_ids: Iterable[UUID]) -> Mapping[UUID, int]:
    """Those of these sessions that have not been ended, each with its account's revision."""
    return await store.session_revisions(services.database, session_ids, _now(services))


async def sign_out(services: Services, session_id: UUID) -> None:
    """End a session: none of its tokens is good any more. Nothing happens if it has ended."""
    async with services.database.transaction() as transaction:
        account_id = await store.end_session(transaction, session_id)
    if account_id is not None:
        await services.hub.publish(topic(account_id))


def session_of(services: Services, refresh_token: str) -> UUID:
    """The session that a refresh token belongs to, ended or not. Raises SESSION_ENDED."""
    token = unseal(services.config.secret, refresh_token)
    if token is None or token.use is not Use.REFRESH:
        raise Refused(AccountReason.SESSION_ENDED, path=("refreshToken",))
    return token.session_id


async def rename(services: Services, account_id: UUID, display_name: str) -> Account:
    """Change a display name, in the rooms the person is in as well. Raises as for sign-in."""
    name = read_display_name(display_name)
    rooms: list[UUID] = []
    renamed = False
    async with services.database.transaction() as transaction:
        account = await store.lock(transaction, account_id)
        if account is None:
            raise unauthenticated()
        if account.display_name != name:
            account.display_name = name
            account.revision += 1
            rooms = await touch_rooms_of(transaction, account_id)
            renamed = True
    if renamed:
        await services.hub.publish(topic(account_id))
    await wake(services, rooms, listed=bool(rooms))
    return account


async def accounts(services: Services, ids: Iterable[UUID]) -> Mapping[UUID, Profile]:
    """The profiles of these accounts by id; unknown ids are missing."""
    return await store.profiles(services.database, ids)


async def revisions(services: Services, ids: Iterable[UUID]) -> Mapping[UUID, int]:
    """The present revision of each of these accounts, for the poll behind the hub."""
    return await store.revisions(services.database, ids)


def topic(account_id: UUID) -> str:
    """The topic that wakes when a session of the account may have ended."""
    return f"account:{account_id}"


def _may_renew(session: AccountSession, token: Token, now: datetime) -> bool:
    if token.generation == session.generation:
        return True
    lost = token.generation == session.generation - 1
    return lost and now <= session.renewed_at + RENEWAL_GRACE


def _grant(config: Config, account: Account, session: AccountSession) -> Grant:
    expires_at = session.renewed_at + timedelta(seconds=config.session_seconds)

    def sealed(use: Use, until: datetime) -> str:
        return seal(config.secret, Token(use, session.id, session.generation, to_ms(until)))

    return Grant(
        account=account,
        access_token=sealed(Use.ACCESS, expires_at),
        refresh_token=sealed(Use.REFRESH, session.ends_at),
        expires_at=expires_at,
        refresh_expires_at=session.ends_at,
    )


def _refresh_life(config: Config) -> timedelta:
    return timedelta(seconds=config.refresh_seconds)


def _now(services: Services) -> datetime:
    return to_datetime(services.database.now())
