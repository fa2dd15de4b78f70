"""The list of open asks in the top bar, and the count in the tab's title: live, also without a frame being drawn."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Json, ScriptedServer, asked, run
from tests.page.test_asks import ask
from tests.support.waiting import see

pytestmark = pytest.mark.browser

NO_FRAMES = """() => {
    window.requestAnimationFrame = () => 0;
    Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
    Object.defineProperty(document, "hidden", { get: () => true });
}"""
"""What a page in a hidden tab has: no frames."""


def line(ask_id: str, chat_id: str = "chat-1", **more: Any) -> Json:
    until = (datetime.now(UTC) + timedelta(minutes=4, seconds=30)).isoformat(timespec="milliseconds")
    facts = {
        "chatTitle": "Sales",
        "kind": "approval",
        "tool": "pay",
        "prompt": "Allow pay?",
        "expiresAt": until,
    }
    return {"askId": ask_id, "chatId": chat_id, **facts, **more}


def open_asks(*lines: Json, count: int | None = None) -> Json:
    content = {"asks": list(lines), "count": len(lines) if count is None else count}
    return {"type": "open_asks", "content": content}


@pytest.fixture
def listing(page: Page, server: ScriptedServer) -> Iterator[Page]:
    server.push(open_asks(line("a1"), line("a2", "chat-2", kind="input", tool=None, prompt="Which table?")))
    expect(page.locator(".asks-button")).to_have_attribute("data-count", "2")
    yield page


def test_the_list_says_where_what_and_until_when(listing: Page) -> None:
    expect(listing).to_have_title("(2) New chat · smoldesk")
    listing.get_by_role("button", name="2 questions wait for an answer").click()

    lines = listing.locator(".asks-line")
    expect(lines).to_have_count(2)
    expect(lines.nth(0)).to_contain_text("Sales, this chat")
    expect(lines.nth(0)).to_contain_text("Allow pay?")
    expect(lines.nth(0)).to_contain_text("5 min left")
    expect(lines.nth(1)).to_contain_text("Which table?")
    assert lines.nth(1).get_attribute("href") == "#chat=chat-2&ask=a2"


def test_the_list_is_opened_walked_and_left_with_keys(listing: Page) -> None:
    button = listing.locator(".asks-button")
    button.focus()
    listing.keyboard.press("Enter")
    listing.keyboard.press("Tab")
    expect(listing.locator(".asks-line").nth(0)).to_be_focused()
    listing.keyboard.press("Escape")
    expect(listing.locator(".asks-popover")).to_be_hidden()
    expect(button).to_be_focused()


def test_a_line_that_goes_takes_no_focus_along(listing: Page, server: ScriptedServer) -> None:
    listing.locator(".asks-button").click()
    listing.locator(".asks-line").nth(0).focus()
    server.push(open_asks(line("a2", "chat-2"), line("a3", "chat-3")))

    expect(listing.locator(".asks-line")).to_have_count(2)
    expect(listing.locator("[data-open-ask=a2]")).to_be_focused()
    server.push(open_asks())
    expect(listing.locator(".asks-popover")).to_be_focused()
    expect(listing.locator(".asks-popover")).to_have_text("No question waits for an answer")
    listing.keyboard.press("Escape")
    expect(listing.locator(".asks-button")).to_be_hidden()


def test_the_count_goes_up_and_down_in_a_hidden_tab_and_is_said(
    listing: Page, server: ScriptedServer
) -> None:
    listing.evaluate(NO_FRAMES)
    server.push(open_asks(*(line(f"a{number}") for number in range(5)), count=250))
    see(listing, listing.title, "(250) New chat · smoldesk")
    expect(listing.locator(".asks [role=status]")).to_have_text("250 questions wait for an answer")
    expect(listing.locator(".asks-more")).to_have_text("and 245 more")
    server.push(open_asks())
    see(listing, listing.title, "New chat · smoldesk")


def test_a_link_leads_to_the_card_and_is_followed_once(page: Page, server: ScriptedServer) -> None:
    long = [
        {"type": "text", "runId": "r1", "content": f"line {number}", "tone": "notice"} for number in range(60)
    ]
    later = [{"type": "printed", "runId": "r1", "content": "more\n" * 60, "step": 1}]
    server.send(asked("r1", "Pay"), run("r1", "running", step=1), *long, ask("a1"), *later, *long, ask("a2"))
    server.push(open_asks(line("a1"), line("a2")))
    card = page.locator(".ask[data-ask=a1]")
    expect(card).not_to_be_in_viewport()

    page.locator(".asks-button").click()
    page.locator("[data-open-ask=a1]").click()

    expect(card).to_be_in_viewport()
    expect(card).to_be_focused()
    expect(page.locator(".asks-popover")).to_be_hidden()
    assert page.evaluate("location.hash") == "#chat=chat-1"


def test_a_link_that_opens_the_page_shows_the_card(page: Page, server: ScriptedServer) -> None:
    server.send(asked("r1", "Pay"), run("r1", "running", step=1), ask("a1"))
    page.goto("about:blank")
    page.goto(f"{server.url}#chat=chat-1&ask=a1")

    expect(page.locator(".ask[data-ask=a1]")).to_be_focused()


def test_the_time_that_is_left_has_words(blank: Page) -> None:
    script = """async () => {
        const { formatRemaining } = await import("/static/js/asks/open-asks.js");
        const { loadLanguage, translator } = await import("/static/js/core/i18n.js");
        const { titleText } = await import("/static/js/core/page-title.js");
        const t = translator(await loadLanguage("en"));
        const left = (seconds) => formatRemaining({ expiresAt: new Date(1000 * seconds).toISOString() }, t, 0);
        const titles = [titleText("Sales", 0), titleText("Sales", 2), titleText("", 1)];
        return [left(300), left(61), left(60), left(59), left(0), left(-5), ...titles];
    }"""
    assert blank.evaluate(script) == [
        *("5 min left", "2 min left", "1 min left", "59 s left", "Time is up", "Time is up"),
        *("Sales · smoldesk", "(2) Sales · smoldesk", "(1) smoldesk"),
    ]
