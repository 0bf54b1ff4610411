"""Games are found by folder, in the order of their ids, and no id is taken twice."""

from pathlib import Path

import pytest

from engines.registry import discover, submodules
from tests.engines.laws.matches import HOMES
from tests.extra_games.engines.coin_race import ENGINE


def package(home: Path, name: str, source: str) -> None:
    folder = home / name
    folder.mkdir()
    (folder / "__init__.py").write_text(source, "utf-8")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An importable package of its own name, empty at first."""
    name = f"home_{tmp_path.name}"
    package(tmp_path, name, "")
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path / name


def test_an_engine_is_found_by_its_folder() -> None:
    assert discover(("tests.extra_games.engines",)) == {"coin_race": ENGINE}


def test_engines_come_in_the_order_of_their_ids() -> None:
    found = list(discover(HOMES))
    assert found == sorted(found)
    assert "coin_race" in found


def test_two_engines_of_one_id_are_a_fault(home: Path) -> None:
    source = "from tests.extra_games.engines.coin_race import ENGINE\n"
    package(home, "one", source)
    package(home, "two", source)
    with pytest.raises(ValueError, match="two engines call themselves 'coin_race'"):
        discover((home.name,))


def test_what_is_no_game_is_passed_over(home: Path) -> None:
    package(home, "scratch", "")
    (home / "module.py").write_text("ENGINE = None\n", "utf-8")
    assert discover((home.name,)) == {}
    assert [module.__name__ for module in submodules(home.name)] == [f"{home.name}.scratch"]


def test_by_default_the_engines_folder_is_searched() -> None:
    assert "coin_race" not in discover()
    assert set(discover()) <= set(discover(HOMES))
