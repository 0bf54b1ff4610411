"""The sessions behind sockets: all asked for together, each socket ended with its own."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from api.accounts import service as accounts
from api.accounts import store
from api.accounts.claims import Session
from api.services import Services
from api.sessions import Sessions
from api.transport import SocketControl
from tests.api.in_process import games, services

__all__ = ["games", "services"]

PATIENCE = 10.0


async def signed_in(services: Services) -> Session:
    grant = await accounts.sign_in_as_guest(services, "가온")
    session = await accounts.authenticate(services, grant.access_token)
    assert isinstance(session, Session)
    return session


class Ends:
    """A control, and how it was ended."""

    def __init__(self) -> None:
        self.control = SocketControl()
        self.told: asyncio.Future[tuple[int, str]] = asyncio.get_running_loop().create_future()
        self.control.when_told(lambda code, reason: self.told.set_result((code, reason)))

    async def end(self) -> tuple[int, str]:
        async with asyncio.timeout(PATIENCE):
            return await self.told


@pytest.fixture
def asked(services: Services, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many sessions each question was about."""
    sizes: list[int] = []
    stock = accounts.living

    async def living(services: Services, ids: Any) -> Mapping[Any, int]:
        sizes.append(len(list(ids)))
        return await stock(services, ids)

    monkeypatch.setattr("api.sessions.living", living)
    return sizes


async def test_many_that_arrive_are_one_question(services: Services, asked: list[int]) -> None:
    sessions = Sessions(services)
    people = [await signed_in(services) for _ in range(5)]
    ends = [Ends() for _ in people]
    holds = [sessions.hold(p, e.control) for p, e in zip(people, ends, strict=True)]
    await accounts.sign_out(services, people[3].session_id)
    assert await ends[3].end() == (4403, "Session ended")
    assert asked[0] == 5
    assert [each.told.done() for each in ends] == [False, False, False, True, False]
    for held in holds:
        held.release()
    assert services.hub.watched("account") == []


async def test_a_session_ended_before_it_was_held_ends_the_socket(services: Services) -> None:
    person, ends = await signed_in(services), Ends()
    await accounts.sign_out(services, person.session_id)
    held = Sessions(services).hold(person, ends.control)
    assert await ends.end() == (4403, "Session ended")
    held.release()


async def test_sockets_of_one_account_end_with_their_own_session(services: Services) -> None:
    sessions = Sessions(services)
    grant = await accounts.sign_in_as_guest(services, "나온")
    first = await accounts.authenticate(services, grant.access_token)
    assert isinstance(first, Session)
    twice = [Ends(), Ends()]
    holds = [sessions.hold(first, each.control) for each in twice]
    other, ends = await signed_in(services), Ends()
    holds.append(sessions.hold(other, ends.control))
    await accounts.sign_out(services, first.session_id)
    assert [await each.end() for each in twice] == [(4403, "Session ended")] * 2
    assert not ends.told.done()
    for held in holds:
        held.release()


async def test_while_the_database_is_away_nobody_is_turned_out(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The poll asks again: what was not answered has no marker."""
    answers = [OSError("away")]
    tried = asyncio.Event()
    stock = accounts.living

    async def living(services: Services, ids: Any) -> Mapping[Any, int]:
        tried.set()
        if answers:
            raise answers.pop()
        return await stock(services, ids)

    monkeypatch.setattr("api.sessions.living", living)
    services.hub.probe("account", lambda ids: accounts.revisions(services, ids))
    person, ends = await signed_in(services), Ends()
    held = Sessions(services).hold(person, ends.control)
    await tried.wait()
    assert not ends.told.done()
    # Ended behind the back of this process: only the poll can tell.
    async with services.database.transaction() as transaction:
        await store.end_session(transaction, person.session_id)
    assert await ends.end() == (4403, "Session ended")
    held.release()
