"""CPU time and memory of other processes, and what a series of measurements comes to."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from urllib.parse import urlsplit

import psutil


def cpu_seconds(pid: int) -> float:
    """CPU time of a process and all its threads so far: to the nanosecond where the system can."""
    try:
        return time.clock_gettime((~pid << 3) | 2)  # Linux: the clock of another process
    except OSError:
        times = psutil.Process(pid).cpu_times()
        return float(times.user + times.system)


def family(pid: int) -> list[int]:
    """A process and all that it has started."""
    process = psutil.Process(pid)
    return [pid, *(child.pid for child in process.children(recursive=True))]


def backends(database_url: str) -> list[int]:
    """The PostgreSQL processes that work for a database, and the one that writes its WAL."""
    name = urlsplit(database_url).path.strip("/")
    found = []
    for process in psutil.process_iter(["cmdline"]):
        title = " ".join(process.info["cmdline"] or ())
        if title.startswith("postgres:") and (f" {name} " in title or "walwriter" in title):
            found.append(process.pid)
    return found


def memory(pids: Iterable[int]) -> int:
    """Resident bytes of these processes."""
    return sum(psutil.Process(pid).memory_info().rss for pid in pids)


@dataclass(frozen=True)
class Spent:
    """What something took: CPU in the server's own processes, in PostgreSQL's, and wall time."""

    server: float
    database: float
    wall: float

    def per(self, count: int) -> "Spent":
        """The same for one of `count` operations, in microseconds."""
        scale = 1e6 / count
        return Spent(self.server * scale, self.database * scale, self.wall * scale)

    @property
    def cpu(self) -> float:
        """All CPU but the client's."""
        return self.server + self.database


class Meter:
    """Reads what a server and a database's backends have used since it was made."""

    def __init__(self, pid: int, database_url: str | None = None) -> None:
        self._server = {each: cpu_seconds(each) for each in family(pid)}
        self._database = {
            each: cpu_seconds(each) for each in (backends(database_url) if database_url else ())
        }
        self._at = time.perf_counter()

    def read(self) -> Spent:
        """Since the beginning. Backends started since then are not counted: warm up first."""
        wall = time.perf_counter() - self._at
        return Spent(_since(self._server), _since(self._database), wall)


def _since(before: dict[int, float]) -> float:
    total = 0.0
    for pid, then in before.items():
        try:
            total += cpu_seconds(pid) - then
        except (OSError, psutil.NoSuchProcess):
            continue  # a backend that ended meanwhile
    return total


@dataclass(frozen=True)
class Figure:
    """A measured value: the median of several measurements, and the range they lay in."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Figure":
        return cls(median(values), min(values), max(values))

    def __truediv__(self, other: "Figure") -> float:
        return self.median / other.median

    def json(self) -> dict[str, float]:
        return {"median": self.median, "low": self.low, "high": self.high}


def figure(values: Iterable[Spent], read: Callable[[Spent], float]) -> Figure:
    """One of the parts of several measurements."""
    return Figure.of([read(value) for value in values])
