"""What agents do over /mcp, with the library's own client in both generations of the protocol: each rule by its name."""

from typing import Any

import anyio
import pytest

from tests.support.desk_server import LiveDesk
from tests.support.mcp_agents import McpAgent, Mode, ToolRefused, agents, call

TOOLS = {
    "authenticate": {"agent_id", "passkey", "project_id"},
    "start_conversation": {"session_token", "target_agent_id"},
    "end_conversation": {"session_token"},
    "send_message": {"session_token", "target_agent_id", "content"},
    "respond_chat": {"session_token", "target_agent_id", "content"},
    "get_pending_messages": {"session_token"},
    "get_next_action": {"session_token"},
}
ANALYST = {"ask_analyst": {"question"}, "answer_ask": {"ask_id", "answer"}}


async def refusal(agent: McpAgent, tool: str, **arguments: Any) -> str:
    """The text with which a tool refuses."""
    with pytest.raises(ToolRefused) as caught:
        await agent(tool, **arguments)
    return str(caught.value)


async def test_the_generation_is_the_one_asked_for(live: LiveDesk, mode: Mode) -> None:
    async with agents(live, mode, "one") as (item,):
        came = item.client.protocol_version
    assert came == {"legacy": "2025-11-25", "auto": "2026-07-28"}[mode]


async def test_every_tool_is_defined_with_what_it_needs_and_what_it_answers(
    live: LiveDesk, mode: Mode
) -> None:
    async with agents(live, mode, "one") as (item,):
        tools = {tool.name: tool for tool in (await item.client.list_tools()).tools}
    assert {name: set(tool.input_schema["required"]) for name, tool in tools.items()} == TOOLS | ANALYST
    assert all(tool.description for tool in tools.values())
    outputs = {name: tool.output_schema or {} for name, tool in tools.items()}
    assert set(outputs["start_conversation"]["properties"]) == {
        "success",
        "conversation_id",
        "status",
    }
    assert all(output["type"] == "object" for output in outputs.values())


async def test_a_start_succeeds_and_is_pending(live: LiveDesk, mode: Mode) -> None:
    async with agents(live, mode, "one", "two") as (first, two):
        answer = await first("start_conversation", target_agent_id=two.id, purpose="しりとり")
        assert answer["success"] is True and answer["status"] == "pending"
        (expected,) = await live.desk.conversations.pending_purposes(first.project_id, two.id)
        assert (expected.purpose, expected.conversation_id) == ("chat", answer["conversation_id"])


async def test_a_start_with_oneself_a_human_or_a_stranger_is_refused(live: LiveDesk, mode: Mode) -> None:
    async with agents(live, mode, "one") as (item,), agents(live, mode, "elsewhere") as (elsewhere,):
        human, _ = await live.desk.conversations.add_member(item.project_id, "Mika", "human")
        start = "start_conversation"
        assert await refusal(item, start, target_agent_id=item.id) == "cannot_conversation_with_self"
        assert await refusal(item, start, target_agent_id=human.id) == "cannot_start_conversation_with_human"
        for stranger in (elsewhere.id, "a_nobody"):
            assert await refusal(item, start, target_agent_id=stranger) == "target_agent_not_in_project"


async def test_a_second_start_is_refused_in_either_direction(live: LiveDesk, mode: Mode) -> None:
    async with agents(live, mode, "one", "two") as (first, two):
        await first("start_conversation", target_agent_id=two.id)
        for agent, other in ((first, two), (two, first)):
            message = await refusal(agent, "start_conversation", target_agent_id=other.id)
            assert message == "conversation_already_active"


async def test_an_end_is_terminating_with_an_id_and_without(live: LiveDesk, mode: Mode) -> None:
    async with agents(live, mode, "one", "two") as (first, two):
        for named in (True, False):
            started = await first("start_conversation", target_agent_id=two.id)
            which = {"conversation_id": started["conversation_id"]} if named else {}
            answer = await first("end_conversation", **which)
            assert answer["success"] is True and answer["status"] == "terminating"
            await two("get_next_action")


