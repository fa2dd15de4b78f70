"""How the page is loaded: what a browser asks for, what waits until it is first shown, what an earlier tab is told."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

from smoldesk.assets import FRONTEND
from smoldesk.wires import page as page_wire
from smoldesk.wires.page_files import PageFiles, module_imports
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.page_menu import from_menu

pytestmark = pytest.mark.browser
LATE = {
    "js/images/dialog.js",
    "js/debug/detail.js",
    "js/conversations/conversations.js",
    "js/map/export.js",
    "strings/ja.js",
}
"""Entries of what is loaded when it is first shown; the map is, too, and is seen at once on a wide screen."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the page's folder, which a test may edit."""
    shutil.copytree(FRONTEND, tmp_path / "frontend")
    monkeypatch.setattr(page_wire, "PAGE", tmp_path / "frontend")
    return tmp_path / "frontend"


@pytest.fixture
def desk(folder: Path, tmp_path: Path) -> Iterator[LiveDesk]:
    with live_desk(tmp_path / "data") as live:
        yield live


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    """A desk with the page's bundle, for what does not depend on modules: to load these one by one takes 2 s more."""
    with live_desk(tmp_path_factory.mktemp("bundled")) as live:
        yield live


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser that has nothing of the page yet."""
    with browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB") as context:
        yield context


class Loading:
    """A page, and what the network was asked for since the last `forget`, without what came from the browser's cache."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.page: Page = context.new_page()
        self.url = url
        self.faults: list[str] = []
        self.sent: dict[str, str] = {}
        self.page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        protocol = context.new_cdp_session(self.page)
        protocol.send("Network.enable")
        self.kept: set[str] = set()
        protocol.on("Network.requestServedFromCache", lambda event: self.kept.add(event["requestId"]))
        protocol.on("Network.responseReceived", self._came)

    def _came(self, event: dict[str, object]) -> None:
        response = event["response"]
        assert isinstance(response, dict)
        if not response["fromDiskCache"] and event["requestId"] not in self.kept:
            self.sent[response["url"]] = str(event["type"])

    def open(self) -> None:
        self.page.goto(self.url)
        self.there()

    def reload(self) -> None:
        self.sent.clear()
        self.page.reload()
        self.there()

    def there(self) -> None:
        expect(self.page.locator(".connection")).to_have_attribute("data-connection", "open")

    def modules(self) -> set[str]:
        """Scripts that were asked for, as names below the version."""
        return {
            re.sub(r".*/static/@[0-9a-f]+/", "", url)
            for url, kind in self.sent.items()
            if kind in ("Script", "Other") and url.endswith(".js")
        }


def test_all_that_the_first_screen_runs_is_preloaded_and_nothing_else_is_loaded(
    desk: LiveDesk, folder: Path, context: BrowserContext
) -> None:
    page = Loading(context, desk.url)
    page.open()
    expect(page.page.locator(".map-viewer")).to_have_attribute("data-image", "ready")
    version = PageFiles(folder).current()
    preloaded = set(re.findall(r'/static/@[0-9a-f]+/([^"]+\.js)"', version.index.content.decode()))

    assert page.modules() == preloaded | {"strings/en.js"}
    assert not preloaded & LATE
    assert "js/app.js" in preloaded and "js/map/viewer.js" in preloaded
    assert set(module_imports("js/app.js", version.files)) < preloaded


def test_a_reload_asks_for_no_script_and_no_style(desk: LiveDesk, context: BrowserContext) -> None:
    page = Loading(context, desk.url)
    page.open()
    expect(page.page.locator(".map-viewer")).to_have_attribute("data-image", "ready")
    assert len(page.modules()) > 50
    page.reload()
    expect(page.page.locator(".map-viewer")).to_have_attribute("data-image", "ready")

    assert [url for url in page.sent if "/static/" in url] == []
    assert {kind for url, kind in page.sent.items() if url.rstrip("/") == desk.url.rstrip("/")} == {
        "Document"
    }


def test_a_narrow_screen_leaves_the_map_until_its_tab_is_chosen(
    desk: LiveDesk, context: BrowserContext
) -> None:
    page = Loading(context, desk.url)
    page.page.set_viewport_size({"width": 390, "height": 844})
    page.open()
    assert "js/map/viewer.js" not in page.modules()
    page.page.get_by_role("tab", name="Floor map").click()
    expect(page.page.locator(".map-viewer")).to_have_attribute("data-floor", "1F")
    assert "js/map/viewer.js" in page.modules()


def test_what_is_shown_later_is_loaded_then(desk: LiveDesk, context: BrowserContext) -> None:
    page = Loading(context, desk.url)
    page.open()
    assert page.modules() & LATE == set()
    page.page.locator("section[data-pane=debug] .pane-body").hover()  # it waits for a run, or for the pointer
    page.page.locator(".debug-row").first.click()
    expect(page.page.locator(".debug-detail")).to_contain_text("map_definition")
    from_menu(page.page, "Conversations")
    expect(page.page.locator("main.talk")).to_be_focused()
    page.page.locator(".talk-leave").click()
    expect(page.page.locator("main.talk")).to_be_hidden()
    from_menu(page.page, "日本語")
    expect(page.page.get_by_role("region", name="チャット")).to_be_visible()

    assert page.modules() & LATE == LATE - {"js/images/dialog.js", "js/map/export.js"}
    assert page.faults == []


