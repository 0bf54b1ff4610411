"""§5.7, §8.5: what the clock does to every kind of draft, and between two games."""

from typing import Any

import pytest

from engines.number_tiles import events as e
from engines.number_tiles.reasons import CommitProblem, DrawReason, EndReason
from tests.api.number_tiles.bot import commit, draw, improved
from tests.api.number_tiles.conftest import Gather
from tests.api.number_tiles.script import Script, scripted
from tests.api.records import judge_records
from tests.api.server import ServerProcess
from tests.api.table import Move

CHEAP = {"initialMeldPoints": 0}
SCALE = 40
"""A turn of a minute takes one and a half seconds."""


@pytest.fixture(scope="module")
def server_environ() -> dict[str, str]:
    return {"BOARD_GAME_TIME_SCALE": str(SCALE), "BOARD_BUDGET": "100000000"}


async def timed_out(script: Script) -> tuple[list[Any], list[Any]]:
    """What the player in turn and the spectator are told of the time-out."""
    mover = script.watchers.index(script.mover)
    told = await script.by_clock()
    return told[mover], told[-1]


def drawn(seat: int, count: int, reason: DrawReason, left: int) -> e.TilesDrawn:
    """What others see of drawn tiles."""
    return e.TilesDrawn(seat, count, reason, None, left)


async def test_every_kind_of_draft_where_valid_ones_are_laid(
    gather: Gather, server: ServerProcess
) -> None:
    """W-01 to W-04, P-02 to P-04, R-07: one match, from a full pool to an empty one and on."""
    table = await gather(2, **CHEAP, gamesPerMatch=2)
    async with scripted(table) as script:
        # Nothing changed: one tile.
        seat = script.view.current
        own, seen = await timed_out(script)
        assert seen[0] == drawn(seat, 1, DrawReason.TIMEOUT, 77)
        assert own[0].tile_ids == script.watchers[seat].view.rack[-1:]

        # An invalid draft: back into the rack, three tiles, and only its player hears of the draft.
        seat = script.view.current
        await script.add_tile()
        laid = script.view.draft.sets[0].tile_ids
        own, seen = await timed_out(script)
        assert [type(event) for event in seen] == [e.TilesDrawn, e.TurnStarted]
        assert seen[0] == drawn(seat, 3, DrawReason.TIMEOUT_PENALTY, 74)
        message = "Please mend the sets marked red."
        assert own[0] == e.DraftReverted(seat, laid, CommitProblem.INVALID_SET, message)

        # A valid draft is laid by itself.
        await script.play(lambda view: improved(view) is not None, lay=False)
        seat, pool = script.view.current, script.view.pool_count
        await script.draft(improved(script.view))
        _, seen = await timed_out(script)
        assert (seen[0].seat, seen[0].auto, seen[0].first_registration) == (seat, True, True)
        assert script.spectator.view.pool_count == pool

        # A penalty of three takes what is left.
        await script.play(lambda view: view.pool_count == 2, lay=False)
        seat = script.view.current
        await script.add_tile()
        _, seen = await timed_out(script)
        assert seen[0] == drawn(seat, 2, DrawReason.TIMEOUT_PENALTY, 0)

        # With nothing to draw both kinds count as passes, which end the game.
        first = script.view.current
        await script.add_tile()
        own, seen = await timed_out(script)
        assert seen[0] == e.Passed(first, DrawReason.TIMEOUT_PENALTY, (first,))
        assert type(own[0]) is e.DraftReverted
        second = script.view.current
        _, seen = await timed_out(script)
        assert seen[0] == e.Passed(second, DrawReason.TIMEOUT, (first, second))
        assert (seen[1].outcome.reason, seen[1].last) == (EndReason.STALEMATE, False)

        # Ten seconds later the next game begins by itself.
        _, seen = [*(await script.by_clock())[-2:]]
        assert [type(event) for event in seen[:2]] == [e.StarterDrawn, e.GameStarted]
        assert seen[1] == e.GameStarted(2, 2, 78)
        await script.do(Move("Concede", {}))
    await judge_records(server.database_url, table, script.watchers)


async def test_every_kind_of_draft_where_none_is_laid(
    gather: Gather, server: ServerProcess
) -> None:
    """W-03, O-03: `revert` draws one for a valid draft; the penalty may be one as well."""
    options = {**CHEAP, "timeoutValidDraft": "revert", "invalidTimeoutPenalty": 1}
    table = await gather(2, **options)
    async with scripted(table) as script:
        seat, pool = script.view.current, script.view.pool_count
        await script.add_tile()
        _, seen = await timed_out(script)
        assert seen[0] == drawn(seat, 1, DrawReason.TIMEOUT_PENALTY, pool - 1)

        await script.play(lambda view: improved(view) is not None, lay=False)
        seat, pool = script.view.current, script.view.pool_count
        await script.draft(improved(script.view))
        own, seen = await timed_out(script)
        assert seen[0] == drawn(seat, 1, DrawReason.TIMEOUT, pool - 1)
        assert (own[0].problem, own[0].message) == (None, None)
        assert not script.spectator.view.seats[seat].has_melded
        await script.do(Move("Concede", {}))
    await judge_records(server.database_url, table, script.watchers)


async def test_an_action_after_the_deadline_is_too_late(gather: Gather) -> None:
    """W-07, W-06: from the deadline on only the time-out counts; later the turn is another."""
    table = await gather(2)
    async with scripted(table) as script:
        view, mover = script.view, script.mover
        move = draw(view)
        while not table.refusals["TURN_EXPIRED"] and not table.refusals["NOT_YOUR_TURN"]:
            payload = await table.act(mover.client, commit(view))
            assert payload["version"] is None
        await script.reached(2)
        error = await script.refused(move, mover.client)
        assert error["code"] == "NOT_YOUR_TURN"
        await script.do(Move("Concede", {}))
