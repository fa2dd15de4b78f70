"""The way in with a token, and a hostile server on another port of the host that sees everything a browser sends it."""

import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect
from pydantic import SecretStr
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from smoldesk.wires.security import sessions
from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.desk_server import ANALYSIS, LiveDesk, live_desk
from tests.support.page_menu import choose_layout
from tests.support.scripted_model import ScriptedModel, code
from tests.support.servers import http_served
from tests.support.waiting import until

pytestmark = pytest.mark.browser

TOKEN = "a token/of the desk"
SHOWN = """
import matplotlib.pyplot as plt
plt.plot([1, 2, 3])
plt.show()
import pandas as pd
display(pd.DataFrame({"salary": [1, 2, 3]}))
final_answer("the answer is secret")
"""
EVERYTHING = """
const desk = new URLSearchParams(location.search).get("desk");
fetch("/seen/fetch", { credentials: "include" });
fetch(desk + "/api/chats", { credentials: "include" })
  .then((r) => r.text()).catch(() => "refused").then((t) => { window.read = t; });
fetch(desk + "/api/chats", { method: "POST", mode: "no-cors", credentials: "include", body: "{}" }).catch(() => 0);
document.cookie = "probe=1";
window.cookies = document.cookie;
window.opened = "waiting";
const socket = new WebSocket(desk.replace("http", "ws") + "/ws");
socket.onopen = () => { window.opened = "open"; };
socket.onerror = () => { window.opened = "refused"; };
new WebSocket(location.origin.replace("http", "ws") + "/seen/socket");
for (const [tag, name] of [["img", "src"], ["script", "src"], ["iframe", "src"]]) {
  const node = document.createElement(tag);
  node[name] = "/seen/" + tag;
  document.body.append(node);
}
const frame = document.createElement("iframe");
frame.src = desk + "/";
document.body.append(frame);
"""


class Hostile(BaseHTTPRequestHandler):
    """Another server of the same host: serves its page, and writes down all that a browser sends."""

    def __init__(self, *arguments: Any, received: list[dict[str, str]], **options: Any) -> None:
        self.seen = received
        super().__init__(*arguments, **options)

    def do_GET(self) -> None:
        self.seen.append({"path": self.path} | {name.lower(): value for name, value in self.headers.items()})
        is_page = self.path.startswith("/page")
        body = f"<!doctype html><body><script>{EVERYTHING}</script>" if is_page else ""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body.encode())

    do_POST = do_GET


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    def model() -> ScriptedModel:
        return ScriptedModel([code(SHOWN)] * 20)

    with live_desk(
        tmp_path_factory.mktemp("locked"), model, token=SecretStr(TOKEN), sandbox_preload=ANALYSIS
    ) as live:
        yield live


@pytest.fixture
def received() -> list[dict[str, str]]:
    return []


@pytest.fixture
def hostile(received: list[dict[str, str]]) -> Iterator[str]:
    with http_served(Hostile, received=received) as address:
        yield address


def way_in(live: LiveDesk) -> str:
    return f"{live.url}/?{httpx.QueryParams({'token': TOKEN})}"


def loaded(page: DeskPage, selector: str) -> None:
    """The picture is really there, not only its place."""
    picture = page.page.locator(selector).first
    expect(picture).to_be_visible()
    until(page.page, lambda: picture.evaluate("(node) => node.complete && node.naturalWidth"), bool)


def test_the_token_leaves_the_address_and_the_page_works(open_page: OpenPage, locked: LiveDesk) -> None:
    page = open_page(way_in(locked))
    assert "token" not in page.page.url
    assert "key=" not in page.page.url
    choose_layout(page.page, "All four")
    page.ask("show me")
    loaded(page, ".plot img")
    loaded(page, ".images-card img")
    before = page.said()
    page.page.goto(locked.url)  # without the token: as from a bookmark
    page.connected()
    page.see_said(before)
    tab = open_page(f"{locked.url}/#chat={page.chat_id()}", opener=page)
    tab.see_said(before)
    loaded(tab, ".plot img")
    cookies = {cookie.get("name"): cookie for cookie in page.page.context.cookies()}
    (name,) = cookies
    assert name == f"smoldesk_session_{httpx.URL(locked.url).port}"
    assert cookies[name].get("httpOnly")
    assert TOKEN not in str(cookies)
    assert page.page.evaluate("document.cookie") == ""


def test_downloads_and_images_work_after_every_link_has_expired(
    open_page: OpenPage, locked: LiveDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "LINK_SECONDS", 4)
    page = open_page(way_in(locked))
    choose_layout(page.page, "All four")
    page.ask("show me")
    link = page.page.locator(".images-card a[download]").first
    with page.page.expect_download() as first:
        link.click()
    address = first.value.url
    assert first.value.path().read_bytes().startswith(b"\x89PNG")
    # no link of before opens anything by now, also not for the browser that has the cookie
    cookie = {
        "Cookie": "; ".join(
            f"{cooky.get('name')}={cooky.get('value')}" for cooky in page.page.context.cookies()
        )
    }
    assert until(
        page.page, lambda: httpx.get(address, headers=cookie).status_code, lambda status: status == 401
    )
    page.reload()
    loaded(page, ".plot img")
    for selector in (".images-card a[download]", "a.icon-link[href$='/csv']"):
        with page.page.expect_download() as download:
            page.page.locator(selector).first.click()
        assert download.value.path().stat().st_size > 0


