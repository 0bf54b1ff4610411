"""What many are told alike is executed once; whatever depends on the person, for each alone."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any, cast
from uuid import UUID

import msgspec
import pytest
import strawberry
from graphql import GraphQLError

from api.accounts.claims import Session
from api.context import Anyone, Context, Info
from api.execution import Executor
from api.services import Services
from api.transport import Schema
from engines.texts import Text

SERVICES = cast(Services, object())
ANN, BEA = UUID(int=1), UUID(int=2)
GREETING = Text("안녕", "hello")


class Work:
    """How often the resolvers ran, and what holds up the one that waits."""

    runs = 0
    gate = asyncio.Event()
    begun = asyncio.Event()


@strawberry.type
class News:
    alike: strawberry.Private[str | None]

    @strawberry.field
    def runs(self) -> int:
        Work.runs += 1
        return Work.runs

    @strawberry.field
    async def slow(self) -> int:
        Work.runs += 1
        Work.begun.set()
        await Work.gate.wait()
        return Work.runs

    @strawberry.field
    def account(self, info: Info) -> str:
        return str(info.context.account_id)

    @strawberry.field
    async def required(self, info: Info) -> str:
        await asyncio.sleep(0)
        return str(info.context.require_account())

    @strawberry.field
    def greeting(self, info: Info) -> str:
        return info.context.say(GREETING)

    @strawberry.field
    def echo(self, value: int = 0) -> int:
        return value

    @strawberry.field
    def broken(self, info: Info) -> int | None:
        Work.runs += 1
        raise GraphQLError(f"run {Work.runs}")


@strawberry.type
class Query:
    nothing: int = 0


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def news(self, alike: str | None = "all") -> AsyncGenerator[News, None]:
        yield News(alike=alike)


SCHEMA = Schema(
    query=Query,
    subscription=Subscription,
    execution_context_class=Executor,
)


@pytest.fixture(autouse=True)
def _fresh() -> None:
    Work.runs, Work.gate, Work.begun = 0, asyncio.Event(), asyncio.Event()


@dataclass
class Asked:
    """Who asks, in which language."""

    account: UUID = ANN
    locale: Any = "en"

    async def told(self, document: str, **variables: Any) -> Any:
        """The first item of a subscription, as it goes over the wire."""
        session = Session(self.account, UUID(int=9), datetime.now(UTC))
        context = Context(SERVICES, self.locale, session)
        stream: Any = await SCHEMA.subscribe(document, variables, context)
        result = await anext(stream)
        await stream.aclose()
        errors = [error.message for error in result.errors or ()]
        return msgspec.json.decode(msgspec.json.encode(result.data)), errors


async def both(document: str, *asked: Asked, **variables: Any) -> list[Any]:
    """What each of them is told, all asking at once; the root field alone."""
    answers = await asyncio.gather(*(each.told(document, **variables) for each in asked))
    assert all(errors == [] for _, errors in answers)
    return [data["news"] for data, _ in answers]


async def test_what_is_alike_is_executed_once() -> None:
    told = await both("subscription One { news { runs echo } }", Asked(), Asked(BEA))
    assert told == [{"runs": 1, "echo": 0}] * 2


async def test_what_is_not_alike_is_executed_for_each() -> None:
    told = await both("subscription Two { news(alike: null) { runs } }", Asked(), Asked(BEA))
    assert [each["runs"] for each in told] == [1, 2]
    other = "subscription($alike: String) { news(alike: $alike) { runs } }"
    assert await both(other, Asked(), alike="these") == [{"runs": 3}]
    assert await both(other, Asked(), Asked(BEA), alike="those") == [{"runs": 4}] * 2


@pytest.mark.parametrize("field", ["account", "required"])
async def test_whoever_asks_is_never_answered_with_another(field: str) -> None:
    document = f"subscription {{ news {{ echo a: {field} ... {{ b: {field} }} }} }}"
    asked = [Asked(), Asked(BEA), Asked(), Asked(BEA)]
    told = await both(document, *asked)
    assert told == [{"echo": 0, "a": str(a.account), "b": str(a.account)} for a in asked]


async def test_each_reads_in_their_language() -> None:
    document = "subscription { news { greeting } }"
    told = await both(document, Asked(locale="ko"), Asked(locale="en"), Asked(BEA, "ko"))
    assert [each["greeting"] for each in told] == ["안녕", "hello", "안녕"]


async def test_documents_are_told_apart() -> None:
    first = await both("subscription A { news { a: echo } }", Asked())
    second = await both("subscription A { news { b: echo } }", Asked())
    assert (first, second) == ([{"a": 0}], [{"b": 0}])


@pytest.mark.parametrize(
    "document",
    [
        "subscription($v: Int!) { news { echo(value: $v) } }",
        "subscription($v: Int!) { news { ...F } } fragment F on News { echo(value: $v) }",
        "subscription($v: Int!) { news { ... { echo(value: $v) } } }",
    ],
)
async def test_variables_below_the_root_are_ones_own(document: str) -> None:
    assert await both(document, Asked(), v=1) == [{"echo": 1}]
    assert await both(document, Asked(BEA), v=2) == [{"echo": 2}]


async def test_directives_are_ones_own() -> None:
    document = "subscription($w: Boolean!) { news { echo runs @include(if: $w) } }"
    assert await both(document, Asked(), w=False) == [{"echo": 0}]
    assert await both(document, Asked(BEA), w=True) == [{"echo": 0, "runs": 1}]


async def test_errors_are_ones_own() -> None:
    document = "subscription { news { broken } }"
    answers = await asyncio.gather(Asked().told(document), Asked(BEA).told(document))
    # The first run was for nobody, and failed.
    assert answers == [({"news": {"broken": None}}, [f"run {run}"]) for run in (2, 3)]


async def test_one_who_goes_away_takes_nothing_along() -> None:
    document = "subscription Slow { news { slow } }"
    first = asyncio.create_task(Asked().told(document))
    await Work.begun.wait()
    second = asyncio.create_task(Asked(BEA).told(document))
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    Work.gate.set()
    assert await second == ({"news": {"slow": 1}}, [])


@pytest.mark.parametrize("name", [field.name for field in fields(Context)])
def test_all_of_a_context_is_personal_but_what_is_the_same_for_all(name: str) -> None:
    anyone = Anyone(SERVICES, "ko")
    assert anyone.personal is False
    getattr(anyone, name)
    assert anyone.personal is (name not in ("services", "locale", "loaders"))


@pytest.mark.parametrize("name", ["account_id", "reads_public_history", "budget"])
def test_what_is_derived_from_it_is_personal_too(name: str) -> None:
    anyone = Anyone(cast(Services, type("Some", (), {"rates": Work, "anonymous": 0})()), "ko")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Work, "anonymous", 0, raising=False)
        patch.setattr(Work, "operations", 0, raising=False)
        getattr(anyone, name)
    assert anyone.personal is True
