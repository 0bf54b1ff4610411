"""What a look into the past costs of a request's allowance."""

from collections.abc import Mapping

from graphql import parse

from api import schema
from api.games.binding import Binding
from api.history.played import REPLAY_WEIGHT
from api.limits import cost


def test_a_replay_is_dear_and_a_page_of_the_log_costs_its_size(
    games: Mapping[str, Binding],
) -> None:
    graphql = schema.build(games)._schema

    def asked(fields: str) -> int:
        return cost(parse(f'{{ match(id: "x") {{ {fields} }} }}'), None, None, graphql)

    assert asked("viewAt(version: 1) { version }") - asked("version") == REPLAY_WEIGHT
    pages = [asked(f"log(first: {n}) {{ nodes {{ version at }} }}") for n in (1, 11)]
    assert pages[1] - pages[0] == 10 * 3
    assert asked("log { nodes { version at } }") == pages[0] + 99 * 3
