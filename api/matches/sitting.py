"""Who sits at a match, kept at hand for those who follow it: who is connected, and the names."""

import asyncio
from collections.abc import Callable, Mapping
from uuid import UUID

from api.accounts import service as accounts
from api.accounts.store import Profile
from api.bus import Bell
from api.matches.feed import Sitting
from api.matches.live import Facts
from api.services import Services


class Sitters:
    """The people at the seats of one match. `changed` is called when one of them comes, goes, or
    is called otherwise; what there is then is known after `read`.
    """

    def __init__(self, services: Services, facts: Facts, changed: Callable[[], None]) -> None:
        self._services = services
        self._facts = facts
        self._changed = changed
        self._comings = Bell(changed)
        self._room = services.presence.attend(facts.room_id, self._comings, of=facts.accounts)
        self._names = {account: Bell(self._renamed) for account in facts.accounts}
        for account, bell in self._names.items():
            services.hub.join(accounts.topic(account), bell)
        self._profiles: Mapping[UUID, Profile] = {}
        self._known = False
        self._renaming = False
        self._reading = asyncio.Lock()
        self._sitting = Sitting(frozenset(), {})

    async def read(self) -> None:
        """Read what is not known, or has changed."""
        await self._room.read.wait()
        if self._known:
            return
        async with self._reading:
            while not self._known:
                self._renaming = False
                self._profiles = await accounts.accounts(self._services, self._names)
                for account, bell in self._names.items():
                    found = self._profiles.get(account)
                    bell.marker = None if found is None else found.revision
                self._known = not self._renaming

    @property
    def sitting(self) -> Sitting:
        """All as last read; the same object until something has changed."""
        connected = self._room.connected.intersection(self._names)
        last = self._sitting
        if connected != last.connected or self._profiles is not last.profiles:
            self._sitting = Sitting(connected, self._profiles)
        return self._sitting

    def leave(self) -> None:
        """Follow them no more."""
        self._services.presence.stay_away(self._facts.room_id, self._comings)
        for account, bell in self._names.items():
            self._services.hub.leave(accounts.topic(account), bell)

    def _renamed(self) -> None:
        self._known, self._renaming = False, True
        self._changed()
