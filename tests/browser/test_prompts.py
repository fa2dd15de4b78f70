"""The questions the desk must answer first, typed by a person and read off all four panes."""

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.desk_page import Colour, DeskPage, OpenPage
from tests.support.desk_server import LiveDesk
from tests.support.page_menu import choose_layout
from tests.support.waiting import see, until

pytestmark = pytest.mark.browser

ARROW_BLUE = (47, 98, 217)
RED = (255, 0, 0)


@pytest.fixture
def desk(analyst: LiveDesk, open_page: OpenPage) -> DeskPage:
    return open_page(analyst.url)


def answer(turn: Locator) -> Locator:
    return turn.locator(".answer")


def test_titanic_statistics_fill_all_four_panes(desk: DeskPage) -> None:
    choose_layout(desk.page, "All four")
    turn = desk.ask("Load the Titanic dataset and show me basic statistics")

    head = turn.locator(".step-head")
    expect(head).to_have_text(re.compile(r"Step 1 · Python · \d+ lines · "))
    code = turn.locator(".code-block")
    expect(code).to_be_hidden()
    head.click()
    expect(code).to_contain_text("load_dataset")
    keyword = code.locator(".hl-keyword", has_text="import").first
    expect(keyword).to_be_visible()
    plain = code.locator(".code-text").evaluate("(node) => getComputedStyle(node).color")
    assert keyword.evaluate("(node) => getComputedStyle(node).color") != plain
    ground = code.locator(".code-text").evaluate("(node) => getComputedStyle(node).backgroundColor")
    block = code.evaluate("(node) => getComputedStyle(node).backgroundColor")
    assert any(max(int(part) for part in re.findall(r"\d+", item)[:3]) < 80 for item in (ground, block)), (
        ground
    )

    expect(turn.locator("th", has_text="fare")).to_be_visible()
    expect(turn.locator("tr", has_text="mean")).to_contain_text("29.70")
    expect(answer(turn)).to_contain_text("891")
    expect(answer(turn)).to_contain_text("38.4")
    expect(turn.locator(".status-words")).to_be_empty()

    desk.see_image()
    desk.see_map(floor="1F", arrows=0)
    desk.see_painted("Kitchen", 11)
    expected = {"map_definition", "chat", "run", "Step 1", "model_call", "code", "table", "chart", "text"}
    until(desk.page, desk.event_types, lambda results: expected <= results)


def test_the_debug_pane_shows_an_event_in_full_as_a_tree_and_raw(desk: DeskPage) -> None:
    desk.ask("How many rows does the Titanic dataset have?")
    pane = desk.page.locator("[data-pane=debug]")
    field = pane.get_by_role("searchbox", name="Search events")
    field.fill("output_count")  # in debug messages alone, which are their steps'
    expect(pane.locator(".debug-total")).to_contain_text("1 of ")  # drawn with the next frame
    pane.locator(".debug-row[data-kind=step]").first.click()
    detail = pane.locator(".debug-detail")
    pretty = pane.get_by_role("tablist")
    pretty.get_by_role("tab", name="Tree").click()
    expect(detail).to_contain_text("output_count")
    expect(detail).to_contain_text("agent_response")
    pretty.get_by_role("tab", name="Raw").click()
    expect(detail).to_contain_text('"output_count"')
    pretty.get_by_role("tab", name="Tree").click()
    expect(detail).not_to_contain_text('"output_count"')
    pane.get_by_role("button", name="Close detail").click()
    field.fill("")
    pane.get_by_role("button", name="Clear", exact=True).click()
    expect(pane.locator(".debug-empty")).to_be_visible()


def test_rows_are_counted(desk: DeskPage) -> None:
    expect(answer(desk.ask("How many rows does the Titanic dataset have?"))).to_contain_text("891")
    expect(answer(desk.ask("How many rows are in measurement?"))).to_contain_text(re.compile("6,?720"))


def test_survival_by_class_comes_as_a_plot_that_enlarges(desk: DeskPage) -> None:
    turn = desk.ask("Plot the survival rate by class of the Titanic passengers")
    expect(answer(turn)).to_contain_text(re.compile("63|62.9"))
    desk.see_image()
    choose_layout(desk.page, "All four")
    desk.page.locator(".images-sheet").click()
    dialog = desk.page.get_by_role("dialog")
    expect(dialog.locator("img")).to_be_visible()
    desk.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_age_and_survival_are_correlated(desk: DeskPage) -> None:
    turn = desk.ask("What is the correlation between age and survival?")
    expect(answer(turn)).to_contain_text(re.compile(r"-0\.0\d"))
    expect(turn.locator("table")).to_contain_text("survived")


def test_passengers_are_counted_by_gender(desk: DeskPage) -> None:
    turn = desk.ask("How many passengers by gender?")
    for word in ("577", "314"):
        expect(turn.locator("table")).to_contain_text(word)
    expect(answer(turn)).to_contain_text("Most rows: male (577).")


def test_temperature_is_averaged_per_room(desk: DeskPage) -> None:
    turn = desk.ask("Average temperature per room")
    expect(turn.locator("tbody tr")).to_have_count(5)
    for room in ("Room1", "Room2", "Bathroom", "Kitchen", "Toilet"):
        expect(turn.locator("tbody")).to_contain_text(room)


