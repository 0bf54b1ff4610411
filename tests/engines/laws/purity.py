"""The law of purity, read from the source: no I/O, clock, chance, float, or other game."""

import ast
from collections.abc import Collection, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import engines
from engines.protocol import Engine

ALLOWED = {
    "bisect",
    "collections",
    "dataclasses",
    "enum",
    "functools",
    "hashlib",
    "itertools",
    "msgspec",
    "operator",
    "re",
    "typing",
}
FORBIDDEN_CALLS = {
    *("open", "print", "input", "exec", "eval", "__import__"),
    *("globals", "vars", "setattr", "id", "hash", "float", "round"),
}


def law_sources_are_pure(engine: Engine[Any]) -> None:
    """Every source file of a game passes `faults`."""
    package = package_of(engine)
    for path in sources(package):
        assert list(faults(path.read_text("utf-8"), package)) == [], path


def law_the_shared_sources_are_pure() -> None:
    """The contract itself keeps the same law; discovery alone may import by name."""
    for path in sorted(Path(engines.__path__[0]).glob("*.py")):
        allowed = ("importlib", "pkgutil", "types") if path.name == "registry.py" else ()
        assert list(faults(path.read_text("utf-8"), "engines", allowed)) == [], path


def package_of(engine: Engine[Any]) -> str:
    """The dotted package a game lives in."""
    return engine.state_type.__module__.rsplit(".", 1)[0]


def sources(package: str) -> list[Path]:
    """The source files of a package, subpackages included."""
    return sorted(Path(import_module(package).__path__[0]).rglob("*.py"))


def faults(source: str, package: str, allowed: Collection[str] = ()) -> Iterator[str]:
    """What in a source file breaks the law, in words."""
    for node in ast.walk(ast.parse(source)):
        for name in imported(node):
            if not may_import(name, package, allowed):
                yield f"imports {name}"
        if isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.AsyncFor | ast.AsyncWith):
            yield "is asynchronous"
        if isinstance(node, ast.Global | ast.Nonlocal):
            yield "keeps a variable outside its function"
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            yield "divides to a float"
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            yield f"holds the float {node.value}"
        if called(node) in FORBIDDEN_CALLS:
            yield f"calls {called(node)}"
        if isinstance(node, ast.For | ast.comprehension) and is_set(node.iter):
            yield "iterates over a set"


def imported(node: ast.AST) -> list[str]:
    """The modules an import statement names."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return ["." * node.level + (node.module or "")]
    return []


def may_import(name: str, package: str, allowed: Collection[str]) -> bool:
    """The standard library's pure part, the contract, and the game's own folder."""
    if name.split(".")[0] in (*ALLOWED, *allowed) or name == package:
        return True
    if name.startswith(f"{package}."):
        return True
    contract = {path.stem for path in Path(engines.__path__[0]).glob("*.py")}
    return name == "engines" or (name.startswith("engines.") and name.split(".")[1] in contract)


def is_set(node: ast.expr) -> bool:
    """Whether an expression is plainly a set."""
    if isinstance(node, ast.Set | ast.SetComp):
        return True
    return called(node) in ("set", "frozenset")


def called(node: ast.AST) -> str:
    """The plain name a call expression calls, empty for anything else."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id
    return ""
