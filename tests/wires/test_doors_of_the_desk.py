"""Every door of the real desk: its routes are read off the app itself, so a new one is tested before anyone thinks of it."""

import json
import logging
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from smoldesk.app import create_app
from smoldesk.wires.security import CONTENT_SECURITY_POLICY
from smoldesk.wires.security.middleware import VIEW_PATHS
from tests.support.desk_server import DeskProcess, LiveDesk, live_desk
from tests.support.scripted_model import ScriptedModel, code
from tests.support.ws_client import WsClient

TOKEN = "a long/random token+%&é"
COOKIE = "a%20long%2Frandom%20token%2B%25%26%C3%A9"
FRIEND = "https://app.example.org"
EVIL = "https://evil.example"
HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
MOUNTED = {
    "/static": "/static/js/app.js",
    "/backend/bitmaps": "/backend/bitmaps/exit.png",
    "/backend/data/floors": "/backend/data/floors/floor_1f.webp",
}
"""A file below each mount."""
NO_SECRET = ("/", "/static/charts.js", "/docs", "/openapi.json", "/api/app-frames/nothing")
"""Addresses that a session's cookie opens without its key."""


def doors_of(routes: list[BaseRoute]) -> list[tuple[str, str]]:
    """(method, path) of every route; WS for a socket. Parameters are filled with names of nothing."""
    results: list[tuple[str, str]] = []
    for route in routes:
        if isinstance(route, Mount):
            assert route.path in MOUNTED, f"tell these tests of a file below {route.path}"
            results += [
                ("GET", MOUNTED[route.path]),
                ("GET", f"{route.path}/nothing"),
                ("GET", f"{route.path}/"),
            ]
        elif isinstance(route, WebSocketRoute):
            results.append(("WS", route.path))
        else:
            assert isinstance(route, Route), f"a kind of route these tests do not know: {route!r}"
            path = re.sub(r"\{[^}]*\}", "nothing", route.path)
            results += [(method, path) for method in sorted(route.methods or {"GET"})]
    return results


def flat(routes: list[BaseRoute]) -> list[BaseRoute]:
    """Routes with those of included routers, where the framework keeps them nested."""
    out: list[BaseRoute] = []
    for route in routes:
        nested = getattr(getattr(route, "original_router", None), "routes", None)
        out += flat(list(nested)) if nested is not None else [route]
    return out


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    folder = tmp_path_factory.mktemp("open")
    with live_desk(
        folder, lambda: ScriptedModel([code("final_answer('ok')")]), allowed_origins=[FRIEND]
    ) as live:
        yield live


def locked_desk(folder: Path) -> AbstractContextManager[LiveDesk]:
    model = ScriptedModel([code("final_answer('ok')")])
    options = {"token": SecretStr(TOKEN), "allowed_origins": [FRIEND], "upload_limit_mb": 0.001}
    return live_desk(folder, lambda: model, **options)  # pyright: ignore[reportArgumentType]


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with locked_desk(tmp_path_factory.mktemp("locked")) as live:
        yield live


@pytest.fixture
def guessed_at(tmp_path: Path) -> Iterator[LiveDesk]:
    """A desk of its own for who guesses tokens: it looks at no further token of this address then."""
    with locked_desk(tmp_path) as live:
        yield live


@pytest.fixture(scope="module")
def app(desk: LiveDesk) -> Starlette:
    return create_app(desk.desk.settings, desk.desk)


@pytest.fixture(scope="module")
def doors(app: Starlette) -> list[tuple[str, str]]:
    return doors_of(flat(list(app.routes)))


def send(desk: LiveDesk, method: str, path: str, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value.encode() for name, value in headers.items()}
    with httpx.Client(trust_env=False, verify=False) as client:
        return client.request(method, desk.url + path, headers=named, timeout=30)  # pyright: ignore[reportArgumentType]


