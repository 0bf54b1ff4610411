"""GraphQL over HTTP: media types, methods, limits."""

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from api.transport import HTTPLimits
from api.transport.http import GRAPHQL_RESPONSE, media_type
from api.transport.requests import JSON
from tests.api.transport.sample import Gateway, sample_app
from tests.api.transport.serving import serving

HEAD = b"POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
URQL = (
    "application/graphql-response+json, application/graphql+json, application/json, "
    "text/event-stream, multipart/mixed"
)


async def post(http: httpx.AsyncClient, query: str, **members: Any) -> httpx.Response:
    return await http.post("/graphql", json={"query": query, **members})


def code(response: httpx.Response) -> str:
    (error,) = response.json()["errors"]
    return error["extensions"]["code"]


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        (None, JSON),
        ("*/*", JSON),
        ("application/*", JSON),
        (JSON, JSON),
        (GRAPHQL_RESPONSE, GRAPHQL_RESPONSE),
        (URQL, GRAPHQL_RESPONSE),
        (f"{JSON}, {GRAPHQL_RESPONSE}", JSON),
        (f"{JSON};q=0.9, {GRAPHQL_RESPONSE}", GRAPHQL_RESPONSE),
        (f"{GRAPHQL_RESPONSE};q=0.5, */*", JSON),
        (f"{GRAPHQL_RESPONSE};q=0, {JSON};q=0", None),
        (f"{JSON};q=high", None),
        ("Application/JSON; charset=utf-8", JSON),
        ("text/event-stream", None),
        ("text/html", None),
        ("", JSON),
    ],
)
def test_media_type_is_the_best_liked(accept: str | None, expected: str | None) -> None:
    assert media_type(accept) == expected


async def test_answers_in_the_type_asked_for(http: httpx.AsyncClient) -> None:
    for accept, media in (
        (JSON, JSON),
        (GRAPHQL_RESPONSE, GRAPHQL_RESPONSE),
        (URQL, GRAPHQL_RESPONSE),
    ):
        response = await http.post(
            "/graphql", json={"query": "{ hello }"}, headers={"accept": accept}
        )
        assert response.status_code == 200
        assert response.headers["content-type"] == f"{media}; charset=utf-8"
        assert response.json() == {"data": {"hello": "world"}}


async def test_refuses_what_it_cannot_answer_in(http: httpx.AsyncClient) -> None:
    response = await http.post(
        "/graphql", json={"query": "{ hello }"}, headers={"accept": "text/event-stream"}
    )
    assert (response.status_code, code(response)) == (406, "BAD_REQUEST")
    assert response.headers["content-type"] == "application/json; charset=utf-8"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("{", "GRAPHQL_PARSE_FAILED"),
        ("{ nothing }", "GRAPHQL_VALIDATION_FAILED"),
        ("query A { hello } query B { hello }", "OPERATION_RESOLUTION_FAILURE"),
        ("fragment F on Query { hello }", "OPERATION_RESOLUTION_FAILURE"),
        ("query($n: Int!) { echo(number: $n) }", "BAD_USER_INPUT"),
        ("{ echo(number: " + "9" * 5_000 + ") }", "GRAPHQL_VALIDATION_FAILED"),
        ("{ echo(text: " + "[" * 900 + "]" * 900 + ") }", "QUERY_TOO_DEEP"),
        ("{" + "item {" * 900 + "name" + "}" * 901, "QUERY_TOO_DEEP"),
        ("{" + "hello " * 3_000 + "}", "TOO_MANY_TOKENS"),
        ("{" + "item { name } " * 700 + "}", "QUERY_TOO_COMPLEX"),
        ("{ items(first: 20000) { nodes { name } } }", "QUERY_TOO_COMPLEX"),
    ],
)
async def test_request_error_has_no_data_and_the_status_of_its_type(
    http: httpx.AsyncClient, query: str, expected: str
) -> None:
    for accept, status in ((JSON, 200), (GRAPHQL_RESPONSE, 400)):
        response = await http.post("/graphql", json={"query": query}, headers={"accept": accept})
        assert (response.status_code, code(response)) == (status, expected)
        assert "data" not in response.json()


async def test_a_few_of_many_errors_are_told(http: httpx.AsyncClient) -> None:
    response = await post(http, "{" + " ".join(f"nothing{number}" for number in range(900)) + "}")
    errors = response.json()["errors"]
    assert [error["extensions"]["code"] for error in errors] == ["GRAPHQL_VALIDATION_FAILED"] * 11
    assert "limit reached" in errors[10]["message"]


