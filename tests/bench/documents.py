"""What a client of marble asks for: all it needs to draw the board, or hardly anything."""

from functools import cache

from graphql import GraphQLSchema

from api.schema import bind, build
from tests.api.documents import selection
from tests.api.watcher import ELSEWHERE, SHARED

PREFIX = "Marble"


@cache
def schema() -> GraphQLSchema:
    """The schema of our own games."""
    return build(bind())._schema


def _keep(type_name: str, field_name: str) -> bool:
    ours = type_name.startswith((PREFIX, "Match")) or type_name in SHARED
    return ours and (type_name, field_name) not in ELSEWHERE


@cache
def events() -> str:
    """All of every event of the game."""
    return f"events {{ {selection(schema(), 'MatchEvent', keep=_keep)} }}"


@cache
def view() -> str:
    """All of a view."""
    return f"view {{ {selection(schema(), 'MarbleView', keep=_keep)} }}"


def updates() -> str:
    """The subscription of a board: events, view, deadline, and who is there."""
    return (
        "subscription Updates($id: ID!, $after: Int) { matchUpdates(matchId: $id, after: $after) "
        "{ fromVersion version at status deadline { startedAt at seat } "
        "seats { index connected player { id displayName } } "
        f"{events()} view {{ __typename ... on MarbleView {{ {view()[7:-2]} }} }} }} }}"
    )


def action(mutation: str, whole: bool = True) -> str:
    """A mutation with the sender's events and view, or with its version alone."""
    name = mutation[:1].upper() + mutation[1:]
    wanted = f"version {events()} {view()}" if whole else "version"
    return (
        f"mutation Act($input: {name}Input!) {{ {mutation}(input: $input) "
        f"{{ {wanted} userErrors {{ code message path }} }} }}"
    )
