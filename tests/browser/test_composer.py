"""Writing: the focus at load, drafts that are kept, commands, the sheet with the keys, files pasted and dropped."""

import json
import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Scripted
from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.page_menu import from_menu
from tests.support.waiting import until

pytestmark = pytest.mark.browser

PASTE = """([names, text]) => {
    const data = new DataTransfer();
    for (const name of names) data.items.add(new File(["a,b\\n1,2\\n"], name));
    if (text) data.setData("text/plain", text);
    const field = document.querySelector(".field");
    return field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}"""
DROP = """([selector, name]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["a,b\\n1,2\\n"], name));
    const to = document.querySelector(selector);
    const parts = ["dragenter", "dragover", "drop"].map((type) =>
        to.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true })));
    return { taken: !parts[2], shown: document.querySelector(".chat").dataset.drop ?? null };
}"""


@pytest.fixture
def desk(scripted: Scripted, open_page: OpenPage) -> DeskPage:
    return open_page(scripted.url)


def new_chat(desk: DeskPage) -> None:
    before = desk.chat_id()
    desk.page.get_by_role("button", name="New chat").click()
    until(desk.page, desk.chat_id, lambda now: now not in (before, "None"))


def options(desk: DeskPage) -> Locator:
    return desk.page.locator(".completions").get_by_role("option")


def sheet(desk: DeskPage) -> Locator:
    return desk.page.get_by_role("dialog", name="Keys and commands")


def test_one_can_write_as_soon_as_the_page_is_there(desk: DeskPage) -> None:
    expect(desk.composer).to_be_focused()
    desk.page.keyboard.press("Escape")
    expect(desk.composer).not_to_be_focused()
    desk.page.keyboard.press("/")
    expect(desk.composer).to_be_focused()
    expect(desk.composer).to_have_value("")
    desk.page.keyboard.type("?")
    expect(desk.composer).to_have_value("?")  # in the field it is a letter
    expect(sheet(desk)).to_have_count(0)


def test_each_chat_keeps_its_draft_over_a_reload(desk: DeskPage) -> None:
    desk.ask("One")
    desk.composer.fill("of the first\nin two lines")
    new_chat(desk)
    expect(desk.composer).to_have_value("")
    expect(desk.composer).to_be_focused()
    desk.composer.fill("of the second")
    desk.page.go_back()
    expect(desk.composer).to_have_value("of the first\nin two lines")
    desk.reload()
    expect(desk.composer).to_have_value("of the first\nin two lines")
    desk.page.go_forward()
    expect(desk.composer).to_have_value("of the second")
    from_menu(desk.page, "日本語で表示")
    expect(desk.composer).to_have_value("of the second")
    desk.composer.press("Enter")
    expect(desk.turns).to_have_count(1)
    desk.reload()
    expect(desk.composer).to_have_value("")


def test_a_slash_lists_the_commands_and_enter_runs_the_first(desk: DeskPage) -> None:
    desk.composer.press("/")
    expect(options(desk)).to_have_count(11)
    expect(options(desk).first).to_have_text("/newStart a new chat")
    expect(options(desk).first).to_have_attribute("aria-selected", "true")
    expect(desk.composer).to_have_attribute("aria-activedescendant", "completion-0")
    desk.composer.press_sequentially("ag")
    expect(options(desk)).to_have_text(["/agentChoose an agent"])
    desk.composer.press("Enter")
    expect(desk.page.get_by_role("menu")).to_be_visible()
    expect(desk.composer).to_have_value("")
    assert desk.turns.count() == 0

    desk.page.keyboard.press("Escape")
    desk.composer.fill("/chats")
    desk.composer.press("Enter")
    expect(desk.page.locator(".chats-drawer")).to_be_visible()


def test_the_command_new_begins_a_chat(desk: DeskPage) -> None:
    desk.ask("One")
    before = desk.chat_id()
    desk.composer.fill("/new")
    desk.composer.press("Enter")
    expect(desk.turns).to_have_count(0)
    until(desk.page, desk.chat_id, lambda now: now not in (before, "None"))
    desk.page.go_back()
    expect(desk.turns).to_have_count(1)
    expect(desk.composer).to_have_value("")


