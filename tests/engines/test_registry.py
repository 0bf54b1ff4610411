"""Games are found by folder, in the order of their ids, and no id is taken twice."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from engines.protocol import Engine
from engines.registry import discover, rules_of, submodules
from tests.engines.laws.matches import HOMES
from tests.extra_games.engines.coin_race import ENGINE
from tests.newer_rules.coin_race import ALONE, BOTH


@dataclass(frozen=True, slots=True)
class Alien:
    """A class that the newest rules do not know."""


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


def test_rules_are_found_by_their_version() -> None:
    assert rules_of(BOTH, 2) is BOTH
    assert rules_of(BOTH, 1) is ENGINE
    assert rules_of(BOTH, 3) is None
    assert rules_of(ALONE, 1) is None


@pytest.mark.parametrize(
    ("earlier", "fault"),
    [
        ((replace(ENGINE, rules_version=2),), "not newest first: [2, 2]"),
        ((replace(ENGINE, rules_version=3),), "not newest first: [2, 3]"),
        ((ENGINE, ENGINE), "not newest first: [2, 1, 1]"),
        ((replace(ENGINE, id="other"),), "rules 1 of 'coin_race' have words that the newest lack"),
        ((replace(ENGINE, events=(*ENGINE.events, Alien)),), "have words that the newest lack"),
        ((replace(ENGINE, actions=(*ENGINE.actions, Alien)),), "have words that the newest lack"),
        ((replace(ENGINE, view_type=Alien),), "have words that the newest lack"),
        ((replace(ENGINE, result_type=Alien),), "have words that the newest lack"),
    ],
)
def test_earlier_rules_that_do_not_fit_are_a_fault(
    earlier: tuple[Engine[Any], ...], fault: str, home: Path
) -> None:
    package(home, "game", "")
    (module,) = submodules(home.name)
    module.ENGINE = replace(ALONE, earlier=earlier)
    with pytest.raises(ValueError, match=re.escape(fault)):
        discover((home.name,))


def test_what_is_no_game_is_passed_over(home: Path) -> None:
    package(home, "scratch", "")
    (home / "module.py").write_text("ENGINE = None\n", "utf-8")
    assert discover((home.name,)) == {}
    assert [module.__name__ for module in submodules(home.name)] == [f"{home.name}.scratch"]


def test_by_default_the_engines_folder_is_searched() -> None:
    assert "coin_race" not in discover()
    assert set(discover()) <= set(discover(HOMES))
