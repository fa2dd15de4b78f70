"""Five everyday tasks in a real browser, with their clicks, key presses and typed characters counted: a Markdown table.

Run from the repository's root: python scripts/everyday_tasks.py [--tree FOLDER] [TASK ...]. `--tree` is another checkout,
whose page and backend are used (with PYTHONPATH=FOLDER/backend). A way that a page lacks is "not possible" with its last
step.
"""

import argparse
import contextlib
import io
import re
import sqlite3
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from openpyxl import Workbook
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

ROOT = Path(__file__).resolve().parent.parent
ANSWER_MS, STEP_MS, SHORT_MS = 120_000, 20_000, 2_500
DROP = """([name, content]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(atob(content), (char) => char.charCodeAt(0))], name));
    for (const type of ["dragenter", "dragover", "drop"])
        document.querySelector(".chat").dispatchEvent(
            new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
}"""
DAY = 24 * 60 * 60


class Person:
    """Uses a page by hand; every action is counted."""

    def __init__(self, page: Page, url: str, folder: Path) -> None:
        self.page, self.url, self.folder = page, url, folder
        self.clicks = self.keys = self.typed = 0
        self.step = self.remark = ""
        self.turns = page.locator(".turn[data-run]")
        self.composer = page.locator(".composer .field")

    def click(self, target: Locator, step: str) -> None:
        self.step = step
        target.click(timeout=STEP_MS)
        self.clicks += 1

    def pin(self, target: Locator, step: str) -> None:
        """Click a pin and wait until the report is stored: the notice of the pin before may still be there."""
        with self.page.expect_response(lambda answer: answer.request.method == "PUT", timeout=ANSWER_MS):
            self.click(target, step)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.keys += 1

    def write(self, field: Locator, text: str, step: str) -> None:
        """Replace the text of a field; a click goes before it if the field has no focus."""
        self.step = step
        if not field.evaluate("(field) => field === document.activeElement"):
            self.click(field, step)
        field.fill(text)
        self.typed += len(text)

    def drop(self, name: str, content: bytes) -> None:
        """Drag a file onto the chat: one click."""
        self.page.evaluate(DROP, [name, b64encode(content).decode()])
        self.clicks += 1
        expect(self.page.locator(".chip-size")).to_contain_text("rows", timeout=ANSWER_MS)

    def ask(self, question: str) -> Locator:
        """Write a question and wait for its answer."""
        count = self.turns.count()
        self.write(self.composer, question, question)
        self.press("Enter")
        turn = self.turns.nth(count)
        self.answered(turn)
        return turn

    def answered(self, turn: Locator) -> None:
        expect(turn).to_have_attribute("data-state", re.compile("finished"), timeout=ANSWER_MS)

    def shows(self, target: Locator, milliseconds: int = SHORT_MS) -> bool:
        """Wait for something that only some pages have."""
        with contextlib.suppress(AssertionError):
            expect(target.first).to_be_visible(timeout=milliseconds)
        return target.first.is_visible()

    def button(self, name: str, within: "Locator | None" = None) -> Locator:
        return (within or self.page).get_by_role("button", name=name)


