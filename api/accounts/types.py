"""People and sessions as clients see them."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Self
from uuid import UUID

import strawberry
from strawberry.dataloader import DataLoader

from api.accounts import service
from api.accounts.models import Account
from api.accounts.reasons import AccountReason
from api.accounts.service import Grant
from api.accounts.store import Profile
from api.context import Info
from api.pages import After, Before, Connection, First, Last, window
from api.refusals import error_type
from api.relay import Node, global_id
from engines.texts import Text

if TYPE_CHECKING:
    from api.history.types import MatchFilter, PlayerStatistics
    from api.matches.types import Match

DELETED = Text("탈퇴한 사용자", "Deleted player")

AccountError = error_type(
    "Account", "Concerns sign-in, sessions and the own profile.", AccountReason
)


@strawberry.type(description="A person's public profile.")
class Player(Node):
    account_id: strawberry.Private[UUID]
    deleted: strawberry.Private[bool]
    display_name: str = strawberry.field(
        description="What the person is called: 1 to 20 visible characters, not unique. Whoever "
        "deleted the account is called so, in the language of the request."
    )
    created_at: datetime = strawberry.field(description="When the account was made.")

    @classmethod
    def of(cls, account: Account | Profile) -> Self:
        """The profile of an account."""
        return cls(
            id=global_id("Player", account.id),
            account_id=account.id,
            deleted=account.deleted_at is not None,
            display_name=account.display_name,
            created_at=account.created_at,
        )

    @classmethod
    async def resolve_nodes(cls, info: Info, keys: Sequence[str]) -> Sequence[Self | None]:
        """Profiles by key, for those who are signed in."""
        info.context.require_reader()
        ids = cls.read_keys(keys)
        found = await service.accounts(info.context.services, filter(None, ids))
        accounts = (found.get(id_) if id_ else None for id_ in ids)
        return [cls.of(each) if each and not each.deleted_at else None for each in accounts]

    @strawberry.field(
        description="The player's matches that the one who asks may read, newest start first."
    )
    async def matches(
        self,
        info: Info,
        filter: Annotated[
            Annotated["MatchFilter", strawberry.lazy("api.history.types")] | None,
            strawberry.argument(description="Which of them to give."),
        ] = None,
        first: First = None,
        after: After = None,
        last: Last = None,
        before: Before = None,
    ) -> Connection[Annotated["Match", strawberry.lazy("api.matches.types")]] | None:
        from api.history.types import matches_page  # history knows people; the one way back

        return await matches_page(info, filter, window(first, after, last, before), self.account_id)

    @strawberry.field(
        description="The player's finished matches by game, for those who are signed in."
    )
    async def statistics(
        self, info: Info
    ) -> list[Annotated["PlayerStatistics", strawberry.lazy("api.history.types")]]:
        from api.history.types import statistics

        info.context.require_reader()
        return list(await statistics(info).load(self.account_id))


def players(info: Info) -> DataLoader[UUID, Player | None]:
    """Loads profiles asked for in one tick together; remembers nothing, so a socket may keep it."""

    async def load(ids: list[UUID]) -> list[Player | None]:
        found = await service.accounts(info.context.services, set(ids))
        return [shown(info, found.get(id_)) for id_ in ids]

    loader: DataLoader[UUID, Player | None] = info.context.loaders.setdefault(
        "players", DataLoader(load_fn=load, cache=False)
    )
    return loader


def shown(info: Info, account: Profile | None) -> Player | None:
    """Whoever has a seat in a match, under a name that says so if the account is deleted."""
    if account is None:
        return None
    player = Player.of(account)
    if player.deleted:
        player.display_name = info.context.say(DELETED)
    return player


async def player_of(info: Info, account_id: UUID) -> Player | None:
    """The profile of an account, loaded together with the others of the moment."""
    return await players(info).load(account_id)


@strawberry.type(name="Session", description="A signed-in session: a pair of tokens.")
class SessionType:
    access_token: str = strawberry.field(
        description="Send as `Authorization: Bearer …`, or as `token` in `connection_init`."
    )
    refresh_token: str = strawberry.field(
        description="Give to `refreshSession` for the next pair. It is good for one use."
    )
    expires_at: datetime = strawberry.field(
        description="When the access token expires. Open sockets are closed then, with 4403."
    )
    refresh_expires_at: datetime = strawberry.field(
        description="When the session ends unless it is refreshed before."
    )

    @classmethod
    def of(cls, grant: Grant) -> Self:
        """The tokens of a grant."""
        return cls(
            access_token=grant.access_token,
            refresh_token=grant.refresh_token,
            expires_at=grant.expires_at,
            refresh_expires_at=grant.refresh_expires_at,
        )
