"""The commands on single matches: replay one in the terminal, export one, verify an export."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

from msgspec import json

from api import schema
from api.bus import Hub, carrier
from api.config import Config, StartError
from api.db import Database
from api.games.registry import discover
from api.games.rules import RulesUnavailable
from api.history import record
from api.history.export import record_of
from api.history.replays import Diverged, check_end, steps
from api.history.verify import Unverifiable, verify
from api.matches.live import Live, Row
from api.matches.loading import load
from api.relay import read_id
from api.services import Services
from engines import codec

NOT_CHECKED = 2
"""Exit status of a verification that could not be made."""


Run = Callable[[Callable[[Config], int]], int]
"""Runs a command with the settings, on a database that is there and up to date."""


def add_parsers(commands: Any, run: Run, settings: Callable[[], Config]) -> None:
    """Let the command line understand `replay`, `export-match` and `verify`."""
    command = commands.add_parser("replay", help="print a match step by step, secrets included")
    command.add_argument("match", help="the match's id, or its UUID")
    command.set_defaults(command=lambda given: run(lambda config: replay(config, given.match)))

    command = commands.add_parser("export-match", help="write what is public of a match as JSON")
    command.add_argument("match", help="the match's id, or its UUID")
    command.add_argument("file", nargs="?", type=Path, help="where to; unset: print it")
    command.set_defaults(
        command=lambda given: run(lambda config: export(config, given.match, given.file))
    )

    command = commands.add_parser("verify", help="check an exported match against its seed")
    command.add_argument("file", type=Path, help="a record that `export-match` wrote")
    command.set_defaults(command=lambda given: check(settings(), given.file))


def replay(config: Config, match: str) -> int:
    """Print every step of a match. Raises `StartError` unless it leads to what is stored."""
    return asyncio.run(_replay(config, match))


def export(config: Config, match: str, file: Path | None) -> int:
    """Write the export record of a match, to stdout without a file."""
    written = record.write(asyncio.run(_export(config, match)), indent=2) + b"\n"
    if file is None:
        sys.stdout.buffer.write(written)
    else:
        file.write_bytes(written)
    return 0


def check(config: Config, file: Path) -> int:
    """Say what holds of an export record: 0 if all does, 1 if not, 2 if it cannot be said."""
    try:
        found = record.read(file.read_bytes())
        engines = {id_: game.engine for id_, game in discover(config.game_packages).items()}
        checks = verify(found, engines)
    except (OSError, record.Malformed, Unverifiable) as error:
        print(f"not verified: {error}")
        return NOT_CHECKED
    for each in checks:
        print(f"{each.name:<12}{'ok' if each.fault is None else f'WRONG: {each.fault}'}")
    return 0 if all(each.fault is None for each in checks) else 1


async def _replay(config: Config, match: str) -> int:
    async with _opened(config, match) as (services, live):
        state: Any = None
        try:
            async for row, step in steps(services, live):
                print("\n".join(_lines(row)))
                state = step.state
            check_end(live, state)
        except (Diverged, RulesUnavailable) as error:
            raise StartError(str(error)) from error
    print(f"{live.version} versions lead to the state that is stored")
    return 0


async def _export(config: Config, match: str) -> record.Record:
    async with _opened(config, match) as (services, live):
        return await record_of(services, live)


def _lines(row: Row) -> Iterator[str]:
    """A log row as text: who did what, and below it what came of it."""
    who = row.actor if row.seat is None else f"{row.actor} {row.seat}"
    at = row.at.isoformat(timespec="milliseconds")
    done = "deal" if row.action is None else _text(codec.encode_action(row.action))
    yield f"{row.version:>5}  {at}  {who:<8}  {done}"
    for event in record.plain(codec.encode_events(row.events)):
        yield f"{'':>7}{_text(json.encode(event))}"


def _text(tagged: bytes) -> str:
    """An action or event as `Type field=value …`."""
    item = record.plain(tagged)
    fields = (f"{name}={json.encode(value).decode()}" for name, value in item.items())
    return " ".join((item["type"], *list(fields)[1:]))


@asynccontextmanager
async def _opened(config: Config, match: str) -> AsyncIterator[tuple[Services, Live]]:
    """A match by its global id or its UUID. Raises `StartError` if there is none."""
    match_id = read_id("Match", match) or _uuid(match)
    async with Database(config) as database:
        games = schema.bind(config.game_packages)
        services = Services(config, database, Hub(carrier(config.bus)), games)
        live = await load(services, match_id) if match_id else None
        if live is None:
            raise StartError(f"there is no match {match}")
        yield services, live


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
