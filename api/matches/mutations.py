"""One mutation for every game action, derived from the engine's action classes."""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import strawberry
from limits import RateLimitItem

from api.context import PROVES_SESSION, Info
from api.games.binding import Binding
from api.games.derive import describe
from api.games.registry import Game
from api.matches.feed import Seen, visible
from api.matches.judge import Played
from api.matches.reasons import MatchReason
from api.matches.service import play
from api.matches.types import events_of, match_id_of, view_of
from api.matches.views import MatchEvent
from api.rates import SECOND, budget
from api.refusals import Refused
from engines.protocol import Illegal

_PACED = (
    " A seat may send at most {} a second of this and its like; more are refused with "
    "RATE_LIMITED and `retryAfter`."
)


@strawberry.input
class ActionInput:
    match_id: strawberry.ID = strawberry.field(description="The match to act in.")
    expected_version: int | None = strawberry.field(
        default=None,
        description="Refuse the action (STALE_VERSION) unless the match is at this version.",
    )
    idempotency_key: str | None = strawberry.field(
        default=None,
        description="Up to 64 characters of your choice, unique for each action you mean. Sent "
        "again with the same action it gives the first answer again and does nothing more: "
        "always send one, so that a lost answer can be asked for again.",
    )


class Asked(NamedTuple):
    """An action and the rest of its input, read."""

    action: Any
    match_id: str
    expected_version: int | None
    idempotency_key: str | None

    @classmethod
    def of(cls, given: Mapping[str, Any], action: Any) -> "Asked":
        """From the fields of `ActionInput`."""
        return cls(
            action, given["matchId"], given.get("expectedVersion"), given.get("idempotencyKey")
        )


def mutations(binding: Binding) -> type:
    """A type holding one mutation field for each action of a game."""
    fields = {
        f"{binding.game.verb}{action.__name__}": _mutation(binding, action)
        for action in (*binding.engine.actions, *binding.engine.host_actions)
    }
    return strawberry.type(type(f"{binding.game.prefix}Mutation", (), fields))


def _mutation(binding: Binding, action_type: type) -> Any:
    name = binding.game.prefix + action_type.__name__
    input_type = binding.derivation.action_input(action_type, ActionInput, Asked.of)
    payload_type = _payload_type(binding, name)
    pace = pace_of(binding.game, action_type)

    async def resolve(info: Info, input: Asked) -> Any:
        account = info.context.claimant()
        try:
            match_id = match_id_of(input.match_id)
            if match_id is None:
                raise Refused(MatchReason.MATCH_NOT_FOUND, path=["matchId"])
            if pace is not None:
                # A person holds one seat of a match at most, so this is a pace for each seat.
                who = f"{match_id.hex}:{account.hex}"
                await info.context.services.rates.spend(pace, who)
            played = await play(
                info.context.services,
                binding.engine,
                account,
                match_id,
                input.action,
                expected_version=input.expected_version,
                key=input.idempotency_key,
                claim=info.context.claim,
            )
        except (Refused, Illegal) as refusal:
            await info.context.prove()
            info.context.require_account()
            error = binding.error_type.of(refusal, info.context.locale)
            return payload_type(version=None, events=[], view=None, user_errors=[error])
        await info.context.prove()  # by the write: nothing is read for it
        return payload_type(
            version=played.row.version,
            events=events_of(info, played.live, _seen(played)),
            view=view_of(info, played.live, played.viewer),
            user_errors=[],
        )

    resolve.__annotations__ = {
        "info": Info,
        "input": Annotated[
            input_type, strawberry.argument(description="What to do, and in which match.")
        ],
        "return": payload_type,
    }
    public = name[:1].lower() + name[1:]
    paced = _PACED.format(pace.amount) if pace else ""
    return strawberry.mutation(
        resolver=resolve,
        name=public,
        metadata={PROVES_SESSION: True},
        description=f"{describe(action_type)} Refused with a reason in `userErrors`; a refused "
        f"action changes nothing.{paced}",
    )


def pace_of(game: Game, action_type: type) -> RateLimitItem | None:
    """The budget of a second that an action shares with others of its game, if it has a pace."""
    for number, pace in enumerate(game.paces):
        if action_type in pace.actions:
            return budget(f"pace:{game.engine.id}:{number}", pace.per_second, SECOND)
    return None


def _payload_type(binding: Binding, name: str) -> Any:
    namespace = {
        "__module__": __name__,
        "__annotations__": {
            "version": int | None,
            "events": list[MatchEvent],
            "view": binding.view_type | None,
            "user_errors": list[binding.error_type],  # type: ignore[name-defined]
        },
        "version": strawberry.field(
            description="The version that the action led to; null if it was refused."
        ),
        "events": strawberry.field(
            description="What the action brought about, as its sender may see it."
        ),
        "view": strawberry.field(
            description="The sender's view of the match as it is now; null if it was refused."
        ),
        "user_errors": strawberry.field(description="Why it was refused; empty if it was not."),
    }
    return strawberry.type(
        type(f"{name}Payload", (), namespace),
        description=f"What came of `{name[:1].lower()}{name[1:]}`.",
    )


def _seen(played: Played) -> tuple[Seen, ...]:
    return visible(played.live, (played.row,), played.viewer)
