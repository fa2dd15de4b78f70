"""The report of a chat in the page: pinned where things are shown, put in order, captioned, saved, shared between tabs."""

import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessibility import Axe
from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.aio import run_async
from tests.support.desk_server import LiveDesk
from tests.support.page_menu import choose_layout
from tests.support.waiting import see

pytestmark = pytest.mark.browser

ATTACK = "<b>Sales</b> <img src=x onerror=alert(1)>"
CODE = """\
import matplotlib.pyplot as plt
titanic = load_dataset("titanic")
by_class = titanic.groupby("class", as_index=False)["fare"].mean().round(1)
display(by_class)
bars = {"mark": "bar", "encoding": {"x": {"field": "class"}, "y": {"field": "fare", "type": "quantitative"}}}
display(chart(by_class, bars))
fig, ax = plt.subplots(figsize=(5, 3))
ax.hist(titanic["age"].dropna(), bins=16)
print(show_map("1F", highlight_rooms=["Kitchen"]))
print(draw_arrow("Room1", "right"))
"""


def pinned_page(analyst: LiveDesk, open_page: OpenPage, **how: Any) -> DeskPage:
    """A chat with one of everything that can be pinned."""
    desk = open_page(analyst.url, **how)
    run_async(analyst.desk.runs.run_code(desk.chat_id(), CODE))
    desk.closed(desk.turns.nth(0))
    if "size" not in how:
        choose_layout(desk.page, "All four")
    desk.ask("How many passengers survived?")
    return desk


def said(page: Page) -> Locator:
    return page.locator(".report-said")


def kinds(page: Page) -> Locator:
    return page.locator(".report-part .report-kind")


