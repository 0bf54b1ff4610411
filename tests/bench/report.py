"""The rows of the benchmark, printed as one table and written as JSON."""

import json
import os
import platform
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil

from tests.bench.meters import Figure

LIBRARIES = ("asyncpg", "strawberry-graphql", "graphql-core", "uvicorn", "uvloop", "websockets")


@dataclass
class Row:
    """One thing measured. `ratio` is the figure to the floor of the same run, `goal` its limit.

    `limit` is for figures that have a limit of their own; `met` is None where there is neither.
    `more` holds whatever else was read beside it, by name.
    """

    group: str
    name: str
    unit: str
    figure: Figure
    floor: Figure | None = None
    goal: float | None = None
    limit: float | None = None
    higher_is_better: bool = False
    more: dict[str, float] = field(default_factory=dict)

    @property
    def ratio(self) -> float | None:
        return self.figure / self.floor if self.floor else None

    @property
    def met(self) -> bool | None:
        value, wanted = self.ratio, self.goal
        if wanted is None:
            value, wanted = self.figure.median, self.limit
        if value is None or wanted is None:
            return None
        return value >= wanted if self.higher_is_better else value <= wanted

    @property
    def target(self) -> str:
        sign = "≥" if self.higher_is_better else "≤"
        if self.goal is not None:
            return f"{sign} {self.goal:g}x"
        return "" if self.limit is None else f"{sign} {self.limit:g}"

    def json(self) -> dict[str, Any]:
        return {
            "group": self.group,
            "name": self.name,
            "unit": self.unit,
            "figure": self.figure.json(),
            "floor": self.floor.json() if self.floor else None,
            "ratio": self.ratio,
            "target": self.target or None,
            "met": self.met,
            "more": self.more,
        }


def machine() -> dict[str, Any]:
    """What it was measured on."""
    return {
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
        "load": [round(each, 2) for each in os.getloadavg()],
        "python": platform.python_version(),
        "libraries": {name: version(name) for name in LIBRARIES},
    }


def table(rows: list[Row]) -> str:
    """The rows as a Markdown table, wide enough to be read as it is."""
    lines = [("row", "unit", "median", "spread", "floor", "ratio", "target", "")]
    for row in rows:
        spread = f"{_short(row.figure.low)}–{_short(row.figure.high)}"
        lines.append(
            (
                row.name,
                row.unit,
                _short(row.figure.median),
                spread,
                _short(row.floor.median) if row.floor else "",
                f"{row.ratio:.2f}x" if row.ratio is not None else "",
                row.target,
                {True: "met", False: "MISSED", None: ""}[row.met],
            )
        )
        lines.extend((f"· {key}", "", _short(v), "", "", "", "", "") for key, v in row.more.items())
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    shown = ["| " + " | ".join(map(str.ljust, line, widths)) + " |" for line in lines]
    shown.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(shown)


def write(path: Path, rows: list[Row], on: dict[str, Any]) -> None:
    """All that was measured, as JSON."""
    content = {"machine": on, "rows": [row.json() for row in rows]}
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def _short(value: float) -> str:
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor()
