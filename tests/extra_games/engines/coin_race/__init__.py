"""A race by coin and hidden cards: the contents page of a game made for the tests."""

from typing import Final

from engines.options import read_options
from engines.protocol import About, Difficulty, Engine, Guide
from engines.texts import Text
from tests.extra_games.engines.coin_race import actions, events, timeouts, views
from tests.extra_games.engines.coin_race.options import OPTIONS, CoinRaceOptions
from tests.extra_games.engines.coin_race.play import apply, setup
from tests.extra_games.engines.coin_race.reasons import Reason
from tests.extra_games.engines.coin_race.results import CoinRaceResult, result, summary
from tests.extra_games.engines.coin_race.state import State

ENGINE: Final[Engine[State]] = Engine(
    id="coin_race",
    rules_version=1,
    about=About(
        name=Text("동전 경주", "Coin race"),
        summary=Text(
            "동전을 던지고 카드를 내며 먼저 도착하세요.", "Flip coins and play cards to be first."
        ),
        seats=(2, 3),
        minutes=(1, 2),
        difficulty=Difficulty.EASY,
        guides=(
            Guide(
                "turn",
                Text("차례", "A turn"),
                Text("동전을 던지거나 카드를 내요.", "Flip the coin or play a card."),
            ),
        ),
        unsupported=(Text("팀전", "Teams"),),
        notice=Text("점수는 끝나면 사라져요.", "Points end with the match."),
    ),
    option_specs=OPTIONS,
    options_type=CoinRaceOptions,
    state_type=State,
    view_type=views.CoinRaceView,
    result_type=CoinRaceResult,
    actions=actions.ACTIONS,
    events=events.EVENTS,
    reasons=Reason,
    options=lambda given: read_options(CoinRaceOptions, OPTIONS, given),
    setup=setup,
    apply=apply,
    on_timeout=timeouts.on_timeout,
    view=views.view,
    redact=events.redact,
    redact_action=actions.redact_action,
    deadline=timeouts.deadline,
    result=result,
    summary=summary,
)
