"""Why a move is refused, why something happened, and why a match ended."""

from typing import Final

from engines.protocol import Described, LeaveCause, Reason


class Refusal(Reason):
    """Refusal codes in the order in which they are checked (R120)."""

    GAME_OVER = "이미 끝난 게임이에요.", "The game is over."
    UNKNOWN_PLAYER = "이 게임의 참가자가 아니에요.", "You don't take part in this game."
    ELIMINATED = "탈락해서 관전만 할 수 있어요.", "You are out and can only watch."
    UNKNOWN_ACTION = "알 수 없는 행동이에요.", "There is no such action."
    OPTION_OFF = "이 방에서는 쓰지 않는 규칙이에요.", "This room does not play with that rule."
    BAD_PAYLOAD = "보낸 값이 올바르지 않아요.", "The input is not valid."
    NOT_YOUR_TURN = "차례가 아니에요.", "It's not your turn."
    WRONG_PHASE = "지금은 할 수 없어요.", "That can't be done now."
    MUST_SPACE_TRAVEL = (
        "우주여행으로 갈 곳을 골라 주세요.",
        "Choose where to fly instead of rolling.",
    )
    NOT_SPACE_PENDING = "우주여행 차례가 아니에요.", "You are not waiting for a space flight."
    NOT_ON_ISLAND = "무인도에 있지 않아요.", "You are not stuck on the island."
    NO_CARD = "무인도 탈출권이 없어요.", "You have no island escape card."
    BAD_DEST = "그 칸으로는 갈 수 없어요.", "You can't fly to that cell."
    CANNOT_BUY = "살 수 있는 땅이 아니에요.", "This land is not for sale."
    CANNOT_BUILD = "지금은 지을 수 없어요.", "You can't build here now."
    BAD_LEVEL = "다음 단계 건물만 지을 수 있어요.", "Only the next stage can be built."
    CANNOT_TAKEOVER = "인수할 수 없는 땅이에요.", "This land can't be taken over."
    NOT_OWNER = "그 땅의 주인이 아니에요.", "That land belongs to somebody else."
    NO_BUILDING = "팔 건물이 없어요.", "There is no building to sell."
    TRADE_LIMIT = "이번 차례에는 더 제안할 수 없어요.", "No more offers this turn."
    BAD_TRADE = "제안할 수 없는 교환이에요.", "Such a trade can't be offered."
    NOT_ENOUGH_MONEY = "돈이 부족해요.", "There is not enough money."


class MoveCause(Described):
    """What made a pawn move."""

    DICE = "dice", "A roll of the dice."
    CARD = "card", "A lucky card."
    FLIGHT = "flight", "A space flight."


class IslandReason(Described):
    """Why a player is sent to the island."""

    LANDED = "landed", "A move ended there."
    CARD = "card", "The storm warning card."
    DOUBLES = "doubles", "The third double of one turn."


class EscapeMeans(Described):
    """How a player left the island."""

    DOUBLE = "double", "Rolled a double."
    CARD = "card", "Used the escape card."
    FEE = "fee", "Paid the fee."


class TradeReason(Described):
    """How an offer came to its end."""

    ACCEPTED = "accepted", "Accepted and carried out."
    DECLINED = "declined", "Declined."
    TIMED_OUT = "timedOut", "Not answered in time."
    IMPOSSIBLE = "impossible", "Accepted, but lands or cash were no longer there."
    CONCEDED = "conceded", "One of the two gave up."


class ConcedeCause(Described):
    """Why a player gave up."""

    CONCEDED = "conceded", "By their own decision."
    LEFT = "left", "Left the room."
    KICKED = "kicked", "Removed by the host."
    DELETED = "deleted", "Deleted their account."


CONCEDE_CAUSES: Final = {
    LeaveCause.LEFT: ConcedeCause.LEFT,
    LeaveCause.KICKED: ConcedeCause.KICKED,
    LeaveCause.DELETED: ConcedeCause.DELETED,
}


class EndReason(Described):
    """Why a match ended."""

    LAST_SURVIVOR = "lastSurvivor", "All others are out."
    ROUND_LIMIT = "roundLimit", "The last round was played; total assets decide."
    MONOPOLY = "monopoly", "A player completed a monopoly."


class MonopolyType(Described):
    """The three monopolies that win at once, where the room plays with them."""

    TRIPLE = "triple", "Three city groups, each whole."
    LINE = "line", "All six cities of one side of the board."
    TOUR = "tour", "All four tourist sites."
