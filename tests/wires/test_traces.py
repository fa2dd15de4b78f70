"""Traces: every call of the model is in the log with what it took, and its prompt can be had, message by message."""

import json
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from pydantic import SecretStr
from smolagents.models import ChatMessage, ChatMessageToolCall, ChatMessageToolCallFunction

from smoldesk.agents.wrapper.call_record import message_json
from smoldesk.chats import PromptMessage
from smoldesk.store.tables import PromptRow
from smoldesk.wires.rest.trace_models import ToolCallInfo
from smoldesk.wires.rest.trace_routes import message_info
from tests.support.desk_server import LiveDesk, events_of, live_desk
from tests.support.openai_server import Fails, OpenAIServer, Says, Stalls
from tests.support.scripted_model import Scripts, code
from tests.support.ws_client import Message, WsClient, of_type

LONG = "A long line of the question. " * 400


def trace(desk: LiveDesk, chat_id: str, run_id: str, step: int) -> dict[str, Any]:
    answer = httpx.get(f"{desk.url}/api/chats/{chat_id}/runs/{run_id}/steps/{step}", timeout=30)
    assert answer.status_code == 200, answer.text
    return answer.json()


def whole(desk: LiveDesk, chat_id: str, message: Message) -> str:
    """A message's words; fetched by themselves when they were cut."""
    if not message["cut"]:
        return message["text"]
    body = httpx.get(f"{desk.url}/api/chats/{chat_id}/prompts/{message['id']}", timeout=30).json()
    assert body["text"].startswith(message["text"]) and len(body["text"]) == message["size"] > 4000
    return body["text"]


def sent(messages: list[Any]) -> list[tuple[str, str]]:
    """What a scripted model was given."""
    return [
        (str(message.role.value), "\n".join(part["text"] for part in message.content)) for message in messages
    ]


def kept(desk: LiveDesk, chat_id: str) -> list[str]:
    def inspect(connection: Any) -> list[str]:
        return [row.id for row in connection.execute(PromptRow.__table__.select()) if row.chat_id == chat_id]

    return desk.desk.store.read(inspect)


def test_a_prompt_is_the_very_messages_the_model_was_sent_each_kept_once(
    desk: LiveDesk, client: WsClient, scripts: Scripts
) -> None:
    loud = "print('tree ' * 300)  # 日本語🌳"
    model = scripts.set(code(f"x = 1\n{loud}"), code("1 / 0"), code("final_answer('done')"))
    first = client.ask(LONG)
    calls = [item["content"] for item in of_type(first, "model_call")]
    assert [(call["step"], call["messages"]) for call in calls] == [(1, 2), (2, 5), (3, 8)]
    assert all(call["duration"] >= call["firstToken"] >= 0 for call in calls)
    assert not any(
        {"inputTokens", "outputTokens", "cachedTokens", "cost", "error"} & call.keys() for call in calls
    )
    second = client.ask("and again")

    chat_id, prompts = client.chat_id, []
    for run, steps in ((first, (1, 2, 3)), (second, (1,))):
        for step in steps:
            result = trace(desk, chat_id, run[0]["runId"], step)
            [call] = result["calls"]
            prompts.append([(item["role"], whole(desk, chat_id, item)) for item in call["prompt"]])
            assert call["response"]["text"].startswith("Let me see.\n<code>\n")
            assert result["memory"]["model_output"].startswith(call["response"]["text"])
    assert prompts == [sent(messages) for messages in model.seen]
    named = [
        name
        for event in events_of(desk.url, chat_id)
        if event["type"] == "model_called"
        for name in (*event["then"], event["response"])
    ]
    assert sorted(kept(desk, chat_id)) == sorted(set(named))


def test_a_client_of_1_2_hears_nothing_of_calls(desk: LiveDesk, scripts: Scripts) -> None:
    scripts.set(code("final_answer('done')"))
    with WsClient(desk.ws_url, "").greeted() as old:
        old.send(message="go")
        assert not of_type(old.until_closed(), "model_call")


def test_a_branch_has_the_prompts_of_its_turns_and_a_deleted_chat_has_none(
    desk: LiveDesk, client: WsClient, scripts: Scripts
) -> None:
    scripts.set(code("print('sequoia ' * 200)"), code("final_answer('one')"))
    run = client.ask("first")[0]["runId"]
    scripts.set(code("final_answer('two')"))
    second = client.ask("second")[0]["runId"]
    client.send(type="branch", runId=second, message="other")
    branch = client.until("branch")["content"]["chatId"]
    with WsClient(desk.ws_url, f"?chat={branch}&after=0").greeted() as other:
        copied = other.until("user_message")["runId"]
        other.until("branch")
        other.until_closed()

    mine, theirs = trace(desk, client.chat_id, run, 2), trace(desk, branch, copied, 2)
    assert theirs["calls"][0]["prompt"] == mine["calls"][0]["prompt"]
    assert not any(one["missing"] for one in theirs["calls"][0]["prompt"])
    assert httpx.delete(f"{desk.url}/api/chats/{branch}").status_code == 204
    assert kept(desk, branch) == [] != kept(desk, client.chat_id)


