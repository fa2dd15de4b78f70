"""Views of MCP servers in a real browser: shown, used, there again after a reload; and all that they try in vain."""

import re
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Frame, Locator, Route, expect

from tests.browser.accessibility import Axe
from tests.browser.conftest import Scripted
from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.desk_server import live_desk
from tests.support.page_menu import from_menu
from tests.support.scripted_model import ScriptedModel, code
from tests.support.waiting import until
from tests.tools.mcp_servers.test_apps import APPS

pytestmark = pytest.mark.browser


class Spy:
    """A host elsewhere: a port that answers as a web server that lets everybody read, and remembers who asked what."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", self.port))
        self.udp.settimeout(0.1)
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                requested, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=[requested], daemon=True).start()

    def _answer(self, requested: socket.socket) -> None:
        self.heard.append("connected")
        with requested:
            requested.settimeout(5)
            try:
                message = requested.recv(65536).decode("latin-1").partition("\r\n")[0]
            except OSError:
                return
            if message:
                self.heard.append(message)
            requested.sendall(
                b"HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Type: text/plain\r\n"
                b"Content-Length: 2\r\nConnection: close\r\n\r\nhi"
            )

    def close(self) -> None:
        self._listening.close()
        self.udp.close()


@pytest.fixture(scope="module")
def browser(launch: Callable[..., Browser]) -> Iterator[Browser]:
    """A Chromium that starts its processes as everybody's: what separates a view from the page is tried here."""
    chromium = launch()
    yield chromium
    chromium.close()


@pytest.fixture(scope="module")
def spy() -> Iterator[Spy]:
    created = Spy()
    yield created
    created.close()


@pytest.fixture(scope="module")
def weather(tmp_path_factory: pytest.TempPathFactory, spy: Spy) -> Iterator[Scripted]:
    folder = tmp_path_factory.mktemp("views")
    received = [str(APPS), str(APPS.with_name("app_view.html"))]
    entry = f"command = {sys.executable!r}\nargs = {[str(APPS), spy.url]!r}\nreadable = {received!r}\n"
    (folder / "agents.toml").write_text(f"[mcp.weather]\n{entry}\n[mcp.other]\n{entry}")
    holder: list[Scripted] = []
    with live_desk(folder, lambda: holder[0].model) as live:
        holder.append(Scripted(live))
        yield holder[0]


def show(desk: DeskPage, weather: Scripted, tool: str = "forecast") -> tuple[Locator, Frame]:
    """An agent calls a tool with a view: its card, and its frame once it has begun."""
    weather.model = ScriptedModel(
        [code(f"print(weather_{tool}(city='Kyoto'))\nfinal_answer('See the view.')")]
    )
    turn = desk.ask("The weather?")
    return begun(turn.locator(".app-card"))


def begun(card: Locator) -> tuple[Locator, Frame]:
    expect(card).to_have_attribute("data-state", "open")
    expect(card.frame_locator("iframe").locator("html")).to_have_attribute("data-mode", "inline")
    frame = card.locator("iframe").element_handle().content_frame()
    assert frame is not None
    return card, frame


def armed(frame: Frame, desk: str, spy: str) -> None:
    """The view gets what it may try."""
    script = Path(__file__).with_name("view_attacks.js").read_text("utf-8")
    frame.evaluate(f"([desk, spy]) => {{ {script} }}", [desk, spy])


