"""Agents of the desk in a project, in a real browser: let in on the page, begun from their chat, watched as they talk."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.conversations.test_desk_agents import CHAIN, ENTRIES, reply
from tests.page.test_conversations import lanes
from tests.page.test_conversations_over_mcp import new_project
from tests.support.desk_server import LiveDesk
from tests.support.scripted_model import ScriptedModel
from tests.support.talking_desk import talking_desk
from tests.support.waiting import PATIENCE, see

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[LiveDesk]:
    (tmp_path / "agents.toml").write_text(ENTRIES)
    with talking_desk(tmp_path, make_model=lambda: ScriptedModel([reply])) as live:
        yield live


def let_in(page: Page, agent: str) -> None:
    """Add an agent of the desk, and wait until it has a chat."""
    page.locator(".talk-agents").get_by_role("button", name="Add an agent").click()
    page.get_by_role("radio", name="Agent of this desk").check()
    page.get_by_role("combobox", name="Agent of this desk").select_option(agent)
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("link", name=f"agent {agent}")).to_be_visible()


def test_two_agents_of_the_desk_play_while_a_person_watches(browser: Browser, desk: LiveDesk) -> None:
    with browser.new_context(
        viewport={"width": 1440, "height": 900}, locale="en-GB", reduced_motion="reduce"
    ) as context:
        page = context.new_page()
        page.goto(f"{desk.url}/#conversations=")
        new_project(page, "Games")
        let_in(page, "left")
        let_in(page, "right")
        watching = context.new_page()
        watching.goto(page.url)
        page.get_by_role("link", name="agent left").click()
        box = page.get_by_role("textbox", name="Message")
        box.fill("please begin")
        box.press("Enter")
        watching.locator("[data-conversation]").click()
        see(
            watching,
            lambda: lanes(watching),
            [(("left", "right")[at % 2], word) for at, word in enumerate(CHAIN)],
        )
        expect(watching.locator(".talk-head .talk-state")).to_have_text("Ended")
        expect(watching.locator(".talk-note", has_text="left ended it")).to_be_visible()

        # in its chat the first agent was asked by a person, and told the rest by the desk
        requested = page.locator(".question")
        expect(requested.first).to_have_text("You asked: please begin")
        report = requested.nth(1)
        expect(report.get_by_role("link", name="Turn in a conversation")).to_be_visible()
        expect(report).not_to_contain_text("You asked")
        assert report.bounding_box()["x"] < requested.first.bounding_box()["x"]  # pyright: ignore[reportOptionalSubscript]
        expect(page.locator(".turn").nth(1).get_by_role("button", name="Edit")).to_have_count(0)
        report.get_by_role("link").click()
        expect(page.locator(".talk-head .talk-state")).to_have_text("Ended")
