"""Sign in, stay signed in, be called something else, sign out."""

from typing import Annotated

import strawberry

from api.accounts import deletion, service
from api.accounts.types import AccountError, Player, SessionType, player_of
from api.context import Info
from api.errors import unauthenticated
from api.refusals import Refused
from api.relay import global_id

Errors = list[AccountError]
NAME = (
    "What to be called: 1 to 20 visible characters. It is trimmed and kept in Unicode's NFC form."
)
REFUSALS = "Why nothing happened; empty on success."


@strawberry.input(description="Input. A new guest account.")
class SignInAsGuestInput:
    display_name: str = strawberry.field(description=NAME)


@strawberry.type(description="A new account, signed in.")
class SignInAsGuestPayload:
    session: SessionType | None = strawberry.field(
        default=None, description="The tokens of the new session; null when refused."
    )
    player: Player | None = strawberry.field(
        default=None, description="The new account; null when refused."
    )
    user_errors: Errors = strawberry.field(default_factory=list, description=REFUSALS)


@strawberry.input(description="Input. The refresh token to use up.")
class RefreshSessionInput:
    refresh_token: str = strawberry.field(description="The refresh token of the newest pair.")


@strawberry.type(description="The next pair of tokens.")
class RefreshSessionPayload:
    session: SessionType | None = strawberry.field(
        default=None, description="The new tokens; null when refused."
    )
    player: Player | None = strawberry.field(
        default=None, description="Whose session it is; null when refused."
    )
    user_errors: Errors = strawberry.field(default_factory=list, description=REFUSALS)


@strawberry.input(description="Input. What to change in the own profile.")
class UpdateProfileInput:
    display_name: str = strawberry.field(description=NAME)


@strawberry.type(description="The changed profile.")
class UpdateProfilePayload:
    player: Player | None = strawberry.field(
        default=None, description="The profile as it is now; null when refused."
    )
    user_errors: Errors = strawberry.field(default_factory=list, description=REFUSALS)


@strawberry.input(description="Input. The session to end.")
class SignOutInput:
    refresh_token: str | None = strawberry.field(
        default=None,
        description="Any refresh token of the session, for a client whose access token has "
        "expired; without it the session of the request's own token is ended.",
    )


@strawberry.type(description="The end of a session.")
class SignOutPayload:
    player: Player | None = strawberry.field(
        default=None, description="Who signed out, where the request's own token said so."
    )
    user_errors: Errors = strawberry.field(default_factory=list, description=REFUSALS)


@strawberry.input(description="Input. The deletion of the own account, for good.")
class DeleteAccountInput:
    confirmation: str = strawberry.field(
        description="The present display name, typed anew: a deletion cannot be undone."
    )


@strawberry.type(description="The end of an account.")
class DeleteAccountPayload:
    deleted_player_id: strawberry.ID | None = strawberry.field(
        default=None, description="Whose account it was; null when refused."
    )
    user_errors: Errors = strawberry.field(default_factory=list, description=REFUSALS)


DeleteArgument = Annotated[
    DeleteAccountInput, strawberry.argument(description="That it is really meant.")
]
SignInArgument = Annotated[
    SignInAsGuestInput, strawberry.argument(description="What to be called.")
]
RefreshArgument = Annotated[
    RefreshSessionInput, strawberry.argument(description="The refresh token to use up.")
]
ProfileArgument = Annotated[UpdateProfileInput, strawberry.argument(description="What to change.")]
SignOutArgument = Annotated[SignOutInput, strawberry.argument(description="Which session to end.")]


@strawberry.type
class AccountsMutation:
    @strawberry.mutation(
        description="Make a guest account and sign in. Whoever loses both tokens loses the "
        "account. An address may make only so many in an hour; more are refused with RATE_LIMITED."
    )
    async def sign_in_as_guest(self, info: Info, input: SignInArgument) -> SignInAsGuestPayload:
        services = info.context.services
        await services.rates.spend(services.rates.sign_ins, info.context.address)
        try:
            grant = await service.sign_in_as_guest(services, input.display_name)
        except Refused as refusal:
            return SignInAsGuestPayload(user_errors=_errors(info, refusal))
        return SignInAsGuestPayload(session=SessionType.of(grant), player=Player.of(grant.account))

    @strawberry.mutation(
        description="Get the next pair of tokens; needs no access token. For one minute the same "
        "refresh token gets the same answer again, in case the first one was lost; used after "
        "that, it counts as stolen and the session is ended. Access tokens given out before stay "
        "valid until they expire."
    )
    async def refresh_session(self, info: Info, input: RefreshArgument) -> RefreshSessionPayload:
        try:
            grant = await service.refresh(info.context.services, input.refresh_token)
        except Refused as refusal:
            return RefreshSessionPayload(user_errors=_errors(info, refusal))
        return RefreshSessionPayload(session=SessionType.of(grant), player=Player.of(grant.account))

    @strawberry.mutation(description="Change the own profile; rooms show it at once.")
    async def update_profile(self, info: Info, input: ProfileArgument) -> UpdateProfilePayload:
        account_id = info.context.require_account()
        try:
            account = await service.rename(info.context.services, account_id, input.display_name)
        except Refused as refusal:
            return UpdateProfilePayload(user_errors=_errors(info, refusal))
        return UpdateProfilePayload(player=Player.of(account))

    @strawberry.mutation(
        description="End a session: none of its tokens is good any more, and its sockets are "
        "closed. The account and its rooms stay."
    )
    async def sign_out(self, info: Info, input: SignOutArgument) -> SignOutPayload:
        services, session = info.context.services, info.context.session
        try:
            if input.refresh_token is not None:
                session_id = service.session_of(services, input.refresh_token)
            elif session is not None:
                session_id = session.session_id
            else:
                raise info.context.fault or unauthenticated()
        except Refused as refusal:
            return SignOutPayload(user_errors=_errors(info, refusal))
        await service.sign_out(services, session_id)
        return SignOutPayload(player=await player_of(info, session.account_id) if session else None)

    @strawberry.mutation(
        description="Delete the own account for good: it is signed out everywhere, its name and "
        "its statistics are gone, and it leaves all rooms, giving up its seats in running "
        "matches. Matches stay readable for the others, who see `Deleted player` in its place."
    )
    async def delete_account(self, info: Info, input: DeleteArgument) -> DeleteAccountPayload:
        account_id = info.context.require_account()
        try:
            await deletion.delete(info.context.services, account_id, input.confirmation)
        except Refused as refusal:
            return DeleteAccountPayload(user_errors=_errors(info, refusal))
        return DeleteAccountPayload(deleted_player_id=global_id("Player", account_id))


def _errors(info: Info, refusal: Refused) -> Errors:
    return [AccountError.of(refusal, info.context.locale)]
