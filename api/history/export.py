"""A stored match as an export record: what anyone who may read the match may know of it."""

from api.accounts import service as accounts
from api.games.types import chosen_options
from api.history import record
from api.history.log import may_open, redacted, told
from api.history.replays import gapless
from api.matches import store
from api.matches.live import Live, Row
from api.relay import global_id
from api.services import Services
from engines import codec
from engines.protocol import SPECTATOR


async def record_of(services: Services, live: Live) -> record.Record:
    """The record of a match as it is now, its log included.

    The seed is in it where it has been published, and hidden things are where nothing is hidden
    any more; otherwise it holds what spectators may know. Raises `Diverged` if the log has a gap.
    """
    facts = live.facts
    found = await accounts.accounts(services, set(facts.accounts))
    published = facts.verifiable and not live.running
    seed = (await store.seeds(services.database, [facts.id]))[facts.id] if published else None
    return record.Record(
        format="board-match",
        format_version=1,
        id=global_id("Match", facts.id),
        game=facts.game,
        rules_version=facts.rules_version,
        options={
            each.key: each.value  # type: ignore[misc]
            for each in chosen_options(live.engine, facts.options)
        },
        players=[
            record.Player(
                seat, global_id("Player", account_id), found[account_id].display_name or None
            )
            for seat, account_id in enumerate(facts.accounts)
        ],
        status=live.status,  # type: ignore[arg-type]
        started_at=facts.started_at,
        finished_at=live.finished_at,
        end_reason=None if live.result is None else live.result.reason.name,
        result=None if live.result is None else record.plain(codec.encode_result(live.result)),
        seed_commitment=facts.seed_commitment.hex(),
        seed=seed.hex() if seed else None,
        complete=may_open(live),
        log=[_entry(live, row) async for row in gapless(services, live, 0, live.version)],
    )


def _entry(live: Live, row: Row) -> record.Entry:
    action = redacted(live, row, SPECTATOR)
    events = [seen.event for seen in told(live, (row,), SPECTATOR)]
    return record.Entry(
        version=row.version,
        actor=row.actor,  # type: ignore[arg-type]
        seat=row.seat,
        at=row.at,
        action=None if action is None else record.plain(codec.encode_action(action)),
        events=record.plain(codec.encode_events(events)),
    )
