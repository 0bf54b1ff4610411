"""Several processes behind one socket, as their supervisor and their clients meet them."""

import signal

import httpx
import psutil
import pytest

from tests.api.server import START_SECONDS, ServerProcess
from tests.api.test_cli import STOPPED_WITHIN_SECONDS, command, ready
from tests.cluster import processes

pytestmark = pytest.mark.thorough

ENDED_WITHIN_SECONDS = 30  # the machine may be busy


def workers_of(server: ServerProcess) -> list[psutil.Process]:
    """The living worker processes, oldest first."""
    children = psutil.Process(server.process.pid).children()
    living = [child for child in children if child.status() != psutil.STATUS_ZOMBIE]
    return sorted(
        (child for child in living if "worker" in child.cmdline()), key=lambda c: c.create_time()
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_all_stop_together_and_nothing_is_left(data_dir, number, tmp_path):
    server = ServerProcess(data_dir, BOARD_WORKERS="3", TMPDIR=str(tmp_path))
    workers = workers_of(server)
    assert len(workers) == 3
    assert len(processes(data_dir)) == 1
    assert ready(server) == {"status": "ready"}
    server.process.send_signal(number)
    server.await_end(STOPPED_WITHIN_SECONDS)
    assert not any(worker.is_running() for worker in workers)
    assert processes(data_dir) == []
    assert list(tmp_path.iterdir()) == []
    assert server.errors() == []


def test_workers_that_are_killed_are_replaced(start_server):
    server = start_server(BOARD_WORKERS="2")
    killed = workers_of(server)
    for worker in killed:
        worker.kill()
    # Nobody serves now: the request waits in the socket's queue for a new worker.
    answer = httpx.get(f"{server.base_url}/ready", timeout=START_SECONDS)
    assert answer.json() == {"status": "ready"}
    assert not set(workers_of(server)) & set(killed)
    server.stop()
    assert sorted(entry["message"] for entry in server.errors()) == sorted(
        f"worker {worker.pid} has ended with status -9" for worker in killed
    )


def test_workers_end_with_a_parent_that_is_killed(start_server, tmp_path):
    server = start_server(BOARD_WORKERS="2", TMPDIR=str(tmp_path))
    workers = workers_of(server)
    assert len(list(tmp_path.glob("board-metrics-*"))) == 1
    server.kill()
    _, alive = psutil.wait_procs(workers, ENDED_WITHIN_SECONDS)
    assert alive == []
    assert list(tmp_path.glob("board-metrics-*")) == []
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{server.base_url}/health")


def test_workers_that_cannot_start_end_the_server(database_url, data_dir):
    said = command(
        *("serve", "--workers", "2"),
        PORT="0",
        DATABASE_URL=database_url,
        BOARD_DATA_DIR=str(data_dir),
        BOARD_GAME_PACKAGES="no.such.package",
    )
    assert (said.returncode, said.stdout) == (1, "")
    assert said.stderr.endswith("error: a worker could not start; it has said why\n")
    assert "No module named 'no'" in said.stderr


@pytest.mark.parametrize("count", ["0", "65", "many"])
def test_a_wrong_number_of_workers_is_refused(count):
    said = command("serve", "--workers", count)
    assert said.returncode == 2
    assert said.stderr.endswith("argument --workers: must be a whole number from 1 to 64\n")


def test_workers_do_not_share_memory(data_dir):
    said = command(
        *("serve", "--workers", "2"),
        PORT="0",
        BOARD_BUS_URL="memory://",
        BOARD_DATA_DIR=str(data_dir),
    )
    assert said.returncode == 2
    assert said.stderr == "error: BOARD_BUS_URL must not be memory://, which joins no processes\n"
