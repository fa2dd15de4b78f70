"""A tool that needs a yes: the run waits visibly, anyone answers, and every page of the chat sees how it ended."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Scripted
from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.desk_server import live_desk
from tests.support.scripted_model import code
from tests.support.tools import Paying

pytestmark = pytest.mark.browser

PAYS = code("paid = pay('rent')\nprint(paid)\nfinal_answer(paid)")
TRIES = code("try:\n    said = pay('rent')\nexcept Exception as no:\n    said = str(no)\nfinal_answer(said)")


class PayingDesk(Scripted):
    """A desk with one tool, which asks before each call; `paid` is the truth about which calls ran."""

    paid: list[str]


@pytest.fixture(scope="module")
def paying_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PayingDesk]:
    holder: list[PayingDesk] = []
    folder: Path = tmp_path_factory.mktemp("paying")
    paid: list[str] = []
    with live_desk(folder, lambda: holder[0].model, lambda _: [Paying(paid)], max_steps=3) as live:
        holder.append(PayingDesk(live))
        holder[0].paid = paid
        yield holder[0]


@pytest.fixture
def paying(paying_desk: PayingDesk) -> PayingDesk:
    paying_desk.paid.clear()
    return paying_desk


def waiting(desk: DeskPage, message: str = "Pay the rent") -> tuple[Locator, Locator]:
    """The turn of a message whose tool waits for a yes, and the card of the ask."""
    turn = desk.say(message)
    card = turn.locator(".ask")
    expect(card).to_have_attribute("data-state", "open")
    expect(turn.locator(".status-words")).to_have_text("Waiting for an answer")
    return turn, card


def test_an_allowed_call_runs_and_the_card_stays_as_it_ended(paying: PayingDesk, open_page: OpenPage) -> None:
    paying.script(PAYS)
    desk = open_page(paying.url)
    beside = open_page(paying.url, beside=desk)
    turn, card = waiting(desk)
    expect(card.locator(".ask-arguments")).to_contain_text("rent")
    expect(beside.page.locator(".ask")).to_have_attribute("data-state", "open")
    assert paying.paid == []

    desk.reload()
    expect(card).to_have_attribute("data-state", "open")
    card.get_by_role("button", name="Allow").click()
    desk.closed(turn)

    assert paying.paid == ["rent"]
    expect(turn.locator(".answer")).to_have_text("paid rent")
    for page in (desk, beside):
        expect(page.page.locator(".ask")).to_have_attribute("data-state", "granted")
    desk.reload()
    expect(card).to_have_attribute("data-state", "granted")
    expect(card.get_by_role("button")).to_have_count(0)


def test_a_denied_call_never_runs_and_the_agent_hears_why(paying: PayingDesk, open_page: OpenPage) -> None:
    paying.script(TRIES)
    desk = open_page(paying.url)
    turn, card = waiting(desk)
    card.get_by_role("textbox", name="Reason to deny").fill("too dear")
    card.get_by_role("button", name="Deny").click()
    desk.closed(turn)

    assert paying.paid == []
    expect(turn.locator(".answer")).to_contain_text("too dear")
    expect(card.locator(".ask-end")).to_contain_text("Denied")


def test_stop_closes_the_card(paying: PayingDesk, open_page: OpenPage) -> None:
    paying.script(PAYS)
    desk = open_page(paying.url)
    turn, card = waiting(desk)
    desk.stop.click()
    desk.closed(turn, "cancelled")

    expect(card).to_have_attribute("data-state", "denied")
    expect(card.get_by_role("button")).to_have_count(0)
    assert paying.paid == []
