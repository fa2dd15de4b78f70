"""From the page to the protocol and back: agents are let in on the page, talk over MCP with its own client, and are watched."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.test_conversations import lanes
from tests.support.aio import run_async
from tests.support.desk_server import LiveDesk
from tests.support.mcp_agents import McpAgent, Mode, ToolRefused, clients
from tests.support.talking_desk import talking_desk
from tests.support.waiting import PATIENCE, see

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE)
WORDS = [
    ("りんご", "ごりら"),
    ("らっぱ", "ぱんだ"),
    ("だちょう", "うさぎ"),
    ("ぎんこう", "うま"),
    ("まくら", "らいおん"),
]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[LiveDesk]:
    with talking_desk(tmp_path) as live:
        yield live


@pytest.fixture
def page(browser: Browser, desk: LiveDesk) -> Iterator[Page]:
    with browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB") as context:
        page = context.new_page()
        page.goto(f"{desk.url}/#conversations=")
        yield page


def new_project(page: Page, name: str) -> None:
    page.locator(".talk-welcome").get_by_role("button", name="New project").click()
    page.get_by_role("textbox", name="Name").fill(name)
    page.get_by_role("button", name="Create").click()
    expect(page.locator(".project-button")).to_contain_text(name)


def let_in(page: Page, name: str) -> dict[str, str]:
    """What the page tells of a new agent."""
    page.locator(".talk-agents").get_by_role("button", name="Add an agent").click()
    page.get_by_role("textbox", name="Name").fill(name)
    page.get_by_role("button", name="Add", exact=True).click()
    sheet = page.get_by_role("dialog", name=f"{name} can join now")
    expect(sheet).to_be_visible()
    names, values = sheet.locator("dt").all_inner_texts(), sheet.locator("code").all_inner_texts()
    sheet.get_by_role("button", name="Done").click()
    return dict(zip(names, values, strict=True))


@pytest.mark.parametrize("mode", [pytest.param("legacy", marks=pytest.mark.slow), "auto"])
def test_agents_let_in_on_the_page_talk_and_are_watched_and_stopped(
    page: Page, desk: LiveDesk, mode: Mode
) -> None:
    new_project(page, f"Games {mode}")
    facts = [let_in(page, "Alice"), let_in(page, "Bob")]
    assert {fact["MCP address"] for fact in facts} == {f"{desk.url}/mcp"}

    async def shiritori() -> str:
        async with clients(desk, mode, 2) as connected:
            alice, bob = (
                McpAgent(client, fact["agent_id"], fact["Passkey"], fact["project_id"])
                for client, fact in zip(connected, facts, strict=True)
            )
            await alice.log_in()
            await bob.log_in()
            started = await alice("start_conversation", target_agent_id=bob.id, purpose="しりとり")
            assert (await bob("get_next_action"))["action"] == "conversation_request"
            for word, right in WORDS:
                await alice("send_message", target_agent_id=bob.id, content=word)
                await bob("respond_chat", target_agent_id=alice.id, content=right)
            return started["conversation_id"]

    conversation = run_async(shiritori())
    page.locator(f"[data-conversation={conversation}]").click()
    see(page, lambda: lanes(page), [turn for a, b in WORDS for turn in (("left", a), ("right", b))])

    page.locator(".talk-end").click()
    page.get_by_role("dialog").get_by_role("button", name="End", exact=True).click()
    expect(page.locator(".talk-head .talk-state")).to_have_text("Ended")

    async def after() -> None:
        async with clients(desk, mode, 1) as (client,):
            bob = McpAgent(client, facts[1]["agent_id"], facts[1]["Passkey"], facts[1]["project_id"])
            await bob.log_in()
            while (action := await bob("get_next_action"))["action"] == "chat":
                await bob("get_pending_messages")
            assert (action["action"], action["reason"]) == ("conversation_ended", "person_ended")
            with pytest.raises(ToolRefused, match="no_active_conversation"):
                await bob("end_conversation")

    run_async(after())
