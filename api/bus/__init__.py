"""Wake-ups: who waits for a topic is told that something changed, never what.

A wake-up may be lost, doubled or late; the truth is in the database, and every process asks it
about all that it watches once in `POLL_SECONDS`.
"""

from api.bus.carriers import carrier
from api.bus.hub import POLL_SECONDS, Bell, Hub, Probe, Waiter, Watcher
from api.bus.link import Pace, Status

__all__ = [
    "POLL_SECONDS",
    "Bell",
    "Hub",
    "Pace",
    "Probe",
    "Status",
    "Waiter",
    "Watcher",
    "carrier",
]
