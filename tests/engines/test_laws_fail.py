"""Each law is broken on purpose: a law that cannot fail says nothing.

The faults are planted in the coin race, one at a time; the law must object to the faulty engine
and not to the sound one.
"""

from collections.abc import Callable
from typing import Any

import pytest

from engines.protocol import Engine
from tests.engines.coin_race.adapter import ADAPTER
from tests.engines.laws import endings, purity, secrecy, shape, steps
from tests.engines.laws.matches import sample
from tests.engines.planted_faults import FAULTS
from tests.extra_games.engines.coin_race import ENGINE

ENOUGH_STEPS = 500


def judge(law: Callable[..., None], engine: Engine[Any]) -> None:
    """Hold an engine to one law, by matches of its own where the law looks at matches."""
    if law.__module__ == shape.__name__:
        law(engine)
    else:
        law(engine, ADAPTER, sample(engine, ADAPTER, ENOUGH_STEPS))


@pytest.mark.parametrize(("law", "faulty"), FAULTS, ids=lambda x: getattr(x, "__name__", "fault"))
def test_the_law_objects(law: Callable[..., None], faulty: Engine[Any]) -> None:
    judge(law, ENGINE)
    with pytest.raises(AssertionError):
        judge(law, faulty)


IMPURE = {
    "import random": "imports random",
    "from time import time": "imports time",
    "from sqlalchemy import select": "imports sqlalchemy",
    "from api.errors import fault": "imports api.errors",
    "from engines.other_game import ENGINE": "imports engines.other_game",
    "from . import state": "imports .",
    "async def apply(): pass": "is asynchronous",
    "def f():\n    global moves": "keeps a variable outside its function",
    "toll = price / 2": "divides to a float",
    "toll = price * 0.6": "holds the float 0.6",
    "toll = round(price)": "calls round",
    "for seat in {1, 2}: pass": "iterates over a set",
    "seats = [s for s in set(owners)]": "iterates over a set",
    "open('log')": "calls open",
}


@pytest.mark.parametrize("source", IMPURE)
def test_impure_source_is_found(source: str) -> None:
    assert list(purity.faults(source, "engines.this_game")) == [IMPURE[source]]


def test_pure_source_passes() -> None:
    source = (
        "from engines.this_game.state import State\nfrom engines.rng import Stream\nx = 7 // 2\n"
    )
    assert list(purity.faults(source, "engines.this_game")) == []


def test_every_law_is_shown_to_fail() -> None:
    laws = {
        law
        for module in (steps, endings, secrecy, shape)
        for name, law in vars(module).items()
        if name.startswith("law_")
    }
    assert {law for law, _ in FAULTS} == laws
