"""A log in the page: played by `smoldesk replay`, and opened in a desk, where it is a chat to go on with."""

import re
import signal
import tempfile
import time
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.browser.conftest import Scripted
from tests.browser.desk_page import OpenPage
from tests.support.desk_server import SERVING, written
from tests.support.page_menu import from_menu
from tests.support.waiting import see, until
from tests.support.warm import ROOT, clean_environment, started

pytestmark = pytest.mark.browser
LOG = ROOT / "tests" / "fixtures" / "logs" / "version-1.jsonl"
WITHIN = 60


def test_a_log_plays_in_all_panes_with_keys_a_scrub_bar_and_a_speed_and_nothing_else_can_be_done(
    browser: Browser,
) -> None:
    with tempfile.TemporaryFile() as message:
        process = started(
            SERVING,
            ["replay", str(LOG), "--no-browser"],
            cwd=ROOT,
            env=clean_environment(),
            stdout=message,
            stderr=message,
        )
        try:
            deadline = time.monotonic() + WITHIN
            while (match := re.search(r"http://\S+replay=only", written(message))) is None:
                assert process.poll() is None and time.monotonic() < deadline, written(message)
                time.sleep(0.05)
            _played(browser, match[0])
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(WITHIN) == 0


def _chat_text(page: Page) -> str:
    """Return the chat's text, including turns out of sight, without action buttons and file cards, which load later."""
    return page.get_by_role("log").evaluate("""log => {
        const copy = log.cloneNode(true);
        copy.querySelectorAll(".turn-actions, .upload-body, [hidden]").forEach((tools) => tools.remove());
        return copy.textContent;
    }""")


def _played(browser: Browser, url: str) -> None:
    faults: list[str] = []
    page = browser.new_page(locale="ja-JP", viewport={"width": 1440, "height": 900})
    page.on("console", lambda item: faults.append(item.text) if item.type in ("error", "warning") else None)
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.goto(url)
    bar, count = page.locator(".replay"), page.locator(".replay-count")
    turns = page.locator(".turn[data-run]")
    expect(bar.locator(".replay-label")).to_have_text("リプレイ")
    expect(turns).to_have_count(1)
    total = len(httpx.get(f"{url.partition('#')[0]}api/chats/{_chat_of(url)}/messages").text.splitlines())
    until(page, lambda: count.inner_text(), lambda now: now.endswith(f"/ {total}"))

    page.keyboard.press("End")
    expect(count).to_have_text(f"{total} / {total}")
    expect(turns).to_have_count(5)
    expect(page.locator(".turn").first.locator(".answer")).to_contain_text("件数が最も大きいのは")
    expect(page.locator(".images-card img").first).to_be_visible()
    natural = "one => one.complete && one.naturalWidth"
    until(page, lambda: page.locator(".images-card img").first.evaluate(natural), lambda width: width > 0)
    expect(page.locator(".debug-row").last).to_contain_text("failed")
    page.locator(".map-viewer").get_by_text("Kitchen").first.wait_for()
    cards = page.locator(".upload-body:not([hidden])")
    expect(cards.locator(".upload-card:not([aria-busy])")).to_have_count(cards.count())
    complete = _chat_text(page)

    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Shift+ArrowLeft")
    expect(turns).to_have_count(4)
    before = count.inner_text()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(count).to_have_text(before)
    bar.get_by_role("slider").evaluate("one => { one.value = 9; one.dispatchEvent(new Event('input')); }")
    expect(count).to_have_text(f"9 / {total}")
    expect(turns).to_have_count(1)
    expect(page.locator(".images-card")).to_have_count(0)

    bar.get_by_role("combobox").select_option("10")
    page.keyboard.press("Home")
    page.locator("body").press(" ")
    expect(count).to_have_text(f"{total} / {total}", timeout=WITHIN * 1000)
    # played, it is what it was at once; a card of a file may still be on its way
    see(page, lambda: _chat_text(page), complete)

    expect(page.locator(".composer")).to_be_hidden()
    expect(page.get_by_role("button", name=re.compile("再実行"))).to_have_count(0)
    home = url.partition("#")[0]
    refused = httpx.post(f"{home}api/chats", json={})
    assert refused.status_code == 403 and refused.json()["error"]["code"] == "read_only"
    with pytest.raises(InvalidStatus, match="403"), connect(f"ws{home.removeprefix('http')}ws"):
        pass
    assert httpx.post(f"{home}mcp", json={}).status_code == 403
    assert faults == []
    page.close()


def _chat_of(url: str) -> str:
    return url.partition("chat=")[2].partition("&")[0]


def test_a_log_is_opened_in_the_page_played_and_gone_on_with(
    scripted: Scripted, open_page: OpenPage, tmp_path: Path
) -> None:
    desk = open_page(scripted.url)
    page = desk.page
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(LOG.read_bytes()[:-60])
    (tmp_path / "other.jsonl").write_text("not a log")

    def choose(path: Path) -> None:
        page.get_by_role("button", name=re.compile("^Chats")).click()
        with page.expect_file_chooser() as chooser:
            page.locator(".chats-drawer").get_by_role("button", name="Open a log").click()
        chooser.value.set_files(path)

    desk.forgive("400 (Bad Request)")
    desk.forgive("404 (Not Found)")  # the plot that was cut away
    choose(tmp_path / "other.jsonl")
    refused = page.get_by_role("dialog", name="The log could not be opened")
    expect(refused).to_contain_text("This is not a log of smoldesk.")
    refused.get_by_role("button", name="Later").click()

    choose(cut)
    page.get_by_role("dialog", name="The log is incomplete").get_by_role(
        "button", name="Open this part"
    ).click()
    expect(page.get_by_text("Files missing from the log: 1.")).to_be_visible()
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".replay-label")).to_have_text("Replay")
    expect(desk.turns).to_have_count(1)
    expect(page.locator(".composer")).to_be_hidden()
    page.get_by_role("button", name="Close the replay").click()

    expect(page.locator(".composer")).to_be_visible()
    desk.connected()
    expect(desk.turns).to_have_count(5)
    expect(page.get_by_role("log").get_by_text("Imported from a log")).to_contain_text("which was cut")
    from_menu(page, "日本語")
    expect(page.get_by_role("log").get_by_text("からインポートしました")).to_contain_text(
        "途中で切れています"
    )
    from_menu(page, "Show in English")
    scripted.script("Thought.\n<code>final_answer(open('売上.csv').read()[:2])</code>")
    expect(desk.ask("What is in the file?").locator(".answer")).to_contain_text("店舗")
