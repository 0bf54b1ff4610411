"""The laws of `tests/engines/laws`, over every engine found."""

import pytest

from engines.registry import discover
from tests.engines.laws import endings, purity, secrecy, shape, steps
from tests.engines.laws.adapter import adapter_of
from tests.engines.laws.matches import HOMES, sample_of

ENGINES = discover(HOMES)


def laws_in(*modules: object) -> list[object]:
    return [
        law for module in modules for name, law in vars(module).items() if name.startswith("law_")
    ]


LAWS_OF_PLAY = laws_in(steps, endings, secrecy)
LAWS_OF_SHAPE = [*laws_in(shape), purity.law_sources_are_pure]


@pytest.mark.parametrize("game", ENGINES)
@pytest.mark.parametrize("law", LAWS_OF_PLAY, ids=lambda law: law.__name__)
def test_play(law, game: str) -> None:
    engine = ENGINES[game]
    law(engine, adapter_of(engine), sample_of(game))


@pytest.mark.parametrize("game", ENGINES)
@pytest.mark.parametrize("law", LAWS_OF_SHAPE, ids=lambda law: law.__name__)
def test_shape(law, game: str) -> None:
    law(ENGINES[game])


def test_the_contract_is_pure() -> None:
    purity.law_the_shared_sources_are_pure()
