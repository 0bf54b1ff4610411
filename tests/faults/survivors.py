"""People who want every action done exactly once, whatever dies, and the judgement of the end."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from uuid import uuid4

import asyncpg
import httpx
from websockets.exceptions import ConnectionClosed, WebSocketException

from api.relay import read_id
from engines.protocol import Engine
from tests.api.client import Client, Failed
from tests.api.records import judge_records
from tests.api.roaming import Roamer, SpreadTable
from tests.api.table import Bot, Move
from tests.api.watcher import Watcher
from tests.faults.service import Service

AWAY = "UNAVAILABLE"
TRY_AGAIN_LATER = 1013
LOG = """
SELECT *, action->>'type' AS type FROM match_log
WHERE match_id = $1 AND actor = ANY($2) ORDER BY version
"""


class Survivor(Roamer):
    """A device that asks again, the very same, elsewhere or later, until it has an answer."""

    def __init__(self, service: Service, number: int) -> None:
        super().__init__(service.homes, number)
        self._service = service
        self.cut_off = 0
        """How often a request was under way when its connection ended."""
        self.turned_away: list[float] = []
        """After how many seconds it was told to come back, each time."""

    async def ask(self, document: str, variables: dict[str, Any] | None = None) -> Any:
        while True:
            home = self.base_url
            try:
                answer = await Client.ask(self, document, variables)
            except httpx.TransportError as error:
                self.cut_off += not isinstance(error, httpx.ConnectError)
                await self.move_on(home)
                continue
            errors = answer.get("errors") or []
            if all(error["extensions"]["code"] != AWAY for error in errors):
                return answer
            await self.wait_as_told(Failed(errors))

    async def move_on(self, home: str) -> None:
        """Go from this address to one where somebody may be alive."""
        await self._service.up()
        self.leave(home)

    async def wait_as_told(self, failed: Failed) -> None:
        """Wait for as long as the answer says; any answer but UNAVAILABLE is a failure."""
        if set(failed.codes) != {AWAY}:
            raise failed
        seconds = max(error["extensions"]["retryAfter"] for error in failed.errors)
        self.turned_away.append(seconds)
        await asyncio.sleep(seconds)


@dataclass(frozen=True)
class Told:
    """What a seat was told about one of its actions."""

    seat: int
    key: str
    payload: dict[str, Any]


class TriedTable(SpreadTable):
    """A table that remembers every answer to an action, and tells the service's moments."""

    def __init__(self, engine: Engine[Any], prefix: str, service: Service, seed: int) -> None:
        super().__init__(engine, prefix, service.homes, seed)
        self.service = service
        self.told: list[Told] = []
        self.devices: list[Survivor] = []

    async def __aenter__(self) -> "TriedTable":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def client(self, number: int) -> Survivor:
        return Survivor(self.service, number)

    @property
    def survivors(self) -> list[Survivor]:
        people = (*self.players, *self.spectators)
        return [client for client in people if isinstance(client, Survivor)]

    async def act(self, client: Client, move: Move, **given: Any) -> Any:
        key = given.setdefault("idempotencyKey", uuid4().hex)
        self.service.moments.passes(client.base_url)
        payload = await super().act(client, move, **given)
        self.told.append(Told(self.seat_of(client), key, payload))
        return payload

    def seat_of(self, client: Client) -> int:
        """The seat of the person whose device this is."""
        return [player.player_id for player in self.players].index(client.player_id)

    def twins(self, client: Client) -> list[Survivor]:
        """A second device of the same person at each server."""
        devices = [Survivor(self.service, number) for number in range(len(self.service.homes))]
        for device in devices:
            device.token, device.player_id = client.token, client.player_id
        self.devices.extend(devices)
        return devices

    async def close(self) -> None:
        await super().close()
        await asyncio.gather(*(device.close() for device in self.devices))

    async def follow(self, watcher: Watcher) -> None:
        """Watch to the end, resuming after the version last seen wherever anybody is alive."""
        client = watcher.client
        assert isinstance(client, Survivor)
        while not watcher.over:
            home = client.base_url
            try:
                await self.look(watcher)
            except Failed as failed:
                await client.wait_as_told(failed)
            except (OSError, EOFError, WebSocketException) as error:
                if isinstance(error, ConnectionClosed) and error.rcvd is not None:
                    if error.rcvd.code != TRY_AGAIN_LATER:
                        raise
                    await asyncio.sleep(1)  # told to come back, without a time
                await client.move_on(home)

    async def look(self, watcher: Watcher) -> None:
        """Watch from the version last seen on for as long as one socket lasts."""
        async with watcher.client.socket() as socket:
            await watcher.watch(socket, watcher.version or None)

    async def play_and_judge(self, bot: Bot) -> list[Watcher]:
        """A whole match, after which nothing that anybody was told may be otherwise."""
        await self.start()
        async with self.watched() as watchers:
            await self.play(watchers, bot)
            for watcher in watchers:
                await watcher.settled()
        await self.judge(watchers)
        return watchers

    async def judge(self, watchers: Sequence[Watcher]) -> None:
        """Log, state and updates agree, and each action is in the log as its seat was told."""
        await judge_records(self.service.database_url, self, watchers)
        accepted = [told for told in self.told if not told.payload["userErrors"]]
        versions = {(told.seat, told.key, told.payload["version"]) for told in accepted}
        rows = [(r["seat"], r["idempotency_key"], r["version"]) for r in await self.log("SEAT")]
        assert sorted(rows) == sorted(versions)
        shown = {watcher.seat: events_by_version(watcher) for watcher in watchers}
        first = {watcher.seat: watcher.seen[0]["version"] for watcher in watchers}
        for told in accepted:
            if told.payload["version"] > first[told.seat]:
                events = shown[told.seat].get(told.payload["version"], [])
                assert told.payload["events"] == events

    async def log(self, *actors: str) -> list[asyncpg.Record]:
        """The rows of these actors."""
        connection = await asyncpg.connect(self.service.database_url)
        rows = await connection.fetch(LOG, read_id("Match", self.match_id), list(actors))
        await connection.close()
        return list(rows)


def events_by_version(watcher: Watcher) -> dict[int, list[dict[str, Any]]]:
    """Every event the watcher was told, as it was told."""
    shown: dict[int, list[dict[str, Any]]] = {}
    for update in watcher.seen:
        for event in update["events"]:
            shown.setdefault(event["version"], []).append(event)
    return shown


def until(over: Callable[[], bool], bot: Bot) -> Bot:
    """A bot that gives up as soon as there is no more reason to play."""

    def play(view: Any, rnd: Random) -> Move | None:
        if over() and "concede" in [name.value.lower() for name in view.available]:
            return Move("Concede", {})
        return bot(view, rnd)

    return play
