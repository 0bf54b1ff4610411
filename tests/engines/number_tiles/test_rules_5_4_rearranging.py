"""§5.4 and §5.5: rearranging the table, jokers included."""

import pytest

from engines.number_tiles import ENGINE
from engines.number_tiles.events import SetsCommitted
from engines.number_tiles.reasons import Refusal
from tests.engines.number_tiles.table import ids, table


@pytest.mark.parametrize(
    ("rack", "before", "after"),
    [
        ("B3", ["B4 B5 B6"], ["B3 B4 B5 B6"]),
        ("O8", ["K8 R8 B8"], ["K8 R8 B8 O8"]),
        ("B3 B5 B6", ["K4 R4 B4 O4"], ["K4 R4 O4", "B3 B4 B5 B6"]),
        ("R6b", ["R4 R5 R6 R7 R8"], ["R4 R5 R6", "R6b R7 R8"]),
    ],
)
def test_5_4_the_four_examples(rack: str, before: list[str], after: list[str]) -> None:
    """§5.4, §10 재배치: the examples of the rule book."""
    t = table([rack + " K13", "K1"], before)
    t.draft(*after)
    t.do(t.commit)
    assert t.table_text == after
    assert t.told(SetsCommitted)[0].laid == ids(rack)
    assert t.rack(0) == "K13"


def test_5_4_nothing_may_be_left_over() -> None:
    """§5.4: every tile of the table is in a valid set at the end."""
    t = table(["R9 K13", "K1"], ["R4 R5 R6 R7 R8"])
    t.draft("R4 R5 R6 R7", "R8 R9")
    t.refuses(t.commit, Refusal.INVALID_SET, sets=(1,))


def test_5_4_table_tiles_never_go_to_the_rack() -> None:
    """§5.4, §8.2 C2: with the message of the document."""
    t = table(["B7 K13", "K1"], ["B3 B4 B5 B6"])
    refused = t.refuses(t.sets("B4 B5 B6 B7"), Refusal.TABLE_TILE_MISSING)
    assert refused.text.ko == "테이블의 타일은 내 받침대로 가져올 수 없어요"
    assert refused.rule == "8.2 C2"


def test_5_4_rearranging_alone_is_not_a_turn() -> None:
    """§10 랙 타일 없이: with the message of the document."""
    t = table(["K13", "K1"], ["R4 R5 R6 R7 R8 R9"])
    t.draft("R4 R5 R6", "R7 R8 R9")
    refused = t.refuses(t.commit, Refusal.NO_RACK_TILE)
    assert refused.text.ko == "랙에서 타일을 1개 이상 내야 해요"


def test_5_5_a_joker_is_replaced_and_used_again() -> None:
    """§10 조커 회수: blue 6 for the joker, which helps two threes."""
    t = table(["B6 K3 R3 K13", "K1"], ["B5 JK1 B7"])
    t.draft("B5 B6 B7", "K3 R3 JK1")
    t.do(t.commit)
    assert t.table_text == ["B5 B6 B7", "K3 R3 JK1"]
    assert t.rack(0) == "K13"


def test_5_5_a_joker_never_goes_to_the_rack() -> None:
    """§10 조커 회수: a draft without it fails C2."""
    t = table(["B6 K3 R3 K13", "K1"], ["B5 JK1 B7"])
    t.refuses(t.sets("B5 B6 B7", "K3 R3"), Refusal.TABLE_TILE_MISSING)


@pytest.mark.parametrize("color", ["B", "O"])
def test_5_5_a_joker_group_takes_any_missing_colour(color: str) -> None:
    """§5.5: in a group of three the joker is either of the two missing colours."""
    t = table([f"{color}9 K3 R3 K13", "K1"], ["K9 R9 JK1"])
    t.draft(f"K9 R9 {color}9", "K3 R3 JK1")
    t.do(t.commit)
    assert t.table_text[1] == "K3 R3 JK1"


@pytest.mark.parametrize(
    ("rack", "before", "after"),
    [
        ("O5 O6", ["K3 K4 K5 JK1"], ["K3 K4 K5", "O5 O6 JK1"]),
        ("R9", ["JK1 R7 R8", "K5 K6 K7"], ["R7 R8 R9", "K5 K6 K7 JK1"]),
        ("K7", ["K5 K6 JK1", "R6 B6 O6"], ["K6 R6 B6 O6", "K5 JK1 K7"]),
        ("K10", ["JK1 K8 K9"], ["K8 K9 K10 JK1"]),
    ],
)
def test_5_5_a_joker_is_a_tile_like_any_other(
    rack: str, before: list[str], after: list[str]
) -> None:
    """J-01: from the end of a run, to an old set, left over by its neighbours, with a new value."""
    t = table([rack + " O13", "O1"], before)
    t.draft(*after)
    t.do(t.commit)
    assert t.table_text == after
    assert t.rack(0) == "O13"


def test_5_5_no_extra_check_is_made() -> None:
    """J-03, F-02: the joker need not be replaced by what it stood for; one tile must be laid."""
    t = table(["O6 O13", "O1"], ["K3 K4 K5 JK1", "O7 O8 O9"])
    t.draft("K3 K4 K5", "O6 O7 O8 O9 JK1")
    t.do(t.commit)
    assert t.table_text == ["K3 K4 K5", "O6 O7 O8 O9 JK1"]


def test_5_5_there_is_no_strict_variant() -> None:
    """J-04: neither implemented nor an option; listed as unsupported."""
    jokers = [spec.key for spec in ENGINE.option_specs if "joker" in spec.key.lower()]
    assert jokers == ["jokerPenalty"]
    assert [text.ko for text in ENGINE.about.unsupported] == [
        "13 다음에 1을 이어 붙이기",
        "첫 등록 전에 조커 회수하기",
        "타일 160개로 하는 5~6인 확장",
        "회수한 조커를 새 조합에만 쓰는 엄격한 규칙",
    ]
