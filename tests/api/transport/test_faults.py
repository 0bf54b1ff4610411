"""What clients and the log are told of faults and bugs, over HTTP."""

import asyncio
import logging

import httpx
import pytest

from api.transport.http import GRAPHQL_RESPONSE

LOGGER = "api.transport.report"


def records(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [record for record in caplog.records if record.name == LOGGER]


@pytest.fixture(autouse=True)
def _keep_everything(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, LOGGER)


async def test_fault_of_a_field_leaves_the_rest(http: httpx.AsyncClient) -> None:
    query = '{ hello refuse(how: "limited") }'
    response = await http.post(
        "/graphql", json={"query": query}, headers={"accept": GRAPHQL_RESPONSE}
    )
    assert response.status_code == 200
    assert response.json() == {
        "data": {"hello": "world", "refuse": None},
        "errors": [
            {
                "message": "Too many requests. Try again later.",
                "locations": [{"line": 1, "column": 9}],
                "path": ["refuse"],
                "extensions": {"code": "RATE_LIMITED", "retryAfter": 2.5},
            }
        ],
    }


@pytest.mark.parametrize(
    ("token", "status", "code", "retry_after"),
    [
        ("unauthenticated", 401, "UNAUTHENTICATED", None),
        ("forbidden", 403, "FORBIDDEN", None),
        ("limited", 429, "RATE_LIMITED", "2"),
        ("unavailable", 503, "UNAVAILABLE", "1"),
        ("bug", 500, "INTERNAL", None),
    ],
)
async def test_request_not_admitted_has_a_status_of_its_own(
    http: httpx.AsyncClient, token: str, status: int, code: str, retry_after: str | None
) -> None:
    response = await http.post(
        "/graphql", json={"query": "{ hello }"}, headers={"authorization": token}
    )
    assert response.status_code == status
    assert response.json()["errors"][0]["extensions"]["code"] == code
    assert response.headers.get("retry-after") == retry_after


@pytest.mark.parametrize(
    ("language", "message"),
    [
        (None, "권한이 없어요."),
        ("ko-KR", "권한이 없어요."),
        ("en-GB", "You are not allowed to do this."),
    ],
)
async def test_faults_speak_the_language_of_the_reader(
    address: str, language: str | None, message: str
) -> None:
    headers = {"accept-language": language} if language else {}
    async with httpx.AsyncClient(base_url=f"http://{address}", headers=headers) as http:
        inside = await http.post("/graphql", json={"query": '{ refuse(how: "forbidden") }'})
        before = await http.post(
            "/graphql", json={"query": "{ hello }"}, headers={"authorization": "forbidden"}
        )
    assert inside.json()["errors"][0]["message"] == message
    assert before.json()["errors"][0]["message"] == message


async def test_bug_is_masked_and_logged_once_under_the_id_shown(
    http: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    query = "query Look { one: boom two: boom }"
    response = await http.post("/graphql", json={"query": query, "operationName": "Look"})
    request_id = response.headers["x-request-id"]
    assert "seed" not in response.text
    assert [error["extensions"] for error in response.json()["errors"]] == [
        {"code": "INTERNAL", "requestId": request_id}
    ] * 2
    assert response.json()["errors"][0]["message"] == "Something went wrong on our side."
    (record,) = records(caplog)
    assert (record.levelname, record.request_id) == ("ERROR", request_id)
    assert record.getMessage() == "bug in 'Look'"
    assert record.exc_info is not None
    assert str(record.exc_info[1]) == "the seed is 42"


async def test_value_that_does_not_fit_its_type_is_a_bug(
    http: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    response = await http.post("/graphql", json={"query": "{ misfits }"})
    assert "seed" not in response.text
    assert response.json()["data"] == {"misfits": [1, None, None]}
    assert [error["extensions"]["code"] for error in response.json()["errors"]] == ["INTERNAL"] * 2
    (record,) = records(caplog)
    assert (record.levelname, record.getMessage()) == ("ERROR", "bug in ''")


@pytest.mark.parametrize(
    ("query", "variables", "code"),
    [
        ("{ hello", {}, "GRAPHQL_PARSE_FAILED"),
        ("{ nothing }", {}, "GRAPHQL_VALIDATION_FAILED"),
        ('{ node(id: "zz") }', {}, "BAD_USER_INPUT"),
        ("query($id: ID!) { node(id: $id) }", {"id": "!!"}, "BAD_USER_INPUT"),
        ("query($n: Int) { echo(number: $n) }", {"n": "hunter2"}, "BAD_USER_INPUT"),
        ("query($n: Int = 1) { echo(number: $n) }", {"n": None}, "BAD_USER_INPUT"),
        ('{ refuse(how: "unauthenticated") }', {}, "UNAUTHENTICATED"),
    ],
)
async def test_client_fault_is_one_line_without_traceback_or_values(
    http: httpx.AsyncClient,
    caplog: pytest.LogCaptureFixture,
    query: str,
    variables: dict[str, object],
    code: str,
) -> None:
    response = await http.post("/graphql", json={"query": query, "variables": variables})
    assert response.json()["errors"][0]["extensions"]["code"] == code
    (record,) = records(caplog)
    assert (record.levelname, record.exc_info) == ("INFO", None)
    assert record.getMessage() == f"refused '': {code}"


async def test_database_away_is_a_warning_without_traceback(
    http: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    response = await http.post("/graphql", json={"query": "{ away again: away }"})
    assert "10.0.0.7" not in response.text
    assert [error["extensions"] for error in response.json()["errors"]] == [
        {"code": "UNAVAILABLE", "retryAfter": 1.0}
    ] * 2
    (record,) = records(caplog)
    assert (record.levelname, record.exc_info) == ("WARNING", None)
    assert record.getMessage() == "UNAVAILABLE '': ConnectionRefusedError"


async def test_name_in_the_log_cannot_forge_lines(
    http: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    name = "A\nERROR all is lost" + "x" * 200
    await http.post("/graphql", json={"query": "{ hello }", "operationName": name})
    (record,) = records(caplog)
    assert record.getMessage() == f"refused {name[:64]!r}: OPERATION_RESOLUTION_FAILURE"


async def test_client_that_leaves_in_mid_body_is_no_news(
    http: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    host, port = http.base_url.host, http.base_url.port
    _, writer = await asyncio.open_connection(host, port)
    writer.write(
        b"POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
        b"content-length: 100\r\n\r\n{"
    )
    await writer.drain()
    writer.close()
    await writer.wait_closed()
    response = await http.post("/graphql", json={"query": "{ hello }"})
    assert response.json() == {"data": {"hello": "world"}}
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
