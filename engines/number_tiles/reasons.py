"""Why something is refused, invalid, drawn or over; and the Korean and English text of each."""

from typing import Final

from engines.protocol import Described, Reason
from engines.texts import Text


class Refusal(Reason):
    """Refusal codes; one message per code (C-09)."""

    GAME_OVER = "게임이 끝났어요", "The game is over."
    GAME_RUNNING = "아직 게임이 진행 중이에요", "The game is still running."
    NOT_YOUR_TURN = "차례가 아니에요", "It is not your turn."
    STALE_TURN = "이미 지나간 차례예요", "That turn is already over."
    STALE_DRAFT = (
        "그 사이에 초안이 바뀌었어요. 확인하고 다시 눌러 주세요",
        "The draft changed meanwhile. Check it and try again.",
    )
    ALREADY_LEFT = "이미 게임에서 나갔어요", "You have already left the game."
    BAD_ACTION = "할 수 없는 행동이에요", "That action is not available."
    BAD_PAYLOAD = "요청 형식이 올바르지 않아요", "The request is malformed."
    DUPLICATE_TILE = "같은 타일이 두 번 들어 있어요", "The same tile appears twice."
    TILE_NOT_AVAILABLE = "쓸 수 없는 타일이에요", "That tile is not available to you."
    TABLE_TILE_MISSING = (
        "테이블의 타일은 내 받침대로 가져올 수 없어요",
        "Tiles on the table can't be taken to your rack.",
    )
    TABLE_LOCKED = (
        "첫 등록 전에는 테이블의 타일을 옮길 수 없어요",
        "Tiles on the table can't be moved before your first registration.",
    )
    NO_RACK_TILE = (
        "랙에서 타일을 1개 이상 내야 해요",
        "You must lay at least one tile from your rack.",
    )
    INVALID_SET = "빨간 표시된 조합을 고쳐 주세요", "Please mend the sets marked red."
    MELD_POINTS = (
        "첫 등록은 {need}점 이상이어야 해요 (지금 {have}점)",
        "The first registration takes {need} points or more (now {have}).",
    )
    MELD_NEEDS_NEW_SET = (
        "첫 등록에는 내 타일만으로 만든 새 조합이 있어야 해요",
        "The first registration needs a new set made of your own tiles only.",
    )
    NOTHING_TO_UNDO = "되돌릴 것이 없어요", "There is nothing to undo."
    POOL_NOT_EMPTY = (
        "뽑을 타일이 남아 있어서 넘길 수 없어요",
        "You can't pass while there are tiles to draw.",
    )


class CommitProblem(Described):
    """Why a commit of the present draft would be refused; names as in the refusal codes."""

    NO_RACK_TILE = "noRackTile", "No tile of the rack is laid."
    INVALID_SET = "invalidSet", "At least one set is invalid."
    MELD_POINTS = "meldPoints", "The new sets are worth too little for the first registration."
    MELD_NEEDS_NEW_SET = (
        "meldNeedsNewSet",
        "The first registration needs a new set made of rack tiles only.",
    )


class SetProblem(Described):
    """Why one set of a draft is invalid; the first that fits, number before colour (N-13)."""

    TOO_FEW = "tooFew", "Fewer than three tiles."
    DUPLICATE_COLOR = "duplicateColor", "One number, but a colour appears twice."
    DUPLICATE_NUMBER = "duplicateNumber", "One colour, but a number appears twice."
    NOT_CONSECUTIVE = "notConsecutive", "One colour, but more gaps than jokers."
    TOO_MANY = "tooMany", "More than four tiles of one number, or more than thirteen of a colour."
    NOT_A_SET = "notASet", "Neither one number nor one colour."


SET_PROBLEM_TEXTS: Final = {
    SetProblem.TOO_FEW: Text("타일이 3개 이상이어야 해요", "It takes three tiles or more."),
    SetProblem.DUPLICATE_COLOR: Text("같은 색이 두 개예요", "The same colour appears twice."),
    SetProblem.DUPLICATE_NUMBER: Text("같은 숫자가 두 개예요", "The same number appears twice."),
    SetProblem.NOT_CONSECUTIVE: Text("숫자가 이어지지 않아요", "The numbers do not follow on."),
    SetProblem.TOO_MANY: Text("타일이 너무 많아요", "There are too many tiles."),
    SetProblem.NOT_A_SET: Text("조합이 아니에요", "This is not a set."),
}


class DrawReason(Described):
    """Why a turn ended without laying."""

    CHOICE = "choice", "The player chose to draw or pass."
    TIMEOUT = "timeout", "The time was up with nothing to punish."
    TIMEOUT_PENALTY = "timeoutPenalty", "The time was up with an invalid draft."
    COMMIT_PENALTY = "commitPenalty", "An invalid draft was committed."


class EndReason(Described):
    """How a game, or a match, ended."""

    RACK_EMPTY = "rackEmpty", "Somebody laid the last tile of the rack."
    STALEMATE = "stalemate", "The pool was empty and everyone passed in a row."
    FORFEIT = "forfeit", "All players but one left."


class Departure(Described):
    """Why a player is out of the match for good."""

    CONCEDED = "conceded", "The player gave up."
    LEFT = "left", "The player left the room."
    KICKED = "kicked", "The player was removed from the room."
    DELETED = "deleted", "The player's account was deleted."
