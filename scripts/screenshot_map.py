"""Take the pictures of the floor map, docs/map-*.png: a real desk with the built-in model.

Run from the repository's root: python scripts/screenshot_map.py [--to FOLDER] [--all]
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.screenshot import desk  # noqa: E402  (the root is on the path only now)
from tests import browser_support  # noqa: E402

QUESTIONS = {
    "en": "Colour each room by its average temperature",
    "ja": "部屋を平均気温で色分けして",
}
WIDE, NARROW = (1440, 900), (390, 844)
STAGE = ".map-stage"


class Picture(NamedTuple):
    """What is shown, and how: `crop` to the map alone, `needed` also without --all."""

    name: str
    scene: Callable[[Page], None]
    size: tuple[int, int] = WIDE
    theme: str = "light"
    language: str = "en"
    crop: bool = False
    needed: bool = False


def coloured(page: Page) -> None:
    """Rooms in the colours of their temperatures."""
    language = page.evaluate("document.documentElement.lang")
    composer = page.locator("textarea").first
    composer.fill(QUESTIONS[language])
    composer.press("Enter")
    expect(page.locator(".turn[data-state=finished]")).to_have_count(1, timeout=120_000)
    page.wait_for_selector(".map-viewer[data-image=ready]", state="attached")


def near(page: Page) -> None:
    """Closer: names, minimap and scale follow."""
    coloured(page)
    stage = page.locator(STAGE)
    for key in ("+", "+", "+", "ArrowRight", "ArrowRight"):
        stage.press(key)


def upstairs(page: Page) -> None:
    """One floor up, with the floor below faintly under it."""
    page.wait_for_selector(".map-viewer[data-image=ready]")
    page.locator(STAGE).press("PageUp")
    page.locator(".map-below").click()
    page.wait_for_selector(".map-viewer[data-image=ready]")


def saving(page: Page) -> None:
    """The menu that saves the map."""
    coloured(page)
    page.locator(".map-save").click()


def alone(page: Page) -> None:
    """The map pane by itself, as a phone shows it."""
    coloured(page)
    page.locator(".tab[data-pane=map]").first.click()


PICTURES = (
    Picture("map-page", coloured, needed=True),
    Picture("map-near", near, crop=True, needed=True),
    Picture("map-page-dark", coloured, theme="dark"),
    Picture("map-near-dark", near, theme="dark", crop=True),
    Picture("map-upstairs", upstairs, crop=True, needed=True),
    Picture("map-upstairs-ja", upstairs, crop=True, language="ja"),
    Picture("map-page-ja", coloured, language="ja"),
    Picture("map-save", saving, crop=True),
    Picture("map-phone", alone, size=NARROW),
)


def take(browser: Browser, url: str, picture: Picture, folder: Path) -> Path:
    width, height = picture.size
    dark = "dark" if picture.theme == "dark" else "light"
    page = browser.new_page(
        viewport={"width": width, "height": height}, color_scheme=dark, locale=picture.language
    )
    try:
        page.goto(url)
        page.wait_for_selector(".connection[data-connection=open]", state="attached")
        picture.scene(page)
        page.mouse.move(2, 2)
        page.wait_for_timeout(500)  # what fades in has faded in
        path = folder / f"{picture.name}.png"
        if picture.crop:
            page.locator("#pane-map").screenshot(path=path)
        else:
            page.screenshot(path=path)
        return path
    finally:
        page.close()


def main() -> None:
    options = argparse.ArgumentParser(description="Take the pictures of the floor map.")
    options.add_argument("--to", type=Path, default=ROOT / "docs")
    options.add_argument("--all", action="store_true", help="also those that are only looked at")
    chosen = options.parse_args()
    chromium = browser_support.find()
    if chromium is None:
        raise SystemExit(browser_support.reason())
    chosen.to.mkdir(parents=True, exist_ok=True)
    with desk() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium), args=[*browser_support.FLAGS])
        for picture in PICTURES:
            if picture.needed or chosen.all:
                print(take(browser, url, picture, chosen.to))
        browser.close()


if __name__ == "__main__":
    main()
