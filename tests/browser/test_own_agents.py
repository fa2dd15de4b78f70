"""A person's own agents in a real browser: approval, plan and answer of one; nested work and pictures of another."""

from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import expect
from smolagents import CodeAgent, ToolCallingAgent
from smolagents.memory import ActionStep

from tests.browser.desk_page import OpenPage
from tests.support.own_agents import scripted, search, served
from tests.support.scripted_model import Calls, code

pytestmark = pytest.mark.browser


def test_a_planning_code_agent_asks_before_its_tool_and_shows_plan_and_answer(
    tmp_path: Path, open_page: OpenPage
) -> None:
    model = scripted("1. Look it up.", code("page = search('cats')\nfinal_answer(page.title())"))
    agent = CodeAgent(tools=[search], model=model, planning_interval=4, name="alfred")
    with served(agent, tmp_path) as ui:
        desk = open_page(str(ui.address))
        expect(desk.page.get_by_text("alfred", exact=True)).to_be_visible()
        turn = desk.say("Find cats")
        expect(turn.get_by_text("1. Look it up.")).to_be_visible()
        expect(turn.get_by_text("Search the web.")).to_be_visible()
        turn.get_by_role("button", name="Allow", exact=True).click()
        desk.closed(turn)
        expect(turn.get_by_text("Found: Cats", exact=True)).to_be_visible()
        assert desk.unforgiven() == []


def test_a_manager_shows_its_members_work_and_pictures(tmp_path: Path, open_page: OpenPage) -> None:
    def photograph(step: ActionStep) -> None:
        step.observations_images = [Image.new("RGB", (60, 40), "teal")]

    web = ToolCallingAgent(
        tools=[search],
        model=scripted(Calls(("search", {"query": "x"})), Calls(("final_answer", {"answer": "x is 7"}))),
        name="web_agent",
        description="Searches the web.",
    )
    boss = CodeAgent(
        tools=[],
        model=scripted(code("report = web_agent(task='find x')\nfinal_answer('seven')")),
        managed_agents=[web],
        step_callbacks=[photograph],
    )
    with served(boss, tmp_path, approvals={"search": "never"}) as ui:
        desk = open_page(str(ui.address))
        turn = desk.ask("What is x?")
        expect(turn.get_by_text("seven", exact=True)).to_be_visible()
        expect(desk.images).to_have_count(1)
        turn.locator("summary, button").filter(has_text="Step 1").first.click()
        expect(turn.get_by_text("web_agent").first).to_be_visible()
        assert desk.unforgiven() == []
