"""The main states of the page: one language at a time, outside of names and data, and targets of at least 24 px."""

import re
from collections.abc import Iterator
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.desk_server import LiveDesk
from tests.support.page_menu import from_menu

pytestmark = pytest.mark.browser

SALES = "店,price\n上野,5\n銀座,7\n渋谷,4\n新宿,-\n"
SHOWN = """(skipped) => {
    const texts = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT);
    for (let node = walker.currentNode; node; node = walker.nextNode()) {
        if (node.closest(skipped) || !node.checkVisibility()) continue;
        for (const name of ["aria-label", "title", "placeholder", "alt"]) texts.add(node.getAttribute(name));
        for (const { nodeType, data } of node.childNodes) if (nodeType === Node.TEXT_NODE) texts.add(data.trim());
    }
    texts.delete(null);
    return [...texts];
}"""
SKIPPED = ", ".join(
    (
        "code, pre, kbd, td, th, svg, body [lang], [translate=no], [role=gridcell], [role=columnheader], .card-columns",  # data
        ".debug-list",  # in the terms of the wire
        ".question, .chat-title, .prompt-text, .chats-row, .suggestion, .card-question",  # what a person asks
        ".answer, .reading, .chat > [aria-live]",  # the language of an answer follows the question
    )
)
NAMES = re.compile(
    r"smoldesk|builtin|Python|CSV|Excel|Parquet|Markdown|PNG|SVG|JSON|MCP|UTF-8"
    r"|Room1|Room2|Kitchen|Office|Toilet|Meeting Room|Stairs"
    r"|[Tt]itanic|survived|pclass|sex|class|price|sales|code|chart-1|\.csv|\.png|Ctrl|Cmd|Shift|Enter|Page Up|Page Down"
    r"|\b[kMG]?B\b|\bms\b"
)
"""Names of the building, of columns, of formats and of keys."""
SMALL = """() => [...document.querySelectorAll("button, a[href], input, select, summary, [role=tab]")].filter((node) => {
    if (!node.checkVisibility({ visibilityProperty: true }) || node.closest(".prose :is(p, li)")) return false;
    const boxes = [node, ...(node.labels ?? [])].map((target) => target.getBoundingClientRect());
    const [wide, tall] = ["width", "height"].map((side) => Math.max(...boxes.map((box) => box[side])));
    return wide > 1 && tall > 1 && Math.min(wide, tall) < 23.5;
}).map(({ localName, className, textContent }) => `${localName}.${className} ${textContent}`)"""
THINGS = """() => [...document.querySelectorAll(".top-bar :is(button, .chat-title, .connection)")]
    .filter((node) => node.checkVisibility() && !node.closest(":popover-open")).length"""
QUESTIONS = {
    "ja-JP": (
        "Titanicの最初の20行を見せて",
        "Titanicのclassごとの生存率を棒グラフにして",
        "Room1からMeeting Roomへの行き方は？",
    ),
    "en-GB": (
        "Show the first 20 rows of Titanic",
        "bar chart of survival rate by class of titanic",
        "How do I get from Room1 to the meeting room on 2F?",
    ),
}


def words(page: Page, pattern: str) -> list[str]:
    """Texts with a match of `pattern` that no name explains."""
    shown: list[str] = page.evaluate(SHOWN, SKIPPED)
    return sorted({text for text in shown if re.search(pattern, NAMES.sub("", text))})


def states(desk: DeskPage, questions: tuple[str, str, str]) -> Iterator[str]:
    """Bring the page into its main states, and yield the name of each."""
    page = desk.page
    yield "first screen"
    for button, seen in ((".menu-button", ".page-menu"), (".agent-button", ".agents-item >> nth=0")):
        page.locator(button).click()
        expect(page.locator(seen)).to_be_visible()
        yield seen
        page.keyboard.press("Escape")
    desk.drop("sales.csv", SALES)
    expect(page.locator(".data-place .card-question").first).to_be_visible()
    yield "file"
    table, chart, way = questions
    desk.ask(table)
    expect(page.locator(".data-place [role=gridcell]").first).to_be_visible()
    yield "table"
    desk.ask(chart)
    expect(page.locator(".chart-block[data-state=drawn]")).to_have_count(1)
    yield "chart"
    desk.ask(way)
    desk.see_map()
    yield "route"
    page.locator(".chats-button").click()
    expect(page.locator(".chats-foot")).to_be_visible()
    yield "chats"
    page.keyboard.press("Escape")
    page.locator(".log").focus()
    page.keyboard.press("?")
    expect(page.locator(".help-groups")).to_be_visible()
    yield "help"
    page.keyboard.press("Escape")
    from_menu(page, re.compile("Conversations|会話"))
    expect(page.locator(".talk")).to_be_visible()
    yield "conversations"


@pytest.mark.parametrize(("locale", "pattern"), [("ja-JP", "[A-Za-z]{2,}"), ("en-GB", "[぀-ヿ一-鿿]")])
def test_each_page_is_in_one_language_and_its_targets_are_large_enough(
    analyst: LiveDesk, open_page: OpenPage, locale: str, pattern: str
) -> None:
    desk = open_page(analyst.url, locale=locale)
    problems: dict[str, list[str]] = {}
    for state in states(desk, QUESTIONS[locale]):
        problems[state] = words(desk.page, pattern) + desk.page.evaluate(SMALL)
        assert desk.page.evaluate(THINGS) <= 5, state
    assert {state: texts for state, texts in problems.items() if texts} == {}


def tints(shown: Locator) -> int:
    """Distinct colours of an element that are no shades of grey."""
    shades = Image.open(BytesIO(shown.screenshot())).convert("RGB").getcolors(100_000) or []
    return sum(max(colour) - min(colour) > 24 for _, colour in shades)  # pyright: ignore[reportArgumentType]


def test_forced_colours_keep_the_ramp_the_slider_and_the_waterfall(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url)
    desk.ask("Play the average temperature of each room by hour")
    page = desk.page
    page.emulate_media(forced_colors="active")
    for shown in (".map-colours-bar", ".map-playback input", ".debug-row[data-kind=tool] .debug-track"):
        assert tints(page.locator(shown).last) > 0, shown
    assert tints(page.locator(".map-colours-bar")) > 20