async def test_an_end_is_refused_to_strangers_twice_and_without_a_conversation(
    live: LiveDesk, mode: Mode
) -> None:
    async with (
        agents(live, mode, "one", "two", "third") as (first, two, third),
        agents(live, mode, "elsewhere") as (elsewhere,),
    ):
        assert await refusal(first, "end_conversation") == "no_active_conversation"
        conversation_id = (await first("start_conversation", target_agent_id=two.id))["conversation_id"]
        for stranger in (third, elsewhere):
            assert (
                await refusal(stranger, "end_conversation", conversation_id=conversation_id)
                == "not_a_participant"
            )
        other = (await first("start_conversation", target_agent_id=third.id))["conversation_id"]
        message = await refusal(first, "end_conversation")
        assert (
            message.startswith("several_conversations: ") and conversation_id in message and other in message
        )
        await first("end_conversation", conversation_id=conversation_id)
        assert (
            await refusal(first, "end_conversation", conversation_id=conversation_id)
            == "no_active_conversation"
        )


async def test_a_message_carries_its_conversation_or_none(live: LiveDesk, mode: Mode) -> None:
    async with agents(live, mode, "one", "two") as (first, two):
        outside = await first("send_message", target_agent_id=two.id, content="before")
        assert outside["success"] is True and outside["conversation_id"] is None
        conversation_id = (await first("start_conversation", target_agent_id=two.id))["conversation_id"]
        inside = await first("send_message", target_agent_id=two.id, content="りんご")
        assert inside["conversation_id"] == conversation_id
        messages = (await two("get_pending_messages"))["messages"]
        assert [message["conversation_id"] for message in messages] == [None, conversation_id]
        assert [message["message_id"] for message in messages] == [
            outside["message_id"],
            inside["message_id"],
        ]
        assert {message["from_agent_id"] for message in messages} == {first.id}
        assert (await two("get_pending_messages"))["messages"] == []


async def test_the_request_and_the_end_are_told(live: LiveDesk, mode: Mode) -> None:
    async with agents(live, mode, "one", "two") as (first, two):
        conversation_id = (await first("start_conversation", target_agent_id=two.id, purpose="しりとり"))[
            "conversation_id"
        ]
        request = await two("get_next_action")
        assert request["action"] == "conversation_request" and request["conversation_id"] == conversation_id
        assert (request["from_agent_id"], request["purpose"]) == (first.id, "しりとり")
        assert (await live.desk.conversations.conversation(conversation_id)).state == "active"
        await first("end_conversation")
        ended = await two("get_next_action")
        assert ended["action"] == "conversation_ended" and ended["conversation_id"] == conversation_id
        assert (ended["ended_by"], ended["reason"]) == (first.id, "initiator_ended")
        assert (await live.desk.conversations.conversation(conversation_id)).state == "ended"
        assert (await two("get_next_action"))["action"] == "wait"


async def test_with_after_an_action_whose_answer_was_lost_is_given_again(live: LiveDesk, mode: Mode) -> None:
    async with agents(live, mode, "one", "two") as (one, two):
        await one("start_conversation", target_agent_id=two.id)
        first = await two("get_next_action", after=0)
        assert await two("get_next_action", after=0) == first
        assert (await two("get_next_action", after=first["event_id"]))["action"] == "wait"


async def test_who_waits_is_woken_by_what_happens(live: LiveDesk, mode: Mode) -> None:
    got: list[dict[str, Any]] = []

    async with agents(live, mode, "one", "two") as (first, two), anyio.create_task_group() as group:

        async def wait() -> None:
            got.append(await two("get_next_action", wait_seconds=60))

        group.start_soon(wait)
        while not live.desk.conversations.waiting_for(first.project_id, two.id):  # noqa: ASYNC110
            await anyio.sleep(0.01)
        assert got == []
        await first("start_conversation", target_agent_id=two.id)
    assert [action["action"] for action in got] == ["conversation_request"]


