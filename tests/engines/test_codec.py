"""The JSON of states, actions and events, byte for byte, and back."""

import msgspec
import pytest

from engines import codec
from engines.protocol import (
    Away,
    Back,
    DeadlineShifted,
    Leave,
    LeaveCause,
    ShiftDeadline,
    TimeOut,
)
from tests.extra_games.engines.coin_race import ENGINE
from tests.extra_games.engines.coin_race.actions import Choose, Flip
from tests.extra_games.engines.coin_race.events import CardPlayed, GameOver, TurnStarted
from tests.extra_games.engines.coin_race.options import CoinRaceOptions
from tests.extra_games.engines.coin_race.reasons import EndReason
from tests.extra_games.engines.coin_race.results import CoinRacePlacing, CoinRaceResult

RESULT = CoinRaceResult(
    EndReason.GOAL, (CoinRacePlacing(1, 1, 5), CoinRacePlacing(2, 0, 3)), winners=(1,)
)
RESULT_JSON = (
    '{"reason":"goal","ranking":[{"rank":1,"seat":1,"field":5},{"rank":2,"seat":0,"field":3}],'
    '"winners":[1]}'
)


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Flip(), '{"type":"Flip"}'),
        (Choose(4), '{"type":"Choose","card":4}'),
        (Choose(None), '{"type":"Choose","card":null}'),
        (TimeOut(), '{"type":"TimeOut"}'),
        (Leave(2, LeaveCause.KICKED), '{"type":"Leave","seat":2,"cause":"kicked"}'),
        (Away(0), '{"type":"Away","seat":0}'),
        (Back(0), '{"type":"Back","seat":0}'),
        (ShiftDeadline(700), '{"type":"ShiftDeadline","by":700}'),
    ],
)
def test_actions_carry_their_class_name(action: object, text: str) -> None:
    assert codec.encode_action(action).decode() == text
    assert codec.decode_action(ENGINE, text) == action


def test_events_are_a_list_and_may_be_none() -> None:
    events = (CardPlayed(1, 8, 2), TurnStarted(0, 3), DeadlineShifted(700))
    text = (
        '[{"type":"CardPlayed","seat":1,"value":8,"steps":2},'
        '{"type":"TurnStarted","seat":0,"round":3},{"type":"DeadlineShifted","milliseconds":700}]'
    )
    assert codec.encode_events(events).decode() == text
    assert codec.decode_events(ENGINE, text) == events
    assert codec.decode_events(ENGINE, codec.encode_events(())) == ()


def test_a_result_inside_an_event_comes_back_whole() -> None:
    text = f'[{{"type":"GameOver","result":{RESULT_JSON}}}]'
    assert codec.encode_events([GameOver(RESULT)]).decode() == text
    assert codec.decode_events(ENGINE, text) == (GameOver(RESULT),)


def test_results_and_options_are_plain_objects() -> None:
    assert codec.encode_result(RESULT).decode() == RESULT_JSON
    assert codec.decode_result(ENGINE, RESULT_JSON) == RESULT
    options = CoinRaceOptions(goal=10, turn_seconds=None)
    assert codec.encode_options(options) == b'{"goal":10,"turn_seconds":null}'
    assert codec.decode_options(ENGINE, b'{"goal":10,"turn_seconds":null}') == options


def test_a_state_comes_back_equal_seed_included() -> None:
    state = ENGINE.setup(ENGINE.options({}), 3, bytes(range(32)), 5).state
    data = codec.encode_state(state)
    assert codec.decode_state(ENGINE, data) == state
    assert codec.decode_state(ENGINE, data.decode()) == state
    assert msgspec.json.decode(data)["rng"] == {
        "seed": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        "taken": 8,
    }


def test_foreign_data_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        codec.decode_state(ENGINE, b'{"rng":null}')
    with pytest.raises(msgspec.ValidationError):
        codec.decode_action(ENGINE, b'{"type":"Choose","card":"4"}')
    with pytest.raises(KeyError, match="Fly"):
        codec.decode_action(ENGINE, b'{"type":"Fly"}')
    with pytest.raises(KeyError, match="Flip"):
        codec.decode_events(ENGINE, b'[{"type":"Flip"}]')
