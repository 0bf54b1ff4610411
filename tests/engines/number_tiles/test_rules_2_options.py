"""§2: the ten options."""

import pytest

from engines.number_tiles import ENGINE
from engines.number_tiles.options import Options
from engines.options import BadOption
from tests.engines.number_tiles.table import NOW, table

SEED = bytes(32)

DOCUMENT = {
    "initialMeldPoints": ((0, 20, 30, 50), 30),
    "turnSeconds": ((60, 90, 120, 180), 60),
    "timeoutValidDraft": (("commit", "revert"), "commit"),
    "invalidTimeoutPenalty": ((1, 3), 3),
    "invalidCommitPenalty": (("reject", "penalty3"), "reject"),
    "jokerPenalty": ((30, 50), 30),
    "initialMeldAllowExtend": ((True, False), False),
    "showDraftToOthers": ((True, False), False),
    "gamesPerMatch": ((1, "seats", 2, 3, 4), 1),
    "hints": ((True, False), True),
}


def test_2_choices_and_defaults_are_those_of_the_table() -> None:
    """§2: keys, choices and defaults in the order of the document."""
    specs = ENGINE.option_specs
    assert {s.key: (tuple(c.value for c in s.choices), s.default) for s in specs} == DOCUMENT
    assert [s.key for s in specs] == list(DOCUMENT)
    assert ENGINE.options({}) == Options()


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"initialMeldPoints": 31}, "initialMeldPoints"),
        ({"initialMeldPoints": "30"}, "initialMeldPoints"),
        ({"initialMeldPoints": 30.0}, "initialMeldPoints"),
        ({"initialMeldAllowExtend": 1}, "initialMeldAllowExtend"),
        ({"initialMeldAllowExtend": "on"}, "initialMeldAllowExtend"),
        ({"gamesPerMatch": True}, "gamesPerMatch"),
        ({"gamesPerMatch": 5}, "gamesPerMatch"),
        ({"turnSeconds": None}, "turnSeconds"),
        ({"turnSecond": 60}, "turnSecond"),
        ({"hints": True, "extra": 1}, "extra"),
    ],
)
def test_2_anything_else_is_refused(given: dict[str, object], key: str) -> None:
    """O-01: no unknown key, no other value, no coercion."""
    with pytest.raises(BadOption) as caught:
        ENGINE.options(given)
    assert caught.value.key == key


def test_2_missing_keys_take_the_default() -> None:
    """O-01: the rest stays as it is by default."""
    assert ENGINE.options({"turnSeconds": 90}) == Options(turn_seconds=90)


@pytest.mark.parametrize(("seats", "games"), [(2, 2), (3, 3), (4, 4)])
def test_2_one_game_per_player(seats: int, games: int) -> None:
    """O-02: "seats" is resolved once, when the match starts."""
    options = ENGINE.options({"gamesPerMatch": "seats"})
    assert ENGINE.setup(options, seats, SEED, NOW).state.games == games


def test_2_leavers_do_not_shorten_the_match() -> None:
    """O-02: later leavers do not change the number of games."""
    t = table(["K1", "K2", "K3"], games_per_match="seats")
    t.do(ENGINE.concessions[0](), seat=2)
    assert t.view().games == 3


def test_2_penalty3_is_three_whatever_the_time_out_costs() -> None:
    """O-03: invalidTimeoutPenalty does not touch it."""
    t = table(["K1 K5", "K2"], invalid_commit_penalty="penalty3", invalid_timeout_penalty=1)
    t.add("K1")
    t.do(t.commit)
    assert len(t.state.racks[0]) == 2 + 3


def test_2_hints_are_carried_for_the_client() -> None:
    """O-04: off takes the hint away and nothing else."""
    racks = ["K5 K6 K7", "K1"]
    assert table(racks).view(0).hint.points == 18
    without = table(racks, hints=False)
    assert without.view(0).hint is None
    without.add("K5 K6 K7")
    without.do(without.commit)
    assert without.state.outcomes[0].winners == (0,)


@pytest.mark.parametrize(("penalty", "value"), [(30, 30), (50, 50)])
def test_2_the_joker_penalty_holds_for_both_ends(penalty: int, value: int) -> None:
    """O-05: an emptied rack and a stalemate count a joker alike."""
    won = table(["K5 K6 K7", "JK1"], joker_penalty=penalty)
    won.add("K5 K6 K7")
    won.do(won.commit)
    stale = table(["K1", "JK1"], pool="", joker_penalty=penalty)
    stale.do(stale.pass_)
    stale.do(stale.pass_)
    for t in (won, stale):
        assert t.state.outcomes[0].ranking[1].rack_value == value
    assert stale.state.outcomes[0].ranking[1].score == 1 - value


def test_2_options_never_change() -> None:
    """O-06, O-01: no action takes options, so what is shown of drafts is fixed per match."""
    fields = {
        name for cls in (*ENGINE.actions, *ENGINE.host_actions) for name in cls.__dataclass_fields__
    }
    assert fields == {"turn", "sets", "rev"}


@pytest.mark.parametrize("seats", [1, 5, 0, -1, True, "2", 2.0])
def test_2_two_to_four_play(seats: object) -> None:
    """T-03: other numbers are refused at creation; seats are indexes, so nobody sits twice."""
    with pytest.raises(ValueError, match="number_tiles is played by 2 to 4"):
        ENGINE.setup(ENGINE.options({}), seats, SEED, NOW)


def test_2_revert_is_not_called_official() -> None:
    """F-01: one tile for a valid draft is a house rule."""
    (spec,) = (s for s in ENGINE.option_specs if s.key == "timeoutValidDraft")
    texts = [spec.description, *(choice.label for choice in spec.choices)]
    assert not any("공식" in text.ko or "official" in text.en.lower() for text in texts)
