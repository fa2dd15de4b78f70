"""A whole table in its grid, at a real desk: sorted, filtered, searched, scrolled, copied, downloaded; keys; axe."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pandas as pd
import pytest
from playwright.sync_api import Download, Locator, Page, Route, expect
from smolagents.models import ChatMessage

from tests import axe_support
from tests.browser.accessibility import Axe
from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import ScriptedModel, code, text_of
from tests.support.waiting import until

pytestmark = pytest.mark.browser

ROWS = 400_000
"""So many that a scrollbar cannot stand for each of them."""
MADE = f"""
import numpy as np, pandas as pd
at = np.arange({ROWS})
sales = pd.DataFrame({{
    "id": at,
    "shop": np.array(["Tokyo | 東京", "Paris", "Lima"])[at % 3],
    "amount": (at * 7919) % 1000 / 10,
    "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(at % 366, unit="D"),
    "note": np.where(at % 4 == 0, None, "seen"),
}})
sales
"""


READ = "t = table_selection\nfinal_answer(f'{t.shape} {t.id.tolist()[:6]} {t.amount.mean():.2f}')"


def made_or_read(messages: list[ChatMessage]) -> str:
    """Code that shows the table; of selected rows, once the model is told of them, what they are."""
    return code(READ if "table_selection" in text_of(messages[-1:]) else MADE)


@pytest.fixture(scope="module")
def desk_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("grid")
    with live_desk(folder, lambda: ScriptedModel([made_or_read, code("final_answer('ok')")])) as live:
        yield live.url


class Grid:
    """The open grid of a page, as a person and a screen reader have it."""

    def __init__(self, desk: DeskPage) -> None:
        self.desk = desk
        self.page: Page = desk.page
        self.dom = desk.page.locator(".grid-dialog")
        self.grid = desk.page.get_by_role("grid")
        self.count = self.dom.locator(".grid-count")

    def column(self, name: str) -> list[str]:
        """The cells of a column in sight, from the top."""
        place = (
            self.grid.get_by_role("columnheader").filter(has_text=name).first.get_attribute("aria-colindex")
        )
        cells = self.grid.locator(f'[role="gridcell"][aria-colindex="{place}"]')
        return cells.all_inner_texts()

    def top(self, name: str) -> str:
        """The first cell of a column in sight."""
        cells = self.column(name)
        return cells[0] if cells else ""

    def sort(self, name: str, *, more: bool = False) -> None:
        head = self.grid.get_by_role("columnheader").filter(has_text=name).first
        head.locator(".grid-sort").click(modifiers=["Shift"] if more else [])

    def menu(self, name: str) -> Locator:
        """The sheet of a column."""
        head = self.grid.get_by_role("columnheader").filter(has_text=name).first
        head.locator(".grid-more").click()
        return self.page.get_by_role("dialog", name=name, exact=True)

    def download(self, item: str) -> None:
        """Choose an item of the menu "Download"."""
        self.dom.get_by_role("button", name=re.compile("^(Download|ダウンロード)$")).click()
        self.dom.get_by_role("menuitem", name=item).click()

    def has(self, text: str | re.Pattern[str]) -> None:
        expect(self.count).to_have_text(text)


@pytest.fixture(scope="module")
def chat(desk_url: str) -> str:
    """A chat that shows the table, for tests that ask nothing: to make the table takes two seconds of a processor."""
    with httpx.Client(base_url=desk_url) as http:
        chat = str(http.post("/api/chats").json()["id"])
        http.post(f"/api/chats/{chat}/runs", json={"message": "show"}).raise_for_status()
    return chat


def opened(desk: DeskPage, chat: str = "") -> Grid:
    """The grid of the chat's table, or of a new one; its first rows and its columns' facts are there."""
    if chat:
        desk.page.goto(f"{desk.url}#chat={chat}")
        turn = desk.turns.last
        desk.closed(turn)
    else:
        turn = desk.ask("show")
    turn.get_by_role("button", name=re.compile("Open the full table|表全体を開く")).click()
    grid = Grid(desk)
    until(grid.page, lambda: grid.top("id"), lambda top: top == "0")
    expect(grid.grid.locator(".grid-histogram").first).to_be_visible()
    return grid


@pytest.fixture
def grid(desk_url: str, chat: str, open_page: OpenPage) -> Grid:
    return opened(open_page(desk_url), chat)


def saved(download: Download, folder: Path) -> str:
    path = folder / download.suggested_filename
    download.save_as(path)
    return path.read_text()


def test_a_head_sorts_up_down_and_not_at_all_and_with_shift_by_several(grid: Grid) -> None:
    grid.has("400,000 rows")
    grid.sort("amount")
    until(grid.page, lambda: grid.top("amount"), lambda top: top == "0.0")
    grid.sort("amount")
    until(grid.page, lambda: grid.top("amount"), lambda top: top == "99.9")
    head = grid.grid.get_by_role("columnheader").filter(has_text="amount")
    expect(head).to_have_attribute("aria-sort", "descending")
    grid.sort("shop", more=True)
    until(grid.page, lambda: (grid.top("amount"), grid.top("shop")), lambda top: top == ("99.9", "Lima"))
    grid.sort("amount", more=True)
    expect(head).to_have_attribute("aria-sort", "none")
    grid.dom.get_by_role("button", name="Reset").click()
    until(grid.page, lambda: grid.top("id"), lambda top: top == "0")


def test_a_filter_and_words_narrow_the_rows_and_go_again(grid: Grid) -> None:
    sheet = grid.menu("amount")
    expect(sheet).to_contain_text("0 – 99.9")
    sheet.get_by_label("Condition").select_option("at least")
    sheet.get_by_label("Value").fill("99.9")
    sheet.get_by_role("button", name="Apply").click()
    grid.has("400 of 400,000 rows")
    sheet = grid.menu("shop")
    sheet.get_by_label(re.compile("^Paris")).check()
    sheet.get_by_role("button", name="Apply").click()
    grid.has("133 of 400,000 rows")
    assert set(grid.column("shop")) == {"Paris"}
    grid.dom.get_by_role("searchbox").fill("seen")
    grid.has(re.compile(r"^\d+ of 400,000 rows$"))
    until(grid.page, lambda: set(grid.column("note")), lambda notes: notes == {"seen"})
    grid.dom.get_by_role("button", name="Reset").click()
    grid.has("400,000 rows")
    sheet = grid.menu("amount")
    grid.desk.forgive("400 (Bad Request)")
    sheet.get_by_label("Value").fill("many")
    sheet.get_by_role("button", name="Apply").click()
    expect(grid.dom.get_by_role("alert")).to_contain_text("is not a number")


def test_any_row_is_reached_by_the_bar_by_the_wheel_and_by_keys(grid: Grid) -> None:
    box = grid.grid
    box.evaluate("(box) => { box.scrollTop = box.scrollHeight / 2 }")
    until(grid.page, lambda: int(grid.top("id").replace(",", "") or 0), lambda top: 190_000 < top < 210_000)
    before = int(grid.top("id").replace(",", ""))
    box.hover()
    grid.page.mouse.wheel(0, 280)
    until(
        grid.page, lambda: int(grid.top("id").replace(",", "") or 0) - before, lambda moved: 9 <= moved <= 11
    )
    box.focus()
    grid.page.keyboard.press("Control+End")
    until(grid.page, lambda: grid.column("id")[-1:], lambda last: last == ["399,999"])
    here = grid.page.locator(f"#{box.get_attribute('aria-activedescendant')}")
    expect(here).to_have_attribute("aria-colindex", "5")
    for key in ("Home", "PageUp", "ArrowUp"):
        grid.page.keyboard.press(key)
    grid.page.keyboard.press("Control+Home")
    until(grid.page, lambda: grid.top("id"), lambda top: top == "0")
    grid.page.keyboard.press("ArrowUp")
    grid.page.keyboard.press("ArrowRight")
    grid.page.keyboard.press("Enter")
    expect(grid.grid.get_by_role("columnheader").filter(has_text="shop")).to_have_attribute(
        "aria-sort", "ascending"
    )


def test_marked_cells_and_all_rows_are_copied(desk_url: str, chat: str, open_page: OpenPage) -> None:
    desk = open_page(desk_url)
    desk.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    grid = opened(desk, chat)

    def clipboard() -> str:
        return str(grid.page.evaluate("navigator.clipboard.readText()"))

    grid.grid.focus()
    for key in ("ArrowRight", "Shift+ArrowRight", "Shift+ArrowDown", "Control+c"):
        grid.page.keyboard.press(key)
    until(grid.page, clipboard, lambda text: text == "Tokyo | 東京\t0\nParis\t91.9")
    grid.dom.get_by_role("button", name="Copy", exact=True).click()
    expect(grid.dom.get_by_role("alert")).to_contain_text("too many to copy")
    grid.dom.get_by_role("searchbox").fill("399999")
    grid.has("1 of 400,000 rows")
    grid.dom.get_by_role("button", name="Copy", exact=True).click()
    until(
        grid.page,
        clipboard,
        lambda text: text.startswith("id\tshop\tamount\tday\tnote\n399999\tTokyo | 東京\t"),
    )
    grid.download("Copy as Markdown")
    until(grid.page, clipboard, lambda text: text.startswith("| id | shop |") and "Tokyo \\| 東京" in text)


def test_marked_cells_are_asked_about_with_a_chip_and_a_variable(
    desk_url: str, open_page: OpenPage, axe: Axe
) -> None:
    desk = open_page(desk_url)
    grid = opened(desk)
    page = grid.page
    grid.grid.focus()
    page.keyboard.press("Control+a")
    page.keyboard.press("Control+Enter")
    expect(grid.dom.get_by_role("alert")).to_contain_text("400,000 rows are too many to ask about")
    grid.sort("amount")
    until(page, lambda: grid.top("amount"), lambda top: top == "0.0")
    grid.grid.focus()
    for key in (
        "Control+Home",
        "ArrowRight",
        "Shift+ArrowDown",
        "Shift+ArrowDown",
        "Shift+ArrowRight",
        "Control+Enter",
    ):
        page.keyboard.press(key)
    chip = page.locator(".chart-chip")
    expect(chip).to_have_text("sales3 rows × 2 columns")
    expect(page.locator("form textarea")).to_be_focused()
    assert axe.violations(page) == []
    chip.get_by_role("button").click()
    expect(chip).to_have_count(0)
    grid.dom.get_by_role("button", name="Reset").click()
    grid.has(re.compile("^400,000 rows$"))
    grid.grid.focus()
    for key in ("Control+End", "Shift+ArrowUp", "Shift+Home"):
        page.keyboard.press(key)
    grid.dom.get_by_role("button", name="Ask about selected rows (2)").click()
    expect(chip).to_have_text("sales2 rows × 5 columns")
    turn = desk.ask("what is it?")
    expect(turn).to_contain_text("(2, 5) [399998, 399999]")
    expect(chip).to_have_count(0)


def test_questions_are_about_filtered_rows_or_those_selected_by_hand_never_the_resting_cursor(
    desk_url: str, open_page: OpenPage, axe: Axe
) -> None:
    desk = open_page(desk_url)
    grid = opened(desk)
    page, chip = grid.page, desk.page.locator(".chart-chip")
    grid.grid.focus()
    page.keyboard.press("ArrowDown")
    ask = grid.dom.locator(".grid-ask")
    expect(ask).to_have_text("Ask about all rows (400,000)")
    grid.dom.get_by_role("searchbox").fill("2024-02-29")
    grid.has("1,093 of 400,000 rows")
    expect(ask).to_have_text("Ask about filtered rows (1,093)")
    ask.click()
    expect(chip).to_have_text("sales1,093 rows × 5 columns")
    turn = desk.ask("what is the average of these?")
    expect(turn).to_contain_text(f"(1093, 5) {list(range(59, 59 + 6 * 366, 366))} 49.95")

    grid.dom.get_by_role("button", name="Reset").click()
    until(page, lambda: grid.top("id"), lambda top: top == "0")
    grid.grid.focus()
    page.keyboard.press("Control+Home")
    for key in ("Space", "ArrowDown", "ArrowDown", "Space"):
        page.keyboard.press(key)
    expect(grid.count).to_contain_text("2 selected")
    boxes = grid.grid.get_by_role("checkbox", name=re.compile("^Select row"))
    boxes.nth(5).click(modifiers=["Shift"])
    expect(ask).to_have_text("Ask about selected rows (5)")
    grid.dom.get_by_label("Totals").select_option("Sum")
    expect(grid.grid.locator(".grid-foot")).to_contain_text("14")
    boxes.nth(5).click()
    expect(grid.count).to_contain_text("4 selected")
    foot = grid.grid.locator(".grid-foot")
    expect(foot).to_contain_text("227.1")
    # a finger that begins to scroll
    boxes.nth(7).dispatch_event("pointerdown", {"button": 0, "bubbles": True})
    expect(grid.count).to_contain_text("4 selected")
    desk.forgive("/groups")
    page.route("**/groups*", lambda route: route.abort())
    boxes.nth(7).click()
    expect(foot).not_to_contain_text("227.1")
    expect(grid.dom.get_by_role("alert")).to_be_visible()
    page.unroute("**/groups*")
    boxes.nth(7).click()
    expect(foot).to_contain_text("227.1")
    assert axe.violations(page) == []
    grid.grid.focus()
    page.keyboard.press("Control+Enter")
    expect(chip).to_have_text("sales4 rows × 5 columns")
    turn = desk.ask("and these?")
    expect(turn).to_contain_text("(4, 5) [0, 2, 3, 4]")
    expect(turn).to_contain_text("About 4 selected rows of sales")


def test_the_built_in_analyst_answers_from_the_filtered_rows_alone(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url)
    shops = ["North", "South", "East", "West"]
    desk.drop("sales.csv", "shop,amount\n" + "".join(f"{shops[at % 4]},{at}\n" for at in range(24)))
    expect(desk.chips.locator("a .chip-size")).to_contain_text("24 rows")
    turn = desk.ask("total amount by shop")
    turn.get_by_role("button", name="Open the full table").click()
    grid = Grid(desk)
    grid.has("4 rows")
    grid.dom.get_by_role("searchbox").fill("th")
    grid.has("2 of 4 rows")
    grid.dom.get_by_role("button", name="Ask about filtered rows (2)").click()
    answer = desk.ask("average total amount").locator(".answer")
    expect(answer).to_contain_text(
        "Average total amount: 63"
    )  # North 60, South 66; East and West are not asked about
    expect(desk.ask("average amount").locator(".answer")).to_contain_text("11.5")


def test_rows_are_grouped_pivoted_and_totalled_by_keyboard_and_a_group_opens_its_rows(
    desk_url: str, chat: str, open_page: OpenPage, axe: Axe
) -> None:
    grid = opened(open_page(desk_url), chat)
    page = grid.page

    def group(**choices: str) -> None:
        grid.dom.get_by_role("button", name="Group", exact=True).focus()
        page.keyboard.press("Enter")
        sheet = page.get_by_role("dialog", name="Group", exact=True)
        expect(sheet.get_by_label("Group by", exact=True)).to_be_focused()
        for label, choice in choices.items():
            sheet.get_by_label(label.replace("_", " "), exact=True).select_option(choice)
        page.keyboard.press("Tab")
        sheet.get_by_role("button", name="Apply").press("Enter")

    def cells(row: int) -> list[str]:
        return grid.grid.locator(".grid-row").nth(row).get_by_role("gridcell").all_inner_texts()

    group(Group_by="shop", Values_2="Average")
    grid.has("Groups: 3 · 400,000 rows")
    assert [cells(row)[0] for row in range(3)] == ["Lima", "Paris", "Tokyo | 東京"]
    assert cells(0)[1] == "133,333"
    expect(grid.grid.locator(".grid-foot")).to_contain_text("400,000")
    assert axe.violations(page) == []
    grid.grid.focus()
    for key in ("Control+Home", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    grid.has("133,333 of 400,000 rows")
    assert set(grid.column("shop")) == {"Paris"}
    group(Columns_for_each_value_of="note", Group_by="day")
    grid.has(re.compile(r"^Groups: 122 · 133,333 of 400,000 rows"))
    heads = [head.split("\n")[0] for head in grid.grid.get_by_role("columnheader").all_inner_texts()]
    assert heads[:2] == ["day", "seen · Number of rows"]
    grid.dom.get_by_role("button", name="Reset").click()
    group(Columns_for_each_value_of="None", Group_by="id", Values_2="None")
    grid.has("1,000 of 400,000 groups (399,000 left out: sort or filter to see them) · 400,000 rows")
    grid.sort("id")
    grid.sort("id")
    until(page, lambda: cells(0), lambda first: first[0] == "399,999")
    grid.dom.get_by_role("button", name="Show rows").click()
    grid.has("400,000 rows")
    expect(grid.grid).to_be_focused()

    until(page, lambda: grid.top("id"), lambda top: top == "0")
    # what is searched while the groups load counts for them
    held: list[Route] = []
    page.route("**/groups*", lambda route: route.continue_() if held else held.append(route))
    group(Group_by="shop")
    until(page, lambda: len(held), lambda count: count == 1)
    grid.dom.get_by_role("searchbox").fill("Paris")
    grid.has(re.compile("^Groups: 1 · 133,333 of 400,000 rows"))
    page.unroute("**/groups*")


def test_a_column_is_formatted_and_keeps_its_format(grid: Grid) -> None:
    sheet = grid.menu("amount")
    sheet.get_by_label("Decimals").select_option("2")
    sheet.get_by_label("Percent").check()
    sheet.get_by_role("button", name="Apply").click()
    until(grid.page, lambda: grid.column("amount")[:2], lambda cells: cells == ["0.00%", "9,190.00%"])
    sheet = grid.menu("day")
    sheet.get_by_label("Date style").select_option("Long")
    sheet.get_by_role("button", name="Apply").click()
    until(grid.page, lambda: grid.top("day"), lambda top: top == "1 January 2024")
    sheet = grid.menu("id")
    sheet.get_by_label("Thousands separators").uncheck()
    sheet.get_by_role("button", name="Apply").click()
    grid.page.locator(".place-tabs > .icon-button").click()
    expect(grid.grid).to_have_count(0)
    grid.page.get_by_role("button", name="Open the full table").click()
    until(grid.page, lambda: grid.column("amount")[:1], lambda cells: cells == ["0.00%"])
    grid.grid.focus()
    grid.page.keyboard.press("Control+End")
    until(grid.page, lambda: grid.column("id")[-1:], lambda last: last == ["399999"])


def test_columns_hide_and_move_and_what_is_seen_downloads(grid: Grid, tmp_path: Path) -> None:
    sheet = grid.menu("note")
    sheet.get_by_role("button", name="Hide").click()
    sheet = grid.menu("shop")
    sheet.get_by_role("button", name="Move left").click()
    names = [head.split("\n")[0] for head in grid.grid.get_by_role("columnheader").all_inner_texts()]
    assert names == ["shop", "id", "amount", "day"]
    grid.dom.get_by_role("searchbox").fill("399998")
    grid.has("1 of 400,000 rows")
    with grid.page.expect_download() as download:
        grid.download("CSV")
    assert download.value.suggested_filename == "sales.csv"
    lines = saved(download.value, tmp_path).splitlines()
    assert lines[0] == "shop,id,amount,day"
    assert lines[1].startswith("Lima,399998,") and len(lines) == 2
    grid.dom.get_by_role("button", name="Columns").click()
    chooser = grid.page.get_by_role("dialog", name="Columns")
    chooser.get_by_label("note").check()
    chooser.get_by_role("button", name="Apply").click()
    expect(grid.grid.get_by_role("columnheader")).to_have_count(5)


def test_in_the_dark_and_in_japanese_rows_are_sorted_filtered_searched_copied_and_downloaded(
    desk_url: str, chat: str, open_page: OpenPage, tmp_path: Path
) -> None:
    desk = open_page(desk_url, theme="dark", locale="ja-JP")
    desk.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    grid = opened(desk, chat)
    grid.sort("amount")
    grid.sort("amount")
    until(grid.page, lambda: grid.top("amount"), lambda top: top == "99.9")
    sheet = grid.menu("shop")
    sheet.get_by_label(re.compile("^Paris")).check()
    sheet.get_by_role("button", name="適用").click()
    grid.has("400,000行中133,333行")
    grid.dom.get_by_role("searchbox").fill("399997")
    grid.has("400,000行中1行")

    def clipboard() -> str:
        return str(grid.page.evaluate("navigator.clipboard.readText()"))

    grid.dom.get_by_role("button", name="コピー", exact=True).click()
    until(grid.page, clipboard, lambda text: text.startswith("id\tshop\t") and "399997\tParis" in text)
    grid.download("Markdown形式でコピー")
    until(grid.page, clipboard, lambda text: text.startswith("| id | shop |") and "| 399997 |" in text)
    readers = {"CSV": pd.read_csv, "Excel": pd.read_excel, "Parquet": pd.read_parquet}
    for form, read_file in readers.items():
        with grid.page.expect_download() as download:
            grid.download(form)
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        rows: pd.DataFrame = read_file(path)
        assert (path.stem, rows["id"].tolist(), rows["shop"].tolist()) == ("sales", [399_997], ["Paris"])


@pytest.mark.parametrize(
    ("theme", "locale", "size"),
    [pytest.param("dark", "ja-JP", (1440, 900), marks=pytest.mark.slow), ("light", "en-GB", (390, 844))],
)
def test_it_is_for_everyone(
    desk_url: str, chat: str, open_page: OpenPage, theme: str, locale: str, size: tuple[int, int]
) -> None:
    script = axe_support.find()
    if script is None:
        pytest.skip(axe_support.reason())
    grid = opened(open_page(desk_url, theme=theme, locale=locale, size=size), chat)
    axe = Axe(script)
    assert axe.violations(grid.page) == []
    for open_sheet in (
        lambda: grid.menu("shop"),
        lambda: grid.menu("id"),
        lambda: grid.dom.get_by_role("button", name=re.compile("^(Group|グループ化)$")).click(),
    ):
        open_sheet()
        assert axe.violations(grid.page) == []
        grid.page.keyboard.press("Escape")
        expect(grid.page.locator(".sheet")).to_have_count(0)
    if size[0] < 900:  # a window of its own; on wide screens the grid stands in the place of the plan
        grid.page.keyboard.press("Escape")
        expect(grid.grid).to_have_count(0)