def test_nothing_of_a_chat_is_found_through_another(
    desk: LiveDesk, client: WsClient, scripts: Scripts
) -> None:
    scripts.set(code("final_answer('mine')"))
    run = client.ask("a secret plan")[0]["runId"]
    name = trace(desk, client.chat_id, run, 1)["calls"][0]["prompt"][-1]["id"]
    other = httpx.post(f"{desk.url}/api/chats").json()["id"]
    assert name in kept(desk, client.chat_id)
    for path in (
        f"{other}/runs/{run}/steps/1",
        f"{other}/prompts/{name}",
        f"c_none/prompts/{name}",
        f"{client.chat_id}/prompts/none",
        f"{client.chat_id}/runs/{run}/steps/9",
    ):
        answer = httpx.get(f"{desk.url}/api/chats/{path}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found"), path
    assert httpx.delete(f"{desk.url}/api/chats/{client.chat_id}?undo=true").status_code == 204
    assert httpx.get(f"{desk.url}/api/chats/{client.chat_id}/prompts/{name}").status_code == 404


def test_a_provider_is_counted_and_secrets_of_the_settings_are_not_kept(tmp_path: Path) -> None:
    """Tokens, those of the cache apart; a failed and a stopped call; a key that a person pasted into a question."""
    key = 'sk-live-"5f0a7c31e88b42d9'
    script = [
        Says("Hi.\n<code>\nfinal_answer(1)\n</code>", cached=8),
        Fails(401, "no: {key}"),
        Stalls("Well"),
    ]
    with (
        OpenAIServer(script) as provider,
        live_desk(
            tmp_path, model="openai:gpt-4o", openai_api_key=SecretStr(key), openai_base_url=provider.base_url
        ) as desk,
        WsClient(desk.ws_url) as client,
    ):
        chat_id = client.hello()
        answered = client.ask(f"My key is {key}, is it good?")
        [good] = of_type(answered, "model_call")
        [bad] = of_type(client.ask("again"), "model_call")
        client.say("once more")
        run_id = client.until("delta")["runId"]
        client.send(type="cancel", runId=run_id)
        [stopped] = of_type(client.until_closed(), "model_call")
        prompt = trace(desk, chat_id, answered[0]["runId"], 1)["calls"][0]["prompt"]
        every = [trace(desk, chat_id, item["runId"], 1) for item in (good, bad, stopped)]
    counted = good["content"]
    assert (counted["inputTokens"], counted["cachedTokens"], counted["outputTokens"]) == (11, 8, 1)
    assert "cost" not in counted, "a server of one's own has no price"
    assert "error" in bad["content"] and "inputTokens" not in bad["content"]
    assert stopped["content"]["error"] == "stopped"
    assert prompt[-1]["text"].startswith("New task:\n")
    assert prompt[-1]["text"].endswith("\nMy key is ***, is it good?")
    assert key[9:] not in json.dumps([every, bad])


@pytest.mark.parametrize("changed", ["body", "event"])
def test_a_message_that_cannot_be_had_again_is_said_to_be_missing(
    desk: LiveDesk, client: WsClient, scripts: Scripts, changed: str
) -> None:
    scripts.set(code("print('sequoia ' * 200)"), code("final_answer('one')"))
    run = client.ask("go")[0]["runId"]
    store, chat_id = desk.desk.store, client.chat_id

    def spoil(tx: Any) -> None:
        from sqlalchemy import text

        if changed == "body":
            tx.execute(
                text("UPDATE prompt SET body = :b WHERE chat_id = :c AND base IS NOT NULL"),
                {"b": b"\x01\x02", "c": chat_id},
            )
        else:
            change = "UPDATE event SET body = replace(body, 'sequoia', 'redwood') WHERE chat_id = :c AND type = 'step_finished'"
            tx.execute(text(change), {"c": chat_id})

    store.submit(spoil).result()
    prompt = trace(desk, chat_id, run, 2)["calls"][0]["prompt"]
    assert [item["missing"] for item in prompt[:2]] == [False, False]
    assert all(item["missing"] and item["text"] == "" for item in prompt[2:])


def test_what_a_model_says_in_no_known_form_ends_no_run_and_is_shown() -> None:
    """Models of plug-ins, too: calls without an id, content that holds itself, parts that are bare text."""
    call = ChatMessageToolCall(
        ChatMessageToolCallFunction(name="look", arguments={"at": 1}), cast(Any, None), "function"
    )
    loop: list[Any] = ["words"]
    loop.append(loop)
    odd = [
        ChatMessage("assistant", cast(Any, ["bare", {"type": "image", "image": b"x"}]), [call]),  # pyright: ignore[reportArgumentType]
        ChatMessage("assistant", loop),  # pyright: ignore[reportArgumentType]
        ChatMessage("assistant", cast(Any, {("a", 1): 2})),  # pyright: ignore[reportArgumentType]
    ]
    displayed = [message_info(PromptMessage("m", message_json(item))) for item in odd]
    assert [item.text[:14] for item in displayed] == ["bare\n[image]", "['words', ['wo", "{('a', 1): 2}"]
    assert displayed[0].tool_calls == [ToolCallInfo(id="", name="look", arguments={"at": 1})]
