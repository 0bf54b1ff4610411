"""`export-match` and `verify`: a true record holds, one that was tampered with does not."""

import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest

from api.history import record
from api.history.export import record_of
from api.history.record import Record
from api.history.verify import Check, Unverifiable, verify
from api.matches.loading import load
from engines.rng import commitment
from tests.api.history.conftest import Archive, match_ref
from tests.api.history.past import GAMES, KEY, put
from tests.api.server import ROOT, ServerProcess

ENGINES = {id_: game.engine for id_, game in GAMES.items()}
HELD = [Check("commitment", None), Check("log", None), Check("result", None)]
DOCS = ROOT / "docs"


async def exported(archive: Archive, match_id: UUID) -> Record:
    """The record of a match, through its bytes."""
    live = await load(archive.services, match_id)
    assert live is not None
    return record.read(record.write(await record_of(archive.services, live)))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [1, 2])
async def test_a_true_record_holds(archive: Archive, game: str, seed: int) -> None:
    people = await archive.people(2)
    match_id = await put(archive, people, game, seed, verifiable=True)
    if (await archive.sql("SELECT status FROM match WHERE id = $1", match_id))[0][0] == "RUNNING":
        await archive.finish(match_id, people)
    found = await exported(archive, match_id)
    assert (found.complete, found.status) == (True, "FINISHED")
    assert verify(found, ENGINES) == HELD


def replaced(item: Any, **changes: Any) -> Any:
    return msgspec.structs.replace(item, **changes)


def in_log(found: Record, kind: str, change: Callable[[Any], Any]) -> Record:
    """The record with the first event of a kind changed."""
    assert found.log is not msgspec.UNSET
    log = list(found.log)
    for place, entry in enumerate(log):
        for index, event in enumerate(entry.events):
            if event["type"] == kind:
                events = [*entry.events]
                events[index] = change(event)
                log[place] = replaced(entry, events=events)
                return replaced(found, log=log)
    raise AssertionError(f"no {kind}")


def another_die(found: Record) -> Record:
    return in_log(found, "Rolled", lambda e: {**e, "dice": [e["dice"][0] % 6 + 1, e["dice"][1]]})


def another_seed(found: Record) -> Record:
    seed = bytes(32)
    return replaced(found, seed=seed.hex(), seed_commitment=commitment(seed).hex())


def another_result(found: Record) -> Record:
    return replaced(found, result={**found.result, "winners": [1 - found.result["winners"][0]]})


def a_missing_version(found: Record) -> Record:
    return replaced(found, log=[*found.log[:3], *found.log[4:]])


def an_impossible_action(found: Record) -> Record:
    entry = replaced(found.log[1], action={"type": "Build", "level": 4})
    return replaced(found, log=[found.log[0], entry, *found.log[2:]])


def an_unknown_action(found: Record) -> Record:
    entry = replaced(found.log[1], action={"type": "Cheat"})
    return replaced(found, log=[found.log[0], entry, *found.log[2:]])


def other_options(found: Record) -> Record:
    return replaced(found, options={**found.options, "startMoney": 200})


def unknown_options(found: Record) -> Record:
    return replaced(found, options={**found.options, "startMoney": 7})


def a_cut_log(found: Record) -> Record:
    return replaced(found, log=found.log[:-1])


@pytest.mark.parametrize(
    ("tamper", "faults"),
    [
        (another_die, {"log"}),
        (another_seed, {"log"}),
        (lambda r: replaced(r, seed="0" * 64), {"commitment", "log"}),
        (lambda r: replaced(r, seed_commitment="0" * 64), {"commitment"}),
        (another_result, {"result"}),
        (lambda r: replaced(r, end_reason="MONOPOLY_TRIPLE"), {"result"}),
        (lambda r: replaced(r, status="ABANDONED"), {"result"}),
        (lambda r: replaced(r, finished_at=r.finished_at + timedelta(milliseconds=1)), {"result"}),
        (a_missing_version, {"log"}),
        (an_impossible_action, {"log"}),
        (an_unknown_action, {"log"}),
        (other_options, {"log"}),
        (unknown_options, {"log"}),
        (a_cut_log, {"result"}),
        (lambda r: replaced(r, log=[]), {"log"}),
        (lambda r: replaced(r, players=r.players * 2), {"log"}),
    ],
)
def test_tampering_is_found(tamper: Callable[[Record], Record], faults: set[str]) -> None:
    true = record.read((DOCS / "vectors" / "marble.json").read_bytes())
    assert verify(true, ENGINES) == HELD
    assert {c.name for c in verify(tamper(true), ENGINES) if c.fault is not None} == faults


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda r: replaced(r, seed=None), "its seed has not been published"),
        (lambda r: replaced(r, log=msgspec.UNSET), "its log is not complete"),
        (lambda r: replaced(r, complete=False), "its log is not complete"),
        (lambda r: replaced(r, game="chess"), "the game 'chess' is not known here"),
        (
            lambda r: replaced(r, rules_version=9),
            "This match is played by version 9 of the rules; only 1 is at hand.",
        ),
    ],
)
def test_what_cannot_be_verified(change: Callable[[Record], Record], why: str) -> None:
    true = record.read((DOCS / "vectors" / "marble.json").read_bytes())
    with pytest.raises(Unverifiable) as raised:
        verify(change(true), ENGINES)
    assert str(raised.value) == why