def messy_workbook() -> bytes:
    """A workbook as offices have it: a cover, a title, a blank line, totals and a note."""
    book = Workbook()
    cover, sheet = book.active, book.create_sheet("Sales")
    assert cover is not None
    cover.title = "Cover"
    cover.append(["Sales report of the northern regions, for internal use"])
    sheet.append(["Sales 2024, all shops"])
    sheet.append([])
    sheet.append(["Region", "Month", "Sales", "Visits"])
    for at in range(36):
        region = ("North", "South", "Coast")[at // 12]
        sheet.append([region, f"2024-{at % 12 + 1:02d}-01", 100 + 7 * at % 60, 40 + 3 * at % 25])
    sheet.append(
        ["Total", None, sum(100 + 7 * at % 60 for at in range(36)), sum(40 + 3 * at % 25 for at in range(36))]
    )
    sheet.append([])
    sheet.append(["Note: figures before returns and discounts"])
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def report(person: Person) -> None:
    """From a messy workbook to a saved report with two charts and the plan."""
    page = person.page
    person.drop("sales.xlsx", messy_workbook())
    for count, question in enumerate(("bar chart of sales by region", "line chart of sales by month"), 1):
        turn = person.ask(question)
        expect(turn.locator(".chart-block[data-state=drawn]").first).to_be_visible(timeout=STEP_MS)
        person.pin(person.button("Pin to report", turn.locator(".chart-block").first), f"pin chart {count}")
    person.ask("How do I get from Room1 to the meeting room on 2F?")
    page.wait_for_selector(".map-viewer[data-image=ready]")
    pin = page.locator(".route").last.get_by_role("button", name="Pin to report")
    if not pin.count():
        person.click(page.locator(".map-save"), "the map's menu")
        pin = page.get_by_role("menuitem", name="Pin to report")
    person.pin(pin, "pin the plan")
    person.click(person.button("Open report"), "open the report")
    sheet = page.get_by_role("dialog", name="Report")
    expect(sheet.locator(".report-part")).to_have_count(3)
    with page.expect_download(timeout=ANSWER_MS) as download:
        person.click(person.button("Save", sheet), "save the report")
    download.value.save_as(person.folder / "report.html")
    saved = (person.folder / "report.html").read_text("utf-8")
    person.remark = f"{len(re.findall('<svg|<img', saved))} pictures in the file"


def filtered(person: Person) -> None:
    """Ask about the rows that a search leaves."""
    page = person.page
    shops = ["North", "South", "East", "West"]
    rows = "".join(f"{shops[at % 4]},{at}\n" for at in range(24))
    person.drop("sales.csv", f"shop,amount\n{rows}".encode())
    turn = person.ask("total amount by shop")
    grid = page.locator("[role=grid]")
    if not person.shows(grid):
        person.click(person.button("Open the full table", turn), "open the table")
    place = page.locator(".grid-dialog").last
    person.write(place.get_by_role("searchbox"), "th", "search the table")
    expect(place.locator(".grid-count")).to_have_text("2 of 4 rows", timeout=STEP_MS)
    if page.locator(".grid-ask").count():
        person.click(page.locator(".grid-ask"), "ask about these")
    else:
        person.click(grid.get_by_role("gridcell").first, "select a cell")
        person.press("Control+a")
        person.press("Control+Enter")
    person.step = "the selection's chip"
    expect(page.locator(".chart-chip")).to_contain_text("2 rows", timeout=STEP_MS)
    answer = person.ask("average total amount")
    expect(answer.locator(".answer")).to_contain_text("63", timeout=STEP_MS)


def compared(person: Person) -> None:
    """Ask, ask otherwise, and look at both answers."""
    page = person.page
    person.ask("average fare by class of titanic")
    old = person.turns.last.locator(".answer").inner_text()
    turn = person.turns.last
    turn.hover()
    person.click(person.button("Edit", turn), "edit the question")
    field = turn.get_by_role("textbox", name="Message of this turn")
    person.write(field, "median fare by class of titanic", "the other question")
    person.press("Enter")
    expect(page.locator(".turn .question").last).to_contain_text("median", timeout=ANSWER_MS)
    person.answered(person.turns.last)
    older, newer = person.button("Older version"), person.button("Newer version")
    both = person.button("Compare")
    if person.shows(both):
        person.click(both, "both answers")
        expect(person.turns.last.locator(".compared .answer")).to_have_text(old, timeout=STEP_MS)
        person.remark = "both below each other"
    elif person.shows(older):
        person.click(older, "the older answer")
        expect(person.turns.last.locator(".answer")).to_have_text(old, timeout=STEP_MS)
        person.click(newer, "the newer answer")
        person.remark = "in place"
    else:
        person.click(page.locator(".branch-from a"), "the older chat")
        expect(person.turns.last.locator(".answer")).to_have_text(old, timeout=STEP_MS)
        person.click(page.locator(".branch-link a"), "the newer chat")
        person.remark = "by leaving the chat and coming back"
    expect(page.locator(".turn .question").last).to_contain_text("median", timeout=STEP_MS)


def last_week(person: Person) -> None:
    """Find the chat that began with a file last week, among forty newer ones."""
    page = person.page
    upload(
        person.url,
        chat := new_chat(person.url),
        "export (3).csv",
        b"shop,month,result\nNorth,10,-5\nSouth,10,7\n",
    )
    httpx.post(
        f"{person.url}/api/chats/{chat}/runs",
        json={"message": "Which shop lost money in October?"},
        timeout=120,
    )
    for at in range(40):
        httpx.post(f"{person.url}/api/chats", json={"title": f"Heating of building {at}"})
    with contextlib.closing(
        sqlite3.connect(next(person.folder.rglob("smoldesk.db")), timeout=30)
    ) as database:
        database.execute("UPDATE chat SET updated_at = updated_at - ? WHERE id = ?", (6 * DAY, chat))
        database.commit()
    page.reload()
    person.click(page.locator(".chats-button"), "open the chats")
    person.write(page.locator(".chats-field"), "october", "search for october")
    row = page.locator(".chats-row:visible")
    person.step = "one chat found"
    expect(row).to_have_count(1, timeout=STEP_MS)
    person.remark = f"listed as {row.locator('.chats-name').inner_text()}"
    person.click(row.locator(".chats-name"), "open it")
    expect(page.locator(".turn .question").first).to_contain_text("October", timeout=STEP_MS)


def second_screen(person: Person) -> None:
    """Show the plan, live, on a second screen."""
    page = person.page
    turn = person.ask("Colour each room by its average temperature")
    share = turn.locator(".plan-line").get_by_role("button", name="Show on another screen")
    if not share.count():
        person.click(page.locator(".map-save"), "the map's menu")
        share = page.get_by_role("menuitem", name="Show on another screen")
    person.click(share, "another screen")
    sheet = page.get_by_role("dialog", name="Show on another screen")
    person.click(person.button("Create link", sheet), "create the link")
    person.step = "the link"
    url = sheet.get_by_label("Link", exact=True).input_value(timeout=STEP_MS)
    if not person.shows(person.button("Copied", sheet)):
        person.click(person.button("Copy", sheet).first, "copy the link")
    with contextlib.closing(page.context.browser.new_context()) as other:  # pyright: ignore[reportOptionalMemberAccess]
        screen = other.new_page()
        screen.goto(url)
        expect(screen.locator("figure img")).to_be_visible(timeout=STEP_MS)


def new_chat(url: str) -> str:
    return str(httpx.post(f"{url}/api/chats", json={}).json()["id"])


def upload(url: str, chat: str, name: str, content: bytes) -> None:
    httpx.post(
        f"{url}/api/chats/{chat}/files", files={"file": (name, content)}, timeout=60
    ).raise_for_status()


TASKS: dict[str, Callable[[Person], None]] = {
    "report": report,
    "filtered": filtered,
    "compared": compared,
    "last_week": last_week,
    "second_screen": second_screen,
}


@dataclass(frozen=True)
class Result:
    """Counts of one task and a remark, or the step that a page lacks."""

    task: str
    counts: list[int]
    is_possible: bool
    remark: str

    def row(self) -> str:
        counts = self.counts if self.is_possible else ["not possible", "", ""]
        return "| " + " | ".join(map(str, [self.task, *counts, self.remark])) + " |"


def run(browser: Browser, desk: Any, task: str) -> Result:
    """Do one task on a desk of its own."""
    with tempfile.TemporaryDirectory(prefix="smoldesk-") as folder, desk(Path(folder)) as live:
        page = browser.new_page(
            viewport={"width": 1440, "height": 900}, locale="en-GB", permissions=["clipboard-write"]
        )
        person = Person(page, live.url, Path(folder))
        page.goto(live.url)
        page.wait_for_selector(".connection[data-connection=open]", state="attached")
        is_possible = False
        try:
            TASKS[task](person)
            is_possible = True
        except (AssertionError, PlaywrightError) as fault:  # a step that the page lacks ends in a timeout
            person.remark = f'at "{person.step}": {str(fault).splitlines()[0][:90]}'
        page.close()
    return Result(task, [person.clicks, person.keys, person.typed], is_possible, person.remark)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("tasks", nargs="*", choices=[[], *TASKS], help="those alone")
    options.add_argument("--tree", type=Path, default=ROOT, help="checkout whose page is used")
    chosen = options.parse_args()
    sys.path.insert(0, str(chosen.tree))
    from tests import browser_support
    from tests.support.desk_server import live_desk

    chromium = browser_support.find()
    if chromium is None:
        raise SystemExit(browser_support.reason())
    print(f"{time.strftime('%Y-%m-%d')}, {chosen.tree}\n")
    print("| task | clicks | keys | characters | remark |\n|---|---|---|---|---|")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium), args=[*browser_support.FLAGS])
        for task in chosen.tasks or TASKS:
            print(run(browser, live_desk, task).row(), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
