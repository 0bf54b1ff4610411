"""Codes may be typed, not tried out: each try counts for the account, each miss for the address."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from api.context import Context
from api.errors import RequestFault
from api.refusals import Refused
from api.rooms.reasons import RoomReason

T = TypeVar("T")


async def try_code(context: Context, find: Callable[[], Awaitable[T]]) -> T:
    """What `find` finds by a code; None or ROOM_NOT_FOUND is a miss. Raises RATE_LIMITED.

    Accounts cost nothing, so misses are counted for the address as well; what is right is not, as
    many people may share one.
    """
    rates = context.services.rates
    # Counted first: a hundred tries in one document run side by side.
    await rates.spend(rates.codes, context.require_account().hex)
    await rates.check(rates.wrong_codes, context.address)
    missed = True
    try:
        found = await find()
        missed = found is None
    except Refused as refusal:
        missed = refusal.reason is RoomReason.ROOM_NOT_FOUND
        raise
    finally:
        if missed:
            with suppress(RequestFault):
                await rates.spend(rates.wrong_codes, context.address)
    return found
