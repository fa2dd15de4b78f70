"""Addresses that a proxy tells: believed from listed proxies, and nobody else."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any

import pytest
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from smoldesk.cli.bounded_http import BoundedHttp, CountedWebSocket, HttpLimits
from smoldesk.cli.client_connections import ClientConnections
from smoldesk.logs import client_key
from smoldesk.settings import Settings
from smoldesk.wires.security.proxies import ForwardedClients, Proxies
from tests.support.raw_http import get, many, status_of
from tests.support.servers import app_served
from tests.support.waiting import come_true

PROXY = "127.0.0.3"
MOST = 8


async def told(request: Request) -> Response:
    assert request.client is not None
    return JSONResponse({"client": f"{request.client.host} {request.url.scheme}"})


async def waiting(websocket: WebSocket) -> None:
    await websocket.accept()
    assert websocket.client is not None
    await websocket.send_text(f"{websocket.client.host} {websocket.url.scheme}")
    await websocket.receive()


app = Starlette(routes=[Route("/", told), WebSocketRoute("/ws", waiting)])


@contextmanager
def serving(*listing: str) -> Iterator[str]:
    """The app as a desk with these proxies serves it."""
    proxies = Proxies([ip_network(item) for item in listing])
    clients = ClientConnections(MOST, proxies)
    http, ws = BoundedHttp.over(HttpLimits(), clients), CountedWebSocket.over(clients)
    served = ForwardedClients(app, proxies, MOST)
    with app_served(served, http=http, ws=ws, proxy_headers=False) as address:
        yield address


@pytest.fixture(scope="module")
def place() -> Iterator[str]:
    with serving(PROXY, "10.0.0.0/8", "2001:db8:1::/48") as place:
        yield place


def client_told(place: str, source: str, *headers: str) -> str:
    answer = get(place, source=source, extra="".join(f"{header}\r\n" for header in headers))
    return answer.decode().split('{"client":"')[1].removesuffix('"}')


@pytest.mark.parametrize(
    "headers",
    [
        ["X-Forwarded-For: 203.0.113.9"],
        ["X-Forwarded-For: 127.0.0.3", "X-Forwarded-Proto: https"],
        ["Forwarded: for=203.0.113.9;proto=https"],
        ["X-Real-IP: 203.0.113.9"],
    ],
)
def test_a_client_that_is_no_listed_proxy_cannot_choose_its_address(place: str, headers: list[str]) -> None:
    assert client_told(place, "127.0.0.1", *headers) == "127.0.0.1 http"
    with serving() as nobodys:
        assert client_told(nobodys, "127.0.0.1", *headers) == "127.0.0.1 http"


@pytest.mark.parametrize(
    ("headers", "client"),
    [
        (["X-Forwarded-For: 203.0.113.9"], "203.0.113.9 http"),
        (["X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: https"], "203.0.113.9 https"),
        # what the client wrote itself stands on the left, as text or as a line of its own
        (["X-Forwarded-For: 198.51.100.1, 203.0.113.9"], "203.0.113.9 http"),
        (["X-Forwarded-For: 198.51.100.1", "X-Forwarded-For: 203.0.113.9"], "203.0.113.9 http"),
        (["X-Forwarded-For: 127.0.0.1, 203.0.113.9"], "203.0.113.9 http"),
        # through two listed proxies
        (["X-Forwarded-For: 198.51.100.1, 203.0.113.9, 10.1.2.3"], "203.0.113.9 http"),
        (["X-Forwarded-For: 10.1.2.3, 10.1.2.4"], "10.1.2.3 http"),
        # with ports, and IPv6 in each form
        (["X-Forwarded-For: 203.0.113.9:4711"], "203.0.113.9 http"),
        (["X-Forwarded-For: 2001:db8::7"], "2001:db8::7 http"),
        (["X-Forwarded-For: [2001:db8::7]"], "2001:db8::7 http"),
        (["X-Forwarded-For: [2001:db8::7]:4711"], "2001:db8::7 http"),
        (["X-Forwarded-For: 2001:DB8:0:0::7, 2001:db8:1::1"], "2001:db8::7 http"),
        (["X-Forwarded-For: ::ffff:203.0.113.9"], "203.0.113.9 http"),
        # what is no address is nobody's: the last one that was believed is
        (["X-Forwarded-For: garbage"], "127.0.0.3 http"),
        (["X-Forwarded-For: 198.51.100.1, unknown"], "127.0.0.3 http"),
        (["X-Forwarded-For: 198.51.100.1, _hidden, 10.1.2.3"], "10.1.2.3 http"),
        (["X-Forwarded-For: 203.0.113.9, "], "127.0.0.3 http"),
        (["X-Forwarded-For:"], "127.0.0.3 http"),
        (["X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: gopher"], "203.0.113.9 http"),
        (["X-Forwarded-Proto: https"], "127.0.0.3 https"),
        # a proxy that writes the one hands the other on as the client wrote it
        (["X-Forwarded-For: 203.0.113.9", "Forwarded: for=198.51.100.1"], "203.0.113.9 http"),
        (["Forwarded: for=198.51.100.1"], "127.0.0.3 http"),
    ],
)
def test_a_listed_proxy_is_believed_as_far_as_listed_proxies_reach(
    place: str, headers: list[str], client: str
) -> None:
    assert client_told(place, PROXY, *headers) == client


def test_a_handshake_over_a_listed_proxy_has_its_clients_address(place: str) -> None:
    headers = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
    url = place.replace("http", "ws") + "/ws"
    with connect(url, additional_headers=headers, source_address=(PROXY, 0)) as wire:
        assert wire.recv(10) == "203.0.113.9 wss"
    with connect(url, additional_headers=headers) as wire:
        assert wire.recv(10) == "127.0.0.1 ws"


def test_connections_of_a_listed_proxy_are_its_own_matter_and_its_clients_are_counted(place: str) -> None:
    url = place.replace("http", "ws") + "/ws"
    hers = {"X-Forwarded-For": "203.0.113.9"}

    def ask(client: str) -> bytes:
        return get(place, source=PROXY, extra=f"X-Forwarded-For: {client}\r\n")

    def wire() -> Any:
        return connect(url, additional_headers=hers, source_address=(PROXY, 0))

    with many(place, 3 * MOST, b"GET / HTTP/1.1\r\nHost: x\r\n", PROXY) as started:
        with ExitStack() as opened:
            for _ in range(MOST):
                opened.enter_context(wire())
            with pytest.raises(InvalidStatus) as refused, wire():
                pass
            assert refused.value.response.status_code == 503
            answer = ask("203.0.113.9")
            assert status_of(answer) == 503
            assert b'"code": "too_many_connections"' in answer
            assert status_of(ask("203.0.113.10")) == 200
        come_true(lambda: status_of(ask("203.0.113.9")) == 200)
        assert all(client.is_open for client in started)


def test_clients_of_one_ipv6_network_are_one() -> None:
    assert client_key("2001:db8::1") == client_key("2001:db8::ffff:1") == "2001:db8::/64"
    assert client_key("2001:db8:0:1::1") != client_key("2001:db8::1")
    assert client_key("::ffff:192.0.2.1") == client_key("192.0.2.1") == "192.0.2.1"


def test_settings_name_proxies_by_address_and_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMOLDESK_TRUSTED_PROXIES", '["127.0.0.1", "10.0.0.0/8", "2001:db8::/32"]')
    settings = Settings(_env_file=None)  # pyright: ignore[reportCallIssue]
    assert settings.trusted_proxies == [
        *(IPv4Network(item) for item in ("127.0.0.1/32", "10.0.0.0/8")),
        IPv6Network("2001:db8::/32"),
    ]
    for wrong in ('["localhost"]', '["10.0.0.1/8"]', '["*"]'):
        monkeypatch.setenv("SMOLDESK_TRUSTED_PROXIES", wrong)
        with pytest.raises(ValidationError):
            Settings(_env_file=None)  # pyright: ignore[reportCallIssue]
