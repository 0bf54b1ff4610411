"""Who asks, in which language, and the services that answer: one object per request or socket."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from limits import RateLimitItem
from strawberry.types import Info as StrawberryInfo

from api.errors import RequestFault, forbidden, unauthenticated
from api.keys.scopes import Key, Scope
from api.services import Services
from engines.texts import Text

Locale = Literal["ko", "en"]

KEY_IS_NOBODY = Text(
    "API 키로는 할 수 없어요. 로그인이 필요해요.",
    "An API key cannot do this, or lacks the scope for it; a person who is signed in can.",
)


@dataclass(slots=True)
class Session:
    """A signed-in person: the account, the session's id, and when its token expires."""

    account_id: UUID
    session_id: UUID
    expires_at: datetime


@dataclass(slots=True)
class Context:
    """What resolvers may know of the one who asks.

    Each operation has its own; `fault` holds a bad token's fault until it matters who asks.
    `address` is the place on the net that is asked from, `cost` what the operation has cost.
    """

    services: Services
    locale: Locale = "ko"
    session: Session | None = None
    key: Key | None = None
    fault: RequestFault | None = None
    address: str = ""
    cost: int = 0
    request: Any = None
    response: Any = None
    loaders: dict[str, Any] = field(default_factory=dict)

    @property
    def account_id(self) -> UUID | None:
        """The account of the one who asks; None when nobody is signed in."""
        return self.session.account_id if self.session else None

    def require_account(self) -> UUID:
        """The account of the one who asks.

        Raises UNAUTHENTICATED when nobody is signed in, FORBIDDEN when it is not a person.
        """
        if self.session is None:
            raise self.fault or (forbidden(KEY_IS_NOBODY) if self.key else unauthenticated())
        return self.session.account_id

    @property
    def reads_public_history(self) -> bool:
        """Whether the one who asks is a program that may read ended matches of public rooms."""
        return self.key is not None and Scope.HISTORY_READ in self.key.scopes

    def require_reader(self) -> UUID | None:
        """The account of the one who reads history; None for a key that may. Raises as above."""
        return None if self.reads_public_history else self.require_account()

    async def spend(self, cost: int) -> None:
        """Pay for the operation out of the budget of the one who asks. Raises RATE_LIMITED."""
        self.cost = cost
        await self.services.rates.spend(*self.budget, cost)

    @property
    def budget(self) -> tuple[RateLimitItem, str]:
        """The budget that operations are paid from, and whose it is."""
        rates = self.services.rates
        if self.account_id is not None:
            return rates.operations, f"account:{self.account_id.hex}"
        if self.key is not None:
            return rates.operations, f"key:{self.key.id.hex}"
        return rates.anonymous, f"address:{self.address}"

    def say(self, text: Text) -> str:
        """A text in the language of the one who asks."""
        return text.en if self.locale == "en" else text.ko


class Anyone(Context):
    """The context of an answer for many: `personal` once anything about the one who asks was read.

    Only what is named here is the same for all whose locale is the same; all else counts as
    personal, and so will whatever `Context` comes to hold.
    """

    __slots__ = ("personal",)
    personal: bool

    IMPERSONAL = frozenset({"services", "locale", "loaders", "say", "personal"})

    def __init__(self, services: Services, locale: Locale) -> None:
        super().__init__(services, locale)
        self.personal = False

    def __getattribute__(self, name: str) -> Any:
        if name not in Anyone.IMPERSONAL and not name.startswith("__"):
            self.personal = True
        return super().__getattribute__(name)


Info = StrawberryInfo[Context, None]