def test_a_view_is_shown_used_and_there_again_after_a_reload(
    weather: Scripted, open_page: OpenPage, axe: Axe
) -> None:
    desk = open_page(weather.url)
    page = desk.page
    card, frame = show(desk, weather)
    view = card.frame_locator("iframe")
    expect(view.locator("#city")).to_have_text("Kyoto")
    expect(view.locator("#result")).to_have_text("It rains in Kyoto.")
    expect(card.locator("iframe")).to_have_attribute("title", "The weather, a view of the MCP server weather")
    assert frame.evaluate("heard") == ["ui/notifications/tool-input", "ui/notifications/tool-result"]
    context = frame.evaluate("context")
    assert (context["theme"], context["locale"], context["toolInfo"]["tool"]["name"]) == (
        "light",
        "en",
        "forecast",
    )

    over(card)
    # a tool that only reads is called at once; one that does more, when the person says so, and not before
    view.locator("#refresh").click()
    expect(view.locator("#result")).to_have_text("Now it snows.")
    view.locator("#order").click()
    question = card.get_by_role("group", name="The view of weather wants to call order")
    expect(question.locator("td")).to_have_text("an umbrella")
    assert axe.violations(page) == []
    assert frame.evaluate("attempt('ui/open-link', { url: 'https://a.example' })")["code"] == -32000, (
        "one at a time"
    )
    press(question, "Deny")
    expect(view.locator("#result")).to_have_text("The person refused.")
    view.locator("#order").click()
    press(question, "Allow once")
    expect(view.locator("#result")).to_have_text("Ordered an umbrella.")

    read = frame.evaluate("attempt('resources/read', { uri: 'weather://today' })")
    assert read["contents"][0]["text"] == "rain"
    frame.evaluate(
        "void attempt('ui/message', { role: 'user', content: [{ type: 'text', text: 'And tomorrow?' }] })"
    )
    press(
        card.get_by_role("group", name="The view of weather wants to insert this into your message"),
        "Insert",
    )
    expect(desk.composer).to_have_value("And tomorrow?")
    assert desk.turns.count() == 1
    frame.evaluate("void attempt('ui/open-link', { url: 'https://elsewhere.example/' })")
    by_role = card.get_by_role("group", name="The view of weather wants to open this page in a new tab")
    expect(by_role).to_contain_text("https://elsewhere.example/")
    page.context.route("https://elsewhere.example/", lambda route: route.fulfill(body="there"))
    with page.context.expect_page() as opened:
        press(by_role, "Open")
    assert opened.value.evaluate("opener") is None
    opened.value.close()

    assert {"field", "new-chat"} <= set(reached_behind(card))
    card.get_by_role("button", name="Fill the page with this view").click()
    expect(view.locator("html")).to_have_attribute("data-mode", "fullscreen")
    assert frame.evaluate("innerHeight") > 700
    page.evaluate("document.querySelector('.log').append(document.createElement('button'))")
    assert reached_behind(card) == [], "also what comes meanwhile"
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_have_count(0)
    assert axe.violations(page) == []
    page.keyboard.press("Escape")
    expect(view.locator("html")).to_have_attribute("data-mode", "inline")
    from_menu(page, "Switch to dark")
    expect(view.locator("html")).to_have_attribute("data-theme", "dark")
    assert frame.evaluate("attempt('ui/request-display-mode', { mode: 'pip' })") == {"mode": "inline"}

    desk.reload()
    card, frame = begun(page.locator(".app-card"))
    expect(card.frame_locator("iframe").locator("#result")).to_have_text("It rains in Kyoto.")
    card.get_by_role("button", name="Close this view").click()
    expect(card.locator("iframe")).to_have_count(0)
    card.get_by_role("button", name="Show this view again").click()
    begun(card)


def reached_behind(card: Locator) -> list[str]:
    """The classes of all that takes the focus outside of the card, which has it again afterwards."""
    return card.evaluate(
        """(card) => {
          const before = document.activeElement;
          const all = [...document.querySelectorAll("a, button, input, textarea, [tabindex]")];
          const reached = all.filter((one) => !card.contains(one) && (one.focus(), document.activeElement === one));
          before.focus();
          return reached.flatMap((one) => [...one.classList]);
        }"""
    )


def over(card: Locator) -> None:
    """The pointer comes to the view: while a person writes elsewhere, it takes neither presses nor the focus."""
    box = card.locator("iframe").bounding_box()
    assert box is not None
    card.page.mouse.move(box["x"] + 5, box["y"] + 5, steps=2)


def press(question: Locator, name: str) -> None:
    """Press a button once it takes a press: at first it takes none, which may have been meant for the view."""
    question.get_by_role("button", name=name).click()
    expect(question).to_be_hidden()


