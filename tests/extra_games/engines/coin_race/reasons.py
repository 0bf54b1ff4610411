"""Why a move is refused and why a race ended."""

from engines import protocol
from engines.protocol import Described


class Reason(protocol.Reason):
    """Refusals."""

    GAME_OVER = "이미 끝났어요.", "The race is over."
    UNKNOWN_ACTION = "할 수 없는 행동이에요.", "There is no such move."
    OUT_OF_RACE = "이미 빠졌어요.", "You are out of the race."
    NOT_YOUR_TURN = "차례가 아니에요.", "It is not your turn."
    NOT_YOUR_CARD = "{card}번 카드가 없어요.", "You do not hold card {card}."
    NO_CARD_CHOSEN = "고른 카드가 없어요.", "No card is set aside."


class EndReason(Described):
    """Why a race ended."""

    GOAL = "goal", "Somebody reached the goal."
    ROUNDS = "rounds", "All rounds were played."
    LEFT = "left", "Only one racer is left."
