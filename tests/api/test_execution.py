"""The projecting executor answers exactly as graphql-core's own, over generated documents."""

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from random import Random
from typing import Any

import pytest
import strawberry
from strawberry.extensions import ParserCache
from strawberry.types import ExecutionResult

from api.execution import Executor, Projections
from api.games.binding import Binding
from api.games.marble import GAME
from api.matches.views import MatchView
from engines.marble.views import PlayerView, View
from engines.protocol import Step
from tests.api.writer import Writer

BINDING = Binding(GAME)
ENGINE = BINDING.engine


class Place:
    """A view to look at; a test puts one there."""

    view: Any = None


@strawberry.type
class Query:
    @strawberry.field
    def view(self) -> MatchView | None:
        return Place.view

    @strawberry.field
    def views(self, sure: bool = False) -> list[MatchView | None]:
        return [Place.view, None, Place.view]


def schema(**kwargs: Any) -> strawberry.Schema:
    return strawberry.Schema(query=Query, types=[BINDING.view_type], **kwargs)


STOCK = schema()
# A document is projected from its second use on, so it must be known again.
OURS = schema(execution_context_class=Executor, extensions=[ParserCache])


def present(view: Any) -> Any:
    return BINDING._present_view(view, None, version=7, server_time=None)


def views() -> Iterator[Any]:
    """Views of all seats and a spectator along a match of time-outs."""
    step: Step[Any] = ENGINE.setup(ENGINE.options({"startMoney": 200}), 4, bytes(32), 0)
    for turn in range(40):
        yield ENGINE.view(step.state, None if turn % 5 == 4 else turn % 5)
        deadline = ENGINE.deadline(step.state)
        assert deadline is not None
        assert deadline.until is not None
        step = ENGINE.on_timeout(step.state, deadline.until)


VIEWS = list(views())


def written(rnd: Random) -> str:
    """A valid document."""
    writer = Writer(rnd, STOCK._schema)
    root = "view" if rnd.random() < 0.7 else "views(sure: $yes)"
    body = writer.selection(STOCK._schema.type_map["MatchView"], 4)
    return (
        f"query Q($yes: Boolean! = true, $no: Boolean!) {{ {root} {{ {body} }} "
        f"again: views @skip(if: $no) {{ ...on MarbleView {{ round __typename }} }} }} "
        + " ".join(writer.fragments)
    )


def spoilt(view: Any, rnd: Random) -> Any:
    """A view with one value that its type does not allow, somewhere."""
    wrong = rnd.choice([None, "x", 2**40, 1.5, True, object(), ValueError("no")])
    if rnd.random() < 0.5:
        name = rnd.choice([f.name for f in fields(View)])
        return replace(view, **{name: wrong})
    name = rnd.choice([f.name for f in fields(PlayerView)])
    first, *rest = view.players
    return replace(view, players=(replace(first, **{name: wrong}), *rest))


def told(result: ExecutionResult) -> Any:
    errors = [(e.message, e.path, e.locations) for e in result.errors or ()]
    return json.dumps(result.data), sorted(errors, key=repr)  # as text: 1 is not True


@pytest.mark.parametrize("seed", range(20))
def test_generated_documents(seed: int) -> None:
    rnd = Random(seed)
    for _ in range(4):
        document = written(rnd)
        for no in (False, True):
            variables = {"no": no, "yes": rnd.random() < 0.5}
            Place.view = present(rnd.choice(VIEWS))
            stock = STOCK.execute_sync(document, variables)
            for _ in range(2):  # the second is projected
                assert told(OURS.execute_sync(document, variables)) == told(stock)


@pytest.mark.parametrize("seed", range(20))
def test_values_that_do_not_fit(seed: int) -> None:
    rnd = Random(seed)
    document = written(rnd)
    for _ in range(8):
        Place.view = present(spoilt(rnd.choice(VIEWS), rnd))
        stock = STOCK.execute_sync(document, {"no": False})
        assert told(OURS.execute_sync(document, {"no": False})) == told(stock)


def test_plain_selections_are_projected(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison means something: a whole view takes the short way from its second use on."""
    found = []
    stock_of = Projections.of

    def of(self: Any, *args: Any) -> Any:
        found.append(stock_of(self, *args))
        return found[-1]

    monkeypatch.setattr(Projections, "of", of)
    assert is_dataclass(VIEWS[0])
    Place.view = present(VIEWS[0])
    document = "{ view { __typename ... on MarbleView { players { cash } } } }"
    first = OURS.execute_sync(document)
    assert found[0] is None
    found.clear()
    second = OURS.execute_sync(document)
    assert first.errors is second.errors is None
    assert first.data == second.data
    assert len(found) == 1
    assert found[0] is not None
