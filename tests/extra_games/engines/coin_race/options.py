"""What a host may choose."""

from dataclasses import dataclass
from typing import Annotated, Final

from engines.options import Choice, Option
from engines.texts import Text


@dataclass(frozen=True, slots=True)
class CoinRaceOptions:
    """The options of one match."""

    goal: Annotated[int, "The field that wins the race."]
    turn_seconds: Annotated[int | None, "Seconds for a turn; null is no limit."]


def _seconds(value: int) -> Choice:
    return Choice(value, Text(f"{value}초", f"{value} seconds"))


OPTIONS: Final = (
    Option(
        "goal",
        Text("도착 칸", "Goal"),
        Text("먼저 도착하면 이기는 칸", "The field to reach first"),
        (Choice(5, Text("5칸", "5 fields")), Choice(10, Text("10칸", "10 fields"))),
        5,
    ),
    Option(
        "turnSeconds",
        Text("제한 시간", "Turn time"),
        Text("한 차례의 시간", "Time for one turn"),
        (_seconds(15), _seconds(30), Choice(None, Text("제한 없음", "No limit"))),
        15,
    ),
)
