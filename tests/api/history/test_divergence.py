"""A replay that does not reproduce what is stored: an error, and the operator hears of it."""

import re
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest

from api.bus import Hub, carrier
from api.config import Config
from api.db import Database
from api.games.binding import Binding
from api.services import Services
from tests.api.client import Failed
from tests.api.conftest import StartServer
from tests.api.history.conftest import Archive, match_ref
from tests.api.history.past import put
from tests.api.history.test_replay import VIEW_AT

TAMPERINGS = {
    "another event": """
        UPDATE match_log SET events = replace(events::text, '"round":1', '"round":3')::json
        WHERE match_id = $1 AND version = 1
    """,
    "another action": """
        UPDATE match_log SET action = '{"type":"PlayCard"}' WHERE match_id = $1 AND version = 2
    """,
    "a missing row": "DELETE FROM match_log WHERE match_id = $1 AND version = 2",
    "a missing end": """
        DELETE FROM match_log l USING match m WHERE m.id = $1 AND l.match_id = $1
        AND l.version = m.version
    """,
    "another seed": "UPDATE match SET seed = sha256(seed) WHERE id = $1",
    "another state": """
        UPDATE match SET state = replace(state::text, '"goal":5', '"goal":10')::json
        WHERE id = $1
    """,
    "another result": """
        UPDATE match SET result = replace(result::text, '"winners":[', '"winners":[7,')::json
        WHERE id = $1
    """,
}


@pytest.mark.parametrize("what", TAMPERINGS)
async def test_the_operator_hears_of_it(
    start_server: StartServer, games: Mapping[str, Binding], tmp_path: Path, what: str
) -> None:
    server = start_server(BOARD_GAME_PACKAGES="tests.extra_games", BOARD_ABANDON_SECONDS="2592000")
    config = Config(secret=bytes(32), database_url=server.database_url, data_dir=tmp_path)
    async with Database(config) as database:
        services = Services(config, database, Hub(carrier(config.bus)), games)
        archive = Archive(services, server.base_url)
        people = await archive.people(2)
        match_id = await put(archive, people, "coin_race", 3)
        await archive.sql(TAMPERINGS[what], match_id)
        with pytest.raises(Failed) as failed:
            await people[0].run(VIEW_AT, {"id": match_ref(match_id), "version": 1})
        await archive.close()
    assert failed.value.codes == ["INTERNAL"]
    (error,) = server.errors()
    assert (error["message"], error["match_id"]) == ("a replay differs", str(match_id))
    async with httpx.AsyncClient() as http:
        metrics = (await http.get(f"{server.base_url}/metrics")).text
    assert re.search(r'^board_replays_diverged_total{game="coin_race"} 1.0$', metrics, re.M)
