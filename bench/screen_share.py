"""Share of the screen that shows something new after each answer, in five fixed chats of a real desk.

Run from the repository's root: python -m bench.screen_share [--shots FOLDER]. Two figures per answer, at 1440 x 900:

- `changed`: blocks of 16 x 16 pixels that differ from the picture before the question, as a share of all blocks;
- `new`: area of the parts that hold the answer: its turn, its file card or table, the plan if it was drawn on, the
  images that came with it.
"""

import argparse
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests import browser_support
from tests.browser.desk_page import DeskPage
from tests.support.desk_server import ANALYSIS, live_desk

SIZE = {"width": 1440, "height": 900}
BLOCK, TOLERANCE = 16, 24
SETTLED_MS = 1500
SALES = "shop,day,units,price\n" + "".join(
    f"{('Ueno', 'Ginza', 'Shibuya')[at % 3]},2024-03-{at % 28 + 1:02},{at * 37 % 90},{at * 53 % 700 / 10}\n"
    for at in range(240)
)
CHATS = {
    "file": ["drop sales.csv", "average price by shop"],
    "table": ["Show the first 20 rows of Titanic", "How many passengers per class?"],
    "chart": ["bar chart of survival rate by class", "histogram of age"],
    "map": ["How do I get from Room1 to the meeting room on 2F?", "Where is the Kitchen?"],
    "mixed": ["Colour each room by its average temperature", "average temperature by room as a table"],
}
"""The questions of each chat; `drop` gives it a file."""

MARK = """() => {
    const map = document.querySelector(".map-viewer");
    window.before = {
        map: JSON.stringify({ ...map?.dataset, view: null }),
        images: new Set(document.querySelectorAll(".images-card")),
        parts: new Set(document.querySelectorAll(".turn, .aside, .data-place > *")),
    };
}"""
NEW = """([width, height]) => {
    const { before } = window;
    const map = document.querySelector(".map-viewer");
    const fresh = [
        ...[...document.querySelectorAll(".turn, .aside, .data-place > *")].filter((part) => !before.parts.has(part)),
        ...[...document.querySelectorAll(".images-card")].filter((card) => !before.images.has(card)),
        ...(map && JSON.stringify({ ...map.dataset, view: null }) !== before.map ? [map] : []),
    ];
    const boxes = fresh.filter((part) => part.checkVisibility()).map((part) => {
        const frame = (part.closest(".log, .pane-body") ?? document.body).getBoundingClientRect();
        const box = part.getBoundingClientRect();
        return [Math.max(box.left, frame.left), Math.max(box.top, frame.top),
                Math.min(box.right, frame.right), Math.min(box.bottom, frame.bottom)];
    });
    let covered = 0;
    for (let x = 4; x < width; x += 8) for (let y = 4; y < height; y += 8)
        covered += boxes.some(([l, t, r, b]) => l <= x && x < r && t <= y && y < b) ? 1 : 0;
    return covered / (Math.ceil(width / 8) * Math.ceil(height / 8));
}"""


def picture(page: Page) -> "np.ndarray":
    page.wait_for_timeout(SETTLED_MS)
    return np.asarray(Image.open(BytesIO(page.screenshot())).convert("RGB"), dtype=np.int16)


def changed(before: "np.ndarray", after: "np.ndarray") -> float:
    """Return the share of blocks with a pixel that differs."""
    differs = (np.abs(after - before).max(axis=2) > TOLERANCE)[: SIZE["height"] // BLOCK * BLOCK]
    blocks = differs.reshape(-1, BLOCK, SIZE["width"] // BLOCK, BLOCK).any(axis=(1, 3))
    return float(blocks.mean())


def give(desk: DeskPage, question: str) -> None:
    """Ask a question, or drop the file, and wait for the answer."""
    if not question.startswith("drop "):
        desk.ask(question)
        return
    desk.drop(question.removeprefix("drop "), SALES)
    expect(desk.page.locator(".upload-card .card-parts > *").nth(1)).to_be_attached()


def play(browser: Browser, url: str, name: str, shots: Path | None) -> Iterator[tuple[str, float, float]]:
    """Yield each question of a chat with `changed` and `new`."""
    page = browser.new_page(viewport=SIZE, locale="en-GB", reduced_motion="reduce")  # pyright: ignore[reportArgumentType]
    page.set_default_timeout(60_000)
    desk = DeskPage(page, url)
    desk.open()
    before = picture(page)
    for at, question in enumerate(CHATS[name]):
        page.evaluate(MARK)
        give(desk, question)
        page.evaluate("document.activeElement.blur()")
        page.mouse.move(2, 2)
        after = picture(page)
        if shots:
            Image.fromarray(after.astype(np.uint8)).save(shots / f"{name}-{at}.png")
        yield question, changed(before, after), page.evaluate(NEW, [SIZE["width"], SIZE["height"]])
        before = after
    page.close()


@contextmanager
def chromium() -> Iterator[Browser]:
    path = browser_support.find()
    if path is None:
        raise SystemExit(browser_support.reason())
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=str(path), args=[*browser_support.FLAGS])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--shots", type=Path, help="folder for the picture after each answer")
    shots = options.parse_args().shots
    if shots:
        shots.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=60_000)
    figures: list[tuple[float, float]] = []
    with (
        chromium() as browser,
        tempfile.TemporaryDirectory(prefix="smoldesk-") as folder,
        live_desk(Path(folder), sandbox_preload=ANALYSIS) as live,
    ):
        for name in CHATS:
            for question, pixels, area in play(browser, live.url, name, shots):
                figures.append((pixels, area))
                print(f"{name:6} {question:52} changed {pixels:4.0%}  new {area:4.0%}", flush=True)
    pixels, area = (sum(column) / len(figures) for column in zip(*figures, strict=True))
    print(f"mean of {len(figures)}{'':48} changed {pixels:4.0%}  new {area:4.0%}")


if __name__ == "__main__":
    main()