def test_all_that_is_shown_is_pinned_put_in_order_and_captioned(
    analyst: LiveDesk, open_page: OpenPage, axe: Axe
) -> None:
    desk = pinned_page(analyst, open_page)
    page = desk.page
    desk.composer.fill("/report")
    desk.composer.press("Enter")
    sheet = page.get_by_role("dialog", name="Report")
    expect(sheet.locator(".report-empty")).to_be_visible()
    expect(sheet.get_by_role("button", name="Save")).to_be_disabled()
    page.keyboard.press("Escape")

    answered = desk.turns.nth(1)
    answered.hover()
    answered.get_by_role("button", name="Pin the answer to the report").click()
    expect(said(page)).to_contain_text("Pinned to the report.")
    # by keyboard from here to the open report
    for place in (".table-block", ".chart-block", ".images-card"):
        button = page.locator(place).first.get_by_role("button", name="Pin to report")
        button.press("Enter")
        expect(said(page)).to_contain_text("Pinned to the report.")
        button.press("Enter")
        expect(said(page)).to_contain_text("already in the report")
    for _ in range(3):
        page.locator(".map-stage").press("+")
    page.get_by_role("button", name="Save the map").press("Enter")
    page.get_by_role("menuitem", name="Pin to report").press("Enter")
    expect(said(page)).to_contain_text("Pinned to the report.")
    page.get_by_role("button", name="Open report").press("Enter")
    expect(kinds(page)).to_have_text(["Answer", "Table", "Chart", "Image", "Map"])
    pictures = sheet.locator(".report-picture")
    expect(pictures).to_have_count(3)
    page.wait_for_function(
        "[...document.querySelectorAll('.report-picture')].every((one) => one.naturalWidth > 0)"
    )
    assert axe.violations(page) == []
    drawn = pictures.nth(2).evaluate("(one) => atob(one.src.split(',')[1])")
    assert 'viewBox="' in drawn and 'viewBox="0 0 860 364"' not in drawn

    sheet.get_by_role("textbox", name="Title of the report").fill(f"Fares {ATTACK}")
    sheet.get_by_role("button", name="Add text").click()
    text = sheet.get_by_role("textbox", name="Text", exact=True)
    expect(text).to_be_focused()
    text.fill(f"**Read** {ATTACK}")
    expect(sheet.get_by_role("status")).to_have_text("Changes saved.")
    written = httpx.get(f"{analyst.url}/api/chats/{desk.chat_id()}/report/export").text
    assert "<strong>Read</strong>" in written and "<h1>Fares &lt;b&gt;" in written
    sheet.get_by_role("button", name="Remove: Text").click()

    up = sheet.get_by_role("button", name="Move up: Table")
    up.press("Enter")
    expect(sheet.get_by_role("button", name="Move down: Table")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(kinds(page)).to_have_text(["Answer", "Chart", "Table", "Image", "Map"])
    sheet.get_by_role("textbox", name="Caption: Chart").fill(ATTACK)
    expect(sheet.get_by_role("status")).to_have_text("Changes saved.")

    other = page.context.new_page()
    second = DeskPage(other, page.url)
    second.open()
    second.composer.fill("/report")
    second.composer.press("Enter")
    expect(kinds(other)).to_have_text(["Answer", "Chart", "Table", "Image", "Map"])
    expect(other.get_by_role("textbox", name="Caption: Chart")).to_have_value(ATTACK)
    other.get_by_role("button", name="Remove: Image").click()
    expect(other.get_by_role("dialog").get_by_role("status")).to_have_text("Changes saved.")
    sheet.get_by_role("button", name="Move up: Map").click()
    expect(sheet.get_by_role("alert")).to_contain_text("changed elsewhere")
    expect(kinds(page)).to_have_text(["Answer", "Chart", "Table", "Map"])
    desk.forgive("409")

    with page.expect_download() as download:
        sheet.get_by_role("button", name="Save").press("Enter")
    assert download.value.suggested_filename.startswith(
        "Fares"
    ) and download.value.suggested_filename.endswith(".html")
    html = download.value.path().read_text("utf-8")
    assert "&lt;b&gt;Sales&lt;/b&gt;" in html
    assert "<img src=x" not in html


def test_parts_are_dragged_on_a_phone_in_japanese(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = pinned_page(analyst, open_page, size=(390, 844), locale="ja-JP")
    page = desk.page
    for place in (".chart-block", ".table-block"):
        page.locator(place).first.get_by_role("button", name="レポートにピン留め").click()
        expect(said(page)).to_contain_text("レポートにピン留めしました")
    url = f"{analyst.url}/api/chats/{desk.chat_id()}/report"
    see(page, lambda: len(httpx.get(url).json()["pins"]), 2)
    report = httpx.get(url).json()
    full = [*report["pins"], *({"kind": "map", "seq": 1, "view": [0, 0, 9, n]} for n in range(1, 99))]
    pins = [{name: pin[name] for name in ("kind", "seq", "view") if name in pin} for pin in full]
    httpx.put(url, json={"version": report["version"], "pins": pins}).raise_for_status()
    page.locator(".tab[data-pane=images]").first.click()
    page.locator(".images-card").first.get_by_role("button", name="レポートにピン留め").click()
    expect(said(page)).to_contain_text("100件まで")
    httpx.put(url, json={"version": report["version"] + 1, "pins": pins[:2]}).raise_for_status()
    page.locator(".tab[data-pane=chat]").first.click()
    desk.composer.fill("/report")
    desk.composer.press("Enter")
    expect(kinds(page)).to_have_text(["グラフ", "表"])
    grip = page.locator(".report-grip").nth(1)
    grip.hover()
    page.mouse.down()
    box = page.locator(".report-part").nth(0).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 10, steps=4)
    page.mouse.up()
    expect(kinds(page)).to_have_text(["表", "グラフ"])
    expect(page.locator("dialog").get_by_role("status")).to_have_text(re.compile("変更を保存"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

    desk.forgive("404")
    httpx.delete(url.removesuffix("/report"), params={"undo": True}).raise_for_status()
    page.get_by_role("dialog").get_by_role("button", name="保存").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_have_text(
        "このチャットは別の場所で削除されました。"
    )
    expect(kinds(page)).to_have_text(["表", "グラフ"])


def test_a_report_runs_on_another_file_and_shows_before_and_now(
    analyst: LiveDesk, open_page: OpenPage, axe: Axe, tmp_path: Path
) -> None:
    desk = open_page(analyst.url)
    page, chat_id = desk.page, desk.chat_id()
    files = {
        "then.csv": "shop,sales\nA,1\nB,2\n",
        "now.csv": "shop,sales\nA,1\nB,5\nC,7\n",
        "unlike.csv": "shop\nA\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    run_async(analyst.desk.uploads.add(chat_id, tmp_path / "then.csv", "then.csv"))
    run_async(
        analyst.desk.runs.run_code(
            chat_id, "import pandas as pd\nsales = pd.read_csv('then.csv')\ndisplay(sales)"
        )
    )
    desk.closed(desk.turns.nth(0))
    page.locator(".table-block").get_by_role("button", name="Pin to report").click()
    page.get_by_role("button", name="Open report").click()
    page.get_by_role("button", name="Run on other files").click()
    sheet = page.get_by_role("dialog", name="Run the report on other files")
    upload = sheet.get_by_label("New file for then.csv")
    upload.set_input_files(tmp_path / "unlike.csv")
    sheet.get_by_role("button", name="Run", exact=True).click()
    expect(sheet.get_by_role("alert")).to_contain_text("the column 'sales' is missing")
    desk.forgive("409")
    expect(sheet.get_by_role("button", name="Run anyway")).to_be_visible()
    upload.set_input_files(tmp_path / "now.csv")
    assert axe.violations(page) == []
    sheet.get_by_role("button", name="Run", exact=True).click()
    result = page.get_by_role("dialog", name="Report on other files")
    expect(result.locator(".report-state")).to_have_text("Changed")
    expect(result.locator("td[data-changed]")).to_have_text(["5", "C", "7"])
    expect(result.locator(".report-note")).to_have_text("3 of 6 shown cells differ. 3 rows, 2 before.")
    assert axe.violations(page) == []
    page.keyboard.press("Escape")
    expect(page.locator(".report-run")).to_contain_text("then.csv ← now.csv")
