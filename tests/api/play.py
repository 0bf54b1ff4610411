"""Plays a guide on a server; `tests/api/guide.py` says what guides hold."""

import asyncio
import json
import os
import re
import sys
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
from graphql import OperationType

from tests.api.client import Client, Socket
from tests.api.guide import Operation, Step, begins, fill, fits, pick, refusals, steps
from tests.api.server import ROOT, ServerProcess

SECONDS = 60.0
READER = "reader"
RUN = ("graphql", "http", "console")
SEATS = "query Seats($id: ID!) { match(id: $id) { seats { player { id } } } }"


class Play:
    """One guide on one server. `folder` is where its commands run."""

    def __init__(self, server: ServerProcess, folder: Path) -> None:
        self.server = server
        self.folder = folder
        self.people: dict[str, Client] = {READER: Client(server.base_url)}
        self.kept: dict[str, Any] = {}
        self.answer: Any = None
        self._actor = self.people[READER]
        self._given: dict[str, Any] = {}
        self._sockets: dict[Client, Socket] = {}
        self._feeds: dict[str, AsyncGenerator[Any, None]] = {}
        self._stack = AsyncExitStack()

    async def run(self, text: str) -> None:
        """Play the whole guide; fails at the first step that goes otherwise than shown."""
        play = [*steps(text), Step("end", "", text.count("\n") + 1)]
        async with asyncio.timeout(SECONDS), self._stack:
            self._stack.push_async_callback(self._part)
            for step, following in pairwise(play):
                try:
                    await self._take(step, following)
                except Exception as error:
                    error.add_note(f"at line {step.line}: {step.kind} {step.text}")
                    raise

    async def _part(self) -> None:
        for client in self.people.values():
            await client.close()

    async def _take(self, step: Step, following: Step) -> None:
        match step.kind:
            case "direction":
                await self._direct(step.text, following)
            case "graphql":
                self.answer = await self._operate(Operation(step.text))
                assert following.kind == "json" or not (faults := refusals(self.answer)), faults
            case "http":
                self.answer = await self._send(self._filled(step.text), following)
            case "console":
                self.answer = await self._command(self._filled(step.text))
            case "json":
                shown = fill(json.loads(step.text), self.kept)
                assert fits(shown, self.answer), json.dumps(self.answer, ensure_ascii=False)
            case "text":
                assert begins(self._filled(step.text), self.answer), self.answer
        if step.kind in RUN:
            self._actor, self._given = self.people[READER], {}

    async def _direct(self, direction: str, following: Step) -> None:
        verb, rest = direction.split(" ", 1)
        match verb:
            case "as":
                self._actor = await self._person(rest)
            case "with":
                self._actor = await self._stranger()
                self._actor.token = fill(rest, self.kept)
            case "speaking":
                self._actor = await self._stranger(rest)
                self._actor.token = self.people[READER].token
            case "given":
                self._given = fill(json.loads(rest), self.kept)
            case "keep":
                name, path = rest.split(" = ")
                self.kept[name] = pick(self.answer, path)
            case "next":
                shown = fill(json.loads(following.text), self.kept)
                await self._await_item(rest.removeprefix("of "), shown)
            case "closed":
                connection = self._sockets[self._actor].connection
                await connection.wait_closed()
                assert connection.close_code == int(rest)
            case _:
                raise AssertionError(f"there is no direction {verb!r}")

    async def _person(self, name: str) -> Client:
        """Somebody by name, who signs in on the first entrance; or by seat."""
        if name.startswith("seat "):
            seats = (await self.people[READER].run(SEATS, {"id": self.kept["matchId"]}))["match"]
            holder = seats["seats"][fill(name.removeprefix("seat "), self.kept)]["player"]["id"]
            return next(each for each in self.people.values() if each.player_id == holder)
        if name not in self.people:
            self.people[name] = Client(self.server.base_url)
            await self.people[name].sign_in(name)
        return self.people[name]

    async def _stranger(self, locale: str = "en") -> Client:
        """A device for one step."""
        client = Client(self.server.base_url, locale)
        self._stack.push_async_callback(client.close)
        return client

    async def _operate(self, operation: Operation) -> Any:
        """The answer to an operation; of a subscription, which goes on, the first item."""
        pool = {**self.kept, **self._given}
        variables = {name: pool[name] for name in operation.variables if name in pool}
        client = self._actor
        if operation.kind is OperationType.SUBSCRIPTION:
            socket = self._sockets.get(client)
            if socket is None or socket.connection.close_code is not None:
                socket = await self._stack.enter_async_context(client.socket())
                self._sockets[client] = socket
            feed = socket.subscribe(operation.document, variables)
            self._feeds[operation.name] = await self._stack.enter_async_context(aclosing(feed))
            return {"data": await anext(feed)}
        answer = await client.ask(operation.document, variables)
        for payload in (answer.get("data") or {}).values():
            if isinstance(payload, dict) and payload.get("session"):
                client.token = payload["session"]["accessToken"]
                client.player_id = (payload.get("player") or {}).get("id", client.player_id)
        return answer

    async def _await_item(self, name: str, shown: Any) -> None:
        """The first item of a subscription that is as shown; those before it are passed over."""
        async for item in self._feeds[name]:
            self.answer = {"data": item}
            if fits(shown, self.answer):
                return
        raise AssertionError(f"{name} ended with {self.answer}")

    async def _send(self, text: str, following: Step) -> Any:
        """What a plain request is answered with: text, JSON, or the list of the JSON lines."""
        head, _, body = text.partition("\n\n")
        first, *lines = head.splitlines()
        method, path = first.split()
        headers = dict(line.split(": ", 1) for line in lines)
        told = ""
        async with (
            httpx.AsyncClient(base_url=self.server.base_url, timeout=SECONDS) as http,
            http.stream(method, path, headers=headers, content=body.strip() or None) as response,
        ):
            assert response.status_code == 200, (await response.aread()).decode()
            async for chunk in response.aiter_text():
                told += chunk
                if following.kind == "text" and begins(self._filled(following.text), told):
                    return told
        if "ndjson" in response.headers["content-type"]:
            return [json.loads(line) for line in told.splitlines()]
        return json.loads(told) if "json" in response.headers["content-type"] else told

    async def _command(self, text: str) -> str:
        """What `python -m api …` prints on the server's database; it must succeed."""
        process = await asyncio.create_subprocess_shell(
            re.sub(r"^python\b", sys.executable, text.strip(), flags=re.MULTILINE),
            cwd=self.folder,
            env={
                **os.environ,
                "PYTHONPATH": str(ROOT),
                "DATABASE_URL": self.server.database_url,
                "BOARD_DATA_DIR": str(self.folder),
            },
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        told, error = await process.communicate()
        assert process.returncode == 0, error.decode()
        return told.decode()

    def _filled(self, text: str) -> str:
        """A text with what was kept in place of each `<name>`."""
        return re.sub(r"<(\w+)>", lambda found: str(self.kept[found[1]]), text)
