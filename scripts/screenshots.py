"""Pictures of the page in docs/, taken of real desks: the README's, the floor map's and the approvals'.

Run from the repository's root: python scripts/screenshots.py [--to FOLDER] [--all] [NAME ...]
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import browser_support  # noqa: E402  (the root is on the path only now)
from tests.support.desk_server import live_desk  # noqa: E402
from tests.support.scripted_model import ScriptedModel, code  # noqa: E402
from tests.support.tools import Payment  # noqa: E402

WIDE, NARROW = (1440, 900), (390, 844)
ANSWER_MS = 120_000
PAYING = """\
owed = {"Alice": 30, "Bob": 40, "Carol": 25.5}
for name, amount in owed.items():
    receipt = process_payment(name, amount, "USD", "Team lunch")
    print(receipt)
final_answer(f"Paid {len(owed)} people.")"""


class Picture(NamedTuple):
    """What is shown, and how: `size` in pixels, `crop` the selector of the part to show, `shown` in a document."""

    name: str
    scene: Callable[[Page], None]
    size: tuple[int, int] = WIDE
    theme: str = "light"
    language: str = "en"
    crop: str | None = None
    shown: bool = False
    pays: bool = False


def ask(page: Page, en: str, ja: str = "") -> None:
    """Send a message, in the page's language."""
    composer = page.locator(".composer .field")
    composer.fill(ja if page.evaluate("document.documentElement.lang") == "ja" else en)
    composer.press("Enter")


def all_panes(page: Page) -> None:
    """Something to see in each of the four panes."""
    prompts = (
        "Load the Titanic dataset and show me basic statistics",
        "Draw a left arrow in the Kitchen",
        "Colour each room by its average temperature",
        "Plot the survival rate by class of the Titanic passengers",
    )
    for number, prompt in enumerate(prompts, start=1):
        ask(page, prompt)
        expect(page.locator(".turn[data-state=finished]")).to_have_count(number, timeout=ANSWER_MS)
    for filled in (
        "[data-pane=map] [data-image=ready][data-arrows='1'][data-highlights='5'] canvas",
        "[data-pane=images] img",
        "[data-pane=chat] table",
        "[data-pane=debug] .debug-row",
    ):
        expect(page.locator(filled).first).to_be_visible()
    page.wait_for_function(
        "() => [...document.querySelectorAll('.images-card img')].every((image) => image.naturalWidth)"
    )


def coloured(page: Page) -> None:
    """Rooms in the colours of their temperatures."""
    ask(page, "Colour each room by its average temperature", "部屋を平均気温で色分けして")
    expect(page.locator(".turn[data-state=finished]")).to_have_count(1, timeout=ANSWER_MS)
    if page.locator(".tab[data-pane=map]").first.is_visible():
        page.locator(".tab[data-pane=map]").first.click()
    page.wait_for_selector(".map-viewer[data-image=ready]", state="attached")


def near(page: Page) -> None:
    """Closer: names, minimap and scale follow."""
    coloured(page)
    for key in ("+", "+", "+", "ArrowRight", "ArrowRight"):
        page.locator(".map-stage").press(key)


def upstairs(page: Page) -> None:
    """One floor up, with the floor below faintly under it."""
    page.wait_for_selector(".map-viewer[data-image=ready]")
    page.locator(".map-stage").press("PageUp")
    page.locator(".map-below").click()
    page.wait_for_selector(".map-viewer[data-image=ready]")


def saving(page: Page) -> None:
    """The menu that saves the map."""
    coloured(page)
    page.locator(".map-save").click()


def map_tab(page: Page) -> None:
    """The map pane by itself, as a phone shows it."""
    coloured(page)


def first_card(page: Page) -> None:
    """The card of the first payment."""
    ask(page, "Pay everyone on the list what we owe them", "一覧の全員に立替金を支払って")
    open_card(page, 1)


def open_card(page: Page, number: int) -> None:
    expect(page.locator(".ask")).to_have_count(number)
    expect(page.locator(".ask").last).to_have_attribute("data-state", "open")


def editing(page: Page) -> None:
    first_card(page)
    page.locator(".ask-change").click()


