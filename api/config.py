"""Settings, read from the environment here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from api.secret import load_secret

SECRET_MIN_BYTES = 32
MEMORY = "memory://"


class StartError(Exception):
    """The process cannot do its work; the message says why and what to do."""


class ConfigError(StartError):
    """A setting that cannot be used; the message names the variable and what it accepts."""


def setting(variable: str, parse: Callable[[str], Any], default: Any, text: str) -> Any:
    """A field of `Config` read from `variable` by `parse`, which raises ValueError on bad input."""
    return field(default=default, metadata={"variable": variable, "parse": parse, "text": text})


def _whole(low: int, high: int) -> Callable[[str], int]:
    def parse(raw: str) -> int:
        value = int(raw) if raw.isascii() and raw.isdigit() else low - 1
        if not low <= value <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return value

    return parse


def _positive(raw: str) -> float:
    try:
        value = float(raw)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise ValueError("a number above 0")
    return value


def _one_of(*choices: str) -> Callable[[str], str]:
    def parse(raw: str) -> str:
        if raw.lower() not in choices:
            raise ValueError(f"one of {', '.join(choices)}")
        return raw.lower()

    return parse


def _items(raw: str) -> tuple[str, ...]:
    return tuple(item for item in (part.strip() for part in raw.split(",")) if item)


def _origins(raw: str) -> tuple[str, ...]:
    origins = _items(raw)
    for origin in origins:
        parts = urlsplit(origin)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.path:
            raise ValueError("origins like https://play.example, separated by commas")
    return origins


def _networks(raw: str) -> tuple[str, ...]:
    networks = _items(raw)
    for network in networks:
        try:
            ip_network(network)
        except ValueError:
            raise ValueError("addresses or networks like 10.0.0.0/8, with commas") from None
    return networks


def _database_url(raw: str) -> str:
    """A PostgreSQL address in libpq's form; the spellings of other tools are accepted."""
    scheme, mark, rest = raw.partition("://")
    if not mark or scheme not in ("postgresql", "postgres", "postgresql+asyncpg"):
        raise ValueError("an address like postgresql://user:password@host:5432/name")
    return f"postgresql://{rest}"


def _bus_url(raw: str) -> str:
    """`postgres` for the database itself, or the address of what carries wake-ups."""
    if raw in ("postgres", MEMORY) or _is_redis(raw):
        return raw
    try:
        return _database_url(raw)
    except ValueError:
        raise ValueError(
            f"postgres, {MEMORY} or an address like redis://host:6379 or postgresql://host/name"
        ) from None


def _limits_url(raw: str) -> str:
    if raw != MEMORY and not _is_redis(raw):
        raise ValueError(f"{MEMORY} or an address like redis://host:6379")
    return raw


