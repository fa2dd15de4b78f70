"""One object of a chat on another screen: shared by a click, live there, gone when it is revoked."""

import json
import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from smoldesk.wires import shared_view as wire
from tests.browser.accessibility import Axe
from tests.browser.desk_page import OpenPage
from tests.browser.test_reports import pinned_page
from tests.support.aio import run_async
from tests.support.desk_server import LiveDesk

pytestmark = pytest.mark.browser


def test_a_chart_and_the_map_are_shared_by_a_click_and_end_when_revoked(
    analyst: LiveDesk, open_page: OpenPage, axe: Axe, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "WAIT_SECONDS", 1.0)
    desk = pinned_page(analyst, open_page)
    page = desk.page
    page.locator(".chart-block").first.get_by_role("button", name="Show on another screen").click()
    sheet = page.get_by_role("dialog", name="Show on another screen")
    sheet.get_by_label("Expires after").select_option(label="1 hour")
    sheet.get_by_role("button", name="Create link").press("Enter")
    chart_url = sheet.get_by_label("Link", exact=True).input_value()
    assert "/view#" in chart_url
    expect(sheet.get_by_role("button", name="Copied")).to_be_visible()
    expect(sheet.get_by_role("listitem")).to_have_count(1)
    name = page.locator(".chart-name").first.inner_text()
    expect(sheet.get_by_role("listitem")).to_contain_text(name)
    assert axe.violations(page) == []
    sheet.get_by_role("button", name="Done").click()

    page.locator(".map-save").click()
    page.get_by_role("menuitem", name="Show on another screen").click()
    sheet.get_by_role("button", name="Create link").click()
    map_url = sheet.get_by_label("Link", exact=True).input_value()
    expect(sheet.get_by_role("listitem")).to_have_count(2)

    with browser.new_context(viewport={"width": 1280, "height": 720}, locale="ja-JP") as other:
        screen, chart = other.new_page(), other.new_page()
        faults: list[str] = []
        for view in (screen, chart):
            view.on("pageerror", lambda fault: faults.append(str(fault)))
        chart.goto(chart_url)
        expect(chart.locator("figure img")).to_have_count(1)
        expect(chart.locator("#status")).to_contain_text("まで自動で更新されます")
        expect(chart.get_by_role("heading", level=2)).to_have_text(name)
        expect(chart.locator("figcaption")).to_be_hidden()
        assert axe.violations(chart) == []
        screen.goto(map_url)
        picture = screen.locator("figure img")
        expect(picture).to_be_visible()
        before = picture.get_attribute("src")
        run_async(analyst.desk.runs.run_code(desk.chat_id(), 'print(draw_arrow("Kitchen", "left"))'))
        expect(picture).not_to_have_attribute("src", before or "")
        box = picture.bounding_box()
        assert box is not None
        assert box["width"] > 900
        sheet.get_by_role("button", name="Revoke").first.click()
        expect(sheet.get_by_role("listitem")).to_have_count(1)
        expect(sheet.get_by_role("button", name="Revoke")).to_be_focused()
        expect(sheet.get_by_label("Link", exact=True)).to_have_count(0)
        expect(screen.locator("#status")).to_have_text(
            "このビューは終了しました。新しいリンクを発行してもらってください。"
        )
        expect(picture).to_have_count(0)
        expect(chart.locator("figure img")).to_be_visible()
        code = "import pandas\npandas.DataFrame({'x': range(1060)})"
        run_async(analyst.desk.runs.run_code(desk.chat_id(), code))
        expect(page.locator(".table-block")).to_have_count(2)
        chart.goto(table_url(analyst, desk.chat_id()))
        expect(chart.locator("figcaption")).to_have_text(re.compile("^表 · ほか[0-9,]+行$"))
        screen.goto(f"{analyst.url}/view#%E3%81%82%")  # no key has these characters
        expect(screen.locator("#status")).to_contain_text("このビューは終了しました")
        assert not faults


def table_url(live: LiveDesk, chat_id: str) -> str:
    """The address of a view of the chat's last table."""
    chat = f"{live.url}/api/chats/{chat_id}"
    events = [json.loads(line) for line in httpx.get(f"{chat}/events").text.splitlines()]
    shows = [item for item in events if item["event"]["type"] == "shown"]
    seq = [item["seq"] for item in shows if item["event"]["message"]["type"] == "table"][-1]
    path = httpx.post(f"{chat}/shared-views", json={"kind": "table", "seq": seq}).json()["path"]
    return live.url + path


def test_a_view_is_never_shown_in_a_frame_of_another_origin(
    analyst: LiveDesk, browser: Browser, tmp_path: Path
) -> None:
    framing = tmp_path / "frame.html"
    framing.write_text(f'<iframe src="{analyst.url}/view#x"></iframe>')
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(framing.as_uri())
        frame = page.frames[1]
        expect(page.locator("iframe")).to_be_visible()
        assert frame.locator("#status").count() == 0
