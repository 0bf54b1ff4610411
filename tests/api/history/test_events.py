"""`Match.events`: what happened, with nothing in it that the viewer may not know."""

import pytest

from tests.api.engine_values import spoken
from tests.api.history.conftest import Archive
from tests.api.history.past import GAMES, Told, events_of, past_of, put


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [1, 2])
async def test_each_viewer_is_told_what_it_may_know(archive: Archive, game: str, seed: int) -> None:
    """After the end as before it: the room was not made to be opened."""
    *players, stranger = await archive.people(3)
    past = await past_of(archive, await put(archive, players, game, seed))
    for viewer, client in ((0, players[0]), (1, players[1]), (None, stranger)):
        assert await events_of(client, past) == past.events(viewer)
    assert await events_of(stranger, past, 7) == past.events(None)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("flag", ["open_replay", "verifiable"])
async def test_an_opened_match_tells_all_once_it_has_ended(
    archive: Archive, game: str, flag: str
) -> None:
    *players, stranger = await archive.people(3)
    match_id = await put(archive, players, game, 4, most=12, **{flag: True})
    running = await past_of(archive, match_id)
    for viewer, client in ((0, players[0]), (1, players[1]), (None, stranger)):
        assert await events_of(client, running) == running.events(viewer)
    await archive.finish(match_id, players)
    past = await past_of(archive, match_id)
    whole = [told._replace(event=spoken(told.event, "en")) for told in past.whole()]
    assert bool(hidden(past.events(None), whole)) == (game != "marble")
    for client in (*players, stranger):
        assert await events_of(client, past) == whole


def hidden(shown: list[Told], whole: list[Told]) -> list[Told]:
    """What spectators were not told."""
    return [told for told in whole if told not in shown]
