"""The MCP server's parts: who may call which tool, what was sent is kept for those who come back, nothing is imported early."""

import subprocess
import sys

import pytest
from mcp.server.streamable_http import EventMessage
from mcp_types import JSONRPCNotification

from smoldesk.conversations import AgentFault, AgentSession
from smoldesk.wires.mcp.requests import PERMISSIONS, Permission, authorize
from smoldesk.wires.mcp.server import BoundedEventStore
from smoldesk.wires.mcp.tools import NAMES
from tests.support.desk_server import LiveDesk
from tests.support.mcp_agents import Mode, ToolRefused, call, clients

CHAT = AgentSession(member_id="a_1", project_id="p_1", purpose="chat", expires_at=1.0)
OTHER = CHAT.model_copy(update={"purpose": "task"})
ARGUMENTS = {
    "session_token": "st_nobody",
    "target_agent_id": "a_nobody",
    "content": "hello",
}


def test_the_table_has_a_line_for_each_tool_and_no_other() -> None:
    assert set(PERMISSIONS) == set(NAMES)


def test_every_tool_but_authenticate_needs_a_session() -> None:
    assert [name for name, permission in PERMISSIONS.items() if not permission.authenticated] == [
        "authenticate"
    ]
    assert PERMISSIONS["start_conversation"] == Permission(authenticated=True)


@pytest.mark.parametrize("tool", NAMES)
def test_a_chat_session_may_call_everything(tool: str) -> None:
    authorize(tool, CHAT)


@pytest.mark.parametrize("tool", NAMES)
def test_a_session_for_something_else_may_call_what_is_for_any(tool: str) -> None:
    if PERMISSIONS[tool].purpose is None:
        authorize(tool, OTHER)
    else:
        with pytest.raises(AgentFault, match="not_authorized"):
            authorize(tool, OTHER)


@pytest.mark.parametrize("tool", [name for name in NAMES if name != "authenticate"])
def test_without_a_session_nothing_is_allowed(tool: str) -> None:
    with pytest.raises(AgentFault, match="invalid_session"):
        authorize(tool, None)


def test_a_tool_that_is_none_is_allowed_to_nobody() -> None:
    with pytest.raises(AgentFault, match="not_authorized"):
        authorize("forge_message", CHAT)


async def test_every_tool_refuses_a_token_that_is_none(live: LiveDesk, mode: Mode) -> None:
    async with clients(live, mode, 1) as (client,):
        for tool in NAMES:
            if tool == "authenticate":
                continue
            with pytest.raises(ToolRefused) as caught:
                await call(client, tool, **ARGUMENTS)
            assert str(caught.value) == "invalid_session"


LOOK = """
import sys
import smoldesk.cli.main, smoldesk.app, smoldesk.cli.server
print([name for name in ("mcp", "mcp_types", "httpx2") if name in sys.modules])
"""


def test_nothing_of_the_library_is_imported_at_start_up() -> None:
    received = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=True)
    assert received.stdout.strip() == "[]"


def said(text: str) -> JSONRPCNotification:
    return JSONRPCNotification(jsonrpc="2.0", method="notifications/x", params={"text": text})


async def replayed(store: BoundedEventStore, after: str) -> tuple[str | None, list[str]]:
    texts: list[str] = []

    async def send(event: EventMessage) -> None:
        texts.append(event.message.params["text"])  # pyright: ignore

    return await store.replay_events_after(after, send), texts


async def test_what_followed_on_the_same_stream_is_sent_again() -> None:
    store = BoundedEventStore()
    first = await store.store_event("one", None)
    await store.store_event("two", said("elsewhere"))
    await store.store_event("one", said("a"))
    await store.store_event("one", None)
    await store.store_event("one", said("b"))
    came = await replayed(store, first)
    assert came == ("one", ["a", "b"])


async def test_an_unknown_id_is_none() -> None:
    store = BoundedEventStore()
    await store.store_event("one", said("a"))
    came = [await replayed(store, wrong) for wrong in ("", "99", "-1", "x", "9" * 5000 + "x", "１")]
    assert set(map(str, came)) == {"(None, [])"}


async def test_it_is_bounded_in_number_and_in_size() -> None:
    few, small = BoundedEventStore(most_events=3), BoundedEventStore(most_bytes=1_000)
    out: list[tuple[str | None, list[str]]] = []
    for store, size in ((few, 1), (small, 400)):
        ids = [await store.store_event("one", said(str(number) * size)) for number in range(5)]
        out += [await replayed(store, ids[0]), await replayed(store, ids[3])]
    few_first, few_last, small_first, small_last = out
    assert few_first == small_first == (None, [])
    assert few_last == ("one", ["4"])
    assert small_last in (("one", ["4" * 400]), (None, []))
