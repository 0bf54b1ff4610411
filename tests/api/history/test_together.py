"""What lies behind the matches of a list is loaded together, not one by one."""

from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from api import schema
from api.accounts.claims import Session
from api.bus import Hub, carrier
from api.config import Config
from api.context import Context
from api.games.binding import Binding
from api.relay import read_id
from api.services import Services
from tests.api.counting import Counting
from tests.api.history.conftest import Archive, account_of
from tests.api.server import ServerProcess

DOCUMENT = """
query Many($me: ID!, $first: Int!) {
  matches(filter: { player: $me }, first: $first) {
    nodes { seed room { id match { id } } seats { player { displayName statistics { played } } } }
  }
}
"""


@pytest.fixture
async def counting(
    server: ServerProcess, games: Mapping[str, Binding], tmp_path: Path
) -> AsyncIterator[tuple[Counting, Services]]:
    config = Config(secret=bytes(32), database_url=server.database_url, data_dir=tmp_path)
    async with Counting(config) as database:
        yield database, Services(config, database, Hub(carrier(config.bus)), games)


async def test_many_matches_take_as_many_statements_as_one(
    archive: Archive, counting: tuple[Counting, Services]
) -> None:
    database, services = counting
    built = schema.build(services.games)
    people = await archive.people(2)
    for _ in range(12):
        created = await people[0].do("createRoom", "room { id }", game="coin_race", seats=2)
        room_id = created["room"]["id"]
        await archive.ended(people, verifiable=True, room_id=read_id("Room", room_id))
        await people[0].do("leaveRoom", "room { id }", roomId=room_id)
    session = Session(account_of(people[0]), uuid4(), datetime.now(UTC) + timedelta(hours=1))

    async def ask(first: int) -> int:
        before = database.statements
        answer = await built.execute(
            DOCUMENT,
            variable_values={"me": people[0].player_id, "first": first},
            context_value=Context(services, session=session),
        )
        assert answer.errors is None
        assert len(answer.data["matches"]["nodes"]) == first
        return database.statements - before

    await ask(1)
    assert await ask(12) == await ask(1)
