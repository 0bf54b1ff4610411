"""Why something about an account is refused."""

from engines.protocol import Reason


class AccountReason(Reason):
    """Refusals of sign-in, sessions and profiles."""

    NAME_EMPTY = "이름을 입력해 주세요.", "Please enter a name."
    NAME_TOO_LONG = (
        "이름은 {max}자까지 쓸 수 있어요.",
        "A name has at most {max} characters.",
    )
    NAME_UNREADABLE = (
        "이름에 보이지 않는 문자나 쓸 수 없는 문자가 있어요.",
        "The name has characters that cannot be seen or read.",
    )
    CONFIRMATION_WRONG = (
        "지금 쓰는 이름을 똑같이 입력해 주세요.",
        "Type the present display name exactly.",
    )
    SESSION_ENDED = (
        "로그인이 끝났어요. 다시 로그인해 주세요.",
        "The session has ended; please sign in again.",
    )
