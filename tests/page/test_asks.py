"""An ask as a card in its turn: what it shows, what it sends, and how it ends."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import Json, ScriptedServer, asked, run

pytestmark = pytest.mark.browser


def ask(ask_id: str = "a1", **more: Any) -> Json:
    content = {
        "askId": ask_id,
        "kind": "approval",
        "tool": "pay",
        "callId": "c1",
        "arguments": {"amount": 30, "note": "<b>rent</b>"},
        "codeLine": 'pay(30, "rent")',
        "prompt": "Allow pay?",
        "inputType": "confirmation",
        "options": [],
        "default": None,
        "expiresAt": "2124-05-01T10:05:00.000Z",
        **more,
    }
    return {"type": "ask", "runId": "r1", "content": content}


def closed(granted: bool, reason: str = "", ask_id: str = "a1") -> Json:
    content = {"askId": ask_id, "granted": granted, "reason": reason}
    return {"type": "ask_closed", "runId": "r1", "content": content}


def opened(page: Page, server: ScriptedServer, **more: Any) -> Locator:
    """The card of an ask that a run waits for."""
    server.send(asked("r1", "Pay the rent"), run("r1", "running", step=1), ask(**more), run("r1", "waiting"))
    card = page.locator("[data-run=r1] .ask")
    expect(card).to_be_visible()
    return card


def test_a_card_says_what_is_asked_and_nothing_in_it_takes_the_focus(
    page: Page, server: ScriptedServer
) -> None:
    page.locator(".field").focus()
    card = opened(page, server)

    expect(card.locator(".ask-prompt")).to_have_text("Allow pay?")
    expect(card.locator(".ask-tool")).to_have_text("Tool pay")
    expect(card.locator(".ask-line")).to_have_text('pay(30, "rent")')
    expect(card.locator(".ask-arguments tr")).to_have_text(["amount30", "note<b>rent</b>"])
    expect(card.locator(".ask-until")).to_contain_text("Answer by ")
    expect(page.locator(".status-words")).to_have_text("Waiting for an answer")
    expect(page.get_by_role("group", name="Allow pay?")).to_be_visible()
    expect(page.locator(".field")).to_be_focused()


def test_allowing_sends_a_grant_once_and_waits_for_the_server(page: Page, server: ScriptedServer) -> None:
    card = opened(page, server)
    card.get_by_role("button", name="Allow").click()

    assert server.next_frame() == {"type": "answer", "askId": "a1", "granted": True}
    expect(card).to_have_attribute("data-state", "answered")
    expect(card.get_by_role("button", name="Allow")).to_be_disabled()
    expect(card).to_contain_text("Sending your answer")

    server.send(closed(True), run("r1", "running"))
    expect(card).to_have_attribute("data-state", "granted")
    expect(card.locator(".ask-end")).to_have_text("Allowed")
    expect(card.get_by_role("button")).to_have_count(0)
    assert server.frames.empty()


def test_denying_sends_the_reason(page: Page, server: ScriptedServer) -> None:
    card = opened(page, server)
    card.get_by_role("textbox", name="Reason to deny").fill("too much")
    card.get_by_role("button", name="Deny").click()

    assert server.next_frame() == {"type": "answer", "askId": "a1", "granted": False, "reason": "too much"}


def test_a_card_is_answered_with_the_keyboard_alone(page: Page, server: ScriptedServer) -> None:
    card = opened(page, server)
    card.focus()
    page.keyboard.press("Tab")
    expect(card.get_by_role("button", name="Allow")).to_be_focused()
    page.keyboard.press("Tab")
    expect(card.get_by_role("button", name="Deny")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.type("not now")
    page.keyboard.press("Enter")  # in the reason for a denial, Enter denies

    assert server.next_frame() == {"type": "answer", "askId": "a1", "granted": False, "reason": "not now"}


@pytest.mark.parametrize("kind", ["text", "password"])
def test_a_text_is_typed_and_leaves_the_page_with_its_answer(
    page: Page, server: ScriptedServer, kind: str
) -> None:
    card = opened(page, server, kind="input", tool=None, arguments={}, codeLine=None, inputType=kind)
    field = card.locator(".ask-field")
    expect(field).to_have_attribute("type", kind)
    card.get_by_role("button", name="Answer").click()
    expect(card).to_have_attribute("data-state", "open")  # an empty field is not an answer
    field.fill("s3cret")
    field.press("Enter")

    assert server.next_frame() == {"type": "answer", "askId": "a1", "granted": True, "value": "s3cret"}
    server.send(closed(True))
    expect(card.locator(".ask-end")).to_have_text("Answered")
    expect(page.locator(".ask-field")).to_have_count(0)


def test_a_choice_begins_at_its_default(page: Page, server: ScriptedServer) -> None:
    card = opened(
        page, server, kind="input", tool=None, inputType="selection", options=["red", "blue"], default="blue"
    )
    expect(card.get_by_role("radio", name="blue")).to_be_checked()
    card.get_by_role("radio", name="red").check()
    card.get_by_role("button", name="Answer").click()

    assert server.next_frame()["value"] == "red"


def test_an_answer_from_elsewhere_closes_the_card(page: Page, server: ScriptedServer) -> None:
    card = opened(page, server)
    card.get_by_role("button", name="Deny").focus()
    server.send(closed(False, "Approval request timed out"))

    expect(card.locator(".ask-end")).to_have_text("Denied: Approval request timed out")
    expect(card).to_be_focused()  # the focus does not fall out of the page with the buttons


def test_a_reload_shows_open_asks_open_and_closed_ones_closed(page: Page, server: ScriptedServer) -> None:
    opened(page, server)
    server.send(closed(True), ask("a2", prompt="And again?"))
    expect(page.locator(".ask")).to_have_count(2)

    page.reload()

    expect(page.locator("[data-ask=a1]")).to_have_attribute("data-state", "granted")
    expect(page.locator("[data-ask=a2]")).to_have_attribute("data-state", "open")
    page.locator("[data-ask=a2]").get_by_role("button", name="Allow").click()
    assert server.next_frame()["askId"] == "a2"


def test_an_answer_that_was_refused_or_lost_can_be_given_again(page: Page, server: ScriptedServer) -> None:
    card = opened(page, server)
    card.get_by_role("button", name="Allow").click()
    server.next_frame()
    server.push({"type": "error", "content": "Not now.", "code": "desk_error", "hint": ""})
    expect(card).to_have_attribute("data-state", "open")

    card.get_by_role("button", name="Allow").click()
    server.next_frame()
    server.drop()
    server.wait_for_connections(2)
    expect(card).to_have_attribute("data-state", "open")
    expect(page.locator(".connection")).to_have_attribute("data-connection", "open")
    card.get_by_role("button", name="Allow").click()
    assert server.next_frame() == {"type": "answer", "askId": "a1", "granted": True}


def test_a_card_speaks_japanese(page: Page, server: ScriptedServer) -> None:
    opened(page, server)
    page.get_by_role("button", name="日本語で表示").click()

    card = page.locator(".ask")
    expect(card.get_by_role("button", name="許可")).to_be_visible()
    expect(card.get_by_role("button", name="拒否")).to_be_visible()