def shake_hands(desk: LiveDesk, path: str, offered: Any = None, **headers: str) -> int:
    """The status of a websocket's handshake: 101 when it was let in; `offered` are subprotocols."""
    # this client writes headers in Latin-1; the bytes are to be UTF-8
    named = {name.replace("_", "-"): value.encode().decode("latin-1") for name, value in headers.items()}
    host = named.pop("host", f"127.0.0.1:{httpx.URL(desk.url).port}")
    existing = ("127.0.0.1", httpx.URL(desk.url).port)
    try:
        with connect(
            f"ws://{host}{path}", additional_headers=named, proxy=None, address=existing, subprotocols=offered
        ):
            return 101
    except InvalidStatus as refused:
        for name, value in HEADERS.items():
            assert refused.response.headers[name] == value
        return refused.response.status_code


def signed_in(desk: LiveDesk) -> dict[str, str]:
    """The cookie of a session of its own, and its key."""
    moved = send(desk, "GET", f"/?token={httpx.QueryParams({'t': TOKEN})}".replace("token=t=", "token="))
    key = httpx.URL(moved.headers["location"]).params["key"]
    return {"cookie": moved.headers["set-cookie"].partition(";")[0], "key": key}


def guarded(response: httpx.Response) -> None:
    """It carries every security header, once."""
    for name, value in HEADERS.items():
        inputs = response.headers.get_list(name)
        if name == "content-security-policy" and inputs != [value]:
            assert inputs[0].startswith("default-src 'none'"), response.url
            assert len(inputs) == 1
            continue
        assert inputs == [value], (response.url, name)
    assert response.headers["cache-control"]
    assert "server" not in response.headers


def test_the_doors_are_those_we_know_of(doors: list[tuple[str, str]]) -> None:
    """Only so that these tests cannot pass by finding nothing."""
    assert len(doors) >= 25
    assert {
        *[("WS", "/ws"), ("GET", "/"), ("GET", "/docs"), ("GET", "/openapi.json"), ("GET", "/healthz")],
        *[("GET", "/metrics"), ("POST", "/api/chats"), ("DELETE", "/api/chats/nothing")],
        *[("POST", "/api/chats/nothing/files"), ("POST", "/api/asks/nothing")],
        *[("GET", path) for path in MOUNTED.values()],
    } <= set(doors)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.", ""]
)
def test_a_wrong_host_is_refused_at_every_door(
    desk: LiveDesk, doors: list[tuple[str, str]], host: str
) -> None:
    for method, path in doors:
        if method == "WS":
            assert not host or shake_hands(desk, path, host=host) == 403, (method, path)
            continue
        response = send(desk, method, path, host=host)
        assert response.status_code == 421 or (not host and response.status_code == 400), (method, path)
        if response.status_code == 421:
            guarded(response)


@pytest.mark.parametrize(
    "origin", [EVIL, "null", "http://127.0.0.1", "http://localhost:1", f"{FRIEND}.evil.example"]
)
def test_a_foreign_origin_is_refused_at_every_door(
    desk: LiveDesk, doors: list[tuple[str, str]], origin: str
) -> None:
    for method, path in doors:
        if method == "WS":
            assert shake_hands(desk, path, origin=origin) == 403
            continue
        response = send(desk, method, path, origin=origin)
        assert response.status_code == 403, (method, path)
        assert method == "HEAD" or response.json()["error"]["code"] == "origin_refused"
        assert "access-control-allow-origin" not in response.headers
        guarded(response)


def test_a_form_of_another_site_changes_nothing(desk: LiveDesk, doors: list[tuple[str, str]]) -> None:
    """Old browsers send no Origin with some requests, but say that they come from elsewhere."""
    for method, path in doors:
        if method not in ("WS", "GET", "HEAD", "OPTIONS"):
            assert send(desk, method, path, sec_fetch_site="cross-site").status_code == 403, (method, path)


def test_without_the_token_nothing_answers_but_the_bare_health(
    guessed_at: LiveDesk, doors: list[tuple[str, str]]
) -> None:
    session = signed_in(guessed_at)
    for method, path in doors:
        for headers in ({}, {"authorization": "Bearer nope"}, {"cookie": "smoldesk_token=nope"}, session):
            # whoever guesses too often is not even looked at
            refused = (401, 429) if "authorization" in headers else (401,)
            if method == "WS":
                assert shake_hands(guessed_at, path, **headers) in refused
                continue
            if headers is session and (path in NO_SECRET or path.startswith(tuple(MOUNTED))):
                continue
            response = send(guessed_at, method, path, **headers)
            if path in VIEW_PATHS:  # a key that no request of these has opens a view
                assert response.status_code == (404 if path.endswith("/content") else 200), (method, path)
                assert TOKEN not in response.text
            elif path == "/healthz":
                assert (response.status_code, response.json()) == (200, {"status": "ok"})
            else:
                # a browser that comes back from another site brings no cookie of ours: what it knows is its state
                open_to_state = (method, path) == ("GET", "/api/mcp-callback")
                assert response.status_code in ((404,) if open_to_state else refused), (method, path)
                assert TOKEN not in response.text
            guarded(response)


