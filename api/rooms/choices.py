"""What a host chooses, checked against what the game offers."""

from collections.abc import Iterable, Mapping
from typing import Any

from api.refusals import Refused
from api.rooms.reasons import RoomReason
from engines.options import BadOption, Value, write_options
from engines.protocol import Engine


def read_choices(engine: Engine[Any], given: Mapping[str, object]) -> dict[str, Value]:
    """All options of a game, checked. Raises BAD_OPTION with the key in its path."""
    try:
        return write_options(engine.option_specs, engine.options(given))
    except BadOption as bad:
        raise Refused(RoomReason.BAD_OPTION, path=("options", bad.key)) from None


def check_seats(engine: Engine[Any], seats: int) -> None:
    least, most = engine.about.seats
    if not least <= seats <= most:
        raise Refused(RoomReason.BAD_SEATS, path=("seats",), min=least, max=most)


def read_pairs(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    """Chosen options by key. Raises BAD_OPTION for a key given twice."""
    chosen: dict[str, object] = {}
    for key, value in pairs:
        if key in chosen:
            raise Refused(RoomReason.BAD_OPTION, path=("options", key))
        chosen[key] = value
    return chosen
