"""MCP servers in the page, at a real desk with a real server of PyPI: added, opened, switched, removed; axe."""

import sys
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import Axe
from tests.browser.desk_page import OpenPage
from tests.support.desk_server import LiveDesk, live_desk
from tests.tools.mcp_servers.support import ODD, python_server

pytestmark = pytest.mark.browser


@pytest.mark.skipif(not python_server("mcp-server-time"), reason="no mcp-server-time")
def test_a_server_is_added_opened_switched_and_removed(
    analyst: LiveDesk, open_page: OpenPage, axe: Axe
) -> None:
    httpx.delete(f"{analyst.url}/api/mcp-servers/clock", timeout=30)  # of a first try
    desk = open_page(analyst.url)
    page = desk.page
    desk.forgive("400 (Bad Request)")
    page.keyboard.press("Control+k")
    page.get_by_role("button", name="MCP servers").click()
    sheet = page.locator("dialog.mcp-sheet")
    expect(sheet).to_contain_text("No MCP server yet.")

    sheet.get_by_role("button", name="Add an MCP server").click()
    form = page.get_by_role("dialog", name="Add an MCP server")
    expect(form.get_by_label("Name")).to_be_focused()
    form.get_by_role("button", name="Start and add").click()
    expect(form.get_by_role("alert")).to_have_text("Enter a name, and a command or an address.")
    form.get_by_label("Name").fill("Clock")
    form.get_by_label("Command or web address").fill(
        f'"{python_server("mcp-server-time")}" --local-timezone Asia/Tokyo'
    )
    form.get_by_label("Variables").fill("CLOCK_KEY=swordfish-9")
    form.get_by_role("button", name="Start and add").click()
    expect(form.get_by_role("alert")).to_contain_text("a name is a letter of a-z")
    assert axe.violations(page) == []
    form.get_by_label("Name").fill("clock")
    form.get_by_role("button", name="Start and add").click()

    expect(sheet.get_by_role("status")).to_have_text("clock was added.", timeout=30_000)
    line = sheet.get_by_role("button", name="clock")
    expect(line.first).to_contain_text("ready")
    line.first.click()
    expect(sheet).to_contain_text("(By the MCP server clock:) Get current time")
    expect(sheet).to_contain_text("clock_convert_time")
    expect(sheet).to_contain_text("never asks")
    expect(sheet).to_contain_text("CLOCK_KEY")
    assert axe.violations(page) == []
    assert "swordfish" not in page.content()

    sheet.get_by_role("button", name="Turn off clock").click()
    expect(line.first).to_contain_text("off")
    expect(line.first).to_be_focused()
    expect(line.first).to_have_attribute("aria-expanded", "true")
    sheet.get_by_role("button", name="Turn on clock").click()
    expect(line.first).to_contain_text("ready", timeout=30_000)
    sheet.get_by_role("button", name="Remove clock").click()
    page.get_by_role("dialog", name="Remove clock?").get_by_role("button", name="Remove").click()
    expect(sheet).to_contain_text("No MCP server yet.")
    expect(sheet.get_by_role("button", name="Add an MCP server")).to_be_focused()

    sheet.get_by_role("button", name="Add an MCP server").click()
    form.get_by_label("Name").fill("clock")
    form.get_by_label("Command or web address").fill("no-such-program")
    form.get_by_role("button", name="Start and add").click()
    expect(sheet.get_by_role("status")).to_contain_text("clock was added, but did not start: There is no")


def test_a_prompt_of_a_server_is_put_into_the_message(open_page: OpenPage, axe: Axe, tmp_path: Path) -> None:
    (tmp_path / "agents.toml").write_text(
        f'[mcp.odd]\ncommand = "{sys.executable}"\nargs = ["{ODD}"]\nreadable = ["{ODD}"]\n'
    )
    with live_desk(tmp_path) as live:
        desk = open_page(live.url, size=(390, 844), locale="ja-JP", theme="dark")
        desk.composer.fill("/mcp")
        desk.composer.press("Enter")
        sheet = desk.page.locator("dialog.mcp-sheet")
        expect(sheet.locator("li[data-state=ready]")).to_be_visible()
        sheet.get_by_role("button", name="odd 準備完了").click()
        sheet.get_by_role("button", name="greet").click()
        sheet.get_by_label("name").fill("Aki")
        assert axe.violations(desk.page) == []
        sheet.get_by_label("name").press("Enter")
        expect(sheet).to_have_count(0)
        expect(desk.composer).to_have_value("Say hello to Aki.")
        expect(desk.composer).to_be_focused()
