"""Open asks of three chats, as a fourth page sees them: counted, listed, linked, and gone when they are answered."""

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.desk_page import DeskPage, OpenPage
from tests.browser.test_asks import PAYS, PayingDesk, paying, paying_desk
from tests.page.test_open_asks_list import NO_FRAMES
from tests.support.scripted_model import code
from tests.support.waiting import see

__all__ = ["paying", "paying_desk"]
pytestmark = pytest.mark.browser


def asking_chat(url: str, message: str) -> str:
    """A chat without a page, whose run asks; its id."""
    chat_id: str = httpx.post(f"{url}/api/chats").json()["id"]
    httpx.post(f"{url}/api/chats/{chat_id}/runs", json={"message": message}).raise_for_status()
    return chat_id


def badge(desk: DeskPage, count: int) -> None:
    """The title's count; it is looked at without a frame being drawn."""
    see(
        desk.page,
        lambda: desk.page.title().startswith(f"({count}) ") if count else "(" not in desk.page.title(),
        True,
    )


def test_asks_of_other_chats_are_counted_listed_and_one_click_away(
    paying: PayingDesk, open_page: OpenPage
) -> None:
    paying.script(PAYS, PAYS, PAYS, code("final_answer('no')"))
    desk, hidden = open_page(paying.url), open_page(paying.url)
    hidden.page.evaluate(NO_FRAMES)
    chats = {name: asking_chat(paying.url, name) for name in ("Rent", "Power", "Water")}
    for page in (desk, hidden):
        badge(page, 3)

    desk.page.get_by_role("button", name="3 questions wait for an answer").click()
    lines = desk.page.locator(".asks-line")
    expect(lines).to_have_count(3)
    assert sorted(text.split("\n")[0] for text in lines.all_inner_texts()) == sorted(chats)
    lines.filter(has_text="Power").click()

    card = desk.page.locator(".ask")
    expect(card).to_have_attribute("data-state", "open")
    expect(card).to_be_focused()
    expect(card).to_be_in_viewport()
    assert desk.chat_id() == chats["Power"]
    card.get_by_role("button", name="Allow", exact=True).click()
    for page in (desk, hidden):
        badge(page, 2)
    see(desk.page, lambda: list(paying.paid), ["30 USD to Alice"])

    for ask in httpx.get(f"{paying.url}/api/asks").json()["asks"]:
        httpx.post(f"{paying.url}/api/asks/{ask['askId']}", json={"granted": True}).raise_for_status()
    for page in (desk, hidden):
        badge(page, 0)
    see(desk.page, lambda: list(paying.paid), ["30 USD to Alice"] * 3)
