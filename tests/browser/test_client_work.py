"""What a run asks of a browser: its location and its music, done by one tab, once; and how it says no."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, expect

from smoldesk.tools.policy import DeskTool
from tests.browser.conftest import Scripted
from tests.browser.desk_page import DeskPage
from tests.support.desk_server import live_desk
from tests.support.scripted_model import code
from tests.support.tools import ChangingMusic, Locating, LocatingAfterYes, Waving
from tests.support.waiting import PATIENCE, see, until

pytestmark = pytest.mark.browser

WHERE = code(
    "try:\n    said = get_location()\nexcept Exception as no:\n    said = str(no)\nfinal_answer(str(said))"
)
COUNTING = """
    const { geolocation } = navigator;
    const ask = geolocation.getCurrentPosition.bind(geolocation);
    geolocation.getCurrentPosition = (found, ...more) => {
        localStorage.setItem("asked", Number(localStorage.getItem("asked") ?? 0) + 1);
        setTimeout(() => ask(found, ...more), 400);
    };
"""
"""Counts in the browser, over all its tabs, how often its location was asked for; and takes its time."""
SILENT = "navigator.geolocation.getCurrentPosition = () => localStorage.setItem('asked', 'silent');"
ABSENT = "delete Navigator.prototype.geolocation;"
Opened = Callable[..., DeskPage]


class ClientDesk(Scripted):
    """A desk with these tools; `got` is what clients sent."""

    got: list[Any]
    tools: list[DeskTool]

    def plays(self, *tracks: int) -> None:
        self.script(*(code(f"final_answer(str(change_bgm({track})))") for track in tracks))


@pytest.fixture(scope="module")
def client_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClientDesk]:
    holder: list[ClientDesk] = []
    folder: Path = tmp_path_factory.mktemp("clients")
    with live_desk(folder, lambda: holder[0].model, lambda _: holder[0].tools, max_steps=3) as live:
        holder.append(ClientDesk(live))
        holder[0].got, holder[0].tools = [], []
        yield holder[0]


@pytest.fixture
def clients(client_desk: ClientDesk) -> ClientDesk:
    client_desk.got.clear()
    client_desk.tools = [Locating(client_desk.got), ChangingMusic(client_desk.got), Waving(client_desk.got)]
    client_desk.script(WHERE)
    return client_desk


@pytest.fixture
def tabs(browser: Browser, clients: ClientDesk) -> Iterator[Opened]:
    """Opens tabs of one browser: its place, what it lets pages know, and a script that runs before the page's."""
    contexts: list[BrowserContext] = []

    def opened(
        script: str = "",
        permissions: tuple[str, ...] = ("geolocation",),
        chat: str = "",
        touched: bool = True,
    ) -> DeskPage:
        if not contexts:
            place = {"latitude": 35.5, "longitude": 139.25, "accuracy": 12}
            context = browser.new_context(geolocation=place, viewport={"width": 1440, "height": 900})  # pyright: ignore
            context.grant_permissions([*permissions])
            context.set_default_timeout(PATIENCE)
            contexts.append(context)
        desk = DeskPage(contexts[0].new_page(), f"{clients.url}/#chat={chat}" if chat else clients.url)
        if script:
            desk.page.add_init_script(script)
        if touched:
            desk.open()
        else:
            desk.page.goto(desk.url)
        return desk

    yield opened
    for context in contexts:
        context.close()


def line_of(turn: Locator) -> Locator:
    return turn.locator(".client-work")


def test_a_granted_location_reaches_the_tool_after_a_person_agreed(clients: ClientDesk, tabs: Opened) -> None:
    clients.tools = [LocatingAfterYes(clients.got)]
    desk = tabs(COUNTING)
    turn = desk.say("Where am I?")
    card = turn.locator(".ask")
    expect(card).to_have_attribute("data-state", "open")
    assert desk.page.evaluate("localStorage.getItem('asked')") is None
    card.get_by_role("button", name="Allow", exact=True).click()
    desk.closed(turn)

    assert clients.got == [{"latitude": 35.5, "longitude": 139.25, "accuracy": 12}]
    expect(turn.locator(".answer")).to_contain_text("139.25")
    expect(line_of(turn)).to_have_text("Location received from the browser")


@pytest.mark.parametrize(
    ("script", "permissions", "message", "line"),
    [
        (
            "",
            (),
            "The browser refused to tell its location",
            "Location not available: the browser denied access to the location",
        ),
        (
            ABSENT,
            (),
            "This browser cannot tell its location",
            "Location not available: this browser does not support locations",
        ),
    ],
    ids=["refused", "absent"],
)
def test_no_location_is_the_calls_error(
    clients: ClientDesk, tabs: Opened, script: str, permissions: tuple[str, ...], message: str, line: str
) -> None:
    desk = tabs(script, permissions)
    turn = desk.ask("Where am I?")

    expect(turn.locator(".answer")).to_contain_text(message)
    expect(line_of(turn)).to_have_text(line)
    assert clients.got == []


def test_two_tabs_ask_the_browser_once(clients: ClientDesk, tabs: Opened) -> None:
    one = tabs(COUNTING)
    two = tabs(COUNTING, chat=one.chat_id())
    turn = one.say("Where am I?")
    for desk in (one, two):
        expect(line_of(desk.turns)).to_have_text("Location received from the browser")
    one.closed(turn)

    assert one.page.evaluate("localStorage.getItem('asked')") == "1"
    assert len(clients.got) == 1


