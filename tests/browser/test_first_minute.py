"""The first minute: a person opens the page, sees the plan, and presses the four prompts."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.desk_server import LiveDesk
from tests.support.waiting import until

pytestmark = pytest.mark.browser

ENGLISH = {
    "table": "Titanic at a glance",
    "plot": "Survival by class, as a plot",
    "map": "Point at the kitchen",
    "colour": "Rooms coloured by temperature",
    "new": "New chat",
    "greeting": "What would you like to know?",
    "open": "Connected",
}
JAPANESE = {
    "table": "タイタニックの概要",
    "plot": "等級別の生存率をグラフに",
    "map": "キッチンに矢印",
    "colour": "部屋を気温で色分け",
    "new": "新しいチャット",
    "greeting": "何を調べますか？",
    "open": "接続済み",
}


def press(desk: DeskPage, text: dict[str, str], prompt: str) -> None:
    """Press a prompt of an empty chat and wait for its answer."""
    button = desk.page.locator("button.prompt", has_text=text[prompt])
    message = button.locator(".prompt-text").inner_text()
    button.click()
    expect(desk.turns).to_have_count(1)
    expect(desk.turns.locator(".question")).to_contain_text(message)
    desk.closed(desk.turns.first)
    expect(desk.turns.locator(".answer")).not_to_be_empty()
    expect(desk.page.locator(".fault")).to_have_count(0)


def begin_anew(desk: DeskPage, text: dict[str, str]) -> None:
    before = desk.chat_id()
    desk.page.get_by_role("button", name=text["new"]).click()
    expect(desk.turns).to_have_count(0)
    expect(desk.page.get_by_role("heading", name=text["greeting"])).to_be_visible()
    until(desk.page, desk.chat_id, lambda chat: chat not in (before, "None"))


@pytest.mark.parametrize(
    ("locale", "text"),
    [("en-GB", ENGLISH), pytest.param("ja-JP", JAPANESE, marks=pytest.mark.slow)],
    ids=["english", "japanese"],
)
def test_each_of_the_four_prompts_does_what_it_says(
    analyst: LiveDesk, open_page: OpenPage, locale: str, text: dict[str, str]
) -> None:
    desk = open_page(analyst.url, locale=locale)
    expect(desk.page.get_by_role("heading", name=text["greeting"])).to_be_in_viewport()
    expect(desk.page.locator(".connection")).to_have_text(text["open"])
    desk.see_map(floor="1F", arrows=0, highlights=0, overlays=0)

    press(desk, text, "table")
    expect(desk.turns.locator("table")).to_contain_text(re.compile("mean|平均"))
    expect(desk.turns.locator(".answer")).to_contain_text(re.compile(r"891.*38\.4"))
    desk.see_image()

    begin_anew(desk, text)
    expect(desk.images).to_have_count(0)
    press(desk, text, "plot")
    expect(desk.turns.locator(".answer")).to_contain_text(re.compile("63|62.9"))
    desk.see_image()

    begin_anew(desk, text)
    desk.see_painted("Kitchen", 4)
    plain = desk.colours("Kitchen")
    press(desk, text, "map")
    desk.see_map(floor="1F", arrows=1)
    until(desk.page, lambda: desk.colours("Kitchen") - plain, bool)

    begin_anew(desk, text)
    desk.see_map(floor="1F", arrows=0, highlights=0)
    press(desk, text, "colour")
    desk.see_map(floor="1F", highlights=5)
    expect(desk.turns.locator("tbody tr")).to_have_count(5)


def test_a_small_window_shows_the_greeting_first(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url, size=(1024, 768))
    expect(desk.page.get_by_role("heading", name=ENGLISH["greeting"])).to_be_in_viewport()


def test_the_page_names_its_agent_its_model_and_its_isolation(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url)
    expect(desk.page.get_by_role("button", name="Agent: code · builtin")).to_be_visible()
    isolation = analyst.desk.agents.isolation()
    name = isolation.label[0].upper() + isolation.label[1:]
    why = "isolated from this machine" if isolation.isolated else "with your permissions"
    desk.page.get_by_role("button", name="Menu" if isolation.isolated else name, exact=True).click()
    expect(desk.page.locator("#isolation-why")).to_contain_text(name if isolation.isolated else why)
    expect(desk.page.locator("#isolation-why")).to_contain_text(why)
    limits = "Limits: 4.3 GB of memory, 4.3 GB of files, 60 s for a cell."
    expect(desk.page.locator("#isolation-why")).to_contain_text(limits)


def test_the_prompts_of_the_map_work_too(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url)
    desk.page.get_by_role("button", name="Highlight Room1 in red").click()
    expect(desk.turns).to_have_count(1)
    desk.closed(desk.turns.first)
    desk.see_map(floor="1F", highlights=1)
    expect(desk.page.locator(".map-asks").get_by_role("button", name="Highlight Room1 in red")).to_have_count(
        0
    )
