"""HTTP connections within bounds: what strangers may send before they are known, over real sockets."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from websockets.sync.client import connect

from smoldesk.cli.bounded_http import BoundedHttp, CountedWebSocket, HttpLimits
from smoldesk.cli.client_connections import ClientConnections
from smoldesk.wires.security.proxies import Proxies
from tests.support.raw_http import RawClient, get, many, rest, status_of
from tests.support.servers import app_served
from tests.support.waiting import come_true

HOUR = 3_600.0
PATIENT = HttpLimits(head_seconds=HOUR, body_seconds=HOUR)
"""Nothing ends for time: what else ends it is seen."""
HASTY = HttpLimits(head_seconds=0.5, body_seconds=0.5, body_rate=1_000, body_pause=HOUR)
"""Ends what is unfinished so early that tests need not wait."""
TEN_SECONDS = replace(HASTY, body_seconds=10.0)
"""For a body that must come in time: half a second is too short for a client on a busy machine."""
MOST = 8
POST = b"POST /echo HTTP/1.1\r\nHost: x\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
disconnected: list[str] = []


async def echo(request: Request) -> Response:
    try:
        body = await request.body()
    except ClientDisconnect:
        disconnected.append(request.headers.get("x-name", ""))
        raise
    return JSONResponse({"bytes": len(body), "headers": [name for name, _ in request.headers.items()]})


async def early(_: Request) -> Response:
    return PlainTextResponse("early")


async def stream(request: Request) -> Response:
    async def ticks() -> AsyncIterator[bytes]:
        for _ in range(int(request.query_params.get("ticks", "15"))):
            yield b"tick "
            await asyncio.sleep(0.1)
        yield b"end"

    return StreamingResponse(ticks())


async def busy(request: Request) -> Response:
    """Reads slowly, so that the client has to wait for the server."""
    size = 0
    await asyncio.sleep(float(request.query_params.get("seconds", "1.5")))
    async for piece in request.stream():
        size += len(piece)
        if size < 300_000:
            await asyncio.sleep(0.3)
    return JSONResponse({"bytes": size})


async def socket_echo(websocket: WebSocket) -> None:
    await websocket.accept()
    while True:
        await websocket.send_text(await websocket.receive_text())


app = Starlette(
    routes=[
        Route("/", early),
        Route("/echo", echo, methods=["GET", "POST"]),
        Route("/early", early, methods=["POST"]),
        Route("/stream", stream),
        Route("/busy", busy, methods=["POST"]),
        WebSocketRoute("/ws", socket_echo),
    ]
)


@contextmanager
def serving(limits: HttpLimits, most: int = MOST) -> Iterator[str]:
    """The app behind these bounds."""
    clients = ClientConnections(most, Proxies())
    http, ws = BoundedHttp.over(limits, clients), CountedWebSocket.over(clients)
    with app_served(app, http=http, ws=ws, timeout_keep_alive=60) as address:
        yield address


@pytest.fixture(scope="module")
def patient() -> Iterator[str]:
    with serving(PATIENT) as place:
        yield place


@pytest.fixture(scope="module")
def hasty() -> Iterator[str]:
    with serving(HASTY) as place:
        yield place


# --- heads

FLOODS = {
    "many short lines": (b"GET / HTTP/1.1\r\nHost: x\r\n", b"a: b\r\n" * 1_000),
    "one endless line": (b"GET / HTTP/1.1\r\nHost: x\r\nCookie: ", b"x" * 8_192),
    "an endless name": (b"GET / HTTP/1.1\r\nHost: x\r\n", b"x" * 8_192),
    "an endless address": (b"GET /", b"x" * 8_192),
    "endless trailers": (CHUNKED + b"1\r\nx\r\n0\r\n", b"a: b\r\n" * 1_000),
    "one endless trailer": (CHUNKED + b"1\r\nx\r\n0\r\na: ", b"x" * 8_192),
    "endless chunk extensions": (CHUNKED + b"1;a=", b"x" * 8_192),
    "much around little": (CHUNKED, b"1;" + b"x" * 4_000 + b"\r\ny\r\n"),
    "an endless handshake": (
        b"GET /ws HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\nX: ",
        b"x" * 8_192,
    ),
}


@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_of_header_lines_is_answered_with_431_and_ended(patient: str, flood: str) -> None:
    first, piece = FLOODS[flood]
    with RawClient(patient) as client:
        client.send(first)
        sent = client.flood(piece, 50_000_000)
        answer = client.read()
    assert sent < 20_000_000  # what the kernel holds for both sides is much; the server read little of it
    assert status_of(answer) == 431
    assert b"expected at most 65536 bytes in 128 lines" in answer
    assert b"connection: close" in answer
    assert status_of(get(patient)) == 200


def test_a_head_just_within_the_bounds_is_served_and_one_beyond_is_not(patient: str) -> None:
    within, beyond = 65_000, 66_000
    assert status_of(get(patient, extra=f"Cookie: {'c' * within}\r\n")) == 200
    assert status_of(get(patient, extra=f"Cookie: {'c' * beyond}\r\n")) == 431
    assert status_of(get(patient, path=f"/?{'c' * within}")) == 200
    assert status_of(get(patient, path=f"/?{'c' * beyond}")) == 431
    assert status_of(get(patient, extra="A: b\r\n" * 126)) == 200
    assert status_of(get(patient, extra="A: b\r\n" * 127)) == 431


def test_a_head_in_small_pieces_is_served(patient: str) -> None:
    with RawClient(patient) as client:
        for letter in b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n":
            client.send(bytes([letter]))
        assert client.read().endswith(b"early")


def test_bodies_are_not_counted_as_heads(patient: str) -> None:
    small = b"".join(b"1\r\nx\r\n" for _ in range(200_000)) + b"0\r\n\r\n"
    large = b"%x\r\n%s\r\n0\r\n\r\n" % (5_000_000, b"x" * 5_000_000)
    plain = POST + b"Content-Length: 5000000\r\n\r\n" + b"x" * 5_000_000
    for request, size in ((CHUNKED + small, 200_000), (CHUNKED + large, 5_000_000), (plain, 5_000_000)):
        with RawClient(patient) as client:
            client.send(request)
            assert json.loads(client.read_until(b"]}").split(b"\r\n\r\n")[1])["bytes"] == size


def test_trailers_are_left_out_of_the_headers_of_a_request_that_is_at_work(patient: str) -> None:
    with RawClient(patient) as client:
        client.send(CHUNKED)
        client.send(b"3;name=value\r\nabc\r\n0\r\nAuthorization: Bearer x\r\nHost: other\r\n\r\n")
        answer = json.loads(client.read_until(b"]}").split(b"\r\n\r\n")[1])
        assert answer == {"bytes": 3, "headers": ["host", "transfer-encoding"]}
        client.send(b"GET /echo HTTP/1.1\r\nHost: x\r\n\r\n")
        assert client.read_until(b'{"bytes":0').count(b"authorization") == 0


def test_requests_that_are_sent_ahead_are_answered_in_their_order(patient: str) -> None:
    with RawClient(patient) as client:
        client.send(
            b"GET /stream?ticks=2 HTTP/1.1\r\nHost: x\r\n\r\n"
            + POST
            + b"Content-Length: 3\r\n\r\nabc"
            + b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        )
        answer = client.read()
    assert answer.index(b"end") < answer.index(b'"bytes":3') < answer.index(b"early")


def test_a_flood_behind_a_request_ends_the_connection_without_a_second_answer(patient: str) -> None:
    with RawClient(patient) as client:
        client.send(b"GET /stream?ticks=100 HTTP/1.1\r\nHost: x\r\n\r\n")
        client.read_until(b"tick")
        client.flood(b"GET /" + b"x" * 100_000, 10_000_000)
        assert b"431" not in client.read()


def test_what_is_no_http_is_answered_as_ever(patient: str) -> None:
    with RawClient(patient) as client:
        client.send(b"\x16\x03\x01 hello\r\n\r\n")
        answer = client.read()
    assert status_of(answer) == 400
    assert answer.endswith(b"Invalid HTTP request received.")


# --- times


def test_a_head_that_never_ends_is_ended(hasty: str) -> None:
    with RawClient(hasty) as client:
        client.send(b"GET /")
        assert client.trickle(b"x", every=0.1, count=200) < 200
        assert status_of(client.read()) == 408
    with RawClient(hasty) as client:
        client.send(b"GET /ws HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n")
        assert status_of(client.read()) == 408
    with RawClient(hasty) as client:
        assert client.trickle(b"\r\n", every=0.1, count=200) < 200


def test_a_connection_on_which_nothing_comes_is_closed_without_a_word(hasty: str) -> None:
    with RawClient(hasty) as client:
        assert client.read() == b""


def test_a_second_head_has_the_same_time_and_rest_between_requests_is_no_fault(hasty: str) -> None:
    request = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    with RawClient(hasty) as client:
        client.send(request)
        client.read_until(b"early")
        rest(1.5)
        client.received = b""
        client.send(request)
        client.read_until(b"early")
        client.received = b""
        client.send(b"GET / HT")
        assert status_of(client.read()) == 408


def test_a_body_of_one_byte_now_and_then_is_ended_and_its_handler_learns_it(hasty: str) -> None:
    for head in (
        b"Content-Length: 1000\r\nX-Name: slow\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n3e8\r\n",
    ):
        disconnected.clear()
        with RawClient(hasty) as client:
            client.send(POST + head)
            assert client.trickle(b"x", every=0.1, count=300) < 300
            assert status_of(client.read()) == 408
        come_true(lambda: disconnected)


def test_a_body_that_never_begins_is_ended(hasty: str) -> None:
    with RawClient(hasty) as client:
        client.send(POST + b"Content-Length: 1000\r\n\r\n")
        assert status_of(client.read()) == 408


def test_a_body_that_stops_in_the_middle_is_ended_however_much_came_before() -> None:
    with (
        serving(HttpLimits(body_seconds=0.5, body_rate=10, body_pause=0.5)) as place,
        RawClient(place) as client,
    ):
        client.send(POST + b"Content-Length: 50001\r\n\r\n" + b"x" * 50_000)  # earns more than an hour
        assert status_of(client.read()) == 408


def test_a_large_upload_over_a_slow_line_comes_through(hasty: str) -> None:
    """Four times as long as a body may rest, at ten times the least rate."""
    with RawClient(hasty) as client:
        client.send(POST + b"Content-Length: 20000\r\n\r\n")
        assert client.trickle(b"x" * 1_000, every=0.1, count=20) == 20
        assert b'"bytes":20000' in client.read_until(b"]}")


def test_time_in_which_the_server_does_not_read_is_not_the_clients(hasty: str) -> None:
    size = 3_000_000  # more than the kernel holds between the two
    with RawClient(hasty) as client:
        client.send(b"POST /busy HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % size)
        assert client.flood(b"x" * 100_000, size) == size
        assert b'"bytes":%d' % size in client.read_until(b"}")


def test_a_client_that_waits_for_leave_to_send_may_wait() -> None:
    head = b"POST /busy?seconds=11 HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"
    with serving(TEN_SECONDS) as address, RawClient(address) as client:
        client.send(head)
        client.read_until(b"100 Continue\r\n\r\n")
        client.send(b"abc")
        assert b'"bytes":3' in client.read_until(b"}")


def test_a_body_that_goes_on_after_its_answer_is_ended_without_another(hasty: str) -> None:
    with RawClient(hasty) as client:
        client.send(b"POST /early HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n")
        client.read_until(b"early")
        assert client.read().count(b"HTTP/1.1") == 1


def test_a_request_that_came_completely_is_never_ended(hasty: str) -> None:
    """Three times as long as anything unfinished may take; once with the beginning of another request behind it."""
    for behind in (b"", b"GET / HT"):
        with RawClient(hasty) as client:
            client.send(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n" + behind)
            assert b"end" in client.read_until(b"end")
            if behind:
                client.received = b""
                assert b" 408 " in client.read()


def test_a_websocket_lasts_as_long_as_it_likes(hasty: str) -> None:
    with connect(hasty.replace("http", "ws") + "/ws") as wire:
        rest(1.5)
        wire.send("still here")
        assert wire.recv(10) == "still here"


def test_an_upgrade_to_something_else_is_answered_as_if_it_were_none(hasty: str) -> None:
    extra = "Upgrade: h2c\r\n"
    with RawClient(hasty) as client:
        client.send(b"GET /stream HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n" + extra.encode() + b"\r\n")
        client.read_until(b"end")


# --- numbers


def test_the_oldest_unfinished_connections_of_an_address_make_room(patient: str) -> None:
    started = b"GET / HTTP/1.1\r\nHost: "
    with many(patient, 5 * MOST, started) as clients:
        come_true(lambda: sum(client.is_open for client in clients) <= MOST)
        assert [client.is_open for client in clients[-MOST + 1 :]] == [True] * (MOST - 1)
        assert status_of(get(patient)) == 200
        assert status_of(get(patient, source="127.0.0.2")) == 200


def test_unfinished_bodies_make_room_too_after_unfinished_heads(patient: str) -> None:
    with (
        many(patient, MOST // 2, POST + b"Content-Length: 5\r\n\r\nab") as bodies,
        many(patient, MOST, b"GET ") as heads,
    ):
        come_true(lambda: sum(client.is_open for client in heads) == MOST // 2)
        assert all(client.is_open for client in bodies)
        bodies[0].send(b"cde")
        assert b'"bytes":5' in bodies[0].read_until(b"]}")
    with many(patient, 3 * MOST, POST + b"Content-Length: 5\r\n\r\nab") as bodies:
        come_true(lambda: sum(client.is_open for client in bodies) <= MOST)
        assert status_of(get(patient)) == 200


def test_connections_at_work_are_never_closed_for_others_and_the_one_too_many_is_told() -> None:
    with serving(PATIENT) as place:
        asking = b"GET /stream?ticks=300 HTTP/1.1\r\nHost: x\r\n\r\n"
        with (
            connect(place.replace("http", "ws") + "/ws") as wire,
            many(place, MOST - 1, asking) as streams,
        ):
            for client in streams:
                client.read_until(b"tick")
            with many(place, 3) as refused:
                for client in refused[-1:]:
                    answer = client.read()
                    assert status_of(answer) == 503
                    assert b"too many connections from this address: expected at most 8" in answer
            assert status_of(get(place, source="127.0.0.2")) == 200
            assert all(client.is_open for client in streams)
            wire.send("still here")
            assert wire.recv(10) == "still here"
            streams[0].socket.close()
            come_true(lambda: status_of(get(place)) == 200)


def test_a_connection_that_rests_between_requests_makes_room(patient: str) -> None:
    with many(patient, MOST, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n") as resting:
        for client in resting:
            client.read_until(b"early")
        assert status_of(get(patient)) == 200
        assert sum(client.is_open for client in resting) == MOST - 1


def test_places_are_given_back(patient: str) -> None:
    for _ in range(3 * MOST):
        assert status_of(get(patient)) == 200
        with connect(patient.replace("http", "ws") + "/ws") as wire:
            wire.send("x")
            assert wire.recv(10) == "x"
