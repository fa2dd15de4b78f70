"""Take the pictures of approvals, docs/asks-*.png: a real desk with a scripted model, and a tool that asks before it pays.

Run from the repository's root: python scripts/screenshot_asks.py [--to FOLDER] [--all]
"""

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import browser_support  # noqa: E402  (the root is on the path only now)
from tests.support.desk_server import live_desk  # noqa: E402
from tests.support.payments import Payment  # noqa: E402
from tests.support.scripted_model import ScriptedModel, code  # noqa: E402

QUESTION = {
    "en": "Pay everyone on the list what we owe them",
    "ja": "一覧の全員に立替金を支払って",
}
THOUGHT = {
    "en": "Three people are owed money. I will pay them one after the other.",
    "ja": "3人に立替金があります。順に支払います。",
}
CELL = """\
owed = {"Alice": 30, "Bob": 40, "Carol": 25.5}
for name, amount in owed.items():
    receipt = process_payment(name, amount, "USD", "Team lunch")
    print(receipt)
final_answer(f"Paid {len(owed)} people.")"""
WIDE, NARROW = (1440, 900), (390, 844)


class Picture(NamedTuple):
    """What is shown, and how: `size` in pixels, `crop` to the chat pane alone."""

    name: str
    scene: Callable[[Page], None]
    size: tuple[int, int] = WIDE
    theme: str = "light"
    language: str = "en"
    crop: bool = False


def card(page: Page, number: int) -> None:
    """Wait for the card of the n-th call."""
    expect(page.locator(".ask")).to_have_count(number)
    expect(page.locator(".ask").last).to_have_attribute("data-state", "open")


def allow(page: Page) -> None:
    page.locator(".ask").last.locator(".ask-yes").first.click()


def third(page: Page) -> None:
    """The card of the third call of a loop, two before it allowed; of those, one with a changed amount."""
    card(page, 1)
    editing(page)
    page.locator(".ask-editor input[type=number]").fill("20")
    page.locator(".ask-ways [type=submit]").click()
    card(page, 2)
    allow(page)
    card(page, 3)


def editing(page: Page) -> None:
    card(page, 1)
    page.locator(".ask-change").click()


def denying(page: Page) -> None:
    third(page)
    page.locator(".ask .ask-more").click()
    page.locator(".ask .ask-reason").fill("Carol was paid yesterday")


def allowed(page: Page) -> None:
    """Everything allowed for the chat, and the list of what is."""
    card(page, 1)
    page.locator(".ask-further button").nth(1).click()
    expect(page.locator(".turn[data-state=finished]")).to_be_visible()
    page.locator(".approvals-button").click()
    expect(page.locator(".switch[aria-checked=true]")).to_be_visible()


PICTURES = [
    Picture("asks-card", third, crop=True),
    Picture("asks-edit", editing, crop=True),
    Picture("asks-chat", allowed, crop=True),
]
"""Those of the documentation."""
OTHERS = [
    Picture("page-light", third),
    Picture("page-dark", third, theme="dark"),
    Picture("edit-dark", editing, theme="dark", crop=True),
    Picture("deny-light", denying, crop=True),
    Picture("page-ja", third, language="ja"),
    Picture("edit-ja", editing, language="ja", crop=True),
    Picture("chat-ja", allowed, language="ja", crop=True),
    Picture("narrow-light", third, NARROW),
    Picture("narrow-dark-edit", editing, NARROW, "dark"),
    Picture("narrow-ja", third, NARROW, language="ja"),
    Picture("narrow-deny", denying, NARROW),
    Picture("narrow-chat", allowed, NARROW, "dark"),
]
"""More to look at: both themes, narrow, Japanese."""


def take(browser: Browser, url: str, picture: Picture, folder: Path) -> Path:
    width, height = picture.size
    page = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme="dark" if picture.theme == "dark" else "light",
        locale=picture.language,
    )
    page.goto(url)
    page.wait_for_selector(".connection[data-connection=open]")
    page.locator(".composer .field").fill(QUESTION[picture.language])
    page.locator(".composer .field").press("Enter")
    picture.scene(page)
    page.evaluate("() => document.activeElement.blur()")
    page.wait_for_timeout(400)  # what fades in has faded in
    target = folder / f"{picture.name}.png"
    if picture.crop:
        page.locator("#pane-chat").screenshot(path=str(target))
    else:
        page.screenshot(path=str(target))
    page.close()
    return target


def main() -> None:
    options = argparse.ArgumentParser(description="Take the pictures of approvals.")
    options.add_argument("--to", type=Path, default=ROOT / "docs")
    options.add_argument("--all", action="store_true", help="also those that no document shows")
    chosen = options.parse_args()
    chromium = browser_support.find()
    if chromium is None:
        raise SystemExit(browser_support.reason())
    chosen.to.mkdir(parents=True, exist_ok=True)
    language = ["en"]
    with (
        tempfile.TemporaryDirectory(prefix="smoldesk-") as folder,
        live_desk(
            Path(folder),
            lambda: ScriptedModel([code(CELL, THOUGHT[language[0]])]),
            lambda _: [Payment([])],
        ) as live,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=str(chromium), args=[*browser_support.FLAGS])
        for picture in PICTURES + (OTHERS if chosen.all else []):
            language[0] = picture.language
            print(take(browser, live.url, picture, chosen.to))
        browser.close()


if __name__ == "__main__":
    main()
