"""What the laws must be told about the coin race."""

from collections.abc import Iterable
from dataclasses import asdict
from random import Random
from typing import Any

from msgspec.structs import replace

from engines.protocol import Actor, DeadlineShifted, Viewer
from engines.replay import Entry
from engines.rng import Stream
from tests.extra_games.engines.coin_race import events as e
from tests.extra_games.engines.coin_race.actions import Choose, Flip, PlayCard
from tests.extra_games.engines.coin_race.options import OPTIONS, CoinRaceOptions
from tests.extra_games.engines.coin_race.state import CARDS, ROUNDS, Racer, State
from tests.extra_games.engines.coin_race.views import CoinRaceView

CHANGES_PER_TURN = 12


class CoinRaceAdapter:
    """Cards move between hands and the stock; fields are explained by flips and cards."""

    def random_options(self, rnd: Random) -> dict[str, object]:
        """Each option left out or set."""
        return {
            o.key: rnd.choice([c.value for c in o.choices]) for o in OPTIONS if rnd.random() < 0.8
        }

    def longest(self, options: CoinRaceOptions, seats: int) -> int | None:
        """Every turn ends a round's seat; choices in between are few."""
        return ROUNDS * seats * CHANGES_PER_TURN

    def random_action(self, state: State, actor: Actor, rnd: Random) -> Any | None:
        """Choose, flip or play."""
        if not isinstance(actor, int) or not state.racers[actor].alive:
            return None
        racer = state.racers[actor]
        moves: list[Any] = [Choose(rnd.choice(racer.hand))] if racer.hand else []
        if actor == state.current:
            moves += [Flip(), Flip()]
            if racer.chosen is not None:
                moves.append(PlayCard())
        return rnd.choice(moves) if moves else None

    def hostile_action(self, state: State, actor: Actor, rnd: Random) -> Any:
        """Any move with any card."""
        return rnd.choice((Flip(), PlayCard(), Choose(rnd.randrange(-1, 12)), Choose(None)))

    def other_world(
        self,
        state: State,
        viewer: Viewer,
        rnd: Random,
        entry: Entry | None = None,
        events: Iterable[Any] = (),
    ) -> tuple[State, Entry | None]:
        """Deal all cards anew that the viewer has not seen, and take another seed."""
        told = tuple(events)
        shown = {card for event in told for card in cards_shown(event)}
        hidden = [
            (seat, place)
            for seat, racer in enumerate(state.racers)
            for place, card in enumerate(racer.hand)
            if seat != viewer and card not in shown
        ]
        pool = [state.racers[seat].hand[place] for seat, place in hidden] + list(state.stock)
        rnd.shuffle(pool)
        hands = [list(racer.hand) for racer in state.racers]
        for seat, place in hidden:
            hands[seat][place] = pool.pop()
        flipped = any(isinstance(event, e.CoinFlipped) for event in told)
        other = replace(
            state,
            racers=tuple(
                self._racer(racer, tuple(hand))
                for racer, hand in zip(state.racers, hands, strict=True)
            ),
            stock=tuple(pool),
            rng=state.rng if flipped else Stream(rnd.randbytes(32)),
        )
        return other, self._translate(state, other, entry)

    def _racer(self, old: Racer, hand: tuple[int, ...]) -> Racer:
        chosen = None if old.chosen is None else hand[old.hand.index(old.chosen)]
        return replace(old, hand=hand, chosen=chosen)

    def _translate(self, state: State, other: State, entry: Entry | None) -> Entry | None:
        if entry is None or not isinstance(entry.action, Choose):
            return entry
        place = state.racers[entry.actor].hand.index(entry.action.card)
        return entry._replace(action=Choose(other.racers[entry.actor].hand[place]))

    def public(self, view: CoinRaceView) -> dict[str, Any]:
        """Everything: a race offers no previews."""
        return asdict(view)

    def reduce(self, public: dict[str, Any], event: Any, viewer: Viewer) -> dict[str, Any]:
        """The view after one event."""
        new = {**public, "racers": tuple(dict(racer) for racer in public["racers"])}
        if new["own"] is not None:
            new["own"] = dict(new["own"])
        match event:
            case e.CoinFlipped(seat=seat, heads=heads):
                self._forward(new, seat, int(heads))
            case e.CardChosen(seat=seat, card=card):
                new["racers"][seat]["ready"] = True
                if seat == viewer:
                    new["own"]["chosen"] = card
            case e.CardPlayed(seat=seat, value=card, steps=steps):
                self._show(new, seat, (card,), viewer)
                self._forward(new, seat, steps)
            case e.TurnStarted(seat=seat, round=number):
                new |= {"current": seat, "round": number}
            case e.RacerLeft(seat=seat, cards=cards):
                self._show(new, seat, cards, viewer)
                new["racers"][seat]["alive"] = False
            case e.PresenceChanged(seat=seat, away=away):
                new["racers"][seat]["away"] = away
            case e.GameOver(result=result):
                new["result"] = asdict(result)
            case DeadlineShifted():
                pass
        return new

    def _forward(self, new: dict[str, Any], seat: int, steps: int) -> None:
        new["racers"][seat]["field"] = min(new["racers"][seat]["field"] + steps, new["goal"])

    def _show(self, new: dict[str, Any], seat: int, cards: tuple[int, ...], viewer: Viewer) -> None:
        new["played"] += tuple(cards)
        new["racers"][seat]["cards"] -= len(cards)
        new["racers"][seat]["ready"] = False
        if seat == viewer:
            hand = tuple(card for card in new["own"]["hand"] if card not in cards)
            new["own"] = {"hand": hand, "chosen": None}

    def check_conservation(self, before: State, events: Iterable[Any], after: State) -> None:
        """Nine cards, and every field forward is told."""
        hands = [card for racer in after.racers for card in racer.hand]
        assert sorted((*hands, *after.stock, *after.played)) == list(CARDS)
        forward = [0] * len(after.racers)
        for event in events:
            if isinstance(event, e.CoinFlipped):
                forward[event.seat] += event.heads
            if isinstance(event, e.CardPlayed):
                forward[event.seat] += event.steps
        for old, new, steps in zip(before.racers, after.racers, forward, strict=True):
            assert new.field == min(old.field + steps, after.options.goal)


def cards_shown(event: Any) -> tuple[int, ...]:
    """The cards an event shows to everybody."""
    if isinstance(event, e.CardPlayed):
        return (event.value,)
    return event.cards if isinstance(event, e.RacerLeft) else ()


ADAPTER = CoinRaceAdapter()
