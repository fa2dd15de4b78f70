"""The authorisation table: one line for each tool there is, and what it says is what is done."""

import pytest

from smoldesk.conversations import AgentFault, AgentSession
from smoldesk.wires.mcp.requests import PERMISSIONS, Permission, authorize
from smoldesk.wires.mcp.tools import NAMES
from tests.support.aio import run_async
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


def test_every_tool_refuses_a_token_that_is_none(live: LiveDesk, mode: Mode) -> None:
    async def scenario() -> None:
        async with clients(live, mode, 1) as (client,):
            for tool in NAMES:
                if tool == "authenticate":
                    continue
                with pytest.raises(ToolRefused) as caught:
                    await call(client, tool, **ARGUMENTS)
                assert str(caught.value) == "invalid_session"

    run_async(scenario())
