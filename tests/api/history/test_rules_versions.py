"""Rules change while matches are played: each goes on, and is replayed, by those it began with."""

import asyncio
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from api import schema
from api.bus import Hub, carrier
from api.config import Config
from api.db import Database
from api.history.export import record_of
from api.history.verify import Unverifiable, verify
from api.matches.loading import load
from api.services import Services
from engines.protocol import Engine
from tests.api.client import Client, Failed
from tests.api.conftest import StartServer
from tests.api.ended import seated
from tests.api.history.conftest import Archive, match_ref
from tests.api.history.test_verification import HELD
from tests.api.server import ServerProcess
from tests.api.test_cli import command
from tests.extra_games.engines.coin_race import ENGINE
from tests.newer_rules.coin_race import ALONE, BOTH

FIRST, NEXT, LAST = "tests.extra_games", "tests.newer_rules.both", "tests.newer_rules.alone"
NO_LIMIT = {"goal": 10, "turnSeconds": None}
SEED = bytes(32)

STATE = """
query S($id: ID!) {
  match(id: $id) { status rulesVersion version view { ... on CoinRaceView { current } } }
}
"""
PAST = """
query P($id: ID!) {
  match(id: $id) {
    status rulesVersion version options { key value }
    log { nodes { version action { actionName } } }
    events { nodes { __typename version ... on CoinRaceCoinFlipped { heads } } }
    result { reasonCode summary winners ranking { rank seat } }
  }
}
"""
VIEW_AT = """
query V($id: ID!, $version: Int!) { match(id: $id) { viewAt(version: $version) { version } } }
"""
FLIP = "mutation F($id: ID!) { coinRaceFlip(input: {matchId: $id}) { version } }"
UPDATES = "subscription U($id: ID!) { matchUpdates(matchId: $id) { version } }"


class Stage:
    """Two people, and one server after the other on the same database."""

    def __init__(self, start: StartServer, folder: Path) -> None:
        self._start = start
        self._folder = folder
        self.server: ServerProcess | None = None
        self.people: list[Client] = []

    async def serve(self, package: str) -> ServerProcess:
        """Stop the server and start one with the games of a package; everybody goes on there."""
        if self.server is not None:
            self.server.stop()
        server = self._start(BOARD_GAME_PACKAGES=package, BOARD_ABANDON_SECONDS="2592000")
        if self.server is None:
            names = ("Mina", "Juno")
            self.people = [await Client(server.base_url).sign_in(name) for name in names]
        for each in self.people:
            await each.close()
            each.base_url = server.base_url
            each.reopen()
        self.server, self.package = server, package
        return server

    @asynccontextmanager
    async def archive(self) -> AsyncIterator[Archive]:
        """The server's database by the rules it has."""
        assert self.server is not None
        url, games = self.server.database_url, schema.bind((self.package,))
        config = Config(secret=bytes(32), database_url=url, data_dir=self._folder)
        async with Database(config) as database:
            services = Services(config, database, Hub(carrier(config.bus)), games)
            yield Archive(services, self.server.base_url)

    def replay(self, match_id: str) -> subprocess.CompletedProcess[str]:
        """What the command says of a match."""
        assert self.server is not None
        return command(
            "replay",
            match_id,
            DATABASE_URL=self.server.database_url,
            BOARD_GAME_PACKAGES=self.package,
            BOARD_SECRET="0" * 64,
            BOARD_DATA_DIR=str(self._folder),
        )

    async def flip(self, match_id: str, most: int | None = None) -> None:
        """Whoever has the turn flips the coin, so often or to the end."""
        for number in count():
            match = (await self.people[0].run(STATE, {"id": match_id}))["match"]
            if match["status"] != "RUNNING" or number == most:
                return
            mover = self.people[match["view"]["current"]]
            await mover.do("coinRaceFlip", "version", matchId=match_id)

    async def past(self, match_id: str) -> dict[str, Any]:
        """What is kept of a match, without any view of it."""
        return (await self.people[0].run(PAST, {"id": match_id}))["match"]  # type: ignore[no-any-return]


@pytest.fixture
async def stage(start_server: StartServer, tmp_path: Path) -> AsyncIterator[Stage]:
    stage = Stage(start_server, tmp_path)
    yield stage
    for each in stage.people:
        await each.close()


async def deal(
    archive: Archive, people: list[Client], engine: Engine[Any], options: dict[str, Any]
) -> UUID:
    """A match dealt just now."""
    at = archive.services.database.game_now()
    return await archive.deal(people, engine, engine.options(options), SEED, at, verifiable=True)


def coins(past: dict[str, Any]) -> list[bool]:
    """How the coins of a match fell."""
    return [node["heads"] for node in past["events"]["nodes"] if "heads" in node]


