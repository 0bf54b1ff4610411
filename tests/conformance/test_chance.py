"""Chance is verified in another language, by what the documents say."""

import json
import shutil
from pathlib import Path

import pytest

from tests.api.server import ROOT
from tests.conformance.conftest import HERE, Run
from tests.conformance.test_schema_tools import run as command

DOCS = ROOT / "docs"


async def test_the_vectors_are_dealt_and_rolled_again(run: Run) -> None:
    compared = await run("chance.mjs", str(DOCS))
    assert compared["marble"] > 3
    assert compared["number_tiles"] > 2 * 14


@pytest.mark.parametrize(
    ("game", "true", "false"),
    [
        ("marble", '"dice":[2,5]', '"dice":[5,2]'),
        ("marble", '"card":"L12"', '"card":"L11"'),
        ("number_tiles", '"R3b"', '"R3a"'),
        ("number_tiles", '"seed":"00', '"seed":"01'),
    ],
)
async def test_a_vector_that_is_not_true_is_noticed(
    game: str, true: str, false: str, node: str, tmp_path: Path
) -> None:
    shutil.copytree(DOCS / "vectors", tmp_path / "vectors")
    path = tmp_path / "vectors" / f"{game}.json"
    text = json.dumps(json.loads(path.read_text("utf-8")), separators=(",", ":"))
    assert true in text
    path.write_text(text.replace(true, false, 1), "utf-8")
    status, said = await command([node, HERE / "chance.mjs", tmp_path], HERE)
    assert status != 0
    assert "AssertionError" in said
