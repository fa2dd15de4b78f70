"""A person's own code from the page: edited where it stands, run in the agent's variables, by mouse and by keyboard."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Scripted
from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.scripted_model import code

pytestmark = pytest.mark.browser

SETS = code("total = 40\nprint('set')\nfinal_answer('It is 40.')")


def answered(scripted: Scripted, open_page: OpenPage, **how: object) -> tuple[DeskPage, Locator]:
    """A page with one answer, whose step stands open."""
    scripted.script(SETS, code("final_answer(total)"))
    desk = open_page(scripted.url, **how)  # pyright: ignore[reportArgumentType]
    turn = desk.ask("Add it up")
    turn.locator("summary.step-head").click()
    return desk, turn


def test_code_of_a_step_is_edited_and_run_in_the_same_variables(
    scripted: Scripted, open_page: OpenPage
) -> None:
    desk, turn = answered(scripted, open_page)
    turn.get_by_role("button", name="Edit and run").click()
    field = turn.get_by_role("textbox", name="Code to run with the chat's variables")
    expect(field).to_be_focused()
    expect(field).to_have_value("total = 40\nprint('set')\nfinal_answer('It is 40.')")
    field.fill("total = total + 2\nprint('now', total)\ntotal")
    field.press("Enter")
    expect(field).to_have_value("total = total + 2\nprint('now', total)\ntotal\n")
    field.press("Control+Enter")
    mine = desk.turns.nth(1)
    desk.closed(mine)
    expect(mine.locator(".question")).to_have_text("You ran this code")
    expect(mine.locator(".code-text")).to_contain_text("total = total + 2")
    expect(mine.locator(".printed-text")).to_contain_text("now 42")
    expect(mine.locator(".answer")).to_have_text("42")
    expect(field).to_have_count(0)
    expect(turn.locator(".code-text")).to_contain_text("total = 40")
    assert desk.ask("What is it now?").locator(".answer").inner_text() == "42"
    desk.reload()
    expect(desk.turns.nth(1).locator(".printed-text")).to_contain_text("now 42")
    expect(desk.turns.locator(".answer")).to_have_text(["It is 40.", "42", "42"])


def test_run_again_runs_it_as_it_stands(scripted: Scripted, open_page: OpenPage) -> None:
    desk, turn = answered(scripted, open_page)
    turn.get_by_role("button", name="Run again").click()
    mine = desk.turns.nth(1)
    desk.closed(mine)
    expect(mine.locator(".answer")).to_have_text("It is 40.")
    mine.locator(".turn-actions").get_by_role("button", name="Run again").click()
    desk.closed(desk.turns.nth(2))


def test_the_keyboard_alone_does_it_and_escape_leaves_it(scripted: Scripted, open_page: OpenPage) -> None:
    desk, turn = answered(scripted, open_page)
    edit = turn.get_by_role("button", name="Edit and run")
    edit.focus()
    desk.page.keyboard.press("Enter")
    field = turn.get_by_role("textbox")
    expect(field).to_be_focused()
    desk.page.keyboard.type("  # more")
    desk.page.keyboard.press("Escape")
    expect(field).to_have_count(0)
    expect(edit).to_be_focused()
    expect(turn.locator(".code-text")).not_to_contain_text("more")
    assert desk.turns.count() == 1


def test_code_that_fails_says_so_and_can_be_mended(scripted: Scripted, open_page: OpenPage) -> None:
    desk, turn = answered(scripted, open_page)
    turn.get_by_role("button", name="Edit and run").click()
    turn.get_by_role("textbox").fill("total / 0")
    turn.get_by_role("button", name="Run", exact=True).click()
    mine = desk.turns.nth(1)
    desk.closed(mine, "failed")
    expect(mine.locator(".fault")).to_contain_text("ZeroDivisionError")
    mine.locator(".turn-actions").get_by_role("button", name="Edit").click()
    field = mine.get_by_role("textbox")
    field.fill("total / 4")
    field.press("Control+Enter")
    desk.closed(desk.turns.nth(2))
    expect(desk.turns.nth(2).locator(".answer")).to_have_text("10.0")


def test_while_the_chat_works_it_is_refused_and_what_was_written_stays(
    scripted: Scripted, open_page: OpenPage
) -> None:
    desk, turn = answered(scripted, open_page)
    scripted.script(scripted.held(code("final_answer('done')")))
    working = desk.say("work")
    turn.get_by_role("button", name="Edit and run").click()
    field = turn.get_by_role("textbox")
    field.fill("total + 1")
    field.press("Control+Enter")
    expect(turn.get_by_role("alert")).to_contain_text("The chat is still running")
    expect(field).to_have_value("total + 1")
    scripted.gate.set()
    desk.closed(working)
    field.press("Control+Enter")
    desk.closed(desk.turns.nth(2))
    expect(desk.turns.nth(2).locator(".answer")).to_have_text("41")


def test_nothing_is_not_run(scripted: Scripted, open_page: OpenPage) -> None:
    desk, turn = answered(scripted, open_page)
    turn.get_by_role("button", name="Edit and run").click()
    turn.get_by_role("textbox").fill("  ")
    turn.get_by_role("textbox").press("Control+Enter")
    expect(turn.get_by_role("alert")).to_contain_text("There is no code to run")
    assert desk.turns.count() == 1


def test_on_a_phone_it_works_in_the_width_there_is(scripted: Scripted, open_page: OpenPage) -> None:
    desk, turn = answered(scripted, open_page, size=(390, 844))
    turn.get_by_role("button", name="Edit and run").click()
    field = turn.get_by_role("textbox")
    field.fill("total")
    turn.get_by_role("button", name="Run", exact=True).click()
    mine = desk.turns.nth(1)
    desk.closed(mine)
    expect(mine.locator(".answer")).to_have_text("40")
    assert desk.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_an_agent_without_python_offers_none_of_it(scripted: Scripted, open_page: OpenPage) -> None:
    desk, turn = answered(scripted, open_page)
    expect(turn.get_by_role("button", name="Edit and run")).to_be_visible()
    desk.page.evaluate(
        "async (chat) => { await fetch(`/api/chats/${chat}`, { method: 'PATCH', body: JSON.stringify({ agent: 'demo' }),"
        " headers: { 'content-type': 'application/json' } }); }",
        desk.chat_id(),
    )
    expect(turn.get_by_role("button", name=re.compile("Edit and run|Run again"))).to_have_count(0)
