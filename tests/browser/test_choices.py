"""What a person chose for their page stays chosen, and a phone shows one pane at a time."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.desk_page import OpenPage
from tests.support.desk_server import LiveDesk
from tests.support.page_menu import from_menu
from tests.support.waiting import see, until

pytestmark = pytest.mark.browser

PHONE = (390, 844)


def test_the_language_survives_a_reload_and_turns_what_was_said_before(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url)
    turn = desk.ask("Draw a left arrow in the Kitchen")
    from_menu(desk.page, "日本語で表示")
    expect(desk.page.locator("html")).to_have_attribute("lang", "ja")
    expect(desk.page.locator("[data-pane=debug] .pane-title")).to_have_text("デバッグ")
    expect(turn.locator(".pointer")).to_have_text("Kitchenの矢印：左")
    expect(desk.page.locator("[data-floor='1F'][role=tab]")).to_have_text("1階")

    desk.reload()
    expect(desk.page.locator("html")).to_have_attribute("lang", "ja")
    expect(desk.page.locator(".connection")).to_have_text("接続済み")
    expect(turn.locator(".pointer")).to_have_text("Kitchenの矢印：左")
    expect(desk.page.locator("body")).not_to_contain_text("Clear map")


def test_the_theme_survives_a_reload(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url)
    ground = "() => getComputedStyle(document.querySelector('.pane')).backgroundColor"
    light = desk.page.evaluate(ground)
    from_menu(desk.page, "Switch to dark")
    dark = until(desk.page, lambda: desk.page.evaluate(ground), lambda colour: colour != light)
    desk.reload()
    see(desk.page, lambda: desk.page.evaluate(ground), dark)
    from_menu(desk.page, "Switch to light")
    see(desk.page, lambda: desk.page.evaluate(ground), light)


def test_a_page_follows_the_theme_of_its_system(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url, theme="dark")
    expect(desk.page.locator(".theme-line")).to_have_text("Switch to light")


@pytest.mark.parametrize(
    ("name", "pane", "side", "key"),
    [
        ("Width of the left column", "map", "width", "ArrowRight"),
        ("Height of the chat", "chat", "height", "ArrowDown"),
    ],
)
def test_a_splitter_moves_by_keyboard_and_is_remembered(
    analyst: LiveDesk, open_page: OpenPage, name: str, pane: str, side: str, key: str
) -> None:
    desk = open_page(analyst.url)
    splitter = desk.page.get_by_role("separator", name=name)
    measure = f"(pane) => pane.getBoundingClientRect().{side}"
    frame = desk.page.locator(f"section[data-pane={pane}]")
    before = frame.evaluate(measure)
    share = int(splitter.get_attribute("aria-valuenow") or 0)
    for _ in range(5):
        splitter.press(key)
    expect(splitter).to_have_attribute("aria-valuenow", str(share + 10))
    moved = until(desk.page, lambda: frame.evaluate(measure), lambda size: size > before + 20)
    desk.reload()
    expect(splitter).to_have_attribute("aria-valuenow", str(share + 10))
    until(desk.page, lambda: frame.evaluate(measure), lambda size: abs(size - moved) < 2)
    splitter.press("Enter")
    until(desk.page, lambda: frame.evaluate(measure), lambda size: abs(size - before) < 2)


def test_a_pane_fills_the_page_and_gives_it_back(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url)
    desk.see_map(floor="1F")
    desk.page.locator("[data-pane=map] .pane-title").dblclick()
    expect(desk.page.locator("section[data-pane=chat]")).to_be_hidden()
    map_pane = desk.page.locator("section[data-pane=map]")
    until(desk.page, lambda: map_pane.bounding_box(), lambda box: box is not None and box["width"] > 1300)
    desk.page.keyboard.press("Escape")
    expect(desk.page.locator("section[data-pane=chat]")).to_be_visible()


def test_a_phone_shows_the_chat_first_and_dots_what_is_new(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url, size=PHONE)
    expect(desk.page.locator("section[data-pane=chat]")).to_be_visible()
    for pane in ("map", "images", "debug"):
        expect(desk.page.locator(f"section[data-pane={pane}]")).to_be_hidden()
    expect(desk.page.locator(".tabs [role=tab]").first).to_have_attribute("data-pane", "chat")

    desk.ask("Plot the survival rate by class of the Titanic passengers")
    expect(desk.tab("images")).to_have_attribute("data-changed", "")
    expect(desk.tab("map")).not_to_have_attribute("data-changed", re.compile(""))
    desk.tab("images").click()
    expect(desk.tab("images")).not_to_have_attribute("data-changed", re.compile(""))
    expect(desk.images.first).to_be_visible()
    desk.see_image()

    desk.tab("chat").click()
    desk.ask("Kitchenに左矢印を表示して")
    expect(desk.tab("map")).to_have_attribute("data-changed", "")
    desk.tab("map").click()
    desk.see_map(arrows=1)
    expect(desk.page.locator(".map-canvas").first).to_be_visible()
    desk.see_painted("Kitchen", 4)


def test_a_phone_never_scrolls_sideways(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url, size=PHONE)
    desk.ask("Load the Titanic dataset and show me basic statistics")
    for pane in ("chat", "map", "images", "debug"):
        desk.tab(pane).click()
        expect(desk.page.locator(f"section[data-pane={pane}]")).to_be_visible()
        assert desk.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), pane
        frame = desk.page.locator(f"section[data-pane={pane}]").bounding_box()
        assert frame and frame["x"] >= 0 and frame["x"] + frame["width"] <= PHONE[0], pane
    desk.tab("chat").click()
    beyond = """() => [...document.querySelectorAll(".chat *")].filter((node) => {
        const box = node.getBoundingClientRect();
        const scrolls = node.closest("pre, .table-box, .plot-wide, .prose-table, .visually-hidden");
        return box.width > 0 && box.right > innerWidth + 1 && !scrolls;
    }).map((node) => node.className)"""
    assert desk.page.evaluate(beyond) == []


def test_the_words_of_the_search_are_not_cut(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url, size=(900, 768))
    desk.ask("Highlight the kitchen in green")
    field = desk.page.get_by_role("searchbox", name="Search events")
    expect(field).to_be_visible()
    cut = """(field) => {
        const pen = document.createElement("canvas").getContext("2d");
        pen.font = getComputedStyle(field).font;
        return pen.measureText(field.placeholder).width > field.clientWidth;
    }"""
    for width in (900, 1024, 1440):
        desk.page.set_viewport_size({"width": width, "height": 768})
        until(desk.page, lambda: field.evaluate(cut), lambda is_cut: not is_cut)
