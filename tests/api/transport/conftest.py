"""The sample server, and two ways to speak to it."""

from collections.abc import AsyncIterator

import httpx
import pytest

from tests.api.transport.sample import Gateway, sample_app
from tests.api.transport.serving import serving


@pytest.fixture
def gateway() -> Gateway:
    """A gateway of the test's own, for a server with other limits or something to count."""
    return Gateway()


@pytest.fixture(scope="package")
async def address() -> AsyncIterator[str]:
    """`host:port` of one sample server with the default limits."""
    async with serving(sample_app(Gateway())) as at:
        yield at


@pytest.fixture
async def http(address: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client of that server that reads English."""
    headers = {"accept-language": "en"}
    async with httpx.AsyncClient(base_url=f"http://{address}", headers=headers) as client:
        yield client