def test_a_view_is_told_that_its_call_was_stopped(weather: Scripted, open_page: OpenPage) -> None:
    desk = open_page(weather.url, size=(390, 844), locale="ja-JP", theme="dark")
    weather.model = ScriptedModel([code("print(weather_slowly(city='Kyoto'))")])
    turn = desk.say("天気は？")
    _, frame = begun(turn.locator(".app-card"))
    expect(turn.locator(".app-card").frame_locator("iframe").locator("#result")).to_have_text("waiting")
    assert frame.evaluate("context.theme + context.locale") == "darkja"
    desk.stop.click()
    desk.closed(turn, "cancelled")
    expect(turn.locator(".app-card").frame_locator("iframe").locator("#result")).to_have_text("cancelled")


def test_a_view_reaches_nothing_of_the_desk_and_nobody_elsewhere(
    weather: Scripted, spy: Spy, open_page: OpenPage
) -> None:
    desk = open_page(weather.url)
    desk.forgive("")  # the browser complains of each attempt
    card, frame = show(desk, weather, "reaching")
    address, pages = desk.page.url, len(desk.page.context.pages)
    armed(frame, weather.url, spy.url)
    tried = "async (name) => { try { await attempts[name](); return 'done'; } catch (fault) { return 'failed'; } }"
    names = frame.evaluate("Object.keys(attempts)")
    assert {name: frame.evaluate(tried, name) for name in names} == dict.fromkeys(names, "failed")
    frame.evaluate("call()")
    with pytest.raises(TimeoutError):
        spy.udp.recvfrom(1000)
    frame.evaluate("silently()")
    expect(card).to_have_attribute("data-state", "closed")  # a form of its own frame led it elsewhere
    expect(card.locator(".app-status")).to_have_text("This view navigated away from its page and was closed.")
    refresh = "document.head.innerHTML = `<meta http-equiv='refresh' content='0;url=${spy}/meta'>`"
    for leave in ("location.href = `${spy}/self`", refresh):
        card.get_by_role("button", name="Show this view again").click()
        _, frame = begun(card)
        frame.evaluate(f"(spy) => {{ {leave}; }}", spy.url)
        expect(card).to_have_attribute("data-state", "closed")
    assert (desk.page.url, len(desk.page.context.pages)) == (address, pages)
    assert spy.heard == []

    # once the person has let it, what it declared is reached, and nothing else
    card.get_by_role("button", name="Show this view again").click()
    begun(card)
    expect(card.locator(".app-reach")).to_contain_text(f"{spy.url}, https://cdn.example.com")
    card.get_by_role("button", name="Allow and reload").click()
    expect(card.locator(".app-reach")).to_contain_text("This view can connect to")
    _, frame = begun(card)
    assert frame.evaluate("async (spy) => (await fetch(spy + '/declared')).text()", spy.url) == "hi"
    assert spy.heard == ["connected", "GET /declared HTTP/1.1"]
    other = Spy()
    for url in (other.url, weather.url):
        assert frame.evaluate("(url) => fetch(url).then(() => 'done', () => 'failed')", url) == "failed"
    assert frame.evaluate(
        "(spy) => new Promise((done) => { const it = new Image(); it.onerror = () => done('failed'); it.src = spy; })",
        spy.url,
    )
    assert other.heard == [] and spy.heard[2:] == []
    other.close()

    # a view that declared the desk itself, and whom a person let: the desk gives it nothing
    def declared(route: Route) -> None:
        answer = route.fetch()
        headers = {name: value for name, value in answer.headers.items() if name != "connection-allowlist"}
        policy = headers["content-security-policy"]
        for name in ("script-src", "img-src", "connect-src", "frame-src"):
            policy = policy.replace(f"{name} ", f"{name} {weather.url} {weather.url.replace('http', 'ws')} ")
        route.fulfill(response=answer, headers=headers | {"content-security-policy": policy})

    page = desk.page
    page.route("**/api/app-frames/*", declared)
    card.get_by_role("button", name="Close this view").click()
    card.get_by_role("button", name="Show this view again").click()
    _, frame = begun(card)
    before = httpx.get(f"{weather.url}/api/chats").json()
    armed(frame, weather.url, weather.url)
    received = {name: frame.evaluate(tried, name) for name in names}
    unread = {"blind", "image"}  # asked for, and nothing of it told
    assert {name for name, how in received.items() if how != "failed"} <= unread, received
    framed = frame.evaluate(
        """(desk) => new Promise((done) => {
      const it = document.body.appendChild(Object.assign(document.createElement("iframe"), { src: desk }));
      it.onload = () => { try { done(String(it.contentDocument)); } catch { done("null"); } };
    })""",
        weather.url,
    )
    assert framed == "null"
    assert httpx.get(f"{weather.url}/api/chats").json() == before