def test_another_server_of_the_host_sees_nothing_that_opens_a_chat(
    open_page: OpenPage, locked: LiveDesk, hostile: str, received: list[dict[str, str]], tmp_path: Path
) -> None:
    page = open_page(way_in(locked))
    page.ask("show me")
    chat_id = page.chat_id()
    evil = page.page.context.new_page()
    evil.goto(f"{hostile}/page?desk={locked.url}")
    until(evil, lambda: evil.evaluate("window.opened"), lambda state: state != "waiting")
    until(
        evil,
        lambda: {item["path"] for item in received},
        lambda paths: {"/seen/fetch", "/seen/img", "/seen/socket"} <= paths,
    )
    # what its page could do in the browser, with our cookie
    assert until(evil, lambda: evil.evaluate("window.read"), bool) == "refused"
    assert evil.evaluate("window.opened") == "refused"
    assert "smoldesk" not in evil.evaluate("window.cookies")
    # a link of ours, followed to it
    page.page.evaluate(
        """(address) => { const link = document.createElement("a"); link.href = address; link.target = "_blank";
        document.body.append(link); link.click(); link.remove(); }""",
        f"{hostile}/followed",
    )
    until(evil, lambda: [item for item in received if item["path"] == "/followed"], bool)
    assert any("smoldesk_session" in item.get("cookie", "") for item in received)  # it does see our cookie
    everything = str(received)
    key = page.page.evaluate("localStorage.getItem('smoldesk.key')")
    assert key
    assert key not in everything
    assert TOKEN not in everything
    assert chat_id not in everything
    # what its server can do with all that it saw
    port = httpx.URL(locked.url).port
    chats = httpx.get(f"{locked.url}/api/chats", headers={"Authorization": f"Bearer {TOKEN}"}).json()
    for item in received:
        replayed = {
            name: text
            for name, text in item.items()
            if name in ("cookie", "authorization", "referer", "user-agent")
        }
        for origin in (
            {},
            {"origin": locked.url, "host": f"127.0.0.1:{port}", "sec-fetch-site": "same-origin"},
        ):
            for method, path in [
                *(
                    ("GET", f"/api/chats/{chat_id}{part}")
                    for part in ("", "/messages", "/events", "/files", "/export")
                ),
                *(
                    ("GET", "/api/chats"),
                    ("POST", "/api/chats"),
                    ("POST", "/api/session/links?path=/api/chats"),
                ),
                *(("DELETE", f"/api/chats/{chat_id}"), ("DELETE", "/api/session"), ("POST", "/v1/responses")),
            ]:
                answered = httpx.request(method, locked.url + path, headers=replayed | origin)
                assert answered.status_code == 401, (method, path)
        with pytest.raises(InvalidStatus):
            cookie = {"Cookie": item.get("cookie", "")}
            connect(locked.ws_url, additional_headers=cookie, proxy=None).close()
    assert httpx.get(f"{locked.url}/api/chats", headers={"Authorization": f"Bearer {TOKEN}"}).json() == chats
    evil.close()


def test_a_link_with_a_wrong_key_does_not_sign_anybody_out(open_page: OpenPage, locked: LiveDesk) -> None:
    page = open_page(way_in(locked))
    page.forgive("401")
    page.forgive("WebSocket")
    key = page.page.evaluate("localStorage.getItem('smoldesk.key')")
    page.page.goto(f"{locked.url}/?key=junk")
    page.connected()
    assert page.page.evaluate("localStorage.getItem('smoldesk.key')") == key


def test_signing_out_in_one_tab_ends_the_other_and_the_token_leads_back(
    open_page: OpenPage, locked: LiveDesk
) -> None:
    page = open_page(way_in(locked))
    tab = open_page(locked.url, opener=page)
    for item in (page, tab):
        item.forgive("401")
        item.forgive("WebSocket")
    page.page.get_by_role("button", name="Chats").first.click()
    page.page.get_by_role("button", name="Sign out").click()
    page.page.locator("dialog.sheet").get_by_role("button", name="Sign out", exact=True).click()
    for item in (page, tab):
        expect(item.page.get_by_label(re.compile("Token"))).to_be_visible()
    assert page.page.context.cookies() == []
    page.page.get_by_label(re.compile("Token")).fill(TOKEN)
    page.page.get_by_role("button", name=re.compile("Open")).click()
    page.connected()
    assert "token" not in page.page.url


def test_a_restart_keeps_the_page_signed_in(open_page: OpenPage, tmp_path: Path, free_port: int) -> None:
    def model() -> ScriptedModel:
        return ScriptedModel([code("final_answer('ok')")] * 3)

    options = {"token": SecretStr(TOKEN), "port": free_port}
    with live_desk(tmp_path, model, **options) as live:  # pyright: ignore[reportArgumentType]
        page = open_page(way_in(live))
        page.ask("hello")
        page.forgive("WebSocket")
        page.forgive("ERR_CONNECTION_REFUSED")
    with live_desk(tmp_path, model, **options):  # pyright: ignore[reportArgumentType]
        page.connected()
        page.ask("hello again")
