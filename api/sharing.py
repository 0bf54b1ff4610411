"""One execution and one encoding of an update for all who are told the same.

A thousand spectators of a match are told the same, but for who they are. So the first one's answer
is executed for nobody in particular, in a context that notices when anything about the one who
asks is read; then the answer is thrown away and everybody gets one of their own. What is shared
can therefore not depend on the person, by whatever fields it was made.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass

import msgspec
from graphql import ExecutionResult

SECONDS = 0.1
"""How old a shared answer may be: the server's time is in it."""

KEPT = 1024


class Alike:
    """Belongs to what many are told alike; keeps the answers made of it, by who asked what."""

    __slots__ = ("answers",)

    def __init__(self) -> None:
        self.answers: dict[object, bytes | None] = {}


@dataclass(slots=True)
class Answer:
    """An answer on its way or made, to `question`, which the key tells by its identity."""

    question: object
    made_at: float
    work: asyncio.Task[msgspec.Raw | None]


class Answers:
    """The answers made lately, by what they answer; each for at most `SECONDS`."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, Answer] = OrderedDict()

    async def get(
        self,
        key: Hashable,
        question: object,
        make: Callable[[], Awaitable[ExecutionResult | None]],
    ) -> msgspec.Raw | None:
        """The answer's data, encoded; None where it cannot be shared.

        `key` may hold the id of `question`, which is kept as long as the answer. `make` executes
        it and gives None if that took a look at the one who asks. Made once however many ask,
        even if the first one goes away.
        """
        now = asyncio.get_running_loop().time()
        answer = self._kept.get(key)
        if answer is None or answer.made_at + SECONDS < now:
            answer = Answer(question, now, asyncio.create_task(_encoded(make)))
            self._kept[key] = answer
            self._kept.move_to_end(key)
            self._forget(now)
        if answer.work.done():
            return answer.work.result()
        return await asyncio.shield(answer.work)

    def _forget(self, now: float) -> None:
        """Drop what is too old, and the oldest of too many."""
        while self._kept:
            oldest = next(iter(self._kept.values()))
            if oldest.made_at + SECONDS >= now and len(self._kept) <= KEPT:
                return
            self._kept.popitem(last=False)


async def _encoded(make: Callable[[], Awaitable[ExecutionResult | None]]) -> msgspec.Raw | None:
    try:
        result = await make()
    except Exception:
        return None  # whoever asked meets the same fault in an execution of their own
    if result is None or result.errors:
        return None
    return msgspec.Raw(msgspec.json.encode(result.data))
