"""A page that reloads, two tabs, and a server that dies under the page: nothing is lost, nothing doubled."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Scripted
from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.desk_server import DeskProcess, LiveDesk
from tests.support.openai_server import OpenAIServer, Reply, Says, Seen, Stalls
from tests.support.scripted_model import code

pytestmark = pytest.mark.browser

FIRST_STEP = code(
    "import pandas as pd\nimport matplotlib.pyplot as plt\nprint('printed once')\n"
    "rooms = pd.DataFrame({'room': ['Kitchen', 'Toilet'], 'value': [1, 2]})\n"
    "plt.plot([1, 2, 3])\ndraw_arrow(room_name='Kitchen', direction='left')\nrooms",
    thought="First I look.",
)
LAST_STEP = code("final_answer('All is said.')", thought="Now I answer.")


def test_a_reload_in_mid_run_loses_nothing_and_doubles_nothing(
    scripted: Scripted, open_page: OpenPage
) -> None:
    scripted.script(FIRST_STEP, scripted.held(LAST_STEP))
    desk = open_page(scripted.url)
    page = open_page(scripted.url, opener=desk)
    assert page.chat_id() == desk.chat_id()
    turn = desk.say("Look around, then tell me")
    expect(turn.locator(".table-block")).to_be_visible()
    expect(turn.locator(".status-words")).to_have_text("Step 2: thinking")
    before = desk.said()

    desk.reload()

    expect(desk.turns).to_have_count(1)
    expect(turn).to_have_attribute("aria-busy", "true")
    expect(turn.locator(".status-words")).to_have_text("Step 2: thinking")
    expect(desk.stop).to_be_visible()
    desk.see_said(before)
    desk.see_image()
    desk.see_map(arrows=1)
    expect(desk.page.locator(".welcome")).to_be_hidden()

    scripted.gate.set()
    desk.closed(turn)
    expect(turn.locator(".answer")).to_have_text("All is said.")
    expect(turn.locator(".code-block")).to_have_count(2)
    expect(turn.locator(".code-block:visible")).to_have_count(0)
    message = desk.said()
    for head in turn.locator(".step-head").all():
        head.click()
    expect(turn.locator(".code-block:visible")).to_have_count(2)
    expect(turn.locator(".printed:visible")).to_have_count(1)
    expect(desk.images).to_have_count(1)
    expect(desk.stop).to_be_hidden()

    page.closed(page.turns.first)
    page.see_said(message)
    desk.reload()
    desk.closed(turn)
    desk.see_said(message)


def test_a_reload_keeps_every_answer_of_the_analyst(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url)
    desk.ask("Load the Titanic dataset and show me basic statistics")
    desk.ask("Colour each room by its average temperature")
    desk.see_map(highlights=5)
    before = desk.said()
    desk.reload()
    expect(desk.turns).to_have_count(2)
    desk.see_said(before)
    desk.see_image()
    desk.see_map(highlights=5)


def test_a_second_tab_sees_a_question_as_it_is_asked(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url)
    page = open_page(analyst.url, opener=desk)
    desk.ask("Draw a left arrow in the Kitchen")
    expect(page.turns).to_have_count(1)
    page.closed(page.turns.first)
    page.see_map(arrows=1)
    page.see_said(desk.said())

    page.page.get_by_role("button", name="Clear map").click()
    desk.see_map(arrows=0)
    page.see_map(arrows=0)


def test_two_people_do_not_see_each_other(analyst: LiveDesk, open_page: OpenPage) -> None:
    one, other = open_page(analyst.url), open_page(analyst.url)
    one.ask("Draw a left arrow in the Kitchen")
    other.ask("How many rows does the Titanic dataset have?")
    assert one.chat_id() != other.chat_id()
    expect(one.turns).to_have_count(1)
    expect(other.turns).to_have_count(1)
    other.see_map(arrows=0)


def test_a_cleared_map_survives_a_reload(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url)
    desk.ask("Draw a left arrow in the Kitchen")
    desk.ask("1階のRoom1を赤色でハイライトして")
    desk.see_map(arrows=1, highlights=1)
    desk.page.get_by_role("button", name="Clear map").click()
    desk.see_map(arrows=0, highlights=0)
    desk.reload()
    expect(desk.turns).to_have_count(2)
    desk.see_map(arrows=0, highlights=0)
    expect(desk.page.get_by_role("button", name="Clear map")).to_be_disabled()


class Restarting:
    """One data folder and one port, and the server processes that come and go on them."""

    def __init__(self, folder: Path, port: int, model_url: str) -> None:
        self.folder = folder
        self.port = port
        self.env = {
            "SMOLDESK_MODEL": "openai:scripted",
            "SMOLDESK_OPENAI_BASE_URL": model_url,
            "SMOLDESK_ALLOW_UNISOLATED": "true",
            "SMOLDESK_SANDBOX_PRELOAD": "[]",
        }
        self.started: list[DeskProcess] = []

    def start(self) -> DeskProcess:
        process = DeskProcess(self.folder, self.port, self.env)
        self.started.append(process)
        process.wait_until_up()
        return process


class Stalling:
    """A model that says a beginning and no more, until `well` is set."""

    def __init__(self) -> None:
        self.well = False

    def __call__(self, _: Seen) -> Reply:
        if self.well:
            return Says(code("final_answer('Here I am again.')"))
        return Stalls("Let me think ", "about")


@pytest.fixture
def model() -> Stalling:
    return Stalling()


@pytest.fixture
def restarting(tmp_path: Path, free_port: int, model: Stalling) -> Iterator[Restarting]:
    with OpenAIServer(model) as server:
        processes = Restarting(tmp_path, free_port, server.base_url)
        yield processes
        for process in processes.started:
            process.close()


@pytest.mark.timeout(300)  # two starts of a server
def test_a_killed_server_comes_back_under_the_open_page(
    restarting: Restarting, open_page: OpenPage, model: Stalling
) -> None:
    first = restarting.start()
    desk: DeskPage = open_page(first.url)
    desk.forgive("ERR_CONNECTION")
    desk.forgive("WebSocket connection to")
    turn = desk.say("Are you there?")
    expect(turn).to_contain_text("Let me think about")

    first.kill()
    expect(desk.page.locator(".connection")).to_have_text("Reconnecting")
    expect(turn).to_contain_text("Let me think about")
    desk.composer.fill("Said to nobody yet")
    desk.composer.press("Enter")
    pending = desk.page.locator("[data-pending]")
    expect(pending).to_contain_text("Will be sent when the connection is back")

    model.well = True
    restarting.start()
    desk.reconnect()
    desk.closed(turn, "failed")
    expect(turn.locator(".fault")).to_contain_text("restarted")
    expect(desk.turns).to_have_count(2)
    desk.closed(desk.turns.nth(1))
    expect(pending).to_have_count(0)
    expect(desk.turns.nth(1).locator(".question")).to_contain_text("Said to nobody yet")

    turn.get_by_role("button", name="Try again").click()
    expect(desk.turns).to_have_count(3)
    again = desk.turns.nth(2)
    desk.closed(again)
    expect(again.locator(".question")).to_contain_text("Are you there?")
    expect(again.locator(".answer")).to_have_text("Here I am again.")

    message = desk.said()
    desk.reload()
    expect(desk.turns).to_have_count(3)
    desk.closed(again)
    desk.see_said(message)
