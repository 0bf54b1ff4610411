"""A server, and matches put into its history: real ones, by the services, on the same database."""

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest

from api.bus import Hub, carrier
from api.config import Config
from api.db import Database
from api.games.binding import Binding
from api.matches import service as matches
from api.matches import store
from api.matches.live import to_datetime
from api.relay import global_id, read_id
from api.services import Services
from engines import codec
from engines.protocol import Engine, LeaveCause
from engines.rng import commitment
from tests.api.client import Client
from tests.api.in_process import games
from tests.api.server import ServerProcess

__all__ = ["games"]

NO_ROOM = UUID(int=0)
FACTS = {"public": True, "allow_spectators": True, "open_replay": False, "verifiable": False}


@pytest.fixture(scope="module")
def server_environ() -> dict[str, str]:
    return {
        "BOARD_GAME_PACKAGES": "tests.extra_games",
        "BOARD_BUDGET": "1000000000",
        "BOARD_SIGN_INS_PER_ADDRESS": "100000",
        "BOARD_ABANDON_SECONDS": "2592000",
    }


class Archive:
    """Puts matches into the history of the server, and reads its tables."""

    def __init__(self, services: Services, base_url: str) -> None:
        self.services = services
        self.base_url = base_url
        self.clients: list[Client] = []

    async def people(self, number: int) -> list[Client]:
        """So many new people, signed in."""
        made = [await Client(self.base_url).sign_in(f"Player {i}") for i in range(number)]
        self.clients += made
        return made

    async def start(self, people: Sequence[Client], game: str = "coin_race", **facts: Any) -> UUID:
        """A match of these people, dealt and running; public, watchable, unless `facts` differ."""
        room_id = facts.pop("room_id", NO_ROOM)
        started_at: datetime | None = facts.pop("started_at", None)
        async with self.services.database.transaction() as session:
            match_id = await matches.start(
                self.services,
                session,
                room_id=room_id,
                engine_id=game,
                options=facts.pop("options", {"turnSeconds": None}),
                accounts=[account_of(client) for client in people],
                **{**FACTS, **facts},
            )
        if started_at is not None:
            for table, key in (("match", "id"), ("match_seat", "match_id")):
                await self.sql(
                    f"UPDATE {table} SET started_at = $2 WHERE {key} = $1", match_id, started_at
                )
            await self.sql(
                "UPDATE match_listing SET started_at = $2 WHERE match_id = $1", match_id, started_at
            )
        return match_id

    async def deal(
        self,
        people: Sequence[Client],
        engine: Engine[Any],
        options: Any,
        seed: bytes,
        at: int,
        **facts: Any,
    ) -> UUID:
        """A match dealt from a seed at a moment, given in milliseconds."""
        step = engine.setup(options, len(people), seed, at)
        new = store.NewMatch(
            id=uuid4(),
            room_id=NO_ROOM,
            game=engine.id,
            rules_version=engine.rules_version,
            options=codec.encode_options(options).decode(),
            seats=len(people),
            seed=seed,
            seed_commitment=commitment(seed),
            state=codec.encode_state(step.state).decode(),
            deadline_at=None,
            started_at=to_datetime(at),
            accounts=tuple(account_of(client) for client in people),
            events=codec.encode_events(step.events).decode(),
            **{**FACTS, **facts},
        )
        async with self.services.database.transaction() as session:
            await store.insert(session, new)
        return new.id

    async def finish(self, match_id: UUID, people: Sequence[Client]) -> UUID:
        """End a match: all but the last of these people leave it."""
        for client in people[:-1]:
            await matches.leave(self.services, match_id, account_of(client), LeaveCause.LEFT)
        assert await matches.status_of(self.services, match_id) == "FINISHED"
        return match_id

    async def ended(self, people: Sequence[Client], **facts: Any) -> UUID:
        """A match that has ended."""
        finished_at = facts.pop("finished_at", None)
        match_id = await self.finish(await self.start(people, **facts), people)
        if finished_at is not None:
            for table, key in (("match", "id"), ("match_listing", "match_id")):
                await self.sql(
                    f"UPDATE {table} SET finished_at = $2 WHERE {key} = $1", match_id, finished_at
                )
        return match_id

    async def close(self) -> None:
        """Sign off."""
        for client in self.clients:
            await client.close()

    async def sql(self, statement: str, *args: Any) -> list[asyncpg.Record]:
        """One statement on the server's database."""
        return await self.services.database.fetch(statement, *args)


def account_of(client: Client) -> UUID:
    """The account behind a client's player."""
    found = read_id("Player", client.player_id)
    assert found is not None
    return found


def match_ref(match_id: UUID) -> str:
    """The global id of a match."""
    return global_id("Match", match_id)


@pytest.fixture
async def archive(
    server: ServerProcess, games: Mapping[str, Binding], tmp_path: Path
) -> AsyncIterator[Archive]:
    config = Config(secret=bytes(32), database_url=server.database_url, data_dir=tmp_path)
    async with Database(config) as database:
        services = Services(config, database, Hub(carrier(config.bus)), games)
        archive = Archive(services, server.base_url)
        yield archive
        await archive.close()
