"""Sessions from sign-in to their end."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from api.accounts import service
from api.accounts.claims import Session
from api.accounts.reasons import AccountReason
from api.accounts.service import RENEWAL_GRACE, Grant
from api.accounts.tokens import Token, Use, seal, unseal
from api.errors import RequestFault
from api.refusals import Refused
from api.services import Services

SOON = 5.0


async def sign_in(services: Services) -> Grant:
    return await service.sign_in_as_guest(services, "가온")


async def ended(services: Services, refresh_token: str) -> bool:
    with pytest.raises(Refused) as refusal:
        await service.refresh(services, refresh_token)
    assert refusal.value.path == ("refreshToken",)
    return refusal.value.reason is AccountReason.SESSION_ENDED


async def code(services: Services, token: str) -> str:
    found = await service.authenticate(services, token)
    return found.code if isinstance(found, RequestFault) else "OK"


async def shift(services: Services, column: str, by: timedelta) -> None:
    """Let time pass for all sessions."""
    await services.database.execute(
        f"UPDATE account_session SET {column} = {column} - $1::interval", by
    )


async def count(services: Services, table: str) -> Any:
    row = await services.database.fetchrow(f"SELECT count(*) FROM {table}")
    assert row is not None
    return row["count"]


async def test_a_guest_is_known_by_the_access_token(services: Services) -> None:
    grant = await sign_in(services)
    session = await service.authenticate(services, grant.access_token)
    assert isinstance(session, Session)
    assert session.account_id == grant.account.id
    assert session.expires_at == grant.expires_at
    revisions = await service.revisions(services, [grant.account.id])
    living = await service.living(services, [session.session_id])
    assert living == {session.session_id: revisions[grant.account.id]}


async def test_the_lives_are_those_configured(services: Services) -> None:
    before = services.database.now()
    grant = await sign_in(services)
    access, refresh = (
        unseal(services.config.secret, token) for token in (grant.access_token, grant.refresh_token)
    )
    assert access is not None
    assert refresh is not None
    made = access.expires_at - services.config.session_seconds * 1000
    assert before <= made <= services.database.now()
    assert refresh.expires_at - made == services.config.refresh_seconds * 1000


async def test_a_refresh_token_opens_nothing(services: Services) -> None:
    grant = await sign_in(services)
    assert await code(services, grant.refresh_token) == "UNAUTHENTICATED"
    assert await ended(services, grant.access_token)
    assert await code(services, grant.access_token) == "OK"


async def test_an_expired_access_token_opens_nothing(services: Services) -> None:
    grant = await sign_in(services)
    claims = unseal(services.config.secret, grant.access_token)
    assert claims is not None
    past = Token(Use.ACCESS, claims.session_id, 0, services.database.now())
    assert await code(services, seal(services.config.secret, past)) == "UNAUTHENTICATED"


async def test_a_session_that_ran_out_is_over(services: Services) -> None:
    grant = await sign_in(services)
    await shift(services, "ends_at", timedelta(seconds=services.config.refresh_seconds))
    assert await code(services, grant.access_token) == "UNAUTHENTICATED"
    assert await ended(services, grant.refresh_token)


async def test_refreshing_gives_a_new_pair_and_keeps_the_old_access(services: Services) -> None:
    first = await sign_in(services)
    second = await service.refresh(services, first.refresh_token)
    assert second.account == first.account
    assert second.access_token != first.access_token
    assert second.refresh_token != first.refresh_token
    assert second.expires_at >= first.expires_at
    assert await code(services, first.access_token) == "OK"
    assert await code(services, second.access_token) == "OK"


async def test_a_lost_answer_is_given_again(services: Services) -> None:
    first = await sign_in(services)
    second = await service.refresh(services, first.refresh_token)
    assert await service.refresh(services, first.refresh_token) == second
    third = await service.refresh(services, second.refresh_token)
    assert third.refresh_token not in (first.refresh_token, second.refresh_token)


async def test_many_refreshes_at_once_agree(services: Services) -> None:
    first = await sign_in(services)
    grants = await asyncio.gather(
        *(service.refresh(services, first.refresh_token) for _ in range(8))
    )
    assert {grant.refresh_token for grant in grants} == {grants[0].refresh_token}
    assert {grant.access_token for grant in grants} == {grants[0].access_token}


async def test_an_older_token_ends_the_session(services: Services) -> None:
    first = await sign_in(services)
    second = await service.refresh(services, first.refresh_token)
    third = await service.refresh(services, second.refresh_token)
    assert await ended(services, first.refresh_token)
    assert await ended(services, third.refresh_token)
    assert await code(services, third.access_token) == "UNAUTHENTICATED"


async def test_after_the_grace_a_used_token_ends_the_session(services: Services) -> None:
    first = await sign_in(services)
    second = await service.refresh(services, first.refresh_token)
    await shift(services, "renewed_at", RENEWAL_GRACE + timedelta(milliseconds=1))
    assert await ended(services, first.refresh_token)
    assert await code(services, second.access_token) == "UNAUTHENTICATED"


async def test_signing_out_ends_one_session_and_wakes_its_sockets(services: Services) -> None:
    grant, other = await sign_in(services), await sign_in(services)
    session = await service.authenticate(services, grant.access_token)
    assert isinstance(session, Session)
    revisions = await service.revisions(services, [grant.account.id])
    async with services.hub.watch(service.topic(grant.account.id)) as waiter:
        await service.sign_out(services, session.session_id)
        async with asyncio.timeout(SOON):
            await waiter.wait()
    assert await service.living(services, [session.session_id]) == {}
    assert await code(services, grant.access_token) == "UNAUTHENTICATED"
    assert await ended(services, grant.refresh_token)
    assert await code(services, other.access_token) == "OK"
    # The poll behind the hub sees it even if the wake-up is lost.
    assert await service.revisions(services, [grant.account.id]) != revisions


async def test_signing_out_twice_changes_nothing_more(services: Services) -> None:
    grant = await sign_in(services)
    session_id = service.session_of(services, grant.refresh_token)
    await service.sign_out(services, session_id)
    revisions = await service.revisions(services, [grant.account.id])
    await service.sign_out(services, session_id)
    assert await service.revisions(services, [grant.account.id]) == revisions


async def test_sessions_that_ran_out_are_cleared_away(services: Services) -> None:
    for _ in range(3):
        await sign_in(services)
    await shift(services, "ends_at", timedelta(seconds=services.config.refresh_seconds))
    await sign_in(services)
    assert await count(services, "account_session") == 1
    assert await count(services, "account") == 4


async def test_no_token_is_in_the_database(services: Services) -> None:
    grant = await sign_in(services)
    rows = await services.database.fetch(
        "SELECT row_to_json(s)::text AS row FROM account_session s"
    )
    stored = "".join(row["row"] for row in rows)
    assert grant.access_token not in stored
    assert grant.refresh_token not in stored
    assert services.config.secret.hex() not in stored
