"""What was understood stands under the answer in chips; a chip is opened and corrected with the mouse and with the keyboard."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.desk_page import OpenPage
from tests.support.desk_server import LiveDesk

pytestmark = pytest.mark.browser

ENGLISH = (
    "en-GB",
    "average fare by class in titanic",
    "average",
    "median",
    "Interpretation",
    "Corrected interpretation",
    "Median fare",
)
JAPANESE = (
    "ja-JP",
    "titanicでclassごとの平均運賃",
    "平均",
    "中央値",
    "この質問の解釈",
    "修正した解釈",
    "fareの中央値",
)


@pytest.mark.parametrize(
    ("locale", "question", "part", "other", "title", "corrected", "said"),
    [ENGLISH, pytest.param(*JAPANESE, marks=pytest.mark.slow)],
    ids=["english", "japanese"],
)
def test_a_part_is_corrected_with_the_mouse(
    analyst: LiveDesk,
    open_page: OpenPage,
    locale: str,
    question: str,
    part: str,
    other: str,
    title: str,
    corrected: str,
    said: str,
) -> None:
    desk = open_page(analyst.url, locale=locale)
    turn = desk.ask(question)
    expect(turn.locator(".reading-title")).to_have_text(title)
    turn.locator(".reading").get_by_text(part, exact=True).click()
    desk.page.get_by_role("menuitem", name=other, exact=True).click()
    expect(desk.turns).to_have_count(2)
    desk.closed(desk.turns.nth(1))
    expect(desk.turns.nth(1).locator(".reading-title")).to_have_text(corrected)
    expect(desk.turns.nth(1).locator(".answer").first).to_contain_text(re.compile(said, re.IGNORECASE))
    expect(desk.turns.nth(1).locator(".reading").get_by_text(other, exact=True)).to_be_visible()


@pytest.mark.parametrize(
    ("locale", "question"),
    [pytest.param(*ENGLISH[:2], marks=pytest.mark.slow), JAPANESE[:2]],
    ids=["english", "japanese"],
)
def test_a_part_is_corrected_with_the_keyboard(
    analyst: LiveDesk, open_page: OpenPage, locale: str, question: str
) -> None:
    desk = open_page(analyst.url, locale=locale)
    turn = desk.ask(question)
    column = turn.locator(".reading-chip[data-part=column]")
    column.focus()
    desk.page.keyboard.press("Enter")
    menu = turn.get_by_role("menu")
    expect(menu).to_be_visible()
    expect(menu.get_by_role("menuitem").first).to_be_focused()
    desk.page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(column).to_be_focused()
    desk.page.keyboard.press("ArrowDown")
    desk.page.keyboard.press("End")
    expect(menu.get_by_role("menuitem").last).to_be_focused()
    chosen = menu.get_by_role("menuitem").last.inner_text()
    desk.page.keyboard.press("Enter")
    expect(desk.turns).to_have_count(2)
    desk.closed(desk.turns.nth(1))
    expect(desk.turns.nth(1).locator(".reading-chip[data-part=column]")).to_have_text(chosen)


def test_a_chip_can_be_reached_on_a_phone_and_its_menu_lies_inside_the_window(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url, size=(360, 640))
    turn = desk.ask(ENGLISH[1])
    for chip in turn.locator("button.reading-chip").all():
        chip.click()
        box = turn.locator(".choice-menu:popover-open").bounding_box()
        assert box is not None and box["x"] >= 0 and box["y"] >= 0
        assert box["x"] + box["width"] <= 360 and box["y"] + box["height"] <= 640
        desk.page.keyboard.press("Escape")
