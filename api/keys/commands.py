"""API keys on the command line: make one, list them, revoke one."""

import argparse
import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

from api.config import Config, StartError
from api.db import Database
from api.keys import service
from api.keys.scopes import Scope
from api.matches.live import to_datetime

MAX_DAYS = 36500

Run = Callable[[Callable[[Config], int]], int]
"""Runs a command with the settings, on a database that is there and up to date."""


def add_parsers(parser: argparse.ArgumentParser, run: Run) -> None:
    """Let a parser understand `create`, `list` and `revoke`."""
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("create", help="make a key and print it, this once")
    command.add_argument("--name", type=_name, required=True, help="whose it is, for the list")
    command.add_argument(
        "--scope",
        type=Scope,
        choices=list(Scope),
        action="append",
        required=True,
        help="what it is good for; may be given more than once",
    )
    command.add_argument("--days", type=_days, help="how long it is good; unset: until revoked")
    command.set_defaults(command=lambda given: run(lambda config: _create(config, given)))
    command = commands.add_parser("list", help="list all keys, ended ones too")
    command.set_defaults(command=lambda _: run(_list))
    command = commands.add_parser("revoke", help="end a key for good")
    command.add_argument("id", type=UUID, help="the key's id, as the list shows it")
    command.set_defaults(command=lambda given: run(lambda config: _revoke(config, given.id)))


def _create(config: Config, given: argparse.Namespace) -> int:
    life = None if given.days is None else timedelta(days=given.days)

    async def work() -> None:
        async with Database(config) as database:
            key, text = await service.create(database, given.name, given.scope, life)
        print(f"{text}\n\nid {key.id}, {_until(key.expires_at)}; the key is not shown again")

    asyncio.run(work())
    return 0


def _list(config: Config) -> int:
    async def work() -> None:
        async with Database(config) as database:
            keys = await service.all_keys(database)
            now = to_datetime(database.now())
        for key in keys:
            used = "never used" if key.last_used_at is None else f"used {_date(key.last_used_at)}"
            state, scopes = service.state_of(key, now), ",".join(key.scopes)
            print(f"{key.id}  {state:<7}  {scopes}  {_until(key.expires_at)}  {used}  {key.name}")

    asyncio.run(work())
    return 0


def _revoke(config: Config, id_: UUID) -> int:
    async def work() -> bool:
        async with Database(config) as database:
            return await service.revoke(database, id_)

    if not asyncio.run(work()):
        raise StartError(f"there is no key {id_}")
    print(f"{id_} is revoked")
    return 0


def _name(raw: str) -> str:
    if not raw.isprintable() or not raw.strip():
        raise argparse.ArgumentTypeError("must be a line of text")
    return raw.strip()


def _days(raw: str) -> int:
    if not (raw.isascii() and raw.isdigit() and 1 <= int(raw) <= MAX_DAYS):
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 to {MAX_DAYS}")
    return int(raw)


def _until(at: datetime | None) -> str:
    return "never expires" if at is None else f"expires {_date(at)}"


def _date(at: datetime) -> str:
    return at.isoformat(timespec="seconds")
