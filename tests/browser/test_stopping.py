"""Stop, the queue, and models that fail: what a person sees and can do."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Scripted
from tests.browser.desk_page import OpenPage
from tests.support.scripted_model import code

pytestmark = pytest.mark.browser

ANSWER = code("final_answer('Still here.')")
LOOP = code("kept = 41\nprint('looping')\nwhile True:\n    pass")
C_CALL = code("import itertools\nkept = 41\nprint('summing')\nsum(itertools.repeat(1))")


def test_stop_ends_a_loop_and_keeps_the_variables(scripted: Scripted, open_page: OpenPage) -> None:
    scripted.script(LOOP, code("final_answer(f'It is {kept + 1}.')"))
    desk = open_page(scripted.url)
    turn = desk.say("Loop for ever")
    expect(turn.locator(".printed-text")).to_have_text("looping")
    expect(turn.locator(".status-words")).to_have_text("Step 1: running code")
    desk.stop.click()
    desk.closed(turn, "cancelled")
    expect(turn.locator(".ended")).to_contain_text("Stopped. Results up to this point are kept.")
    expect(desk.stop).to_be_hidden()

    following = desk.ask("And now?")
    expect(following.locator(".answer")).to_have_text("It is 42.")
    expect(following.locator(".notes")).to_be_empty()


def test_stop_ends_a_c_call_and_says_that_variables_are_gone(scripted: Scripted, open_page: OpenPage) -> None:
    scripted.script(C_CALL, ANSWER)
    desk = open_page(scripted.url)
    turn = desk.say("Sum for ever")
    expect(turn.locator(".printed-text")).to_have_text("summing")
    desk.watch(turn)
    desk.stop.click()
    desk.closed(turn, "cancelled")
    assert "stopping | Stopping | true" in desk.went_through()

    following = desk.ask("And now?")
    expect(following.locator(".answer")).to_have_text("Still here.")
    expect(following.locator(".notes")).to_contain_text("The variables of earlier code are gone")
    expect(desk.page.locator(".log").get_by_text("The variables of earlier code are gone")).to_have_count(1)
    message = desk.said()
    desk.reload()
    expect(desk.turns).to_have_count(2)
    desk.see_said(message)


def test_a_stopped_question_can_be_asked_again(scripted: Scripted, open_page: OpenPage) -> None:
    scripted.script(LOOP, ANSWER)
    desk = open_page(scripted.url)
    turn = desk.say("Loop, then answer")
    expect(turn.locator(".printed-text")).to_have_text("looping")
    desk.stop.click()
    desk.closed(turn, "cancelled")
    turn.get_by_role("button", name="Try again").click()
    expect(desk.turns).to_have_count(2)
    desk.closed(desk.turns.nth(1))
    expect(desk.turns.nth(1).locator(".question")).to_contain_text("Loop, then answer")


def test_a_second_message_waits_its_turn_and_is_then_answered(
    scripted: Scripted, open_page: OpenPage
) -> None:
    scripted.script(scripted.held(code("final_answer('first')")), code("final_answer('later')"))
    desk = open_page(scripted.url)
    first = desk.say("One")
    expect(first.locator(".status-words")).to_have_text("Step 1: thinking")
    second = desk.say("Two")
    expect(second.locator(".status-words")).to_have_text("Queued, next in line")
    third = desk.say("Three")
    expect(third.locator(".status-words")).to_have_text("Queued, 2 ahead")
    third.get_by_role("button", name="Remove from the queue").click()
    desk.closed(third, "cancelled")
    expect(second).to_have_attribute("data-state", "queued")

    desk.reload()
    expect(second.locator(".status-words")).to_have_text("Queued, next in line")

    scripted.gate.set()
    desk.closed(first)
    desk.closed(second)
    expect(first.locator(".answer")).to_have_text("first")
    expect(second.locator(".answer")).to_have_text("later")
    expect(second.locator("button", has_text="Remove")).to_have_count(0)
    expect(third).to_have_attribute("data-state", "cancelled")


def test_a_model_that_raises_shows_its_error_and_retry_works_when_it_is_well(
    scripted: Scripted, open_page: OpenPage
) -> None:
    scripted.script(RuntimeError("the model fell over"), ANSWER)
    desk = open_page(scripted.url)
    turn = desk.ask("Will you fall over?", state="failed")
    fault = turn.locator(".fault")
    expect(fault).to_have_count(1)
    expect(fault).to_be_visible()
    expect(fault).to_contain_text("Results up to this point are kept")
    message = desk.said()
    desk.reload()
    expect(desk.turns).to_have_count(1)
    desk.see_said(message)

    turn.get_by_role("button", name="Try again").click()
    expect(desk.turns).to_have_count(2)
    desk.closed(desk.turns.nth(1))
    expect(desk.turns.nth(1).locator(".answer")).to_have_text("Still here.")


def test_a_model_that_never_ends_reaches_the_step_limit_and_says_so(
    scripted: Scripted, open_page: OpenPage
) -> None:
    scripted.script(code("print('again')"))
    desk = open_page(scripted.url)
    turn = desk.say("Go on for ever")
    desk.closed(turn, "failed")
    expect(turn.locator(".code-block")).to_have_count(4)
    fault = turn.locator(".fault").last
    expect(fault.locator(".fault-what")).to_have_text(
        "The agent reached its limit of 4 steps without an answer."
    )
    expect(fault.locator(".fault-hint")).to_contain_text("SMOLDESK_MAX_STEPS")


def test_code_that_raises_shows_its_error_and_the_run_goes_on(
    scripted: Scripted, open_page: OpenPage
) -> None:
    scripted.script(code("1 / 0"), ANSWER)
    desk = open_page(scripted.url)
    turn = desk.ask("Divide")
    expect(turn.locator(".fault")).to_contain_text("ZeroDivisionError")
    expect(turn.locator(".answer")).to_have_text("Still here.")
