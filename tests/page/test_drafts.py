"""A message that no server heard is not lost when its chat or the page is left."""

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import ScriptedServer
from tests.support.waiting import until

pytestmark = pytest.mark.browser


def test_what_was_never_sent_goes_back_into_the_draft(page: Page, server: ScriptedServer) -> None:
    server.accepting = False
    server.drop()
    expect(page.locator(".connection")).to_have_attribute("data-connection", "closed")
    field = page.locator(".field")
    field.fill("said to nobody")
    field.press("Enter")
    expect(page.locator("[data-pending=waiting]")).to_be_visible()
    field.fill("and half a thought")
    text = "said to nobody\n\nand half a thought"
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    assert page.evaluate("localStorage['smoldesk.draft.chat-1']") == text
    page.evaluate("localStorage.removeItem('smoldesk.draft.chat-1')")

    page.get_by_role("button", name="New chat").click()
    expect(field).to_have_value("")
    until(page, lambda: page.evaluate("localStorage['smoldesk.draft.chat-1']"), lambda draft: draft == text)

    server.accepting = True
    page.goto(f"{server.url}#chat=chat-1")
    page.reload()
    expect(field).to_have_value(text)