def test_after_a_reload_what_is_open_is_done_and_what_is_closed_is_not(
    clients: ClientDesk, tabs: Opened
) -> None:
    desk = tabs(SILENT)
    desk.say("Where am I?")
    see(desk.page, lambda: desk.page.evaluate("localStorage.getItem('asked')"), "silent")
    expect(line_of(desk.turns)).to_have_text("Requesting the location from the browser")
    other = tabs(COUNTING, chat=desk.chat_id())  # waits for its turn, as long as the first tab has the work
    expect(line_of(other.turns)).to_have_text("Requesting the location from the browser")
    assert clients.got == []
    desk.page.close()
    expect(line_of(other.turns)).to_have_text("Location received from the browser")
    assert len(clients.got) == 1

    other.page.evaluate("localStorage.removeItem('asked')")
    other.reload()
    expect(line_of(other.turns)).to_have_text("Location received from the browser")
    clients.script(WHERE)
    other.ask("And now?")  # done after the closed one was looked at
    assert other.page.evaluate("localStorage.getItem('asked')") == "1"
    assert len(clients.got) == 2


def test_work_that_the_page_does_not_know_is_left_to_others(clients: ClientDesk, tabs: Opened) -> None:
    clients.script(code("final_answer(str(wave()))"))
    desk = tabs()
    turn = desk.say("Wave")
    expect(line_of(turn)).to_contain_text("This page does not support the tool wave")
    [ask] = httpx.get(f"{clients.url}/api/asks").json()["asks"]
    expect(desk.page.locator(".asks-button")).to_have_attribute("data-count", "0")
    httpx.post(f"{clients.url}/api/asks/{ask['askId']}", json={"granted": True, "value": "waved"})
    desk.closed(turn)
    assert clients.got == ["waved"]
    expect(line_of(turn)).to_have_text("Another client ran wave")


def music(desk: DeskPage, **facts: str) -> None:
    player = desk.page.locator(".bgm")
    for name, value in facts.items():
        expect(player).to_have_attribute(f"data-{name}", value)


def test_a_track_plays_is_changed_paused_made_quieter_and_stopped(clients: ClientDesk, tabs: Opened) -> None:
    clients.plays(1, 2)
    desk = tabs()
    turn = desk.ask("Play something")
    expect(turn.locator(".answer")).to_contain_text("Track 1 (Morning) is playing.")
    expect(line_of(turn)).to_have_text("Music changed to Morning")
    music(desk, state="playing", track="1", audio="running", gain="0.075")
    player = desk.page.get_by_role("group", name="Background music")
    player.get_by_role("button", name="Pause").click()
    music(desk, state="paused", audio="suspended")
    player.get_by_role("button", name="Play").click()
    music(desk, state="playing", audio="running")
    volume = player.get_by_role("slider", name="Music volume")
    volume.focus()
    desk.page.keyboard.press("Home")
    music(desk, gain="0.000")
    desk.page.keyboard.press("End")
    music(desk, gain="0.300")

    desk.ask("Another one")
    music(desk, state="playing", track="2")
    player.get_by_role("button", name="Stop the music").click()
    expect(desk.page.locator(".bgm")).to_be_hidden()
    see(desk.page, lambda: desk.page.locator(".bgm").get_attribute("data-audio"), "suspended")


def test_a_track_begun_in_another_tab_ends_the_one_here(clients: ClientDesk, tabs: Opened) -> None:
    clients.plays(3, 4)
    one = tabs()
    one.ask("Play")
    music(one, state="playing", track="3")
    two = tabs(chat=httpx.post(f"{clients.url}/api/chats").json()["id"])
    two.ask("Play")
    music(two, state="playing", track="4")
    music(one, state="off")
    assert [value["track"] for value in clients.got] == [3, 4]


def test_a_browser_that_wants_a_click_gets_the_next_one(clients: ClientDesk, tabs: Opened) -> None:
    """Whatever playwright looks up in a page counts as a touch of it: so the page is first left alone."""
    clients.plays(2)
    chat_id = httpx.post(f"{clients.url}/api/chats").json()["id"]
    httpx.post(f"{clients.url}/api/chats/{chat_id}/runs", json={"message": "Play"}).raise_for_status()
    desk = tabs(chat=chat_id, touched=False)
    until(desk.page, lambda: len(clients.got), lambda count: count == 1)
    assert clients.got[0]["success"] is True
    assert "starts with the next click" in clients.got[0]["message"]
    music(desk, state="blocked", track="2", audio="suspended")
    expect(desk.page.locator(".bgm-name")).to_have_text("Click to start")

    desk.page.locator(".bgm-name").click()

    music(desk, state="playing", audio="running")
    expect(desk.page.locator(".bgm-name")).to_have_text("Rain")


def test_an_unknown_track_is_the_calls_error_and_zero_turns_the_music_off(
    clients: ClientDesk, tabs: Opened
) -> None:
    clients.script(
        code("change_bgm(1)\ntry:\n    change_bgm(9)\nexcept Exception as no:\n    final_answer(str(no))"),
        code("final_answer(str(change_bgm(0)))"),
    )
    desk = tabs()
    turn = desk.ask("Play nine")
    expect(turn.locator(".answer")).to_have_text("There is no track 9. Expected 0 (off) or 1, 2, 3, 4")
    music(desk, state="playing", track="1")
    turn = desk.ask("Off")
    expect(turn.locator(".answer")).to_contain_text("The music is off.")
    expect(line_of(turn)).to_have_text("Music turned off")
    music(desk, state="off")
