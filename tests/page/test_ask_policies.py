"""What a chat lets run without asking: the list, the line in the chat, and how both are taken back."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.ask_messages import ask, closed
from tests.page.conftest import Json, ScriptedServer, asked, chat_message, run
from tests.support.page_menu import from_menu

pytestmark = pytest.mark.browser


def policy(tool: str, message: str) -> Json:
    return {"type": "policy", "content": {"tool": tool, "policy": message}}


def introduced(page: Page, server: ScriptedServer) -> Locator:
    """The button of a chat with two tools that ask."""
    chat = chat_message(server.chat_id)
    chat["content"]["approvals"] = {"pay": "always", "find_me": "once"}
    server.push(chat)
    button = page.locator(".approvals-button")
    expect(button).to_be_visible()
    return button


def test_a_chat_whose_tools_never_ask_has_no_list(page: Page) -> None:
    expect(page.locator(".approvals-button")).to_be_hidden()


def test_the_list_says_how_each_tool_asks_and_gives_and_takes_back(
    page: Page, server: ScriptedServer
) -> None:
    button = introduced(page, server)
    expect(button).to_have_text("Approvals")
    button.click()
    listing = page.locator(".approvals-row")
    expect(listing).to_have_text(["payAsks every time", "find_meAsks once per run"])

    switch = page.get_by_role("switch", name="Always allow pay in this chat")
    expect(switch).to_have_attribute("aria-checked", "false")
    switch.click()
    assert server.next_frame() == {"type": "policy", "tool": "pay", "policy": "allow"}
    expect(switch).to_have_attribute("aria-checked", "false")  # the server's word moves it
    server.send(policy("pay", "allow"))
    expect(switch).to_have_attribute("aria-checked", "true")
    expect(listing.first).to_contain_text("Always allowed in this chat")
    expect(button).to_have_text("Approvals: 1 allowed")

    switch.press("Space")
    assert server.next_frame() == {"type": "policy", "tool": "pay", "policy": "ask"}
    server.send(policy("pay", "ask"))
    expect(switch).to_be_focused()
    expect(button).to_have_text("Approvals")


def test_the_chat_says_it_where_it_was_set_and_the_newest_word_can_be_taken_back(
    page: Page, server: ScriptedServer
) -> None:
    server.send(asked("r1", "Pay"), run("r1", "running", step=1), ask(), policy("pay", "allow"))
    server.send(closed(True, scope="chat"), run("r1", "finished", text="done"))
    line = page.locator("[data-run=r1] .policy-line")
    expect(line).to_contain_text("pay runs without asking in this chat.")
    line.get_by_role("button", name="Revoke").click()
    assert server.next_frame() == {"type": "policy", "tool": "pay", "policy": "ask"}

    server.send(policy("pay", "ask"))
    expect(page.locator(".aside .policy-line")).to_have_text("pay asks again before it runs.")
    expect(line.get_by_role("button", name="Revoke")).to_be_hidden()
    server.send(policy("pay", "allow"))
    expect(page.locator(".policy-line button:visible")).to_have_count(1)


def test_a_reload_keeps_what_was_allowed(page: Page, server: ScriptedServer) -> None:
    server.send(policy("pay", "allow"), policy("find_me", "allow"), policy("find_me", "ask"))
    expect(page.locator(".policy-line")).to_have_count(3)
    page.reload()
    server.wait_for_connections(2)
    button = introduced(page, server)

    expect(button).to_have_text("Approvals: 1 allowed")
    expect(page.locator(".policy-line")).to_have_count(3)
    expect(page.locator(".policy-line button:visible")).to_have_count(1)


def test_another_chat_begins_without_allowances(page: Page, server: ScriptedServer) -> None:
    button = introduced(page, server)
    server.send(policy("pay", "allow"))
    expect(button).to_have_text("Approvals: 1 allowed")
    server.log.clear()
    page.get_by_role("button", name="New chat").click()
    server.wait_for_connections(2)
    introduced(page, server)

    expect(button).to_have_text("Approvals")


def test_the_list_speaks_japanese(page: Page, server: ScriptedServer) -> None:
    button = introduced(page, server)
    from_menu(page, "日本語で表示")

    expect(button).to_have_text("ツールの許可")
    button.click()
    expect(page.locator(".approvals-row").first).to_have_text("pay毎回確認します")


def test_the_list_fits_a_narrow_screen(page: Page, server: ScriptedServer) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    introduced(page, server).click()
    box = page.locator(".approvals").bounding_box()

    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    page.set_viewport_size({"width": 1440, "height": 900})
