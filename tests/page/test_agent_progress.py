"""What another agent says, nested under the call that it works for: as it comes, folded at the end, in both languages."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.ask_messages import ask
from tests.page.conftest import ScriptedServer, asked, run

pytestmark = pytest.mark.browser


def call(state: str, **more: Any) -> dict[str, Any]:
    content = {"callId": "c1", "tool": "ask_agent", "state": state, "step": 1, **more}
    return {"type": "tool", "runId": "r1", "content": content}


def told(text: str, state: str = "running", call_id: str = "c1") -> dict[str, Any]:
    content = {
        "callId": call_id,
        "tool": "ask_agent",
        "agent": "maps",
        "text": text,
        "state": state,
        "step": 1,
    }
    return {"type": "tool_progress", "runId": "r1", "content": content}


def beginning() -> list[dict[str, Any]]:
    arguments = {"name": "maps", "message": "Where is the station?"}
    return [asked("r1", "q"), run("r1", "running", step=1), call("called", arguments=arguments)]


def test_words_grow_under_their_call_and_are_folded_when_it_ends(page: Page, server: ScriptedServer) -> None:
    server.send(*beginning(), told("", "queued"))
    peer = page.locator(".call .peer")
    expect(peer.locator("summary")).to_contain_text("queued")
    expect(peer.locator(".printed")).to_be_hidden()

    server.send(told("Reading "), told("the plan\n"))
    text = peer.locator(".printed-text")
    expect(text).to_have_text("Reading the plan")
    expect(text).to_have_attribute("aria-label", "Messages from maps")
    expect(peer.locator(".peer-state")).to_have_text("working")
    expect(page.locator(".status-words")).to_have_text("Step 1: running ask_agent")

    server.send(told("", "waiting"))
    expect(peer.locator(".peer-state")).to_have_text("waiting for an answer")
    server.send(told("It is north.", "finished"), call("returned", result="It is north."))
    expect(peer.locator(".peer-state")).to_have_text("done")
    expect(text).to_be_hidden()
    expect(page.locator(".call-result")).to_have_text("It is north.")
    peer.locator("summary").click()
    expect(text).to_have_text("Reading the plan\nIt is north.")


def test_who_folded_it_is_not_overruled(page: Page, server: ScriptedServer) -> None:
    server.send(*beginning(), told("Reading\n"))
    peer = page.locator(".call .peer")
    peer.locator("summary").click()
    expect(peer.locator(".printed-text")).to_be_hidden()
    server.send(told("more\n", "waiting"))
    expect(peer.locator(".peer-state")).to_have_text("waiting for an answer")
    expect(peer.locator(".printed-text")).to_be_hidden()


def test_what_it_says_is_text_and_of_an_unknown_call_nothing_is_shown(
    page: Page, server: ScriptedServer
) -> None:
    attack = "<img src=x onerror=alert(1)>"
    server.send(
        *beginning(), told("hidden", call_id="c9"), told(attack), call("failed", result="AgentFailed: gone")
    )
    peer = page.locator(".call .peer")
    peer.locator("summary").click()
    expect(peer.locator(".printed-text")).to_have_text(attack)
    expect(page.locator(".call img")).to_have_count(0)
    expect(page.locator("[data-pane=chat]").get_by_text("hidden")).to_have_count(0)


def test_a_reload_shows_the_same(page: Page, server: ScriptedServer) -> None:
    server.send(
        *beginning(), told("Reading\n"), told("It is north.", "finished"), call("returned", result="ok")
    )
    expect(page.locator(".peer-state")).to_have_text("done")
    page.reload()
    expect(page.locator(".peer-state")).to_have_text("done")
    page.locator(".peer summary").click()
    expect(page.locator(".peer .printed-text")).to_have_text("Reading\nIt is north.")


def test_it_is_told_in_japanese_to_who_reads_that(page: Page, server: ScriptedServer) -> None:
    page.evaluate("() => localStorage.setItem('smoldesk.language', 'ja')")
    page.reload()
    server.send(*beginning(), told("調べています\n"))
    expect(page.locator(".peer-state")).to_have_text("実行中")


def test_what_an_agent_asks_is_answered_in_words_not_by_enter(page: Page, server: ScriptedServer) -> None:
    plain = {
        "kind": "input",
        "arguments": {},
        "parameters": {},
        "codeLine": None,
        "line": None,
        "callsFromLine": None,
    }
    question = plain | {"inputType": "text", "tool": "ask_agent", "prompt": "maps: Which town?"}
    server.send(*beginning(), told("", "waiting"), ask("a1", **question), run("r1", "waiting"))
    card = page.locator(".ask")
    expect(card.locator(".ask-buttons button")).to_have_text(["Answer", "Don’t answer"])
    card.get_by_role("textbox").fill("Nara")
    card.get_by_role("button", name="Answer", exact=True).click()
    while (frame := server.next_frame())["type"] != "answer":
        pass
    assert (frame["granted"], frame["value"]) == (True, "Nara")


def test_how_far_a_query_is_stands_under_its_call_until_that_ends(page: Page, server: ScriptedServer) -> None:
    query = {"tool": "sql_engine", "arguments": {"query": "SELECT 1"}}
    far = told("")
    far["content"] |= {"tool": "sql_engine", "agent": "DuckDB", "share": 0.42}
    server.send(asked("r1", "q"), run("r1", "running", step=1), call("called", **query), far)
    peer = page.locator(".call .peer")
    expect(peer).to_have_text("DuckDB42%")
    server.send(call("returned", **query, result="1 row"))
    expect(page.locator(".call-result")).to_have_text("1 row")
    expect(peer).to_be_hidden()


def test_a_managed_agent_whose_run_was_stopped_is_stopped_and_did_not_fail(
    page: Page, server: ScriptedServer
) -> None:
    started_at = {"type": "run", "content": {"runId": "r1", "state": "running", "step": 1, "notes": []}}
    content = {"within": "c1", "agent": "lead", "message": started_at}
    server.send(*beginning(), {"type": "nested", "runId": "r1", "content": content})
    state = page.locator(".call .work .peer-state")
    expect(state).to_have_text("Step 1: thinking")
    server.send(
        call("failed", result="Stopped by a person"), run("r1", "cancelled", text="Stopped by a person")
    )
    expect(state).to_contain_text("stopped")
    expect(page.locator(".call[data-state=stopped]")).to_have_count(1)
    expect(page.locator('[data-state="failed"]')).to_have_count(0)