def _is_redis(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in ("redis", "rediss") and bool(parts.netloc)


def _secret(raw: str) -> bytes:
    secret = raw.encode()
    if len(secret) < SECRET_MIN_BYTES:
        raise ValueError(f"at least {SECRET_MIN_BYTES} bytes of chance")
    return secret


@dataclass(frozen=True, kw_only=True)
class Config:
    """All settings of one server process. Times are in seconds, sizes in bytes."""

    secret: bytes = field(repr=False)
    database_url: str | None = setting(
        "DATABASE_URL", _database_url, None, "PostgreSQL to use; unset: an embedded one"
    )
    data_dir: Path = setting(
        "BOARD_DATA_DIR", Path, Path(".data"), "where the embedded PostgreSQL and the secret live"
    )
    host: str = setting("HOST", str, "127.0.0.1", "address to listen on")
    port: int = setting("PORT", _whole(0, 65535), 8000, "port to listen on; 0: any free one")
    workers: int = setting("BOARD_WORKERS", _whole(1, 64), 1, "processes that serve")
    bus_url: str | None = setting(
        "BOARD_BUS_URL",
        _bus_url,
        None,
        f"what carries wake-ups: postgres, redis://..., {MEMORY}; unset: postgres if workers > 1",
    )
    allowed_origins: tuple[str, ...] = setting(
        "BOARD_ALLOWED_ORIGINS", _origins, (), "other web origins whose pages may use the API"
    )
    game_packages: tuple[str, ...] = setting(
        "BOARD_GAME_PACKAGES", _items, (), "more packages to look for games in"
    )
    game_time_scale: float = setting(
        "BOARD_GAME_TIME_SCALE", _positive, 1.0, "how much faster game time runs; for tests only"
    )
    abandon_seconds: int = setting(
        "BOARD_ABANDON_SECONDS",
        _whole(1, 30 * 86400),
        600,
        "after how long without any of its players a match is closed without a result",
    )
    log_level: str = setting(
        "BOARD_LOG_LEVEL", _one_of("debug", "info", "warning", "error"), "info", "least level kept"
    )
    log_format: str = setting(
        "BOARD_LOG_FORMAT", _one_of("text", "json"), "text", "one line per record, as text or JSON"
    )
    pool_size: int = setting(
        "BOARD_POOL_SIZE", _whole(2, 200), 10, "database connections of each of the two pools"
    )
    statement_timeout: float = setting(
        "BOARD_STATEMENT_TIMEOUT", _positive, 5.0, "longest time one SQL statement may take"
    )
    max_request_bytes: int = setting(
        "BOARD_MAX_REQUEST_BYTES", _whole(1024, 16 << 20), 128 << 10, "largest HTTP request body"
    )
    max_message_bytes: int = setting(
        "BOARD_MAX_MESSAGE_BYTES", _whole(1024, 16 << 20), 64 << 10, "largest WebSocket message"
    )
    sockets_per_account: int = setting(
        "BOARD_SOCKETS_PER_ACCOUNT",
        _whole(1, 10_000),
        32,
        "most sockets and streams of one account in each process",
    )
    sockets_per_address: int = setting(
        "BOARD_SOCKETS_PER_ADDRESS",
        _whole(1, 1_000_000),
        100,
        "most sockets and streams of one address that are not signed in, in each process",
    )
    arriving_sockets: int = setting(
        "BOARD_ARRIVING_SOCKETS",
        _whole(1, 1_000_000),
        1000,
        "most sockets of one address that have not said yet who they are, in each process; "
        "four times as many of all addresses",
    )
    operations_per_socket: int = setting(
        "BOARD_OPERATIONS_PER_SOCKET",
        _whole(1, 10_000),
        50,
        "most operations that run on one socket at a time",
    )
    messages_per_second: int = setting(
        "BOARD_MESSAGES_PER_SECOND",
        _whole(1, 10_000),
        30,
        "most messages a second from one socket; bursts may be five times as long",
    )
    limits_url: str | None = setting(
        "BOARD_LIMITS_URL",
        _limits_url,
        None,
        f"where budgets are counted: redis://..., {MEMORY}; unset: the bus if it is Redis",
    )
    budget: int = setting(
        "BOARD_BUDGET",
        _whole(1, 10**9),
        1_000_000,
        "values that an account or API key may ask for in a minute; see `rateLimit`",
    )
    address_budget: int = setting(
        "BOARD_ADDRESS_BUDGET",
        _whole(1, 10**9),
        200_000,
        "the same of an address, for those who are not signed in",
    )
    sign_ins_per_address: int = setting(
        "BOARD_SIGN_INS_PER_ADDRESS",
        _whole(1, 10**9),
        300,
        "new accounts that an address may make in an hour",
    )
    trusted_proxies: tuple[str, ...] = setting(
        "BOARD_TRUSTED_PROXIES",
        _networks,
        (),
        "addresses or networks of the load balancers whose X-Forwarded-For is believed",
    )
    session_seconds: int = setting(
        "BOARD_SESSION_SECONDS", _whole(1, 366 * 86400), 3600, "life of a session token"
    )
    refresh_seconds: int = setting(
        "BOARD_REFRESH_SECONDS", _whole(1, 3660 * 86400), 90 * 86400, "life of a refresh token"
    )

    def __post_init__(self) -> None:
        """Raises ConfigError for settings that do not go together."""
        if self.bus_url == MEMORY and self.workers > 1:
            raise ConfigError(f"BOARD_BUS_URL must not be {MEMORY}, which joins no processes")

    @property
    def bus(self) -> str:
        """The address of what carries wake-ups, `bus_url` resolved."""
        chosen = self.bus_url or (MEMORY if self.workers == 1 else "postgres")
        if chosen != "postgres":
            return chosen
        if self.database_url is None:
            raise ValueError("the database's address is not known yet")
        return self.database_url

    @property
    def limits(self) -> str:
        """The address of where budgets are counted, `limits_url` resolved."""
        if self.limits_url is not None:
            return self.limits_url
        return self.bus_url if self.bus_url and _is_redis(self.bus_url) else MEMORY

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Config:
        """The settings in `environ`; an empty variable counts as unset.

        Without BOARD_SECRET the secret in the data folder is used, and made at the first start.
        Raises ConfigError.
        """
        values = {
            item.name: _read(item, environ)
            for item in settings()
            if environ.get(item.metadata["variable"])
        }
        values["data_dir"] = Path(values.get("data_dir", cls.data_dir)).expanduser().resolve()
        if given := environ.get("BOARD_SECRET"):
            secret = _checked("BOARD_SECRET", _secret, given)
        else:
            try:
                secret = load_secret(values["data_dir"])
            except OSError as error:
                raise ConfigError(
                    f"BOARD_DATA_DIR: cannot keep the secret there: {error}"
                ) from error
        return cls(secret=secret, **values)


def settings() -> list[Field[Any]]:
    """The fields of `Config` that a variable sets; `metadata` has `variable` and `text`."""
    return [item for item in fields(Config) if "variable" in item.metadata]


def _read(item: Field[Any], environ: Mapping[str, str]) -> Any:
    variable = item.metadata["variable"]
    return _checked(variable, item.metadata["parse"], environ[variable])


def _checked(variable: str, parse: Callable[[str], Any], raw: str) -> Any:
    try:
        return parse(raw)
    except ValueError as error:
        # The value may hold a password: it is not repeated.
        raise ConfigError(f"{variable} must be {error}") from None
