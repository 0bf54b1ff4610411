"""What the laws must be told about one game, and where they find it."""

from collections.abc import Iterable
from importlib import import_module
from random import Random
from typing import Any, Protocol, TypeVar

from engines.protocol import Actor, Engine, Viewer
from engines.replay import Entry

S = TypeVar("S")


class Adapter(Protocol[S]):
    """One game's answers; `tests/engines/<game>/adapter.py` exposes an instance as ADAPTER.

    All chance comes from `rnd`; no method may change its arguments.
    """

    def random_options(self, rnd: Random) -> dict[str, object]:
        """Some or all option keys with values among their choices, for `engine.options`."""

    def longest(self, options: Any, seats: int) -> int | None:
        """The most steps a match can take under random and time-out play; None: need not end."""

    def random_action(self, state: S, actor: Actor, rnd: Random) -> Any | None:
        """An action that `apply` accepts from `actor` now; None where it has none.

        Own actions for a seat, host actions for SYSTEM; system actions are tried by the laws.
        All accepted actions should come up in time, those that end a match by giving up rarely.
        """

    def hostile_action(self, state: S, actor: Actor, rnd: Random) -> Any:
        """Any own or host action with values from anywhere: wrong seats, cells, amounts."""

    def other_world(
        self,
        state: S,
        viewer: Viewer,
        rnd: Random,
        entry: Entry | None = None,
        events: Iterable[Any] = (),
    ) -> tuple[S, Entry | None]:
        """A state that differs in what `viewer` may not know and in nothing else.

        Without `entry`: everything hidden is changed, the stream of chance included. With
        `entry`, the log row about to be performed, and its full `events`: whatever these
        legitimately show to `viewer` stays as it is (dice to be rolled keep the stream, a card
        to be drawn stays on top); the returned row is the same step in the other world, with
        names of hidden things translated where the row itself is hidden from `viewer`.
        """

    def public(self, view: Any) -> Any:
        """The part of a view that events alone must explain: all but the viewer's own choices."""

    def reduce(self, public: Any, event: Any, viewer: Viewer) -> Any:
        """`public` after one redacted event, computed from nothing else."""

    def check_conservation(self, before: S, events: Iterable[Any], after: S) -> None:
        """Assert that nothing appears or vanishes and that `events` explain every change."""


def adapter_of(engine: Engine[Any]) -> Adapter[Any]:
    """The adapter of a game, found by its id."""
    return import_module(f"tests.engines.{engine.id}.adapter").ADAPTER
