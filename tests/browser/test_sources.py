"""Data sources in the page, at a real desk over a real PostgreSQL: added, opened, previewed, named by `@`, removed; axe."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from smoldesk.chats import source_files
from smoldesk.tools.databases import AnswerBounds
from tests.browser.accessibility import COLOURS, Axe
from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.desk_server import LiveDesk
from tests.support.postgres import TestPostgres
from tests.support.waiting import until

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def shop(postgres: TestPostgres) -> Iterator[str]:
    """The address of a database with two schemas, and 250 orders in one of them."""
    filling = (
        "CREATE SCHEMA sales; CREATE TABLE sales.orders (id int, unit_price numeric(8, 2), 顧客 text);"
        "INSERT INTO sales.orders SELECT n, n / 4.0, '佐藤 ' || n FROM generate_series(1, 250) n;"
        "CREATE TABLE nobody (id int)"
    )
    with postgres.database(filling) as url:
        yield url


def sheet(page: Page) -> Locator:
    return page.locator("dialog.source-sheet")


def open_sheet(desk: DeskPage) -> Locator:
    desk.composer.fill("/sources")
    desk.composer.press("Enter")
    expect(sheet(desk.page).locator(".source-roots")).to_have_attribute("aria-busy", "false")
    return sheet(desk.page)


def branch(within: Locator, name: str) -> Locator:
    return within.get_by_role("button", name=re.compile(f"^{name}"), expanded=False)


def test_a_database_is_added_opened_previewed_named_and_removed(
    analyst: LiveDesk, open_page: OpenPage, shop: str, axe: Axe, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = open_page(analyst.url)
    page = desk.page
    desk.forgive("400 (Bad Request)")
    page.keyboard.press("Control+k")
    page.get_by_role("button", name="Data sources").click()
    sources = sheet(page)
    expect(sources).to_contain_text("No database yet.")

    sources.get_by_role("button", name="Add a database").click()
    form = page.get_by_role("dialog", name="Add a database")
    expect(form.get_by_label("Name")).to_be_focused()
    form.get_by_role("button", name="Test and add").click()
    expect(form.get_by_role("alert")).to_have_text("Enter a name and an address.")
    form.get_by_label("Name").fill("shop")
    form.get_by_label("Address").fill("sqlite:////etc/passwd")
    form.get_by_label("Password").fill("hunter2")
    form.get_by_role("button", name="Test and add").click()
    expect(form.get_by_role("alert")).to_contain_text("A database of the kind 'sqlite' cannot be added here.")
    assert axe.violations(page) == []
    form.get_by_label("Address").fill(shop)
    form.get_by_role("button", name="Test and add").click()
    expect(sources.get_by_role("status")).to_have_text("shop was added.")
    assert "hunter2" not in page.content()

    sources.get_by_role("button", name="Test shop").click()
    expect(sources.get_by_role("status")).to_have_text("shop responded.")
    branch(sources, "shop").click()
    branch(sources, "sales").click()
    branch(sources, "orders").click()
    expect(sources.locator(".source-leaf")).to_have_text(["idINTEGER", "unit_priceNUMERIC(8, 2)", "顧客TEXT"])
    assert axe.violations(page) == []
    page.emulate_media(color_scheme="dark")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert axe.violations(page, COLOURS) == []

    sources.get_by_role("button", name="Preview orders").click()
    grid = page.get_by_role("grid", name="orders")
    cells = grid.locator('[role="gridcell"][aria-colindex="1"]')
    expect(cells.first).to_have_text("1")
    counted = page.locator(".grid-dialog .grid-count")
    expect(counted).to_have_text("more than 100 rows")
    grid.get_by_role("button", name="id", exact=True).click()
    grid.get_by_role("button", name="id", exact=True).click()
    expect(cells.first).to_have_text("250")
    assert axe.violations(page) == []
    grid.focus()

    def further() -> str:
        page.keyboard.press("Control+End")
        return counted.inner_text()

    until(page, further, lambda text: text == "250 rows")
    page.keyboard.press("Control+End")
    expect(cells.last).to_have_text("1")

    page.get_by_role("searchbox", name="Search in all columns").fill("佐藤 24")
    expect(counted).to_have_text("17 rows")
    grid.focus()
    page.keyboard.press("Control+Home")
    page.keyboard.press("Alt+ArrowDown")  # the menu of the column that has the focus
    column = page.get_by_role("dialog", name="id")
    column.get_by_label("Condition").select_option("lt")
    column.get_by_label("Value").fill("97")
    column.get_by_label("Value").press("Enter")
    expect(counted).to_have_text("2 rows")
    expect(cells).to_have_text(["96", "24"])
    expect(grid.get_by_role("columnheader").nth(1)).to_contain_text("NUMERIC(8, 2)")
    assert axe.violations(page) == []
    for form in ("CSV", "Excel", "Parquet"):
        with page.expect_download() as download:
            page.get_by_role("button", name="Download", exact=True).click()
            page.get_by_role("menuitem", name=form, exact=True).click()
        assert download.value.suggested_filename.startswith("orders.")
        if form == "CSV":
            lines = download.value.path().read_text().splitlines()
            assert lines == [
                "id,unit_price,顧客",
                "96,24,佐藤 96",
                "24,6,佐藤 24",
            ]
    expect(counted).to_have_text("orders.parquet: 2 rows")
    monkeypatch.setattr(source_files, "BOUNDS", AnswerBounds(rows=100))
    page.get_by_role("button", name="Reset").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download", exact=True).click()
        page.get_by_role("menuitem", name="CSV", exact=True).click()
    assert download.value.suggested_filename == "orders (first 100 rows).csv"
    expect(counted).to_contain_text("is incomplete. A file holds at most")
    page.keyboard.press("Escape")
    expect(grid).to_have_count(0)
    expect(sources.get_by_role("button", name="Preview orders")).to_be_focused()
    sources.get_by_role("button", name="Done").click()

    field = desk.composer
    field.fill("")
    field.press_sequentially("sum of @unit_p")
    options = page.locator(".completions").get_by_role("option")
    expect(options).to_have_text(["unit_priceshop: sales.orders"])
    field.press("Enter")
    field.press_sequentially("from @sales.or")
    expect(options.first).to_contain_text("sales.orders")
    field.press("Enter")
    expect(field).to_have_value(re.compile("^sum of .?unit_price.? from .?sales.orders.? in shop $"))

    field.fill("")
    sources = open_sheet(desk)
    sources.get_by_role("button", name="Remove shop").click()
    page.get_by_role("dialog", name="Remove shop?").get_by_role("button", name="Remove", exact=True).click()
    expect(sources).to_contain_text("No database yet.")


def test_in_japanese_a_source_that_went_away_is_said_in_place(
    analyst: LiveDesk, open_page: OpenPage, shop: str, postgres: TestPostgres
) -> None:
    desk = open_page(analyst.url, locale="ja-JP", size=(390, 844))
    desk.forgive("503 (Service Unavailable)")
    sources = open_sheet(desk)
    sources.get_by_role("button", name="データベースを追加").click()
    form = desk.page.get_by_role("dialog", name="データベースを追加")
    form.get_by_label("名前").fill("店")
    form.get_by_label("アドレス").fill(shop)
    form.get_by_role("button", name="接続を確認して追加").click()
    expect(sources.get_by_role("status")).to_have_text("店を追加しました。")
    with postgres.asking_for_passwords():
        branch(sources, "店").click()
        expect(sources.get_by_role("alert").first).to_contain_text("wrong user or password")
    sources.get_by_role("button", name=re.compile("^店"), expanded=True).click()
    branch(sources, "店").click()
    expect(branch(sources, "sales")).to_be_visible()
    box = sources.bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390
