"""A match as a process knows it: one immutable snapshot per version, decoded and viewed once."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from engines.protocol import Deadline, Engine, Viewer

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
RUNNING = "RUNNING"
FINISHED = "FINISHED"
ABANDONED = "ABANDONED"


def to_datetime(ms: int) -> datetime:
    """Milliseconds since the epoch as an aware datetime."""
    return EPOCH + timedelta(milliseconds=ms)


def to_ms(at: datetime) -> int:
    """The inverse of `to_datetime`."""
    return (at - EPOCH) // timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Facts:
    """What never changes about a match from its start on; `accounts` is indexed by seat."""

    id: UUID
    room_id: UUID
    game: str
    rules_version: int
    options: Any
    accounts: tuple[UUID, ...]
    seed_commitment: bytes
    public: bool
    allow_spectators: bool
    open_replay: bool
    verifiable: bool
    started_at: datetime

    def seat_of(self, account_id: UUID | None) -> Viewer:
        """The seat of an account, or None for one who only watches."""
        if account_id is None or account_id not in self.accounts:
            return None
        return self.accounts.index(account_id)


@dataclass(frozen=True, slots=True)
class Row:
    """One log row as it was written, decoded."""

    version: int
    actor: str
    seat: int | None
    idempotency_key: str | None
    action: Any
    events: tuple[Any, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class Live:
    """One version of a match. `result` is the engine's, None until the end."""

    facts: Facts
    engine: Engine[Any]
    version: int
    status: str
    state: Any
    finished_at: datetime | None
    result: Any
    views: dict[Viewer, Any] = field(default_factory=dict, compare=False, repr=False)
    answers: dict[Any, Any] = field(init=False, default_factory=dict, compare=False, repr=False)
    """What followers were told of this version, where it is the same for all."""

    @property
    def running(self) -> bool:
        """Whether anybody may still act."""
        return self.status == RUNNING

    @property
    def deadline(self) -> Deadline | None:
        """What the game waits for; None once it has ended."""
        return self.engine.deadline(self.state) if self.running else None

    def view(self, viewer: Viewer) -> Any:
        """The engine's view for a seat or a spectator, built once per version and process."""
        if viewer not in self.views:
            self.views[viewer] = self.engine.view(self.state, viewer)
        return self.views[viewer]

    def advanced(self, state: Any, at: datetime) -> "Live":
        """The snapshot after one more accepted action."""
        result = self.engine.result(state)
        return replace(
            self,
            version=self.version + 1,
            state=state,
            result=result,
            status=RUNNING if result is None else FINISHED,
            finished_at=None if result is None else at,
            views={},
        )


class Recent:
    """The newest snapshots and log rows of the matches this process touches; never the truth.

    A snapshot may have been overtaken: an acceptance judged on it is proven by the
    compare-and-set, a refusal must be judged again on a fresh one. Rows never change; those kept
    are gapless up to the snapshot.
    """

    def __init__(self, matches: int = 4096, rows: int = 64) -> None:
        self._entries: OrderedDict[UUID, tuple[Live, tuple[Row, ...]]] = OrderedDict()
        self._matches = matches
        self._rows = rows

    def get(self, match_id: UUID) -> Live | None:
        """The newest snapshot known here."""
        entry = self._entries.get(match_id)
        return entry[0] if entry else None

    def put(self, live: Live, rows: Sequence[Row] = ()) -> None:
        """Remember a snapshot and the rows up to it, unless a newer one is known."""
        known = self._entries.get(live.facts.id)
        if known and known[0].version > live.version:
            return
        first = rows[0].version if rows else live.version + 1
        before = tuple(r for r in known[1] if r.version < first) if known else ()
        if before and before[-1].version + 1 != first:
            before = ()
        self._entries[live.facts.id] = (live, (*before, *rows)[-self._rows :])
        self._entries.move_to_end(live.facts.id)
        while len(self._entries) > self._matches:
            self._entries.popitem(last=False)

    def since(self, match_id: UUID, version: int) -> tuple[Live, tuple[Row, ...]] | None:
        """The newest snapshot and all rows after `version`; None if it is no newer, or rows lack.

        What comes back is true but need not be the newest there is: for one who was woken.
        """
        live, rows = self._entries.get(match_id, (None, ()))
        missed = tuple(r for r in rows if r.version > version)
        if live is None or not missed or missed[0].version != version + 1:
            return None
        return live, missed
