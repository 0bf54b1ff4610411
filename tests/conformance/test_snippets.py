"""The TypeScript of the guides: compiled with the types of their own operations, and run against a
server, over a connection that breaks.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engines.marble import ENGINE
from tests.api.conftest import server, server_environ
from tests.api.guide import blocks, operations
from tests.api.server import ROOT, ServerProcess
from tests.api.table import Table
from tests.conformance.proxy import Proxy
from tests.conformance.test_schema_tools import MODULES, SCHEMA, TOOLS, run
from tests.faults.play import play_to

__all__ = ["server", "server_environ"]

GUIDES = ("front-end", "mobile")
SECONDS = 30.0
COMPILER = ("--strict", "--module", "nodenext", "--target", "es2022", "--outDir", "out")

# What the reader's own program has by then.
GIVEN = """
import type {{ FollowSubscription, FollowSubscriptionVariables }} from './mobile.js';
async function freshAccessToken(): Promise<string> {{ return {token}; }}
function draw(update: FollowSubscription['matchUpdates']): void {{
  console.log(JSON.stringify([update.fromVersion, update.version]));
}}
const FOLLOW = {follow};
const matchId = {match_id};
const drawn = {version};
"""
NO_WEBSOCKET_YET = "import WebSocket from 'ws'; globalThis.WebSocket ??= WebSocket;"


def text_of(guide: str) -> str:
    return (ROOT / "docs" / f"{guide}.md").read_text("utf-8")


@pytest.fixture
async def table(server: ServerProcess) -> AsyncIterator[Table]:
    table = Table(ENGINE, "Marble", server.base_url, 5)
    await table.gather(2, options={"maxRounds": 0, "startMoney": 500})
    await table.start()
    yield table
    await table.close()


async def compiled(node: str, folder: Path, program: str) -> Path:
    """The program as JavaScript, in a folder where it finds its packages and types."""
    (folder / "node_modules").symlink_to(MODULES)
    (folder / "package.json").write_text('{"type": "module"}')
    documents = folder / "mobile.graphql"
    documents.write_text("\n".join(operations(text_of("mobile"))), "utf-8")
    assert await run([node, TOOLS / "types.mjs", SCHEMA, folder, documents], folder) == (0, "")
    (folder / "program.ts").write_text(program, "utf-8")
    (folder / "socket.mjs").write_text(NO_WEBSOCKET_YET)
    compiler = MODULES / "typescript" / "bin" / "tsc"
    assert await run([node, compiler, *COMPILER, "program.ts"], folder) == (0, "")
    return folder / "out" / "program.js"


async def test_the_snippets_follow_a_match_over_a_break(
    node: str, table: Table, server: ServerProcess, tmp_path: Path
) -> None:
    snippets = [block for guide in GUIDES for block in blocks(text_of(guide), "ts")]
    assert len(snippets) == 2
    async with Proxy(server.base_url).running() as proxy, table.watched() as watchers:
        (follow,) = [
            each for each in operations(text_of("mobile")) if "subscription Follow" in each
        ]
        given = GIVEN.format(
            token=json.dumps(table.spectators[0].token),
            follow=json.dumps(follow),
            match_id=json.dumps(table.match_id),
            version=watchers[0].version,
        )
        program = "\n".join((snippets[0], given, *snippets[1:]))
        assert "wss://…/graphql" in program
        program = program.replace("wss://…/graphql", f"ws://{proxy.address}/graphql")
        script = await compiled(node, tmp_path, program)
        process = await asyncio.create_subprocess_exec(
            *(node, "--import", str(tmp_path / "socket.mjs"), str(script)),
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            assert await told(process) == [1, 1]
            await play_to(2, table, watchers)
            assert await told(process) == [1, 2]
            proxy.cut()
            await play_to(3, table, watchers)
            while (seen := await told(process)) == [2, 2]:  # the first of what it has anew
                pass
            assert seen == [2, 3]
        finally:
            process.kill()
            await process.wait()


async def told(process: asyncio.subprocess.Process) -> list[int]:
    """The versions of the next update that was drawn."""
    assert process.stdout is not None
    async with asyncio.timeout(SECONDS):
        found: list[int] = json.loads(await process.stdout.readline())
        return found