def test_the_command_export_hands_the_chat_over_in_the_form_that_is_chosen(desk: DeskPage) -> None:
    desk.composer.fill("/export")
    desk.composer.press("Enter")
    expect(desk.page.locator(".composer-fault")).to_have_text("This chat has no messages to save yet.")
    desk.ask("One / two")
    for choice, ending in (("Page (HTML)", "html"), ("Log (JSON Lines)", "jsonl")):
        desk.composer.fill("/export")
        desk.composer.press("Enter")
        sheet = desk.page.get_by_role("dialog", name="Export this chat")
        expect(sheet.get_by_label("Run the notebook's cells again")).to_be_hidden()
        sheet.get_by_label(choice).check()
        with desk.page.expect_download() as download:
            sheet.get_by_role("button", name="Save").click()
        expect(sheet).to_be_hidden()
        assert re.fullmatch(rf"One[ _]+two\.{ending}", download.value.suggested_filename)
    lines = [json.loads(line) for line in download.value.path().read_text("utf-8").splitlines()]
    assert lines[0]["smoldesk_log"] == 1
    assert [line["event"]["type"] for line in (lines[1], lines[-2])] == ["run_queued", "run_finished"]


def test_a_command_that_does_not_exist_is_not_sent_and_a_path_is(desk: DeskPage) -> None:
    desk.composer.fill("/exprot")
    desk.composer.press("Enter")
    fault = desk.page.locator(".composer-fault")
    expect(fault).to_have_text("There is no command /exprot. /help lists all commands.")
    expect(desk.composer).to_have_value("/exprot")
    assert desk.turns.count() == 0
    desk.composer.fill("/etc/hosts: what is it?")
    expect(fault).to_be_hidden()
    desk.composer.press("Enter")
    expect(desk.turns).to_have_count(1)


def test_a_question_mark_shows_all_keys_and_the_sheet_gives_the_focus_back(desk: DeskPage) -> None:
    desk.composer.fill("/help")
    desk.composer.press("Enter")
    expect(sheet(desk)).to_be_visible()
    expect(sheet(desk).get_by_role("heading", level=3)).to_have_count(9)
    desk.page.keyboard.press("Escape")
    expect(sheet(desk)).to_have_count(0)
    expect(desk.composer).to_be_focused()
    desk.page.keyboard.press("Escape")
    desk.page.keyboard.press("?")
    expect(sheet(desk)).to_be_visible()


def test_files_are_pasted_and_text_beside_a_picture_of_it_is_text(desk: DeskPage) -> None:
    assert desk.page.evaluate(PASTE, [["cells.png"], "1\t2"]) is True  # a spreadsheet means the text
    assert desk.page.evaluate(PASTE, [["rides.csv"], ""]) is False
    came = desk.chips.locator("a .chip-name")  # what is still being sent is no link
    expect(came).to_have_text("rides.csv")
    assert (
        desk.page.evaluate(PASTE, [["more.csv"], "/home/me/more.csv"]) is False
    )  # a file manager means the file
    expect(desk.chips.locator(".chip-name")).to_have_text(["more.csv", "rides.csv"])


def test_a_file_dropped_anywhere_but_on_the_map_goes_to_the_chat(desk: DeskPage) -> None:
    for selector, name in ((".top-bar", "bar.csv"), ("#pane-debug", "debug.csv"), (".chat", "chat.csv")):
        assert desk.page.evaluate(DROP, [selector, name]) == {"taken": True, "shown": None}
        expect(desk.chips.locator(".chip-name").filter(has_text=name)).to_be_visible()


def test_the_fault_of_an_upload_stays_in_its_chat(desk: DeskPage) -> None:
    desk.forgive("413")
    desk.ask("One")
    desk.drop("large.csv", b"x" * 1_100_000)
    fault = desk.page.locator(".chip-fault")
    expect(fault).to_contain_text("large.csv")
    new_chat(desk)
    expect(desk.turns).to_have_count(0)
    expect(fault).to_have_count(0)