def test_the_style_of_a_part_comes_with_the_part(bundled: LiveDesk, context: BrowserContext) -> None:
    page = Loading(context, bundled.url)
    page.open()
    assert not any("chats-drawer" in url for url in page.sent)
    page.page.locator(".chats-button").click()
    drawer = page.page.locator(".chats-drawer")
    expect(drawer).to_be_visible()
    expect(drawer).to_have_css("position", "fixed")
    assert [kind for url, kind in page.sent.items() if "css/chats-drawer.css" in url] == ["Stylesheet"]


def test_the_socket_is_opened_before_the_page_is_there_and_used_by_it(
    bundled: LiveDesk, context: BrowserContext
) -> None:
    context.add_init_script("""
        const Socket = WebSocket;
        window.sockets = [];
        window.WebSocket = class extends Socket {
            constructor(address) { super(address); window.sockets.push(document.documentElement.dataset.page ?? "not yet"); }
        };
    """)
    page = Loading(context, bundled.url)
    page.open()
    assert page.page.evaluate("window.sockets") == ["not yet"]
    expect(page.page.locator(".map-viewer")).to_have_attribute("data-floor", "1F")


def test_an_edit_is_seen_after_a_reload(desk: LiveDesk, folder: Path, context: BrowserContext) -> None:
    page = Loading(context, desk.url)
    page.open()
    text = folder / "strings" / "en.js"
    text.write_text(
        text.read_text("utf-8").replace('"Ask about your data', '"Edited: ask about your data'), "utf-8"
    )
    page.reload()
    expect(page.page.get_by_placeholder("Edited: ask about your data")).to_be_visible()


def test_a_tab_of_an_earlier_version_says_so_and_keeps_what_was_typed(
    desk: LiveDesk, folder: Path, context: BrowserContext
) -> None:
    page = Loading(context, desk.url)
    page.open()
    page.page.wait_for_selector(".map-viewer")  # it comes late, too
    page.page.locator("section[data-pane=debug] .pane-body").hover()  # it waits for a run, or for the pointer
    page.page.wait_for_selector(".debug-row")
    page.page.get_by_role("textbox", name="Message").fill("not sent yet")
    (folder / "js" / "debug" / "detail.js").write_text(
        (folder / "js" / "debug" / "detail.js").read_text("utf-8") + "// edited\n", "utf-8"
    )
    other = Loading(context, desk.url)
    other.open()  # the desk knows of the edit now
    page.page.locator(".debug-row").first.click()

    sheet = page.page.get_by_role("dialog", name="A new version of smoldesk is running")
    expect(sheet).to_be_visible()
    sheet.get_by_role("button", name="Later").click()
    expect(page.page.get_by_role("textbox", name="Message")).to_have_value("not sent yet")
    page.page.locator(".debug-row").first.click()
    with page.page.expect_navigation():
        sheet.get_by_role("button", name="Reload").click()
    page.there()
    page.page.locator("section[data-pane=debug] .pane-body").hover()  # it waits for a run, or for the pointer
    page.page.locator(".debug-row").first.click()
    expect(page.page.locator(".debug-detail")).to_be_visible()
    assert page.faults == []


def test_a_part_that_cannot_be_reached_is_told_apart(bundled: LiveDesk, context: BrowserContext) -> None:
    page = Loading(context, bundled.url)
    page.open()
    page.page.wait_for_selector(".map-viewer")  # it comes late, too
    page.page.locator("section[data-pane=debug] .pane-body").hover()  # it waits for a run, or for the pointer
    page.page.wait_for_selector(".debug-row")
    context.set_offline(True)
    page.page.locator(".debug-row").first.click()
    expect(page.page.get_by_role("dialog", name="Part of the page did not load")).to_be_visible()


def test_a_style_that_does_not_come_is_told_and_asked_for_again(
    bundled: LiveDesk, context: BrowserContext
) -> None:
    page = Loading(context, bundled.url)
    page.open()
    page.page.wait_for_selector(".map-viewer")
    page.page.route("**/css/chats-drawer.css", lambda route: route.abort())
    page.page.locator(".chats-button").click()
    sheet = page.page.get_by_role("dialog", name="Part of the page did not load")
    expect(sheet).to_be_visible()
    expect(page.page.locator(".chats-drawer")).to_have_count(0)

    page.page.unroute("**/css/chats-drawer.css")
    sheet.get_by_role("button", name="Later").click()
    page.page.locator(".chats-button").click()
    expect(page.page.locator(".chats-drawer")).to_have_css("position", "fixed")


@pytest.mark.parametrize(
    ("kind", "missing"),
    [
        ("bundled", "js/app.js"),
        pytest.param("desk", "strings/en.js", marks=pytest.mark.slow),
        ("desk", "js/chat/turns.js"),
    ],
)
def test_a_page_whose_modules_do_not_come_is_loaded_once_more_then_says_so(
    request: pytest.FixtureRequest, context: BrowserContext, kind: str, missing: str
) -> None:
    url = request.getfixturevalue(kind).url
    documents: list[str] = []

    def note(sent: Request) -> None:
        if sent.resource_type == "document":
            documents.append(sent.url)

    page = context.new_page()
    page.on("request", note)
    page.route(f"**/{missing}", lambda route: route.fulfill(status=410, body="gone"))
    page.goto(url)
    expect(page.locator("#not-loaded")).to_be_visible()
    assert len(documents) == 2
    page.unroute(f"**/{missing}")
    page.reload()
    expect(page.locator(".connection")).to_have_attribute("data-connection", "open")
    assert page.evaluate("sessionStorage.length") == 0
