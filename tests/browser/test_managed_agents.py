"""A managed agent in a real browser: folded in the chat, nested in the debug pane, its outputs under its name."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import Axe
from tests.browser.desk_page import OpenPage
from tests.support.desk_server import ANALYSIS
from tests.support.scripted_model import Calls, code
from tests.support.team_desk import Team, team_desk

pytestmark = pytest.mark.browser

FOUND = code(
    "import pandas as pd\n"
    "towns = pd.DataFrame({'town': ['Nara', 'Kobe', 'Otsu'], 'people': [351, 1500, 345]})\n"
    "display(towns)\n"
    "towns.plot.bar(x='town', y='people')\n"
    "print(show_map('1F', highlight_rooms=['Kitchen']))\n"
    "print('sorted by size')",
    "I look at the towns.",
)


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    folder: Path = tmp_path_factory.mktemp("team")
    with team_desk(folder, has_own_tools=True, sandbox_preload=ANALYSIS) as team:
        yield team


def test_its_work_is_folded_in_the_chat_and_nested_in_the_debug_pane(
    team: Team, open_page: OpenPage, axe: Axe
) -> None:
    go = threading.Event()

    def locked(_: object) -> str:
        assert go.wait(60)
        return code("final_answer('Kobe is the largest town.')")

    team.scripts(
        [
            code("largest = team_lead(task='Which town is the largest?')\nprint(largest)", "I ask the team."),
            code("final_answer(f'It is Kobe. ({largest})')"),
        ],
        [
            Calls(("searcher", {"task": "Sort the towns by size."})),
            Calls(("final_answer", {"answer": "Kobe"})),
        ],
        [FOUND, locked],
    )
    desk = open_page(team.live.url)
    turn = desk.say("Which town is the largest?")
    work = turn.locator(".work")
    lead, searcher = work.nth(0), work.nth(1)
    expect(lead.locator(".peer-name").first).to_have_text("team-lead")
    expect(lead).not_to_have_attribute("open", "")
    lead.locator("summary").first.click()
    expect(searcher.locator(".peer-state").first).to_have_text("Step 2: thinking")
    expect(turn.locator(".of-agent-name")).to_have_text(["searcher"] * 3)
    go.set()
    desk.closed(turn)
    expect(turn.locator(".result > .answer")).to_have_text("It is Kobe. (Kobe)")
    expect(searcher.locator(".peer-state").first).to_contain_text("done · 2 steps")
    desk.see_image()
    desk.see_map()

    rows = desk.page.locator("[data-pane=debug] .debug-row")
    name = desk.page.locator(".debug-type", has_text="searcher")
    group = rows.and_(desk.page.locator("[data-kind=run]")).filter(has=name)
    desk.page.get_by_role("tree", name="Events").press("Home")
    expect(group.locator(".debug-tokens")).to_have_text("↑20 ↓2")
    expect(desk.page.locator(".debug-totals")).to_contain_text("↑60 ↓6")
    text = turn.locator(".result").inner_text()
    assert axe.violations(desk.page) == []
    desk.reload()
    expect(turn.locator(".result")).to_have_text(text, use_inner_text=True)
    expect(lead.locator(".peer-state").first).to_contain_text("done · 2 steps")
