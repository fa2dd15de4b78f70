"""No English on a Japanese page and no Japanese on an English one, in the main states, outside of names and data."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.desk_server import LiveDesk
from tests.support.page_menu import from_menu

pytestmark = pytest.mark.browser

SALES = "店,price\n上野,5\n銀座,7\n渋谷,4\n"
SHOWN = """(skipped) => {
    const texts = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT);
    for (let node = walker.currentNode; node; node = walker.nextNode()) {
        if (node.closest(skipped) || !node.checkVisibility()) continue;
        for (const name of ["aria-label", "title", "placeholder", "alt", "data-drop"]) texts.add(node.getAttribute(name));
        for (const { nodeType, data } of node.childNodes) if (nodeType === Node.TEXT_NODE) texts.add(data.trim());
    }
    texts.delete(null);
    return [...texts];
}"""
DATA = "code, pre, kbd, td, th, [role=gridcell], [role=columnheader], .grid-facts, .debug, .card-column, svg, body [lang]"
"""Code, cells and what the log holds: they are what they are in any language."""
ASKED = ".question, .chat-title, .prompt-text, .chats-row, .answer, .reading"
"""Words of a person and of the analyst; its language follows the question."""
NAMES = re.compile(
    r"smoldesk|builtin|\bcode\b|Python|CSV|Excel|Parquet|Markdown|PNG|SVG|JSON|MCP|UTF-8|Titanic|titanic|survived|\bclass\b"
    r"|\w+\.(csv|png)|Room1|Room2|Kitchen|Bathroom|Toilet|Hallway|Level[12]|Meeting Room|Lift|\bprice\b|\d+ ?[kM]?B\b|\bms\b"
    r"|\d+ ?m\b|Ctrl|Enter|Esc|Tab\b|Shift|（[a-z/?]）|\([a-z]\)|\b\d+F\b"
)


def words(page: Page, pattern: str, skipped: str) -> list[str]:
    """Texts with a match of `pattern` that no name explains."""
    shown: list[str] = page.evaluate(SHOWN, skipped)
    return sorted({text for text in shown if re.search(pattern, NAMES.sub("", text))})


def states(desk: DeskPage, questions: tuple[str, str, str]) -> Iterator[str]:
    """Bring the page into its main states, and yield the name of each."""
    page = desk.page
    yield "first screen"
    for button, seen in ((".menu-button", ".page-menu"), (".agent-button", ".agents")):
        page.locator(button).click()
        expect(page.locator(seen)).to_be_visible()
        yield seen
        page.keyboard.press("Escape")
    desk.drop("sales.csv", SALES)
    expect(page.locator(".data-place .card-question").first).to_be_visible()
    yield "file"
    chart, table, way = questions
    desk.ask(chart)
    yield "chart"
    desk.ask(table)
    expect(page.locator(".data-place [role=gridcell]").first).to_be_visible()
    yield "table"
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


@pytest.mark.parametrize(
    ("locale", "pattern", "questions"),
    [
        (
            "ja-JP",
            "[A-Za-z]{2,}",
            (
                "Titanicのclassごとの生存率を棒グラフにして",
                "Titanicの最初の20行を見せて",
                "Room1からMeeting Roomへの行き方は？",
            ),
        ),
        (
            "en-GB",
            "[぀-ヿ一-鿿]",
            (
                "bar chart of survival rate by class",
                "Show the first 20 rows of Titanic",
                "How do I get from Room1 to the meeting room on 2F?",
            ),
        ),
    ],
)
def test_each_page_is_in_one_language(
    analyst: LiveDesk, open_page: OpenPage, locale: str, pattern: str, questions: tuple[str, str, str]
) -> None:
    desk = open_page(analyst.url, locale=locale)
    foreign = {state: words(desk.page, pattern, f"{DATA}, {ASKED}") for state in states(desk, questions)}
    assert {state: texts for state, texts in foreign.items() if texts} == {}
