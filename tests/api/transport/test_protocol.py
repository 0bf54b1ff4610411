"""graphql-transport-ws, frame by frame."""

import httpx
import pytest
import websockets

from tests.api.transport.peer import PROTOCOL, Peer, admitted, connected

INIT = {"type": "connection_init"}
HELLO = {"query": "{ hello }"}


async def result(peer: Peer, id: str, query: str, **members: object) -> dict[str, object]:
    """The only result of an operation."""
    await peer.subscribe(id, query, **members)
    frame = await peer.receive()
    assert (frame["type"], frame["id"]) == ("next", id)
    assert await peer.receive() == {"id": id, "type": "complete"}
    return frame["payload"]


async def fault(peer: Peer, id: str, query: str, **members: object) -> dict[str, object]:
    """The only error with which an operation ends."""
    await peer.subscribe(id, query, **members)
    frame = await peer.receive()
    assert (frame["type"], frame["id"]) == ("error", id)
    (error,) = frame["payload"]
    return error


@pytest.mark.parametrize("payload", [{}, {"payload": None}, {"payload": {}}, {"payload": {"a": 1}}])
async def test_init_is_acknowledged(address: str, payload: dict[str, object]) -> None:
    async with connected(address) as peer:
        await peer.send({**INIT, **payload})
        assert await peer.receive() == {"type": "connection_ack"}


async def test_acknowledgement_may_carry_a_payload(address: str) -> None:
    async with connected(address) as peer:
        await peer.send({**INIT, "payload": {"ack": {"serverTime": 5}}})
        assert await peer.receive() == {"type": "connection_ack", "payload": {"serverTime": 5}}


async def test_queries_mutations_and_subscriptions_run(address: str) -> None:
    async with admitted(address) as peer:
        assert await result(peer, "1", "{ hello }") == {"data": {"hello": "world"}}
        assert await result(peer, "1", "mutation { add(number: 1) }") == {"data": {"add": 2}}
        named = "query A { hello } query B($t: String) { echo(text: $t) }"
        assert await result(
            peer, "2", named, operationName="B", variables={"t": "돈"}, extensions={"x": 1}
        ) == {"data": {"echo": "돈0"}}
        await peer.subscribe("3", "subscription { count(to: 2) }")
        assert [await peer.receive() for _ in range(3)] == [
            {"id": "3", "type": "next", "payload": {"data": {"count": 0}}},
            {"id": "3", "type": "next", "payload": {"data": {"count": 1}}},
            {"id": "3", "type": "complete"},
        ]


async def test_frames_are_text(address: str) -> None:
    async with admitted(address) as peer:
        await peer.subscribe("1", '{ echo(text: "차례") }')
        assert await peer.socket.recv() == (
            '{"id":"1","type":"next","payload":{"data":{"echo":"차례0"}}}'
        )
        assert await peer.socket.recv() == '{"id":"1","type":"complete"}'


async def test_every_operation_has_a_context_of_its_own(address: str) -> None:
    async with admitted(address) as peer:
        first = (await result(peer, "1", "{ requestId }"))["data"]["requestId"]
        second = (await result(peer, "1", "{ requestId }"))["data"]["requestId"]
        assert (first[-2:], second) == ("-1", f"{first[:-2]}-2")


