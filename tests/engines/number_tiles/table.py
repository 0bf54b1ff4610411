"""A table to try rules at: any position, one step at a time, tiles written as on paper.

"R7" is the first copy of red 7, "R7b" the second, "JK1" and "JK2" are the jokers; a set or a rack
is one string such as "B4 B5 B6".
"""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from engines.number_tiles import ENGINE
from engines.number_tiles.actions import (
    Commit,
    DraftSet,
    Draw,
    Pass,
    ResetDraft,
    SetDraft,
    UndoDraft,
)
from engines.number_tiles.options import Options, games_of
from engines.number_tiles.reasons import Refusal
from engines.number_tiles.rules.sets import Reading, read_set
from engines.number_tiles.rules.turns import begin_turn
from engines.number_tiles.state import LaidSet, State
from engines.number_tiles.tiles import ALL_TILES, TILE_OF_ID, SetKind, ids_of
from engines.protocol import SYSTEM, Illegal, Viewer
from engines.rng import Stream

NOW = 1_000_000
TURN = 7
"""The turn every position begins with."""


def ids(text: str) -> tuple[str, ...]:
    """Tile ids from paper notation."""
    return tuple(
        word if word[-1] in "ab" or word[0] == "J" else word + "a" for word in text.split()
    )


def tiles(text: str) -> bytes:
    """Tiles from paper notation."""
    return bytes(TILE_OF_ID[tile_id] for tile_id in ids(text))


def sent(text: str) -> DraftSet:
    """A set as sent; "group: R5 JK1 JK2" carries a hint."""
    hint, _, rest = text.rpartition(":")
    return DraftSet(ids(rest), SetKind(hint) if hint else None)


def laid(number: int, text: str) -> LaidSet:
    """A set on the table with this id."""
    hint, _, rest = text.rpartition(":")
    reading = read_set(tiles(rest), SetKind(hint) if hint else None)
    assert isinstance(reading, Reading), text
    return LaidSet(number, reading.kind, reading.tiles)


class Table:
    """A position under play; `events` are those of the last step."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: tuple[Any, ...] = ()

    def do(self, action: Any, seat: Any = None, at: int = NOW) -> None:
        """Perform an action, by default of the seat in turn."""
        actor = self.state.current if seat is None else seat
        self._take(ENGINE.apply(self.state, actor, action, at))

    def system(self, action: Any, at: int = NOW) -> None:
        """Perform an action of the system or the host."""
        self._take(ENGINE.apply(self.state, SYSTEM, action, at))

    def time_out(self, at: int | None = None) -> None:
        """Let the deadline pass."""
        due = ENGINE.deadline(self.state)
        assert due is not None
        self._take(ENGINE.on_timeout(self.state, due.until if at is None else at))

    def _take(self, step: Any) -> None:
        self.state, self.events = step.state, step.events

    def sets(self, *texts: str) -> SetDraft:
        """The draft made of exactly these sets."""
        return SetDraft(self.state.turn_no, tuple(map(sent, texts)))

    def draft(self, *texts: str) -> None:
        """Send exactly these sets."""
        self.do(self.sets(*texts))

    def add(self, *texts: str) -> None:
        """Send the present draft and these sets."""
        present = tuple(DraftSet(ids_of(s.tiles), s.kind) for s in self.state.turn_draft.sets)
        self.do(SetDraft(self.state.turn_no, present + tuple(map(sent, texts))))

    @property
    def commit(self) -> Commit:
        """The commit of the draft as it is."""
        return Commit(self.state.turn_no, self.state.turn_draft.rev)

    @property
    def draw(self) -> Draw:
        """A draw in the running turn."""
        return Draw(self.state.turn_no)

    @property
    def pass_(self) -> Pass:
        """A pass in the running turn."""
        return Pass(self.state.turn_no)

    @property
    def undo(self) -> UndoDraft:
        """An undo in the running turn."""
        return UndoDraft(self.state.turn_no)

    @property
    def reset(self) -> ResetDraft:
        """A reset in the running turn."""
        return ResetDraft(self.state.turn_no)

    def refuses(self, action: Any, reason: Refusal, seat: Any = None, **params: Any) -> Illegal:
        """Check that an action is refused for this reason and that nothing changed (E-01)."""
        before = self.state
        copy = replace(before)
        with pytest.raises(Illegal) as caught:
            ENGINE.apply(before, before.current if seat is None else seat, action, NOW)
        assert caught.value.reason is reason
        assert caught.value.params == params
        assert before == copy
        return caught.value

    def told(self, *kinds: type) -> list[Any]:
        """The events of these kinds in the last step."""
        return [event for event in self.events if isinstance(event, kinds)]

    def view(self, viewer: Viewer = None) -> Any:
        """What a viewer sees."""
        return ENGINE.view(self.state, viewer)

    def redacted(self, viewer: Viewer) -> list[Any]:
        """The last step's events as a viewer gets them."""
        shown = [ENGINE.redact(self.state.options, event, viewer) for event in self.events]
        return [event for event in shown if event is not None]

    @property
    def draft_text(self) -> list[str]:
        """The sets of the draft in paper notation."""
        return [paper(each.tiles) for each in self.state.turn_draft.sets]

    @property
    def table_text(self) -> list[str]:
        """The sets on the table in paper notation."""
        return [paper(each.tiles) for each in self.state.table]

    def rack(self, seat: int) -> str:
        """A rack in paper notation."""
        return paper(self.state.racks[seat])


def paper(packed: bytes) -> str:
    """Paper notation of tiles."""
    return " ".join(i[:-1] if i[-1] == "a" else i for i in ids_of(packed))


def table(
    racks: Sequence[str],
    on_table: Sequence[str] = (),
    pool: str | int | None = None,
    melded: Sequence[bool] | bool = True,
    current: int = 0,
    game_no: int = 1,
    left: tuple[int, ...] = (),
    passes: tuple[int, ...] = (),
    **chosen: Any,
) -> Table:
    """A position at the start of turn 7; ids of the sets on the table are 1, 2, ...

    `pool`: its tiles, or how many of the unused ones; by default all of them. `chosen` are
    options by field name.
    """
    options = Options(**chosen)
    sets = tuple(laid(number, text) for number, text in enumerate(on_table, 1))
    packed = tuple(map(tiles, racks))
    used = {tile for part in (*packed, *(each.tiles for each in sets)) for tile in part}
    unused = bytes(tile for tile in ALL_TILES if tile not in used)
    assert len(used) == sum(map(len, packed)) + sum(len(each.tiles) for each in sets)
    state = State(
        options=options,
        rng=Stream(bytes(32)),
        games=games_of(options, len(racks)),
        racks=packed,
        melded=(melded,) * len(racks) if isinstance(melded, bool) else tuple(melded),
        game_no=game_no,
        pool=tiles(pool) if isinstance(pool, str) else unused[:pool],
        table=sets,
        next_set_id=len(sets) + 1,
        turn_no=TURN - 1,
        left=left,
        passes=passes,
    )
    return Table(begin_turn(state, current, NOW).state)
