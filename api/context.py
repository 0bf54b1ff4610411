"""Who asks, in which language, and the services that answer: one object per request or socket."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID

from limits import RateLimitItem
from strawberry.types import Info as StrawberryInfo

from api.accounts.claims import Claim, Session
from api.errors import RequestFault, forbidden, unauthenticated
from api.keys.scopes import Key, Scope
from api.services import Services
from engines.texts import Text

Locale = Literal["ko", "en"]

PROVES_SESSION = "proves_session"
"""Metadata of a mutation that proves the session itself, in the statement of its write."""

KEY_IS_NOBODY = Text(
    "API 키로는 할 수 없어요. 로그인이 필요해요.",
    "An API key cannot do this, or lacks the scope for it; a person who is signed in can.",
)


@dataclass(slots=True)
class Context:
    """What resolvers may know of the one who asks.

    Each operation has its own; `fault` holds a bad token's fault until it matters who asks.
    `claim` is a session that is still to be proven: nobody is signed in by it until then.
    `address` is the place on the net that is asked from, `cost` what the operation has cost.
    """

    services: Services
    locale: Locale = "ko"
    session: Session | None = None
    key: Key | None = None
    fault: RequestFault | None = None
    address: str = ""
    claim: Claim | None = None
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

    def claimant(self) -> UUID:
        """The account of the one who asks, proven or not: for what proves it by itself.

        Raises as `require_account`.
        """
        return self.claim.session.account_id if self.claim else self.require_account()

    async def prove(self) -> None:
        """Sign in by the session that was claimed, if it holds."""
        claim, self.claim = self.claim, None
        if claim is not None:
            try:
                await claim.prove()
                self.session = claim.session
            except RequestFault as fault:
                self.fault = fault

    async def admit(self, cost: int, about: Mapping[Any, Any]) -> None:
        """Make certain who asks, and have them pay for the operation. Raises RATE_LIMITED.

        `about` is the metadata of the operation's only field: it may prove the session itself.
        """
        if PROVES_SESSION not in about:
            await self.prove()
        await self.spend(cost)

    async def spend(self, cost: int) -> None:
        """Pay for the operation out of the budget of the one who asks. Raises RATE_LIMITED."""
        self.cost = cost
        await self.services.rates.spend(*self.budget, cost)

    @property
    def budget(self) -> tuple[RateLimitItem, str]:
        """The budget that operations are paid from, and whose it is."""
        rates = self.services.rates
        account_id = self.claim.session.account_id if self.claim else self.account_id
        if account_id is not None:
            return rates.operations, f"account:{account_id.hex}"
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
