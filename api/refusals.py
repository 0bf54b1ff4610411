"""Refusals as data: what a mutation answers when the rules, and not a fault, say no."""

import re
from collections.abc import Sequence
from enum import Enum
from typing import Any

import strawberry

from api import metrics
from engines.protocol import Illegal, Reason
from engines.texts import Text


class Refused(Exception):
    """A service says no and nothing has changed. Caught once, at the mutation.

    `path` names the input field at fault, outermost first, in public camelCase; `params` fill the
    named places of the reason's text.
    """

    def __init__(self, reason: Reason, *, path: Sequence[str] = (), **params: object) -> None:
        super().__init__(reason.name)
        self.reason = reason
        self.path = tuple(path)
        self.params = params

    @property
    def text(self) -> Text:
        """The refusal in both languages."""
        return self.reason.text.format(**self.params)


@strawberry.interface(
    description="A refusal: the request was understood, and it has changed nothing."
)
class UserError:
    """What every family of refusals tells."""

    reason_code: str = strawberry.field(
        description="The code as text, for clients that treat all families of errors alike."
    )
    message: str = strawberry.field(
        description="What to tell the person, in the language of the request."
    )
    path: list[str] = strawberry.field(
        description="Where in the input the fault lies, outermost field first; "
        "empty when it lies in no single field."
    )


def public_name(name: str) -> str:
    """An engine's field name as clients write it: `tile_ids` is `tileIds`, `as_` is `as`."""
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


def code_enum(name: str, description: str, *families: type[Reason]) -> Any:
    """A GraphQL enum `name` holding the codes of all `families`, described by their English text
    with "…" for what is filled in.

    Raises ValueError when two families share a code.
    """
    values: dict[str, Any] = {}
    for family in families:
        for reason in family:
            if reason.name in values:
                raise ValueError(f"{name}: {reason.name} is in two families")
            values[reason.name] = strawberry.enum_value(
                reason.name, description=re.sub(r"\{\w+\}", "…", reason.text.en)
            )
    return strawberry.enum(Enum(name, values), description=description)  # type: ignore[call-overload]


def error_type(family: str, description: str, *reasons: type[Reason]) -> Any:
    """The GraphQL type `<family>Error` with its enum `<family>ErrorCode` over `reasons`."""
    codes = code_enum(f"{family}ErrorCode", f"Why a request is refused. {description}", *reasons)

    class Error(UserError):
        code: codes = strawberry.field(description="Why the request was refused.")  # type: ignore[valid-type]

        @classmethod
        def of(cls, refusal: "Refused | Illegal", locale: str) -> Any:
            """The refusal as the client of this language sees it."""
            metrics.refused(family, refusal.reason.name)
            return cls(  # type: ignore[call-arg]
                code=codes[refusal.reason.name],
                reason_code=refusal.reason.name,
                message=getattr(refusal.text, locale),
                path=[public_name(name) for name in refusal.path],
            )

    Error.__name__ = Error.__qualname__ = f"{family}Error"
    return strawberry.type(Error, name=f"{family}Error", description=description)