def test_with_the_token_every_door_opens(locked: LiveDesk, doors: list[tuple[str, str]]) -> None:
    """By header for programs and by session and key for the page; what is refused behind it is refused by its own wire."""
    bearer = {"authorization": f"Bearer {TOKEN}"}
    session = signed_in(locked)
    key = session.pop("key")
    for headers in (bearer, session | {"x_smoldesk_key": key}):
        for method, path in doors:
            if method == "WS":
                offered = None if headers is bearer else ["smoldesk", f"smoldesk.key.{key}"]
                assert shake_hands(locked, path, offered, **headers) == 101
            else:
                response = send(locked, method, path, **headers)
                assert response.status_code not in (401, 421, 403), (method, path)
                assert response.status_code < 500, (method, path)
                guarded(response)
    assert "version" in send(locked, "GET", "/healthz", **bearer).json()


def test_unknown_paths_and_methods_are_guarded_like_known_ones(desk: LiveDesk, locked: LiveDesk) -> None:
    for method, path in [
        *[("GET", "/nothing"), ("GET", "/backend/main.py"), ("GET", "/backend/data/building.json")],
        *[("GET", "/static/../backend/settings.py"), ("GET", "/static/%2e%2e/pyproject.toml")],
        *[
            ("GET", "/backend/bitmaps/..%2f..%2fpyproject.toml"),
            ("GET", "/.env"),
            ("POST", "/static/js/app.js"),
        ],
        *[("DELETE", "/"), ("PUT", "/api/chats"), ("TRACE", "/api/chats"), ("GET", "//evil.example/")],
    ]:
        response = send(desk, method, path)
        assert response.status_code in (404, 405), (method, path)
        guarded(response)
        assert send(locked, method, path).status_code == 401


def test_errors_of_every_kind_leave_with_the_headers(desk: LiveDesk, app: Starlette) -> None:
    url = desk.url
    chat = httpx.post(f"{url}/api/chats").json()["id"]
    for response, status in [
        (httpx.get(f"{url}/api/chats/nothing"), 404),
        (httpx.post(f"{url}/api/chats/{chat}/runs", json={}), 422),
        (httpx.post(f"{url}/api/chats/{chat}/runs", content=b"{nope"), 422),
        (httpx.post(f"{url}/api/chats/{chat}/runs", json={"message": " "}), 400),
        (httpx.get(f"{url}/api/chats/{chat}/events?after=x"), 422),
        (httpx.post(f"{url}/api/chats/{chat}/files", content=b"x"), 400),
        (httpx.patch(f"{url}/api/chats/{chat}", json={"title": "x" * 201}), 422),
        (httpx.post(f"{url}/api/asks/nothing", json={"granted": True}), 404),
    ]:
        assert response.status_code == status, response.url
        assert set(response.json()["error"]) == {"code", "message", "hint"}
        guarded(response)