def third_card(page: Page) -> None:
    """The card of the third call of a loop, two before it allowed; of those, one with a changed amount."""
    editing(page)
    page.locator(".ask-editor input[type=number]").fill("20")
    page.locator(".ask-ways [type=submit]").click()
    open_card(page, 2)
    page.locator(".ask").last.locator(".ask-yes").first.click()
    open_card(page, 3)


def denying(page: Page) -> None:
    third_card(page)
    page.locator(".ask .ask-more").click()
    page.locator(".ask .ask-reason").fill("Carol was paid yesterday")


def allowed(page: Page) -> None:
    """Everything allowed for the chat, and the list of what is."""
    first_card(page)
    page.locator(".ask-further button").nth(1).click()
    expect(page.locator(".turn[data-state=finished]")).to_be_visible()
    page.locator(".approvals-button").click()
    expect(page.locator(".switch[aria-checked=true]")).to_be_visible()


MAP, CHAT = "#pane-map", "#pane-chat"
PICTURES = (
    Picture("page", all_panes, shown=True),
    Picture("page-dark", all_panes, theme="dark"),
    Picture("map-page", coloured, shown=True),
    Picture("map-near", near, crop=MAP, shown=True),
    Picture("map-near-dark", near, theme="dark", crop=MAP),
    Picture("map-upstairs", upstairs, crop=MAP, shown=True),
    Picture("map-upstairs-ja", upstairs, crop=MAP, language="ja"),
    Picture("map-page-ja", coloured, language="ja"),
    Picture("map-save", saving, crop=MAP),
    Picture("map-phone", map_tab, size=NARROW),
    Picture("asks-card", third_card, crop=CHAT, shown=True, pays=True),
    Picture("asks-edit", editing, crop=CHAT, shown=True, pays=True),
    Picture("asks-chat", allowed, crop=CHAT, shown=True, pays=True),
    Picture("asks-page-dark", third_card, theme="dark", pays=True),
    Picture("asks-deny", denying, crop=CHAT, pays=True),
    Picture("asks-page-ja", third_card, language="ja", pays=True),
    Picture("asks-edit-ja", editing, crop=CHAT, language="ja", pays=True),
    Picture("asks-phone", third_card, NARROW, pays=True),
    Picture("asks-phone-edit-dark", editing, NARROW, "dark", pays=True),
    Picture("asks-phone-deny", denying, NARROW, pays=True),
)


@contextmanager
def desk(pays: bool) -> Iterator[str]:
    """The URL of an empty desk with the built-in model; one that `pays` has a scripted model and a tool that asks first."""
    with tempfile.TemporaryDirectory(prefix="smoldesk-") as folder:
        thought = "Three people are owed money (三人に立替金があります)."
        model = (lambda: ScriptedModel([code(PAYING, thought)])) if pays else None
        with live_desk(Path(folder), model, (lambda _: [Payment([])]) if pays else None) as live:
            yield live.url


def take(browser: Browser, picture: Picture, folder: Path) -> Path:
    """Draw the scene on a page of its own and save it; the file."""
    width, height = picture.size
    path = folder / f"{picture.name}.png"
    with desk(picture.pays) as url:
        page = browser.new_page(
            viewport={"width": width, "height": height},
            color_scheme="dark" if picture.theme == "dark" else "light",
            locale=picture.language,
        )
        page.goto(url)
        page.wait_for_selector(".connection[data-connection=open]", state="attached")
        picture.scene(page)
        page.evaluate("() => document.activeElement.blur()")
        page.mouse.move(2, 2)
        page.wait_for_timeout(500)  # what fades in has faded in
        (page.locator(picture.crop) if picture.crop else page).screenshot(path=path)
        page.close()
    return path


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("names", nargs="*", help="those alone; else those that documents show")
    options.add_argument("--to", type=Path, default=ROOT / "docs")
    options.add_argument("--all", action="store_true", help="also those that no document shows")
    chosen = options.parse_args()
    chromium = browser_support.find()
    if chromium is None:
        raise SystemExit(browser_support.reason())
    chosen.to.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium), args=[*browser_support.FLAGS])
        for picture in PICTURES:
            if picture.name in chosen.names or (not chosen.names and (picture.shown or chosen.all)):
                print(take(browser, picture, chosen.to))
        browser.close()


if __name__ == "__main__":
    main()
