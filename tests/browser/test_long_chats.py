"""A chat of 500 turns: the page has the content of those near the window, and every turn is reached."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.long_chat import QUESTION, import_long_chat
from tests.support.scripted_model import ScriptedModel, code

pytestmark = pytest.mark.browser

TURNS = 500
MOST_NODES = 8000
ANSWER = "print(12)\nfinal_answer('Twenty rows.\\n\\n' + '\\n'.join(f'- row {n}' for n in range(20)))"


def nodes(desk: DeskPage) -> int:
    return desk.page.evaluate("document.querySelectorAll('*').length")


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveDesk]:
    replies = ("One more.", "Another one.")
    model = ScriptedModel([code(ANSWER), *(code(f"final_answer({reply!r})") for reply in replies)])
    with live_desk(tmp_path, lambda: model) as desk:
        yield desk


def test_a_long_chat_has_few_nodes_and_every_turn_is_reached(live: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(live.url)
    desk.ask(QUESTION)
    of_one = desk.turns.first.evaluate("turn => turn.querySelectorAll('*').length")
    assert of_one * TURNS > 2 * MOST_NODES  # else this shows nothing
    chat_id, _ = import_long_chat(live.url, desk.chat_id(), TURNS)

    page = open_page(f"{live.url}/#chat={chat_id}", opener=desk)
    expect(page.turns).to_have_count(TURNS)
    last = page.turns.nth(TURNS - 1)
    expect(last.locator(".answer")).to_contain_text("Twenty rows.")
    expect(last).to_be_in_viewport()
    assert nodes(page) <= MOST_NODES

    # up through the chat: what comes near has its content, what was left has it no more
    log = page.page.locator(".log")
    for number in (400, 250, 100, 0):
        log.evaluate("(log, number) => log.querySelectorAll('.turn')[number].scrollIntoView()", number)
        expect(page.turns.nth(number).locator(".answer")).to_be_in_viewport()
        expect(page.turns.nth(number).locator(".question")).to_contain_text(f"question {number}")
        assert nodes(page) <= MOST_NODES

    # an event of the debug pane and a link show a turn that has no content
    far = page.turns.nth(300)
    run_id = far.get_attribute("data-run")
    expect(far.locator(".answer")).to_have_count(0)
    page.page.evaluate("run => { location.hash += `&turn=${run}`; }", run_id)
    expect(far).to_have_attribute("data-linked", "")
    expect(far.locator(".answer")).to_be_in_viewport()

    # a field that is open stays, however far the reader goes
    far.hover()
    far.get_by_role("button", name="Edit").click()
    far.get_by_role("textbox", name="Message of this turn").fill("half a thought")
    page.page.locator(".composer textarea").focus()
    log.evaluate("log => { log.scrollTop = 0; }")
    expect(page.turns.nth(0).locator(".answer")).to_be_in_viewport()
    expect(far.locator(".edit textarea")).to_have_value("half a thought")
    far.locator(".edit textarea").press("Escape")
    page.ask("and one more")
    expect(page.turns.nth(TURNS).locator(".answer")).to_have_text("One more.")

    # another version takes the place of the one that is shown, with the focus
    newest = page.turns.nth(TURNS)
    newest.hover()
    newest.get_by_role("button", name="Answer again").click()
    expect(newest.locator(".answer")).to_have_text("Another one.")
    page.closed(newest)
    newest.get_by_role("button", name="Older version").press("Enter")
    expect(newest.locator(".answer")).to_have_text("One more.")
    expect(newest.get_by_role("button", name="Newer version")).to_be_focused()
    assert nodes(page) <= MOST_NODES
