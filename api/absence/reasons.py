"""Why an answer about an absent player is refused."""

from engines.protocol import Reason


class AbsenceReason(Reason):
    """Refusals of `resolveAbsence` beside those of rooms."""

    NO_QUESTION = (
        "이 참가자에 대한 질문이 없어요.",
        "There is no open question about this player.",
    )
    NOT_ASKED = "방장이 결정할 일이에요.", "The host decides this."
