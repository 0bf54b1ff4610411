"""`Match.log`: who did what, with nothing in it that the viewer may not know."""

from typing import Any

import pytest

from tests.api.client import Client
from tests.api.history.conftest import Archive, match_ref
from tests.api.history.past import GAMES, KEY, Past, log_of, past_of, put
from tests.extra_games.engines.coin_race.actions import Choose


async def stored(archive: Archive, past: Past) -> list[dict[str, Any]]:
    """Version, actor, seat and time of every log row."""
    rows = await archive.sql(
        "SELECT version, actor, seat, at FROM match_log WHERE match_id = $1 ORDER BY version",
        past.match_id,
    )
    return [{**row, "at": row["at"].isoformat()} for row in rows]


def frame(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: entry[key] for key in ("version", "actor", "seat", "at")} for entry in entries]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_each_viewer_reads_what_it_may_know(archive: Archive, game: str, seed: int) -> None:
    *players, stranger = await archive.people(3)
    past = await past_of(archive, await put(archive, players, game, seed))
    for viewer, client in ((0, players[0]), (1, players[1]), (None, stranger)):
        entries = await log_of(client, past)
        assert frame(entries) == await stored(archive, past)
        assert [entry["action"] for entry in entries] == past.actions(viewer)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("flag", ["open_replay", "verifiable"])
async def test_an_opened_log_is_whole_once_the_match_has_ended(
    archive: Archive, game: str, flag: str
) -> None:
    *players, stranger = await archive.people(3)
    match_id = await put(archive, players, game, 4, most=8, **{flag: True})
    running = await past_of(archive, match_id)
    assert [e["action"] for e in await log_of(stranger, running)] == running.actions(None)
    await archive.finish(match_id, players)
    past = await past_of(archive, match_id)
    whole = [entry and entry.action for entry in past.entries]
    for client in (players[1], stranger):
        assert [entry["action"] for entry in await log_of(client, past)] == whole


async def test_a_hidden_card_stays_hidden(archive: Archive) -> None:
    """After the end, too, nobody else reads which card was set aside."""
    *players, stranger = await archive.people(3)
    past = await past_of(archive, await put(archive, players, "coin_race", 5))
    own = [
        e.action.card for e in past.entries if e and isinstance(e.action, Choose) and e.actor == 0
    ]
    assert own
    assert None not in own

    async def cards(client: Client) -> list[int | None]:
        entries = await log_of(client, past)
        return [
            e["action"].card for e in entries if isinstance(e["action"], Choose) and e["seat"] == 0
        ]

    assert await cards(players[0]) == own
    for client in (players[1], stranger):
        assert await cards(client) == [None] * len(own)


async def test_pages_join(archive: Archive) -> None:
    people = await archive.people(2)
    past = await past_of(archive, await put(archive, people, "coin_race", 6))
    whole = await log_of(people[0], past)
    for size in (1, 7, past.version):
        assert await log_of(people[0], past, size) == whole


async def test_keys_are_never_shown(archive: Archive) -> None:
    people = await archive.people(2)
    match_id = await put(archive, people, "coin_race", 7, open_replay=True)
    (row,) = await archive.sql(
        "SELECT count(idempotency_key) AS keys FROM match_log WHERE match_id = $1", match_id
    )
    assert row["keys"] > 3
    document = "query L($id: ID!) { match(id: $id) { log { nodes { __typename version } } } }"
    answer = await people[0].ask(document, {"id": match_ref(match_id)})
    assert KEY not in str(answer)
    names = (await people[0].run('{ __type(name: "MatchLogEntry") { fields { name } } }'))["__type"]
    assert [field["name"] for field in names["fields"]] == [
        "version",
        "actor",
        "seat",
        "at",
        "action",
    ]
