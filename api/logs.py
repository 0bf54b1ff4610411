"""Log records as single lines, as text or as JSON, with the ids of the work they belong to."""

import logging
import sys
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

import msgspec

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_QUIET = ("alembic", "asyncio", "sqlalchemy", "uvicorn")
_ids: ContextVar[Mapping[str, str]] = ContextVar("ids", default=MappingProxyType({}))


def about(**ids: object) -> None:
    """Add these ids to every record of the present task from now on, and of those it starts."""
    _ids.set({**_ids.get(), **{name: str(id_) for name, id_ in ids.items()}})


def configure(level: str, style: str) -> None:
    """Write records from `level` on to stderr; `style` is "text" or "json"."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if style == "json" else TextFormatter())
    handler.addFilter(add_ids)
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for name in _QUIET:
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLogger().level))
    logging.getLogger("uvicorn.error").addFilter(_is_no_fault_of_a_client)
    logging.getLogger("asyncpg.pool").addFilter(_in_a_line)


class JsonFormatter(logging.Formatter):
    """One JSON object a line: time, level, logger, message, the extras, and the traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line."""
        line = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_extras(record),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode()


class TextFormatter(logging.Formatter):
    """`time LEVEL logger: message key=value`, and the traceback below."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line."""
        extras = "".join(f" {key}={value}" for key, value in _extras(record).items())
        message = record.getMessage().replace("\n", "\n  ")
        line = f"{_time(record)} {record.levelname:<7} {record.name}: {message}{extras}"
        if record.exc_info:
            line += "\n" + self.formatException(record.exc_info)
        return line


def add_ids(record: logging.LogRecord) -> bool:
    """Give a record the ids of its task, unless it has its own."""
    for name, id_ in _ids.get().items():
        record.__dict__.setdefault(name, id_)
    return True


_FAULTS_OF_CLIENTS = (
    "Invalid UTF-8 sequence received from client.",  # closed with 1007
    "ASGI callable returned without completing response.",  # a stream whose client takes nothing
)
_ENDED_LATE = "Cancel %s running task(s), timeout graceful shutdown exceeded"


def _is_no_fault_of_a_client(record: logging.LogRecord) -> bool:
    """uvicorn calls some of what clients do errors."""
    if record.msg == _ENDED_LATE:
        record.levelno, record.levelname = logging.WARNING, "WARNING"
    return record.msg not in _FAULTS_OF_CLIENTS


def _in_a_line(record: logging.LogRecord) -> bool:
    """A database that is away is no bug: the exception is told, but not where it was raised."""
    if record.exc_info and record.exc_info[1]:
        record.msg, record.args = f"{record.getMessage()}: {record.exc_info[1]!r}", ()
        record.exc_info = None
    return True


def _time(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _extras(record: logging.LogRecord) -> dict[str, Any]:
    return {key: value for key, value in vars(record).items() if key not in _STANDARD}
