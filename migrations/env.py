"""What Alembic runs: all migrations in one transaction, one process at a time."""

import asyncio
import logging
import os
from importlib import import_module
from pathlib import Path
from typing import Any

import asyncpg
from alembic import context
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool
from sqlmodel import SQLModel
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

import api
from api.config import Config

log = logging.getLogger("migrations")

LOCK = 0x626F617264  # "board"


def load_models() -> None:
    """Declare every table of the API."""
    for path in sorted(Path(api.__path__[0]).glob("*/models.py")):
        import_module(f"api.{path.parent.name}.models")


def render_item(kind: str, item: Any, _: object) -> str | bool:
    """Spell column types without SQLModel, on which old migrations must not depend."""
    if kind == "type" and isinstance(item, AutoString):
        return f"sa.String(length={item.length})" if item.length else "sa.String()"
    if kind == "type" and isinstance(item, UTCDateTime):
        return "sa.DateTime(timezone=True)"
    return False


def report(*, step: Any, **_: object) -> None:
    """Say which migration has just run."""
    direction = "up" if step.is_upgrade else "down"
    log.info("%s %s: %s", direction, step.up_revision_id, step.up_revision.doc)


def migrate(connection: Connection) -> None:
    """Run what was asked for on this connection."""
    context.configure(
        connection=connection,
        target_metadata=SQLModel.metadata,
        compare_server_default=True,
        render_item=render_item,
        on_version_apply=report,
    )
    with context.begin_transaction():
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
        context.run_migrations()


async def run(url: str) -> None:
    """Connect as the server does: asyncpg reads the address."""
    engine = create_async_engine(
        "postgresql+asyncpg://",
        async_creator=lambda *_, **kwargs: asyncpg.connect(url, **kwargs),
        poolclass=NullPool,
    )
    async with engine.connect() as connection:
        await connection.run_sync(migrate)
    await engine.dispose()


load_models()
target = context.config.attributes.get("url") or Config.from_env(os.environ).database_url
if target is None:
    raise SystemExit("set DATABASE_URL, or use `python -m api migrate`")
asyncio.run(run(target))
