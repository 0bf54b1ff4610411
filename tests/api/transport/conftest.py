"""The sample server, and two ways to speak to it."""

from collections.abc import AsyncIterator

import httpx
import pytest

from api.connections import Sockets
from tests.api.transport.sample import Gateway, sample_app
from tests.api.transport.serving import serving


@pytest.fixture
def gateway() -> Gateway:
    """A gateway of the test's own, for a server with other limits or something to count."""
    return Gateway()


@pytest.fixture(scope="package", params=[Sockets, "websockets"], ids=["ours", "any"])
async def address(request: pytest.FixtureRequest) -> AsyncIterator[str]:
    """`host:port` of a sample server with the default limits: with our sockets, and with those of
    a server that knows nothing of us.
    """
    async with serving(sample_app(Gateway()), ws=request.param) as at:
        yield at


@pytest.fixture
async def http(address: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client of that server that reads English."""
    headers = {"accept-language": "en"}
    async with httpx.AsyncClient(base_url=f"http://{address}", headers=headers) as client:
        yield client
