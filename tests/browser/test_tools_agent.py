"""A desk whose agent calls tools: a question about data shows what the code agent would show."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.desk_page import OpenPage
from tests.support.desk_server import LiveDesk, live_desk

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def caller(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    """A desk with the built-in model, which calls tools."""
    with live_desk(tmp_path_factory.mktemp("caller"), agent="tools") as live:
        yield live


def test_a_question_about_data_shows_code_table_plot_and_answer(
    caller: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(caller.url)
    turn = desk.ask("survival rate by class as a plot")
    expect(turn.locator(".step-head")).to_contain_text("Step 1 · Python · ")
    turn.locator(".step-head").click()
    expect(turn.locator(".code-block")).to_be_visible()
    expect(turn.locator(".code-block")).to_contain_text("load_dataset")
    expect(turn.locator("tr", has_text="First")).to_contain_text("63.0")
    expect(turn.locator(".answer")).to_contain_text(re.compile(r"First.*63"))
    calls = turn.locator(".call")
    expect(calls).to_have_count(2)
    expect(calls.nth(0)).to_contain_text("python_interpreter(")
    expect(calls.nth(0)).to_have_attribute("data-state", "returned")
    expect(calls.nth(1)).to_contain_text('load_dataset(name="titanic")')
    desk.see_image()
    turn.locator(".step-head").click()
    message = desk.said()
    desk.reload()
    desk.see_said(message)
    desk.see_image()
