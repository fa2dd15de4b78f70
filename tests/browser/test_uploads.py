"""Large files from the page: how far they are, what makes them wait or stop, and that they go on."""

import json
import re
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Request, Route, expect

from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.desk_server import DeskProcess, LiveDesk
from tests.support.waiting import see

pytestmark = pytest.mark.browser
SIZE = 6_000_000
SECOND = 600_000
"""Bytes that the browser sends in one."""


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A large file that nothing reads."""
    file = tmp_path_factory.mktemp("files") / "notes.txt"
    file.write_text("0123456789\n" * (SIZE // 11))
    return file


def choose(desk: DeskPage, *files: Path) -> None:
    desk.page.locator("input[type=file]").set_input_files(list(files))


def slow(desk: DeskPage, upload: int = SECOND) -> None:
    protocol = desk.page.context.new_cdp_session(desk.page)
    protocol.send("Network.enable")
    limits = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": upload}
    protocol.send("Network.emulateNetworkConditions", limits)


def offsets(desk: DeskPage) -> list[int]:
    """Where the pieces begin that are sent from now on."""
    results: list[int] = []

    def sent(request: Request) -> None:
        if request.method == "PATCH":
            results.append(int(request.headers["upload-offset"]))

    desk.page.on("request", sent)
    return results


def test_an_upload_waits_for_a_desk_that_was_killed_and_goes_on_also_after_a_reload(
    open_page: OpenPage, notes: Path, tmp_path: Path, free_port: int
) -> None:
    environment = {"SMOLDESK_ALLOW_UNISOLATED": "true"}
    with ExitStack() as stack:

        def started() -> DeskProcess:
            process = DeskProcess(tmp_path / "data", free_port, environment)
            stack.callback(process.close)
            process.wait_until_up()
            return process

        first = started()
        desk = open_page(first.url)
        desk.forgive("ERR_CONNECTION")
        text = desk.chips.locator(".chip-size")
        slow(desk)
        choose(desk, notes)
        expect(text).to_have_text(re.compile(r"sending [3-9]\d%"))
        first.kill()
        expect(text).to_have_text(re.compile(r"waiting for the server \d+%"))
        opened = offsets(desk)
        started()
        expect(text).to_have_text(re.compile(r"sending [4-9]\d%"))
        assert opened[0] > 0, "what had come was not sent again"

        desk.reload()
        expect(desk.chips).to_have_count(0)
        slow(desk, -1)
        opened = offsets(desk)
        choose(desk, notes)
        expect(desk.chips.locator("a")).to_have_attribute("download", "notes.txt")
        assert opened[0] > SIZE // 5
        (stored,) = (tmp_path / "data" / "chats").glob("*/notes.txt")
        assert stored.read_bytes() == notes.read_bytes()
        assert desk.page.evaluate("Object.keys(localStorage).filter((key) => key.includes('upload'))") == []


def test_several_go_at_once_one_is_cancelled_and_a_full_disk_is_waited_for(
    analyst: LiveDesk, open_page: OpenPage, notes: Path, tmp_path: Path
) -> None:
    full = True
    removed: list[str] = []

    def patch(route: Route) -> None:
        nonlocal full
        if route.request.method == "GET" and route.request.url in (removed or [route.request.url]):
            removed[:] = [route.request.url]
            # as if the file had been removed before its end was heard
            return route.fulfill(status=404, body="{}")
        if route.request.method == "PATCH" and route.request.post_data == "small" and full:
            error = {"code": "disk_full", "message": "The disk has no room.", "hint": "Make room."}
            full = False
            return route.fulfill(status=507, body=json.dumps({"error": error}))
        return route.continue_()

    small = tmp_path / "small.txt"
    small.write_text("small")
    desk = open_page(analyst.url, locale="ja-JP")
    desk.forgive("status of 507")
    desk.forgive("status of 404")
    slow(desk, 500_000)
    desk.page.route("**/uploads/*", patch)
    choose(desk, notes, small)
    expect(desk.chips.filter(has_text="small.txt")).to_contain_text("The disk has no room. Make room.")
    expect(desk.chips.filter(has_text="notes.txt")).to_contain_text("送信中")
    # sent anew; here the first is there, too
    expect(desk.chips.locator("a[download='small (2).txt']")).to_have_count(1)
    partials = analyst.desk.data_dir.partials
    desk.page.get_by_role("button", name="notes.txtの追加をキャンセル").click()
    expect(desk.chips.locator(".chip-name")).to_have_text(["small (2).txt", "small.txt"])
    see(
        desk.page,
        lambda: any(not json.loads(p.read_text())["file_id"] for p in partials.glob("*.json")),
        False,
    )
