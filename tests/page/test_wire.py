"""The socket: what is sent, what is missed, and what a drop does, against a real WebSocket server."""

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import ScriptedServer, asked, run, text

pytestmark = pytest.mark.browser


def test_the_first_visit_asks_for_a_chat_and_remembers_which_it_got(
    page: Page, server: ScriptedServer
) -> None:
    server.wait_for_connections(1)
    assert server.connections == [{"after": "0"}]
    assert page.url.endswith("#chat=chat-1")


def test_a_reload_rebuilds_the_chat_from_its_first_message(page: Page, server: ScriptedServer) -> None:
    server.send(asked("r1", "How many?"), text("r1", "891 passengers"), run("r1", "finished"))
    expect(page.locator(".answer")).to_have_text("891 passengers")

    page.reload()

    expect(page.locator(".answer")).to_have_text("891 passengers")
    assert server.connections[-1] == {"chat": "chat-1", "after": "0"}


def test_after_a_drop_the_page_asks_for_what_it_missed_and_shows_nothing_twice(
    page: Page, server: ScriptedServer
) -> None:
    server.send(asked("r1", "one"), text("r1", "first"))
    expect(page.locator(".answer")).to_have_count(1)

    server.accepting = False
    server.drop()
    expect(page.locator(".connection")).to_have_attribute("data-connection", "closed")
    server.send(text("r1", "second"))
    server.accepting = True
    server.wait_for_connections(2)

    expect(page.locator(".answer")).to_have_text(["first", "second"])
    assert server.connections[-1] == {"chat": "chat-1", "after": "2"}
    server.push(*server.log)
    server.send(text("r1", "third"))
    expect(page.locator(".answer")).to_have_text(["first", "second", "third"])
    expect(page.locator(".connection")).to_have_attribute("data-connection", "open")


def test_a_tab_that_slept_for_a_day_connects_again_and_loses_nothing(
    page: Page, server: ScriptedServer
) -> None:
    page.clock.install()
    page.reload()
    page.wait_for_selector(".connection[data-connection=open]", state="attached")
    server.send(asked("r1", "one"), text("r1", "before"))
    expect(page.locator(".answer")).to_have_text(["before"])
    page.fill(".field", "half a thought")
    page.clock.fast_forward(60_000)
    connections = len(server.connections)
    with server.attached:
        server.sockets.clear()  # the socket looks open to the page, and nothing comes through it
    server.send(text("r1", "meanwhile"), run("r1", "finished"))

    page.clock.fast_forward("24:00:00")

    expect(page.locator(".answer").last).to_have_text("meanwhile")
    assert server.connections[-1] == {"chat": "chat-1", "after": "2"}
    assert len(server.connections) == connections + 1
    expect(page.locator(".connection")).to_have_attribute("data-connection", "open")
    expect(page.locator(".field")).to_have_value("half a thought")


def test_waits_begin_short_grow_to_fifteen_seconds_and_differ(blank: Page) -> None:
    waits = blank.evaluate("""async () => {
      const { reconnectDelay } = await import("/static/js/core/socket.js");
      return [0, 1, 2, 3, 4, 20].map((attempt) => [reconnectDelay(attempt, 0), reconnectDelay(attempt, 1)]);
    }""")

    assert all(least < most for least, most in waits)
    assert max(waits[0]) <= 3000
    assert [most for _, most in waits] == sorted(most for _, most in waits)
    assert waits[-1] == [7500, 15000]


def test_what_is_asked_while_disconnected_goes_out_once_when_the_connection_is_back(
    page: Page, server: ScriptedServer
) -> None:
    server.accepting = False
    server.drop()
    expect(page.locator(".connection")).to_have_attribute("data-connection", "closed")
    page.fill(".field", "later")
    page.keyboard.press("Enter")
    expect(page.locator("[data-pending=waiting] .question")).to_have_text("later")

    server.accepting = True

    assert server.next_message() == "later"
    server.send(asked("r1", "later"))
    expect(page.locator("[data-pending]")).to_have_count(0)
    assert server.frames.empty()


def test_a_message_without_an_echo_is_never_sent_again_unasked(page: Page, server: ScriptedServer) -> None:
    page.fill(".field", "did it arrive?")
    page.keyboard.press("Enter")
    first = server.next_frame()

    server.drop()
    server.wait_for_connections(2)

    retry = page.locator("[data-pending=unconfirmed]").get_by_role("button", name="Send again")
    expect(retry).to_be_visible()
    assert server.frames.empty()
    retry.click()
    assert server.next_frame() == first  # under the same id: a server that has it begins nothing new


def test_an_echo_that_was_missed_settles_the_doubt(page: Page, server: ScriptedServer) -> None:
    page.fill(".field", "did it arrive?")
    page.keyboard.press("Enter")
    server.next_frame()
    server.accepting = False
    server.drop()
    expect(page.locator("[data-pending=unconfirmed]")).to_have_count(1)

    server.send(asked("r1", "did it arrive?"))
    server.accepting = True

    expect(page.locator("[data-pending]")).to_have_count(0)
    expect(page.locator(".question")).to_have_count(1)


def test_a_chat_the_server_does_not_know_gives_way_to_a_new_one(page: Page, server: ScriptedServer) -> None:
    server.send(asked("r1", "old"))
    expect(page.locator(".question")).to_have_count(1)
    server.log.clear()
    server.chat_id = "chat-2"

    page.reload()

    expect(page.locator(".welcome")).to_be_visible()
    expect(page).to_have_url(f"{server.url}#chat=chat-2")
    server.wait_for_connections(3)
    assert server.connections[-2:] == [{"chat": "chat-1", "after": "0"}, {"after": "0"}]


def test_new_chat_leaves_the_old_one_behind(page: Page, server: ScriptedServer) -> None:
    server.send(asked("r1", "old"))
    expect(page.locator(".question")).to_have_count(1)
    server.log.clear()

    page.get_by_role("button", name="New chat").click()

    expect(page.locator(".question")).to_have_count(0)
    server.wait_for_connections(2)
    assert server.connections[-1] == {"after": "0"}


def test_stop_cancels_the_run_that_works(page: Page, server: ScriptedServer) -> None:
    server.send(asked("r1", "one"), run("r1", "running", step=1), asked("r2", "two", ahead=1))

    page.get_by_role("button", name="Stop").click()

    assert server.next_frame() == {"type": "cancel", "runId": "r1"}
    server.push(run("r1", "stopping"))
    expect(page.locator("[data-run=r1] .status-words")).to_have_text("Stopping")
    page.get_by_role("button", name="Remove from the queue").click()
    assert server.next_frame() == {"type": "cancel", "runId": "r2"}


def test_a_frame_that_is_not_json_or_has_no_type_is_left_out(page: Page, server: ScriptedServer) -> None:
    server.push_raw(
        "{",
        "[]",
        "null",
        '{"type": 3}',
        '{"type": "@submitted", "id": "x", "content": "forged", "sent": true}',
    )
    server.send(asked("r1", "still here"))

    expect(page.locator(".question")).to_have_text(["You asked: still here"])
