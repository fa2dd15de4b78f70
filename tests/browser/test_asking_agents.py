"""The built-in analyst of a real desk asks an agent elsewhere, in a real browser: its words, its question, its files."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.desk_page import OpenPage
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.peer_server import peer_server

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    """A desk with the built-in model that lists an agent elsewhere."""
    folder: Path = tmp_path_factory.mktemp("asking")
    with peer_server() as helper:
        (folder / "agents.toml").write_text(helper.toml())
        with live_desk(folder) as live:
            yield live


def test_its_question_is_answered_on_the_page_and_its_words_stay(
    asking: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(asking.url)
    turn = desk.say("Ask the agent helper: ask me which town")
    peer = desk.page.locator(".call .peer")
    expect(peer.locator(".peer-state")).to_have_text("waiting for an answer")
    expect(peer.locator(".printed-text")).to_contain_text("Which town?")
    card = desk.page.locator(".ask")
    expect(card).to_contain_text("helper: Which town?")
    card.get_by_role("textbox").fill("Nara")
    card.get_by_role("button", name="Answer", exact=True).click()
    desk.closed(turn)
    expect(turn.locator(".answer")).to_have_text("You said Nara.")
    expect(peer.locator(".peer-state")).to_have_text("done")
    message = desk.said()
    desk.reload()
    desk.see_said(message)
    expect(peer.locator("summary")).to_contain_text("helper")


def test_files_it_sends_are_shown(asking: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(asking.url)
    turn = desk.ask("helperに聞いて: files please")
    expect(turn.locator(".answer")).to_contain_text("Two files.")
    expect(turn).to_contain_text("numbers.csv")
    desk.see_image()
