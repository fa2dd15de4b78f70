"""A tool that needs a yes: the run waits visibly, anyone answers, and every page of the chat sees how it ended."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Scripted
from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.desk_server import live_desk
from tests.support.scripted_model import Calls, ScriptedModel, code
from tests.support.tools import Paying, Payment

pytestmark = pytest.mark.browser

PAYS = code("final_answer(process_payment('Alice', 30, 'USD'))")
TRIES = code(
    "try:\n    said = process_payment('Alice', 30, 'USD')\nexcept Exception as no:\n    said = str(no)\nfinal_answer(said)"
)
LOOPS = code(
    "for number in range(1, 6):\n    process_payment(f'person {number}', number, 'USD')\nfinal_answer('all paid')"
)
HURRIES = code("try:\n    pay('rent')\nexcept Exception as no:\n    final_answer(str(no))")
HOLDING = """
    const Real = window.WebSocket;
    window.held = null;
    window.WebSocket = class extends Real {
        addEventListener(type, listener, ...more) {
            if (type !== "message") return super.addEventListener(type, listener, ...more);
            super.addEventListener(type, (event) => (window.held ? window.held.push(() => listener(event)) : listener(event)));
        }
    };
"""
"""A page that hears nothing while `held` is a list: as one that is a moment behind."""


class Instalments(Payment):
    """Pays in parts: a whole number of them."""

    name = "pay_in_parts"
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "recipient": {"type": "string", "description": "Who is paid"},
        "parts": {"type": "integer", "description": "In how many parts"},
    }

    def forward(self, recipient: str, parts: int) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        self._paid.append(f"{parts} parts to {recipient}")
        return f"paid in {parts} parts"


class PayingDesk(Scripted):
    """A desk whose tools ask before each call; `paid` is the truth about which calls ran."""

    paid: list[str]


@pytest.fixture(scope="module")
def paying_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PayingDesk]:
    holder: list[PayingDesk] = []
    folder: Path = tmp_path_factory.mktemp("paying")
    paid: list[str] = []
    tools = [Payment(paid), Instalments(paid), Paying(paid)]
    options = {"max_steps": 3, "message_limit_kb": 4, "tool_ask_timeout_seconds": {"pay": 2}}
    with live_desk(folder, lambda: holder[0].model, lambda _: tools, **options) as live:  # pyright: ignore[reportArgumentType]
        holder.append(PayingDesk(live))
        holder[0].paid = paid
        yield holder[0]


@pytest.fixture
def paying(paying_desk: PayingDesk) -> PayingDesk:
    paying_desk.paid.clear()
    return paying_desk


def waiting(desk: DeskPage, message: str = "Pay what we owe") -> tuple[Locator, Locator]:
    """The turn of a message whose tool waits for a yes, and the card of the ask."""
    turn = desk.say(message)
    card = turn.locator(".ask")
    expect(card).to_have_attribute("data-state", "open")
    expect(turn.locator(".status-words")).to_have_text("Waiting for an answer")
    return turn, card


def button(card: Locator, name: str) -> Locator:
    return card.get_by_role("button", name=name, exact=True)


def test_an_allowed_call_runs_and_the_card_stays_as_it_ended(paying: PayingDesk, open_page: OpenPage) -> None:
    paying.script(PAYS)
    desk = open_page(paying.url)
    extra = open_page(paying.url, opener=desk)
    turn, card = waiting(desk)
    expect(card.locator(".ask-line")).to_have_text("Line 1final_answer(process_payment('Alice', 30, 'USD'))")
    expect(card.locator(".ask-arguments tr")).to_have_text(["recipientAlice", "amount30", "currencyUSD"])
    expect(extra.page.locator(".ask")).to_have_attribute("data-state", "open")
    assert paying.paid == []

    desk.reload()
    expect(card).to_have_attribute("data-state", "open")
    button(card, "Allow").click()
    desk.closed(turn)

    assert paying.paid == ["30 USD to Alice"]
    expect(turn.locator(".answer")).to_have_text("paid 30 USD to Alice")
    for page in (desk, extra):
        expect(page.page.locator(".ask")).to_have_attribute("data-state", "granted")
    desk.reload()
    expect(card.locator(".ask-how")).to_have_text("Allowed")
    expect(button(card, "Allow")).to_have_count(0)


def test_edited_arguments_are_what_runs_and_every_page_sees_it(
    paying: PayingDesk, open_page: OpenPage
) -> None:
    paying.script(PAYS)
    desk = open_page(paying.url)
    extra = open_page(paying.url, opener=desk)
    turn, card = waiting(desk)
    button(card, "Edit").click()
    card.get_by_label("amount").fill("12.5")
    card.get_by_label("description").fill("half of it")
    button(card, "Allow with these changes").click()
    desk.closed(turn)

    assert paying.paid == ["12.5 USD to Alice"]
    ran = 'process_payment(recipient="Alice", amount=12.5, currency="USD", description="half of it")'
    for page in (desk, extra):
        expect(page.page.locator(".ask-how")).to_have_text("Allowed with changes")
        expect(page.page.locator(".ask-call")).to_have_text(ran)
    desk.reload()
    expect(turn.locator(".call code").first).to_have_text(ran)


def test_edited_arguments_that_are_refused_can_be_mended(paying: PayingDesk, open_page: OpenPage) -> None:
    paying.script(code("final_answer(pay_in_parts('Alice', 3))"))
    desk = open_page(paying.url)
    turn, card = waiting(desk)
    button(card, "Edit").click()
    allow, fault = button(card, "Allow with these changes"), card.get_by_role("alert")
    card.get_by_label("parts").fill("")
    allow.click()
    expect(card).to_contain_text("Enter a value.")  # the page knows
    card.get_by_label("parts").fill("1e21")
    allow.click()
    expect(fault).to_contain_text("`parts` is a number; expected a whole number.")  # only the server knows
    expect(card).to_have_attribute("data-state", "open")
    expect(card.get_by_label("parts")).to_have_value("1e21")
    card.get_by_label("recipient").fill("x" * 5_000)
    allow.click()
    expect(fault).to_contain_text("The message is too long")  # a frame that is not even read
    assert paying.paid == []

    card.get_by_label("parts").fill("2")
    card.get_by_label("recipient").fill("Bob")
    allow.click()
    desk.closed(turn)
    assert paying.paid == ["2 parts to Bob"]
    expect(desk.page.locator(".aside")).to_have_count(0)


def test_the_rest_of_a_step_is_asked_about_once(paying: PayingDesk, open_page: OpenPage) -> None:
    paying.script(LOOPS)
    desk = open_page(paying.url)
    turn, card = waiting(desk)
    button(card, "Allow").click()
    second = turn.locator(".ask").nth(1)
    expect(second.locator(".ask-count")).to_have_text("2nd call from this line")
    expect(second.locator(".ask-number")).to_have_text("Line 2")
    assert paying.paid == ["1 USD to person 1"]
    button(second, "Allow the rest of this step").click()
    desk.closed(turn)

    assert paying.paid == [f"{number} USD to person {number}" for number in range(1, 6)]
    expect(turn.locator(".ask-how")).to_have_text(["Allowed", "Allowed for the rest of this step"])


def test_the_rest_of_a_step_can_be_denied(paying: PayingDesk, open_page: OpenPage) -> None:
    paying.script(code("denied = []\nfor number in range(5):\n    try:\n        process_payment('Eve', 1, 'USD')\n    "
                       "except Exception as no:\n        denied.append(str(no))\nfinal_answer(str(denied))"))  # fmt: skip
    desk = open_page(paying.url)
    turn, card = waiting(desk)
    button(card, "Give a reason or deny more").click()
    desk.page.keyboard.type("none for Eve")
    button(card, "Deny the rest of this step").click()
    desk.closed(turn)

    assert paying.paid == []
    expect(turn.locator(".ask-how")).to_have_text("Denied for the rest of this step: none for Eve")
    assert turn.locator(".answer").inner_text().count("User denied the tool call: none for Eve") == 5


def test_always_in_this_chat_holds_until_it_is_taken_back(paying: PayingDesk, open_page: OpenPage) -> None:
    paying.script(PAYS)
    desk = open_page(paying.url)
    turn, card = waiting(desk)
    button(card, "Always in this chat").click()
    desk.closed(turn)
    expect(card.locator(".ask-how")).to_have_text("Always allowed in this chat")
    expect(turn.locator(".policy-line")).to_contain_text("process_payment runs without asking in this chat.")

    expect(desk.ask("Again").locator(".ask")).to_have_count(0)
    assert len(paying.paid) == 2
    desk.reload()
    desk.page.get_by_role("button", name="Approvals: 1 allowed").click()
    switch = desk.page.get_by_role("switch", name="Always allow process_payment in this chat")
    expect(switch).to_have_attribute("aria-checked", "true")
    switch.click()
    expect(switch).to_have_attribute("aria-checked", "false")
    desk.page.keyboard.press("Escape")

    third, requested = waiting(desk, "And again")
    button(requested, "Always in this chat").click()
    desk.closed(third)
    third.get_by_role("button", name="Revoke").click()
    expect(desk.page.locator(".policy-line").last).to_have_text("process_payment asks again before it runs.")
    waiting(desk, "Once more")
    assert len(paying.paid) == 3


def test_a_denied_call_never_runs_and_the_code_hears_why(paying: PayingDesk, open_page: OpenPage) -> None:
    paying.script(TRIES)
    desk = open_page(paying.url)
    turn, card = waiting(desk)
    button(card, "Give a reason or deny more").click()
    card.get_by_role("textbox", name="Reason for denying").fill("too dear")
    button(card, "Deny").click()
    desk.closed(turn)

    assert paying.paid == []
    expect(turn.locator(".answer")).to_have_text("User denied the tool call: too dear")
    expect(card.locator(".ask-how")).to_have_text("Denied: too dear")


def test_an_ask_that_nobody_answers_times_out(paying: PayingDesk, open_page: OpenPage) -> None:
    paying.script(HURRIES)
    desk = open_page(paying.url)
    turn = desk.ask("Pay the rent")

    assert paying.paid == []
    expect(turn.locator(".ask-how")).to_have_text("Timed out")
    expect(turn.locator(".answer")).to_have_text("Approval request timed out")


def test_the_first_of_two_windows_wins_and_the_other_is_told(paying: PayingDesk, open_page: OpenPage) -> None:
    paying.script(TRIES)
    desk = open_page(paying.url)
    desk.page.context.add_init_script(HOLDING)
    page = open_page(paying.url, opener=desk)
    turn, card = waiting(desk)
    late = page.page.locator(".ask")
    expect(late).to_have_attribute("data-state", "open")
    page.page.evaluate("window.held = []")
    button(card, "Deny").click()
    desk.closed(turn)
    button(late, "Allow").click()
    page.page.wait_for_function(
        "window.held.length > 0 && document.querySelector('.ask').dataset.state === 'answered'"
    )
    page.page.evaluate(
        "() => { const held = window.held; window.held = null; held.forEach((say) => say()); }"
    )

    expect(late.locator(".ask-how")).to_have_text("Denied")
    expect(late.locator(".ask-own")).to_have_text("Answered in another window")
    expect(card.locator(".ask-own")).to_have_count(0)
    assert paying.paid == []


def test_asks_of_one_step_stand_side_by_side_and_one_answer_can_end_them_all(
    tmp_path: Path, open_page: OpenPage
) -> None:
    paid: list[str] = []
    payment = {"amount": 1, "currency": "USD"}
    calls = Calls(*(("process_payment", {"recipient": name, **payment}) for name in ("Ann", "Ben", "Cas")))
    model = ScriptedModel([calls, Calls(("final_answer", {"answer": "done"}))])
    with live_desk(tmp_path, lambda: model, lambda _: [Payment(paid)], agent="tools") as live:
        desk = open_page(live.url)
        turn = desk.say("Pay all three")
        cards = turn.locator(".ask[data-state=open]")
        expect(cards).to_have_count(3)
        expect(turn.locator(".ask-line")).to_have_count(0)  # no code asks
        button(cards.nth(1), "Deny").click()
        expect(cards).to_have_count(2)
        button(cards.first, "Allow the rest of this step").click()
        desk.closed(turn)

        ends = ["Allowed for the rest of this step", "Denied", "Allowed by an earlier answer"]
        expect(turn.locator(".ask-how")).to_have_text(ends)
        assert sorted(paid) == ["1 USD to Ann", "1 USD to Cas"]


def test_the_keyboard_is_enough_and_the_ask_is_read_out(paying: PayingDesk, open_page: OpenPage) -> None:
    paying.script(LOOPS)
    desk = open_page(paying.url)
    keys = desk.page.keyboard
    turn, card = waiting(desk)
    text = "Waiting for your answer. Allow process_payment? recipient person 1, amount 1, currency USD"
    expect(desk.page.locator("[aria-live=polite].ask-called")).to_have_text(text)
    expect(desk.composer).to_be_focused()  # the card took nothing
    keys.press("Tab")
    keys.press("a")
    expect(card).to_be_focused()
    keys.press("y")
    expect(turn.locator(".ask")).to_have_count(2)

    keys.press("a")
    second = turn.locator(".ask").nth(1)
    expect(second).to_be_focused()
    keys.press("e")
    keys.press("Tab")
    keys.type("7")  # the number is selected when one comes to it with Tab
    keys.press("Control+Enter")
    third = turn.locator(".ask").nth(2)
    expect(third.locator(".ask-count")).to_have_text("3rd call from this line")
    keys.press("a")
    expect(third).to_be_focused()
    for _ in range(6):
        keys.press("Tab")
    expect(button(third, "Allow the rest of this step")).to_be_focused()
    keys.press("Enter")
    desk.closed(turn)

    assert paying.paid == [
        "1 USD to person 1", "7 USD to person 2", "3 USD to person 3", "4 USD to person 4", "5 USD to person 5"
    ]  # fmt: skip


def test_stop_closes_the_card(paying: PayingDesk, open_page: OpenPage) -> None:
    paying.script(PAYS)
    desk = open_page(paying.url)
    turn, card = waiting(desk)
    desk.stop.click()
    desk.closed(turn, "cancelled")

    expect(card.locator(".ask-how")).to_have_text("Stopped")
    expect(button(card, "Allow")).to_have_count(0)
    assert paying.paid == []
