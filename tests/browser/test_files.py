"""Files into the chat: by the button, by dropping, and what is refused."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from tests.browser.conftest import Scripted
from tests.browser.desk_page import DeskPage, OpenPage
from tests.page_panes.pane_host import png
from tests.support.desk_server import LiveDesk
from tests.support.page_menu import from_menu
from tests.support.scripted_model import code

pytestmark = pytest.mark.browser

SALES = "region,units\nnorth,3\nsouth,5\nnorth,4\n"


def choose(desk: DeskPage, *files: Path) -> None:
    with desk.page.expect_file_chooser() as chooser:
        desk.page.get_by_role("button", name="Add a file").click()
    chooser.value.set_files(list(files))


def test_an_uploaded_table_is_a_chip_and_can_be_asked_about(
    analyst: LiveDesk, open_page: OpenPage, tmp_path: Path
) -> None:
    file = tmp_path / "sales.csv"
    file.write_text(SALES)
    desk = open_page(analyst.url)
    choose(desk, file)
    expect(desk.chips.locator(".chip-name")).to_have_text(["sales.csv"])
    expect(desk.page.locator(".aside")).to_contain_text("Added sales.csv")

    turn = desk.ask("Total units by region in sales")
    expect(turn.locator(".answer")).to_contain_text("7")
    with desk.page.expect_download() as download:
        desk.chips.locator("a").click()
    download.value.save_as(tmp_path / "back.csv")
    assert (tmp_path / "back.csv").read_text() == SALES

    desk.reload()
    expect(desk.chips.locator(".chip-name")).to_have_text(["sales.csv"])


def test_a_dropped_file_is_added_and_code_can_read_it(scripted: Scripted, open_page: OpenPage) -> None:
    scripted.script(code("final_answer(open('売上 2026.csv').read())"))
    desk = open_page(scripted.url)
    desk.drop("売上 2026.csv", SALES)
    expect(desk.chips.locator(".chip-name")).to_have_text(["売上 2026.csv"])
    expect(desk.ask("Read it").locator(".answer")).to_contain_text("south,5")


def test_a_question_brings_the_files_that_were_dropped_since_the_last_one(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url)
    desk.drop("first.csv", SALES)
    expect(desk.chips.locator("a .chip-size")).to_contain_text("3 rows")
    first = desk.ask("Total units by region")
    expect(first.locator(".attachment")).to_have_text(["first.csv"])
    desk.drop("second.csv", SALES.replace("5", "50"))
    desk.drop("photo.png", png(2, 2, (255, 0, 0)))
    expect(desk.chips.locator("a")).to_have_count(3)
    second = desk.ask("Total units by region")
    expect(second.locator(".attachment")).to_have_count(3)
    third = desk.ask("Units by region, highest first")
    expect(third.locator(".attachment")).to_have_count(0)
    desk.drop("other.png", png(2, 2, (0, 0, 255)))
    expect(desk.chips.locator("a")).to_have_count(4)
    picture = desk.ask("What is in this picture?")
    expect(picture.locator(".attachment")).to_have_text(["other.png"])
    expect(picture.locator(".answer")).to_contain_text("I cannot look at other.png")
    desk.reload()
    expect(desk.turns.last.locator(".attachment")).to_have_text(["other.png"])


def test_a_question_waits_for_the_file_that_is_being_read(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url)
    desk.drop("first.csv", SALES)
    expect(desk.chips.locator("a")).to_have_count(1)
    desk.page.route(re.compile("/uploads/"), lambda _: None)
    desk.drop("second.csv", SALES.replace("5", "50"))
    expect(desk.chips.locator(".chip-size").first).to_contain_text("sending")
    composer, note = desk.page.locator(".composer .field"), desk.page.locator(".composer-note")
    composer.fill("Highest units by region in second")
    composer.press("Enter")
    expect(note).to_contain_text("Will be sent when second.csv has been read")
    composer.press("!")
    expect(note).to_be_empty()
    composer.fill("Total units by region in second")
    composer.press("Enter")
    expect(note).not_to_be_empty()
    expect(composer).to_have_value("Total units by region in second")
    expect(desk.turns).to_have_count(0)

    desk.page.unroute(re.compile("/uploads/"))  # lets go of what was stopped
    expect(desk.turns.last.locator(".answer")).to_contain_text("50")
    expect(desk.turns.last.locator(".attachment")).to_have_text(["first.csv", "second.csv"])
    expect(composer).to_have_value("")


def test_a_question_is_kept_if_its_file_is_refused(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url)
    desk.forgive("the server responded with a status of 4")
    stopped: list[Route] = []
    desk.page.route(re.compile("/uploads$"), lambda route: stopped.append(route))
    desk.drop("sales.csv", SALES)
    composer, note = desk.page.locator(".composer .field"), desk.page.locator(".composer-note")
    composer.fill("Total units by region")
    composer.press("Enter")
    expect(note).not_to_be_empty()
    stopped[0].fulfill(status=413, json={"error": {"message": "The chat has no room.", "hint": ""}})
    expect(desk.page.locator(".chip-fault")).to_contain_text("The chat has no room.")
    expect(note).to_be_empty()
    expect(composer).to_have_value("Total units by region")
    expect(desk.turns).to_have_count(0)


def test_a_file_dropped_before_the_chat_is_known_goes_to_the_one_that_comes(
    scripted: Scripted, open_page: OpenPage
) -> None:
    desk = open_page(scripted.url)
    sockets: list[WebSocketRoute] = []
    locked: list[str | bytes] | None = []

    def hold(socket: WebSocketRoute) -> None:
        """Keep what the server says, until there is no list to keep it in."""
        sockets.append(socket)
        socket.connect_to_server().on_message(
            lambda message: socket.send(message) if locked is None else locked.append(message)
        )

    desk.page.route_web_socket(re.compile("/ws"), hold)
    desk.page.reload()
    desk.page.locator(".chat").wait_for()
    desk.drop("sales.csv", SALES)
    desk.drop("gone.csv", SALES)
    expect(desk.chips.locator(".chip-size")).to_have_text(
        ["waiting for the server", "waiting for the server"]
    )
    desk.page.get_by_role("button", name="Cancel gone.csv").click()
    from_menu(desk.page, "日本語で表示")
    expect(desk.chips.locator(".chip-size")).to_have_text(["サーバーの応答待ち"])

    stored, locked = locked, None
    for message in stored:
        sockets[-1].send(message)
    expect(desk.chips.locator("a")).to_have_attribute("download", "sales.csv")


def test_a_dropped_shift_jis_table_is_read_shown_with_its_rows_and_can_be_counted(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url)
    desk.drop("shops.csv", "店舗;売上\n東京;1,5\n大阪;2,25\n京都;3,0\n".encode("cp932"))
    expect(desk.chips.locator("a .chip-size")).to_contain_text("3 rows × 2 columns")
    expect(desk.page.locator(".aside")).to_contain_text("3 rows × 2 columns")
    expect(desk.ask("How many rows are in shops?").locator(".answer")).to_contain_text("3")
    desk.reload()
    expect(desk.chips.locator("a .chip-size")).to_contain_text("3 rows × 2 columns")


def test_a_broken_table_is_kept_and_the_page_says_what_is_wrong_where(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url, locale="ja-JP")
    desk.drop("broken.csv", "a,b\n1,2\n3,4,5\n")
    text = "3行目：この行の値は3個ですが、前の行は2個です"
    expect(desk.chips.locator(".chip-problem")).to_contain_text(text)
    expect(desk.page.locator(".file-problem")).to_contain_text(text)
    expect(desk.page.locator(".upload").get_by_text(text).filter(visible=True)).to_have_count(1)
    expect(desk.chips.locator("a")).to_have_attribute("download", "broken.csv")


@pytest.mark.parametrize(
    ("name", "size", "text"),
    [("empty.csv", 0, "empty"), ("large.csv", 1_200_000, "the limit is 1.0 MB")],
    ids=["empty", "too large"],
)
def test_a_refused_file_says_why_and_can_be_dismissed(
    scripted: Scripted, open_page: OpenPage, name: str, size: int, text: str
) -> None:
    desk = open_page(scripted.url)
    desk.forgive("the server responded with a status of 4")
    desk.drop(name, "x" * size)
    fault = desk.page.locator(".chip-fault")
    expect(fault).to_contain_text(name)
    expect(fault).to_contain_text(text)
    fault.get_by_role("button").click()
    expect(desk.chips).to_have_count(0)
    expect(desk.ask("Still there?").locator(".answer")).not_to_be_empty()
