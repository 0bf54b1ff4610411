"""Budgets as clients meet them: over every transport, by account and by address."""

import asyncio
import json
from datetime import datetime
from typing import Any

import httpx
import pytest

from api.rates import CODES_OF_ACCOUNT
from tests.api.bus.conftest import Redis, redis
from tests.api.client import Client, Failed
from tests.api.conftest import StartServer
from tests.api.server import ServerProcess

__all__ = ["redis"]

BUDGET = 100_000
ANONYMOUS = 6_000
LEFT = "{ rateLimit { cost limit remaining resetAt } }"
# A thousand values for each of the aliased pages, and one for each page.
DEAR = "{ a: rooms(first: 100) { nodes { id code seats status revision } } }"
DEAR_COST = 1 + 100 * 6
WHOLE = "{ " + " ".join(f"p{n}: rooms(first: 100) {{ nodes {{ id }} }}" for n in range(99)) + " }"
WHOLE_COST = 99 * (1 + 100 * 2)


@pytest.fixture(scope="module")
def server_environ() -> dict[str, str]:
    return {
        "BOARD_BUDGET": str(BUDGET),
        "BOARD_ADDRESS_BUDGET": str(ANONYMOUS),
        "BOARD_TRUSTED_PROXIES": "127.0.0.1",
    }


