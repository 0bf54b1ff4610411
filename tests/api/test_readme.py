"""The README's operations do what it says, pasted as they stand."""

import re
from pathlib import Path

from tests.api.client import Client
from tests.api.server import ServerProcess

README = Path(__file__).resolve().parents[2] / "README.md"


def operation(name: str) -> str:
    """The README's operation of this name."""
    blocks = re.findall(r"```graphql\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    (found,) = [block for block in blocks if re.search(rf"\b{name}\b", block.splitlines()[0])]
    return found


async def test_the_readme_plays(server: ServerProcess) -> None:
    host, friend = Client(server.base_url), Client(server.base_url)
    signed_in = (await host.run(operation("SignIn")))["signInAsGuest"]
    host.token = signed_in["session"]["accessToken"]
    await friend.sign_in("friend")
    games = (await host.run(operation("Games")))["games"]
    marble = next(game for game in games if game["id"] == "marble")
    assert len(marble["cells"]) == 40
    assert len(marble["cards"]) == 20
    opened = (await host.run(operation("OpenRoom")))["createRoom"]
    assert opened["userErrors"] == []
    room = opened["room"]
    await friend.do("joinRoom", "room { id }", code=room["code"])
    await friend.do("setReady", "room { id }", roomId=room["id"], ready=True)
    started = await host.do("startMatch", "room { match { id } }", roomId=room["id"])
    variables = {"matchId": started["room"]["match"]["id"]}
    async with host.socket() as socket:
        updates = socket.subscribe(operation("Follow"), variables)
        view = (await anext(updates))["matchUpdates"]["view"]
        mover = (host, friend)[view["current"]]
        rolled = (await mover.run(operation("Roll"), variables))["marbleRoll"]
        assert rolled["userErrors"] == []
        update = (await anext(updates))["matchUpdates"]
        assert update["version"] == rolled["version"]
        assert update["events"][0]["dice"] == rolled["events"][0]["dice"]
        await updates.aclose()
    await host.close()
    await friend.close()


def test_the_readme_is_short_and_names_its_commands() -> None:
    text = README.read_text("utf-8")
    assert len(text.splitlines()) < 150
    assert "make run" in text
    assert "make test" in text
