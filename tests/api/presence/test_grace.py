"""R137 and W-12: since when a seat is gone, after a request, a lost socket or an outage."""

from datetime import datetime, timedelta
from uuid import UUID, uuid4

from api.games.binding import Binding
from api.matches import service as matches
from api.matches import store
from api.matches.expiry import Burst
from api.matches.grace import Whereabouts
from api.matches.live import to_datetime
from api.matches.loading import load
from api.presence import store as presence
from api.services import Services
from engines import codec
from engines.rng import commitment
from tests.api.in_process import games, person, services

__all__ = ["games", "services"]

HOUR = timedelta(hours=1)
SEED = bytes(32)


async def deserted(services: Services, began: datetime) -> UUID:
    """A match of people who never came, without any limit but the grace, as of its beginning."""
    binding: Binding = services.games["marble"]
    options = binding.engine.options({"turnSeconds": None, "maxRounds": 0})
    at = int(began.timestamp() * 1000)
    step = binding.engine.setup(options, 2, SEED, at)
    new = store.NewMatch(
        id=uuid4(),
        room_id=uuid4(),
        game=binding.engine.id,
        rules_version=binding.engine.rules_version,
        options=codec.encode_options(options).decode(),
        seats=2,
        seed=SEED,
        seed_commitment=commitment(SEED),
        public=True,
        allow_spectators=True,
        open_replay=False,
        verifiable=False,
        state=codec.encode_state(step.state).decode(),
        deadline_at=None,
        started_at=began,
        accounts=(await person(services, "가온"), await person(services, "나래")),
        events=codec.encode_events(step.events).decode(),
    )
    async with services.database.transaction() as session:
        await store.insert(session, new)
    return new.id


async def outage(services: Services, until: datetime) -> None:
    """An hour without any process, which every match has made up for."""
    await services.database.execute(
        "INSERT INTO outage (began_at, ended_at) VALUES ($1, $2)", until - HOUR, until
    )
    await services.database.execute("UPDATE match SET outages = (SELECT max(number) FROM outage)")


async def test_the_grace_of_who_is_gone_runs_out(services: Services) -> None:
    now = to_datetime(services.database.now())
    match_id = await deserted(services, now - HOUR)
    await outage(services, now - HOUR)
    assert await Burst(services).expire(match_id) is not None


async def test_nobody_is_gone_before_the_end_of_the_last_outage(services: Services) -> None:
    now = to_datetime(services.database.now())
    match_id = await deserted(services, now - 3 * HOUR)
    # Ahead of us, so that the grace behind it does not run out while we look.
    await outage(services, now + HOUR)
    assert await Burst(services).expire(match_id) is None
    assert await matches.status_of(services, match_id) == "RUNNING"


async def test_a_request_counts_for_a_while_unless_a_socket_was_lost_since(
    services: Services,
) -> None:
    match_id = await deserted(services, to_datetime(services.database.now()) - HOUR)
    live = await load(services, match_id)
    assert live is not None
    assert live.deadline is not None
    assert live.deadline.seat is not None
    database, process = services.database, uuid4()
    place = (live.facts.room_id, live.facts.accounts[live.deadline.seat])

    async def gone() -> bool:
        return await Whereabouts(services).gone_since(live) is not None

    assert await gone()
    await presence.touch(database, process, [place])
    assert not await gone()
    await presence.mark(database, process, {place: True})
    assert not await gone()
    await presence.mark(database, process, {place: False})
    assert await gone()
    await presence.touch(database, process, [place])
    assert not await gone()
