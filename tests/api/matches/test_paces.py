"""A game may slow some of its actions down: each seat has a pace, and nothing else is touched."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.api.client import Client, Failed
from tests.api.server import ServerProcess
from tests.api.table import Table
from tests.extra_games.engines.coin_race import ENGINE

PER_SECOND = 10
MATCH = """
query M($id: ID!) { match(id: $id) { version view { ... on CoinRaceView { own { hand } } } } }
"""


@pytest.fixture(scope="module")
def server_environ() -> dict[str, str]:
    return {"BOARD_GAME_PACKAGES": "tests.extra_games"}


@pytest.fixture
async def table(server: ServerProcess) -> AsyncIterator[Table]:
    """Two racers in a match that has just begun."""
    table = Table(ENGINE, "CoinRace", server.base_url, seed=0)
    await table.gather(2)
    await table.start()
    yield table
    await table.close()


def choices(table: Table, cards: list[int]) -> str:
    """One document that chooses these cards one after the other."""
    fields = " ".join(
        f'c{n}: coinRaceChoose(input: {{matchId: "{table.match_id}", card: {card}}}) '
        "{ version userErrors { code } }"
        for n, card in enumerate(cards)
    )
    return f"mutation {{ {fields} }}"


async def match(client: Client, table: Table) -> dict[str, Any]:
    return (await client.run(MATCH, {"id": table.match_id}))["match"]


async def test_what_comes_too_fast_is_refused_and_changes_nothing(table: Table) -> None:
    first, second = table.players
    hand = (await match(first, table))["view"]["own"]["hand"]
    # Each differs from the one before, so each that is taken makes a version.
    answer = await first.ask(choices(table, hand[:2] * 20))
    assert answer["data"] is None  # the refused payload may not be null
    (error,) = answer["errors"]
    assert error["extensions"]["code"] == "RATE_LIMITED"
    taken = int(error["path"][0].removeprefix("c"))
    assert taken >= PER_SECOND
    assert (await match(first, table))["version"] == 1 + taken
    assert 0 < error["extensions"]["retryAfter"] <= 2

    # The other seat has a pace of its own.
    theirs = (await match(second, table))["view"]["own"]["hand"]
    data = await second.run(choices(table, theirs[:1]))
    assert data["c0"] == {"version": 2 + taken, "userErrors": []}


async def test_a_refused_seat_keeps_its_socket_and_its_other_actions(table: Table) -> None:
    first = table.players[0]
    hand = (await match(first, table))["view"]["own"]["hand"]
    async with first.socket() as socket:
        with pytest.raises(Failed) as failed:
            await anext(socket.subscribe(choices(table, hand[:2] * 20)))
        assert failed.value.codes == ["RATE_LIMITED"]
        document = (
            f'mutation {{ coinRacePlayCard(input: {{matchId: "{table.match_id}"}}) '
            "{ userErrors { code } } }"
        )
        (answer,) = [item async for item in socket.subscribe(document)]
        assert answer == {"coinRacePlayCard": {"userErrors": []}}


async def test_a_pace_is_told_where_the_action_is_described(server: ServerProcess) -> None:
    client = Client(server.base_url)
    fields = (await client.run('{ __type(name: "Mutation") { fields { name description } } }'))[
        "__type"
    ]["fields"]
    told = {f["name"]: "10 a second" in f["description"] for f in fields}
    assert told["coinRaceChoose"] is True
    assert told["coinRaceFlip"] is False
    await client.close()
