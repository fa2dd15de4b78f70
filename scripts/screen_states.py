"""Every state of the page at four sizes, in both themes and languages, as WebP files in docs/screens/.

Run from the repository's root: python scripts/screen_states.py [--to FOLDER] [STATE ...]. Pictures of parts of the page are
those of scripts/screenshots.py.
"""

import argparse
import re
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from io import BytesIO
from itertools import product
from pathlib import Path

import httpx
from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import browser_support  # noqa: E402  (the root is on the path only now)
from tests.support.desk_server import live_desk  # noqa: E402
from tests.support.scripted_model import ScriptedModel, code  # noqa: E402
from tests.support.tools import Payment  # noqa: E402

SIZES = {"1440": (1440, 900), "1024": (1024, 768), "768": (768, 1024), "390": (390, 844)}
THEMES, LANGUAGES = ("light", "dark"), ("en", "ja")
QUALITY = 60
ANSWER_MS = 120_000
PAYING = 'print(process_payment("Alice", 30, "USD", "Team lunch"))\nfinal_answer("Paid.")'
DAY = 24 * 3600
# Chats of the drawer: title, tags, age in seconds, whether it is pinned.
CHATS: list[tuple[str, list[str], int, bool]] = [
    ("Heating plan of the north wing", ["building"], 2 * DAY, True),
    ("Which branch sold most in October?", ["sales"], 600, False),
    ("店舗別の来客数の推移", ["sales"], 2 * 3600, False),
    ("Way from the entrance to the archive", ["building"], 5 * 3600, False),
    ("survey_2026.xlsx", [], DAY, False),
    ("会議室の平均気温", ["building"], 3 * DAY, False),
    ("Do prices fall with distance?", [], 6 * DAY, False),
    ("Evacuation with the east exit closed", ["building"], 9 * DAY, False),
    ("2025年度の予算と実績", ["budget"], 15 * DAY, False),
    ("Titanic: survival by class", [], 40 * DAY, False),
]
FAILING = "raise ValueError('the sensor in the Kitchen has no readings')"


class Screen:
    """One open page; its scenes say what is done to it."""

    def __init__(self, page: Page, language: str, narrow: bool) -> None:
        self.page, self.language, self.narrow = page, language, narrow

    def ask(self, en: str, ja: str, state: str = "finished") -> None:
        turns = self.page.locator(".turn[data-run]")
        count = turns.count()
        composer = self.page.locator(".composer .field")
        composer.fill(ja if self.language == "ja" else en)
        composer.press("Enter")
        expect(turns).to_have_count(count + 1, timeout=ANSWER_MS)
        expect(turns.nth(count)).to_have_attribute("data-state", re.compile(state), timeout=ANSWER_MS)

    def tab(self, pane: str) -> None:
        if self.narrow:
            self.page.locator(f".tabs [data-pane={pane}]").click()
            self.page.wait_for_selector(".map-viewer[data-image=ready]") if pane == "map" else None


def first(_screen: Screen) -> None:
    """The page as it comes."""


def answered(screen: Screen) -> None:
    """A chart with its table, and the question after it."""
    screen.ask("bar chart of survival rate by class", "Titanicのclassごとの生存率を棒グラフにして")
    expect(screen.page.locator(".chart-block[data-state=drawn]")).to_have_count(1)


def route(screen: Screen) -> None:
    screen.ask("How do I get from Room1 to the meeting room on 2F?", "Room1からMeeting Roomへの行き方は？")
    screen.tab("map")


def data(screen: Screen) -> None:
    screen.ask("Colour each room by its average temperature", "部屋を平均気温で色分けして")
    screen.tab("map")


def file(screen: Screen) -> None:
    """The card of a file, which stands where the plan was."""
    rows = "\n".join(
        f"2026-{at % 12 + 1:02},{'North' if at % 3 else 'South'},{at * 37 % 90 + 10},{at % 7 * 2.5}"
        for at in range(60)
    )
    content = f"month,branch,sold,price\n{rows}\n".encode()
    upload = {"name": "sales.csv", "mimeType": "text/csv", "buffer": content}
    screen.page.locator("input[type=file]").first.set_input_files(upload)  # pyright: ignore[reportArgumentType]
    screen.page.get_by_text("sales.csv").first.wait_for()
    if not screen.narrow:
        expect(screen.page.locator(".data-place .card-columns")).to_be_visible(timeout=ANSWER_MS)
    expect(screen.page.locator(".upload-card[aria-busy]")).to_have_count(0, timeout=ANSWER_MS)


