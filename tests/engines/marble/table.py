"""A table in the middle of a match, set up in one readable line and played by hand.

    t = table(seats=3, cash=(70, 300, 300), pos=(31, 0, 0), lands={39: (1, HOTEL)})
    t.roll(3, 5)
    assert t.told(TollPaid) == [...]

Dice are no mock: `roll` moves the state's stream to a place where it holds the wanted dice.
"""

from functools import cache
from typing import Any

import pytest

from engines.marble import ENGINE
from engines.marble.actions import Roll
from engines.marble.cards import CardId
from engines.marble.options import Options
from engines.marble.reasons import Refusal
from engines.marble.state import Land, Phase, Player, State
from engines.protocol import SYSTEM, Actor, Illegal, Step
from engines.rng import Stream

START = 1_000_000
SEED = bytes(32)
SCANNED = 2_000
ALL_CARDS = tuple(CardId)


@cache
def scanned() -> str:
    """The first dice of SEED's stream as a string of digits."""
    dice, _ = Stream(SEED).dice(SCANNED)
    return "".join(map(str, dice))


def stream_of(first: int, second: int) -> Stream:
    """A stream whose next two dice are these."""
    taken = scanned().find(f"{first}{second}")
    assert taken >= 0
    return Stream(SEED, taken)


class Table:
    """A state that moves on; `events` are those of the last accepted action."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: tuple[Any, ...] = ()
        self.now = START

    def roll(self, first: int, second: int) -> None:
        """The awaited seat rolls these dice."""
        self.state = self.state.but(rng=stream_of(first, second))
        assert self.state.awaited is not None
        self.do(self.state.awaited, Roll())

    def do(self, actor: Actor, action: Any) -> None:
        """One accepted action, a second after the last."""
        self.now += 1_000
        self._take(ENGINE.apply(self.state, actor, action, self.now))

    def system(self, action: Any) -> None:
        """One accepted action of the system."""
        self.do(SYSTEM, action)

    def time_out(self) -> None:
        """The deadline passes."""
        assert self.state.deadline_at is not None
        self.now = self.state.deadline_at
        self._take(ENGINE.on_timeout(self.state, self.now))

    def time_out_rolling(self, first: int, second: int) -> None:
        """The deadline passes, and where the dice are rolled they show these."""
        self.state = self.state.but(rng=stream_of(first, second))
        self.time_out()

    def refuses(self, actor: Actor, action: Any, reason: Refusal) -> Illegal:
        """The action is refused for this reason and leaves the state as it is."""
        with pytest.raises(Illegal) as refused:
            ENGINE.apply(self.state, actor, action, self.now + 1_000)
        assert refused.value.reason is reason
        return refused.value

    def _take(self, step: Step[State]) -> None:
        self.state, self.events = step.state, step.events

    def told(self, *types: type) -> list[Any]:
        """The last events of these types, in order."""
        return [event for event in self.events if isinstance(event, types)]

    @property
    def cash(self) -> tuple[int, ...]:
        """Every seat's cash."""
        return tuple(player.cash for player in self.state.players)

    @property
    def pos(self) -> tuple[int, ...]:
        """Every seat's cell."""
        return tuple(player.pos for player in self.state.players)

    @property
    def phase(self) -> Phase:
        """What the match is waiting for."""
        return self.state.phase

    @property
    def lands(self) -> dict[int, tuple[int, int]]:
        """Owner and level of every owned land, by cell."""
        return {
            pos: (land.owner, land.level)
            for pos, land in enumerate(self.state.lands)
            if land is not None
        }

    @property
    def result(self) -> Any:
        """The outcome, None before the end."""
        return ENGINE.result(self.state)


def table(
    seats: int = 2,
    *,
    cash: int | tuple[int, ...] = 300,
    pos: int | tuple[int, ...] = 0,
    lands: dict[int, int | tuple[int, int]] | None = None,
    top: tuple[str, ...] = (),
    held: dict[int, tuple[str, ...]] | None = None,
    island: dict[int, int] | None = None,
    space: tuple[int, ...] = (),
    out: tuple[int, ...] = (),
    order: tuple[int, ...] | None = None,
    current: int | None = None,
    fund: int = 0,
    round: int = 1,
    **options: Any,
) -> Table:
    """A table at the start of `current`'s turn (the first of `order` if not given).

    `lands` maps a cell to its owner, or to owner and level; `top` are the uppermost cards of the
    deck, the others follow in the order of their numbers; `held` are kept cards, `island` the
    turns left to miss, `space` the seats that fly next, `out` the eliminated in that order.
    """
    kept = {seat: tuple(CardId[name] for name in names) for seat, names in (held or {}).items()}
    upper = tuple(CardId[name] for name in top)
    away = {*upper, *(card for cards in kept.values() for card in cards)}
    chosen = Options(**options)
    order = order or tuple(range(seats))
    limit = chosen.turn_seconds
    players = tuple(
        Player(0, alive=False, bankrupt_at_round=round, out_seq=out.index(seat) + 1)
        if seat in out
        else Player(
            cash if isinstance(cash, int) else cash[seat],
            pos if isinstance(pos, int) else pos[seat],
            island_left=(island or {}).get(seat, 0),
            space_pending=seat in space,
            held=kept.get(seat, ()),
        )
        for seat in range(seats)
    )
    state = State(
        options=chosen,
        rng=Stream(SEED),
        order=order,
        current=order[0] if current is None else current,
        players=players,
        deck=(*upper, *(card for card in ALL_CARDS if card not in away)),
        prompted_at=START,
        deadline_at=None if limit is None else START + 1_000 * limit,
        fund=fund,
        round=round,
    )
    for cell, land in (lands or {}).items():
        state = state.with_land(cell, Land(land) if isinstance(land, int) else Land(*land))
    return Table(state)


def draw(card: str, seats: int = 2, **changes: Any) -> Table:
    """A table where seat 0 has rolled 3-4 from the start to cell 7 and drawn `card`."""
    t = table(seats, top=(card,), **changes)
    t.roll(3, 4)
    return t
