"""The games at hand: every subpackage that exposes ENGINE, found by folder."""

from collections.abc import Iterable
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from engines.protocol import Engine

HOME = "engines"


def discover(packages: Iterable[str] = (HOME,)) -> dict[str, Engine[Any]]:
    """The newest engine of each game in the named packages by id, in the order of their ids.

    Raises ValueError when two folders claim one id, or earlier rules do not fit the newest.
    """
    found: dict[str, Engine[Any]] = {}
    for package in packages:
        for module in submodules(package):
            engine = getattr(module, "ENGINE", None)
            if engine is None:
                continue
            if engine.id in found:
                raise ValueError(f"two engines call themselves {engine.id!r}")
            check_earlier(engine)
            found[engine.id] = engine
    return dict(sorted(found.items()))


def rules_of(newest: Engine[Any], version: int) -> Engine[Any] | None:
    """The engine of a rules version of a game; None if it is not at hand."""
    found = (each for each in (newest, *newest.earlier) if each.rules_version == version)
    return next(found, None)


def check_earlier(newest: Engine[Any]) -> None:
    """Raise ValueError unless earlier rules are of the same game, older, and in its words."""
    versions = [newest.rules_version, *(each.rules_version for each in newest.earlier)]
    if versions != sorted(set(versions), reverse=True):
        raise ValueError(f"the rules of {newest.id!r} are not newest first: {versions}")
    for each in newest.earlier:
        if each.id != newest.id or not _words(each) <= _words(newest):
            raise ValueError(
                f"rules {each.rules_version} of {newest.id!r} have words that the newest lack"
            )


def _words(engine: Engine[Any]) -> set[type]:
    """The classes in which an engine speaks to the world."""
    named = {engine.view_type, engine.result_type, engine.reasons}
    return {*named, *engine.actions, *engine.host_actions, *engine.events}


def submodules(package: str) -> Iterable[ModuleType]:
    """The imported subpackages of a package, by name."""
    home = import_module(package)
    for info in sorted(iter_modules(home.__path__), key=lambda m: m.name):
        if info.ispkg:
            yield import_module(f"{package}.{info.name}")
