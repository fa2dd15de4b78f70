"""The arguments of an approval as a form: fields by type, what is sent, and what cannot be sent yet."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.ask_messages import ask, button, closed, opened, parameter
from tests.page.conftest import Json, ScriptedServer, asked, run

pytestmark = pytest.mark.browser

PARAMETERS = {
    "recipient": parameter("string", "Who is paid"),
    "amount": parameter("number", "How much"),
    "copies": parameter("integer"),
    "urgent": parameter("boolean", required=False),
    "tags": parameter("array", required=False),
    "extra": parameter("object", required=False),
    "anything": parameter("any", required=False),
}
ARGUMENTS: Json = {"recipient": "Alice", "amount": 30.5, "copies": 1, "urgent": True, "tags": ["a", 1]}
CHANGED = "Allow with these changes"


def editing(page: Page, server: ScriptedServer, arguments: Json = ARGUMENTS, ask_id: str = "a1") -> Locator:
    card = opened(page, server, ask_id, parameters=PARAMETERS, arguments=arguments)
    button(card, "Edit").click()
    return card


def field(card: Locator, name: str) -> Locator:
    return card.get_by_label(name, exact=False)


def test_each_type_has_its_field_with_its_value_and_its_help(page: Page, server: ScriptedServer) -> None:
    card = editing(page, server)

    expect(field(card, "recipient")).to_be_focused()
    expect(field(card, "recipient")).to_have_value("Alice")
    expect(field(card, "amount")).to_have_attribute("type", "number")
    expect(field(card, "amount")).to_have_value("30.5")
    expect(field(card, "amount")).to_have_accessible_description("How much")
    expect(field(card, "copies")).to_have_attribute("step", "1")
    expect(field(card, "urgent")).to_be_checked()
    expect(field(card, "tags")).to_have_value('[\n  "a",\n  1\n]')
    expect(field(card, "extra")).to_have_value("")
    expect(field(card, "extra")).to_have_attribute("placeholder", "not set")
    marked = card.locator(".ask-edit:has(.ask-required) .ask-field")
    expect(marked).to_have_count(3)
    for item in marked.all():
        expect(item).to_have_attribute("aria-required", "true")
    expect(button(card, "Allow")).to_be_hidden()


def test_what_was_changed_is_sent_whole_and_what_was_not_stays_as_it_was(
    page: Page, server: ScriptedServer
) -> None:
    card = editing(page, server, ARGUMENTS | {"copies": 9007199254740991, "extra": {"deep": [None]}})
    field(card, "amount").fill("20")
    field(card, "urgent").uncheck()
    field(card, "tags").fill('[ "b" ]')
    field(card, "anything").fill('"text"')
    button(card, CHANGED).click()

    value = {
        "recipient": "Alice", "amount": 20, "copies": 9007199254740991, "urgent": False, "tags": ["b"],
        "extra": {"deep": [None]}, "anything": "text",
    }  # fmt: skip
    assert server.next_frame() == {"type": "answer", "askId": "a1", "granted": True, "value": value}


def test_a_form_without_changes_is_a_plain_yes(page: Page, server: ScriptedServer) -> None:
    card = editing(page, server)
    field(card, "amount").fill("31")
    field(card, "amount").fill("30.5")
    button(card, CHANGED).click()

    assert server.next_frame() == {"type": "answer", "askId": "a1", "granted": True}


def test_what_may_be_left_out_can_be_emptied(page: Page, server: ScriptedServer) -> None:
    card = editing(page, server)
    field(card, "tags").fill("")
    button(card, CHANGED).click()

    assert "tags" not in server.next_frame()["value"]


def test_what_cannot_be_read_is_said_at_its_field_and_nothing_is_sent(
    page: Page, server: ScriptedServer
) -> None:
    wrong = [
        ("recipient", " ", "Enter a value.", "Bob"),
        ("amount", "", "Enter a value.", "0"),
        ("copies", "1.5", "Enter a whole number.", "2"),
        ("tags", "{}", "Enter a list in JSON", "[]"),
        ("extra", "[1]", "Enter an object in JSON", '{"a": 1}'),
        ("extra", "{'a': 1}", "Enter an object in JSON", "{}"),
        ("anything", "plain words", "text goes in quotes", "null"),
    ]
    for number, (name, text, problem, mended) in enumerate(wrong, 1):
        card = editing(page, server, ask_id=f"a{number}")
        field(card, name).fill(text)
        button(card, CHANGED).click()

        expect(field(card, name)).to_be_focused()
        expect(field(card, name)).to_have_attribute("aria-invalid", "true")
        expect(field(card, name)).to_have_accessible_description(re.compile(problem))
        assert server.frames.empty()
        field(card, name).fill(mended)
        expect(field(card, name)).to_have_attribute("aria-invalid", "false")
        button(card, CHANGED).click()
        assert name in server.next_frame()["value"]
        server.send(closed(True, ask_id=f"a{number}"))


def test_what_the_server_refuses_stays_in_the_form_with_its_reason(
    page: Page, server: ScriptedServer
) -> None:
    card = editing(page, server)
    field(card, "recipient").fill("Mallory")
    button(card, CHANGED).click()
    server.next_frame()
    text = {"content": "The edited arguments cannot be used.", "hint": "The call of pay still waits."}
    server.push({"type": "error", "code": "bad_answer", "askId": "a1", **text})

    expect(card.get_by_role("alert")).to_have_text(f"{text['content']} {text['hint']}")
    expect(field(card, "recipient")).to_have_value("Mallory")
    expect(field(card, "recipient")).to_be_focused()
    field(card, "recipient").fill("Bob")
    button(card, CHANGED).click()
    assert server.next_frame()["value"]["recipient"] == "Bob"


def test_enter_in_a_field_grants_nothing_and_control_enter_does(page: Page, server: ScriptedServer) -> None:
    card = editing(page, server)
    field(card, "amount").fill("20")
    page.keyboard.press("Enter")
    expect(card).to_have_attribute("data-state", "open")
    assert server.frames.empty()
    page.keyboard.press("Control+Enter")

    assert server.next_frame()["value"]["amount"] == 20


def test_escape_forgets_the_changes(page: Page, server: ScriptedServer) -> None:
    card = editing(page, server)
    field(card, "amount").fill("20")
    page.keyboard.press("Escape")

    expect(card.locator(".ask-arguments tr").nth(1)).to_have_text("amount30.5")
    expect(button(card, "Edit")).to_be_focused()
    button(card, "Allow").click()
    assert "value" not in server.next_frame()


def test_every_page_shows_what_a_call_was_changed_to(page: Page, server: ScriptedServer) -> None:
    called = {"callId": "c1", "tool": "pay", "state": "called", "arguments": {"amount": 30}, "step": 1}
    call = {"type": "tool", "runId": "r1", "content": called}
    server.send(asked("r1", "Pay"), run("r1", "running", step=1), call, ask())
    card = page.locator(".ask")
    expect(card).to_be_visible()
    server.send(closed(True, value={"amount": 20, "note": "half"}))

    expect(card.locator(".ask-call")).to_have_text('pay(amount=20, note="half")')
    expect(page.locator(".call code")).to_have_text('pay(amount=20, note="half")')
    button(card, "Show the question").click()
    expect(card.locator(".ask-arguments tr")).to_have_text(["amount30 20", "note<b>rent</b> half"])
    expect(card.locator(".ask-arguments del")).to_have_text(["30", "<b>rent</b>"])


def test_a_call_without_parameters_cannot_be_edited(page: Page, server: ScriptedServer) -> None:
    card = opened(page, server, parameters={}, arguments={})

    expect(button(card, "Edit")).to_have_count(0)
    card.focus()
    page.keyboard.press("e")
    expect(button(card, "Allow")).to_be_visible()
