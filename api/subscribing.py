"""What a subscriber is answered for each item of a feed: finished JSON, made once where it can be.

Subscribers of one document in one language ask one question. Where they are told the same, the
first one's answer is everybody's, see `api.sharing`.
"""

from copy import copy
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from graphql.pyutils import is_awaitable
from strawberry.types.execution import ExecutionResult

from api.context import Anyone, Context
from api.execution import Executor, projections
from api.following import Feed
from api.projection import GiveUp, Project

PERSONAL = b""
"""Stands for an answer that cannot be shared, because it depends on who asks."""


class Question:
    """An operation that subscribes, in one language, without the one who asks."""

    def __init__(self, executor: Executor) -> None:
        self.executor = executor

    def answer(self, item: Any, context: Context) -> bytes | None:
        """The result for an item as JSON; None where it takes a whole execution."""
        alike = item.alike if self.executor.fixed else None
        if alike is None:
            return self._projected(item, context)
        if self not in alike.answers:
            anyone = Anyone(context.services, context.locale)
            answer = self._projected(item, anyone)
            alike.answers[self] = PERSONAL if anyone.personal else answer
        kept: bytes | None = alike.answers[self]
        return self._projected(item, context) if kept == PERSONAL else kept

    def _projected(self, item: Any, context: Context) -> bytes | None:
        project = self._projection()
        if project is None:
            return None
        try:
            return msgspec.json.encode({"data": project(item, context)})
        except GiveUp:
            return None

    def _projection(self) -> Project | None:
        if self.executor.middleware_manager or self.executor.conditions is None:
            return None
        return projections.of_events(self.executor)


class Subscription:
    """One subscriber's feed, and the answers to its items."""

    __slots__ = ("_context", "_question", "feed")

    def __init__(self, executor: Executor, feed: Feed, context: Context) -> None:
        self._question = _question(executor, context)
        self._context = context
        self.feed = feed

    def answer(self, item: Any) -> bytes | None:
        """The result for an item as JSON, where it is at hand; else let it be executed."""
        return self._question.answer(item, self._context)

    async def execute(self, item: Any) -> ExecutionResult:
        """The result for an item, by the executor."""
        executor = copy(self._question.executor)
        executor.context_value = self._context
        result: Any = executor.build_per_event_executor(item).execute_operation(False)
        if is_awaitable(result):
            result = await result
        return ExecutionResult(data=result.data, errors=result.errors)


def _question(executor: Executor, context: Context) -> Question:
    if not executor.fixed:
        return Question(executor)  # its variables are part of it
    # Told by identity: the question keeps the operation.
    key = (id(executor.operation), executor.conditions, context.locale)
    known = _questions.get(key)
    if known is None:
        known = _questions[key] = Question(_impersonal(executor))
    return known


def _impersonal(executor: Executor) -> Executor:
    executor = copy(executor)
    executor.context_value = None
    return executor


_questions: WeakValueDictionary[Any, Question] = WeakValueDictionary()
