"""The language of the page outlives a reload, and everything fits the width there is."""

import pytest
from playwright.sync_api import expect

from tests.browser.desk_page import OpenPage
from tests.support.desk_server import LiveDesk
from tests.support.waiting import see

pytestmark = pytest.mark.browser

PHONE = (390, 844)


def test_the_language_survives_a_reload_and_turns_what_was_said_before(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url)
    turn = desk.ask("Draw a left arrow in the Kitchen")
    desk.page.get_by_role("button", name="日本語で表示").click()
    expect(desk.page.locator("html")).to_have_attribute("lang", "ja")
    expect(desk.page.locator("[data-pane=debug] .pane-title")).to_have_text("デバッグ")
    expect(turn.locator(".pointer")).to_have_text("Kitchenの矢印：左")
    expect(desk.page.locator("[data-floor='1F'][role=tab]")).to_have_text("1階")

    desk.reload()
    expect(desk.page.locator("html")).to_have_attribute("lang", "ja")
    expect(desk.page.locator(".connection")).to_have_text("接続済み")
    expect(turn.locator(".pointer")).to_have_text("Kitchenの矢印：左")
    expect(desk.page.locator("body")).not_to_contain_text("Clear map")


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
    desk = open_page(analyst.url)
    desk.ask("Highlight the kitchen in green")
    field = desk.page.get_by_role("searchbox", name="Search events")
    cut = """(field) => {
        const pen = document.createElement("canvas").getContext("2d");
        pen.font = getComputedStyle(field).font;
        return pen.measureText(field.placeholder).width > field.clientWidth;
    }"""
    for width in (900, 1024, 1440):
        desk.page.set_viewport_size({"width": width, "height": 768})
        see(desk.page, lambda: desk.page.evaluate("innerWidth"), width)
        expect(field).to_be_visible()
        assert not field.evaluate(cut), width
