"""R138: the question about an absent seat, where an answer meets the count that led to it."""

from uuid import UUID

from api.absence import store
from api.services import Services
from tests.api.in_process import games, services
from tests.api.matches.late import deal_late

__all__ = ["games", "services"]

NO_ROOM = UUID(int=0)
UNITS = 2


async def ask(services: Services, match_id: UUID, unit: int) -> bool:
    return await store.ask(services.database, match_id, 0, NO_ROOM, unit, unit, UNITS)


async def test_r138_an_answer_outdates_what_was_counted_before_it(services: Services) -> None:
    live, racer = await deal_late(services)
    match_id = live.facts.id
    assert await ask(services, match_id, 3)
    assert not await ask(services, match_id, 4)  # it is open
    row = await services.database.fetchrow("SELECT asked_at FROM absence_question")
    assert row is not None
    question = store.Question(match_id, 0, racer, row["asked_at"], 3)
    assert await store.close(services.database, question, 5)
    assert not await store.close(services.database, question, 5)
    assert [await ask(services, match_id, unit) for unit in (4, 5, 6, 7)] == [
        False,
        False,
        False,
        True,
    ]