def test_a_saved_table_is_a_chip_that_downloads_its_rows(desk: DeskPage, tmp_path: Path) -> None:
    desk.ask("Save the Titanic dataset to a CSV file")
    expect(desk.chips).to_have_count(1)
    with desk.page.expect_download() as download:
        desk.chips.locator("a").click()
    file = tmp_path / "saved.csv"
    download.value.save_as(file)
    assert download.value.suggested_filename.endswith(".csv")
    with file.open(newline="", encoding="utf-8-sig") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 891
    assert sum(row["survived"] in ("1", "True") for row in rows) == 342


def test_a_long_table_shows_all_its_rows_and_downloads_them(desk: DeskPage, tmp_path: Path) -> None:
    turn = desk.ask("Show me the measurement dataset")
    table = turn.locator(".table-block")
    button = table.get_by_role("button", name=re.compile("Show all"))
    if button.count():
        button.click()
        table.locator(".table-box").evaluate("(box) => { box.scrollTop = box.scrollHeight; }")
        expect(table.locator("tbody tr").last).to_be_visible()
    with desk.page.expect_download() as download:
        table.locator("a[download]").click()
    download.value.save_as(tmp_path / "table.csv")
    assert "Temperature" in (tmp_path / "table.csv").read_text("utf-8-sig").splitlines()[0]


def test_a_japanese_request_draws_an_arrow_in_the_kitchen(desk: DeskPage) -> None:
    desk.see_map(arrows=0)
    desk.see_painted("Kitchen", 4)
    before = desk.colours("Kitchen")
    turn = desk.ask("Kitchenに左矢印を表示して")
    desk.see_map(floor="1F", arrows=1)
    desk.see_colour("Kitchen", ARROW_BLUE)
    assert ARROW_BLUE not in before
    assert ARROW_BLUE not in desk.colours("Room1")
    expect(turn.locator(".pointer")).to_contain_text("Kitchen")
    expect(desk.page.locator(".map-twin")).to_contain_text("left in Kitchen")


def test_a_japanese_request_paints_room1_red_and_another_clears_the_map(desk: DeskPage) -> None:
    desk.see_map(highlights=0)
    desk.see_painted("Room1", 4)

    def reds() -> set[Colour]:
        return {
            colour for colour in desk.colours("Room1") if colour[0] > 180 and colour[0] - max(colour[1:]) > 40
        }

    assert reds() == set()
    desk.ask("1階のRoom1を赤色でハイライトして")
    desk.see_map(floor="1F", highlights=1)
    until(desk.page, reds, bool)

    desk.ask("マップをクリアして")
    desk.see_map(floor="1F", highlights=0, arrows=0, overlays=0)
    see(desk.page, reds, set[Colour]())


def test_an_up_arrow_comes_with_its_text(desk: DeskPage) -> None:
    desk.ask("Show an up arrow in Room1 with the text 'Exit'")
    desk.see_map(floor="1F", overlays=2)
    expect(desk.page.locator(".map-twin")).to_contain_text("Exit")
    expect(desk.page.locator(".map-twin")).to_contain_text("Room1")


@pytest.mark.parametrize(
    ("question", "word"),
    [
        pytest.param("What is the airspeed of a swallow?", "swallow", marks=pytest.mark.slow),
        ("ツバメの速度は？", "ツバメ"),
    ],
    ids=["english", "japanese"],
)
def test_nonsense_is_declined_naming_the_word_with_three_things_to_try(
    desk: DeskPage, question: str, word: str
) -> None:
    turn = desk.ask(question)
    expect(answer(turn)).to_contain_text(word)
    expect(answer(turn).locator("li")).to_have_count(3)

    suggestion = answer(turn).locator("li").first.inner_text()
    following = desk.ask(suggestion)
    expect(answer(following)).not_to_be_empty()
    expect(answer(following)).not_to_contain_text(word)


def test_a_step_and_what_it_drew_point_at_each_other(desk: DeskPage) -> None:
    desk.ask("1階のRoom1を赤色でハイライトして")
    desk.page.locator("[data-floor='2F'][role=tab]").click()
    desk.see_map(floor="2F")
    desk.turns.first.locator(".pointer").click()
    desk.see_map(floor="1F")
    lit = desk.page.locator(".debug-row[data-lit] .debug-type")
    expect(lit).to_have_text(["tool", "map"])  # what was drawn, and the call that drew it


def test_pointing_at_an_old_question_scrolls_the_chat_and_nothing_else(desk: DeskPage) -> None:
    choose_layout(desk.page, "All four")
    for _ in range(3):
        desk.ask("Average temperature per room")
    expect(desk.turns.first.locator(".question")).not_to_be_in_viewport()
    rows = desk.page.locator("[data-pane=debug]")
    rows.get_by_role("searchbox").fill("user_message")
    expect(rows.locator(".debug-total")).to_contain_text("3 of ")
    rows.locator(".debug-row:visible").first.click()
    expect(desk.turns.first.locator(".question")).to_be_in_viewport()
    for pane in ("map", "images", "chat", "debug"):
        kind = ".chat-title" if pane == "chat" else ".pane-title"
        title = desk.page.locator(f"section[data-pane={pane}] {kind}")
        expect(title).to_be_in_viewport(ratio=1)
    scrolled = "() => [...document.querySelectorAll('.pane')].filter((pane) => pane.scrollTop > 0).length"
    assert desk.page.evaluate(scrolled) == 0
