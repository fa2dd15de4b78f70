"""The page for everyone: axe-core finds nothing in any state, in both themes and languages; keys, zoom and motion.

Each walk is one page of one desk that goes through all states, for a state costs a second and a desk several: one in English
in the light theme, one in Japanese in the dark one.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import SETTLED, Axe
from tests.browser.conftest import Scripted
from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.page_menu import choose_layout, from_menu
from tests.support.scripted_model import code
from tests.support.talking_desk import Talks
from tests.support.tools import Payment

pytestmark = [pytest.mark.long, pytest.mark.browser]

TABLE = "region,sold\nNorth,12\nSouth,30\n"
SPINS = "import time\nfor n in range(20):\n    print('line', n)\nwhile True:\n    time.sleep(0.05)"
PAYS = "print('about to pay')\nfinal_answer(process_payment('Alice', 30, 'USD'))"
FAILS = RuntimeError("the provider is not there")
ROUTE = {
    "en-GB": "How do I get from Room1 to the meeting room on 2F without stairs?",
    "ja-JP": "Room1から2Fの会議室まで階段を使わずに行くには?",
}
LEGEND = ".map-colours"
ALLOW = re.compile("^(Allow|許可)$")
SOCKETS = """
    const Real = window.WebSocket;
    window.sockets = [];
    window.WebSocket = class extends Real {
        constructor(...needs) { super(...needs); window.sockets.push(this); }
    };
