"""Finding matches."""

from uuid import UUID

from api.history import store
from api.history.store import Filter
from api.matches.live import Live
from api.matches.loading import decoded
from api.pages import Window
from api.services import Services


async def page(
    services: Services,
    wanted: Filter | None,
    account_id: UUID | None,
    window: Window,
    *,
    whole: bool,
) -> list[Live]:
    """The matches asked for that an account may read, with one more if others follow.

    Without an account: the ended ones of public rooms. Their states are there only if `whole`.
    """
    if wanted is None:
        return []
    records = await store.page(services.database, wanted, account_id, window, whole=whole)
    return [decoded(services, record) for record in records]