def test_a_bug_behind_the_doors_leaves_with_the_headers_and_without_details(
    desk: LiveDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "what only the log may say"

    def broken(*_: object) -> None:
        raise RuntimeError(secret)

    monkeypatch.setattr(desk.desk.store, "aread", broken)
    response = send(desk, "GET", "/api/chats")
    assert response.status_code == 500
    assert secret not in response.text
    guarded(response)


def test_a_page_of_an_allowed_origin_may_do_what_our_own_may(desk: LiveDesk) -> None:
    preflight = send(
        desk,
        "OPTIONS",
        "/api/chats",
        origin=FRIEND,
        access_control_request_method="POST",
        access_control_request_headers="content-type, authorization",
    )
    assert preflight.status_code == 204
    assert preflight.headers["access-control-allow-origin"] == FRIEND
    assert "POST" in preflight.headers["access-control-allow-methods"]
    assert "authorization" in preflight.headers["access-control-allow-headers"]
    guarded(preflight)
    created = send(desk, "POST", "/api/chats", origin=FRIEND)
    assert created.status_code == 201
    assert created.headers["access-control-allow-origin"] == FRIEND
    missing = send(desk, "GET", "/api/chats/nothing", origin=FRIEND)
    assert (missing.status_code, missing.headers["access-control-allow-origin"]) == (404, FRIEND)
    assert shake_hands(desk, "/ws", origin=FRIEND) == 101
    assert shake_hands(desk, "/ws", origin=desk.url) == 101


def test_every_preflight_of_a_stranger_is_refused(desk: LiveDesk, doors: list[tuple[str, str]]) -> None:
    for _, path in doors:
        response = send(desk, "OPTIONS", path, origin=EVIL, access_control_request_method="POST")
        assert response.status_code == 403, path
        assert "access-control-allow-origin" not in response.headers


def test_files_of_a_chat_are_served_as_downloads(desk: LiveDesk) -> None:
    chat = httpx.post(f"{desk.url}/api/chats").json()["id"]
    page = b"<script>alert(1)</script>"
    for name in ("evil.html", "evil.svg", "evil.xml", "evil", "evil.pdf"):
        file = httpx.post(f"{desk.url}/api/chats/{chat}/files", files={"file": (name, page)}).json()
        response = httpx.get(desk.url + file["url"])
        assert response.content == page
        assert response.headers["content-disposition"].startswith("attachment"), name
        assert response.headers["content-security-policy"].startswith("default-src 'none'")
        guarded(response)


def test_the_token_leaves_the_address_and_stays_out_of_the_log(tmp_path: Path, free_port: int) -> None:
    settings = {"SMOLDESK_TOKEN": TOKEN, "SMOLDESK_LOG_LEVEL": "DEBUG", "SMOLDESK_SANDBOX_PRELOAD": "[]"}
    process = DeskProcess(tmp_path, free_port, settings)
    quoted = str(httpx.QueryParams({"token": TOKEN}))
    try:
        process.wait_until_up()
        with httpx.Client(base_url=process.url, timeout=30) as client:
            moved = client.get(f"/api/chats?x=1&{quoted}")
            assert moved.status_code == 303
            assert moved.headers["location"].startswith("/api/chats?x=1&link=")
            assert "HttpOnly" in moved.headers["set-cookie"]
            assert client.get(moved.headers["location"]).status_code == 200
            client.cookies.clear()
            wrong = client.get("/?token=not-the-token-4711")
            assert wrong.status_code == 401
            assert client.post(f"/api/chats?{quoted}").status_code == 401
        with WsClient(process.ws_url, f"?after=0&{quoted}").greeted():
            pass
        assert process.terminate() == 0
        log = process.errors() + process.output()
    finally:
        process.close()
    assert "method=GET status=303" in log
    assert "method=WEBSOCKET status=101" in log
    assert "denial code=token_wrong client=127.0.0.1" in log
    for secret in (TOKEN, quoted.removeprefix("token="), COOKIE, "not-the-token-4711"):
        assert secret not in log
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert TOKEN.encode() not in stored


def test_the_schema_tells_no_path_of_this_machine(desk: LiveDesk) -> None:
    schema = json.dumps(httpx.get(f"{desk.url}/openapi.json").json())
    assert str(Path.cwd()) not in schema
    assert str(desk.desk.data_dir.root) not in schema


class Lines(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


def test_a_refused_handshake_is_no_error_in_the_log_and_a_forgotten_one_is(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "uvicorn.error")  # another test's server may have left it at CRITICAL
    lines = Lines()
    log = logging.getLogger("uvicorn.error")
    try:
        with live_desk(tmp_path, log_level="INFO") as live:
            log.addHandler(lines)  # not before: uvicorn sets its logging up anew
            assert shake_hands(live, "/ws", origin=EVIL) == 403
        log.error("ASGI callable returned without completing handshake.")
    finally:
        log.removeHandler(lines)
    assert [record.levelname for record in lines.records] == ["ERROR"], "only the one this test wrote"
