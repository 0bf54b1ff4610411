"""Why an action is refused before the rules are asked: the codes every game shares."""

from engines.protocol import Reason


class MatchReason(Reason):
    """Refusals of the table itself, the same for every game."""

    MATCH_NOT_FOUND = "게임을 찾을 수 없어요.", "There is no such match."
    WRONG_GAME = "이 게임의 행동이 아니에요.", "This action belongs to another game."
    NOT_SEATED = "참가자만 할 수 있어요.", "Only players of this match can do this."
    NOT_HOST = "방장만 할 수 있어요.", "Only the host can do this."
    MATCH_CLOSED = "이미 닫힌 게임이에요.", "This match has been closed."
    STALE_VERSION = (
        "그사이 게임이 진행됐어요. 화면을 새로 고친 뒤 다시 해 주세요.",
        "The match has moved on since the version you expected.",
    )
    TURN_EXPIRED = "제한 시간이 지났어요.", "The time for this decision has run out."
    IDEMPOTENCY_KEY_REUSED = (
        "같은 키로 다른 행동을 보냈어요.",
        "This idempotency key was already used for a different action.",
    )
    BAD_IDEMPOTENCY_KEY = (
        "키는 1~64자여야 해요.",
        "An idempotency key has 1 to 64 characters.",
    )
    CONTENDED = (
        "지금은 처리하지 못했어요. 다시 시도해 주세요.",
        "Too many actions at once; please try again.",
    )
