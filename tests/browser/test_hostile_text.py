"""Text from models, code, files and people is shown as text, wherever it turns up."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Scripted
from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.scripted_model import code

pytestmark = pytest.mark.browser

IMAGE = "<img src=x onerror=window.taken=1>"
SCRIPT = "<script>window.taken=2</script>"
ATTACK = f"{IMAGE}{SCRIPT}"


@pytest.fixture
def desk(scripted: Scripted, open_page: OpenPage) -> DeskPage:
    return open_page(scripted.url)


def untouched(desk: DeskPage) -> None:
    """Nothing of an attack became part of the document, now or after a reload."""
    for again in (False, True):
        if again:
            desk.reload()
            expect(desk.turns.last).to_have_attribute("aria-busy", "false")
        text = "document.querySelectorAll('[onerror], [onload], img[src=x], body script, iframe').length"
        assert desk.page.evaluate(text) == 0
        assert desk.page.evaluate("window.taken") is None


def test_markup_in_a_question_stays_text(desk: DeskPage, scripted: Scripted) -> None:
    scripted.script(code("final_answer('fine')"))
    turn = desk.ask(ATTACK)
    expect(turn.locator(".question")).to_contain_text(ATTACK)
    expect(desk.page.locator(".chat-title")).to_contain_text("<img src=x")
    untouched(desk)


def test_markup_in_thoughts_code_prints_and_answers_stays_text(desk: DeskPage, scripted: Scripted) -> None:
    body = f"print({ATTACK!r})\nfinal_answer({f'{ATTACK} [link](javascript:window.taken=3)'!r})"
    scripted.script(code(body, thought=f"I think {ATTACK}."))
    turn = desk.ask("Attack")
    expect(turn.locator(".thought")).to_contain_text(IMAGE)
    expect(turn.locator(".code-text")).to_contain_text(ATTACK)
    expect(turn.locator(".printed-text")).to_have_text(ATTACK)
    expect(turn.locator(".answer")).to_contain_text("link")
    for link in turn.locator(".answer a").all():
        assert not (link.get_attribute("href") or "").startswith("javascript")
    untouched(desk)


def test_markup_in_tables_stays_text(desk: DeskPage, scripted: Scripted) -> None:
    table = f"pd.DataFrame({{{IMAGE!r}: [{ATTACK!r}, 'plain'], 'n': [1, 2]}})"
    scripted.script(code(f"import pandas as pd\nrooms = {table}\nrooms"), code("final_answer('done')"))
    turn = desk.ask("Show a table")
    expect(turn.locator("th").first).to_have_text(IMAGE)
    expect(turn.locator("td").first).to_have_text(ATTACK)
    untouched(desk)


def test_markup_in_file_names_stays_text(desk: DeskPage, scripted: Scripted) -> None:
    name = f"{IMAGE}.csv"
    scripted.script(
        code(f"with open({('out ' + name)!r}, 'w') as file:\n    file.write('a')\nfinal_answer('written')")
    )
    desk.drop(name, "a,b\n1,2\n")
    expect(desk.chips.first).to_contain_text(name)
    turn = desk.ask("Write a file")
    expect(turn.locator(".pointer")).to_contain_text(f"out {name}")
    expect(desk.chips).to_have_count(2)
    untouched(desk)


def test_markup_on_the_map_stays_text(desk: DeskPage, scripted: Scripted) -> None:
    scripted.script(
        code(
            f"show_map(floor_id='1F', text_overlays={f'{ATTACK}:Room1'!r})\n"
            f"print(draw_arrow(room_name={IMAGE!r}, direction='left'))"
        ),
        code("final_answer('drawn')"),
    )
    turn = desk.ask("Draw")
    expect(turn.locator(".call").last).to_contain_text("img src=x")
    expect(turn.locator(".printed-text").first).to_contain_text(IMAGE)
    desk.see_map(overlays=1)
    expect(desk.page.locator(".map-twin")).to_contain_text(IMAGE)
    untouched(desk)


def test_markup_in_errors_stays_text(desk: DeskPage, scripted: Scripted) -> None:
    scripted.script(code(f"raise ValueError({ATTACK!r})"), RuntimeError(ATTACK))
    turn = desk.ask("Fail", state="failed")
    expect(turn.locator(".fault").first).to_contain_text(IMAGE)
    untouched(desk)


def test_markup_in_the_debug_pane_stays_text(desk: DeskPage, scripted: Scripted) -> None:
    scripted.script(code(f"final_answer({ATTACK!r})"))
    desk.ask(ATTACK)
    pane = desk.page.locator("[data-pane=debug]")
    for kind, count in (("user_message", 1), ("output_count", 1)):
        pane.get_by_role("searchbox", name="Search events").fill(kind)
        expect(pane.locator(".debug-total")).to_contain_text(f"{count} of ")
        pane.locator(".debug-row:visible").last.click()
        pane.get_by_role("tab", name="Tree").click()
        pane.get_by_role("searchbox", name="Search this data").fill("img src")
        expect(pane.locator(".debug-detail")).to_contain_text("img src=x")
    untouched(desk)
