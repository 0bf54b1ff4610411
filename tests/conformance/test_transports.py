"""The audits and reference clients of both transports."""

import asyncio
from pathlib import Path

from gql import Client, gql
from gql.transport.httpx import HTTPXAsyncTransport
from gql.transport.websockets import WebsocketsTransport

from tests.api.transport.sample import Gateway
from tests.conformance.conftest import HERE, Run


async def test_graphql_http_audits_are_all_ok(address: str, run: Run) -> None:
    assert await run("audits.mjs", f"http://{address}/graphql") == {"ok": 61, "others": []}


async def test_graphql_ws_client(address: str, run: Run) -> None:
    assert await run("socket.mjs", f"ws://{address}/graphql") == {"connected": 1}


async def test_graphql_ws_client_comes_back_after_its_session_ended(
    address: str, gateway: Gateway, node: str
) -> None:
    process = await asyncio.create_subprocess_exec(
        node,
        str(HERE / "resume.mjs"),
        f"ws://{address}/graphql",
        "subscription { forever }",
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        lines = []
        for end in (lambda: gateway.controls[0].close(), process.kill):
            while not lines or not lines[-1].startswith("next"):
                lines.append((await process.stdout.readline()).decode().strip())
            lines.append("")
            end()
    finally:
        await process.wait()
    first = 'next {"data":{"forever":1}}'
    assert lines == ["connected", first, "", "closed 4403", "connected", first, ""]


async def test_gql_client_over_both_transports(address: str) -> None:
    async with Client(transport=HTTPXAsyncTransport(f"http://{address}/graphql")) as session:
        assert await session.execute(gql("{ hello }")) == {"hello": "world"}
        assert await session.execute(gql("mutation { add(number: 1) }")) == {"add": 2}
    socket = WebsocketsTransport(f"ws://{address}/graphql", ping_interval=0.05, pong_timeout=5)
    async with Client(transport=socket) as session:
        counted = [item async for item in session.subscribe(gql("subscription { count(to: 3) }"))]
        assert counted == [{"count": 0}, {"count": 1}, {"count": 2}]


def test_lock_names_no_registry() -> None:
    assert "://" not in (Path(HERE) / "package-lock.json").read_text()
