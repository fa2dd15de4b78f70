"""Attacks on the doors of a real server, one for each thing they promise."""

import logging
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from smoldesk.errors import BadInput, Refused
from smoldesk.wires.security import (
    CONTENT_SECURITY_POLICY,
    SecurityMiddleware,
    check_bind,
    redact_token_filter,
)
from tests.support.aio import run_async
from tests.support.servers import app_served

TOKEN = "s3cret token/é+%&;="
COOKIE = "s3cret%20token%2F%C3%A9%2B%25%26%3B%3D"
FRIEND = "https://app.example.org"
EVIL = "https://evil.example"


async def echo(request: Request) -> Response:
    return JSONResponse({"method": request.method, "query": str(request.url.query)})


async def health(_: Request) -> Response:
    return JSONResponse({"status": "ok", "database": "/secret/path"})


async def wildcard(_: Request) -> Response:
    return PlainTextResponse("x", headers={"access-control-allow-origin": "*", "cache-control": "max-age=60"})


async def socket_echo(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_text(f"hello {websocket.url.query}")
    await websocket.close()


METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
app = Starlette(
    routes=[
        Route("/", echo, methods=METHODS),
        Route("/api/things", echo, methods=METHODS),
        Route("/healthz", health),
        Route("/wildcard", wildcard),
        WebSocketRoute("/ws", socket_echo),
    ]
)


@contextmanager
def serving(**options: Any) -> Iterator[str]:
    """The app behind its doors on a free port; gives "127.0.0.1:PORT"."""
    with app_served(SecurityMiddleware(app, **options)) as address:
        yield address.removeprefix("http://")


OPTIONS: dict[str, Any] = {
    "allowed_origins": [FRIEND + "/"],
    "allowed_hosts": ["desk.example.org", "Other.example:8443"],
}
INSIDE = "127.0.0.1:1"
"""A place that no server listens at: `ask` calls the app itself."""


@pytest.fixture(scope="module")
def desk() -> Iterator[str]:
    with serving(**OPTIONS) as place:
        yield place


@pytest.fixture
def inside() -> str:
    return INSIDE


@pytest.fixture
def locked() -> Iterator[str]:
    with serving(token=SecretStr(TOKEN), allowed_origins=[FRIEND]) as place:
        yield place


def ask(place: str, method: str = "GET", path: str = "/api/things", **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if place == INSIDE:
        return run_async(_ask_inside(method, path, named))
    with httpx.Client(verify=False, trust_env=False) as client:  # no TLS here: spare loading certificates
        return client.request(method, f"http://{place}{path}", headers=named)


async def _ask_inside(method: str, path: str, headers: dict[str, str]) -> httpx.Response:
    transport = httpx.ASGITransport(SecurityMiddleware(app, **OPTIONS))
    async with httpx.AsyncClient(transport=transport) as client:
        return await client.request(method, f"http://{INSIDE}{path}", headers=headers)


def refusal(response: httpx.Response) -> str:
    error = response.json()["error"]
    assert error["message"]
    assert error["hint"]
    assert response.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
    assert response.headers["cache-control"] == "no-store"
    return error["code"]


def raw(place: str, request: str) -> str:
    """The status line and headers a server sends to exactly these bytes."""
    host, port = place.split(":")
    with socket.create_connection((host, int(port)), timeout=10) as wire:
        wire.sendall(request.replace("\n", "\r\n").encode("latin-1"))
        wire.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: wire.recv(4096), b"")).decode("latin-1")