"""
CUT = """() => {
    window.WebSocket = class extends EventTarget { readyState = 0; close() {} };
    for (const socket of window.sockets) socket.close();
}"""
"""The server goes, and does not come back."""
DISCONNECTED = re.compile("connecting|closed")


@pytest.fixture(scope="module")
def paying(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    """A scripted desk with a tool that asks first."""
    holder: list[Scripted] = []
    options = {"max_steps": 3, "stop_grace_seconds": 1}
    folder: Path = tmp_path_factory.mktemp("paying")
    with live_desk(folder, lambda: holder[0].model, lambda _: [Payment([])], **options) as live:  # pyright: ignore[reportArgumentType]
        holder.append(Scripted(live))
        yield holder[0]


class Walk:
    """A page that is looked at in state after state; `faults` are axe's lines, each with its state's name."""

    def __init__(self, desk: DeskPage, axe: Axe | None = None) -> None:
        self.desk = desk
        self.axe = axe
        self.faults: list[str] = []

    def look(self, state: str) -> None:
        assert self.axe is not None
        self.faults += [f"{state}: {line}" for line in self.axe.violations(self.desk.page)]

    def look_narrow(self) -> None:
        """Each pane of a narrow screen."""
        page = self.desk.page
        page.set_viewport_size({"width": 390, "height": 844})
        for pane in ("map", "images", "debug", "chat"):
            self.desk.tab(pane).click()
            expect(page.locator(f"#pane-{pane}")).to_be_visible()
            self.look(f"narrow, {pane}")
        page.set_viewport_size({"width": 1440, "height": 900})

    def press_prompt(self, which: int) -> None:
        """A prompt of a new chat, and its answer."""
        page = self.desk.page
        page.locator(".new-chat").click()
        expect(page.locator(".prompt")).to_have_count(4)
        page.locator(".prompt").nth(which).click()
        expect(self.desk.turns).to_have_count(1)
        self.desk.closed(self.desk.turns.last)

    def close(self) -> None:
        """What is open over the page."""
        self.desk.page.keyboard.press("Escape")
        expect(self.desk.page.locator("dialog:modal")).to_have_count(0)


def test_axe_sees_a_button_without_a_name_and_words_too_pale(
    analyst: LiveDesk, open_page: OpenPage, axe: Axe
) -> None:
    """The check itself works on this page, under its content policy."""
    desk = open_page(analyst.url)
    expect(desk.page.locator(".prompt")).to_have_count(4)
    desk.page.evaluate("""() => {
        document.querySelector(".send-button").removeAttribute("aria-label");
        document.querySelector(".send-button").removeAttribute("title");
        document.querySelector(".greeting").style.color = "light-dark(#bbb, #000)";
    }""")
    for theme in ("light", "dark"):
        desk.page.emulate_media(color_scheme=theme)
        expect(desk.page.locator(f":root[data-theme={theme}]")).to_have_count(1)
        walk = Walk(desk, axe)
        walk.look("spoiled")
        assert {line.split(": ")[1] for line in walk.faults} == {"button-name", "color-contrast"}


WALKS = pytest.mark.parametrize(
    ("locale", "theme"), [("en-GB", "light"), pytest.param("ja-JP", "dark", marks=pytest.mark.slow)]
)


@WALKS
def test_axe_finds_nothing_in_what_an_answer_shows(
    analyst: LiveDesk, open_page: OpenPage, axe: Axe, locale: str, theme: str
) -> None:
    desk = open_page(analyst.url, locale=locale, theme=theme)
    walk, page = Walk(desk, axe), desk.page
    expect(page.locator(f":root[data-theme={theme}]")).to_have_count(1)
    expect(page.locator(".prompt")).to_have_count(4)
    desk.see_map()
    walk.look("first screen")

    page.locator(".menu-button").click()
    expect(page.locator(".layouts")).to_be_visible()
    walk.look("menu with the choice of a layout")
    page.keyboard.press("Escape")
    expect(page.locator(".layouts")).to_be_hidden()

    desk.drop("sales.csv", TABLE)
    expect(page.locator(".chip .chip-size, .chip a").first).to_be_visible()
    expect(page.locator(".chip[aria-busy]")).to_have_count(0)
    expect(page.locator(".card-question").first).to_be_visible()
    page.locator(".card-rows summary").click()
    walk.look("upload card open")
    page.locator(".card-edge button").first.click()
    expect(page.locator(".card-name")).to_be_focused()
    walk.look("upload card, renaming")
    page.keyboard.press("Escape")
    desk.composer.press_sequentially("@")
    expect(page.locator(".completion-group").first).to_be_visible()
    walk.look("@ list open")
    desk.composer.fill("")
    expect(page.locator(".completions")).to_be_hidden()
    page.locator(".upload-head button").click()
    walk.look("uploaded table")

    walk.press_prompt(1)
    expect(desk.turns.last.locator(".chart-block")).to_have_attribute("data-state", "drawn")
    expect(desk.turns.last.locator(".table-block")).to_be_visible()
    desk.see_image()
    walk.look("answered with chart and table")

    desk.turns.last.locator("summary.step-head").click()
    page.locator(".debug-row").last.click()
    walk.look("a step and a debug row open")
    pane = page.locator("section[data-pane=debug]")
    pane.locator(".debug-tools .tool-button[aria-expanded]").click()
    pane.get_by_role("tree").press("End")
    pane.get_by_role("tree").press("ArrowLeft")  # from what a step made to the step
    pane.locator(".debug-tabs [data-print=prompt]").click()
    expect(pane.locator(".debug-message").first).to_be_visible()
    walk.look("a step's prompt, and the filters")
    pane.locator(".debug-tabs [data-print=tree]").click()
    pane.locator(".json-leaf").first.click()
    walk.look("a JSON tree with its tools")
    pane.locator(".debug-tools .tool-button[aria-expanded]").click()

    desk.turns.last.locator(".code-edit").first.click()
    expect(page.locator(".edit-words")).to_be_focused()
    walk.look("code being edited")
    page.locator(".edit-words").fill(" ")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".edit-fault")).not_to_be_empty()
    walk.look("code that cannot be run")
    page.keyboard.press("Escape")
    desk.turns.last.locator(".turn-action").first.click()
    expect(page.locator(".edit-words")).to_be_focused()
    walk.look("a turn being edited")
    page.keyboard.press("Escape")

    choose_layout(page, re.compile("All four|4ペイン"))
    page.locator(".images-card button").first.click()
    expect(page.locator(".images-dialog")).to_be_visible()
    walk.look("image dialog")
    walk.close()

    desk.ask(ROUTE[locale])
    expect(page.locator(".route-step").first).to_be_visible()
    walk.look("map with route")

    chat = f"{analyst.url}/api/chats/{desk.chat_id()}"
    httpx.patch(chat, json={"tags": ["Routes", "מסלולים"]}).raise_for_status()
    page.keyboard.press("Control+k")
    expect(page.locator(".chats-row .chats-tag").first).to_be_visible()
    walk.look("chats drawer")
    page.locator(".chats-row .chats-tag").first.click()
    page.locator(".chats-row", has=page.locator(".chats-tag")).locator(".chats-link").first.focus()
    page.keyboard.press("t")
    expect(page.locator(".chats-tag-edit input")).to_be_focused()
    walk.look("tags of a chat being edited, and the list filtered by one")
    page.keyboard.press("Escape")
    walk.close()

    walk.press_prompt(3)
    expect(page.locator(LEGEND)).to_be_visible()
    walk.look("map with data")

    page.locator("body").press("?")
    expect(page.locator(".help-groups")).to_be_visible()
    walk.look("key sheet")
    walk.close()

    walk.look_narrow()

    page.locator(".agent-button").click()
    expect(page.locator(".agents-item").first).to_be_visible()
    walk.look("list of agents")
    page.keyboard.press("Escape")

    from_menu(page, re.compile("Conversations|会話"))
    expect(page.locator(".talk-welcome")).to_be_visible()
    walk.look("no conversations")
    talks = Talks(analyst)
    try:
        one, other = talks.agent("Planner"), talks.agent("Writer")
        talk = talks.conversation(one, other, "The report", "Which figures?", "Those of May.")
        page.goto(f"{analyst.url}/#conversations={talks.id}&conversation={talk}")
        expect(page.locator(".talk-log")).to_contain_text("Those of May.")
        walk.look("conversations")
    finally:
        talks.http.delete(f"/projects/{talks.id}")
        talks.http.close()
    assert "\n".join(walk.faults) == ""


@WALKS
def test_axe_finds_nothing_while_a_run_works_waits_or_fails(
    paying: Scripted, open_page: OpenPage, axe: Axe, locale: str, theme: str
) -> None:
    paying.script(code(SPINS), code("final_answer('ok')"))
    desk = open_page(paying.url, locale=locale, theme=theme)
    walk, page = Walk(desk, axe), desk.page
    page.add_init_script(SOCKETS)
    desk.reload()
    turn = desk.say("Count")
    expect(turn.locator(".printed-text")).to_contain_text("line 19")
    walk.look("running")
    desk.stop.click()
    desk.closed(turn, "cancelled")
    walk.look("stopped")

    paying.script(code(PAYS), code("final_answer('ok')"))
    turn = desk.say("Pay Alice")
    expect(turn.locator(".ask")).to_have_attribute("data-state", "open")
    walk.look("approval waiting")
    turn.locator(".ask").get_by_role("button", name=ALLOW).click()
    desk.closed(turn)
    walk.look("approval given")

    paying.script(FAILS)
    desk.ask("Fail", "failed")
    walk.look("error")

    page.evaluate(CUT)
    expect(page.locator(".connection")).to_have_attribute("data-connection", DISCONNECTED)
    walk.look("disconnected")
    assert "\n".join(walk.faults) == ""


FRESH = """() => {
    const start = document.createElement("button");
    document.body.prepend(start);
    start.focus();
    start.remove();
}"""
"""The focus stands before all that is on the page."""


def test_one_tab_and_enter_lead_to_the_message_field(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url)
    expect(desk.composer).to_be_focused()
    desk.page.evaluate(FRESH)

    desk.page.keyboard.press("Tab")

    skip = desk.page.get_by_role("link", name="Skip to the message field")
    expect(skip).to_be_focused()
    box = skip.bounding_box()
    assert box is not None and box["y"] >= 0 and box["height"] > 20
    address = desk.page.url
    desk.page.keyboard.press("Enter")
    expect(desk.composer).to_be_focused()
    assert desk.page.url == address


def test_the_skip_link_leads_into_the_conversations_while_those_are_shown(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url, locale="ja-JP")
    from_menu(desk.page, re.compile("Conversations|会話"))
    expect(desk.page.locator("main.talk")).to_be_visible()
    desk.page.evaluate(FRESH)
    desk.page.keyboard.press("Tab")
    expect(desk.page.get_by_role("link", name="会話の一覧へスキップ")).to_be_focused()
    desk.page.keyboard.press("Enter")
    expect(desk.page.locator("main.talk")).to_be_focused()


def test_messages_are_a_log_and_an_answer_is_read_out_once_and_whole(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url)
    log = desk.page.get_by_role("log", name="Questions and answers")
    desk.ask("How many rows has titanic?")
    expect(log.locator(".turn")).to_have_count(1)
    expect(log).to_have_attribute("aria-live", "off")
    answer = desk.turns.last.locator(".answer").inner_text()
    spoken = desk.page.locator(".chat > [aria-live=polite]").all_text_contents()
    assert answer in "".join(spoken)


OUTSIDE = """() => {
    const scrolled = (node) => {
        for (let box = node.parentElement; box; box = box.parentElement) {
            if (/auto|scroll/.test(getComputedStyle(box).overflowX) && box.scrollWidth > box.clientWidth) return true;
        }
        return false;
    };
    const top = document.querySelector("dialog:modal") ?? document.body;
    const sideways = document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : [];
    const what = "button, a[href], input, textarea, summary, h1, h2, h3, [role=tab]";
    const cut = [...top.querySelectorAll(what)].filter((node) => {
        if (!node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || scrolled(node)) return false;
        const { left, right, width, height } = node.getBoundingClientRect();
        return width > 1 && height > 1 && (left < 0 || right > innerWidth + 0.5);
    });
    return [...sideways, ...cut.map((node) => `${node.tagName} ${node.className} ${node.textContent}`.slice(0, 90))];
}"""
"""What is out of sight to the left or right and cannot be scrolled to."""


@pytest.mark.parametrize("locale", ["en-GB", pytest.param("ja-JP", marks=pytest.mark.slow)])
def test_at_200_percent_nothing_is_cut_off(analyst: LiveDesk, open_page: OpenPage, locale: str) -> None:
    """A window of 1440 x 900 at 200 % is one of 720 x 450 CSS pixels."""
    desk = open_page(analyst.url, size=(720, 450), locale=locale)
    walk, page = Walk(desk), desk.page
    expect(page.locator(".prompt")).to_have_count(4)

    def nothing_is_cut() -> None:
        page.evaluate(SETTLED)
        assert page.evaluate(OUTSIDE) == []

    nothing_is_cut()
    walk.press_prompt(1)
    expect(desk.turns.last.locator(".chart-block")).to_have_attribute("data-state", "drawn")
    nothing_is_cut()
    for pane in ("map", "images", "debug"):
        desk.tab(pane).click()
        expect(page.locator(f"#pane-{pane}")).to_be_visible()
        nothing_is_cut()
    page.keyboard.press("Control+k")
    expect(page.locator(".chats-list")).to_have_attribute("aria-busy", "false")
    nothing_is_cut()
    walk.close()
    page.locator("body").press("?")
    expect(page.locator(".help-groups")).to_be_visible()
    nothing_is_cut()
    page.locator(".sheet-buttons button").click()
    expect(page.locator("dialog:modal")).to_have_count(0)


MOVING = """() => document.getAnimations().map(({ playState, animationName, transitionProperty, effect }) =>
    `${animationName ?? transitionProperty} of ${effect.target.className}: ${playState}`)"""


def test_with_reduced_motion_nothing_moves(analyst: LiveDesk, paying: Scripted, open_page: OpenPage) -> None:
    desk = open_page(analyst.url)
    page = desk.page
    page.emulate_media(reduced_motion="reduce")
    walk = Walk(desk)
    walk.press_prompt(1)
    assert page.evaluate(MOVING) == []
    page.keyboard.press("Control+k")
    expect(page.locator(".chats-drawer")).to_be_visible()
    assert page.evaluate(MOVING) == []
    walk.close()

    paying.script(code(SPINS))
    other = open_page(paying.url, opener=desk)
    other.page.emulate_media(reduced_motion="reduce")
    turn = other.say("Count")
    expect(turn.locator(".printed-text")).to_contain_text("line 19")
    assert other.page.evaluate(MOVING) == []
    other.page.emulate_media(reduced_motion="no-preference")
    assert [line.split(" ")[0] for line in other.page.evaluate(MOVING)] == ["progress"]
    other.stop.click()
    other.closed(turn, "cancelled")
