"""Log lines are whole, whatever a record holds."""

import json
import logging

from api.logs import JsonFormatter, TextFormatter


def record(message: str, *args: object, **extra: object) -> logging.LogRecord:
    made = logging.getLogger("api.x").makeRecord(
        "api.x", logging.WARNING, "x.py", 1, message, args, None, extra=extra
    )
    made.created = 1_700_000_000.5
    return made


def test_json_keeps_extras_and_newlines_inside_one_line():
    line = JsonFormatter().format(record("lost\n%s", "wake-up", match=7, odd={1}))
    assert "\n" not in line
    assert json.loads(line) == {
        "time": "2023-11-14T22:13:20.500Z",
        "level": "warning",
        "logger": "api.x",
        "message": "lost\nwake-up",
        "match": 7,
        "odd": [1],
    }


def test_json_carries_the_traceback():
    failed = record("failed")
    try:
        raise KeyError("seat")
    except KeyError as error:
        failed.exc_info = (KeyError, error, error.__traceback__)
    assert json.loads(JsonFormatter().format(failed))["exception"].endswith("KeyError: 'seat'")


def test_text_is_readable():
    assert TextFormatter().format(record("lost %s", "wake-up", match=7)) == (
        "2023-11-14T22:13:20.500Z WARNING api.x: lost wake-up match=7"
    )