async def test_cost_depends_on_variables(http: httpx.AsyncClient) -> None:
    query = "query($n: Int) { items(first: $n) { nodes { name } } }"
    cheap = await post(http, query, variables={"n": 3})
    dear = await post(http, query, variables={"n": 20_000})
    assert len(cheap.json()["data"]["items"]["nodes"]) == 3
    assert code(dear) == "QUERY_TOO_COMPLEX"
    assert dear.json()["errors"][0]["message"] == (
        "The answer could hold too many values; at most 20000. Ask for smaller pages."
    )


async def test_runs_the_operation_named(http: httpx.AsyncClient) -> None:
    query = 'query A { echo(text: "a") } query B { echo(text: "b") }'
    assert (await post(http, query, operationName="B")).json() == {"data": {"echo": "b0"}}
    for name in ("C", ""):
        response = await post(http, query, operationName=name)
        assert (response.status_code, code(response)) == (200, "OPERATION_RESOLUTION_FAILURE")


async def test_mutations_run_by_post_only(http: httpx.AsyncClient) -> None:
    query = "mutation { add(number: 1) }"
    assert (await post(http, query)).json() == {"data": {"add": 2}}
    response = await http.get("/graphql", params={"query": query})
    assert (response.status_code, code(response)) == (405, "BAD_REQUEST")
    assert response.headers["allow"] == "POST"


async def test_subscriptions_are_sent_to_the_websocket(http: httpx.AsyncClient) -> None:
    response = await post(http, "subscription { count(to: 1) }")
    assert (response.status_code, code(response)) == (400, "BAD_REQUEST")
    assert "graphql-transport-ws" in response.json()["errors"][0]["message"]


async def test_get_carries_everything_in_the_url(http: httpx.AsyncClient) -> None:
    query = "query A { hello } query B($t: String) { echo(text: $t) }"
    params = {
        "query": query,
        "operationName": "B",
        "variables": '{"t": "차례"}',
        "extensions": "{}",
    }
    response = await http.get("/graphql", params=params)
    assert response.json() == {"data": {"echo": "차례0"}}


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"variables": "{}"},
        {"query": ""},
        {"query": "{ hello }", "variables": "{"},
        {"query": "{ hello }", "variables": "[]"},
        {"query": "{ hello }", "extensions": "1"},
    ],
)
async def test_get_refuses_malformed_parameters(
    http: httpx.AsyncClient, params: dict[str, str]
) -> None:
    response = await http.get("/graphql", params=params)
    assert (response.status_code, code(response)) == (400, "BAD_REQUEST")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS"])
async def test_other_methods_are_refused(http: httpx.AsyncClient, method: str) -> None:
    response = await http.request(method, "/graphql")
    assert (response.status_code, code(response)) == (405, "BAD_REQUEST")
    assert response.headers["allow"] == "GET, POST"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"1",
        b'"{ hello }"',
        b"{}",
        b'{"query": null}',
        b'{"query": ""}',
        b'{"query": 5}',
        b'{"query": ["{ hello }"]}',
        b'{"query": "{ hello }", "variables": []}',
        b'{"query": "{ hello }", "variables": "{}"}',
        b'{"query": "{ hello }", "operationName": 1}',
        b'{"query": "{ hello }", "extensions": 1}',
        b'{"query": "{ hello }",}',
        b'{"query": "{ hello }"} x',
        b'[{"query": "{ hello }"}]',
        b'\xef\xbb\xbf{"query": "{ hello }"}',
        b'{"query": "{ hello \xff }"}',
        b'{"query": "{ hello }", "variables": {"a": NaN}}',
        b'{"query": "{ hello }", "variables": {"a": "\\ud800"}}',
        b'{"query": "{ hello }", "variables": {"a": ' + b"9" * 5_000 + b"}}",
        b'{"query": "{ hello }", "variables": {"a": ' + b"[" * 50_000 + b"}}",
        b'{"query": "{ hello }", "variables": {"a": [{"b": "\\u0000"}]}}',
        b'{"query": "{ hello }", "variables": {"\\u0000": 1}}',
        b'{"query": "{ echo(text: \\"\\\\u0000\\") }"}',
        b'{"query": "{ echo(text: \\"\\\\u{0}\\") }"}',
    ],
)
async def test_malformed_body_is_a_graphql_error(http: httpx.AsyncClient, body: bytes) -> None:
    response = await http.post("/graphql", content=body, headers={"content-type": JSON})
    assert (response.status_code, code(response)) == (400, "BAD_REQUEST")
    assert response.json().keys() == {"errors"}


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"content-type": "text/plain"},
        {"content-type": "application/x-www-form-urlencoded"},
        {"content-type": "multipart/form-data; boundary=x"},
        {"content-type": "application/jsonx"},
        {"content-type": "application/json; charset=utf-16"},
        {"content-type": "application/json", "content-encoding": "gzip"},
    ],
)
async def test_only_plain_json_bodies_are_read(
    http: httpx.AsyncClient, headers: dict[str, str]
) -> None:
    response = await http.post("/graphql", content=b'{"query": "{ hello }"}', headers=headers)
    assert (response.status_code, code(response)) == (415, "BAD_REQUEST")