def chats(screen: Screen) -> None:
    """The drawer, with the chats of some weeks."""
    screen.page.locator(".chats-button").click()
    expect(screen.page.get_by_role("dialog")).to_be_visible()


def add_chats(url: str, folder: Path) -> None:
    """Add the chats of the drawer to a desk, with their ages."""
    ids: dict[str, int] = {}
    for title, tags, age, is_pinned in reversed(CHATS):
        chat = httpx.post(f"{url}/api/chats", json={"title": title}).json()["id"]
        httpx.patch(f"{url}/api/chats/{chat}", json={"tags": tags, "pinned": is_pinned}).raise_for_status()
        ids[chat] = age
    with closing(sqlite3.connect(next(folder.rglob("smoldesk.db")), timeout=30)) as database:
        for chat, age in ids.items():
            database.execute("UPDATE chat SET updated_at = updated_at - ? WHERE id = ?", (age, chat))
        database.commit()


def approval(screen: Screen) -> None:
    screen.ask("Pay everyone on the list what we owe them", "一覧の全員に立替金を支払って", "waiting")
    expect(screen.page.locator(".ask[data-state=open]")).to_be_visible()


def error(screen: Screen) -> None:
    screen.ask("How warm is the Kitchen?", "Kitchenの気温は？", "failed")


Scene = Callable[[Screen], None]
OF_THE_ANALYST: dict[str, Scene] = {
    "first": first,
    "answered": answered,
    "route": route,
    "data": data,
    "file": file,
}
SCRIPTED: dict[str, tuple[Scene, list[str]]] = {
    "approval": (approval, [code(PAYING, "One person is owed money (立替金があります).")]),
    "error": (error, [code(FAILING, "I read the sensor.")] * 2),
}


def take(browser: Browser, url: str, state: str, scene: Scene, folder: Path) -> None:
    """The state at every size, theme and language."""
    for (width, size), theme, language in product(SIZES.items(), THEMES, LANGUAGES):
        scheme = "dark" if theme == "dark" else "light"
        page = browser.new_page(
            viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, locale=language
        )
        page.goto(url)
        page.wait_for_selector(".connection[data-connection=open]", state="attached")
        scene(Screen(page, language, size[0] < 900))
        page.evaluate("() => document.activeElement.blur()")
        page.mouse.move(2, 2)
        page.wait_for_timeout(900)  # what fades and leans is at rest
        path = folder / f"{state}-{width}-{theme}-{language}.webp"
        Image.open(BytesIO(page.screenshot())).save(path, quality=QUALITY, method=6)
        page.close()
        print(path, path.stat().st_size)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("states", nargs="*", help="those alone")
    options.add_argument("--to", type=Path, default=ROOT / "docs" / "screens")
    chosen = options.parse_args()
    chromium = browser_support.find()
    if chromium is None:
        raise SystemExit(browser_support.reason())
    expect.set_options(timeout=ANSWER_MS)  # the first chart has its program built
    chosen.to.mkdir(parents=True, exist_ok=True)
    expected = chosen.states or [*OF_THE_ANALYST, "chats", *SCRIPTED]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium), args=[*browser_support.FLAGS])
        with tempfile.TemporaryDirectory(prefix="smoldesk-") as folder, live_desk(Path(folder)) as live:
            for state, scene in OF_THE_ANALYST.items():
                if state in expected:
                    take(browser, live.url, state, scene, chosen.to)
        with tempfile.TemporaryDirectory(prefix="smoldesk-") as folder, live_desk(Path(folder)) as live:
            if "chats" in expected:
                add_chats(live.url, Path(folder))
                take(browser, live.url, "chats", chats, chosen.to)
        for state, (scene, replies) in SCRIPTED.items():
            if state not in expected:
                continue
            with (
                tempfile.TemporaryDirectory(prefix="smoldesk-") as folder,
                live_desk(
                    Path(folder),
                    lambda answers_with=replies: ScriptedModel(answers_with),
                    lambda _: [Payment([])],
                    max_steps=2,
                ) as live,
            ):
                take(browser, live.url, state, scene, chosen.to)
        browser.close()


if __name__ == "__main__":
    main()
