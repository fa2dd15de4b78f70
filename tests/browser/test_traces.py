"""The debug pane with a real desk: a step's tabs, its prompt message by message, and links between all panes."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Scripted
from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.page_menu import choose_layout
from tests.support.scripted_model import code, text_of

pytestmark = pytest.mark.browser

FIRST = code(
    "print('sequoia')\nprint(draw_arrow(room_name='Kitchen', direction='left'))", "Look at the trees."
)


@pytest.fixture
def desk(scripted: Scripted, open_page: OpenPage) -> DeskPage:
    return open_page(scripted.url)


def pane_of(desk: DeskPage) -> Locator:
    return desk.page.locator("[data-pane=debug]")


def test_what_was_pointed_at_before_the_pane_came_is_lit_in_it(
    scripted: Scripted, open_page: OpenPage
) -> None:
    desk = open_page(scripted.url, size=(390, 844))
    scripted.script(FIRST, code("final_answer('done')"))
    desk.ask("What grows here?").locator(".answer").click()
    expect(pane_of(desk).locator(".debug-row")).to_have_count(0)
    desk.page.locator(".tab[data-pane=debug]").first.click()
    expect(pane_of(desk).locator(".debug-row[data-lit]").first).to_be_visible()


def test_a_step_tells_its_prompt_response_and_memory(desk: DeskPage, scripted: Scripted) -> None:
    scripted.script(FIRST, code("final_answer('done')"))
    desk.ask("What grows here?")
    pane = pane_of(desk)
    steps = pane.locator(".debug-row[data-kind=step]")
    expect(steps).to_have_count(2)
    steps.last.click()
    detail = pane.locator(".debug-detail")
    expect(detail.locator(".debug-code")).to_contain_text("final_answer")

    pane.get_by_role("tab", name="Prompt").click()
    messages = detail.locator(".debug-message")
    expect(messages.locator("summary b")).to_have_text(
        ["system", "user", "assistant", "tool-call", "tool-response"]
    )
    messages.first.locator("summary").click()
    system = messages.first.locator(".debug-message-text")
    expect(system).to_contain_text("data analyst of a desk")
    messages.first.get_by_role("button", name=re.compile("Show all")).click()
    text = text_of(scripted.model.seen[1][:1])
    expect(messages.first.get_by_role("button", name=re.compile("Show all"))).to_have_count(0)
    assert system.text_content() == text and len(text) > 4000
    expect(messages.last.locator(".debug-message-text")).to_contain_text("sequoia")

    pane.get_by_role("tab", name="Response").click()
    expect(detail.locator(".debug-message-text")).to_contain_text("final_answer('done')")
    pane.get_by_role("tab", name="Memory").click()
    expect(detail.locator(".json-tree")).to_contain_text("model_output")
    steps.first.click()  # the tab stays
    expect(detail.locator(".json-tree")).to_contain_text("Look at the trees.")
    pane.get_by_role("tab", name="Output").click()
    expect(detail.locator("pre.debug-raw")).to_contain_text("sequoia")
    detail.locator(".debug-made", has_text="Kitchen").last.click()
    expect(pane.locator(".debug-row[aria-selected=true] .debug-type")).to_have_text("arrow")
    expect(pane.locator(".debug-track:visible").first).to_be_visible()


def test_a_json_tree_is_searched_and_its_values_and_paths_copied(desk: DeskPage, scripted: Scripted) -> None:
    scripted.script(code("print('sequoia')\nfinal_answer('done')"))
    desk.ask("What grows here?")
    desk.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    pane = pane_of(desk)
    pane.locator(".debug-row[data-kind=step]").click()
    pane.get_by_role("tab", name="Tree").click()
    field = pane.get_by_role("searchbox", name="Search this data")
    field.fill("sequoia")
    expect(pane.locator(".json-count")).to_contain_text("1 of ")
    expect(pane.locator(".json-path")).to_have_text("[1].content.agent_response.raw_output")
    pane.get_by_role("button", name="Copy value").click()
    assert desk.page.evaluate("navigator.clipboard.readText()") == "sequoia\n"
    field.press("Enter")  # on to the next, in a branch that was closed
    expect(pane.locator(".json-path")).to_have_text("[1].content.agent_response.code_steps[0].code")
    expect(pane.locator("[data-current]")).to_be_in_viewport()
    pane.get_by_role("button", name="Copy path").click()
    copied = "[1].content.agent_response.code_steps[0].code"
    assert desk.page.evaluate("navigator.clipboard.readText()") == copied
    pane.locator("[data-current]").focus()
    pane.locator("[data-current]").press("ArrowUp")
    expect(pane.locator(".json-path")).not_to_have_text(copied)


def test_rows_and_what_they_made_are_linked_by_the_pointer_both_ways(
    desk: DeskPage, scripted: Scripted
) -> None:
    plot = "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1, 2])\nfig"
    scripted.script(
        code(f"print(draw_arrow(room_name='Kitchen', direction='left'))\n{plot}"),
        code("final_answer('done')"),
    )
    choose_layout(desk.page, "All four")
    turn = desk.ask("Draw")
    pane = pane_of(desk)
    near = desk.page.locator(":not(.debug-row)[data-near]")
    pane.locator(".debug-row", has_text="figure-1.png").hover()
    expect(desk.page.locator(".images-card[data-near]")).to_have_count(1)
    pane.locator(".debug-row[data-kind=tool]").hover()
    expect(desk.page.locator(".images-card[data-near]")).to_have_count(
        1
    )  # the only call of its step made it, too
    pane.get_by_role("searchbox", name="Search events").hover()
    expect(near).to_have_count(0)

    turn.locator(".question").hover()
    expect(pane.locator(".debug-row[data-near] .debug-type")).to_have_text("run")
    desk.page.locator(".images-card").hover()
    expect(pane.locator(".debug-row[data-near] .debug-type")).to_have_text(["tool", "image"])
    pane.locator(".debug-row[data-kind=model]").first.click()
    expect(turn.locator("[data-lit]")).not_to_have_count(
        0
    )  # the block of the code it wrote, or the step that holds it