async def code_of(client: Client, document: str, **variables: Any) -> str:
    with pytest.raises(Failed) as failed:
        await client.run(document, variables)
    return failed.value.codes[0]


async def test_each_match_keeps_the_rules_it_began_with(stage: Stage) -> None:
    await stage.serve(FIRST)
    async with stage.archive() as archive:
        old = match_ref(await deal(archive, stage.people, ENGINE, NO_LIMIT))
    await stage.flip(old, 3)
    server = await stage.serve(NEXT)
    options = [{"key": key, "value": value} for key, value in NO_LIMIT.items()]
    _, new = await seated(*stage.people, game="coin_race", options=options)
    found = {}
    for match_id, rules in ((old, 1), (new, 2)):
        await stage.flip(match_id)
        past = found[match_id] = await stage.past(match_id)
        assert (past["rulesVersion"], past["status"]) == (rules, "FINISHED")
        for version in range(1, past["version"] + 1):
            then = await stage.people[1].run(VIEW_AT, {"id": match_id, "version": version})
            assert then["match"]["viewAt"]["version"] == version
        said = stage.replay(match_id)
        assert said.stdout.endswith("versions lead to the state that is stored\n"), said.stderr
    # By the rules of version 2 no tails are seen.
    assert False in coins(found[old])[3:]
    assert set(coins(found[new])) == {True}
    assert server.errors() == []


async def test_a_record_is_verified_by_the_rules_it_names(stage: Stage) -> None:
    await stage.serve(NEXT)
    async with stage.archive() as archive:
        for engine in (ENGINE, BOTH):
            match_id = await deal(archive, stage.people, engine, NO_LIMIT)
            await stage.flip(match_ref(match_id))
            live = await load(archive.services, match_id)
            assert live is not None
            made = await record_of(archive.services, live)
            assert made.rules_version == engine.rules_version
            assert verify(made, {"coin_race": BOTH}) == HELD
            if engine is ENGINE:
                with pytest.raises(Unverifiable, match="version 1 of the rules; only 2 is at hand"):
                    verify(made, {"coin_race": ALONE})


async def test_without_its_rules_a_match_is_read_but_neither_judged_nor_seen(stage: Stage) -> None:
    await stage.serve(FIRST)
    async with stage.archive() as archive:
        made = [await deal(archive, stage.people, ENGINE, NO_LIMIT) for _ in range(2)]
    ended, running = map(match_ref, made)
    await stage.flip(ended)
    await stage.flip(running, 2)
    before = [await stage.past(each) for each in (ended, running)]
    await stage.serve(LAST)
    for match_id in (ended, running):
        for client in stage.people:
            assert await code_of(client, STATE, id=match_id) == "RULES_UNAVAILABLE"
            assert await code_of(client, VIEW_AT, id=match_id, version=1) == "RULES_UNAVAILABLE"
    for client in stage.people:
        assert await code_of(client, FLIP, id=running) == "RULES_UNAVAILABLE"
    assert [await stage.past(each) for each in (ended, running)] == before
    said = stage.replay(ended)
    assert (said.returncode, said.stdout) == (1, "")
    assert "only 2 is at hand" in said.stderr


async def test_a_match_without_its_rules_holds_up_no_other(stage: Stage) -> None:
    """Its deadline passes and an outage is to be made up for; the others' clocks go on."""
    server = await stage.serve(LAST)
    async with stage.archive() as archive:
        stuck = await deal(archive, stage.people, ENGINE, {"turnSeconds": 15})
        sound = await deal(archive, stage.people, ALONE, {"turnSeconds": 15})
        await archive.sql(
            "UPDATE match SET deadline_at = started_at - interval '1 s' WHERE id = $1", stuck
        )
        await archive.sql(
            "INSERT INTO outage (number, began_at, ended_at) SELECT coalesce(max(number), 0) + 1, "
            "now() - interval '2 s', now() - interval '1 s' FROM outage"
        )
        async with stage.people[0].socket() as socket, asyncio.timeout(20):
            items = socket.subscribe(UPDATES, {"id": match_ref(sound)})
            async for item in items:
                if item["matchUpdates"]["version"] >= 2:
                    break
            await items.aclose()
        rows = await archive.sql(
            "SELECT match_id, action->>'type' AS action FROM match_log WHERE version > 1"
        )
    assert [(row["match_id"], row["action"]) for row in rows] == [(sound, "ShiftDeadline")]
    failed = {(error["message"], error["match_id"]) for error in server.errors()}
    assert failed
    assert failed <= {("make_up failed", str(stuck)), ("time_out failed", str(stuck))}