async def test_ping_is_answered_with_its_payload_at_any_time(address: str) -> None:
    async with connected(address) as peer:
        await peer.send({"type": "ping"})
        assert await peer.receive() == {"type": "pong"}
        await peer.send(INIT)
        await peer.receive()
        await peer.send({"type": "ping", "payload": {"at": 1}})
        assert await peer.receive() == {"type": "pong", "payload": {"at": 1}}
        await peer.send({"type": "pong"})
        await peer.send({"type": "pong", "payload": None})
        assert await result(peer, "1", "{ hello }") == {"data": {"hello": "world"}}


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "{",
        "nonsense",
        b"{}",
        b'{"type": "ping"}',
        "[]",
        "null",
        "1",
        '"ping"',
        "{}",
        '{"type": null}',
        '{"type": 1}',
        '{"type": "start"}',
        '{"type": "next"}',
        '{"type": "connection_ack"}',
        '{"type": "ping"} x',
        '{"type": "ping", "payload": 1}',
        '{"type": "ping", "payload": {"a": "\\ud800"}}',
        '{"type": "ping", "payload": {"a": ' + "[" * 60_000 + "}}",
        '{"type": "pong", "payload": []}',
        '{"type": "subscribe"}',
        '{"type": "subscribe", "payload": {"query": "{ hello }"}}',
        '{"type": "subscribe", "id": "1"}',
        '{"type": "subscribe", "id": "1", "payload": null}',
        '{"type": "subscribe", "id": "1", "payload": []}',
        '{"type": "subscribe", "id": "1", "payload": {}}',
        '{"type": "subscribe", "id": "1", "payload": {"query": 5}}',
        '{"type": "subscribe", "id": "1", "payload": {"query": null}}',
        '{"type": "subscribe", "id": "1", "payload": {"query": "{ hello }", "variables": []}}',
        '{"type": "subscribe", "id": "1", "payload": {"query": "{ hello }", "variables": "a"}}',
        '{"type": "subscribe", "id": "1", "payload": {"query": "{ hello }", "operationName": 1}}',
        '{"type": "subscribe", "id": "1", "payload": {"query": "{ hello }", "extensions": 1}}',
        '{"type": "subscribe", "id": 1, "payload": {"query": "{ hello }"}}',
        '{"type": "subscribe", "id": {}, "payload": {"query": "{ hello }"}}',
        '{"type": "subscribe", "id": "", "payload": {"query": "{ hello }"}}',
        '{"type": "complete"}',
        '{"type": "complete", "id": {}}',
        '{"type": "complete", "id": 1}',
    ],
)
async def test_malformed_frame_closes_with_4400_and_a_reason(
    address: str, frame: str | bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with admitted(address) as peer:
        await peer.send(frame)
        code, reason = await peer.ended()
    assert code == 4400
    assert reason.startswith(
        "WebSocket message type must be text" if isinstance(frame, bytes) else "Invalid message: "
    )
    assert [record for record in caplog.records if record.exc_info] == []


@pytest.mark.parametrize("payload", [[], 1, "token"])
async def test_init_payload_is_an_object_or_null(address: str, payload: object) -> None:
    async with connected(address) as peer:
        await peer.send({**INIT, "payload": payload})
        assert (await peer.ended())[0] == 4400


async def test_long_reason_is_cut_between_characters(address: str) -> None:
    async with admitted(address) as peer:
        await peer.send({"type": "차례" * 100})
        code, reason = await peer.ended()
    assert code == 4400
    assert 120 < len(reason.encode()) <= 123


async def test_subscribe_before_acknowledgement_is_4401(address: str) -> None:
    async with connected(address) as peer:
        await peer.subscribe("1", "{ hello }")
        assert await peer.ended() == (4401, "Unauthorized")


async def test_second_init_is_4429(address: str) -> None:
    async with admitted(address) as peer:
        await peer.send(INIT)
        assert await peer.ended() == (4429, "Too many initialisation requests")


async def test_id_in_use_is_4409(address: str) -> None:
    async with admitted(address) as peer:
        await peer.subscribe("twin", "subscription { forever }")
        await peer.subscribe("twin", "{ hello }")
        assert await peer.ended() == (4409, "Subscriber for twin already exists")


@pytest.mark.parametrize("protocols", [None, ["graphql-ws"], ["graphql-sse", "chat"]])
async def test_other_protocols_are_4406(address: str, protocols: list[str] | None) -> None:
    async with websockets.connect(f"ws://{address}/graphql", subprotocols=protocols) as socket:
        assert await Peer(socket).ended() == (4406, "Subprotocol not acceptable")


async def test_our_protocol_is_found_among_others(address: str) -> None:
    protocols = ["graphql-ws", PROTOCOL]
    async with websockets.connect(f"ws://{address}/graphql", subprotocols=protocols) as socket:
        assert socket.subprotocol == PROTOCOL


@pytest.mark.parametrize(
    ("origin", "welcome"),
    [
        (None, True),
        ("http://{address}", True),
        ("https://play.example", True),
        ("HTTPS://PLAY.EXAMPLE:443", True),
        ("https://evil.example", False),
        ("https://play.example.evil.example", False),
        ("null", False),
    ],
)
async def test_pages_of_other_sites_are_not_let_in(
    address: str, origin: str | None, welcome: bool
) -> None:
    headers = {"origin": origin.format(address=address)} if origin else {}
    upgrade = {
        "connection": "upgrade",
        "upgrade": "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
        "sec-websocket-protocol": PROTOCOL,
    }
    async with (
        httpx.AsyncClient() as http,
        http.stream("GET", f"http://{address}/graphql", headers={**upgrade, **headers}) as response,
    ):
        assert response.status_code == (101 if welcome else 403)


@pytest.mark.parametrize(
    ("query", "members", "code"),
    [
        ("{", {}, "GRAPHQL_PARSE_FAILED"),
        ("", {}, "BAD_REQUEST"),
        ("{ nothing }", {}, "GRAPHQL_VALIDATION_FAILED"),
        ("{ hello }", {"operationName": "Missing"}, "OPERATION_RESOLUTION_FAILURE"),
        ("query A { hello } query B { hello }", {}, "OPERATION_RESOLUTION_FAILURE"),
        ("subscription { count(to: $n) }", {}, "GRAPHQL_VALIDATION_FAILED"),
        (
            "subscription($n: Int!) { count(to: $n) }",
            {"variables": {"n": "many"}},
            "BAD_USER_INPUT",
        ),
        ("subscription($n: Int!) { count(to: $n) }", {}, "BAD_USER_INPUT"),
        ('{ echo(text: "\\u0000") }', {}, "BAD_REQUEST"),
        ("{" + "item {" * 20 + "name" + "}" * 21, {}, "QUERY_TOO_DEEP"),
        ("{" + "item {" * 900 + "name" + "}" * 901, {}, "QUERY_TOO_DEEP"),
        ("{" + "hello " * 3_000 + "}", {}, "TOO_MANY_TOKENS"),
        ("{ items(first: 20000) { nodes { name } } }", {}, "QUERY_TOO_COMPLEX"),
    ],
)
async def test_bad_operation_harms_no_other(
    address: str, query: str, members: dict[str, object], code: str
) -> None:
    async with admitted(address) as peer:
        await peer.subscribe("good", "subscription { forever }")
        assert (await peer.receive())["type"] == "next"
        error = await fault(peer, "bad", query, **members)
        assert error["extensions"]["code"] == code
        # Its id is free again, and the neighbour's is not.
        assert await result(peer, "bad", "{ hello }") == {"data": {"hello": "world"}}
        await peer.send({"type": "complete", "id": "good"})
        assert await result(peer, "good", "{ hello }") == {"data": {"hello": "world"}}


async def test_variables_that_do_not_fit_a_query_are_told(address: str) -> None:
    async with admitted(address) as peer:
        query = "query($n: Int) { echo(number: $n) }"
        payload = await result(peer, "1", query, variables={"n": "x"})
        assert payload["data"] is None
        assert payload["errors"][0]["extensions"]["code"] == "BAD_USER_INPUT"


async def test_bug_in_a_stream_is_masked_and_ends_it(address: str) -> None:
    async with admitted(address, locale="en") as peer:
        await peer.subscribe("1", "subscription { breakDown }")
        assert (await peer.receive())["payload"] == {"data": {"breakDown": 1}}
        payload = (await peer.receive())["payload"]
        assert payload["data"] is None
        (error,) = payload["errors"]
        assert error["message"] == "Something went wrong on our side."
        assert error["extensions"]["code"] == "INTERNAL"
        assert await peer.receive() == {"id": "1", "type": "complete"}


async def test_fault_in_a_stream_ends_it_in_the_language_of_the_socket(address: str) -> None:
    for locale, message in (("ko", "권한이 없어요."), ("en", "You are not allowed to do this.")):
        async with admitted(address, locale=locale) as peer:
            await peer.subscribe("1", "subscription { loseRight }")
            await peer.receive()
            (error,) = (await peer.receive())["payload"]["errors"]
            assert (error["message"], error["extensions"]) == (message, {"code": "FORBIDDEN"})
            assert await peer.receive() == {"id": "1", "type": "complete"}


async def test_unknown_complete_is_ignored(address: str) -> None:
    async with admitted(address) as peer:
        await peer.send({"type": "complete", "id": "never"})
        assert await result(peer, "1", "{ hello }") == {"data": {"hello": "world"}}
