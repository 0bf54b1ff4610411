"""What a host may choose (§2): the options object and the same as data for a room form."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from engines.options import Choice, Option, read_options
from engines.texts import Text


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one match; they never change after its start."""

    start_money: Annotated[int, "Cash of every player at the start, in 만: 200, 300 or 500."] = 300
    salary: Annotated[int, "Salary for passing the start or ending on it, in 만: 10, 20 or 30."] = (
        20
    )
    max_rounds: Annotated[int, "Rounds until the match ends: 0 (no limit), 15, 20 or 30."] = 20
    build_on_purchase: Annotated[
        bool, "True if a villa may be built on the visit of the purchase."
    ] = False
    island_turns: Annotated[int, "Turns a player misses at most on the island: 1, 2 or 3."] = 3
    island_fee: Annotated[
        int, "Fee for leaving the island at once, in 만: 0 (impossible), 10 or 20."
    ] = 0
    takeover: Annotated[
        bool, "True if another player's city may be taken over for twice its cost after the toll."
    ] = False
    landmark: Annotated[bool, "True if a landmark may follow the hotel."] = False
    monopoly_win: Annotated[bool, "True if a monopoly wins at once."] = False
    trade: Annotated[bool, "True if players may trade lands and cash."] = False
    turn_seconds: Annotated[
        int | None, "Time for one decision in seconds: 15, 30, 60 or null (no limit)."
    ] = 30


def _amount(amount: int) -> Choice:
    return Choice(amount, Text(f"{amount}만", f"{amount}만"))


def _switch(key: str, label: Text, description: Text) -> Option:
    on, off = Choice(True, Text("켬", "On")), Choice(False, Text("끔", "Off"))
    return Option(key, label, description, (on, off), False)


OPTION_SPECS: Final[tuple[Option, ...]] = (
    Option(
        "startMoney",
        Text("시작 자금", "Starting money"),
        Text("처음에 가지고 시작하는 돈이에요.", "What everybody has at the start."),
        (_amount(200), _amount(300), _amount(500)),
        300,
    ),
    Option(
        "salary",
        Text("월급", "Salary"),
        Text(
            "출발 칸을 지나거나 도착할 때 받는 돈이에요.",
            "Paid for passing the start or ending a move on it.",
        ),
        (_amount(10), _amount(20), _amount(30)),
        20,
    ),
    Option(
        "maxRounds",
        Text("라운드 제한", "Round limit"),
        Text(
            "이만큼 돌면 총자산으로 승부를 가려요. 무제한이면 파산으로만 끝나요.",
            "After so many rounds total assets decide. Without a limit only bankruptcy ends it.",
        ),
        (
            Choice(0, Text("무제한", "No limit")),
            Choice(15, Text("15라운드", "15 rounds")),
            Choice(20, Text("20라운드", "20 rounds")),
            Choice(30, Text("30라운드", "30 rounds")),
        ),
        20,
    ),
    _switch(
        "buildOnPurchase",
        Text("구매 즉시 건설", "Build on purchase"),
        Text(
            "땅을 산 그 방문에서 별장까지 바로 지을 수 있어요.",
            "A villa may be built on the very visit of the purchase.",
        ),
    ),
    Option(
        "islandTurns",
        Text("무인도 쉬는 차례", "Island turns"),
        Text("무인도에서 최대로 쉬는 차례 수예요.", "Turns missed at most on the island."),
        (
            Choice(1, Text("1번", "1 turn")),
            Choice(2, Text("2번", "2 turns")),
            Choice(3, Text("3번", "3 turns")),
        ),
        3,
    ),
    Option(
        "islandFee",
        Text("무인도 탈출비", "Island fee"),
        Text(
            "이 돈을 내면 무인도에서 바로 나갈 수 있어요.",
            "Pay this to leave the island at once.",
        ),
        (Choice(0, Text("불가", "Not possible")), _amount(10), _amount(20)),
        0,
    ),
    _switch(
        "takeover",
        Text("인수", "Takeover"),
        Text(
            "남의 도시에서 통행료를 낸 뒤 들인 돈의 2배로 그 도시를 가져올 수 있어요.",
            "After paying the toll a city may be taken over for twice what it cost.",
        ),
    ),
    _switch(
        "landmark",
        Text("랜드마크", "Landmark"),
        Text(
            "호텔 다음에 랜드마크를 지을 수 있어요. 인수할 수 없고 통행료가 가장 비싸요.",
            "A landmark may follow the hotel: the highest toll, and no takeover.",
        ),
    ),
    _switch(
        "monopolyWin",
        Text("독점 승리", "Monopoly win"),
        Text(
            "도시 그룹 3개, 한 줄의 도시 6곳, 관광지 4곳 중 하나를 다 모으면 바로 이겨요.",
            "Three whole city groups, the six cities of one side, or all four tourist sites "
            "win at once.",
        ),
    ),
    _switch(
        "trade",
        Text("교환", "Trade"),
        Text(
            "내 차례에 굴리기 전에 땅과 돈을 바꾸자고 제안할 수 있어요.",
            "Before rolling, a player may offer to swap lands and cash.",
        ),
    ),
    Option(
        "turnSeconds",
        Text("제한 시간", "Time limit"),
        Text("결정 한 번에 주어지는 시간이에요.", "Time for each decision."),
        (
            Choice(15, Text("15초", "15 seconds")),
            Choice(30, Text("30초", "30 seconds")),
            Choice(60, Text("60초", "60 seconds")),
            Choice(None, Text("없음", "None")),
        ),
        30,
    ),
)


def options(given: Mapping[str, object]) -> Options:
    """The options object of a room's choices; raises `BadOption` (§2, R03)."""
    return read_options(Options, OPTION_SPECS, given)
