"""One follower of a match: who it is, and how far it has been told."""

import asyncio
from collections.abc import Callable
from typing import Any
from uuid import UUID

from api import logs, turns
from api.absence.service import returned
from api.context import Context
from api.errors import bad_request
from api.following import Feed
from api.matches.channel import Channel
from api.matches.feed import Update
from api.matches.loading import load
from api.matches.service import may_watch
from engines.protocol import Viewer
from engines.texts import Text


class MatchFeed(Feed):
    """The match as it is now, or all that happened after a version, then whatever happens.

    There is always a first update at once, and one without events whenever a player's connection
    comes or goes; whoever follows counts as connected. Ends when the match has ended or may no
    longer be watched; tells nothing at all where there is no match to be seen. Opening raises
    BAD_REQUEST when `after` lies in the future, and UNAUTHENTICATED.
    """

    __slots__ = (
        "_after",
        "_channel",
        "_context",
        "_match_id",
        "_present",
        "_shown",
        "account_id",
        "reached",
        "reading",
        "shown",
        "told",
        "viewer",
    )

    def __init__(
        self,
        context: Context,
        match_id: UUID | None,
        after: int | None,
        shown: Callable[[Update], Any],
    ) -> None:
        """`shown` makes of an update what the listener is told."""
        super().__init__()
        self._context = context
        self._after = after
        self._shown = shown
        self._channel: Channel | None = None
        self._present: UUID | None = None
        self._match_id = match_id
        self.account_id: UUID | None = None
        self.viewer: Viewer = None
        self.told = 0
        """The version last told."""
        self.reached = 0
        """The version up to which there is nothing more to see: never before `told`."""
        self.shown: tuple[frozenset[UUID], str] | None = None
        """Who was connected, and the match's status, when last told; None before."""
        self.reading: asyncio.Task[None] | None = None
        """Reads what this follower alone has missed."""

    def resume(self) -> None:
        """The listener is ready again."""
        if self._channel is not None:
            self._channel.tell(self)

    async def _begin(self) -> None:
        services, account_id = self._context.services, self._context.require_account()
        if self._match_id is None:
            self.end()
            return
        logs.about(match_id=self._match_id)
        turns.be(turns.Kind.FOLLOWER)
        self.account_id = account_id
        # The channel is woken from now on, so that no change falls between it and the first read.
        channel = self._channel = Channel.of(services, self._match_id, self._shown)
        live = await load(services, self._match_id)
        if live is None or not await may_watch(services, live, account_id):
            self.end()
            return
        self.told = live.version if self._after is None else self._after
        if not 0 <= self.told <= live.version:
            raise bad_request(
                Text(
                    "after가 현재 버전보다 커요.",
                    "`after` must be a version between 0 and the present one.",
                )
            )
        self.reached = self.told
        self.viewer = live.facts.seat_of(account_id)
        channel.attend(live)
        self._present = live.facts.room_id
        services.presence.come(self._present, account_id)
        await channel.ready()
        if self.viewer is not None:
            await returned(services, live, self.viewer)
        channel.admit(self, at_once=self._after is None)

    def _leave(self) -> None:
        if self.reading is not None:
            self.reading.cancel()
            self.reading = None
        channel, self._channel = self._channel, None
        if channel is not None:
            channel.let_go(self)
        if self._present is not None and self.account_id is not None:
            self._context.services.presence.go(self._present, self.account_id)
            self._present = None