async def test_a_record_tells_no_more_than_spectators_know(archive: Archive) -> None:
    people = await archive.people(2)
    match_id = await put(archive, people, "coin_race", 5)
    found = await exported(archive, match_id)
    assert (found.seed, found.complete) == (None, False)
    chosen = [e.action for e in found.log if e.action is not None and e.action["type"] == "Choose"]
    assert chosen
    assert chosen == [{"type": "Choose", "card": None}] * len(chosen)
    cards = [e for entry in found.log for e in entry.events if e["type"] == "CardChosen"]
    assert {event["card"] for event in cards} == {None}
    (stored,) = await archive.sql("SELECT seed FROM match WHERE id = $1", match_id)
    written = record.write(found)
    assert stored["seed"].hex().encode() not in written
    assert KEY.encode() not in written


async def test_a_running_match_keeps_its_seed(archive: Archive) -> None:
    people = await archive.people(2)
    match_id = await put(archive, people, "coin_race", 5, most=3, verifiable=True, open_replay=True)
    found = await exported(archive, match_id)
    assert (found.seed, found.complete, found.status) == (None, False, "RUNNING")


def test_the_schema_is_the_one_in_the_docs() -> None:
    """`python -m tests.api.history.vectors` writes it anew."""
    assert (DOCS / "export.schema.json").read_bytes() == record.schema()


@pytest.mark.parametrize("path", sorted((DOCS / "vectors").glob("*.json")), ids=lambda p: p.name)
def test_the_vectors_of_the_docs_hold(path: Path) -> None:
    assert verify(record.read(path.read_bytes()), ENGINES) == HELD


def test_every_game_has_a_vector() -> None:
    ours = set(GAMES) - {"coin_race"}
    found = {record.read(path.read_bytes()).game for path in (DOCS / "vectors").glob("*.json")}
    assert found == ours


def command(
    server: ServerProcess, tmp_path: Path, *arguments: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "api", *arguments],
        cwd=ROOT,
        env={
            "PATH": "/usr/bin:/bin",
            "DATABASE_URL": server.database_url,
            "BOARD_DATA_DIR": str(tmp_path),
            "BOARD_GAME_PACKAGES": "tests.extra_games",
        },
        capture_output=True,
        text=True,
        timeout=60,
    )


async def test_the_commands(archive: Archive, server: ServerProcess, tmp_path: Path) -> None:
    people = await archive.people(2)
    match_id = await put(archive, people, "coin_race", 3, verifiable=True)
    file = tmp_path / "match.json"

    written = command(server, tmp_path, "export-match", match_ref(match_id), str(file))
    assert (written.returncode, written.stdout) == (0, ""), written.stderr
    assert record.read(file.read_bytes()) == await exported(archive, match_id)

    checked = command(server, tmp_path, "verify", str(file))
    assert (checked.returncode, checked.stdout.split()) == (
        0,
        ["commitment", "ok", "log", "ok", "result", "ok"],
    )
    file.write_bytes(record.write(another_result(await exported(archive, match_id))))
    wrong = command(server, tmp_path, "verify", str(file))
    assert wrong.returncode == 1
    assert wrong.stdout.splitlines()[-1].startswith("result      WRONG: the log leads to ")
    file.write_text("{}")
    no_record = command(server, tmp_path, "verify", str(file))
    assert (no_record.returncode, no_record.stdout) == (
        2,
        "not verified: Object missing required field `format`\n",
    )

    steps = command(server, tmp_path, "replay", match_ref(match_id))
    lines = steps.stdout.splitlines()
    assert steps.returncode == 0
    assert lines[0].split() == ["1", "2096-10-02T07:06:40.000+00:00", "SYSTEM", "deal"]
    assert lines[1].split() == ["TurnStarted", "seat=0", "round=1"]
    (stored,) = await archive.sql("SELECT version FROM match WHERE id = $1", match_id)
    assert lines[-1] == f"{stored['version']} versions lead to the state that is stored"
    assert [line.split()[0] for line in lines[:-1] if line[:5].strip()] == [
        str(number) for number in range(1, stored["version"] + 1)
    ]

    await archive.sql("UPDATE match SET seed = sha256(seed) WHERE id = $1", match_id)
    differs = command(server, tmp_path, "replay", match_ref(match_id))
    assert differs.returncode == 1
    assert differs.stderr.startswith(f"error: match {match_id} does not replay: ")
    nothing = command(server, tmp_path, "export-match", str(UUID(int=0)))
    assert (nothing.returncode, nothing.stdout) == (1, "")
    assert nothing.stderr == f"error: there is no match {UUID(int=0)}\n"
