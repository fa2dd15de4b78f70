"""What lights up on the map, and what takes it away: answers draw, people select, nothing else."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.desk_server import LiveDesk
from tests.support.page_menu import from_menu
from tests.support.waiting import until

pytestmark = pytest.mark.browser


def choose_room(desk: DeskPage) -> None:
    """A click into Level2, in the middle of floor 1F."""
    desk.see_map(floor="1F")
    box, view = desk.map.bounding_box(), desk.map.get_attribute("data-view")
    assert box is not None and view is not None
    scale, x, y = map(float, view.split())
    desk.page.mouse.click(box["x"] + 1260 * scale + x, box["y"] + 430 * scale + y)


def test_a_refusal_that_lists_the_building_lights_nothing_up(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url)
    turn = desk.ask("Draw a left arrow in the Observatory")

    expect(turn.locator(".answer")).to_contain_text("There is no room 'Observatory'")
    desk.see_map(highlights=0)
    expect(turn.locator(".pointer")).to_have_text(
        "Floor map cleared"
    )  # a former drawing belongs to a former answer


def test_one_button_clears_all_that_an_answer_put_there(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url)
    clear = desk.page.get_by_role("button", name="Clear map")
    expect(clear).to_be_disabled()
    desk.ask("Colour each room by its average temperature")
    desk.see_map(highlights=5)

    clear.click()

    desk.see_map(highlights=0)
    expect(desk.page.locator(".map-legend")).to_be_hidden()
    expect(clear).to_be_disabled()
    desk.reload()
    expect(desk.turns).to_have_count(1)
    desk.see_map(highlights=0)


@pytest.mark.parametrize(
    ("locale", "question", "about"),
    [
        pytest.param("en-GB", "How warm is it here?", "About Level2 (1F)", marks=pytest.mark.slow),
        ("ja-JP", "選択した部屋の平均気温は？", "Level2 (1階)について"),
    ],
    ids=["english", "japanese"],
)
def test_rooms_that_a_question_was_about_are_not_in_the_next(
    analyst: LiveDesk, open_page: OpenPage, locale: str, question: str, about: str
) -> None:
    desk = open_page(analyst.url, locale=locale)
    choose_room(desk)
    chips = desk.page.locator(".room-chip")
    expect(chips).to_have_text(["@Level2"])

    turn = desk.ask(question)

    expect(turn.locator(".notes")).to_have_text(about)
    expect(chips).to_have_count(0)
    desk.reload()
    expect(desk.turns).to_have_count(1)
    expect(chips).to_have_count(0)


def test_the_agent_button_keeps_its_name_beside_a_long_title(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url, size=(1024, 768))
    desk.ask("How many rows does the Titanic dataset have, and what would you say that this number tells us?")

    name = desk.page.locator(".agent-name")
    expect(name).to_have_text("code")
    assert name.evaluate("(name) => name.scrollWidth <= name.clientWidth")


def test_a_floor_has_one_name_in_a_japanese_page(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url, locale="ja-JP")
    turn = desk.ask("Room1からMeeting Roomへの行き方は？")

    desk.see_map(floor="1F")
    expect(desk.page.locator(".map-floors [role=tab]")).to_have_text(["地下1階", "1階", "2階"])
    expect(turn.locator(".route-step[data-action=change]")).to_contain_text("2階")
    expect(desk.page.locator(".map-badges button")).to_have_attribute("title", re.compile("2階"))
    expect(turn.locator(".answer li")).to_have_count(0)
    choose_room(desk)
    for text in (
        *desk.said(),
        desk.page.locator("#pane-map").inner_text(),
        desk.page.locator(".composer").inner_text(),
    ):
        assert not re.search(r"\b(?:B1|1F|2F)\b", text), text

    from_menu(desk.page, "Show in English")
    expect(turn.locator(".route-step[data-action=change]")).to_contain_text("2F")
    expect(desk.page.locator(".map-badges button")).to_have_attribute("title", re.compile("2F"))


@pytest.mark.parametrize("locale", [pytest.param("en-GB", marks=pytest.mark.slow), "ja-JP"])
def test_title_floors_and_tools_of_the_map_stand_in_one_row(
    analyst: LiveDesk, open_page: OpenPage, locale: str
) -> None:
    desk = open_page(analyst.url, locale=locale)
    desk.see_map(floor="1F")
    pane = desk.page.locator("#pane-map")
    names = (".pane-title", ".map-floors", ".map-tools", ".collapse-button", ".maximise-button")
    frames = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"
    for width, height in ((1440, 900), (1024, 768), (900, 700)):
        desk.page.set_viewport_size({"width": width, "height": height})
        desk.page.evaluate(frames)
        boxes = [box for name in names if (box := pane.locator(name).bounding_box()) is not None]

        assert len(boxes) == len(names)
        middles = [box["y"] + box["height"] / 2 for box in boxes]
        assert max(middles) - min(middles) <= 2
        for before, after in pairwise(boxes):
            assert before["x"] + before["width"] <= after["x"], (before, after)
        assert pane.locator(".map-floors").evaluate("(one) => one.scrollWidth <= one.clientWidth")
    pane.locator(".collapse-button").click()
    expect(pane).to_have_attribute("data-collapsed", "")
    expect(pane.locator(".map-floors")).to_be_hidden()


REDS = """() => [...document.querySelectorAll(".map-canvas:not([hidden])")].map((layer) => {
    const copy = new OffscreenCanvas(layer.width, layer.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(layer, 0, 0);
    const { data } = copy.getImageData(0, 0, layer.width, layer.height);
    let reds = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] > 220 && data[i + 1] < 60 && data[i + 2] < 60) reds += 1;
    return reds;
}).reduce((all, one) => all + one, 0)"""
"""How many pixels of the map are a pure red."""


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_the_plan_of_a_chat_is_calm_until_an_answer_draws_in_red(
    analyst: LiveDesk, open_page: OpenPage, theme: str
) -> None:
    desk = open_page(analyst.url, theme=theme)
    desk.see_map(floor="1F")
    desk.see_painted("Kitchen", 8)
    assert desk.page.evaluate(REDS) == 0

    desk.ask("Highlight Room1 in red")

    desk.see_map(highlights=1)
    until(desk.page, lambda: desk.page.evaluate(REDS), lambda reds: reds > 100)


@pytest.mark.parametrize(
    ("question", "unit"),
    [
        ("Colour each room by its average temperature", "°C"),
        ("Colour each room by its average humidity", "%"),
    ],
)
def test_the_legend_says_what_is_measured_and_in_what_unit(
    analyst: LiveDesk, open_page: OpenPage, question: str, unit: str
) -> None:
    desk = open_page(analyst.url)
    desk.ask(question)

    expect(desk.page.locator(".map-colours-title span")).to_have_text(unit)
