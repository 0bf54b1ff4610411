"""The GraphQL schema, put together from the features and from every game found."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

import strawberry
from strawberry.schema.config import StrawberryConfig
from strawberry.schema.types.base_scalars import DateTimeDefinition

from api.accounts.mutations import AccountsMutation
from api.accounts.queries import AccountsQuery
from api.budgets import BudgetQuery
from api.context import Context
from api.execution import Executor
from api.games.binding import Binding, shared_action, shared_event
from api.games.queries import GamesQuery
from api.games.registry import discover
from api.games.types import OptionValue, option_value
from api.history.queries import HistoryQuery
from api.matches.mutations import mutations
from api.matches.queries import MatchesQuery
from api.matches.subscriptions import MatchesSubscription
from api.relay import NodeQuery
from api.rooms.mutations import RoomsMutation
from api.rooms.queries import RoomsQuery
from api.rooms.subscriptions import RoomsSubscription
from api.transport import Schema
from engines.protocol import SHARED_EVENTS, SYSTEM_ACTIONS

QUERIES = (
    AccountsQuery,
    BudgetQuery,
    GamesQuery,
    HistoryQuery,
    MatchesQuery,
    NodeQuery,
    RoomsQuery,
)
MOMENT = replace(
    DateTimeDefinition,
    description="A moment as ISO 8601 has it, with its distance from UTC, such as "
    "`2026-01-31T12:00:00.250000+00:00`.",
)
MUTATIONS = (AccountsMutation, RoomsMutation)
SUBSCRIPTIONS = (MatchesSubscription, RoomsSubscription)


def bind(extra_packages: Iterable[str] = ()) -> dict[str, Binding]:
    """Every game found, bound to GraphQL, by id."""
    return {id_: Binding(game) for id_, game in discover(extra_packages).items()}


def build(games: Mapping[str, Binding]) -> Schema:
    """The schema that serves these games."""
    return Schema(
        query=_root("Query", QUERIES, "What can be read."),
        mutation=_root(
            "Mutation",
            (*MUTATIONS, *map(mutations, games.values())),
            "What can be done. Refusals come back as data in `userErrors`, and a refused request "
            "changes nothing.",
        ),
        subscription=_root("Subscription", SUBSCRIPTIONS, "What can be followed while it happens."),
        types=[
            *(shared_event(cls)[0] for cls in SHARED_EVENTS),
            *(shared_action(cls)[0] for cls in SYSTEM_ACTIONS),
            *(each for game in games.values() for each in game.types()),
        ],
        config=StrawberryConfig(scalar_map={OptionValue: option_value, datetime: MOMENT}),
        charge=Context.admit,
        execution_context_class=Executor,
    )


def _root(name: str, parts: tuple[type, ...], description: str) -> type:
    """One root type from the features' parts."""
    return strawberry.type(type(name, parts, {}), name=name, description=description)


def sdl() -> str:
    """The schema of our own games as text: what `schema.graphql` holds."""
    return build(bind()).as_str() + "\n"
