"""The server as a process of its own, seen from outside."""

import json
import os
import re
import selectors
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

import pytest

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60.0
STOP_SECONDS = 15.0
OURS = re.compile(r"BOARD_|DATABASE_URL$|HOST$|PORT$")


class ServerProcess:
    """`python -m api serve` on a free port of 127.0.0.1, ready when the constructor returns.

    `environ` is added to a clean environment; `data_dir` also receives the log, JSON lines.
    """

    def __init__(self, data_dir: Path, **environ: str) -> None:
        data_dir.mkdir(parents=True, exist_ok=True)
        self.database_url = environ.get("DATABASE_URL", "")
        self.log_path = data_dir / f"server-{time.monotonic_ns()}.log"
        with self.log_path.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "api", "serve"],
                cwd=ROOT,
                env={
                    **{name: value for name, value in os.environ.items() if not OURS.match(name)},
                    "HOST": "127.0.0.1",
                    "PORT": "0",
                    "BOARD_DATA_DIR": str(data_dir),
                    "BOARD_LOG_FORMAT": "json",
                    **environ,
                },
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
            )
        self.base_url = self._await_address()

    @property
    def url(self) -> str:
        """The GraphQL endpoint over HTTP."""
        return f"{self.base_url}/graphql"

    @property
    def ws_url(self) -> str:
        """The GraphQL endpoint over WebSocket."""
        return self.url.replace("http", "ws", 1)

    def log(self) -> str:
        """All that the server has written to stderr."""
        return self.log_path.read_text(errors="replace")

    def errors(self) -> list[dict[str, Any]]:
        """What was logged as an error, or with a traceback."""
        bad = ("error", "critical")
        return [e for e in self.entries() if e.get("level") in bad or "exception" in e]

    def entries(self) -> list[dict[str, Any]]:
        """The log, line by line; what is no JSON counts as an error."""
        lines = self.log().splitlines()
        return [
            json.loads(line) if line.startswith("{") else {"level": "error", "message": line}
            for line in lines
        ]

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Ask it to stop; fails unless it ends well and in time."""
        self.process.send_signal(number)
        self.await_end()

    def await_end(self, seconds: float = STOP_SECONDS) -> None:
        """Fails unless it ends well within this time."""
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            self._fail(f"the server did not stop within {seconds} s")
        self._close()
        if status != 0:
            self._fail(f"the server ended with status {status}")

    def kill(self) -> None:
        """End it at once, as a crash would."""
        self.process.kill()
        self.process.wait()
        self._close()

    @property
    def running(self) -> bool:
        """Whether the process has not ended."""
        return self.process.poll() is None

    def _await_address(self) -> str:
        """The address it prints when it is ready."""
        assert self.process.stdout is not None
        deadline = time.monotonic() + START_SECONDS
        printed = b""
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while not (found := re.search(rb"^Endpoint +(http://\S+)/graphql .*\n", printed, re.M)):
                if not selector.select(deadline - time.monotonic()):
                    self.kill()
                    self._fail(f"the server was not ready after {START_SECONDS} s")
                chunk = os.read(self.process.stdout.fileno(), 65536)
                if not chunk:
                    status = self.process.wait()
                    self._close()
                    self._fail(f"the server ended with status {status} before it was ready")
                printed += chunk
        return found[1].decode()

    def _close(self) -> None:
        assert self.process.stdout is not None
        self.process.stdout.close()

    def _fail(self, what: str) -> NoReturn:
        pytest.fail(f"{what}; its log:\n{self.log()}")
