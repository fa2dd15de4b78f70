"""A program in a terminal, met on the page: chosen, spoken to, asked by, and gone wrong."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.asking_programs import write_agents
from tests.support.desk_server import LiveDesk, live_desk

pytestmark = pytest.mark.browser


@pytest.fixture
def desk(analyst: LiveDesk, open_page: OpenPage) -> Iterator[DeskPage]:
    """A new chat, in which the demo program was chosen before anything was said."""
    page = open_page(analyst.url)
    page.page.locator(".agent-button").click()
    page.page.get_by_role("menuitemradio", name=re.compile("^demo(?!-)")).click()
    expect(page.page.get_by_role("button", name="Agent: demo", exact=True)).to_be_visible()
    yield page


def card(turn: Locator) -> Locator:
    return turn.locator(".ask[data-state=open]")


def test_a_program_answers_with_its_own_lines_and_a_reload_keeps_them(desk: DeskPage) -> None:
    turn = desk.ask("hello there,  you   two")
    expect(turn.locator(".program-text")).to_have_text("hello there,  you   two", use_inner_text=True)
    expect(turn.locator(".status-words")).to_contain_text("Done in")
    desk.reload()

    expect(desk.page.get_by_role("button", name="Agent: demo", exact=True)).to_be_visible()
    expect(desk.page.locator(".program-text")).to_have_text("hello there,  you   two", use_inner_text=True)


def test_a_block_of_code_is_code(desk: DeskPage) -> None:
    turn = desk.ask("```python\nprint(1)\n```")

    expect(turn.locator(".blocks > .code-block")).to_contain_text("print(1)")


@pytest.mark.parametrize(("name", "message"), [("Yes y", "Confirmed."), ("No n", "Not confirmed.")])
def test_a_program_is_told_what_the_person_chose(desk: DeskPage, name: str, message: str) -> None:
    turn = desk.say("please confirm the order")
    expect(card(turn).locator(".ask-prompt")).to_have_text("Continue? (y/n):")
    card(turn).get_by_role("button", name=name).click()

    desk.closed(turn)
    expect(turn.locator(".program-text").last).to_have_text(message)


def test_a_password_reaches_the_program_and_nothing_else(desk: DeskPage) -> None:
    turn = desk.say("secret")
    field = card(turn).get_by_label("Password")
    field.fill("hunter2-x")
    field.press("Enter")
    desk.closed(turn)
    expect(turn.locator(".program-text").last).to_contain_text("9 characters")

    assert "hunter2-x" not in desk.page.content()
    desk.reload()
    expect(desk.turns.locator(".ask")).to_have_attribute("data-state", "granted")
    assert "hunter2-x" not in desk.page.content()


def test_a_program_that_ends_says_with_which_code_and_the_next_message_starts_it_again(
    desk: DeskPage,
) -> None:
    turn = desk.ask("crash", "failed")
    expect(turn.locator(".fault")).to_contain_text("code 3")

    expect(desk.ask("still there").locator(".program-text")).to_have_text("still there")


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    folder = tmp_path_factory.mktemp("programs")
    write_agents(folder)
    with live_desk(folder) as live:
        yield live


def with_program(open_page: OpenPage, programs: LiveDesk, name: str) -> DeskPage:
    page = open_page(programs.url)
    page.page.locator(".agent-button").click()
    page.page.get_by_role("menuitemradio", name=re.compile(f"^{name}(?!-)")).click()
    return page


def answer(turn: Locator, text: str) -> None:
    """Answer the open question in its field, or by its choice of that name."""
    opened = card(turn)
    expect(opened).to_be_visible()
    number = turn.locator(".ask").count()
    if opened.get_by_role("radio").count():
        opened.get_by_role("radio", name=text).check()
        opened.get_by_role("button").first.click()
    else:
        opened.locator(".ask-field").fill(text)
        opened.locator(".ask-field").press("Enter")
    expect(turn.locator(".ask:not([data-state=open])")).to_have_count(number)


def test_the_fields_of_a_form_are_answered_on_the_page(programs: LiveDesk, open_page: OpenPage) -> None:
    desk = with_program(open_page, programs, "fields")
    turn = desk.say("make it")
    expect(card(turn).locator(".ask-prompt")).to_have_text("? What is the project called?")
    answer(turn, "app1")
    expect(card(turn).locator(".ask-field")).to_have_value("myproj")
    answer(turn, "slug1")

    desk.closed(turn)
    expect(turn).to_contain_text("RESULT app1 slug1")


def test_a_choice_of_a_full_screen_menu_is_chosen_on_the_page(
    programs: LiveDesk, open_page: OpenPage
) -> None:
    desk = with_program(open_page, programs, "menu")
    turn = desk.say("go")
    answer(turn, "Rust")

    desk.closed(turn)
    expect(turn).to_contain_text("RESULT Rust")


def test_a_shell_goes_on_with_the_interpreter_that_it_runs(programs: LiveDesk, open_page: OpenPage) -> None:
    desk = with_program(open_page, programs, "shell")
    desk.ask("python3 -q")
    turn = desk.say("name = input('slug (myproj): ')")
    answer(turn, "demo")
    desk.closed(turn)

    expect(desk.ask("print(name * 2)").locator(".program-text")).to_have_text("demodemo")


def test_the_debug_pane_shows_the_screen(desk: DeskPage) -> None:
    desk.ask("hello screen")
    desk.page.locator(".debug-row:has-text('debug')").last.click()

    expect(desk.page.locator(".terminal-screen")).to_contain_text("hello screen")
    expect(desk.page.locator(".debug-detail")).to_have_attribute("data-print", "terminal")


def test_the_analyst_answers_again_when_it_is_chosen_again(desk: DeskPage) -> None:
    desk.ask("hello")
    desk.page.locator(".agent-button").click()
    desk.page.get_by_role("menuitemradio", name="code").click()
    expect(desk.page.get_by_role("button", name="Agent: code · builtin")).to_be_visible()
    desk.ask("Highlight Room1 in red")

    desk.see_map(floor="1F", highlights=1)
