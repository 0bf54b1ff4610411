"""Streams over HTTP: server-sent events, and Apollo's multipart subscriptions."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from api.transport import StreamLimits
from tests.api.transport.sample import FAULTS, Gateway, sample_app
from tests.api.transport.serving import serving

PATH = "/graphql/stream"
EVENTS = {"accept": "text/event-stream"}
APOLLO = {"accept": "multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json;q=0.9"}
PART = "\r\nContent-Type: application/json\r\n\r\n"
SHORT = 0.05


def events(*results: dict[str, Any]) -> str:
    """The whole text of a stream of events with these results."""
    told = (f"event: next\ndata: {json.dumps(each, separators=(',', ':'))}\n\n" for each in results)
    return "".join([":\n\n", *told, "event: complete\ndata:\n\n"])


async def post(http: httpx.AsyncClient, query: str, **members: Any) -> httpx.Response:
    return await http.post(PATH, json={"query": query, **members}, headers=EVENTS)


@asynccontextmanager
async def streaming(
    address: str, query: str, headers: dict[str, str] = EVENTS
) -> AsyncIterator[AsyncIterator[str]]:
    """The chunks of a stream that has begun, as the server sent them."""
    async with (
        httpx.AsyncClient(base_url=f"http://{address}", timeout=30) as http,
        http.stream("POST", PATH, json={"query": query}, headers=headers) as response,
    ):
        assert response.status_code == 200
        yield response.aiter_text()


async def rest(chunks: AsyncIterator[str]) -> str:
    return "".join([chunk async for chunk in chunks])


async def test_events_as_they_are_sent(http: httpx.AsyncClient) -> None:
    response = await post(http, "subscription { count(to: 2) }")
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert response.headers["cache-control"] == "no-store, no-transform"
    assert response.headers["x-accel-buffering"] == "no"
    assert response.text == events({"data": {"count": 0}}, {"data": {"count": 1}})


async def test_parts_as_they_are_sent(http: httpx.AsyncClient) -> None:
    query = "subscription { count(to: 2) }"
    response = await http.post(PATH, json={"query": query}, headers=APOLLO)
    assert response.status_code == 200
    assert response.headers["content-type"] == (
        'multipart/mixed; boundary="graphql"; subscriptionSpec="1.0"'
    )
    assert response.text == (
        f'\r\n--graphql{PART}{{"payload":{{"data":{{"count":0}}}}}}'
        f'\r\n--graphql{PART}{{"payload":{{"data":{{"count":1}}}}}}'
        "\r\n--graphql--\r\n"
    )


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        (None, "text/event-stream"),
        ("*/*", "text/event-stream"),
        ("text/*", "text/event-stream"),
        ("text/event-stream, multipart/mixed", "text/event-stream"),
        ("multipart/mixed, text/event-stream", "text/event-stream"),
        ('multipart/mixed; subscriptionSpec="1.0", text/event-stream', "multipart/mixed"),
        ("multipart/mixed;subscriptionSpec=1.0;q=0.5, text/event-stream", "text/event-stream"),
        ("application/json, */*;q=0.1", "text/event-stream"),
    ],
)
async def test_the_kind_of_stream_is_negotiated(
    address: str, accept: str | None, media: str
) -> None:
    async with httpx.AsyncClient(base_url=f"http://{address}") as http:
        del http.headers["accept"]
        headers = {"accept": accept} if accept else {}
        response = await http.post(PATH, json={"query": "{ hello }"}, headers=headers)
    assert response.headers["content-type"].split(";")[0] == media


@pytest.mark.parametrize(
    "accept",
    [
        "application/json",
        "multipart/mixed",
        "multipart/mixed;subscriptionSpec=2.0",
        "text/event-stream;q=0",
    ],
)
async def test_other_media_are_406(http: httpx.AsyncClient, accept: str) -> None:
    response = await http.post(PATH, json={"query": "{ hello }"}, headers={"accept": accept})
    assert response.status_code == 406
    assert response.json()["errors"][0]["extensions"] == {"code": "BAD_REQUEST"}


async def test_queries_and_mutations_are_streams_of_one(http: httpx.AsyncClient) -> None:
    assert (await post(http, "{ hello }")).text == events({"data": {"hello": "world"}})
    added = await post(http, "mutation { add(number: 1) }")
    assert added.text == events({"data": {"add": 2}})


async def test_get_subscribes_but_never_changes_anything(http: httpx.AsyncClient) -> None:
    query = "subscription S($n: Int!) { count(to: $n) }"
    params = {"query": query, "variables": '{"n": 1}', "operationName": "S"}
    response = await http.get(PATH, params=params, headers=EVENTS)
    assert response.text == events({"data": {"count": 0}})
    response = await http.get(PATH, params={"query": "mutation { add(number: 1) }"}, headers=EVENTS)
    assert response.text == events(
        {
            "errors": [
                {
                    "message": "mutations are not allowed",
                    "extensions": {"code": "OPERATION_RESOLUTION_FAILURE"},
                }
            ]
        }
    )


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("{", "GRAPHQL_PARSE_FAILED"),
        ("subscription { nothing }", "GRAPHQL_VALIDATION_FAILED"),
        ("query A { hello } query B { hello }", "OPERATION_RESOLUTION_FAILURE"),
        ("subscription($n: Int!) { count(to: $n) }", "BAD_USER_INPUT"),
        ("{ items(first: 20000) { nodes { name } } }", "QUERY_TOO_COMPLEX"),
    ],
)
async def test_bad_operation_is_told_in_the_stream(
    http: httpx.AsyncClient, query: str, code: str
) -> None:
    response = await post(http, query)
    assert response.status_code == 200
    start, told, complete, end = response.text.split("\n\n")
    result = json.loads(told.removeprefix("event: next\ndata: "))
    assert [error["extensions"]["code"] for error in result["errors"]] == [code]
    assert "data" not in result
    assert (start, complete, end) == (":", "event: complete\ndata:", "")


async def test_fault_in_a_stream_completes_it(http: httpx.AsyncClient) -> None:
    response = await post(http, "subscription { loseRight }")
    error = {
        "message": "You are not allowed to do this.",
        "extensions": {"code": "FORBIDDEN"},
    }
    assert response.text == events({"data": {"loseRight": 1}}, {"data": None, "errors": [error]})


@pytest.mark.parametrize(("name", "status"), [("unauthenticated", 401), ("limited", 429)])
async def test_stream_not_admitted_has_a_status(
    http: httpx.AsyncClient, name: str, status: int
) -> None:
    headers = {**EVENTS, "authorization": name}
    response = await http.post(PATH, json={"query": "{ hello }"}, headers=headers)
    assert response.status_code == status
    assert response.json()["errors"][0]["extensions"]["code"] == FAULTS[name]().code


@pytest.mark.parametrize(
    ("method", "content", "media", "status"),
    [
        ("PUT", b"", "application/json", 405),
        ("POST", b'{"query": "{ hello }"}', "text/plain", 415),
        ("POST", b"[]", "application/json", 400),
        ("POST", b'{"query": "' + b"x" * (128 << 10) + b'"}', "application/json", 413),
    ],
)
async def test_requests_are_limited_as_elsewhere(
    http: httpx.AsyncClient, method: str, content: bytes, media: str, status: int
) -> None:
    headers = {**EVENTS, "content-type": media}
    response = await http.request(method, PATH, content=content, headers=headers)
    assert response.status_code == status


@pytest.mark.parametrize(
    ("headers", "beat"),
    [(EVENTS, ":\n\n"), (APOLLO, PART + "{}\r\n--graphql")],
)
async def test_quiet_stream_shows_that_it_lives(
    gateway: Gateway, headers: dict[str, str], beat: str
) -> None:
    app = sample_app(gateway, stream=StreamLimits(beat_seconds=SHORT))
    async with (
        serving(app) as at,
        streaming(at, "subscription { forever }", headers) as chunks,
    ):
        received = ""
        while not received.endswith(2 * beat):
            received += await anext(chunks)
        assert received.count('{"data":{"forever":1}}') == 1


async def test_client_that_goes_is_forgotten(gateway: Gateway) -> None:
    async with serving(sample_app(gateway)) as at:
        async with streaming(at, "subscription { forever }") as chunks:
            assert await anext(chunks) == ":\n\n"
            assert gateway.running["sockets"] == 1
        await gateway.gone.wait()
        assert (gateway.running["sockets"], gateway.running["forever"]) == (0, 0)
        gateway.controls[0].close()  # too late to matter


async def test_client_that_takes_nothing_is_let_go(
    gateway: Gateway, caplog: pytest.LogCaptureFixture
) -> None:
    app = sample_app(gateway, stream=StreamLimits(stall_seconds=SHORT, close_seconds=SHORT))
    body = json.dumps({"query": "subscription { flood(size: 100000) }"}).encode()
    head = f"POST {PATH} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
    async with serving(app) as at:
        host, port = at.split(":")
        reader, writer = await asyncio.open_connection(host, int(port), limit=1)
        writer.write(head.encode() + b"content-length: %d\r\n\r\n" % len(body) + body)
        await gateway.gone.wait()
        assert gateway.running["sockets"] == 0
        writer.transport.abort()
        assert reader.exception() is None
    assert [record for record in caplog.records if record.exc_info] == []


async def test_session_that_ends_breaks_the_stream_off(gateway: Gateway) -> None:
    async with (
        serving(sample_app(gateway)) as at,
        streaming(at, "subscription { forever }") as chunks,
    ):
        assert await anext(chunks) == ":\n\n"
        assert await anext(chunks) == 'event: next\ndata: {"data":{"forever":1}}\n\n'
        gateway.controls[0].close()
        # No `complete`: clients connect again, with a fresh token.
        assert await rest(chunks) == ""
        await gateway.gone.wait()
    assert gateway.running["forever"] == 0


async def test_session_that_ends_is_told_in_a_part(gateway: Gateway) -> None:
    async with (
        serving(sample_app(gateway)) as at,
        streaming(at, "subscription { forever }", APOLLO) as chunks,
    ):
        while "forever" not in await anext(chunks):
            pass
        gateway.controls[0].close()
        last = await rest(chunks)
    told, end = last.removeprefix(PART).split("\r\n--graphql")
    assert end == "--\r\n"
    assert json.loads(told) == {
        "payload": None,
        "errors": [{"message": "로그인이 필요해요.", "extensions": {"code": "UNAUTHENTICATED"}}],
    }


async def test_server_that_stops_breaks_streams_off_and_takes_no_more(gateway: Gateway) -> None:
    app = sample_app(gateway)
    async with (
        serving(app) as at,
        streaming(at, "subscription { forever }") as chunks,
        httpx.AsyncClient(base_url=f"http://{at}") as http,
    ):
        assert await anext(chunks) == ":\n\n"
        app.state.streams.stop()
        assert "complete" not in await rest(chunks)
        response = await post(http, "subscription { forever }")
        assert response.status_code == 503
        assert response.headers["retry-after"] == "1"
