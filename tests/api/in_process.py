"""The services of a server process without the process: for tests of the services themselves."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from uuid import UUID

import pytest

from api import schema
from api.accounts import service as accounts
from api.accounts.service import Grant
from api.bus import Hub, carrier
from api.config import Config
from api.db import Database
from api.games.binding import Binding
from api.services import Services

SignIn = Callable[[str], Awaitable[Grant]]


@pytest.fixture(scope="session")
def games() -> Mapping[str, Binding]:
    """Our own games and the small one of the tests."""
    return schema.bind(("tests.extra_games",))


@pytest.fixture
async def services(
    config: Config, database: Database, games: Mapping[str, Binding]
) -> AsyncIterator[Services]:
    """Services on the test's own database, the hub at work."""
    made = Services(config, database, Hub(carrier(config.bus)), games)
    async with made.hub.running():
        yield made


async def person(services: Services, name: str = "가온") -> UUID:
    """A new guest's account."""
    return (await accounts.sign_in_as_guest(services, name)).account.id
