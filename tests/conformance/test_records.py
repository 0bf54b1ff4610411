"""The JSON Schema of the export, read by a validator of others."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.api.server import ROOT
from tests.conformance.conftest import Run

DOCS = ROOT / "docs"
SCHEMA = str(DOCS / "export.schema.json")
VECTORS = sorted((DOCS / "vectors").glob("*.json"))


async def test_the_vectors_are_valid(run: Run) -> None:
    assert await run("records.mjs", SCHEMA, *map(str, VECTORS)) == [None] * len(VECTORS)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"seed": "00"}, "data/seed must match pattern"),
        ({"formatVersion": 2}, "data/formatVersion must be"),
        ({"status": "OVER"}, "data/status must be"),
        ({"players": [{"seat": -1, "id": "x", "name": None}]}, "data/players/0/seat must be >= 0"),
        ({"log": [{"version": 1}]}, "data/log/0 must have required property 'actor'"),
    ],
)
async def test_what_is_no_record_is_found(
    run: Run, tmp_path: Path, changes: dict[str, Any], fault: str
) -> None:
    record = {**json.loads(VECTORS[0].read_bytes()), **changes}
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record), "utf-8")
    (found,) = await run("records.mjs", SCHEMA, str(path))
    assert fault in found
