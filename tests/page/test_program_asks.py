"""What a terminal program asks, as a card: its prompt as it stands on its screen, its own answers, and secrets that go."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.page.ask_messages import button, closed, entered
from tests.page.conftest import Json, ScriptedServer

pytestmark = pytest.mark.browser

MENU = "? Which colour\n  1) red\n  2) blue <i>\n  3) green\nYour choice [2]:"
ANSWER = {"type": "answer", "askId": "a1"}


def test_the_prompt_of_a_program_is_shown_whole_and_as_it_stands(page: Page, server: ScriptedServer) -> None:
    card = entered(
        page, server, inputType="selection", prompt=f"\n{MENU} \n", options=["1", "2", "3"], default="2"
    )

    prompt = card.locator("pre.ask-prompt")
    expect(prompt).to_have_text(MENU, use_inner_text=True)
    assert "mono" in prompt.evaluate("(pre) => getComputedStyle(pre).fontFamily")
    assert prompt.evaluate("(pre) => pre.scrollHeight <= pre.clientHeight + 1")
    expect(card).to_contain_text("Question from the program")
    expect(card.get_by_role("radiogroup")).to_have_attribute(
        "aria-describedby", prompt.get_attribute("id") or ""
    )
    expect(card.locator(".ask-left")).to_contain_text("left")


def test_a_prompt_hides_nothing(page: Page, server: ScriptedServer) -> None:
    card = entered(page, server, inputType="text", prompt="Delete \u202eelif.txt\u200b? ")

    expect(card.locator(".ask-prompt")).to_have_text("Delete ⟨U+202E⟩elif.txt⟨U+200B⟩?")


def test_a_confirmation_has_the_programs_own_answers_and_marks_its_default(
    page: Page, server: ScriptedServer
) -> None:
    asks = [
        (["Y", "n"], "Y", ["Yes Y default", "No n"], 0),
        (["y", "N"], "N", ["Yes y", "No N default"], 1),
        (["y", "n"], None, ["Yes y", "No n"], None),
        (["no", "yes"], "yes", ["Yes yes default", "No no"], 0),
        (["はい", "いいえ"], "いいえ", ["Yes はい", "No いいえ default"], 1),
    ]
    for number, (options, default, names, marked) in enumerate(asks, 1):
        report = {"inputType": "confirmation", "prompt": "Go on?", "options": options, "default": default}
        methods = entered(page, server, ask_id=f"a{number}", **report).locator(".ask-buttons button")

        expect(methods).to_have_count(2)
        assert [" ".join(route.all_inner_texts()[0].split()) for route in methods.all()] == names
        filled = [
            index
            for index, route in enumerate(methods.all())
            if "ask-yes" in (route.get_attribute("class") or "")
        ]
        assert filled == ([] if marked is None else [marked])


@pytest.mark.parametrize(
    ("default", "frame"), [("Y", {"granted": True}), ("N", {"granted": False}), (None, None)]
)
def test_enter_on_a_card_is_the_programs_default(
    page: Page, server: ScriptedServer, default: str | None, frame: Json | None
) -> None:
    card = entered(page, server, inputType="confirmation", options=["Y", "N"], default=default)
    card.focus()
    page.keyboard.press("Enter")
    if frame is None:  # and no answer where there is none
        expect(card).to_have_attribute("data-state", "open")
        assert server.frames.empty()
        page.keyboard.press("n")
        frame = {"granted": False}

    assert server.next_frame() == {**ANSWER, **frame}


def test_what_waits_for_enter_gets_enter(page: Page, server: ScriptedServer) -> None:
    prompt = "Press Enter to continue..."
    card = entered(page, server, inputType="confirmation", prompt=prompt, options=[], default="")
    expect(card.locator(".ask-buttons button")).to_have_text(["Press Enter", "Don’t answer"])
    card.focus()
    page.keyboard.press("Enter")

    assert server.next_frame() == {**ANSWER, "granted": True}
    server.send(closed(True))
    expect(card.locator(".ask-how")).to_have_text("Answered")


def test_a_numbered_choice_says_what_its_numbers_mean_and_is_taken_by_key(
    page: Page, server: ScriptedServer
) -> None:
    card = entered(page, server, inputType="selection", prompt=MENU, options=["1", "2", "3"], default="2")
    expect(card.locator(".ask-choice")).to_have_text(["1red", "2blue <i>default", "3green"])
    expect(card.get_by_role("radio", name="2 blue")).to_be_checked()
    card.focus()
    page.keyboard.press("3")
    expect(card.get_by_role("radio", name="3 green")).to_be_checked()
    page.keyboard.press("7")  # there is no such option
    page.keyboard.press("Enter")

    assert server.next_frame() == {**ANSWER, "granted": True, "value": "3"}


def test_a_choice_of_names_is_taken_by_its_place(page: Page, server: ScriptedServer) -> None:
    card = entered(
        page,
        server,
        inputType="selection",
        prompt="Use which?\n❯ npm\n  pnpm",
        options=["npm", "pnpm"],
        default="npm",
    )
    card.focus()
    page.keyboard.press("2")
    expect(card.get_by_role("radio", name="pnpm", exact=True)).to_be_checked()
    page.keyboard.press("Enter")

    assert server.next_frame()["value"] == "pnpm"


def test_an_empty_line_is_an_answer_and_says_that_it_is_enter(page: Page, server: ScriptedServer) -> None:
    card = entered(page, server, inputType="text", prompt="Name [ada]: ")
    expect(button(card, "Press Enter")).to_be_visible()
    card.locator(".ask-field").fill("bob")
    expect(button(card, "Answer")).to_be_visible()
    card.locator(".ask-field").fill("")
    button(card, "Press Enter").click()

    assert server.next_frame() == {**ANSWER, "granted": True, "value": ""}


def test_a_password_is_masked_and_leaves_the_page_when_it_is_sent(page: Page, server: ScriptedServer) -> None:
    """Before the server says anything, and in no attribute, storage or row of the page afterwards."""
    secret = "hunter2-\u00e9t\u00e9"
    card = entered(page, server, inputType="password", prompt="Password: ", default="never shown")
    field = card.locator(".ask-field")
    expect(field).to_have_attribute("type", "password")
    expect(field).to_have_attribute("autocomplete", "off")
    expect(field).to_have_value("")
    field.press("Enter")  # an empty one is not sent
    field.fill(secret)
    field.press("Enter")
    assert server.next_frame() == {**ANSWER, "granted": True, "value": secret}
    expect(card).to_have_attribute("data-state", "answered")
    expect(field).to_have_value("")

    server.send(closed(True, value=secret))  # no server should, but no page shows it
    expect(card.locator(".ask-how")).to_have_text("Answered")
    result = page.evaluate("""() => {
      const values = [...document.querySelectorAll("input, textarea")].map(({ value }) => value);
      return [document.documentElement.outerHTML, values, { ...localStorage }, { ...sessionStorage }, location.href];
    }""")
    assert secret not in json.dumps(result, ensure_ascii=False)


def test_a_password_that_could_not_be_sent_is_typed_again(page: Page, server: ScriptedServer) -> None:
    card = entered(page, server, inputType="password")
    server.accepting = False
    server.drop()
    expect(page.locator(".connection")).not_to_have_attribute("data-connection", "open")
    card.locator(".ask-field").fill("s3cret")
    card.locator(".ask-field").press("Enter")

    expect(card.locator(".ask-fault")).to_contain_text("Your answer was not sent")
    expect(card.locator(".ask-field")).to_have_value("")


def test_a_closed_menu_is_one_line_that_opens_again(page: Page, server: ScriptedServer) -> None:
    card = entered(page, server, inputType="selection", prompt=MENU, options=["1", "2", "3"], default="2")
    server.send(closed(True, value="3"))

    expect(card.locator(".ask-end")).to_contain_text("Answered: 3")
    expect(card.locator(".ask-call")).to_have_text("Your choice [2]:")
    button(card, "Show the question").click()
    expect(card.locator(".ask-prompt")).to_have_text(MENU, use_inner_text=True)


def test_a_wide_menu_scrolls_in_its_own_box(page: Page, server: ScriptedServer) -> None:
    prompt = f"Pick one\n  {'x' * 200}\n> "
    card = entered(page, server, inputType="text", prompt=prompt)
    box = card.locator(".ask-prompt")

    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 844})
        expect(box).to_have_attribute("tabindex", "0")
        assert box.evaluate("(pre) => pre.scrollWidth > pre.clientWidth")
        assert card.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    page.set_viewport_size({"width": 1440, "height": 900})