async def exhaust(client: Client, whole: int = BUDGET // WHOLE_COST) -> None:
    """Ask for so much that another `WHOLE` does not fit."""
    for _ in range(whole):
        await client.run(WHOLE)


def refused(errors: list[dict[str, Any]]) -> float:
    """When the refusal says that there is room again, in seconds."""
    (error,) = errors
    assert error["extensions"]["code"] == "RATE_LIMITED"
    wait = error["extensions"]["retryAfter"]
    assert 0 < wait <= 120
    return float(wait)


async def test_what_an_operation_costs_is_told(server: ServerProcess) -> None:
    client = await Client(server.base_url).sign_in("Mina")
    left = (await client.run(LEFT))["rateLimit"]
    assert (left["cost"], left["limit"], left["remaining"]) == (5, BUDGET, BUDGET - 5)
    assert datetime.fromisoformat(left["resetAt"]).tzinfo is not None
    await client.run(DEAR)
    await client.run("{ a: me { id } b: me { id } c: me { id } }")
    again = (await client.run(LEFT))["rateLimit"]
    spent = 5 + DEAR_COST + 6 + 5
    assert BUDGET - spent <= again["remaining"] <= BUDGET - spent + 5
    await client.close()


async def test_introspection_and_refused_documents_are_paid_for(server: ServerProcess) -> None:
    client = await Client(server.base_url).sign_in("Mina")
    cost = (await client.run("{ rateLimit { cost } __schema { types { name } } }"))["rateLimit"]
    assert cost["cost"] > 2 + 100
    before = (await client.run(LEFT))["rateLimit"]["remaining"]
    for document in ("{ nothing }", "query A { __typename } query B { __typename }"):
        assert "errors" in await client.ask(document)
    after = (await client.run(LEFT))["rateLimit"]["remaining"]
    assert 195 <= before - after <= 205
    await client.close()


async def test_a_budget_used_up_is_refused_over_http(server: ServerProcess) -> None:
    client = await Client(server.base_url).sign_in("Mina")
    other = await Client(server.base_url).sign_in("Juno")
    await exhaust(client)
    answer = await client.ask(WHOLE)
    assert "data" not in answer
    refused(answer["errors"])
    async with httpx.AsyncClient(base_url=server.base_url) as http:
        response = await http.post(
            "/graphql",
            json={"query": WHOLE},
            headers={
                "authorization": f"Bearer {client.token}",
                "accept": "application/graphql-response+json",
            },
        )
        assert response.status_code == 429
        assert int(response.headers["retry-after"]) >= 1
        stream = await http.post(
            "/graphql/stream",
            json={"query": WHOLE},
            headers={"authorization": f"Bearer {client.token}", "accept": "text/event-stream"},
        )
    line = next(x for x in stream.text.splitlines() if x.startswith("data:") and "errors" in x)
    refused(json.loads(line.removeprefix("data:"))["errors"])
    # Small operations still fit, and nobody else is concerned.
    assert (await client.run("{ me { id } }"))["me"]["id"] == client.player_id
    await other.run(WHOLE)
    await client.close()
    await other.close()


async def test_a_budget_used_up_is_refused_over_a_socket_that_stays(server: ServerProcess) -> None:
    client = await Client(server.base_url).sign_in("Mina")
    async with client.socket() as socket:
        updates = socket.subscribe("subscription { lobbyUpdates { snapshot } }")
        assert (await anext(updates))["lobbyUpdates"]["snapshot"] is True
        for _ in range(BUDGET // WHOLE_COST):
            async for _ in socket.subscribe(WHOLE):
                pass
        with pytest.raises(Failed) as failed:
            await anext(socket.subscribe(WHOLE))
        assert failed.value.codes == ["RATE_LIMITED"]
        with pytest.raises(Failed):
            await client.run(WHOLE)  # the same budget whichever way it is asked
        data = [item async for item in socket.subscribe("{ me { id } }")]
        assert data == [{"me": {"id": client.player_id}}]
        await updates.aclose()
    await client.close()


async def test_addresses_have_budgets_of_their_own(server: ServerProcess) -> None:
    async def ask(address: str, document: str) -> Any:
        async with httpx.AsyncClient(base_url=server.base_url) as http:
            response = await http.post(
                "/graphql", json={"query": document}, headers={"x-forwarded-for": address}
            )
            return response.json()

    fields = "id name summary difficulty notice"
    whole = "{ " + " ".join(f"g{n}: games {{ {fields} }}" for n in range(99)) + " }"
    assert (await ask("203.0.113.7", whole))["data"]["g0"]
    refused((await ask("203.0.113.7", whole))["errors"])
    assert (await ask("203.0.113.8", whole))["data"]["g0"]
    # An IPv6 host owns its /64.
    assert (await ask("2001:db8:1:2::1", whole))["data"]["g0"]
    refused((await ask("2001:db8:1:2:ffff::9", whole))["errors"])
    assert (await ask("2001:db8:1:3::1", whole))["data"]["g0"]


async def test_a_proxy_that_is_not_trusted_is_not_believed(start_server: StartServer) -> None:
    server = start_server(BOARD_SIGN_INS_PER_ADDRESS="2")
    codes = []
    async with httpx.AsyncClient(base_url=server.base_url) as http:
        for number in range(3):
            response = await http.post(
                "/graphql",
                json={
                    "query": 'mutation { signInAsGuest(input: {displayName: "A"}) '
                    "{ player { id } } }"
                },
                headers={"x-forwarded-for": f"203.0.113.{number}"},
            )
            errors = response.json().get("errors", [])
            codes.append([error["extensions"]["code"] for error in errors])
    assert codes == [[], [], ["RATE_LIMITED"]]


async def test_an_address_makes_so_many_accounts_and_no_more(start_server: StartServer) -> None:
    server = start_server(BOARD_SIGN_INS_PER_ADDRESS="3")
    client = Client(server.base_url)
    many = " ".join(
        f'a{n}: signInAsGuest(input: {{displayName: "A"}}) {{ player {{ id }} }}' for n in range(5)
    )
    answer = await client.ask(f"mutation {{ {many} }}")
    # The payload may not be null, so the whole answer is; three accounts were made.
    assert answer["data"] is None
    (error,) = answer["errors"]
    assert (error["extensions"]["code"], error["path"]) == ("RATE_LIMITED", ["a3"])
    assert 0 < error["extensions"]["retryAfter"] <= 7200
    await client.close()


async def test_codes_cannot_be_tried_out(server: ServerProcess) -> None:
    client = await Client(server.base_url).sign_in("Mina")
    host = await Client(server.base_url).sign_in("Juno")
    selection = "room { id code }"
    room = (await host.do("createRoom", selection, game="marble", visibility="PRIVATE"))["room"]
    tries = " ".join(f'c{n}: roomByCode(code: "BBBBBB") {{ id }}' for n in range(40))
    assert set((await client.run(f"{{ {tries} }}")).values()) == {None}
    for _ in range(CODES_OF_ACCOUNT - 40):
        payload = await client.mutate("joinRoom", selection, code="BBBBBB")
        assert [error["code"] for error in payload["userErrors"]] == ["ROOM_NOT_FOUND"]
    with pytest.raises(Failed) as failed:
        await client.mutate("joinRoom", selection, code=room["code"])
    assert failed.value.codes == ["RATE_LIMITED"]
    answer = await client.ask(f'{{ roomByCode(code: "{room["code"]}") {{ id }} }}')
    assert answer["data"] == {"roomByCode": None}
    assert 0 < answer["errors"][0]["extensions"]["retryAfter"] <= 1200
    await client.close()
    await host.close()


async def test_an_address_cannot_try_out_codes_with_many_accounts(server: ServerProcess) -> None:
    tries = " ".join(f'c{n}: roomByCode(code: "BBBBBB") {{ id }}' for n in range(50))
    codes: list[str] = []
    async with httpx.AsyncClient(base_url=server.base_url) as http:
        for number in range(8):
            person = await Client(server.base_url).sign_in(f"A{number}")
            response = await http.post(
                "/graphql",
                json={"query": f"{{ {tries} }}"},
                headers={
                    "authorization": f"Bearer {person.token}",
                    "x-forwarded-for": "198.51.100.1",
                },
            )
            codes += [e["extensions"]["code"] for e in response.json().get("errors", [])]
            await person.close()
    assert codes == ["RATE_LIMITED"] * 100


async def test_processes_count_together_over_redis(start_server: StartServer, redis: Redis) -> None:
    shared = {"BOARD_LIMITS_URL": redis.url, "BOARD_BUDGET": str(WHOLE_COST * 2 + 100)}
    one, two = start_server(**shared), start_server(**shared)
    client = await Client(one.base_url).sign_in("Mina")
    await client.run(WHOLE)
    elsewhere = Client(two.base_url)
    elsewhere.token = client.token
    await elsewhere.run(WHOLE)
    for each in (client, elsewhere):
        refused((await each.ask(WHOLE))["errors"])
    redis.stop()
    # Each now counts for itself: limits do not stand in the way of play.
    for each in (client, elsewhere):
        await asyncio.gather(each.run(WHOLE), each.run("{ me { id } }"))
    assert (await client.run(LEFT))["rateLimit"]["limit"] == WHOLE_COST * 2 + 100
    assert "Redis is away" in one.log()
    await client.close()
    await elsewhere.close()
