"""§8.3: who sees what."""

from dataclasses import replace

import msgspec
import pytest

from engines.marble.actions import ActionName
from engines.marble.cards import CardId
from engines.marble.events import CardDrawn
from engines.rng import Stream
from tests.engines.marble.table import ENGINE, table

PERSONAL = ("your_seat", "available", "choices")


def test_8_3_everybody_sees_the_same() -> None:
    """R130, R147: a spectator's view is a player's without the previews."""
    t = table(3, lands={39: (1, 3), 36: 0}, held={2: ("L11",)}, trade=True, pos=(31, 0, 0))
    t.roll(3, 5)
    spectator = ENGINE.view(t.state, None)
    bare = {"your_seat": None, "available": (), "choices": None}
    for seat in range(3):
        assert replace(ENGINE.view(t.state, seat), **bare) == spectator
    assert (spectator.available, spectator.choices) == ((), None)


def test_8_3_what_is_public() -> None:
    """§8.3: positions, cash, lands, fund, kept cards, waits, round, dice."""
    t = table(3, cash=(1, 2, 3), pos=(4, 10, 30), island={1: 2}, space=(2,), fund=8, round=6)
    t.state = t.state.but(last_roll=(2, 5))
    view = ENGINE.view(t.state, None)
    assert [(p.seat, p.pos, p.cash) for p in view.players] == [(0, 4, 1), (1, 10, 2), (2, 30, 3)]
    assert [(p.island_left, p.space_pending) for p in view.players] == [
        (0, False),
        (2, False),
        (0, True),
    ]
    assert (view.fund, view.round, view.last_roll, view.deck_count) == (8, 6, (2, 5), 20)


def test_8_3_kept_cards_are_public() -> None:
    """§8.3: their kind, before the one who holds them."""
    view = ENGINE.view(table(held={1: ("L12", "L11")}).state, 0)
    assert view.players[1].held_cards == (CardId.L12, CardId.L11)
    assert view.deck_count == 18


def test_8_3_previews_are_for_the_one_awaited() -> None:
    """R130: the decision is public, what is affordable is not."""
    t = table(cash=(30, 300))
    t.roll(1, 3)
    own, other = ENGINE.view(t.state, 0), ENGINE.view(t.state, 1)
    assert own.decision == other.decision
    assert own.choices.buy.price == 8
    assert (own.choices.buy.affordable, own.choices.buy.cash_after) == (True, 22)
    assert own.choices.buy.low_cash is True
    assert own.available == (ActionName.BUY, ActionName.PASS, ActionName.CONCEDE)
    assert other.choices is None
    assert other.available == (ActionName.CONCEDE,)


@pytest.mark.parametrize(("cash", "low"), [(57, True), (58, False)])
def test_9_a_warning_when_little_would_be_left(cash: int, low: bool) -> None:
    """§9: less than 50 after the purchase."""
    t = table(cash=(cash, 300))
    t.roll(1, 3)
    assert ENGINE.view(t.state, 0).choices.buy.low_cash is low


def test_8_3_the_deck_and_the_stream_are_secret() -> None:
    """§10 정보 유출: another order and another seed look the same to everybody."""
    t = table(3)
    other = t.state.but(deck=t.state.deck[::-1], rng=Stream(bytes(range(32)), 77))
    for viewer in (0, 1, 2, None):
        assert msgspec.json.encode(ENGINE.view(other, viewer)) == msgspec.json.encode(
            ENGINE.view(t.state, viewer)
        )


def test_8_3_a_card_is_public_when_it_is_drawn() -> None:
    """§10 정보 유출: its id is told then, to all alike, and no other card's."""
    t = table(3, top=("L07", "L12"))
    t.roll(3, 4)
    for viewer in (0, 1, 2, None):
        told = [ENGINE.redact(t.state.options, event, viewer) for event in t.events]
        assert tuple(told) == t.events
    assert [event.card for event in t.told(CardDrawn)] == [CardId.L07]
    assert b"L12" not in msgspec.json.encode(t.events)


def test_8_3_a_deck_that_cycles_is_no_leak_of_the_view() -> None:
    """R131: drawn cards come back in the order they went, as anyone who counts may know."""
    t = table(top=("L02", "L05", "L03"), pos=(0, 13), max_rounds=0)
    deck = t.state.deck
    t.roll(3, 4)
    assert t.state.deck == (*deck[1:], deck[0])
    assert ENGINE.view(t.state, 0).deck_count == 20


def test_8_3_the_eliminated_see_what_spectators_see() -> None:
    """R141: and may do nothing."""
    t = table(3, out=(2,))
    view = ENGINE.view(t.state, 2)
    assert replace(view, your_seat=None) == ENGINE.view(t.state, None)
    assert view.available == ()
    assert view.players[2].pos is None
