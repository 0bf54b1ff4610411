"""The command line, as someone who starts the server meets it."""

import asyncio
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import asyncpg
import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.api.server import ROOT, ServerProcess
from tests.cluster import processes

STOPPED_WITHIN_SECONDS = 5.0  # what a supervisor may count on


def command(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """The command run to its end with nothing but these settings."""
    return subprocess.run(
        [sys.executable, "-m", "api", *arguments],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", **environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )


def ready(server: ServerProcess) -> dict:
    answer = httpx.get(f"{server.base_url}/ready")
    assert answer.status_code == 200
    return answer.json()


def test_help_lists_the_commands():
    said = command("--help")
    assert said.returncode == 0
    for name in ("serve", "migrate", "export-schema", "settings"):
        assert f"\n    {name}" in said.stdout


def test_settings_lists_the_variables():
    said = command("settings")
    assert said.returncode == 0
    names = [line.split()[0] for line in said.stdout.splitlines()]
    assert names[0] == "DATABASE_URL"
    assert {"HOST", "PORT", "BOARD_DATA_DIR", "BOARD_SECRET"} < set(names)


def test_a_wrong_setting_is_named(data_dir):
    said = command("serve", PORT="eighty", BOARD_DATA_DIR=str(data_dir))
    assert (said.returncode, said.stdout) == (2, "")
    assert said.stderr == "error: PORT must be a whole number from 0 to 65535\n"


def test_a_port_in_use_is_said_before_anything_is_started(data_dir):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = command("serve", PORT=str(port), BOARD_DATA_DIR=str(data_dir))
    assert said.returncode == 1
    assert said.stderr.startswith(f"error: cannot listen on 127.0.0.1:{port} (")
    assert not (data_dir / "postgres").exists()


@pytest.mark.parametrize("arguments", [("serve",), ("migrate",)])
def test_a_database_that_does_not_answer_is_said(data_dir, arguments):
    url = f"postgresql://postgres@/postgres?host={data_dir}"
    said = command(*arguments, PORT="0", DATABASE_URL=url, BOARD_DATA_DIR=str(data_dir))
    assert said.returncode == 1
    assert said.stderr.startswith("error: DATABASE_URL: no connection to PostgreSQL: ")


def test_migrate_check_agrees_with_the_models(database_url, data_dir):
    said = command("migrate", "--check", DATABASE_URL=database_url, BOARD_DATA_DIR=str(data_dir))
    assert said.returncode == 0, said.stderr


def test_migrate_check_finds_a_table_the_models_do_not_know(database_url, data_dir):
    async def add_table() -> None:
        connection = await asyncpg.connect(database_url)
        await connection.execute("CREATE TABLE stray (id int)")
        await connection.close()

    asyncio.run(add_table())
    said = command("migrate", "--check", DATABASE_URL=database_url, BOARD_DATA_DIR=str(data_dir))
    assert said.returncode == 1
    assert "error: models and migrations differ: " in said.stderr
    assert "'stray'" in said.stderr


def test_the_committed_schema_is_the_one_of_the_code(tmp_path):
    assert command("export-schema", "--check").returncode == 0
    copy = tmp_path / "schema.graphql"
    assert command("export-schema", str(copy)).returncode == 0
    assert copy.read_text() == (ROOT / "schema.graphql").read_text()
    copy.write_text(copy.read_text() + "type Stray { id: ID }\n")
    said = command("export-schema", "--check", str(copy))
    assert said.returncode == 1
    assert said.stderr == f"error: {copy} is not the schema of the code: run `make schema`\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_serve_without_a_database_brings_its_own_and_takes_it_away(data_dir, number):
    server = ServerProcess(data_dir)
    assert ready(server) == {"status": "ready"}
    assert len(processes(data_dir)) == 1
    server.stop(number)
    assert server.errors() == []
    assert processes(data_dir) == []


def test_with_database_url_no_server_is_embedded(database_url, data_dir):
    server = ServerProcess(data_dir, DATABASE_URL=database_url)
    assert ready(server) == {"status": "ready"}
    assert not (data_dir / "postgres").exists()
    server.stop()


def test_a_start_after_a_kill_works(data_dir):
    ServerProcess(data_dir).kill()
    server = ServerProcess(data_dir)
    assert ready(server) == {"status": "ready"}
    server.stop()
    assert processes(data_dir) == []


def test_a_second_server_on_the_folder_is_refused_and_the_first_lives(data_dir):
    server = ServerProcess(data_dir)
    said = command("serve", PORT="0", BOARD_DATA_DIR=str(data_dir))
    assert said.returncode == 1
    assert said.stderr.startswith(f"error: another server uses the data folder {data_dir}: ")
    assert ready(server) == {"status": "ready"}
    server.stop()


async def test_open_sockets_do_not_hold_up_the_stop(start_server):
    server = start_server()
    async with connect(server.ws_url, subprotocols=["graphql-transport-ws"]) as socket_:
        await socket_.send('{"type":"connection_init"}')
        assert '"connection_ack"' in await socket_.recv()
        server.process.send_signal(signal.SIGTERM)
        with pytest.raises(ConnectionClosed) as caught:
            await socket_.recv()
    assert caught.value.rcvd.code == 1012
    server.await_end(STOPPED_WITHIN_SECONDS)
    assert server.errors() == []


def test_commands_work_beside_a_server_on_its_embedded_database(data_dir: Path) -> None:
    create = ("keys", "create", "--name", "A site", "--scope", "history:read")
    server = ServerProcess(data_dir)
    made = command(*create, BOARD_DATA_DIR=str(data_dir))
    assert made.returncode == 0, made.stderr
    key = re.search(r"key_\S+", made.stdout)[0]
    headers = {"authorization": f"Bearer {key}"}
    export = httpx.get(f"{server.base_url}/export/matches.ndjson", headers=headers)
    assert export.status_code == 200
    assert ready(server)
    server.stop()
    listed = command("keys", "list", BOARD_DATA_DIR=str(data_dir))
    assert (listed.returncode, listed.stdout.count("A site")) == (0, 1), listed.stderr
    assert processes(data_dir) == []
