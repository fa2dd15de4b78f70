"""spec/guides/add_a_pane.md, followed to the letter in a copy of the page."""

import runpy
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from scripts.check import tsc_command
from tests.support.fed_page import FRONTEND, open_fed, served_page
from tests.support.guide import Guide
from tests.support.page_menu import from_menu

pytestmark = pytest.mark.browser
RULES = "tests/test_architecture.py"


def test_the_steps_of_the_page_add_a_pane(tmp_path: Path, browser: Browser) -> None:
    guide = Guide("add_a_pane")
    assert {*guide.files, *(path for path, _ in guide.patches)} == {
        "frontend/js/outline/viewer.js",
        "frontend/js/panes.js",
        RULES,
    }
    shutil.copytree(FRONTEND, tmp_path / "frontend")
    (tmp_path / "tests").mkdir()
    shutil.copy(FRONTEND.parent / RULES, tmp_path / RULES)
    guide.apply(tmp_path)
    rules = runpy.run_path(str(tmp_path / RULES))
    assert rules["js_strangers"](tmp_path) == rules["upward_js_imports"](tmp_path) == []
    checked = subprocess.run(
        tsc_command(tmp_path / "frontend" / "tsconfig.json"),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout

    with served_page(tmp_path / "frontend") as address:
        page = open_fed(browser, address)
        page.evaluate("feed(numbered(turns(3)))")
        outline = page.get_by_role("region", name="Outline")
        expect(outline.locator("li")).to_have_text(["Question 0", "Question 1", "Question 2"])
        expect(outline.locator("li").first).to_have_attribute("data-state", "finished")
        expect(page.locator(".debug-row").first).to_be_visible()  # that pane comes late
        outline.get_by_role("button", name="Question 1").click()
        expect(page.locator(".debug-row[data-lit]")).to_contain_text("Question 1")
        open_panes = page.locator("[data-column=left] .pane:not([data-collapsed])")
        expect(open_panes).to_have_count(2)  # the image pane is folded while it is empty
        heights = [pane.bounding_box() for pane in open_panes.all()]
        assert all(box is not None and box["height"] > 80 for box in heights)
        from_menu(page, "日本語")
        expect(page.get_by_role("region", name="目次")).to_be_visible()
        page.set_viewport_size({"width": 390, "height": 844})
        page.get_by_role("tab", name="目次").click()
        expect(page.get_by_role("region", name="目次").locator("li")).to_have_count(3)
        page.close()
