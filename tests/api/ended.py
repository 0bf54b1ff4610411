"""Matches over as soon as they have begun, for tests of what is left of them."""

from typing import Any

from tests.api.client import Client

ROOM = "room { id code match { id } }"


async def seated(*people: Client, game: str = "marble", **choices: Any) -> tuple[str, str]:
    """A running match of these people, the first one host; the ids of its room and itself."""
    host, *guests = people
    room = (await host.do("createRoom", ROOM, game=game, **choices))["room"]
    for guest in guests:
        await guest.do("joinRoom", ROOM, code=room["code"], role="PLAYER")
        await guest.do("setReady", ROOM, roomId=room["id"], ready=True)
    started = await host.do("startMatch", ROOM, roomId=room["id"])
    return room["id"], started["room"]["match"]["id"]


async def ended(*people: Client, **choices: Any) -> str:
    """A match that ended because all but the first conceded; its id."""
    _, match_id = await seated(*people, **choices)
    for guest in people[1:]:
        await guest.do("marbleConcede", "version", matchId=match_id)
    return match_id
