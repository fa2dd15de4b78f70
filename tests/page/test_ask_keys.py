"""Asks without a mouse and without eyes: keys that answer, a key that leads to the next ask, and what is read out."""

import pytest
from playwright.sync_api import Page, expect

from tests.page.ask_messages import ask, button, closed, entered, opened
from tests.page.conftest import Json, ScriptedServer, asked, run

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("key", "frame"), [("y", {"granted": True}), ("n", {"granted": False})])
def test_a_focused_card_is_answered_by_a_key(
    page: Page, server: ScriptedServer, key: str, frame: Json
) -> None:
    card = opened(page, server)
    name = {"y": "Allow", "n": "Deny"}[key]
    expect(button(card, name)).to_have_attribute("title", f"{name} ({key})")
    expect(button(card, name)).to_have_attribute("aria-keyshortcuts", key)
    page.keyboard.press(key)  # nothing has the focus: no answer
    card.focus()
    page.keyboard.press(f"Control+{key}" if key == "y" else f"Alt+{key}")
    assert server.frames.empty()
    page.keyboard.press(key)

    assert server.next_frame() == {"type": "answer", "askId": "a1", **frame}


def test_letters_that_are_typed_answer_nothing(page: Page, server: ScriptedServer) -> None:
    card = opened(page, server)
    page.locator(".composer .field").focus()
    page.keyboard.type("yna")
    expect(page.locator(".composer .field")).to_have_value("yna")
    button(card, "Give a reason or deny more").click()
    page.keyboard.type("any")
    expect(card.locator(".ask-reason")).to_have_value("any")
    button(card, "Edit").click()
    page.keyboard.press("y")
    button(card, "Back").focus()
    page.keyboard.press("y")  # in the form no single key grants

    expect(card).to_have_attribute("data-state", "open")
    assert server.frames.empty()


def test_a_key_edits_a_focused_card(page: Page, server: ScriptedServer) -> None:
    opened(page, server).focus()
    page.keyboard.press("e")

    expect(page.locator(".ask-editor input").first).to_be_focused()
    expect(page.locator(".ask-editor input").first).to_have_value("30")


def test_a_text_is_not_answered_by_a_letter(page: Page, server: ScriptedServer) -> None:
    entered(page, server, inputType="text").focus()
    page.keyboard.press("y")
    page.keyboard.press("n")

    expect(page.locator(".ask")).to_have_attribute("data-state", "open")
    assert server.frames.empty()


def test_a_key_leads_from_open_ask_to_open_ask(page: Page, server: ScriptedServer) -> None:
    opened(page, server)
    server.send(closed(True), ask("a2"), ask("a3", kind="client_tool"), ask("a4"))
    expect(page.locator("[data-ask=a4]")).to_be_visible()
    for expected in ("a2", "a4", "a2"):
        page.keyboard.press("a")
        expect(page.locator(f"[data-ask={expected}]")).to_be_focused()
        expect(page.locator(f"[data-ask={expected}]")).to_be_in_viewport()


def test_the_key_brings_the_chat_to_a_narrow_screen(page: Page, server: ScriptedServer) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    card = opened(page, server)
    page.locator(".tabs [data-pane=map]").click()
    expect(card).to_be_hidden()
    page.keyboard.press("a")

    expect(card).to_be_focused()
    expect(card).to_be_in_viewport()
    page.set_viewport_size({"width": 1440, "height": 900})


def test_the_key_does_nothing_when_nothing_is_asked(page: Page, server: ScriptedServer) -> None:
    server.send(asked("r1", "q"), run("r1", "running", step=1))
    expect(page.locator(".turn")).to_be_visible()
    page.keyboard.press("a")

    expect(page.locator(".composer .field")).not_to_be_focused()


def test_a_new_ask_is_read_out_once_with_what_is_asked(page: Page, server: ScriptedServer) -> None:
    message = page.locator(".ask-called")
    expect(message).to_have_attribute("aria-live", "polite")
    opened(page, server, callsFromLine=2)
    text = "Waiting for your answer. Allow pay? 2nd call from this line amount 30, note <b>rent</b>"
    expect(message).to_have_text(text)

    message.evaluate("""(node) => {
        window.spoken = [];
        new MutationObserver(() => window.spoken.push(node.textContent)).observe(node, { childList: true });
    }""")
    server.send(
        run("r1", "waiting"), ask("a2", prompt="And this?", arguments={}), ask("a3", kind="client_tool")
    )
    expect(message).to_have_text("Waiting for your answer. And this?")
    server.send(closed(True), closed(True, ask_id="a2"), closed(True, ask_id="a3"))
    expect(message).to_have_text("")
    assert page.evaluate("window.spoken") == ["Waiting for your answer. And this?", ""]
