"""Nobody is punished for downtime: a gap in the cluster's pulse moves every running deadline.

Whoever finds the pulse stale ends the outage before anything else may expire; each running match
then makes up for it (`api/matches/outages.py`).
"""

import logging
from datetime import timedelta

from api.downtime import store
from api.services import Services

log = logging.getLogger(__name__)

OUTAGE_AFTER = timedelta(seconds=5)


async def keep_pulse(services: Services) -> None:
    """Say that the service is up, and if it has not been, note for how long."""
    if await store.renew(services.database, OUTAGE_AFTER):
        return
    number = await store.resume(services.database, OUTAGE_AFTER)
    if number is not None:
        log.warning("the service was away; outage %s", number)
