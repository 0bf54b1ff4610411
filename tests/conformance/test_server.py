"""The real server before the audits and the reference client."""

from tests.api.client import Client
from tests.api.conftest import server, server_environ
from tests.api.server import ServerProcess
from tests.conformance.conftest import Run

__all__ = ["server", "server_environ"]


async def test_graphql_http_audits_are_all_ok(server: ServerProcess, run: Run) -> None:
    assert await run("audits.mjs", server.url) == {"ok": 61, "others": []}


async def test_graphql_ws_client_as_a_guest(server: ServerProcess, run: Run) -> None:
    client = await Client(server.base_url).sign_in("Guest")
    assert client.token is not None
    assert await run("socket.mjs", server.ws_url, client.token) == {"connected": 1}
    await client.close()


async def test_graphql_ws_client_without_a_token(server: ServerProcess, run: Run) -> None:
    assert await run("socket.mjs", server.ws_url) == {"connected": 1}
