"""What the laws must be told about the number-tile game."""

from collections.abc import Iterable
from dataclasses import asdict
from random import Random
from typing import Any

from engines.number_tiles import actions as a
from engines.number_tiles import events as e
from engines.number_tiles.options import OPTION_SPECS, Options, games_of
from engines.number_tiles.state import Phase, State
from engines.number_tiles.tiles import ALL_TILES, TILE_IDS, SetKind
from engines.number_tiles.views import View
from engines.protocol import Actor, Viewer
from engines.replay import Entry
from tests.engines.number_tiles.feed import public_part, reduced
from tests.engines.number_tiles.player import fumbling_action
from tests.engines.number_tiles.worlds import other_world

STEPS_PER_GAME = 1_500
GIVES_UP = 0.0004


class NumberTilesAdapter:
    """Racks, pool and drafts are hidden; every tile is accounted for."""

    def random_options(self, rnd: Random) -> dict[str, object]:
        """Any option, but seldom many games."""
        chosen = {
            spec.key: rnd.choice([choice.value for choice in spec.choices])
            for spec in OPTION_SPECS
            if rnd.random() < 0.7
        }
        if rnd.random() < 0.6:
            chosen.pop("gamesPerMatch", None)
        return chosen

    def longest(self, options: Options, seats: int) -> int | None:
        """Every turn ends a pool, a rack or a streak of passes; drafts in between are few."""
        return STEPS_PER_GAME * games_of(options, seats)

    def random_action(self, state: State, actor: Actor, rnd: Random) -> Any | None:
        """The fumbling player; the host at times cuts a pause short."""
        if not isinstance(actor, int):
            pause = state.phase is Phase.BETWEEN_GAMES
            return a.NextGame() if pause and rnd.random() < 0.7 else None
        if state.phase is Phase.FINISHED or actor in state.left:
            return None
        if rnd.random() < GIVES_UP:
            return a.Concede()
        if state.phase is not Phase.PLAYING or actor != state.current:
            return None
        return fumbling_action(state, rnd)

    def hostile_action(self, state: State, actor: Actor, rnd: Random) -> Any:
        """Any action, wrong turns and revisions, tiles of anybody, hints of any kind."""
        turn = state.turn_no + rnd.choice((0, 0, 0, -1, 1))
        rev = (state.draft.rev if state.draft else 0) + rnd.choice((0, 0, 1))
        ids = rnd.sample((*TILE_IDS, "R0a", "R14a", "JK3", "", "R7"), rnd.randint(0, 9))
        kept = tuple(
            a.DraftSet(tuple(TILE_IDS[t] for t in laid.tiles), rnd.choice((None, *SetKind)))
            for laid in state.table
            if rnd.random() < 0.9
        )
        extra = (a.DraftSet(tuple(ids[:4])), a.DraftSet(tuple(ids[4:])))
        return rnd.choice(
            (
                *[a.SetDraft(turn, kept + extra)] * 4,
                a.SetDraft(turn, kept),
                a.UndoDraft(turn),
                a.ResetDraft(turn),
                a.Commit(turn, rev),
                a.Draw(turn),
                a.Pass(turn),
                a.NextGame(),
                *((a.Concede(),) if rnd.random() < 0.1 else ()),
            )
        )

    def other_world(
        self,
        state: State,
        viewer: Viewer,
        rnd: Random,
        entry: Entry | None = None,
        events: Iterable[Any] = (),
    ) -> tuple[State, Entry | None]:
        """Other racks, another pool, another draft, another seed."""
        return other_world(state, viewer, rnd, entry, tuple(events))

    def public(self, view: View) -> dict[str, Any]:
        """All but the hint and what may be done."""
        return public_part(asdict(view))

    def reduce(self, public: dict[str, Any], event: Any, viewer: Viewer) -> dict[str, Any]:
        """The view after one event."""
        return reduced(public, event, viewer)

    def check_conservation(self, before: State, events: Iterable[Any], after: State) -> None:
        """106 tiles, and every one that moves is told."""
        tiles = [tile for rack in after.racks for tile in rack]
        tiles += [tile for laid in after.table for tile in laid.tiles]
        assert sorted((*tiles, *after.pool)) == list(ALL_TILES)
        told = tuple(events)
        if any(isinstance(event, e.GameStarted) for event in told):
            return
        for seat, (old, new) in enumerate(zip(before.racks, after.racks, strict=True)):
            facts = [event for event in told if getattr(event, "seat", None) == seat]
            drawn = {t for f in facts if isinstance(f, e.TilesDrawn) for t in f.tile_ids}
            laid = {t for f in facts if isinstance(f, e.SetsCommitted) for t in f.laid}
            held = {TILE_IDS[tile] for tile in old}
            assert drawn.isdisjoint(held)
            assert laid <= held
            assert {TILE_IDS[tile] for tile in new} == (held | drawn) - laid


ADAPTER = NumberTilesAdapter()
