"""An `@` in the composer lists tables, columns, rooms, files and agents, and inserts what is chosen by its own name."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.desk_server import LiveDesk

pytestmark = pytest.mark.browser

SALES = "region,units sold,担当\nnorth,3,佐藤\nsouth,5,鈴木\nnorth,4,佐藤\n"


def listed(desk: DeskPage) -> Locator:
    return desk.page.locator(".completions")


def drop_sales(desk: DeskPage) -> None:
    desk.drop("sales.csv", SALES)
    expect(desk.chips.locator("a .chip-size")).to_contain_text("3 ")
    expect(desk.page.locator(".chip[aria-busy]")).to_have_count(0)


def group(desk: DeskPage, title: str) -> Locator:
    return listed(desk).get_by_role("group", name=title)


def test_an_at_lists_all_there_is_in_groups_and_the_question_is_answered(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url)
    drop_sales(desk)
    field = desk.composer
    field.press_sequentially("total @")
    expect(group(desk, "Tables").get_by_role("option").first).to_contain_text("sales")
    expect(group(desk, "Columns").get_by_role("option")).to_have_count(3)
    expect(group(desk, "Rooms").get_by_role("option").first).to_be_visible()
    expect(group(desk, "Files").get_by_role("option")).to_contain_text(["sales.csv"])
    expect(group(desk, "Agents: choose one to answer").get_by_role("option").first).to_contain_text("code")

    field.press_sequentially("uni")
    options = listed(desk).get_by_role("option")
    expect(options).to_have_count(1)
    expect(options.first).to_have_attribute("aria-selected", "true")
    field.press("Enter")
    expect(field).to_have_value("total units sold ")
    field.press_sequentially("by @reg")
    expect(options.first).to_contain_text("region")
    field.press("Tab")
    expect(field).to_have_value("total units sold by region ")
    field.press("Enter")
    desk.closed(desk.turns.first)
    expect(desk.turns.first.locator(".answer")).to_contain_text("7")


def test_in_japanese_a_mention_needs_no_space_and_arrows_choose(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url, locale="ja-JP")
    drop_sales(desk)
    field = desk.composer
    field.press_sequentially("担当は@")
    expect(group(desk, "列").get_by_role("option")).to_have_count(3)
    expect(group(desk, "部屋")).to_be_visible()
    field.press("ArrowDown")
    field.press("ArrowUp")
    field.press("Escape")
    expect(listed(desk)).to_be_hidden()
    field.press_sequentially("担")
    expect(listed(desk)).to_be_hidden()

    field.fill("")
    field.press_sequentially("@担")
    expect(listed(desk).get_by_role("option")).to_have_count(1)
    field.press("Enter")
    expect(field).to_have_value("担当")
    field.press_sequentially("ごとの@uni")
    expect(listed(desk).get_by_role("option")).to_have_count(1)
    field.press("Enter")
    field.press_sequentially("の合計")
    expect(field).to_have_value("担当ごとのunits soldの合計")
    field.press("Escape")
    field.press("Enter")
    desk.closed(desk.turns.first)
    expect(desk.turns.first.locator("table")).to_contain_text("佐藤")


def test_a_room_is_chosen_in_the_middle_of_a_text_with_the_mouse(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url)
    field = desk.composer
    field.fill("Draw a left arrow in  please")
    for _ in " please":
        field.press("ArrowLeft")
    field.press_sequentially("@kit")
    listed(desk).get_by_role("option", name=re.compile("^Kitchen")).click()
    expect(field).to_have_value("Draw a left arrow in Kitchen  please")
    expect(field).to_be_focused()
    field.press("Enter")
    desk.closed(desk.turns.first)
    desk.see_map(floor="1F", arrows=1)


def test_choosing_an_agent_switches_who_answers_and_an_address_opens_no_list(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url)
    field = desk.composer
    field.press_sequentially("hello @demo")
    listed(desk).get_by_role("option", name=re.compile("^demo(?!-)")).click()
    expect(desk.page.locator(".agent-button")).to_contain_text("demo")
    expect(field).to_have_value("hello ")

    field.fill("")
    field.press_sequentially("write to me@example")
    desk.page.wait_for_timeout(400)
    expect(listed(desk)).to_be_hidden()


def test_of_many_columns_some_are_listed_and_the_rest_is_counted(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url)
    names = ",".join(f"c{n}" for n in range(10_000))
    desk.drop("wide.csv", f"{names}\n{','.join(['1'] * 10_000)}\n")
    expect(desk.chips.locator("a .chip-size")).to_contain_text("10,000 columns")
    desk.composer.press_sequentially("@c")
    expect(group(desk, "Columns").get_by_role("option")).to_have_count(8)
    expect(group(desk, "Columns").locator(".completion-more")).to_have_text("292 more: keep typing to narrow")
    desk.composer.press_sequentially("299")
    expect(group(desk, "Columns").get_by_role("option")).to_have_text(["c299wide"])


def test_on_a_phone_the_list_fits_and_a_tap_chooses(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url, size=(390, 844))
    desk.composer.press_sequentially("@Room1")
    option = listed(desk).get_by_role("option").first
    expect(option).to_be_visible()
    box = listed(desk).bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390
    option.click()
    expect(desk.composer).to_have_value("Room1 ")