def test_a_view_is_not_opened_by_itself_in_a_page_that_it_may_have_crashed(
    weather: Scripted, open_page: OpenPage
) -> None:
    desk = open_page(weather.url)
    show(desk, weather)
    page = desk.page
    page.evaluate("""() => {
      const open = sessionStorage["smoldesk.views"];
      addEventListener("pagehide", () => sessionStorage.setItem("smoldesk.views", open));
    }""")  # as a page that crashes leaves it
    desk.reload()
    card = page.locator(".app-card")
    expect(card.locator(".app-reach")).to_contain_text("The page crashed while this view was open")
    expect(card.locator("iframe")).to_have_count(0)
    card.get_by_role("button", name="Show").click()
    begun(card)
    desk.reload()
    begun(card)


def test_messages_of_a_view_are_checked(weather: Scripted, open_page: OpenPage) -> None:
    desk = open_page(weather.url)
    desk.forgive("403 (Forbidden)")
    desk.forgive("404 (Not Found)")
    desk.forgive("400 (Bad Request)")
    card, frame = show(desk, weather)
    requested = desk.page.locator(".app-asks")

    def refused(method: str, params: dict[str, object]) -> tuple[int, str]:
        message = frame.evaluate("([method, params]) => attempt(method, params)", [method, params])
        return message["code"], message["message"]

    hidden = refused("tools/call", {"name": "secret", "arguments": {}})
    assert hidden == (-32000, "This tool is not for views. Its server says so.")
    for name in ("other_refresh", "weather_refresh", "show_map"):  # of another server, or of the desk
        assert refused("tools/call", {"name": name, "arguments": {}})[0] == -32000, name
    assert refused("tools/call", {"name": "order", "arguments": {"what": 3}})[0] == -32000
    for method in ("sampling/createMessage", "ui/update-model-context", "tools/list", "ui/download-file"):
        assert refused(method, {})[0] == -32601, method
    assert refused("ui/initialize", {})[0] == -32600
    links = ("javascript:alert(1)", "data:text/html,x", "/api/chats", "file:///etc/passwd")
    for url in (*links, weather.url, "https://a.example@b.example"):
        assert refused("ui/open-link", {"url": url})[0] == -32602, url
    assert refused("ui/message", {"role": "assistant", "content": {"type": "text", "text": "x"}})[0] == -32602
    assert refused("tools/call", {"name": 1})[0] == -32602
    many = frame.evaluate(
        "Promise.all(Array.from({ length: 9 }, () => attempt('tools/call', { name: 'order', arguments: { what: 'x' } })))"
        ".then((all) => all.map(({ message }) => message)), void 0"
    )
    assert many is None
    expect(requested).to_have_count(1)
    press(requested, "Deny")

    # from elsewhere, of no such form, or too large: as if nothing had come
    call = "{ jsonrpc: '2.0', id: 'x', method: 'ui/open-link', params: { url: 'https://a.example' } }"
    desk.page.evaluate(f"window.postMessage({call}, '*')")
    desk.page.evaluate(f"""() => {{
      const other = document.body.appendChild(Object.assign(document.createElement("iframe"), {{ src: "about:blank" }}));
      other.contentWindow.parent.postMessage({call}, "*");
    }}""")
    armed(frame, weather.url, weather.url)
    frame.evaluate("malformed()")
    assert frame.evaluate("attempt('ping')") == {}
    expect(requested).to_have_count(0)
    frame.evaluate(
        "() => { for (let at = 0; at < 20000; at++) tell('ui/notifications/size-changed', { height: at }); }"
    )
    expect(card.locator(".app-status")).to_have_text("This view sent too many messages and was closed.")
    desk.composer.fill("the page still works")


