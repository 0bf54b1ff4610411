"""Every game has matches on file, and they still come out as they did."""

from pathlib import Path

import pytest

from engines.registry import discover
from tests.engines.laws.golden import check, files_of
from tests.engines.laws.matches import HOMES
from tests.extra_games.engines.coin_race import ENGINE

ENGINES = discover(HOMES)
FILES = [path for game in ENGINES for path in files_of(game)]


@pytest.mark.parametrize("game", ENGINES)
def test_a_game_has_goldens(game: str) -> None:
    assert len(files_of(game)) >= 2


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_golden(path: Path) -> None:
    check(ENGINES[path.parts[-3]], path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"heads":true', b'"heads":false'),
        (b'"state":"', b'"state":"0'),
        (b'"rules_version":1', b'"rules_version":2'),
    ],
)
def test_a_changed_golden_is_noticed(tmp_path: Path, old: bytes, new: bytes) -> None:
    lines = files_of("coin_race")[0].read_bytes()
    assert old in lines
    path = tmp_path / "changed.jsonl"
    path.write_bytes(lines.replace(old, new, 1))
    with pytest.raises(AssertionError):
        check(ENGINE, path)


def test_a_golden_is_a_whole_match(tmp_path: Path) -> None:
    lines = files_of("coin_race")[0].read_bytes().splitlines(keepends=True)
    path = tmp_path / "cut.jsonl"
    path.write_bytes(b"".join(lines[:-1]))
    with pytest.raises(AssertionError, match="ends before its match"):
        check(ENGINE, path)
