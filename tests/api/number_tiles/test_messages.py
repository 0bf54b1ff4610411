"""§8.2, §9: what players are told in words, and what a client draws the game from."""

from typing import Any

from engines.number_tiles.tiles import TILE_IDS
from tests.api.client import Client
from tests.api.number_tiles.bot import commit, set_draft, table_of, torn
from tests.api.number_tiles.conftest import Gather
from tests.api.number_tiles.script import scripted
from tests.api.server import ServerProcess
from tests.api.table import Move
from tests.engines.number_tiles.player import packed

GAME = """
{ game(id: "number_tiles") { name options { key label } ... on NumberTilesGame {
  tiles { tileId color number joker } colors { color letter shape name }
} } }
"""


def refusal(code: str, message: str, *path: str) -> dict[str, Any]:
    return {"code": code, "message": message, "path": list(path)}


async def test_refusals_are_worded_as_the_rules_word_them(gather: Gather) -> None:
    """§8.2, U-06: in Korean; the field at fault by its public name."""
    table = await gather(2)
    for client in table.players:
        client.locale = "ko"
    async with scripted(table) as script:
        # Before anything is laid: a first registration that is worth too little.
        await script.play(
            lambda view: view.hint is not None and view.hint.sets[-1].points < 30, lay=False
        )
        best = script.view.hint.sets[-1]
        await script.draft([packed(best.tile_ids)])
        worth = f"첫 등록은 30점 이상이어야 해요 (지금 {best.points}점)"
        assert await script.refused(commit(script.view)) == refusal("MELD_POINTS", worth)
        draft = (await table.match(script.mover.client))["view"]["draft"]
        assert (draft["meldPoints"], draft["meldNeeded"]) == (best.points, 30)
        assert (draft["problem"], draft["message"]) == ("MELD_POINTS", worth)
        assert await script.refused(commit(script.view), script.others[0].client) == refusal(
            "NOT_YOUR_TURN", "차례가 아니에요"
        )
        await script.do(Move("ResetDraft", {"turn": script.view.turn}))

        # Somebody has laid, the next one is not registered.
        await script.play(lambda view: bool(view.table) and view.draft.meld_needed is not None)
        start = table_of(script.view)
        assert await script.refused(set_draft(script.view, torn(start))) == refusal(
            "TABLE_LOCKED", "첫 등록 전에는 테이블의 타일을 옮길 수 없어요", "sets"
        )
        assert await script.refused(set_draft(script.view, start[1:])) == refusal(
            "TABLE_TILE_MISSING", "테이블의 타일은 내 받침대로 가져올 수 없어요", "sets"
        )
        assert await script.refused(commit(script.view)) == refusal(
            "NO_RACK_TILE", "랙에서 타일을 1개 이상 내야 해요"
        )
        await script.add_tile()
        assert await script.refused(commit(script.view)) == refusal(
            "INVALID_SET", "빨간 표시된 조합을 고쳐 주세요"
        )
        *kept, lone = (await table.match(script.mover.client))["view"]["draft"]["sets"]
        assert [(each["valid"], each["message"]) for each in kept] == [(True, None)] * len(kept)
        assert (lone["valid"], lone["problem"]) == (False, "TOO_FEW")
        assert lone["message"] == "타일이 3개 이상이어야 해요"
        await script.do(Move("Concede", {}))


async def test_a_client_can_draw_the_tiles(server: ServerProcess) -> None:
    """§3, §9: all tiles in the order of sorting; each colour has its sign and its name."""
    client = Client(server.base_url, locale="ko")
    game = (await client.run(GAME))["game"]
    await client.close()
    assert [tile["tileId"] for tile in game["tiles"]] == list(TILE_IDS)
    assert game["tiles"][27] == {"tileId": "R1b", "color": "RED", "number": 1, "joker": False}
    assert game["tiles"][-1] == {"tileId": "JK2", "color": None, "number": None, "joker": True}
    assert [tuple(color.values()) for color in game["colors"]] == [
        ("BLACK", "K", "●", "검정"),
        ("RED", "R", "♥", "빨강"),
        ("BLUE", "B", "◆", "파랑"),
        ("ORANGE", "O", "★", "주황"),
    ]
    assert game["name"] == "숫자 타일"
    assert [option["key"] for option in game["options"]] == [
        "initialMeldPoints",
        "turnSeconds",
        "timeoutValidDraft",
        "invalidTimeoutPenalty",
        "invalidCommitPenalty",
        "jokerPenalty",
        "initialMeldAllowExtend",
        "showDraftToOthers",
        "gamesPerMatch",
        "hints",
    ]
