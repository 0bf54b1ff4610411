"""The rules of a match: those it was begun by, or their absence."""

from dataclasses import replace
from typing import Any, NoReturn

from api.errors import Code, RequestFault
from engines.protocol import Engine
from engines.registry import rules_of
from engines.texts import Text


class RulesUnavailable(RequestFault):
    """The match is played by rules that are not at hand any more."""

    def __init__(self, newest: Engine[Any], version: int) -> None:
        text = Text(
            "이 게임은 규칙 {played}판으로 진행됐고 지금은 {known}판만 있어요.",
            "This match is played by version {played} of the rules; only {known} is at hand.",
        )
        known = ", ".join(str(each.rules_version) for each in reversed((newest, *newest.earlier)))
        super().__init__(Code.RULES_UNAVAILABLE, text.format(played=version, known=known))


def rules_at_hand(newest: Engine[Any], version: int) -> Engine[Any]:
    """The engine of a rules version. One that is not at hand any more still reads what was done,
    what came of it and how it ended; whatever it would have to judge or show raises
    RULES_UNAVAILABLE.
    """

    def missing(*_: Any) -> NoReturn:
        raise RulesUnavailable(newest, version)

    return rules_of(newest, version) or replace(
        newest,
        rules_version=version,
        state_type=dict,
        options=missing,
        setup=missing,
        apply=missing,
        on_timeout=missing,
        view=missing,
        deadline=missing,
        result=missing,
        absence=None,
        earlier=(),
    )
