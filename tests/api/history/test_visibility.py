"""Who finds and reads which match, while it runs and after."""

from dataclasses import dataclass
from typing import Any

import pytest

from tests.api.client import Client, Failed
from tests.api.history.conftest import Archive, match_ref

LISTED = """
query L($me: MatchFilter, $player: MatchFilter) {
  all: matches(first: 100) { nodes { id } }
  mine: matches(filter: $me, first: 100) { nodes { id } }
  theirs: matches(filter: $player, first: 100) { nodes { id } }
}
"""

READ = """
query R($id: ID!) {
  match(id: $id) { id yourSeat seed log { nodes { version } } }
  node(id: $id) { id }
}
"""


@dataclass
class Party:
    """A room with two players and a spectator, a stranger outside, and a match of the room."""

    players: list[Client]
    spectator: Client
    stranger: Client
    room_id: str
    match_ref: str

    def __getitem__(self, who: str) -> Client:
        return {
            "seat": self.players[0],
            "other seat": self.players[1],
            "spectator": self.spectator,
            "stranger": self.stranger,
        }[who]


async def party(archive: Archive, public: bool, allow_spectators: bool) -> Party:
    *players, spectator, stranger = await archive.people(4)
    created = await players[0].do(
        "createRoom",
        "room { id code }",
        game="coin_race",
        seats=2,
        options=[],
        visibility="PUBLIC" if public else "PRIVATE",
        allowSpectators=allow_spectators,
    )
    room = created["room"]
    await players[1].do("joinRoom", "room { id }", code=room["code"], role="PLAYER")
    if allow_spectators:
        await spectator.do("joinRoom", "room { id }", code=room["code"], role="SPECTATOR")
    await players[1].do("setReady", "room { id }", roomId=room["id"], ready=True)
    started = await players[0].do("startMatch", "room { match { id } }", roomId=room["id"])
    return Party(players, spectator, stranger, room["id"], started["room"]["match"]["id"])


def may_read(who: str, public: bool, running: bool, allow_spectators: bool) -> bool:
    """The rule: players always; others a running match where watching is allowed to them, and
    ended ones of public rooms.
    """
    if who in ("seat", "other seat"):
        return True
    if not running:
        return public
    return allow_spectators and (public or who == "spectator")


@pytest.mark.parametrize("public", [True, False])
@pytest.mark.parametrize("allow_spectators", [True, False])
async def test_who_reads_a_match(archive: Archive, public: bool, allow_spectators: bool) -> None:
    made = await party(archive, public, allow_spectators)
    for running in (True, False):
        if not running:
            await made.players[1].do("leaveRoom", "room { id }", roomId=made.room_id)
        for who in ("seat", "other seat", "spectator", "stranger"):
            expected = may_read(who, public, running, allow_spectators)
            client = made[who]
            data = await client.run(
                LISTED,
                {
                    "me": {"player": client.player_id},
                    "player": {"player": made.players[0].player_id},
                },
            )
            found = {key: made.match_ref in ids(page) for key, page in data.items()}
            seated = "seat" in who
            assert found == {"all": expected, "mine": seated, "theirs": expected}, (who, running)
            read = await client.run(READ, {"id": made.match_ref})
            assert (read["match"] is not None, read["node"] is not None) == (expected, expected)
            if expected:
                seat = {"seat": 0, "other seat": 1}.get(who)
                assert (read["match"]["yourSeat"], read["match"]["seed"]) == (seat, None)


async def test_nobody_reads_history_without_signing_in(archive: Archive) -> None:
    people = await archive.people(2)
    match_id = await archive.ended(people)
    anonymous = Client(archive.base_url)
    archive.clients.append(anonymous)
    with pytest.raises(Failed) as failed:
        await anonymous.run("{ matches { nodes { id } } }")
    assert failed.value.codes == ["UNAUTHENTICATED"]
    assert await anonymous.run(READ, {"id": match_ref(match_id)}) == {"match": None, "node": None}


SEED = "query S($id: ID!) { match(id: $id) { seed seedCommitment } }"


@pytest.mark.parametrize(
    ("flags", "running", "published"),
    [
        ({"verifiable": True}, False, True),
        ({"verifiable": True}, True, False),
        ({"open_replay": True}, False, False),
        ({}, False, False),
    ],
)
async def test_when_the_seed_is_published(
    archive: Archive, flags: dict[str, Any], running: bool, published: bool
) -> None:
    people = await archive.people(2)
    match_id = await archive.start(people, **flags)
    if not running:
        await archive.finish(match_id, people)
    found = (await people[0].run(SEED, {"id": match_ref(match_id)}))["match"]
    (stored,) = await archive.sql("SELECT seed, seed_commitment FROM match WHERE id = $1", match_id)
    assert found == {
        "seed": stored["seed"].hex() if published else None,
        "seedCommitment": stored["seed_commitment"].hex(),
    }


def ids(page: dict[str, Any]) -> list[str]:
    return [node["id"] for node in page["nodes"]]
