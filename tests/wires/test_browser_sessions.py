"""Attacks on browsers' sessions with what another server of the host sees, and on the token by guessing."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from pydantic import SecretStr
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from smoldesk.wires.security import SecurityMiddleware, Sessions
from smoldesk.wires.security.guesses import FREE_FAILURES, LONGEST_SECONDS, MAX_ADDRESSES, LoginThrottle
from smoldesk.wires.security.sessions import LINK_SECONDS, Session
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.postgres import TestPostgres
from tests.support.scripted_model import ScriptedModel, code
from tests.support.servers import app_served
from tests.support.waiting import come_true
from tests.support.ws_client import WsClient
from tests.wires.test_doors import app

TOKEN = "the desk's token 4711"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


class Browser(NamedTuple):
    """What one browser has after the way in."""

    url: str
    name: str
    value: str
    key: str

    def headers(self, value: str | None = None, key: str | None = None) -> dict[str, str]:
        cookie = f"{self.name}={self.value if value is None else value}"
        return {"Cookie": cookie, "X-Smoldesk-Key": self.key if key is None else key}

    @property
    def cookie(self) -> dict[str, str]:
        return {"Cookie": f"{self.name}={self.value}"}

    def get(self, path: str, **headers: str) -> httpx.Response:
        return httpx.get(self.url + path, headers=headers or self.headers(), timeout=30)

    def link(self, path: str) -> str:
        links = f"{self.url}/api/session/links"
        return httpx.post(links, params={"path": path}, headers=self.headers()).json()["url"]


def enter(url: str, token: str = TOKEN) -> Browser:
    """The way in of a person: the address with the token."""
    moved = httpx.get(f"{url}/", params={"token": token})
    assert moved.status_code == 303
    assert token not in str(moved.headers)
    name, _, value = moved.headers["set-cookie"].partition(";")[0].partition("=")
    return Browser(url, name, value, httpx.URL(moved.headers["location"]).params["key"])


def code_of(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


def shake_hands(url: str, path: str = "/ws", protocols: list[str] | None = None, **headers: str) -> int:
    try:
        address = url.replace("http", "ws") + path
        offered: Any = protocols
        with connect(address, additional_headers=headers, subprotocols=offered, proxy=None):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


def locked_desk(folder: Path, token: str = TOKEN, **options: Any) -> Any:
    model = ScriptedModel([code("final_answer('ok')")])
    return live_desk(folder, lambda: model, token=SecretStr(token), **options)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with locked_desk(tmp_path_factory.mktemp("sessions")) as live:
        yield live


@pytest.fixture(scope="module")
def chat(desk: LiveDesk) -> str:
    """A chat with one run and one file."""
    with WsClient(desk.ws_url, headers=BEARER).greeted() as client:
        client.send(type="message", message="hello")
        client.until_closed()
        chat_id = client.chat_id
    files = {"file": ("secret.csv", b"a,b\n1,2\n")}
    sent = httpx.post(f"{desk.url}/api/chats/{chat_id}/files", files=files, headers=BEARER, timeout=60)
    assert sent.status_code == 201, sent.text
    return chat_id


# --- what the cookie opens -------------------------------------------------------------------------------


def test_the_cookie_alone_reads_no_chat_opens_no_socket_and_writes_nothing(desk: LiveDesk, chat: str) -> None:
    browser = enter(desk.url)
    reads = [
        "",
        "/messages",
        "/events",
        "/files",
        "/files/secret.csv",
        "/export",
        "/report",
        "/asks",
        "/cards/secret.csv",
    ]
    for path in [f"/api/chats/{chat}{part}" for part in reads] + [
        "/api/chats",
        "/metrics",
        "/mcp",
        "/v1/models",
        "/tasks",
    ]:
        assert browser.get(path, **browser.cookie).status_code == 401, path
    assert code_of(browser.get("/api/chats", **browser.cookie)) == (401, "session_key_required")
    for method, path in [
        ("POST", "/api/chats"),
        ("DELETE", f"/api/chats/{chat}"),
        ("DELETE", "/api/session"),
        ("POST", "/api/session/links"),
    ]:
        refused = httpx.request(method, desk.url + path, headers=browser.cookie)
        assert code_of(refused) == (401, "session_key_required"), path
    for path in ("/ws", f"/ws?chat={chat}", "/live"):
        assert shake_hands(desk.url, path, None, **browser.cookie) == 401
    assert browser.get("/healthz", **browser.cookie).json() == {"status": "ok"}
    assert httpx.get(f"{desk.url}/api/chats/{chat}", headers=BEARER).status_code == 200  # it is still there


def test_the_key_alone_opens_nothing_either(desk: LiveDesk) -> None:
    browser = enter(desk.url)
    assert code_of(browser.get("/api/chats", **{"X-Smoldesk-Key": browser.key})) == (401, "token_required")
    assert shake_hands(desk.url, protocols=["smoldesk", f"smoldesk.key.{browser.key}"]) == 401


def test_cookie_and_key_together_open_the_desk(desk: LiveDesk, chat: str) -> None:
    browser = enter(desk.url)
    assert browser.get(f"/api/chats/{chat}").status_code == 200
    offered = ["smoldesk", f"smoldesk.key.{browser.key}"]
    assert shake_hands(desk.url, protocols=offered, **browser.cookie) == 101
    assert browser.get("/api/session").json()["expires"] > 0


def test_a_cookie_that_a_stranger_of_the_host_added_does_not_displace_ours(desk: LiveDesk) -> None:
    browser = enter(desk.url)
    both = f"{browser.name}=forged.1.2.x; {browser.name}={browser.value}"
    assert browser.get("/api/chats", **{"Cookie": both, "X-Smoldesk-Key": browser.key}).status_code == 200


def test_forged_cookies_are_refused_with_the_right_key(desk: LiveDesk, tmp_path: Path) -> None:
    browser = enter(desk.url)
    name, created, expires, mac = browser.value.split(".")
    with locked_desk(tmp_path) as other:  # the same token, another desk on another port of the host
        stranger = enter(other.url)
    forged = [
        *("", "x", TOKEN, browser.value[:-1], browser.value[:40], browser.value + "x", "..." + mac),
        *(f"{name}x.{created}.{expires}.{mac}", f"{name}.{created}.{int(expires) + 9}.{mac}"),
        *(f"{name}.{int(created) + 1}.{expires}.{mac}", f"{name}.{created}.{expires}.", stranger.value),
        *(f"{name}.{created}.{expires}.{browser.key}", "é.1.9999999999.é"),
    ]
    for value in forged:
        headers = {key: text.encode() for key, text in browser.headers(value).items()}
        refused = httpx.get(f"{desk.url}/api/chats", headers=headers)  # pyright: ignore[reportArgumentType]
        assert code_of(refused) == (401, "token_required"), value
    assert browser.get("/api/chats", **browser.headers(key=stranger.key)).status_code == 401


def test_a_session_is_no_good_at_another_port() -> None:
    """Two desks that share token and secret, as two ports of one server do: each port wants its own way in."""
    sessions = Sessions(SecretStr(TOKEN), 600)
    guarded = SecurityMiddleware(app, token=SecretStr(TOKEN), sessions=sessions)
    with app_served(guarded) as one, app_served(guarded) as two:
        browser = enter(one)
        port = str(httpx.URL(two).port)
        replayed = {"Cookie": f"smoldesk_session_{port}={browser.value}", "X-Smoldesk-Key": browser.key}
        assert httpx.get(f"{two}/api/things", headers=replayed).status_code == 401
        assert browser.get("/api/things").status_code == 200


# --- links -----------------------------------------------------------------------------------------------


def test_a_link_opens_its_address_for_its_session_and_no_other(desk: LiveDesk, chat: str) -> None:
    browser, other = enter(desk.url), enter(desk.url)
    path = f"/api/chats/{chat}/files/secret.csv"
    link = browser.link(path)
    assert browser.get(link, **browser.cookie).text == "a,b\n1,2\n"
    query = link.partition("?")[2]
    for attempt in (
        f"/api/chats/{chat}/export?{query}",
        f"{path}?x=1&{query}",
        f"/api/chats?{query}",
        link[:-1],
        f"{path}?link=1.x",
    ):
        assert browser.get(attempt, **browser.cookie).status_code == 401, attempt
    assert browser.get(link, **other.cookie).status_code == 401
    assert httpx.get(desk.url + link).status_code == 401
    assert httpx.delete(desk.url + link, headers=browser.cookie).status_code == 401


def test_a_link_for_one_query_opens_no_other(desk: LiveDesk, chat: str) -> None:
    browser = enter(desk.url)
    link = browser.link(f"/api/chats/{chat}/export?format=jsonl")
    assert browser.get(link, **browser.cookie).status_code == 200
    assert browser.get(link.replace("jsonl", "html"), **browser.cookie).status_code == 401


def test_a_link_expires_within_minutes_and_never_after_its_session() -> None:
    session = Session("id", "8000", expires=10_000, signing=b"k")
    link = session.link("/api/a%20b?x=1", 1000.0).partition("link=")[2]
    assert session.accepts_link(link, "/api/a b", b"x=1", 1000.0 + LINK_SECONDS - 1)
    assert not session.accepts_link(link, "/api/a b", b"x=1", 1000.0 + LINK_SECONDS)
    assert not session.accepts_link(f"9{link}", "/api/a b", b"x=1", 1000.0)
    late = session.link("/api/x", 9990.0).partition("link=")[2]
    assert not session.accepts_link(late, "/api/x", b"", 10_000.0)
    assert LINK_SECONDS <= 600


def test_the_address_of_a_file_with_the_token_leads_to_a_link(desk: LiveDesk, chat: str) -> None:
    with httpx.Client(base_url=desk.url, follow_redirects=True) as client:
        file = client.get(f"/api/chats/{chat}/files/secret.csv", params={"token": TOKEN})
    assert file.text == "a,b\n1,2\n"


# --- the end of a session --------------------------------------------------------------------------------


def test_an_expired_session_opens_nothing() -> None:
    sessions = Sessions(SecretStr(TOKEN), 1)
    with app_served(SecurityMiddleware(app, token=SecretStr(TOKEN), sessions=sessions)) as url:
        browser = enter(url)
        come_true(lambda: browser.get("/api/things").status_code == 401)


def test_signing_out_ends_one_session_and_its_sockets(desk: LiveDesk) -> None:
    browser, other = enter(desk.url), enter(desk.url)
    offered: Any = ["smoldesk", f"smoldesk.key.{browser.key}"]
    with connect(desk.ws_url, additional_headers=browser.cookie, subprotocols=offered, proxy=None) as wire:
        assert wire.subprotocol == "smoldesk"
        gone = httpx.delete(f"{desk.url}/api/session", headers=browser.headers())
        assert gone.status_code == 200
        assert "Max-Age=0" in gone.headers["set-cookie"]
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                wire.recv(timeout=30)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4401
    assert browser.get("/api/chats").status_code == 401
    assert other.get("/api/chats").status_code == 200


def test_sessions_and_their_ends_outlive_a_restart_but_not_another_token(
    tmp_path: Path, free_port: int
) -> None:
    with locked_desk(tmp_path, port=free_port) as live:
        stays, goes = enter(live.url), enter(live.url)
        httpx.delete(f"{live.url}/api/session", headers=goes.headers())
    with locked_desk(tmp_path, port=free_port):
        assert stays.get("/api/chats").status_code == 200
        assert goes.get("/api/chats").status_code == 401
    with locked_desk(tmp_path, token="another", port=free_port):
        assert stays.get("/api/chats").status_code == 401
    with locked_desk(tmp_path, port=free_port) as live:
        other = enter(live.url)
        httpx.delete(f"{live.url}/api/session?everywhere=true", headers=other.headers())
        assert stays.get("/api/chats").status_code == 401
        assert other.get("/api/chats").status_code == 401


def test_a_stream_of_events_ends_with_its_session(desk: LiveDesk) -> None:
    browser = enter(desk.url)
    body = httpx.post(f"{desk.url}/api/projects", json={"name": "streams"}, headers=BEARER).json()
    address = f"{desk.url}/api/projects/{body['id']}/events"
    headers = browser.headers() | {"Accept": "text/event-stream"}
    with httpx.stream("GET", address, headers=headers, timeout=60) as stream:
        assert stream.status_code == 200
        httpx.delete(f"{desk.url}/api/session", headers=browser.headers())
        for _ in stream.iter_raw():
            pass  # it ends by itself


def test_servers_on_one_postgresql_accept_and_end_each_others_sessions(
    tmp_path: Path, postgres: TestPostgres
) -> None:
    """As behind a load balancer: both are reached by one name and port."""
    host = {"Host": "localhost:9999"}
    with (
        postgres.database() as url,
        locked_desk(tmp_path / "a", database_url=url) as one,
        locked_desk(tmp_path / "b", database_url=url) as two,
    ):
        moved = httpx.get(f"{one.url}/", params={"token": TOKEN}, headers=host)
        key = httpx.URL(moved.headers["location"]).params["key"]
        session = host | {"Cookie": moved.headers["set-cookie"].partition(";")[0], "X-Smoldesk-Key": key}
        for live in (one, two):
            assert httpx.get(f"{live.url}/api/chats", headers=session).status_code == 200
        assert httpx.delete(f"{one.url}/api/session", headers=session).status_code == 200
        come_true(lambda: httpx.get(f"{two.url}/api/chats", headers=session).status_code == 401)


def test_a_database_without_sessions_is_said_and_programs_go_on(tmp_path: Path) -> None:
    with locked_desk(tmp_path) as live:
        with closing(sqlite3.connect(tmp_path / "smoldesk.db")) as database:
            database.execute("drop table session_secret")
        refused = httpx.get(f"{live.url}/", params={"token": TOKEN})
        assert code_of(refused) == (503, "store_fault")
        assert httpx.get(f"{live.url}/api/chats", headers=BEARER).status_code == 200


# --- guesses ---------------------------------------------------------------------------------------------


def test_guesses_are_slowed_more_and_more_and_counted(tmp_path: Path) -> None:
    with locked_desk(tmp_path) as live:
        browser = enter(live.url)
        statuses = [
            httpx.get(f"{live.url}/api/chats", headers={"Authorization": f"Bearer guess-{n}"})
            for n in range(FREE_FAILURES + 1)
        ]
        assert [statuse.status_code for statuse in statuses] == [401] * FREE_FAILURES + [429]
        assert int(statuses[-1].headers["retry-after"]) >= 1
        assert statuses[-1].json()["error"]["code"] == "too_many_guesses"
        # nothing tells whether the next guess was right
        assert httpx.get(f"{live.url}/api/chats", headers=BEARER).status_code == 429
        assert httpx.get(f"{live.url}/", params={"token": TOKEN}).status_code == 429
        assert shake_hands(live.url, "/ws?token=x") == 429
        openai = httpx.get(f"{live.url}/v1/models", headers=BEARER).json()["error"]
        assert openai["type"] == "invalid_request_error"
        # who is signed in goes on, and so does the right token of another address
        assert browser.get("/api/chats").status_code == 200
        with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2")) as client:
            assert client.get(f"{live.url}/api/chats", headers=BEARER).status_code == 200
            metrics = client.get(f"{live.url}/metrics", headers=BEARER).text
        assert f"smoldesk_token_failures_total {FREE_FAILURES}.0" in metrics


def test_a_request_with_thousands_of_tokens_is_no_faster_way_to_guess() -> None:
    with app_served(SecurityMiddleware(app, token=SecretStr(TOKEN))) as url:
        many = [("Authorization", f"Bearer {n}") for n in range(50)] + [("Authorization", f"Bearer {TOKEN}")]
        assert httpx.get(f"{url}/api/things", headers=many).status_code == 401


def test_images_of_other_sites_are_no_guesses_of_their_reader() -> None:
    guarded = SecurityMiddleware(app, token=SecretStr(TOKEN))
    with app_served(guarded) as url:
        for n in range(FREE_FAILURES + 2):
            image = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image"}
            refused = httpx.get(f"{url}/", params={"token": f"guess-{n}"}, headers=image)
            assert code_of(refused) == (403, "cross_site_refused")
        assert httpx.get(f"{url}/api/things", headers=BEARER).status_code == 200
        link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
        assert httpx.get(f"{url}/", params={"token": TOKEN}, headers=link).status_code == 303
    assert guarded.guesses.failures == 0


def test_waits_double_up_to_a_limit_and_are_forgotten() -> None:
    now = [0.0]
    guesses = LoginThrottle(lambda: now[0])
    waits: list[int] = []
    for _ in range(FREE_FAILURES + 12):
        guesses.note_failure("10.0.0.1")
        waits.append(guesses.wait("10.0.0.1"))
        now[0] += waits[-1]
        assert guesses.wait("10.0.0.1") == 0
    assert waits[: FREE_FAILURES + 3] == [0] * (FREE_FAILURES - 1) + [1, 2, 4, 8]
    assert waits[-1] == LONGEST_SECONDS
    assert guesses.wait("10.0.0.2") == 0
    now[0] += 24 * 3600
    guesses.note_failure("10.0.0.1")
    assert guesses.wait("10.0.0.1") == 0


def test_whoever_has_an_ipv6_network_has_one_address() -> None:
    guesses = LoginThrottle(lambda: 0.0)
    for n in range(FREE_FAILURES):
        guesses.note_failure(f"2001:db8::{n:x}")
    assert guesses.wait("2001:db8::ffff:1") > 0
    assert guesses.wait("2001:db8:0:1::1") == 0


def test_addresses_are_forgotten_before_they_fill_the_memory() -> None:
    guesses = LoginThrottle(lambda: 0.0)
    for _ in range(FREE_FAILURES):
        guesses.note_failure("first")
    for n in range(MAX_ADDRESSES):
        guesses.note_failure(f"a{n}")
    assert guesses.wait("first") == 0
    assert guesses.failures == FREE_FAILURES + MAX_ADDRESSES


def test_a_desk_without_a_token_asks_for_no_session(tmp_path: Path) -> None:
    with live_desk(tmp_path) as live:
        assert httpx.get(f"{live.url}/api/session").json() == {"expires": None}
        response = httpx.post(f"{live.url}/api/session/links", params={"path": "/api/chats"})
        assert response.json() == {"url": "/api/chats"}
        # a page that has a key of before still gets its socket
        offered: Any = ["smoldesk", "smoldesk.key.old"]
        with connect(live.ws_url, subprotocols=offered, proxy=None) as wire:
            assert wire.subprotocol == "smoldesk"
