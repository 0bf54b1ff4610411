"""A client as others would write it: GraphQL over HTTP, and graphql-transport-ws."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any
from uuid import uuid4

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

SIGN_IN = """
mutation SignIn($input: SignInAsGuestInput!) {
  signInAsGuest(input: $input) {
    session { accessToken refreshToken expiresAt }
    player { id displayName }
    userErrors { code message path }
  }
}
"""


class Failed(AssertionError):
    """The answer had GraphQL errors where none were expected."""

    def __init__(self, errors: list[dict[str, Any]]) -> None:
        super().__init__(json.dumps(errors, ensure_ascii=False))
        self.errors = errors
        self.codes = [error.get("extensions", {}).get("code") for error in errors]

    @property
    def retry_after(self) -> float:
        """Seconds to wait, of the one error that tells."""
        (wait,) = (e["extensions"]["retryAfter"] for e in self.errors)
        return float(wait)


class Client:
    """One person's device. `token` is None until signed in."""

    def __init__(self, base_url: str, locale: str = "en") -> None:
        self.base_url = base_url
        self.locale = locale
        self.token: str | None = None
        self.refresh_token: str | None = None
        self.player_id = ""
        self.name = ""
        self._http = httpx.AsyncClient(base_url=base_url, timeout=20)

    async def close(self) -> None:
        await self._http.aclose()

    def reopen(self) -> None:
        """Go on after `close`, at the `base_url` of now."""
        self._http = httpx.AsyncClient(base_url=self.base_url, timeout=20)

    async def ask(self, document: str, variables: dict[str, Any] | None = None) -> Any:
        """The whole answer, errors and all."""
        headers = {"Accept-Language": self.locale}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        answer = await self._http.post(
            "/graphql", json={"query": document, "variables": variables or {}}, headers=headers
        )
        found = answer.json()
        self.hear(found)
        return found

    def hear(self, message: Any) -> None:
        """Told of every answer and of every message of every socket; for those who listen in."""

    async def run(self, document: str, variables: dict[str, Any] | None = None) -> Any:
        """The data of an answer without errors."""
        answer = await self.ask(document, variables)
        if answer.get("errors"):
            raise Failed(answer["errors"])
        return answer["data"]

    async def mutate(self, name: str, selection: str, /, **given: Any) -> Any:
        """One mutation by name; its payload, whose userErrors are for the caller to judge."""
        type_name = name[:1].upper() + name[1:] + "Input"
        document = (
            f"mutation M($input: {type_name}!) {{ {name}(input: $input) {{ {selection} "
            "userErrors { code message path } } }"
        )
        return (await self.run(document, {"input": given}))[name]

    async def do(self, name: str, selection: str, /, **given: Any) -> Any:
        """One mutation that must not be refused; its payload."""
        payload = await self.mutate(name, selection, **given)
        assert payload["userErrors"] == [], (name, given, payload["userErrors"])
        return payload

    async def sign_in(self, name: str) -> "Client":
        """Become a guest of this name."""
        payload = (await self.run(SIGN_IN, {"input": {"displayName": name}}))["signInAsGuest"]
        assert payload["userErrors"] == []
        self.token = payload["session"]["accessToken"]
        self.refresh_token = payload["session"]["refreshToken"]
        self.player_id = payload["player"]["id"]
        self.name = name
        return self

    @asynccontextmanager
    async def socket(self, **init: Any) -> "AsyncIterator[Socket]":
        """An acknowledged socket, signed in as this client is."""
        url = self.base_url.replace("http", "ws", 1) + "/graphql"
        async with connect(
            url, subprotocols=["graphql-transport-ws"], max_size=1 << 22
        ) as connection:
            payload = {"token": self.token, "locale": self.locale, **init}
            await connection.send(json.dumps({"type": "connection_init", "payload": payload}))
            assert json.loads(await connection.recv())["type"] == "connection_ack"
            socket = Socket(connection, self.hear)
            reader = asyncio.create_task(socket.read())
            try:
                yield socket
            finally:
                reader.cancel()
                await asyncio.gather(reader, return_exceptions=True)


@asynccontextmanager
async def signed_in(base_url: str, *names: str) -> AsyncIterator[list[Client]]:
    """New people of these names, signed in and in the end gone."""
    people = [await Client(base_url).sign_in(name) for name in names]
    try:
        yield people
    finally:
        for each in people:
            await each.close()


class Socket:
    """Many operations on one socket; each has a queue of its own."""

    def __init__(self, connection: ClientConnection, hear: Callable[[Any], None]) -> None:
        self.connection = connection
        self._hear = hear
        self._queues: dict[str, asyncio.Queue[dict[str, Any]]] = {}

    async def read(self) -> None:
        """Sort what comes in, until the socket closes."""
        try:
            async for raw in self.connection:
                message = json.loads(raw)
                self._hear(message)
                if message["type"] == "ping":
                    await self.connection.send('{"type":"pong"}')
                elif message.get("id") in self._queues:
                    self._queues[message["id"]].put_nowait(message)
        finally:
            for queue in self._queues.values():
                queue.put_nowait({"type": "closed"})

    async def subscribe(
        self, document: str, variables: dict[str, Any] | None = None
    ) -> AsyncIterator[Any]:
        """The data of each item until the operation completes. Raises `Failed` on an error."""
        id_ = uuid4().hex
        queue = self._queues[id_] = asyncio.Queue()
        payload = {"query": document, "variables": variables or {}}
        await self.connection.send(json.dumps({"id": id_, "type": "subscribe", "payload": payload}))
        try:
            while True:
                message = await queue.get()
                if message["type"] == "next":
                    if message["payload"].get("errors"):
                        raise Failed(message["payload"]["errors"])
                    yield message["payload"]["data"]
                elif message["type"] == "error":
                    raise Failed(message["payload"])
                elif message["type"] == "complete":
                    return
                else:
                    raise ConnectionError("the socket closed")
        finally:
            del self._queues[id_]
            with suppress(ConnectionClosed):
                await self.connection.send(json.dumps({"id": id_, "type": "complete"}))
