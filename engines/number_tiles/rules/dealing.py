"""§4: who begins, the deal, and the next game of the match (§8.4, R-07)."""

from typing import Final

from msgspec.structs import replace

from engines.number_tiles.actions import NextGame
from engines.number_tiles.events import GameStarted, StarterDraw, StarterDrawn, TilesDealt
from engines.number_tiles.reasons import Refusal
from engines.number_tiles.rules.turns import after, begin_turn
from engines.number_tiles.state import Phase, State
from engines.number_tiles.tiles import ALL_TILES, NUMBER_OF, TILE_IDS, ids_of
from engines.protocol import Step, refuse
from engines.rng import Stream

RACK_SIZE: Final = 14


def check_next_game(state: State, seat: object, action: NextGame) -> None:
    """Only in the pause between two games (R-07)."""
    if state.phase is Phase.PLAYING:
        refuse(Refusal.GAME_RUNNING, "6")
    if state.phase is Phase.FINISHED:
        refuse(Refusal.GAME_OVER, "6")


def do_next_game(state: State, seat: object, found: None, at: int) -> Step[State]:
    """Deal the next game."""
    return deal_game(state, at)


def deal_game(state: State, at: int) -> Step[State]:
    """Draw who begins, shuffle all 106 tiles anew and deal 14 to each who is still there.

    Wins and totals stay, all else begins afresh; S-04 fixes the order of the deal.
    """
    starter, draws, rng = draw_starter(state.rng, state.staying)
    tiles, rng = rng.shuffle(ALL_TILES)
    pool, racks = bytes(tiles), [b""] * len(state.racks)
    for seat in state.staying:
        racks[seat], pool = pool[:RACK_SIZE], pool[RACK_SIZE:]
    dealt = replace(
        state,
        rng=rng,
        game_no=state.game_no + 1,
        racks=tuple(racks),
        pool=pool,
        melded=(False,) * len(racks),
        table=(),
        passes=(),
    )
    facts = (
        StarterDrawn(draws, starter),
        GameStarted(dealt.game_no, state.games, len(pool)),
        *(TilesDealt(seat, RACK_SIZE, ids_of(racks[seat])) for seat in state.staying),
    )
    return after(facts, begin_turn(dealt, starter, at))


def draw_starter(
    rng: Stream, contenders: tuple[int, ...]
) -> tuple[int, tuple[StarterDraw, ...], Stream]:
    """Draw until one seat has the highest number (S-01 to S-03): seat, draws, stream behind."""
    tiles, rng = rng.shuffle(ALL_TILES)
    bag = bytes(tiles)
    draws: list[StarterDraw] = []
    round_no = 0
    while len(contenders) > 1:
        round_no += 1
        numbers: dict[int, int] = {}
        drawers = contenders
        while drawers:
            if len(bag) < len(drawers):
                tiles, rng = rng.shuffle(ALL_TILES)
                bag = bytes(tiles)
            for seat in drawers:
                draws.append(StarterDraw(round_no, seat, TILE_IDS[bag[0]]))
                numbers[seat], bag = NUMBER_OF[bag[0]], bag[1:]
            drawers = tuple(seat for seat in contenders if not numbers[seat])  # jokers
        highest = max(numbers.values())
        contenders = tuple(seat for seat in contenders if numbers[seat] == highest)
    return contenders[0], tuple(draws), rng
