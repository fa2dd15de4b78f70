"""Asks as a server sends them, and the card a page makes of one."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import Json, ScriptedServer, asked, run


def ask(ask_id: str = "a1", **more: Any) -> Json:
    """The approval of a payment; `more` says it otherwise."""
    content = {
        "askId": ask_id,
        "kind": "approval",
        "tool": "pay",
        "callId": "c1",
        "arguments": {"amount": 30, "note": "<b>rent</b>"},
        "parameters": {"amount": parameter("number"), "note": parameter("string", required=False)},
        "codeLine": 'pay(30, "rent")',
        "line": 3,
        "callsFromLine": 1,
        "prompt": "Allow pay?",
        "inputType": "confirmation",
        "options": [],
        "expiresAt": "2124-05-01T10:05:00.000Z",
        **more,
    }
    stored = {name: value for name, value in content.items() if value is not None}
    return {"type": "ask", "runId": "r1", "content": stored}


def parameter(kind: str, description: str = "", required: bool = True) -> Json:
    return {"type": kind, "description": description, "required": required}


def closed(granted: bool, reason: str = "", ask_id: str = "a1", **more: Any) -> Json:
    content = {
        "askId": ask_id, "granted": granted, "reason": reason, "scope": "call", "by": "person", **more
    }  # fmt: skip
    return {"type": "ask_closed", "runId": "r1", "content": content}


def opened(page: Page, server: ScriptedServer, ask_id: str = "a1", **more: Any) -> Locator:
    """The card of an ask that a run waits for; with another `ask_id` it is a further one of this run."""
    if ask_id == "a1":
        server.send(asked("r1", "Pay the rent"), run("r1", "running", step=1))
    server.send(ask(ask_id, **more), run("r1", "waiting"))
    card = page.locator(f"[data-run=r1] [data-ask={ask_id}]")
    expect(card).to_be_visible()
    return card


def entered(page: Page, server: ScriptedServer, ask_id: str = "a1", **more: Any) -> Locator:
    """The card of an ask for something to be filled in."""
    plain = {"kind": "input", "arguments": {}, "parameters": {}, "prompt": "Tell me"}
    nothing: Json = dict.fromkeys(("tool", "callId", "codeLine", "line", "callsFromLine"))
    return opened(page, server, ask_id, **(plain | nothing | more))


def button(card: Locator, name: str) -> Locator:
    """By its whole name: "Allow" is not "Allow the rest of this step"."""
    return card.get_by_role("button", name=name, exact=True)
