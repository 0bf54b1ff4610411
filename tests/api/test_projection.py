"""What is told of a match is projected as graphql-core executes it, over generated documents."""

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

import msgspec
import pytest
from graphql import parse, validate
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from api.accounts.store import Profile
from api.context import Context, Session
from api.execution import Executor
from api.matches.feed import Sight, Sitting, Update, visible
from api.matches.live import Facts, Live, Row, to_datetime
from api.matches.types import MatchUpdate
from api.schema import bind, build
from api.services import Services
from api.subscribing import Question
from engines.protocol import Step
from tests.api.writer import Writer

GAMES = bind()
SCHEMA = build(GAMES)._schema
SERVICES = cast(Services, SimpleNamespace(games=GAMES))
SEATS = 3
ACCOUNTS = tuple(UUID(int=number) for number in range(1, SEATS + 1))
NOW = datetime(2026, 1, 31, 12, tzinfo=UTC)
DELETED = ACCOUNTS[2]
VARIABLES = {"no": False, "yes": True}


def facts(game: str, options: Any) -> Facts:
    return Facts(
        UUID(int=8), UUID(int=9), game, 1, options, ACCOUNTS, b"", True, True, True, False, NOW
    )


def sittings(rnd: Random) -> Sitting:
    """Some are connected; one is unknown, one has deleted the account."""
    gone = {DELETED: NOW}
    profiles = {id_: Profile(id_, f"이름 {id_.int}", NOW, gone.get(id_), 1) for id_ in ACCOUNTS[1:]}
    return Sitting(frozenset(id_ for id_ in ACCOUNTS if rnd.random() < 0.5), profiles)


@cache
def lives(game: str) -> tuple[tuple[Live, Row], ...]:
    """A match of time-outs: each version, and the row that led to it."""
    engine = GAMES[game].engine
    options = engine.options({})
    step: Step[Any] = engine.setup(options, SEATS, bytes(32), 0)
    live = Live(facts(game, options), engine, 1, "RUNNING", step.state, None, None)
    found = []
    for _ in range(60):
        deadline = engine.deadline(live.state)
        if deadline is None or deadline.until is None:
            break
        step = engine.on_timeout(live.state, deadline.until)
        live = live.advanced(step.state, NOW)
        found.append((live, Row(live.version, "TIMER", None, None, None, step.events, NOW)))
    return tuple(found)


def updates(game: str, rnd: Random) -> Iterator[tuple[MatchUpdate, Any]]:
    """Updates as somebody is told them, with who that is. Much of it is told to several."""
    some = [sittings(rnd) for _ in range(2)]
    sights: dict[tuple[int, str], Sight] = {}
    for _ in range(12):
        live, row = rnd.choice(lives(game)[:6])
        viewer = rnd.choice([None, *range(SEATS)])
        seen = visible(live, (row,), viewer)
        same = (live.version, repr([each.event for each in seen]))
        sight = sights.setdefault(same, Sight(seen))
        complete = rnd.random() < 0.8
        update = Update(
            live.version - 1, live.version, sight, viewer, live, complete, rnd.choice(some), NOW
        )
        account = UUID(int=99) if viewer is None else ACCOUNTS[viewer]
        locale: Any = rnd.choice(["ko", "en"])
        session = Session(account, UUID(int=7), to_datetime(0))
        yield MatchUpdate(update=update), Context(SERVICES, locale, session)


def document(game: str, rnd: Random) -> str:
    prefix = "Marble" if game == "marble" else "NumberTiles"
    names = {each.__name__ for each in GAMES[game].event_types} | {f"{prefix}View"}
    writer = Writer(rnd, SCHEMA, names)
    body = " ".join(writer.selection(SCHEMA.type_map["MatchUpdate"], 5) for _ in range(2))
    return (
        "subscription S($yes: Boolean! = true, $no: Boolean!) "
        f'{{ told: matchUpdates(matchId: "x") {{ {body} version @include(if: $yes) '
        "seats @skip(if: $no) { index } } } " + " ".join(writer.fragments)
    )


def stock(text: str, item: Any, context: Context) -> Any:
    """The whole result by graphql-core alone."""
    executor = StrawberryGraphQLCoreExecutionContext.build(
        SCHEMA, parse(text), None, context, VARIABLES
    )
    assert isinstance(executor, StrawberryGraphQLCoreExecutionContext)
    result: Any = executor.build_per_event_executor(item).execute_operation(False)
    assert result.errors is None
    return result.data


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("seed", range(15))
def test_updates(game: str, seed: int) -> None:
    rnd = Random(seed)
    text = document(game, rnd)
    assert validate(SCHEMA, parse(text)) == []
    executor = Executor.build(SCHEMA, parse(text), None, None, VARIABLES)
    assert isinstance(executor, Executor)
    question = Question(executor)
    first = next(updates(game, rnd))
    assert question.answer(*first) is None  # worth a projection from its second use on
    for item, context in updates(game, rnd):
        answer = question.answer(item, context)
        assert answer is not None
        expected = msgspec.json.encode(stock(text, item, context))
        assert answer == b'{"data":' + expected + b"}"
