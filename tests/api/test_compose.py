"""compose.yaml and the balancer's settings agree with each other and with the code."""

import re
from typing import Any

import pytest
import yaml

from api import metrics
from api.config import Config, settings
from api.server import KEEP_ALIVE_SECONDS
from api.transport import SocketLimits
from tests.api.server import ROOT
from tests.api.test_cli import STOPPED_WITHIN_SECONDS

API = ("api-1", "api-2")
GIVEN = {"POSTGRES_PASSWORD": "p" * 32, "BOARD_SECRET": "s" * 64}
SPARE_CONNECTIONS = 10
VARIABLE = r"\$\{(\w+)(:[?-])([^}]*)\}"


def filled(node: Any) -> Any:
    """What was read, with compose's variables replaced; those that must be set are."""
    if isinstance(node, dict):
        return {key: filled(value) for key, value in node.items()}
    if isinstance(node, list):
        return [filled(value) for value in node]
    return re.sub(VARIABLE, value_of, node) if isinstance(node, str) else node


def value_of(found: re.Match[str]) -> str:
    name, operator, rest = found.groups()
    return GIVEN[name] if operator == ":?" else rest


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return filled(yaml.safe_load((ROOT / "compose.yaml").read_text()))


@pytest.fixture(scope="module")
def balancer() -> dict[str, list[str]]:
    """The balancer's directives by section."""
    sections: dict[str, list[str]] = {}
    for line in (ROOT / "deploy" / "haproxy.cfg").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            if not line.startswith(" "):
                lines = sections.setdefault(line, [])
            else:
                lines.append(line.strip())
    return sections


def seconds(raw: str) -> int:
    return int(raw.removesuffix("s"))


def timeouts(balancer: dict[str, list[str]]) -> dict[str, int]:
    found = [line.split() for line in balancer["defaults"] if line.startswith("timeout ")]
    return {name: seconds(value) for _, name, value in found}


def config_of(compose: dict[str, Any], service: str) -> Config:
    return Config.from_env(compose["services"][service]["environment"])


def test_the_services(compose):
    assert set(compose["services"]) == {*API, "balancer", "postgres", "redis"}
    assert compose["services"]["api-1"] == compose["services"]["api-2"]


def test_secrets_have_no_default():
    text = (ROOT / "compose.yaml").read_text()
    for name in GIVEN:
        assert set(re.findall(rf"\$\{{{name}(..)", text)) == {":?"}
    assert ".env" in (ROOT / ".gitignore").read_text().splitlines()


@pytest.mark.parametrize("service", API)
def test_every_variable_of_the_api_is_one_that_it_reads(compose, service):
    known = {item.metadata["variable"] for item in settings()} | {"BOARD_SECRET"}
    given = compose["services"][service]["environment"]
    assert set(given) - known == set()
    assert all(isinstance(value, str) for value in given.values())


@pytest.mark.parametrize("service", API)
def test_the_api_is_told_of_the_other_services(compose, service):
    config = config_of(compose, service)
    postgres = compose["services"]["postgres"]["environment"]
    user, password, name = (postgres[f"POSTGRES_{k}"] for k in ("USER", "PASSWORD", "DB"))
    assert config.database_url == f"postgresql://{user}:{password}@postgres:5432/{name}"
    assert config.bus == "redis://redis:6379/0"
    (network,) = compose["networks"]["default"]["ipam"]["config"]
    assert config.trusted_proxies == (network["subnet"],)


def test_the_pools_fit_into_the_database(compose):
    command = compose["services"]["postgres"]["command"]
    most = next(int(part.partition("=")[2]) for part in command if "max_connections=" in part)
    configs = [config_of(compose, service) for service in API]
    # A deploy has one process more for a moment.
    per_process = configs[0].workers * (2 * configs[0].pool_size + 1)
    assert (len(API) + 1) * per_process + SPARE_CONNECTIONS < most


def test_what_is_waited_for_says_when_it_is_ready(compose):
    dockerfile = (ROOT / "Dockerfile").read_text()
    for service in compose["services"].values():
        for name, how in service.get("depends_on", {}).items():
            other = compose["services"][name]
            if how["condition"] == "service_healthy":
                assert "healthcheck" in other or (
                    other.get("build") == "." and "HEALTHCHECK" in dockerfile
                )
            else:
                # Without the bus the API serves all the same.
                assert (name, how["condition"]) == ("redis", "service_started")


def test_images_of_others_are_pinned_to_a_major_version(compose):
    images = {n: s["image"] for n, s in compose["services"].items() if n not in API}
    assert all(re.search(r":\d+(\.\d+)?-alpine$", image) for image in images.values()), images


@pytest.mark.parametrize("service", API)
def test_containers_are_given_longer_than_a_stop_takes(compose, service):
    assert seconds(compose["services"][service]["stop_grace_period"]) > STOPPED_WITHIN_SECONDS


def test_only_the_balancer_is_reached_from_outside(compose):
    assert [n for n, s in compose["services"].items() if "ports" in s] == ["balancer"]
    assert compose["services"]["balancer"]["ports"] == ["127.0.0.1:8080:8080"]


def test_the_balancer_knows_the_api(compose, balancer):
    servers = dict(
        line.split()[1:3] for line in balancer["backend api"] if line.startswith("server ")
    )
    assert servers == {service: f"{service}:8000" for service in API}
    assert "PORT=8000" in (ROOT / "Dockerfile").read_text()
    assert "bind :8080" in balancer["frontend public"]
    (mounted,) = compose["services"]["balancer"]["volumes"]
    assert (ROOT / mounted.partition(":")[0]).exists()
    assert (
        "http-check send meth GET uri /ready ver HTTP/1.1 hdr Host api" in balancer["backend api"]
    )


def test_the_balancer_waits_longer_than_the_signs_of_life(balancer):
    limits = SocketLimits()
    silence = limits.ping_seconds + limits.pong_seconds
    times = timeouts(balancer)
    assert times["tunnel"] > silence
    assert min(times["client"], times["server"]) > silence
    assert times["http-keep-alive"] < KEEP_ALIVE_SECONDS


def test_the_balancer_says_who_asks_and_keeps_the_metrics_in(balancer):
    assert "http-request set-header X-Forwarded-For %[src]" in balancer["frontend public"]
    assert "http-request deny if { path /metrics }" in balancer["frontend public"]


def test_the_balancer_and_the_api_may_open_enough_files(compose, balancer):
    (line,) = [line for line in balancer["global"] if line.startswith("maxconn ")]
    sockets = int(line.split()[1])
    files = {n: s["ulimits"]["nofile"] for n, s in compose["services"].items() if "ulimits" in s}
    assert set(files) == {*API, "balancer"}
    assert files["balancer"] > 2 * sockets
    assert min(files[service] for service in API) > sockets


def test_the_page_on_running_names_only_what_there_is():
    page = (ROOT / "docs" / "running.md").read_text()
    known = {item.metadata["variable"] for item in settings()} | {"BOARD_SECRET"}
    assert set(re.findall(r"\bBOARD_[A-Z_]+", page)) - known == set()
    measured = {family.name for family in metrics.REGISTRY.collect()}
    assert set(re.findall(r"\bboard_[a-z_]+", page)) - measured == set()
