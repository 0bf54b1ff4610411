"""The embedded PostgreSQL starts anywhere, and neither a crash nor a second start harms it."""

import asyncio
import signal
import stat
import subprocess
import sys
from pathlib import Path

import asyncpg
import psutil
import pytest

from api import embedded
from api.embedded import EmbeddedError
from tests.cluster import processes

ROOT = Path(__file__).resolve().parents[2]
OWNER = """
import sys
from pathlib import Path
from api import embedded, postmaster
{before}
with embedded.running(Path(sys.argv[1])) as url:
    print(url, flush=True)
    sys.stdin.read()
"""
NO_DEATH_SIGNAL = "postmaster._stop_with_owner = lambda: None"  # as where there is no prctl


class Owner:
    """Another process that runs the embedded PostgreSQL on the folder."""

    def __init__(self, data_dir: Path, before: str = "") -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", OWNER.format(before=before), str(data_dir)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.url = self.process.stdout.readline().strip()
        assert self.url, "the owner did not start"

    def kill(self) -> None:
        self.process.kill()
        self.close()

    def close(self) -> None:
        """Let it go on to its end."""
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def run(url: str, *statements: str) -> list:
    """The first value of each statement's answer."""

    async def ask() -> list:
        connection = await asyncpg.connect(url)
        values = [await connection.fetchval(statement) for statement in statements]
        await connection.close()
        return values

    return asyncio.run(ask())


def test_what_was_written_is_there_at_the_next_start_and_nothing_runs_between(data_dir):
    with embedded.running(data_dir) as url:
        run(url, "CREATE TABLE kept AS SELECT 7 AS n")
        assert len(processes(data_dir)) == 1
    assert processes(data_dir) == []
    with embedded.running(data_dir) as url:
        assert run(url, "SELECT n FROM kept") == [7]


def test_it_is_postgresql_18_durable_private_and_the_same_everywhere(data_dir):
    with embedded.running(data_dir, max_connections=33) as url:
        assert run(
            url,
            "SELECT current_setting('server_version_num')::int / 10000",
            "SHOW fsync",
            "SHOW listen_addresses",
            "SHOW max_connections",
            "SHOW server_encoding",
            "SHOW timezone",
            "SELECT datlocale FROM pg_database WHERE datname = 'postgres'",
            "SHOW data_checksums",
        ) == [18, "on", "", "33", "UTF8", "UTC", "C.UTF-8", "on"]
        assert stat.S_IMODE((data_dir / "postgres").stat().st_mode) == 0o700
        assert stat.S_IMODE((data_dir / "postgres.log").stat().st_mode) == 0o600


def test_a_second_server_on_the_folder_is_told_how_to_share(data_dir):
    with embedded.running(data_dir) as url:
        with pytest.raises(EmbeddedError) as caught, embedded.running(data_dir):
            pass
        assert run(url, "SELECT 1") == [1]
    assert str(caught.value) == (
        f"another server uses the data folder {data_dir}: stop it, set BOARD_DATA_DIR to another "
        f"folder, or give DATABASE_URL; to share it set DATABASE_URL='{url}'"
    )


@pytest.mark.parametrize("before", ["", NO_DEATH_SIGNAL])
def test_after_its_owner_was_killed_the_next_start_has_the_data(data_dir, before):
    owner = Owner(data_dir, before)
    run(owner.url, "CREATE TABLE kept AS SELECT 7 AS n")
    owner.kill()
    with embedded.running(data_dir) as url:
        assert run(url, "SELECT n FROM kept") == [7]
        assert len(processes(data_dir)) == 1
    assert processes(data_dir) == []


def test_after_everything_was_killed_the_next_start_has_the_data(data_dir):
    owner = Owner(data_dir)
    run(owner.url, "CREATE TABLE kept AS SELECT 7 AS n")
    (server,) = processes(data_dir)
    family = [server, *server.children()]
    for process in family:
        process.kill()
    owner.kill()
    psutil.wait_procs(family, timeout=30)
    with embedded.running(data_dir) as url:
        assert run(url, "SELECT n FROM kept") == [7]
    assert processes(data_dir) == []


def test_the_end_of_the_owner_alone_ends_the_server(data_dir):
    owner = Owner(data_dir)
    found = processes(data_dir)
    owner.kill()
    _, alive = psutil.wait_procs(found, timeout=30)
    assert alive == []


def test_a_first_start_cut_short_does_not_count(data_dir):
    draft = data_dir / "postgres.new"
    draft.mkdir()
    (draft / "PG_VERSION").write_text("18\n")
    with embedded.running(data_dir) as url:
        assert run(url, "SELECT 1") == [1]
    assert not draft.exists()


def test_a_path_too_long_for_a_socket_will_do(data_dir):
    deep = data_dir.joinpath(*["a-rather-long-folder-name"] * 5)
    with embedded.running(deep) as url:
        assert run(url, "SELECT 1") == [1]
        socket_dir = Path(url.partition("?host=")[2].replace("%2F", "/"))
        assert stat.S_IMODE(socket_dir.stat().st_mode) == 0o700
    assert not socket_dir.exists()


def test_a_folder_that_cannot_be_used_is_named(data_dir):
    (data_dir / "taken").write_text("")
    with pytest.raises(EmbeddedError) as caught, embedded.running(data_dir / "taken"):
        pass
    assert str(caught.value).startswith(f"the data folder {data_dir / 'taken'} cannot be used: ")


def test_a_fault_of_the_user_of_the_server_stays_what_it_is(data_dir):
    with pytest.raises(PermissionError, match="mine"), embedded.running(data_dir):
        raise PermissionError("mine")
    assert processes(data_dir) == []


def test_a_server_that_cannot_start_is_quoted(data_dir):
    with embedded.running(data_dir):
        pass
    (data_dir / "postgres" / "PG_VERSION").write_text("17\n")
    with pytest.raises(EmbeddedError) as caught, embedded.running(data_dir):
        pass
    assert "The data directory was initialized by PostgreSQL version 17" in str(caught.value)
    assert processes(data_dir) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_it_stops_does_not_leave_it_behind(data_dir, number, monkeypatch):
    signalled = []
    stop = embedded.stop

    def stop_signalled(server: subprocess.Popen[bytes]) -> None:
        signal.raise_signal(number)
        signalled.append(number)
        stop(server)

    def insist(*_: object) -> None:
        raise AssertionError("the stop was disturbed")

    before = signal.signal(number, insist)
    try:
        monkeypatch.setattr(embedded, "stop", stop_signalled)
        with embedded.running(data_dir):
            pass
    finally:
        signal.signal(number, before)
    assert signalled == [number]
    assert processes(data_dir) == []
