"""The field's own readers of a schema, over `schema.graphql`: a linter, Relay's compiler, and a
generator of TypeScript that reads every operation of the guides and the explorer.
"""

import asyncio
import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from api import examples
from api.schema import bind
from tests.api.guide import operations
from tests.api.server import ROOT
from tests.conformance.conftest import HERE

SCHEMA = ROOT / "schema.graphql"
TOOLS = HERE / "schema"
MODULES = HERE / "node_modules"
WRITTEN = [
    path
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    if operations(path.read_text("utf-8"))
]


async def run(arguments: Sequence[str | Path], cwd: Path, **environ: str) -> tuple[int, str]:
    """The exit status of a command, and all it said."""
    process = await asyncio.create_subprocess_exec(
        *map(str, arguments),
        cwd=cwd,
        env={**os.environ, **environ},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, said.decode()


async def lint(node: str, schema: Path) -> tuple[int, list[str]]:
    """The exit status of the linter and the rules it finds broken."""
    eslint, config = MODULES / "eslint" / "bin" / "eslint.js", TOOLS / "eslint.config.mjs"
    status, said = await run(
        [node, eslint, "--config", config, "--format", "json", "--max-warnings", "0", schema.name],
        schema.parent,
        SCHEMA=str(schema),
    )
    (report,) = json.loads(said)
    return status, [f"{each['ruleId']} {each['message']}" for each in report["messages"]]


async def test_the_linter_finds_nothing(node: str) -> None:
    assert await lint(node, SCHEMA) == (0, [])


@pytest.mark.parametrize(
    ("sound", "faulty", "rule"),
    [
        ('"""The game\'s id, as rooms and filters use it."""\n  id: ID!', "id: ID!", "description"),
        ("edges: [RoomEdge!]!", "edges: [Room!]!", "relay-edge-types"),
        ("  id: ID!\n", "  key: ID!\n", "strict-id-in-types"),
    ],
)
async def test_the_linter_finds_faults(
    sound: str, faulty: str, rule: str, node: str, tmp_path: Path
) -> None:
    text = SCHEMA.read_text("utf-8")
    assert sound in text
    (tmp_path / "schema.graphql").write_text(text.replace(sound, faulty), "utf-8")
    status, found = await lint(node, tmp_path / "schema.graphql")
    assert status == 1
    assert any(rule in each.split(" ")[0] for each in found), found


async def test_relay_compiles_real_documents(node: str, tmp_path: Path) -> None:
    shutil.copytree(TOOLS / "relay", tmp_path, dirs_exist_ok=True)
    shutil.copy(SCHEMA, tmp_path)
    artifacts = tmp_path / "artifacts"
    artifacts.mkdir()
    status, said = await run([node, MODULES / "relay-compiler" / "cli.js", "relay.json"], tmp_path)
    assert status == 0, said
    assert {path.name.removesuffix(".graphql.js") for path in artifacts.iterdir()} == {
        *("lobby_rooms", "lobby_room", "lobbyQuery", "lobbyPageQuery", "lobbyRoomQuery"),
        *("lobbySubscription", "lobbyCreateRoomMutation"),
        *("match_board", "match_history", "matchQuery", "matchBoardQuery", "matchHistoryQuery"),
        *("matchHistoryPageQuery", "matchSubscription", "matchRollMutation"),
    }


async def test_typescript_for_every_operation_we_show(node: str, tmp_path: Path) -> None:
    shown = {path.stem: operations(path.read_text("utf-8")) for path in WRITTEN}
    shown["explorer"] = [tab.query for tab in examples.tabs(bind())]
    files = [tmp_path / f"{name}.graphql" for name in shown]
    for file, documents in zip(files, shown.values(), strict=True):
        file.write_text("\n".join(documents), "utf-8")
    status, said = await run([node, TOOLS / "types.mjs", SCHEMA, tmp_path, *files], HERE)
    assert status == 0, said
    written = [tmp_path / file.with_suffix(".ts").name for file in (SCHEMA, *files)]
    compiler = MODULES / "typescript" / "bin" / "tsc"
    assert await run([node, compiler, "--strict", "--noEmit", *written], HERE) == (0, "")
