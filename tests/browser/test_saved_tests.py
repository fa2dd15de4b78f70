"""Answers saved as tests on the page, by keyboard: saved, run, tried with a changed file, and compared in the chat."""

import pytest
from playwright.sync_api import FilePayload, expect

from tests.browser.accessibility import Axe
from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.desk_server import LiveDesk

pytestmark = pytest.mark.browser

SALES = "shop,total\nOsaka,10\nTokyo,20.5\nKyoto,7\n"


def saved(desk: DeskPage, name: str) -> None:
    """Ask about a file, and save the answer by keyboard."""
    page = desk.page
    desk.drop("sales.csv", SALES)
    expect(page.locator(".upload-card .card-edge button").first).to_be_visible()
    turn = desk.ask("total by shop in sales")
    expect(turn.locator(".evidence-seal")).to_be_visible()
    turn.get_by_role("button", name="More actions").press("Enter")
    page.get_by_role("menuitem", name="This is right: save it as a test").press("Enter")
    sheet = page.get_by_role("dialog", name="Saved as a test")
    expect(sheet.get_by_text("5 figures, 1 table · sales.csv")).to_be_visible()
    sheet.get_by_label("Name").fill(name)
    page.keyboard.press("Enter")
    expect(sheet).to_have_count(0)


def test_an_answer_is_saved_run_and_tried_with_a_changed_file(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url)
    page = desk.page
    saved(desk, "Sales by shop")

    desk.composer.fill("/tests")
    desk.composer.press("Enter")
    tests = page.get_by_role("dialog", name="Saved tests")
    item = tests.locator(".tests-item")
    expect(item).to_contain_text("Sales by shop")
    expect(item).to_contain_text("Not run yet")
    tests.get_by_role("button", name="Run all").press("Enter")
    expect(tests.get_by_role("status")).to_have_text("1 of 1 are the same as saved")
    expect(item).to_contain_text("Same as saved")
    page.keyboard.press("Escape")
    expect(tests).to_have_count(0)

    other = open_page(analyst.url)
    other.drop("sales.csv", SALES.replace("20.5", "21.5"))
    other.page.get_by_role("button", name="Try the saved test that uses this file").press("Enter")
    trial = other.page.get_by_role("dialog", name="Saved tests with sales.csv")
    trial.get_by_role("button", name="Try this file").press("Enter")
    expect(trial.get_by_role("row").nth(1)).to_have_text("Figure: Tokyo · total total20.5021.50")
    expect(trial.locator(".tests-changed")).to_have_text("changed: sales.csv")


def test_drawings_of_two_versions_stand_side_by_side(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url)
    turn = desk.ask("show the kitchen")
    turn.get_by_role("button", name="Edit").click()
    turn.locator("textarea").fill("show the library")
    turn.locator("textarea").press("Enter")
    expect(turn.locator(".question")).to_contain_text("show the library")
    desk.closed(turn)  # the sheet shows the versions as they are when it opens
    turn.get_by_role("button", name="Compare").press("Enter")
    turn.get_by_role("button", name="Side by side in all panes").press("Enter")
    plans = desk.page.get_by_role("region", name="Plan").locator(".versions-cell .map-viewer")
    expect(plans.nth(0)).to_have_attribute("data-floor", "1F")
    expect(plans.nth(1)).to_have_attribute("data-floor", "2F")
    plans.nth(1).get_by_role("tab", name="1F").click()  # each plan has floors of its own
    expect(plans.nth(1)).to_have_attribute("data-floor", "1F")
    expect(plans.nth(0)).to_have_attribute("data-floor", "1F")


def test_a_test_that_differs_is_compared_in_its_chat(
    analyst: LiveDesk, open_page: OpenPage, axe: Axe
) -> None:
    desk = open_page(analyst.url)
    page = desk.page
    saved(desk, "Sales to compare")
    files = f"{analyst.url}/api/chats/{desk.chat_id()}/files"
    assert page.request.delete(f"{files}/sales.csv").ok
    changed = SALES.replace("20.5", "21.5").encode()
    part = FilePayload(name="sales.csv", mimeType="text/csv", buffer=changed)
    assert page.request.post(files, multipart={"file": part}).ok
    [test] = [
        listed
        for listed in page.request.get(f"{analyst.url}/api/tests").json()["tests"]
        if listed["name"] == "Sales to compare"
    ]
    turn = desk.turns.last
    played = page.request.post(f"{analyst.url}/api/tests/{test['id']}/version").json()
    expect(page.locator(f".turn[data-run='{played['runId']}']")).to_have_attribute("data-state", "finished")
    turn.get_by_role("button", name="Compare").press("Enter")
    expect(turn.locator(".compared-differences").get_by_role("status")).to_have_text(
        "Differs: text (1), cells (1)"
    )
    expect(turn.locator(".compared td[data-differs]")).to_have_text("20.5")

    turn.get_by_role("button", name="Side by side in all panes").press("Enter")
    sheet = page.get_by_role("dialog", name="Side by side in all panes")
    answers = sheet.get_by_role("region", name="Answer").locator(".versions-cell")
    expect(answers.nth(0).locator("td[data-differs]")).to_have_text("20.5")
    expect(answers.nth(1).locator("td[data-differs]")).to_have_text("21.5")
    events = sheet.get_by_role("region", name="Events")
    expect(events.locator("li[data-differs]").filter(has_text="text")).to_contain_text(["20.50"])
    expect(events.get_by_role("listitem").filter(has_text="user_message")).not_to_have_attribute(
        "data-differs", ""
    )
    assert axe.violations(page) == []
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    turn.get_by_role("button", name="Compare").press("Enter")
    expect(turn.locator("[data-differs]")).to_have_count(0)
