"""Take the README's picture, docs/page.png: the real page with all four panes filled.

Starts a real server with a data folder of its own, asks five questions in a real Chromium, waits until every pane shows
something, takes the picture and stops the server. Run from the repository's root: python scripts/screenshot.py
"""

import argparse
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import browser_support  # noqa: E402  (the root is on the path only now)

PROMPTS = (
    "Load the Titanic dataset and show me basic statistics",
    "Draw a left arrow in the Kitchen",
    "Colour each room by its average temperature",
    "Plot the survival rate by class of the Titanic passengers",
    "Show the first 3 rows of titanic",
)
TURN = ".turn[data-run]"
ENDED = f"{TURN}:is([data-state=finished], [data-state=failed], [data-state=cancelled])"
FILLED = {
    "map": "[data-pane=map] [data-image=ready][data-arrows='1'][data-highlights='5'] canvas",
    "images": "[data-pane=images] [data-count='2'] img",
    "chat": "[data-pane=chat] table",
    "debug": "[data-pane=debug] .debug-row",
}
"""What must be visible in each pane before the picture is taken."""

WIDTH, HEIGHT, CHAT_STEPS = 1440, 900, 5
START_SECONDS, ANSWER_SECONDS, STOP_SECONDS = 60, 120, 10


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def desk() -> Iterator[str]:
    """A running server with an empty data folder; gives its URL."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    settings = {name: value for name, value in os.environ.items() if not name.startswith("SMOLDESK_")}
    with tempfile.TemporaryDirectory(prefix="smoldesk-") as folder:
        command = [
            "serve",
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
            "--data-dir",
            folder,
            "--model",
            "builtin",
        ]
        start = "from smoldesk.cli.main import main; main()"
        server = subprocess.Popen([sys.executable, "-c", start, *command], cwd=ROOT, env=settings)
        try:
            wait_until_healthy(server, url)
            yield url
        finally:
            server.send_signal(signal.SIGTERM)
            try:
                server.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def wait_until_healthy(server: "subprocess.Popen[bytes]", url: str) -> None:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise SystemExit(f"the server ended with code {server.returncode}")
        try:
            with direct.open(f"{url}/healthz", timeout=1):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise SystemExit(f"the server was not healthy after {START_SECONDS} s")


def ask(page: Page, prompt: str, asked: int) -> None:
    """Send one message and wait for its run to end; `asked` counts the questions up to this one."""
    composer = page.get_by_role("textbox", name="Message")
    composer.fill(prompt)
    composer.press("Enter")
    expect(page.locator(ENDED)).to_have_count(asked, timeout=ANSWER_SECONDS * 1000)
    turn = page.locator(TURN).last
    if turn.get_attribute("data-state") != "finished":
        raise SystemExit(f"the run did not finish well: {turn.inner_text()}")


def take(url: str, target: Path, theme: str) -> None:
    chromium = browser_support.find()
    if chromium is None:
        raise SystemExit(browser_support.reason())
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium), args=[*browser_support.FLAGS])
        page = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT},
            color_scheme="dark" if theme == "dark" else "light",
            locale="en",
        )
        page.goto(url)
        page.wait_for_selector(".connection[data-connection=open]")
        for number, prompt in enumerate(PROMPTS, start=1):
            ask(page, prompt, number)
        for pane, filled in FILLED.items():
            expect(page.locator(filled).first, f"the {pane} pane is empty").to_be_visible()
        page.wait_for_function(
            "() => [...document.querySelectorAll('.images-card img')].every((image) => image.complete && image.naturalWidth)"
        )
        for _ in range(CHAT_STEPS):  # as tall as the last turn
            page.get_by_role("separator", name="Height of the chat").press("ArrowDown")
        page.evaluate("() => document.activeElement.blur()")
        page.wait_for_timeout(500)  # what fades in has faded in
        target.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=str(target))
        browser.close()


def main() -> None:
    options = argparse.ArgumentParser(description="Take a picture of the page with all four panes filled.")
    options.add_argument("--to", type=Path, default=ROOT / "docs" / "page.png")
    options.add_argument("--theme", choices=("light", "dark"), default="light")
    chosen = options.parse_args()
    with desk() as url:
        take(url, chosen.to, chosen.theme)
    print(chosen.to)


if __name__ == "__main__":
    main()
