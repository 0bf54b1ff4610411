"""Several server processes on one listening socket: started, watched, replaced, stopped together.

A worker is a fresh interpreter that inherits the socket and its end of a leash, a pair of sockets:
it says there that it serves, and the kernel tells it there, by an end of file, of our death.
"""

import asyncio
import logging
import os
import signal
import socket
import sys
from asyncio.subprocess import DEVNULL, Process
from contextlib import suppress

from api import metrics
from api.config import Config, StartError
from api.server import SERVING, say_where

log = logging.getLogger(__name__)

STOP_SECONDS = 4.0
FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 10.0


def run(config: Config, bound: socket.socket) -> None:
    """Serve with `config.workers` processes until SIGINT or SIGTERM.

    `config.database_url` is set and migrated. Raises StartError if a worker cannot start at first;
    later ones are tried again until they do.
    """
    with metrics.shared_folder() as folder:
        asyncio.run(_run(config, bound, folder))


async def _run(config: Config, bound: socket.socket, folder: str) -> None:
    crew = Crew(config, bound, folder)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, crew.stop)
    await asyncio.gather(*(crew.keep_one() for _ in range(config.workers)))
    if crew.failed:
        raise StartError("a worker could not start; it has said why")


class Crew:
    """The workers of one parent."""

    def __init__(self, config: Config, bound: socket.socket, folder: str) -> None:
        self._bound = bound
        self._folder = folder
        self._environ = {
            **os.environ,
            "DATABASE_URL": config.database_url or "",
            "BOARD_WORKERS": str(config.workers),
            metrics.SHARED_FOLDER: folder,
        }
        self._to_start = config.workers
        self._living: set[Process] = set()
        self._stopping = asyncio.Event()
        self.failed = False

    def stop(self) -> None:
        """Stop all in good order; those that take too long, or all if asked again, at once."""
        if self._stopping.is_set():
            self._signal(signal.SIGKILL)
            return
        self._stopping.set()
        self._bound.close()  # else clients would wait in its queue
        self._signal(signal.SIGTERM)
        asyncio.get_running_loop().call_later(STOP_SECONDS, self._signal, signal.SIGKILL)

    async def keep_one(self) -> None:
        """See to it that one worker serves, until asked to stop."""
        ever_served = False
        pause = FIRST_PAUSE_SECONDS
        while not self._stopping.is_set():
            served = await self._one_life(first=not ever_served)
            ever_served = ever_served or served
            if not ever_served and not self._stopping.is_set():
                self.failed = True
                self.stop()
            pause = FIRST_PAUSE_SECONDS if served else min(pause * 2, LONGEST_PAUSE_SECONDS)
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._stopping.wait()

    async def _one_life(self, *, first: bool) -> bool:
        """Start a worker and wait for its end; whether it has served."""
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                process = await self._start(theirs)
            ours.setblocking(False)
            self._living.add(process)
            if self._stopping.is_set():
                process.terminate()
            served = await asyncio.get_running_loop().sock_recv(ours, len(SERVING)) == SERVING
            if served and first:
                self._has_started()
            status = await process.wait()
            self._living.discard(process)
            metrics.forget(self._folder, process.pid)
        if not self._stopping.is_set():
            log.error("worker %d has ended with status %d", process.pid, status)
        return served

    async def _start(self, leash: socket.socket) -> Process:
        passed = (self._bound.fileno(), leash.fileno())
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "api", "worker", *map(str, passed)),
            pass_fds=passed,
            env=self._environ,
            stdin=DEVNULL,
            start_new_session=True,  # Ctrl-C in a terminal is ours to handle
        )

    def _has_started(self) -> None:
        """Say where we serve when every worker does."""
        self._to_start -= 1
        if not self._to_start and not self._stopping.is_set():
            say_where(self._bound)

    def _signal(self, number: signal.Signals) -> None:
        for process in self._living:
            with suppress(ProcessLookupError):
                process.send_signal(number)
