"""What can be done with a turn: edit its message and run from there, answer again, copy, link; by mouse and by keyboard."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Scripted
from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.page_menu import choose_layout
from tests.support.scripted_model import code
from tests.support.waiting import until

pytestmark = pytest.mark.browser


def two_turns(scripted: Scripted, open_page: OpenPage, **how: object) -> DeskPage:
    scripted.script(
        code("final_answer('one')"), code("final_answer('two')"), code("final_answer('otherwise')")
    )
    desk = open_page(scripted.url, **how)  # pyright: ignore[reportArgumentType]
    desk.ask("first")
    desk.ask("second")
    return desk


def actions(turn: Locator) -> Locator:
    return turn.get_by_role("toolbar", name="Actions for this turn")


def see_questions(desk: DeskPage, expected: list[str]) -> None:
    until(
        desk.page,
        lambda: [text.split("\n")[-1] for text in desk.page.locator(".turn .question").all_inner_texts()],
        lambda results: results == expected,
    )


def versions(turn: Locator) -> Locator:
    return turn.get_by_role("group", name="Versions of this turn")


def test_an_edited_message_is_answered_in_its_place_and_an_older_version_goes_on_in_a_chat_of_its_own(
    scripted: Scripted, open_page: OpenPage
) -> None:
    desk = two_turns(scripted, open_page)
    old, turn, keys = desk.chat_id(), desk.turns.nth(1), desk.page.keyboard
    second = turn.get_attribute("data-run")
    expect(versions(turn)).to_be_hidden()
    turn.hover()
    actions(turn).get_by_role("button", name="Edit").click()
    field = turn.get_by_role("textbox", name="Message of this turn")
    expect(field).to_be_focused()
    expect(field).to_have_value("second")
    field.fill("second, otherwise")
    field.press("Enter")
    see_questions(desk, ["first", "second, otherwise"])
    desk.closed(turn)
    expect(turn.locator(".answer")).to_have_text("otherwise")
    expect(versions(turn)).to_contain_text("2/2")
    assert desk.chat_id() == old

    # both below each other
    compare = versions(turn).get_by_role("button", name="Compare")
    compare.click()
    other_version = turn.get_by_role("region", name="Version 1 of 2")
    expect(other_version).to_contain_text("Version 1 of 2: second")
    expect(other_version.locator(".answer")).to_be_visible()
    compare.click()
    expect(other_version).to_be_hidden()

    # a link to the older one shows it on the page that follows it
    link = f"{scripted.url}/#chat={old}&turn={second}"
    other = open_page(link, opener=desk)
    see_questions(other, ["first", "second"])
    expect(other.turns.nth(1)).to_have_attribute("data-linked", "")
    other.page.close()
    see_questions(desk, ["first", "second, otherwise"])

    # by keyboard to the older one, which a reload keeps
    versions(turn).get_by_role("button", name="Older version").focus()
    keys.press("Enter")
    see_questions(desk, ["first", "second"])
    expect(versions(turn).get_by_role("status")).to_have_text("Version 1 of 2")
    expect(versions(turn).get_by_role("button", name="Newer version")).to_be_focused()
    desk.reload()
    see_questions(desk, ["first", "second"])
    expect(versions(turn)).to_contain_text("1/2")
    chip = desk.page.locator(".version-chip")
    expect(chip).to_contain_text("in a new chat")
    chip.get_by_role("button").click()
    see_questions(desk, ["first", "second, otherwise"])
    expect(chip).to_have_count(0)

    # a row of the older version in the debug pane shows it, too
    choose_layout(desk.page, "All four")
    desk.page.locator(".debug-row", has_text="'two'").last.click()
    see_questions(desk, ["first", "second"])
    chip.get_by_role("button").click()
    see_questions(desk, ["first", "second, otherwise"])

    versions(turn).get_by_role("button", name="Older version").click()
    expect(chip).to_be_visible()
    scripted.script(code("final_answer('three')"))
    desk.composer.fill("and then?")
    desk.composer.press("Enter")
    see_questions(desk, ["first", "second", "and then?"])
    desk.closed(desk.turns.nth(2))
    assert desk.chat_id() != old
    expect(desk.page.locator(".branch-from")).to_contain_text("Branched from first")
    desk.page.locator(".branch-from a").click()
    see_questions(desk, ["first", "second"])
    assert desk.chat_id() == old
    expect(desk.turns.nth(1)).to_have_attribute("data-linked", "")
    # seven actions and a branch: the last ones are in a menu
    buttons = actions(turn).get_by_role("button")
    expect(buttons).to_have_count(5)
    buttons.last.focus()
    keys.press("Enter")
    menu = turn.get_by_role("menu", name="More actions")
    expect(menu.get_by_role("menuitem")).to_have_text(
        [
            "This is right: save it as a test",
            "Tell me when…",
            "Copy a link to this turn",
            "Branched into first (2)",
        ]
    )
    keys.press("End")
    expect(menu.get_by_role("menuitem").last).to_be_focused()
    keys.press("Escape")
    expect(buttons.last).to_be_focused()
    expect(menu).to_be_hidden()


def test_an_earlier_turn_is_answered_again_in_its_place_and_back_leads_to_the_chat_that_was_left(
    scripted: Scripted, open_page: OpenPage
) -> None:
    desk = two_turns(scripted, open_page)
    old, turn = desk.chat_id(), desk.turns.nth(0)
    actions(turn).get_by_role("button", name="Answer again").click()
    expect(turn.locator(".answer")).to_have_text("otherwise")
    desk.closed(turn)
    see_questions(desk, ["first", "second"])
    note = turn.locator(".turn-foot .version-note")
    expect(note).to_contain_text("The turns below continue from version 1.")
    note.get_by_role("button").click()
    expect(desk.composer).to_be_focused()
    expect(desk.page.locator(".version-chip")).to_contain_text("first")
    desk.composer.press_sequentially("and then?")
    desk.composer.press("Enter")
    see_questions(desk, ["first", "and then?"])
    desk.page.go_back()
    until(desk.page, desk.chat_id, lambda chat: chat == old)
    see_questions(desk, ["first", "second"])


def test_the_keyboard_reaches_every_action_and_escape_leaves_the_message(
    scripted: Scripted, open_page: OpenPage
) -> None:
    desk = two_turns(scripted, open_page)
    turn, keys = desk.turns.nth(0), desk.page.keyboard
    edit = actions(turn).get_by_role("button", name="Edit")
    expect(edit).to_have_count(1)  # the buttons come a moment after the turn
    turn.locator("summary.step-head").focus()
    keys.press("Tab")
    expect(edit).to_be_focused()
    expect(actions(turn)).to_have_css("opacity", "1")
    keys.press("ArrowRight")
    expect(actions(turn).get_by_role("button", name="Answer again")).to_be_focused()
    keys.press("End")
    expect(actions(turn).get_by_role("button", name="More actions")).to_be_focused()
    keys.press("Home")
    keys.press("Enter")
    field = turn.get_by_role("textbox", name="Message of this turn")
    expect(field).to_be_focused()
    keys.type(" and more")
    keys.press("Shift+Enter")
    expect(field).to_have_value("first and more\n")
    keys.press("Escape")
    expect(field).to_have_count(0)
    expect(edit).to_be_focused()
    expect(turn.locator(".question")).to_have_text("You asked: first")
    assert desk.turns.count() == 2


def test_a_turn_that_still_runs_says_so_and_nothing_is_lost(scripted: Scripted, open_page: OpenPage) -> None:
    scripted.script(scripted.held(code("final_answer('one')")), code("final_answer('other')"))
    desk = open_page(scripted.url)
    turn = desk.say("first")
    turn.hover()
    actions(turn).get_by_role("button", name="Edit").click()
    field = turn.get_by_role("textbox", name="Message of this turn")
    field.fill("first, otherwise")
    field.press("Enter")
    expect(turn.get_by_role("alert")).to_contain_text("This turn is still running")
    expect(field).to_have_value("first, otherwise")
    scripted.gate.set()
    desk.closed(turn)
    expect(field).to_have_value("first, otherwise")
    field.press("Enter")
    see_questions(desk, ["first, otherwise"])
    desk.closed(desk.turns.nth(0))
    expect(desk.turns.nth(0).locator(".answer")).to_have_text("other")


def test_nothing_is_not_asked(scripted: Scripted, open_page: OpenPage) -> None:
    desk = two_turns(scripted, open_page)
    turn = desk.turns.nth(1)
    actions(turn).get_by_role("button", name="Edit").click()
    turn.get_by_role("textbox").fill(" ")
    turn.locator(".edit-go").click()
    expect(turn.get_by_role("alert")).to_contain_text("The message is empty")
    turn.get_by_role("button", name="Cancel").click()
    expect(turn.locator(".question")).to_be_visible()


def test_an_answer_is_copied_as_markdown(scripted: Scripted, open_page: OpenPage) -> None:
    scripted.script(
        code(
            "import pandas as pd\ndisplay(pd.DataFrame({'name': ['a|b'], 'n': [2]}))\nfinal_answer('**Two** of them.')"
        )
    )
    desk = open_page(scripted.url)
    desk.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    turn = desk.ask("how many")
    actions(turn).get_by_role("button", name="Copy the answer").click()
    expect(actions(turn)).to_contain_text("Copied")
    copied = desk.page.evaluate("navigator.clipboard.readText()")
    assert copied == "**Two** of them.\n\n| name | n |\n| --- | ---: |\n| a\\|b | 2 |"


def test_a_link_leads_to_its_turn_in_another_tab(scripted: Scripted, open_page: OpenPage) -> None:
    scripted.script(*(code(f"final_answer('{'long ' * 400}')") for _ in range(3)))
    desk = open_page(scripted.url)
    for number in range(3):
        desk.ask(f"question {number}")
    desk.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    turn = desk.turns.nth(1)
    turn.hover()
    actions(turn).get_by_role("button", name="More actions").click()
    turn.get_by_role("menuitem", name="Copy a link to this turn").click()
    expect(actions(turn)).to_contain_text("Copied")
    address = desk.page.evaluate("navigator.clipboard.readText()")
    assert address.startswith(f"{scripted.url}/#chat={desk.chat_id()}&turn=r_")

    other = open_page(address, opener=desk)
    existing = other.turns.nth(1)
    expect(existing).to_have_attribute("data-linked", "")
    expect(existing.locator(".question")).to_be_in_viewport()
    expect(other.turns.nth(0).locator(".question")).not_to_be_in_viewport()
    assert "turn=" not in other.page.url


def test_on_a_phone_the_actions_are_there_without_hovering(scripted: Scripted, open_page: OpenPage) -> None:
    desk = two_turns(scripted, open_page, size=(390, 844))
    turn = desk.turns.nth(1)
    expect(actions(turn)).to_have_css("opacity", "1")
    expect(actions(turn).get_by_role("button")).not_to_have_count(0)
    for button in actions(turn).get_by_role("button").all():
        box = button.bounding_box()
        assert box is not None and box["height"] >= 24 and box["x"] + box["width"] <= 390
    actions(turn).get_by_role("button", name="Edit").click()
    field = turn.get_by_role("textbox", name="Message of this turn")
    field.fill("second, otherwise")
    turn.locator(".edit-go").click()
    see_questions(desk, ["first", "second, otherwise"])
    assert desk.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_actions_speak_japanese(scripted: Scripted, open_page: OpenPage) -> None:
    desk = open_page(scripted.url, locale="ja-JP")
    turn = desk.ask("こんにちは")
    bar = turn.get_by_role("toolbar", name="このやり取りの操作")
    names = [
        "編集",
        "回答し直す",
        "回答をレポートにピン留め",
        "回答をコピー",
        "その他の操作",
    ]
    expect(bar.get_by_role("button")).to_have_count(len(names))
    assert [button.get_attribute("aria-label") for button in bar.get_by_role("button").all()] == names


def test_a_link_to_a_turn_that_is_not_there_says_so(scripted: Scripted, open_page: OpenPage) -> None:
    desk = two_turns(scripted, open_page)
    desk.page.evaluate("location.hash += '&turn=run_that_never_was'")
    notice = desk.page.get_by_role("alert").filter(has_text="The linked turn is not in this chat")
    expect(notice).to_be_visible()
    notice.get_by_role("button").click()
    expect(notice).to_be_hidden()
    see_questions(desk, ["first", "second"])


@pytest.mark.parametrize("size", [pytest.param((1440, 900), marks=pytest.mark.slow), (390, 844)])
def test_each_copy_is_named_for_what_it_copies_and_covers_no_code(
    scripted: Scripted, open_page: OpenPage, size: tuple[int, int]
) -> None:
    desk = two_turns(scripted, open_page, size=size)
    turn = desk.turns.nth(1)
    turn.locator("summary.step-head").click()
    expect(turn.get_by_role("button", name="Copy the answer", exact=True)).to_have_count(1)
    assert turn.get_by_role("button", name="Copy the code", exact=True).count() == 1
    copy, text = turn.locator(".code-copy").bounding_box(), turn.locator(".code-text").bounding_box()
    assert copy is not None and text is not None
    if size[0] < 900:
        assert copy["y"] + copy["height"] <= text["y"]
