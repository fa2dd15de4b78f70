"""The composer completes what is typed, by keyboard and mouse, in both languages; Enter still sends what stands there."""

import pytest
from playwright.sync_api import expect

from tests.browser.desk_page import OpenPage
from tests.support.desk_server import LiveDesk

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("locale", "typed", "offered", "then", "complete"),
    [
        ("en-GB", "average fa", "average fare", " by c", "average fare by class"),
        pytest.param(
            "ja-JP", "class別", "class別の", "fareの平", "class別のfareの平均", marks=pytest.mark.slow
        ),
    ],
    ids=["english", "japanese"],
)
def test_a_question_is_completed_with_the_keyboard(
    analyst: LiveDesk, open_page: OpenPage, locale: str, typed: str, offered: str, then: str, complete: str
) -> None:
    desk = open_page(analyst.url, locale=locale)
    field = desk.page.locator(".composer .field")
    options = desk.page.locator(".completions").get_by_role("option")
    field.press_sequentially(typed)
    expect(options.first).to_have_text(offered)
    field.press("Tab")
    expect(field).to_have_value(offered)
    field.press_sequentially(then)
    expect(options.filter(has_text=complete).first).to_be_visible()
    while options.nth(0).get_attribute("aria-selected") is None or desk.page.locator(
        ".completion[aria-selected=true]"
    ).all_inner_texts() != [complete]:
        field.press("ArrowDown")
    field.press("Enter")
    expect(field).to_have_value(complete)
    field.press("Escape")
    field.press("Enter")
    desk.closed(desk.turns.first)
    expect(desk.turns.first.locator("table")).to_contain_text("First")


def test_a_choice_is_taken_with_the_mouse_and_escape_closes_the_list(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url)
    field = desk.page.locator(".composer .field")
    options = desk.page.locator(".completions").get_by_role("option")
    field.press_sequentially("median ag")
    options.first.click()
    expect(field).to_have_value("median age")
    expect(field).to_be_focused()
    field.press_sequentially(" by s")
    expect(options.first).to_be_visible()
    field.press("Escape")
    expect(options).to_have_count(0)
    expect(field).to_have_value("median age by s")


def test_enter_sends_what_was_typed_although_something_is_offered(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url)
    field = desk.page.locator(".composer .field")
    field.press_sequentially("average age")
    expect(desk.page.locator(".completions").get_by_role("option").first).to_be_visible()
    field.press("Enter")
    turn = desk.turns.first
    desk.closed(turn)
    expect(turn.locator(".question")).to_contain_text("average age")
    expect(desk.page.locator(".completions")).to_be_hidden()