ROUNDS = (("いぬ", "ぬりえ"), ("えき", "きつね"), ("ねこ", "こおり"), ("りす", "すいか"), ("かさ", "さくら"))


async def test_five_rounds_of_shiritori(live: LiveDesk, mode: Mode) -> None:
    async with agents(live, mode, "one", "two") as (first, two):
        conversation_id = (await first("start_conversation", target_agent_id=two.id, purpose="しりとり"))[
            "conversation_id"
        ]
        assert (await two("get_next_action"))["action"] == "conversation_request"
        for message, answered in ROUNDS:
            await first("send_message", target_agent_id=two.id, content=message)
            (received,) = (await two("get_pending_messages"))["messages"]
            assert received["content"] == message
            await two("respond_chat", target_agent_id=first.id, content=answered)
            (received,) = (await first("get_pending_messages"))["messages"]
            assert received["content"] == answered
        assert (await first("end_conversation"))["status"] == "terminating"
        assert (await two("get_next_action"))["action"] == "conversation_ended"
        messages = await live.desk.conversations.transcript(conversation_id)
        assert [message.content for message in messages] == [word for pair in ROUNDS for word in pair]
        assert len({message.id for message in messages}) == 10
        assert {message.conversation_id for message in messages} == {conversation_id}
        assert (await live.desk.conversations.conversation(conversation_id)).state == "ended"


async def test_a_transcript_is_a_resource_of_its_two_sides(live: LiveDesk, mode: Mode) -> None:
    from mcp.shared.exceptions import MCPError

    async with agents(live, mode, "one", "two", "third") as (first, two, third):
        conversation_id = (await first("start_conversation", target_agent_id=two.id))["conversation_id"]
        await first("send_message", target_agent_id=two.id, content="りんご")
        templates = (await first.client.list_resource_templates()).resource_templates
        address = "smoldesk://conversations/{conversation_id}{?session_token}"
        assert address in [template.uri_template for template in templates]
        address = f"smoldesk://conversations/{conversation_id}"
        (content,) = (await two.client.read_resource(f"{address}?session_token={two.token}")).contents
        text: str = getattr(content, "text", "")
        assert '"りんご"' in text and f'"initiator_agent_id":"{first.id}"' in text
        for wrong, message in (
            (f"{address}?session_token={third.token}", "not_a_participant"),
            (f"smoldesk://conversations/conv_x?session_token={first.token}", "not_a_participant"),
            (f"{address}?session_token=st_x", "invalid_session"),
            (address, "invalid_session"),
        ):
            with pytest.raises(MCPError, match=message):
                await third.client.read_resource(wrong)


async def test_the_prompt_explains_the_loop(live: LiveDesk, mode: Mode) -> None:
    async with agents(live, mode, "one") as (item,):
        (prompt,) = (await item.client.list_prompts()).prompts
        (message,) = (await item.client.get_prompt(prompt.name)).messages
        text = getattr(message.content, "text", "")
    assert all(tool in text for tool in TOOLS)


async def test_what_is_malformed_is_refused_and_the_next_call_works(live: LiveDesk, mode: Mode) -> None:
    async with agents(live, mode, "one", "two") as (first, two):
        for wrong in ({}, {"target_agent_id": 7}, {"target_agent_id": None}, {"target_agent_id": ["x"]}):
            assert await refusal(first, "start_conversation", **wrong)
        impossible: tuple[Any, ...] = ("soon", None, [])
        for wait in impossible:
            assert await refusal(first, "get_next_action", wait_seconds=wait)
        with pytest.raises(ToolRefused):
            await call(first.client, "forge_message", session_token=first.token)
        assert (await first("get_next_action", wait_seconds=-5))["action"] == "wait"
        assert (await first("send_message", target_agent_id=two.id, content="fine"))["success"] is True
