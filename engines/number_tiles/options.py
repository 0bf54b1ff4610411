"""The ten options of a match (§2, §7)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from engines.options import Choice, Option, read_options
from engines.texts import Text

SEATS: Final = "seats"
"""`gamesPerMatch`: as many games as the match has seats when it starts (O-02)."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the host chose; fixed for the whole match (O-01, O-06)."""

    initial_meld_points: Annotated[
        int, "Least points of the first registration: 0 (none), 20, 30 or 50."
    ] = 30
    turn_seconds: Annotated[int, "Time for one turn in seconds: 60, 90, 120 or 180."] = 60
    timeout_valid_draft: Annotated[
        Literal["commit", "revert"],
        "A valid draft at the time-out: `commit` lays it, `revert` drops it and draws one tile.",
    ] = "commit"
    invalid_timeout_penalty: Annotated[
        int, "Tiles drawn for an invalid draft at the time-out: 1 or 3."
    ] = 3
    invalid_commit_penalty: Annotated[
        Literal["reject", "penalty3"],
        "An invalid commit: `reject` refuses it, `penalty3` draws three tiles and ends the turn.",
    ] = "reject"
    joker_penalty: Annotated[int, "Points of a joker left in a rack: 30 or 50."] = 30
    initial_meld_allow_extend: Annotated[
        bool, "True if the registering turn may also rearrange the table."
    ] = False
    show_draft_to_others: Annotated[
        bool, "True if everyone sees a draft while it is made; tiles once seen stay seen."
    ] = False
    games_per_match: Annotated[
        int | Literal["seats"], "Games of the match: 1 to 4, or `seats` for one per player."
    ] = 1
    hints: Annotated[bool, "True if the player in turn is shown sets to lay."] = True


def games_of(options: Options, seats: int) -> int:
    """How many games the match has (O-02)."""
    return seats if options.games_per_match == SEATS else int(options.games_per_match)


_ON_OFF: Final = (Choice(True, Text("켬", "On")), Choice(False, Text("끔", "Off")))


def _points(*values: int) -> tuple[Choice, ...]:
    return tuple(Choice(n, Text(f"{n}점", f"{n} points")) for n in values)


OPTION_SPECS: Final = (
    Option(
        "initialMeldPoints",
        Text("첫 등록 점수", "First registration"),
        Text(
            "첫 등록에 필요한 최소 점수. 0점이어도 첫 차례에는 내 타일만으로 새 조합을 내야 해요.",
            "Least points of the first registration. Even with none it takes a new set of "
            "one's own tiles.",
        ),
        (Choice(0, Text("없음", "None")), *_points(20, 30, 50)),
        30,
    ),
    Option(
        "turnSeconds",
        Text("턴 제한 시간", "Turn time"),
        Text("한 차례에 쓸 수 있는 시간.", "How long a turn may take."),
        tuple(Choice(n, Text(f"{n}초", f"{n} seconds")) for n in (60, 90, 120, 180)),
        60,
    ),
    Option(
        "timeoutValidDraft",
        Text("시간 초과 때 유효한 초안", "Valid draft at time-out"),
        Text(
            "시간이 다 됐을 때 초안이 유효하면 어떻게 할지.",
            "What happens to a valid draft when the time is up.",
        ),
        (
            Choice("commit", Text("자동 확정", "Commit it")),
            Choice("revert", Text("되돌리고 1장 뽑기", "Take it back and draw one tile")),
        ),
        "commit",
    ),
    Option(
        "invalidTimeoutPenalty",
        Text("시간 초과 벌칙", "Time-out penalty"),
        Text(
            "시간이 다 됐을 때 초안이 무효하면 뽑는 타일 수.",
            "Tiles drawn for an invalid draft when the time is up.",
        ),
        (
            Choice(1, Text("1장", "1 tile")),
            Choice(3, Text("3장", "3 tiles")),
        ),
        3,
    ),
    Option(
        "invalidCommitPenalty",
        Text("무효한 완료", "Invalid commit"),
        Text(
            "무효한 초안으로 완료를 눌렀을 때.",
            "What a commit of an invalid draft leads to.",
        ),
        (
            Choice("reject", Text("거부만 하고 계속 수정", "Refused; the turn goes on")),
            Choice(
                "penalty3",
                Text("되돌리고 3장 뽑고 턴 종료", "Taken back, three tiles drawn, turn over"),
            ),
        ),
        "reject",
    ),
    Option(
        "jokerPenalty",
        Text("조커 감점", "Joker in the rack"),
        Text(
            "게임이 끝날 때 받침대에 남은 조커의 점수.",
            "Points of a joker left in a rack at the end.",
        ),
        _points(30, 50),
        30,
    ),
    Option(
        "initialMeldAllowExtend",
        Text("첫 등록 턴 추가 재배치", "Rearranging while registering"),
        Text(
            "첫 등록 점수를 새 조합으로 채우면 같은 차례에 테이블에 붙이기와 재배치도 허용.",
            "With enough points in new sets, the registering turn may also rearrange the table.",
        ),
        _ON_OFF,
        False,
    ),
    Option(
        "showDraftToOthers",
        Text("초안 공개", "Show drafts"),
        Text(
            "고민 중인 초안을 모두에게 실시간으로 보여요. 되돌려도 이미 본 타일은 기억에 남아요.",
            "Everyone sees a draft while it is made. Tiles once seen stay seen, even if the "
            "player takes them back.",
        ),
        _ON_OFF,
        False,
    ),
    Option(
        "gamesPerMatch",
        Text("판 수", "Games"),
        Text("한 매치의 판 수.", "How many games a match has."),
        (
            Choice(1, Text("1판", "1 game")),
            Choice(SEATS, Text("인원수만큼", "One per player")),
            *(Choice(n, Text(f"{n}판", f"{n} games")) for n in (2, 3, 4)),
        ),
        1,
    ),
    Option(
        "hints",
        Text("힌트", "Hints"),
        Text("낼 수 있는 조합 찾기 버튼.", "A button that finds sets to lay."),
        _ON_OFF,
        True,
    ),
)


def options(given: Mapping[str, object]) -> Options:
    """Check a mapping of option keys (O-01); raises `BadOption`."""
    return read_options(Options, OPTION_SPECS, given)
