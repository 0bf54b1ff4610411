"""Settings come from the environment, and a wrong one is named."""

import os
import stat
from pathlib import Path

import pytest

from api.config import Config, ConfigError, settings
from api.secret import load_secret

SECRET = "x" * 32


def read(**environ: str) -> Config:
    return Config.from_env({"BOARD_SECRET": SECRET, **environ})


def test_nothing_set_gives_the_defaults():
    config = read()
    assert config.secret == SECRET.encode()
    assert config.database_url is None
    assert config.data_dir == Path.cwd() / ".data"
    assert (config.host, config.port) == ("127.0.0.1", 8000)
    assert (config.workers, config.bus) == (1, "memory://")
    assert config.game_packages == ()
    assert config.game_time_scale == 1.0


def test_an_empty_variable_counts_as_unset():
    assert read(DATABASE_URL="", PORT="", BOARD_GAME_PACKAGES="") == read()


def test_every_kind_of_setting_is_read():
    config = read(
        DATABASE_URL="postgresql://u:p@db:5432/x?sslmode=require",
        BOARD_DATA_DIR="/srv/board",
        PORT="0",
        BOARD_ALLOWED_ORIGINS="https://play.example, http://localhost:3000",
        BOARD_GAME_PACKAGES="one.games,two.games",
        BOARD_GAME_TIME_SCALE="2.5",
        BOARD_LOG_FORMAT="JSON",
    )
    assert config.database_url == "postgresql://u:p@db:5432/x?sslmode=require"
    assert config.data_dir == Path("/srv/board")
    assert config.port == 0
    assert config.allowed_origins == ("https://play.example", "http://localhost:3000")
    assert config.game_packages == ("one.games", "two.games")
    assert config.game_time_scale == 2.5
    assert config.log_format == "json"


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg"])
def test_other_spellings_of_a_database_address_are_accepted(scheme):
    assert read(DATABASE_URL=f"{scheme}://h/x").database_url == "postgresql://h/x"


@pytest.mark.parametrize(
    ("workers", "chosen", "bus"),
    [
        ("1", "", "memory://"),
        ("1", "memory://", "memory://"),
        ("1", "postgres", "postgresql://h/x"),
        ("2", "", "postgresql://h/x"),
        ("2", "postgres", "postgresql://h/x"),
        ("2", "postgresql+asyncpg://direct/x", "postgresql://direct/x"),
        ("2", "redis://:p@cache:6379/1", "redis://:p@cache:6379/1"),
        ("1", "rediss://cache", "rediss://cache"),
    ],
)
def test_wake_ups_travel_in_memory_for_one_worker_and_by_the_database_for_more(
    workers, chosen, bus
):
    config = read(DATABASE_URL="postgres://h/x", BOARD_WORKERS=workers, BOARD_BUS_URL=chosen)
    assert config.bus == bus


def test_memory_joins_no_workers():
    with pytest.raises(ConfigError) as caught:
        read(BOARD_WORKERS="2", BOARD_BUS_URL="memory://")
    assert str(caught.value) == "BOARD_BUS_URL must not be memory://, which joins no processes"


@pytest.mark.parametrize(
    ("variable", "value", "accepts"),
    [
        ("BOARD_WORKERS", "0", "a whole number from 1 to 64"),
        (
            "BOARD_BUS_URL",
            "kafka://u:hidden@h",
            "postgres, memory:// or an address like redis://host:6379 or postgresql://host/name",
        ),
        ("PORT", "65536", "a whole number from 0 to 65535"),
        ("PORT", "80 ", "a whole number from 0 to 65535"),
        ("BOARD_POOL_SIZE", "1", "a whole number from 2 to 200"),
        ("BOARD_GAME_TIME_SCALE", "0", "a number above 0"),
        ("BOARD_GAME_TIME_SCALE", "nan", "a number above 0"),
        ("BOARD_GAME_TIME_SCALE", "fast", "a number above 0"),
        ("BOARD_LOG_LEVEL", "loud", "one of debug, info, warning, error"),
        (
            "DATABASE_URL",
            "mysql://u:hidden@h/x",
            "an address like postgresql://user:password@host:5432/name",
        ),
        (
            "BOARD_ALLOWED_ORIGINS",
            "https://play.example/page",
            "origins like https://play.example, separated by commas",
        ),
        ("BOARD_SECRET", "hidden", "at least 32 bytes of chance"),
    ],
)
def test_a_wrong_setting_is_named_and_its_value_is_not_repeated(variable, value, accepts):
    with pytest.raises(ConfigError) as caught:
        read(**{variable: value})
    assert str(caught.value) == f"{variable} must be {accepts}"


def test_the_secret_is_not_shown():
    assert SECRET not in repr(read())


def test_every_setting_has_a_variable_and_a_text_of_its_own():
    variables = [item.metadata["variable"] for item in settings()]
    assert len(set(variables)) == len(variables)
    assert all(item.metadata["text"] for item in settings())


def test_without_a_secret_one_is_made_and_kept_private(tmp_path):
    folder = tmp_path / "deep" / "data"
    first = Config.from_env({"BOARD_DATA_DIR": str(folder)})
    second = Config.from_env({"BOARD_DATA_DIR": str(folder)})
    assert len(first.secret) == 32
    assert first.secret == second.secret
    assert stat.S_IMODE((folder / "secret").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert os.listdir(folder) == ["secret"]


def test_two_data_folders_have_two_secrets(tmp_path):
    assert load_secret(tmp_path / "a") != load_secret(tmp_path / "b")


def test_a_damaged_secret_is_not_used(tmp_path):
    (tmp_path / "secret").write_bytes(b"short")
    with pytest.raises(ConfigError) as caught:
        Config.from_env({"BOARD_DATA_DIR": str(tmp_path)})
    assert str(caught.value) == (
        "BOARD_DATA_DIR: cannot keep the secret there: "
        f"{tmp_path / 'secret'} does not hold 32 bytes"
    )
