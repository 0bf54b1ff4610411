"""Why something about a room is refused."""

from engines.protocol import Reason


class RoomReason(Reason):
    """Refusals of rooms; what is unknown and what is not yours to see are answered alike."""

    ROOM_NOT_FOUND = "방을 찾을 수 없어요.", "There is no such room."
    NAME_ROOM_ONCE = (
        "방 아이디와 코드 중 하나만 보내 주세요.",
        "Send either the room's id or its code.",
    )
    NOT_A_MEMBER = "이 방에 들어와 있지 않아요.", "You are not in this room."
    MEMBER_NOT_FOUND = "이 방에 없는 사람이에요.", "This person is not in the room."
    NOT_HOST = "방장만 할 수 있어요.", "Only the host can do this."
    NOT_A_PLAYER = "플레이어만 할 수 있어요.", "Only players of the room can do this."
    UNKNOWN_GAME = "없는 게임이에요.", "There is no such game."
    BAD_OPTION = "고를 수 없는 옵션이에요.", "The game has no such option or choice."
    BAD_SEATS = (
        "자리는 {min}~{max}개로 정해 주세요.",
        "The number of seats must be from {min} to {max}.",
    )
    SEATS_TAKEN = (
        "이미 {players}명이 앉아 있어요.",
        "There are {players} players in the room already.",
    )
    TOO_MANY_ROOMS = (
        "동시에 {max}개 방까지만 들어갈 수 있어요.",
        "You can be in at most {max} rooms at a time.",
    )
    ROOM_FULL = "방이 가득 찼어요.", "All seats of the room are taken."
    SPECTATORS_FULL = "관전 자리가 가득 찼어요.", "No more spectators fit into the room."
    NO_SPECTATORS = "관전할 수 없는 방이에요.", "This room does not take spectators."
    REMOVED_BY_HOST = (
        "방장이 내보낸 방이라 다시 들어갈 수 없어요.",
        "The host removed you from this room; you cannot come back.",
    )
    MATCH_RUNNING = "게임이 진행 중이에요.", "A match is being played."
    MATCH_OVER = (
        "게임이 끝났어요. 먼저 다시 하기를 눌러 주세요.",
        "The match is over; ask for a rematch first.",
    )
    NO_MATCH_YET = "아직 끝난 게임이 없어요.", "No match has been played here yet."
    TOO_FEW_PLAYERS = (
        "{min}명 이상이어야 시작할 수 있어요.",
        "At least {min} players are needed to start.",
    )
    NOT_ALL_READY = (
        "아직 준비하지 않은 플레이어가 있어요.",
        "Not all players are ready yet.",
    )
    NOT_YOURSELF = "자기 자신은 내보낼 수 없어요.", "You cannot remove yourself."