def handshake(place: str, path: str = "/ws", **headers: str) -> str:
    """What the socket says first, or the status of the refusal."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if place == INSIDE:
        return run_async(_handshake_inside(path, named))
    origin = named.pop("Origin", None)
    try:
        with connect(f"ws://{place}{path}", origin=origin, additional_headers=named, open_timeout=10) as wire:  # type: ignore[arg-type]
            return str(wire.recv(timeout=10))
    except InvalidStatus as refused:
        assert b'"error"' in (refused.response.body or b"")
        return str(refused.response.status_code)


async def _handshake_inside(path: str, headers: dict[str, str]) -> str:
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    lines = {"host": INSIDE, **{name.lower(): value for name, value in headers.items()}}
    scope = {
        "type": "websocket",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in lines.items()],
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 1),
        "scheme": "ws",
        "extensions": {"websocket.http.response": {}},
        "subprotocols": [],
    }
    await SecurityMiddleware(app, **OPTIONS)(scope, receive, send)
    if sent[0]["type"] == "websocket.accept":
        return str(sent[1]["text"])
    assert b'"error"' in sent[1]["body"]
    return str(sent[0]["status"])


# --- host ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "LOCALHOST:9",
        "[::1]:8000",
        "desk.example.org",
        "desk.example.org:81",
        "other.example:8443",
    ],
)
def test_the_desk_answers_to_its_own_names(inside: str, host: str) -> None:
    assert ask(inside, host=host).status_code == 200


HOSTS = [
    *(
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "evil-localhost",
        "localhost.",
        "[::2]",
    ),
    *(
        "other.example",
        "other.example:8444",
        "sub.desk.example.org",
        "127.0.0.1@evil.example",
        "localhost/evil",
        "0.0.0.0",
    ),
    *("localhost:8000:evil", "127.0.0.2", "localhost:", "localhost,evil.example", "2130706433", ""),
]


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("path", ["/", "/api/things", "/healthz", "/nowhere"])
def test_a_name_bent_to_point_here_is_refused_on_every_route(inside: str, host: str, path: str) -> None:
    response = ask(inside, path=path, host=host)
    assert response.status_code == 421
    assert refusal(response) == "host_refused"


@pytest.mark.parametrize("host", [host for host in HOSTS if host])
def test_a_socket_by_a_bent_name_is_refused_before_it_opens(inside: str, host: str) -> None:
    assert handshake(inside, Host=host) == "403"


def test_so_it_is_on_the_line(desk: str) -> None:
    lines = "GET /ws HTTP/1.1\nHost: evil.example\nUpgrade: websocket\nConnection: Upgrade\n"
    keys = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\nSec-WebSocket-Version: 13\n\n"
    answer = raw(desk, lines + keys)
    assert answer.startswith("HTTP/1.1 403")
    assert "host_refused" in answer


def test_no_host_or_two_hosts_are_refused(desk: str) -> None:
    assert " 421 " in raw(desk, "GET / HTTP/1.0\n\n").splitlines()[0]
    two = raw(desk, "GET / HTTP/1.1\nHost: localhost\nHost: evil.example\nConnection: close\n\n")
    assert two.splitlines()[0].split()[1] in ("400", "421")


def test_the_address_it_was_bound_to_is_a_name_of_the_desk() -> None:
    with serving(host="192.0.2.7", token=SecretStr("t")) as place:
        assert ask(place, path="/healthz", host="192.0.2.7:8000").status_code == 200
        assert ask(place, path="/healthz", host="192.0.2.8:8000").status_code == 421


@pytest.mark.parametrize("entry", ["*", "https://desk.example.org", "", "a b", "*.example.org"])
def test_a_setting_that_is_no_host_is_refused_at_start(entry: str) -> None:
    with pytest.raises(BadInput, match="SMOLDESK_ALLOWED_HOSTS"):
        SecurityMiddleware(app, allowed_hosts=[entry])


# --- origin --------------------------------------------------------------------------------------------


def test_the_desks_own_page_may_do_everything(inside: str) -> None:
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        local = ask(inside, method, Origin=f"http://{inside}", Sec_Fetch_Site="same-origin")
        assert local.status_code == 200
        assert "access-control-allow-origin" not in local.headers
        assert "origin" in local.headers["vary"].lower()
    assert handshake(inside, Origin=f"http://{inside}") == "hello "


STRANGERS: list[Callable[[str], str]] = [
    lambda _: EVIL,
    lambda _: "null",
    lambda _: "",
    lambda _: "*",
    lambda place: f"https://{place}",
    lambda place: f"http://{place}.evil.example",
    lambda place: f"http://{place}@evil.example",
    lambda place: f"http://{place}, {EVIL}",
    lambda _: "http://127.0.0.1",
    lambda _: "http://localhost:3000",
    lambda _: f"{FRIEND}.evil.example",
    lambda _: f"{FRIEND}:8443",
    lambda _: FRIEND.replace("https", "http"),
    lambda _: FRIEND.replace("app.", "evil.app."),
    lambda _: f"{FRIEND}/",
    lambda _: "file://",
]


@pytest.mark.parametrize("origin", STRANGERS)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS"])
def test_a_page_of_another_origin_is_refused_and_cannot_read_the_refusal(
    inside: str, method: str, origin: Callable[[str], str]
) -> None:
    response = ask(inside, method, Origin=origin(inside), Access_Control_Request_Method="POST")
    assert response.status_code == 403
    assert refusal(response) == "origin_refused"
    assert not [name for name in response.headers if name.startswith("access-control")]


@pytest.mark.parametrize("origin", [stranger for stranger in STRANGERS if stranger("") != ""])
def test_a_socket_from_a_page_of_another_origin_is_refused(inside: str, origin: Callable[[str], str]) -> None:
    assert handshake(inside, Origin=origin(inside)) == "403"


def test_two_origins_are_refused(desk: str) -> None:
    head = f"GET / HTTP/1.1\nHost: {desk}\nOrigin: http://{desk}\nOrigin: {EVIL}\nConnection: close\n\n"
    assert " 403 " in raw(desk, head).splitlines()[0]


@pytest.mark.parametrize("origin", [FRIEND, FRIEND.upper(), f"{FRIEND}:443"])
def test_an_allowed_origin_may_ask_read_and_open_sockets(inside: str, origin: str) -> None:
    response = ask(inside, "POST", Origin=origin, Sec_Fetch_Site="cross-site")
    assert response.status_code == 200
    assert response.headers["access-control-allow-origin"] == origin
    assert response.headers["access-control-allow-credentials"] == "true"
    assert "origin" in response.headers["vary"].lower()
    assert handshake(inside, Origin=origin) == "hello "


def test_a_preflight_of_an_allowed_origin_is_answered_by_the_doors_also_without_token(locked: str) -> None:
    wants = {
        "Access_Control_Request_Method": "PATCH",
        "Access_Control_Request_Headers": "authorization,x-thing",
    }
    response = ask(locked, "OPTIONS", Origin=FRIEND, **wants)
    assert response.status_code == 204
    assert response.content == b""
    assert response.headers["access-control-allow-origin"] == FRIEND
    assert "PATCH" in response.headers["access-control-allow-methods"]
    assert response.headers["access-control-allow-headers"] == "authorization,x-thing"
    assert "origin" in response.headers["vary"].lower()


def test_a_route_cannot_open_itself_to_everybody(inside: str) -> None:
    assert "access-control-allow-origin" not in ask(inside, path="/wildcard").headers
    friend = ask(inside, path="/wildcard", Origin=FRIEND)
    assert friend.headers.get_list("access-control-allow-origin") == [FRIEND]


@pytest.mark.parametrize(
    "entry", ["*", "https://*.example.org", "null", "app.example.org", f"{FRIEND}/path", ""]
)
def test_a_setting_that_is_no_exact_origin_is_refused_at_start(entry: str) -> None:
    with pytest.raises(BadInput, match="SMOLDESK_ALLOWED_ORIGINS"):
        SecurityMiddleware(app, allowed_origins=[entry])


@pytest.mark.parametrize("site", ["cross-site", "same-site", "nonsense"])
def test_another_sites_form_changes_nothing_even_without_an_origin(inside: str, site: str) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        response = ask(inside, method, Sec_Fetch_Site=site)
        assert response.status_code == 403
        assert refusal(response) == "cross_site_refused"
    assert handshake(inside, Sec_Fetch_Site=site) == "403"
    assert (
        ask(inside, "GET", Sec_Fetch_Site=site).status_code == 200
    )  # a link from elsewhere may open the desk


def test_programs_without_a_browser_may_change_things(inside: str) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert ask(inside, method).json()["method"] == method
    assert handshake(inside) == "hello "


# --- token ---------------------------------------------------------------------------------------------


def test_without_the_token_every_route_says_how_to_bring_it(locked: str) -> None:
    for path in ("/", "/api/things", "/nowhere", "/healthz/../api/things"):
        for method in ("GET", "POST", "DELETE"):
            response = ask(locked, method, path)
            assert response.status_code == 401
            assert refusal(response) == "token_required"
            assert response.headers["www-authenticate"].startswith("Bearer")
            assert "Bearer" in response.json()["error"]["hint"]
    assert handshake(locked) == "401"


def test_a_browser_without_the_token_gets_a_small_page(locked: str) -> None:
    page = ask(locked, path="/", Accept="text/html,*/*;q=0.8")
    assert page.status_code == 401
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "?token=" in page.text
    assert "開く" in page.text
    assert "<script" not in page.text
    assert "style" not in page.text
    policy = page.headers["content-security-policy"]
    assert policy == CONTENT_SECURITY_POLICY.replace("form-action 'none'", "form-action 'self'")


WRONG = ["", "x", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "***"]


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_token_opens_nothing(locked: str, wrong: str) -> None:
    with httpx.Client(base_url=f"http://{locked}", verify=False, trust_env=False) as client:
        bearer = {"Authorization": f"Bearer {wrong}".strip().encode()}
        assert client.get("/api/things", headers=bearer).status_code == 401  # pyright: ignore[reportArgumentType]
        assert (
            client.get("/api/things", headers={"Cookie": b"smoldesk_token=" + wrong.encode()}).status_code  # pyright: ignore[reportArgumentType]
            == 401
        )
        response = client.get("/api/things", params={"token": wrong})
        assert response.status_code == 401
        assert response.json()["error"]["code"] == ("token_wrong" if wrong else "token_required")
        assert "set-cookie" not in response.headers
    assert handshake(locked, path=f"/ws?token={wrong}" if "%" not in wrong else "/ws?token=x") == "401"


def test_the_right_token_opens_by_header_and_no_more_by_cookie(locked: str) -> None:
    with httpx.Client(base_url=f"http://{locked}", verify=False, trust_env=False) as client:
        for scheme in ("Bearer", "bearer"):
            headers = {"Authorization": f"{scheme} {TOKEN}".encode()}
            assert client.post("/api/things", headers=headers).status_code == 200  # pyright: ignore[reportArgumentType]
        headers = {"Cookie": f"other=1; smoldesk_token={COOKIE}; more=2"}
        refused = client.get("/api/things", headers=headers)
        assert refused.status_code == 401
        # a browser that still has the cookie of before sends the token to every port of the host
        assert refused.headers["set-cookie"].startswith("smoldesk_token=; Path=/; Max-Age=0")
        basic = {"Authorization": f"Basic {TOKEN}".encode()}
        assert client.get("/api/things", headers=basic).status_code == 401  # pyright: ignore[reportArgumentType]
    assert handshake(locked, Cookie=f"smoldesk_token={COOKIE}") == "401"
    assert handshake(locked, path=f"/ws?chat=7&token={COOKIE}&after=3") == "hello chat=7&after=3"


def test_a_token_in_the_address_moves_into_a_session_and_is_gone(locked: str) -> None:
    with httpx.Client(base_url=f"http://{locked}", verify=False, trust_env=False) as client:
        moved = client.get("/api/things?a=1&%74oken=wrong&token=" + COOKIE + "&b=%2F%20")
        assert moved.status_code == 303
        assert moved.headers["location"].startswith("/api/things?a=1&b=%2F%20&link=")
        assert moved.headers["cache-control"] == "no-store"
        assert moved.headers["referrer-policy"] == "no-referrer"
        cookie = moved.headers["set-cookie"]
        assert cookie.startswith(f"smoldesk_session_{locked.partition(':')[2]}=")
        assert cookie.endswith("; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax")
        assert COOKIE not in cookie
        assert client.get(moved.headers["location"]).json()["query"] == "a=1&b=%2F%20"


def test_over_https_the_cookie_is_secure(locked: str) -> None:
    answer = ask(
        locked, path=f"/?token={COOKIE}", X_Forwarded_Proto="https"
    )  # uvicorn trusts a proxy on loopback
    assert answer.status_code == 303
    assert answer.headers["set-cookie"].endswith("; Secure")


@pytest.mark.parametrize(
    "path", ["//evil.example", "/\\evil.example", "///evil.example/x", "//evil.example%2f..", "/%0d%0aX:1"]
)
def test_taking_the_token_away_never_leads_to_another_server(locked: str, path: str) -> None:
    answer = raw(locked, f"GET {path}?token={COOKIE} HTTP/1.1\nHost: {locked}\nConnection: close\n\n")
    assert " 303 " in answer.splitlines()[0]
    location = next(line for line in answer.splitlines() if line.lower().startswith("location: "))[10:]
    assert location.startswith("/")
    assert location[1:2] not in ("/", "\\")


def test_a_token_in_the_address_of_a_post_is_no_credential_and_never_reaches_the_app(locked: str) -> None:
    assert ask(locked, "POST", f"/api/things?token={COOKIE}").status_code == 401
    reply = httpx.post(
        f"http://{locked}/api/things?token=zzz&a=1",
        headers={"Authorization": f"Bearer {TOKEN}".encode()},  # pyright: ignore[reportArgumentType]
    )
    assert reply.json()["query"] == "a=1"


def test_without_a_token_to_ask_for_the_address_is_cleaned_all_the_same(inside: str) -> None:
    moved = ask(inside, path="/?token=left-over&chat=1")
    assert moved.status_code == 303
    assert moved.headers["location"] == "/?chat=1"
    assert "set-cookie" not in moved.headers


def test_a_stranger_learns_from_healthz_only_that_the_desk_is_well(locked: str) -> None:
    assert ask(locked, path="/healthz").json() == {"status": "ok"}
    assert ask(locked, "HEAD", "/healthz").status_code == 200
    assert ask(locked, "POST", "/healthz").status_code == 401
    bearer = {"Authorization": f"Bearer {TOKEN}".encode()}
    full = httpx.get(f"http://{locked}/healthz", headers=bearer)  # pyright: ignore[reportArgumentType]
    assert full.json()["database"] == "/secret/path"


def test_an_empty_token_is_no_token() -> None:
    with serving(token=SecretStr("")) as place:
        assert ask(place).status_code == 200


# --- binding -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "localhost", "::1"])
def test_loopback_needs_no_token(host: str) -> None:
    check_bind(host, None)


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "", "192.168.1.5", "desk.example.org", "127.0.0.1.evil.example", "127.1"]
)
def test_any_other_address_needs_a_token(host: str) -> None:
    for token in (None, SecretStr("")):
        with pytest.raises(Refused, match="SMOLDESK_TOKEN"):
            check_bind(host, token)
    check_bind(host, SecretStr("a long random text"))


# --- headers -------------------------------------------------------------------------------------------


def test_the_policy_is_the_one_the_design_promises() -> None:
    assert dict(part.split(" ", 1) for part in CONTENT_SECURITY_POLICY.split("; ")) == {  # pyright: ignore[reportArgumentType, reportCallIssue]
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "connect-src": "'self'",
        "frame-src": "'self'",
        "img-src": "'self' blob: data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "smoldesk",
    }


def test_every_response_carries_the_security_headers(inside: str) -> None:
    answers = [ask(inside, path=path) for path in ("/", "/api/things", "/nowhere", "/healthz")]
    answers += [ask(inside, host="evil.example"), ask(inside, Origin=EVIL), ask(inside, "OPTIONS")]
    for answer in answers:
        assert answer.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"


def test_the_api_is_stored_nowhere_and_the_rest_is_asked_again(inside: str) -> None:
    assert ask(inside).headers["cache-control"] == "no-store"
    assert ask(inside, path="/").headers["cache-control"] == "no-cache"
    assert ask(inside, path="/wildcard").headers["cache-control"] == "max-age=60"


# --- logs ----------------------------------------------------------------------------------------------

SERVER = """
import socket, sys, uvicorn
from pydantic import SecretStr
from smoldesk.wires.security import SecurityMiddleware, keep_token_out_of_logs
from tests.wires.test_doors import app
secret, wall = sys.argv[1:]
served, level = (SecurityMiddleware(app, token=SecretStr(secret)), "info") if wall == "doors" else (app, "trace")
config = uvicorn.Config(served, log_level=level, lifespan="off")
if wall == "filter":
    keep_token_out_of_logs(SecretStr(secret))
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
print(listener.getsockname()[1], flush=True)
uvicorn.Server(config).run([listener])
"""


@pytest.mark.parametrize("wall", ["doors", "filter"])
def test_the_token_never_reaches_a_real_servers_log(wall: str) -> None:
    """Each wall alone: the doors at the level people run, the filter also where whole headers are printed."""
    secret = "very-secret-0123456789"
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, secret, wall],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert server.stdout is not None
    try:
        place = f"127.0.0.1:{int(server.stdout.readline())}"
        ask(place, path=f"/api/things?marker=http&token={secret}")
        ask(place, path="/api/things?marker=wrong&token=wrong-guess")
        ask(place, "POST", f"/api/things?marker=post&%74oken={secret}")
        with connect(
            f"ws://{place}/ws?marker=ws&token={secret}",
            additional_headers={"Cookie": f"smoldesk_token={secret}"},
        ) as wire:
            wire.recv(timeout=10)
    finally:
        server.terminate()
        log, _ = server.communicate(timeout=20)
    for marker in ("http", "wrong", "post", "ws"):
        assert f"marker={marker}" in log
    assert secret not in log
    assert "wrong-guess" not in log


def test_the_filter_keeps_the_shape_of_a_record() -> None:
    args = ("127.0.0.1:5", "GET", "/x?a=1&token=abc&b=2", "1.1", 200)
    record = logging.LogRecord("uvicorn.access", 20, "", 0, '%s - "%s %s HTTP/%s" %d', args, None)
    assert redact_token_filter().filter(record)
    assert record.args == ("127.0.0.1:5", "GET", "/x?a=1&token=***&b=2", "1.1", 200)
    assert record.getMessage() == '127.0.0.1:5 - "GET /x?a=1&token=***&b=2 HTTP/1.1" 200'