async def test_utf8_may_be_named(http: httpx.AsyncClient) -> None:
    response = await http.post(
        "/graphql",
        content='{"query": "{ echo(text: \\"돈\\") }"}'.encode(),
        headers={"content-type": "application/json; charset=UTF-8"},
    )
    assert response.json() == {"data": {"echo": "돈0"}}


def body_of(size: int) -> bytes:
    start = b'{"query": "{ hello }"'
    return start + b" " * (size - len(start) - 1) + b"}"


async def in_pieces(body: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(body), 100):
        yield body[start : start + 100]


async def test_body_is_limited_declared_or_not(gateway: Gateway) -> None:
    app = sample_app(gateway, http=HTTPLimits(body_bytes=1_000))
    headers = {"content-type": JSON}
    async with (
        serving(app) as at,
        httpx.AsyncClient(base_url=f"http://{at}", headers=headers) as http,
    ):
        for size, status in ((1_000, 200), (1_001, 413)):
            whole = await http.post("/graphql", content=body_of(size))
            pieces = await http.post("/graphql", content=in_pieces(body_of(size)))
            assert (whole.status_code, pieces.status_code) == (status, status)
        assert (code(whole), code(pieces)) == ("TOO_LARGE", "TOO_LARGE")
        asked = await http.get("/graphql", params={"query": "{ hello }" + "#" * 1_000})
        assert (asked.status_code, code(asked)) == (413, "TOO_LARGE")


async def test_endless_body_is_refused_before_its_end(gateway: Gateway) -> None:
    async with serving(sample_app(gateway, http=HTTPLimits(body_bytes=1_000))) as at:
        reader, writer = await asyncio.open_connection(*at.split(":"))
        writer.write(HEAD + b"transfer-encoding: chunked\r\n\r\n3e9\r\n" + b" " * 1_001)
        assert (await reader.readline()).startswith(b"HTTP/1.1 413 ")
        writer.close()
        await writer.wait_closed()


async def test_body_that_stops_coming_is_refused(gateway: Gateway) -> None:
    async with serving(sample_app(gateway, http=HTTPLimits(body_seconds=0.05))) as at:
        reader, writer = await asyncio.open_connection(*at.split(":"))
        writer.write(HEAD + b"content-length: 100\r\n\r\n{")
        answer = await reader.read()
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert b'"code":"BAD_REQUEST"' in answer
        writer.close()
        await writer.wait_closed()


async def test_browser_gets_the_explorer(http: httpx.AsyncClient) -> None:
    browser = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    page = await http.get("/graphql", headers=browser)
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["content-security-policy"] == "frame-ancestors 'none'"
    asked = await http.get("/graphql", params={"query": "{ hello }"}, headers=browser)
    assert asked.json() == {"data": {"hello": "world"}}


async def test_explorer_needs_nothing_from_elsewhere(http: httpx.AsyncClient) -> None:
    page = await http.get("/graphql", headers={"accept": "text/html"})
    files = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert files == [
        "data:,",
        "explorer/graphiql.min.css",
        "explorer/style.css",
        "explorer/react.production.min.js",
        "explorer/react-dom.production.min.js",
        "explorer/graphiql.min.js",
        "explorer/graphiql-plugin-explorer.umd.js",
    ]
    assert "://" not in page.text
    for file in files[1:]:
        assert (await http.get(page.url.join(file))).status_code == 200
    assert "fetch('explorer/tabs.json')" in page.text
    assert (await http.get(page.url.join("explorer/tabs.json"))).json() == []


async def test_answers_are_not_kept_by_caches(http: httpx.AsyncClient) -> None:
    response = await http.get("/graphql", params={"query": "{ requestId }"})
    assert response.headers["cache-control"] == "no-store"
    assert response.json() == {"data": {"requestId": response.headers["x-request-id"]}}


async def test_introspection_is_open(http: httpx.AsyncClient) -> None:
    response = await post(http, "{ __schema { queryType { name } } }")
    assert response.json() == {"data": {"__schema": {"queryType": {"name": "Query"}}}}
