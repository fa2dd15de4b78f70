"""Watches in the page: made from the menu of an answer, by keyboard; their reports, and the list."""

import os

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Scripted
from tests.browser.desk_page import OpenPage
from tests.support.scripted_model import code

pytestmark = pytest.mark.browser
SALES = "shop,amount\nOslo,10\nBergen,20\n"
SUM = (
    "import pandas as pd\nsales = pd.read_csv('sales.csv')\ndisplay(sales)\n"
    "final_answer(f'Sum: {sales.amount.sum()}')"
)
FOLDER = os.environ.get("WATCH_SCREENSHOTS", "")


@pytest.mark.parametrize(
    ("size", "locale"),
    [((1440, 900), "en-GB"), *([((390, 844), "ja-JP"), ((1024, 768), "ja-JP")] if FOLDER else [])],
)
def test_a_person_watches_an_answer_and_reads_the_report(
    scripted: Scripted, open_page: OpenPage, size: tuple[int, int], locale: str
) -> None:
    desk = open_page(scripted.url, size=size, locale=locale)
    page, keys, is_english = desk.page, desk.page.keyboard, locale == "en-GB"

    def shoot(name: str) -> None:
        if FOLDER:
            page.screenshot(path=f"{FOLDER}/{name}-{size[0]}-{locale[:2]}.png")

    desk.ask("hello")
    files = f"{scripted.url}/api/chats/{desk.chat_id()}/files"
    assert httpx.post(files, files={"file": ("sales.csv", SALES)}).status_code == 201
    scripted.script(code(SUM))
    turn = desk.ask("What is the sum?")
    turn.hover()
    turn.get_by_role("toolbar").last.get_by_role("button").last.focus()
    keys.press("Enter")
    item = page.get_by_role("menuitem", name="Tell me when" if is_english else "変化を通知")
    expect(item).to_be_visible()
    item.focus()
    keys.press("Enter")
    sheet = page.get_by_role("dialog")
    what = sheet.get_by_label("Watch" if is_english else "対象").first
    expect(what).to_be_focused()
    labels = what.locator("option").all_inner_texts()
    assert len(labels) == 3 and ("the figure 30" in labels if is_english else "数値30" in labels)
    shoot("add")
    sheet.get_by_role("button").last.focus()
    keys.press("Enter")

    watches = page.get_by_role("list", name="Watches" if is_english else "ウォッチ").get_by_role("listitem")
    expect(watches).to_contain_text(["Sum: 30"])
    shoot("list")
    keys.press("Escape")
    httpx.put(f"{files}/sales.csv", content=SALES + "Molde,12\n").raise_for_status()
    badge = page.locator(".notices-button")
    expect(badge).to_be_visible()
    shoot("badge")
    badge.focus()
    keys.press("Enter")
    expect(watches).to_contain_text(["Sum: 42"])
    expect(watches.locator(".watches-new")).to_be_visible()
    watches.locator("summary").click()
    expect(watches.locator(".watches-reports li")).to_contain_text(["Sum: 42"])
    shoot("report")
    expect(badge).to_be_hidden()
    watches.get_by_role("button", name="Delete" if is_english else "削除").click()
    expect(watches).to_have_count(0)


def test_the_page_says_why_an_answer_cannot_be_watched(scripted: Scripted, open_page: OpenPage) -> None:
    desk = open_page(scripted.url)
    desk.forgive("409 (Conflict)")
    scripted.script(code("final_answer('I wrote this myself.')"))
    turn = desk.ask("Write something.")
    turn.hover()
    turn.get_by_role("toolbar").last.get_by_role("button").last.click()
    desk.page.get_by_role("menuitem", name="Tell me when").click()
    sheet = desk.page.get_by_role("dialog")
    sheet.get_by_role("button", name="Watch", exact=True).click()
    expect(sheet.get_by_role("alert")).to_contain_text("the model")


def test_times_that_a_question_asks_for_are_set_up_by_the_person(
    scripted: Scripted, open_page: OpenPage
) -> None:
    desk = open_page(scripted.url)
    scripted.script(code("final_answer(f'Sum: {40 + 2}')"))
    turn = desk.ask("every Monday at 9 send me the sum")
    turn.get_by_role("button", name="Set up these times").click()
    sheet = desk.page.get_by_role("dialog")
    expect(sheet.get_by_label("Also compute it")).to_have_value("monday")
    expect(sheet.get_by_role("textbox", name="Time")).to_have_value("09:00")
    expect(sheet.get_by_role("checkbox")).not_to_be_checked()
    sheet.get_by_role("button", name="Watch", exact=True).click()
    watches = desk.page.get_by_role("list", name="Watches").get_by_role("listitem")
    expect(watches.first).to_contain_text("every Monday 09:00")
