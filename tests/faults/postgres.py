"""A PostgreSQL that can be stopped, killed and started again at the same address."""

from contextlib import ExitStack
from pathlib import Path

from api import embedded
from api.postmaster import find


class Postgres:
    """A cluster in `data_dir`, whose path is short enough to hold the socket itself."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._running = ExitStack()
        self.url = ""

    def __enter__(self) -> "Postgres":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Return when it takes connections."""
        self.url = self._running.enter_context(embedded.running(self._data_dir))

    def stop(self) -> None:
        """End it in good order, whatever its clients are doing."""
        self._running.close()

    def crash(self) -> None:
        """Kill it: the next start has to recover."""
        found = find(self._data_dir / "postgres")
        assert found is not None
        found[0].kill()
        self._running.close()