def test_a_view_gets_no_keys_and_no_presses_that_were_not_meant_for_it(
    weather: Scripted, open_page: OpenPage
) -> None:
    desk = open_page(weather.url)
    page = desk.page
    card, frame = show(desk, weather)
    # the focus: taken while the person writes, it is taken back, and a view that goes on is closed
    steal = "() => document.body.append(Object.assign(document.createElement('textarea'), { id: 'trap' }))"
    frame.evaluate(steal)
    desk.composer.click()
    for word in ("my ", "secret"):
        frame.evaluate("() => document.querySelector('#trap').focus()")
        expect(desk.composer).to_be_focused()
        page.keyboard.type(word)
    expect(desk.composer).to_have_value("my secret")
    assert frame.evaluate("document.querySelector('#trap').value") == ""
    over(card)  # where the person goes there, it may have it
    frame.evaluate("() => document.querySelector('#trap').focus()")
    page.keyboard.type("for the view")
    expect(card.frame_locator("iframe").locator("#trap")).to_have_value("for the view")

    # presses: pressed, the view gives way, so that the next press hits what agrees; and it moves on and on, so that no slow
    # machine makes that press a late one
    frame.evaluate(
        "void attempt('tools/call', { name: 'order', arguments: { what: 'x' } }).then((said) => { window.said = said; })"
    )
    agree = card.get_by_role("button", name="Allow once")
    expect(agree).to_be_enabled()
    frame.evaluate("""() => addEventListener("pointerdown", () => {
      let at = 0;
      setInterval(() => tell("ui/notifications/size-changed", { height: 100 + (at++ % 2) }), 100);
    })""")
    card.frame_locator("iframe").locator("h1").click()
    expect(card.locator("iframe")).to_have_css("block-size", re.compile("10[01]px"))
    button = agree.bounding_box()
    assert button is not None
    x, y = button["x"] + button["width"] / 2, button["y"] + button["height"] / 2
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).className", [x, y]).endswith("app-yes")
    page.mouse.click(x, y)
    expect(agree).to_be_visible()
    assert frame.evaluate("window.said") is None
    press(card.locator(".app-asks"), "Allow once")
    until(page, lambda: frame.evaluate("Boolean(window.said)"), bool)

    # a question that came after the view went is none
    locked = []
    page.route("**/calls", lambda route: locked.append(route))
    frame.evaluate("void attempt('tools/call', { name: 'order', arguments: { what: 'late' } })")
    until(page, lambda: len(locked), bool)
    card.get_by_role("button", name="Close this view").click()
    with page.expect_response("**/calls"):
        locked[0].continue_()
    expect(card.locator(".app-asks")).to_have_count(0)

    card.get_by_role("button", name="Show this view again").click()
    _, frame = begun(card)
    frame.evaluate(steal)
    desk.composer.click()
    frame.evaluate("() => { setInterval(() => document.querySelector('#trap').focus(), 20); }")
    expect(card.locator(".app-status")).to_have_text(
        "This view took the keyboard focus while you were writing and was closed."
    )


def test_in_an_older_browser_a_view_waits_for_the_person_and_is_there_after_it_was_moved(
    weather: Scripted, open_page: OpenPage
) -> None:
    desk = open_page(weather.url)
    desk.forgive("404 ()")  # the address of a view is good once
    desk.forgive("frame-ancestors")
    desk.page.add_init_script("""
      delete Element.prototype.moveBefore;
      Object.defineProperty(navigator, "userAgent", { value: "Mozilla/5.0 Gecko/20100101 Firefox/150.0" });
    """)
    desk.reload()
    weather.model = ScriptedModel(
        [code("print(weather_forecast(city='Kyoto'))"), weather.held(code("final_answer('See the view.')"))]
    )
    weather.gate.clear()
    turn = desk.say("The weather?")
    card = turn.locator(".app-card")
    expect(card.locator(".app-reach")).to_contain_text("This browser cannot prevent a view from sending")
    expect(card.locator("iframe")).to_have_count(0)
    card.get_by_role("button", name="Show").click()
    begun(card)
    weather.gate.set()
    desk.closed(turn, "finished")
    expect(turn.locator(".result .app-card")).to_have_count(1)
    begun(card)
    expect(card.locator(".app-status")).to_be_empty()
