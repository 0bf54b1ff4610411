"""The games at hand: every subpackage that exposes ENGINE, found by folder."""

from collections.abc import Iterable
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from engines.protocol import Engine

HOME = "engines"


def discover(packages: Iterable[str] = (HOME,)) -> dict[str, Engine[Any]]:
    """All engines in the named packages by id, in the order of their ids.

    Raises ValueError when two folders claim one id.
    """
    found: dict[str, Engine[Any]] = {}
    for package in packages:
        for module in submodules(package):
            engine = getattr(module, "ENGINE", None)
            if engine is None:
                continue
            if engine.id in found:
                raise ValueError(f"two engines call themselves {engine.id!r}")
            found[engine.id] = engine
    return dict(sorted(found.items()))


def submodules(package: str) -> Iterable[ModuleType]:
    """The imported subpackages of a package, by name."""
    home = import_module(package)
    for info in sorted(iter_modules(home.__path__), key=lambda m: m.name):
        if info.ispkg:
            yield import_module(f"{package}.{info.name}")
