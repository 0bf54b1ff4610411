"""What is measured, and under which names Prometheus finds it at `/metrics`.

One process answers from its memory. Workers share the folder in PROMETHEUS_MULTIPROC_DIR, which
their parent sets before they start, and whichever of them is asked answers for all.
"""

import asyncio
import fcntl
import os
import shutil
import tempfile
from bisect import bisect_left
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager, suppress
from functools import wraps
from inspect import isawaitable
from time import monotonic, perf_counter
from typing import Any, Literal, NoReturn, ParamSpec, TypeVar, cast, get_args

from graphql import GraphQLSchema
from prometheus_client import (
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from api.following import Feed
from engines.protocol import TimeOut

P = ParamSpec("P")
Append = TypeVar("Append", bound=Callable[..., Awaitable[Any]])
Fate = Literal["sent", "heard", "dropped"]

SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
SAMPLE_SECONDS = 1.0
FAST = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
LATE = (0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0, 15.0, 60.0)

SOCKETS = Gauge(
    "board_sockets",
    "Open sockets and streams: websocket, events, multipart.",
    ["transport"],
    multiprocess_mode="livesum",
)
SUBSCRIPTIONS = Gauge(
    "board_subscriptions",
    "Subscriptions that run, by the field subscribed to.",
    ["field"],
    multiprocess_mode="livesum",
)
ACTIONS = Counter(
    "board_actions", "Actions written to a match's log, the clock's too.", ["game", "action"]
)
REFUSALS = Counter(
    "board_refusals", "Mutations refused by the rules, by family of errors.", ["family", "code"]
)
FAULTS = Counter("board_faults", "GraphQL errors told to clients.", ["code"])
ACTION_SECONDS = Histogram(
    "board_action_seconds",
    "From the judgement of an action to its commit; of time-outs, to the write.",
    ["game"],
    buckets=FAST,
)
WAKE_UP_SECONDS = Histogram(
    "board_wake_up_seconds",
    "From the judgement of an action to a watcher of the match being told, in game time.",
    buckets=FAST,
)
TIME_OUT_DELAY = Histogram(
    "board_time_out_delay_seconds",
    "How long after its deadline a match was expired, in game time; its count is of deadlines.",
    ["game"],
    buckets=LATE,
)
CLOCK_LAG = Gauge(
    "board_clock_lag_seconds",
    "Since the clock last looked for matches that are due; of several processes, the longest.",
    multiprocess_mode="livemax",
)
POOL = Gauge(
    "board_pool_connections",
    "Connections of each pool: open, in use, and the most there may be.",
    ["pool", "state"],
    multiprocess_mode="livesum",
)
BUS = Gauge(
    "board_bus_up",
    "Whether wake-ups travel between processes: 1, or 0 in at least one process.",
    multiprocess_mode="livemin",
)
BUS_TOPICS = Counter(
    "board_bus_topics",
    "Wake-ups by what became of them: sent to other processes, heard from them, or dropped because "
    "too many waited on the way; of what is dropped, the poll tells a second or two later.",
    ["fate"],
)
BUS_LOSSES = Counter("board_bus_losses", "How often a link to the bus that was up went down.")
LOOP_LAG = Gauge(
    "board_event_loop_lag_seconds",
    "By how much the event loop was late last second; of several processes, the longest.",
    multiprocess_mode="livemax",
)
REPLAYS_DIVERGED = Counter(
    "board_replays_diverged",
    "Replays of a match that did not reproduce what is stored; anything but 0 is an alarm.",
    ["game"],
)
TASKS = Gauge("board_tasks", "Tasks of asyncio.", multiprocess_mode="livesum")

for fate in get_args(Fate):
    BUS_TOPICS.labels(fate)  # a zero is told as well
disable_created_metrics()  # type: ignore[no-untyped-call]
_ticked = monotonic()


@contextmanager
def socket(transport: str) -> Iterator[None]:
    """A socket or stream is open."""
    with SOCKETS.labels(transport).track_inprogress():
        yield


def count_subscriptions(schema: GraphQLSchema) -> None:
    """Count the feeds of every subscription of the schema while they run."""
    subscription = schema.subscription_type
    for name, field in subscription.fields.items() if subscription else ():
        field.subscribe = _counted(name, cast("Callable[..., Any]", field.subscribe))


def judged(append: Append) -> Append:
    """Measure `api.matches.writing.append`: a call that moves a version is an accepted action."""

    @wraps(append)
    async def measured(connection: Any, live: Any, command: Any, at: int) -> Any:
        began = perf_counter()
        moved = await append(connection, live, command, at)
        if moved is not None and moved[0] is not live:
            game, action = live.facts.game, type(command.action)
            ACTION_SECONDS.labels(game).observe(perf_counter() - began)
            ACTIONS.labels(game, action.__name__).inc()
            until = live.deadline.until if action is TimeOut else None
            if until is not None and at >= until:  # else an absent seat's grace was over first
                TIME_OUT_DELAY.labels(game).observe((at - until) / 1000)
        return moved

    return cast("Append", measured)


def refused(family: str, code: str) -> None:
    """A mutation was refused."""
    REFUSALS.labels(family, code).inc()


def told(code: str) -> None:
    """A client was told of a GraphQL error."""
    FAULTS.labels(code).inc()


def woken(ms: int, watchers: int) -> None:
    """So many watchers are being told of an action, so long after it was judged."""
    seconds = max(0, ms) / 1000
    # `observe`, many times over: a thousand calls of it are two milliseconds.
    WAKE_UP_SECONDS._sum.inc(seconds * watchers)
    place = bisect_left(WAKE_UP_SECONDS._upper_bounds, seconds)
    WAKE_UP_SECONDS._buckets[place].inc(watchers)


def carried(fate: Fate, topics: int) -> None:
    """So many topics were sent to the bus, heard from it, or given up."""
    BUS_TOPICS.labels(fate).inc(topics)


def bus_lost() -> None:
    """A link to the bus that was up has gone down."""
    BUS_LOSSES.inc()


def ticked() -> None:
    """The clock has looked for matches that are due."""
    global _ticked
    _ticked = monotonic()


def sample(pools: Mapping[str, Mapping[str, int]], bus_up: bool) -> None:
    """Note what is only known by looking; `pools` holds counts by state for each pool."""
    for pool, states in pools.items():
        for state, count in states.items():
            POOL.labels(pool, state).set(count)
    BUS.set(bus_up)
    TASKS.set(len(asyncio.all_tasks()))
    CLOCK_LAG.set(monotonic() - _ticked)


async def keep_sampling(look: Callable[[], None]) -> NoReturn:
    """Call `look` now and every second, and measure by how much the event loop is late for it."""
    while True:
        look()
        due = monotonic() + SAMPLE_SECONDS
        await asyncio.sleep(SAMPLE_SECONDS)
        LOOP_LAG.set(max(0.0, monotonic() - due))


async def exposition() -> tuple[bytes, str]:
    """All that is measured as Prometheus reads it, and the media type of that."""
    return await asyncio.to_thread(generate_latest, _registry()), CONTENT_TYPE_LATEST


@contextmanager
def shared_folder() -> Iterator[str]:
    """A folder for the workers of one parent; give it to them as `SHARED_FOLDER`."""
    with tempfile.TemporaryDirectory(prefix="board-metrics-") as folder:
        held = os.open(folder, os.O_RDONLY)
        fcntl.flock(held, fcntl.LOCK_SH)
        try:
            yield folder
        finally:
            os.close(held)


@contextmanager
def sharing() -> Iterator[None]:
    """In a worker: use the parent's folder. If the parent is killed, the last to leave clears up.

    Nobody clears up before: others may still be counting.
    """
    folder = os.open(os.environ[SHARED_FOLDER], os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_SH)
        yield
        with suppress(BlockingIOError):
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(os.environ[SHARED_FOLDER], ignore_errors=True)
    finally:
        os.close(folder)


def forget(folder: str, pid: int) -> None:
    """A worker is dead: what it counted stays, what it held is gone."""
    mark_process_dead(pid, folder)  # type: ignore[no-untyped-call]


def _counted(field: str, subscribe: Callable[P, Any]) -> Callable[P, Awaitable[Any]]:
    async def counted(feed: AsyncGenerator[Any, None]) -> AsyncGenerator[Any, None]:
        with SUBSCRIPTIONS.labels(field).track_inprogress():
            async with aclosing(feed):
                async for item in feed:
                    yield item

    @wraps(subscribe)
    async def subscribing(*args: P.args, **kwargs: P.kwargs) -> Any:
        feed = subscribe(*args, **kwargs)
        if isawaitable(feed):
            feed = await feed
        if isinstance(feed, Feed):
            feed.count = SUBSCRIPTIONS.labels(field)
        return counted(feed) if isinstance(feed, AsyncGenerator) else feed  # else: an error

    return subscribing


def _registry() -> CollectorRegistry:
    if SHARED_FOLDER not in os.environ:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry
