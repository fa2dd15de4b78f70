"""An unclear question has one card: a row for each reading, one answer open. Opening another one keeps it."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.desk_server import LiveDesk

pytestmark = pytest.mark.browser

ENGLISH = ("en-GB", "children in third class, fare", "None of these", "not understood", "and the median?")
JAPANESE = ("ja-JP", "titanicで3等の子どもの運賃", "どれでもない", "読み取れていません", "中央値は？")
LANGUAGES = pytest.mark.parametrize(
    ("locale", "question", "none", "declined", "follow_up"),
    [ENGLISH, pytest.param(*JAPANESE, marks=pytest.mark.slow)],
    ids=["english", "japanese"],
)


def opened(turn: Locator) -> Locator:
    """The card whose answer is visible; exactly one is."""
    card = turn.locator(".alternative[data-open]")
    expect(card).to_have_count(1)
    return card


def heads(turn: Locator) -> Locator:
    return turn.locator(".alternative-head")


def chips_after(desk: DeskPage, follow_up: str) -> Locator:
    return desk.ask(follow_up).locator(".reading-chip")


@LANGUAGES
def test_a_click_keeps_a_reading_over_a_reload_and_the_next_question_edits_it(
    analyst: LiveDesk,
    open_page: OpenPage,
    locale: str,
    question: str,
    none: str,
    declined: str,
    follow_up: str,
) -> None:
    desk = open_page(analyst.url, locale=locale)
    turn = desk.ask(question)
    expect(turn.locator(".ask, [role=radio]")).to_have_count(0)
    expect(opened(turn).locator(".answer")).to_be_visible()
    expect(heads(turn).nth(1).locator("mark").first).to_be_visible()
    sentence = heads(turn).nth(1).inner_text()
    heads(turn).nth(1).click()
    expect(opened(turn).locator(".alternative-head")).to_have_text(sentence)
    answer = opened(turn).locator(".answer").inner_text()
    desk.reload()
    turn = desk.turns.first
    expect(opened(turn).locator(".alternative-head")).to_have_text(sentence)
    expect(opened(turn).locator(".answer")).to_have_text(answer, use_inner_text=True)
    kept = opened(turn).locator(".reading-chip").all_inner_texts()
    followed = chips_after(desk, follow_up)
    expect(followed.first).to_be_visible()
    # the figure alone is another one
    assert len(set(kept) - set(followed.all_inner_texts())) == 1, (kept, followed.all_inner_texts())


@LANGUAGES
def test_the_keyboard_opens_a_reading_and_none_of_these_declines(
    analyst: LiveDesk,
    open_page: OpenPage,
    locale: str,
    question: str,
    none: str,
    declined: str,
    follow_up: str,
) -> None:
    desk = open_page(analyst.url, locale=locale)
    turn = desk.ask(question)
    heads(turn).nth(1).focus()
    desk.page.keyboard.press("Enter")
    expect(heads(turn).nth(1)).to_have_attribute("aria-expanded", "true")
    expect(heads(turn).nth(0)).to_have_attribute("aria-expanded", "false")
    expect(heads(turn).nth(1)).to_be_focused()
    heads(turn).last.focus()
    expect(heads(turn).last).to_have_text(none)
    desk.page.keyboard.press("Space")
    expect(opened(turn).locator(".answer")).to_contain_text(declined)
    suggestion = opened(turn).locator(".suggestion").first
    asked = suggestion.inner_text()
    suggestion.click()
    expect(desk.turns).to_have_count(2)
    expect(desk.turns.nth(1).locator(".question")).to_contain_text(asked)
    desk.closed(desk.turns.nth(1))


@pytest.mark.parametrize(
    ("locale", "message"),
    [
        pytest.param("en-GB", "help", marks=pytest.mark.slow),
        ("ja-JP", "何ができますか"),
        # A suggestion that the text does not list.
        ("en-GB", "difference in average age of male and female passengers"),
    ],
)
def test_things_to_try_are_asked_by_a_click(
    analyst: LiveDesk, open_page: OpenPage, locale: str, message: str
) -> None:
    desk = open_page(analyst.url, locale=locale)
    turn = desk.ask(message)
    suggestion = turn.locator(".suggestion").first
    asked = suggestion.inner_text()
    suggestion.click()
    expect(desk.turns.nth(1).locator(".question")).to_contain_text(re.compile(re.escape(asked)))
    desk.closed(desk.turns.nth(1))
    expect(desk.turns.nth(1).locator(".answer").first).to_be_visible()
