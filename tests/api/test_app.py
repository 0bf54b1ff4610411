"""The application around the API: health, readiness, and pages of other origins."""

from urllib.parse import urlsplit

import asyncpg
import httpx
import pytest

from tests.api.conftest import StartServer

FRIEND, STRANGER = "https://play.example", "https://other.example"
PREFLIGHT = {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization, content-type",
}
QUERY = {"query": "{ games { id } }"}


@pytest.fixture
def address(start_server: StartServer) -> str:
    return start_server(BOARD_ALLOWED_ORIGINS=FRIEND).base_url


def test_pages_of_allowed_origins_may_ask_and_read(address: str) -> None:
    with httpx.Client(base_url=address) as http:
        preflight = http.options("/graphql", headers={"Origin": FRIEND, **PREFLIGHT})
        assert preflight.status_code == 200
        assert preflight.headers["access-control-allow-origin"] == FRIEND
        assert "access-control-allow-credentials" not in preflight.headers
        answer = http.post("/graphql", json=QUERY, headers={"Origin": FRIEND})
        assert answer.headers["access-control-allow-origin"] == FRIEND
        assert answer.json()["data"]["games"]


def test_pages_of_other_origins_may_not_read(address: str) -> None:
    with httpx.Client(base_url=address) as http:
        preflight = http.options("/graphql", headers={"Origin": STRANGER, **PREFLIGHT})
        assert preflight.status_code == 400
        answer = http.post("/graphql", json=QUERY, headers={"Origin": STRANGER})
        assert "access-control-allow-origin" not in answer.headers


async def test_readiness_follows_the_database(
    start_server: StartServer, database_url: str, cluster_url: str
) -> None:
    server = start_server()
    async with httpx.AsyncClient(base_url=server.base_url, timeout=20) as http:
        ready = await http.get("/ready")
        assert (ready.status_code, ready.json()) == (200, {"status": "ready"})
        name = urlsplit(database_url).path.strip("/")
        admin = await asyncpg.connect(cluster_url)
        try:
            await admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            await admin.fetch(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name
            )
            away = await http.get("/ready")
            assert away.status_code == 503
            assert away.json() == {"status": "unavailable", "database": "away"}
            assert (await http.get("/health")).json() == {"status": "ok"}
        finally:
            await admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
            await admin.close()
        while (await http.get("/ready")).status_code != 200:
            pass
