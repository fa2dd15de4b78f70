"""Reasoning as real clients get it: a scripted provider, a real desk, the real packages, the strict schema of 6.0.0."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from tests.ai_sdk.checks import client_problems, legend, wire_problems
from tests.ai_sdk.driving import (
    Drive,
    Version,
    drive,
)
from tests.ai_sdk.scenarios import PAID, YES
from tests.support.desk_server import live_desk
from tests.support.openai_server import Calls, OpenAIServer, Reply, Says
from tests.support.scripted_model import code

PAYMENT = {"recipient": "Bob", "amount": 30, "currency": "USD"}


def played(
    folder: Path, node: Path, script: list[Reply], mode: str, version: Version, query: str = ""
) -> tuple[Drive, str]:
    """A client asks, approves, and asks again; what it made of that, and all that the provider was sent."""
    turns = [{"text": "Pay 30 USD to Bob", "answers": [YES]}, {"text": "Sure?", "answers": []}]
    with (
        OpenAIServer(script) as provider,
        live_desk(
            folder,
            demo_tools=True,
            model="openai:scripted",
            openai_api_key=SecretStr("sk-none"),
            openai_base_url=provider.base_url,
        ) as live,
    ):
        address = f"{live.url}/stream" if mode == "sse" else live.ws_url.removesuffix("/ws") + "/live"
        parameters = {"version": version, "predicate": "own", "turns": turns, "url": address + query}
        drove = drive(node, parameters)
        return drove, json.dumps([request.body["messages"] for request in provider.requests])


def faults(drove: Drive, mode: str) -> list[str]:
    return [*client_problems(drove), *wire_problems(drove, mode)]


def thoughts(reply: dict[str, object]) -> list[tuple[str, str]]:
    """(text, state) of each part of reasoning."""
    return [(part["text"], part["state"]) for part in reply["parts"] if part["type"] == "reasoning"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("mode", "version"), [("sse", 6), ("bidi", 7)])
def test_a_tools_agent_tells_what_it_thinks_before_it_asks_and_before_it_answers(
    tmp_path: Path, node_path: Path, mode: str, version: Version
) -> None:
    script: list[Reply] = [
        Calls(("process_payment", PAYMENT)).after("Bob ", "is a friend."),
        Calls(("final_answer", {"answer": "Paid."})).after("It went well.", named=("reasoning",)),
        Calls(("final_answer", {"answer": "Yes."})),
    ]
    drove, sent = played(tmp_path, node_path, script, mode, version)
    assert faults(drove, mode) == []
    assert drove.states == [PAID]
    expected = {"sse": "S i q F D >> S ok T F D", "bidi": "S i ss q fs >> ok T F D"}
    assert legend(drove.turns[0]) == expected[mode]
    assert thoughts(drove.replies[0]) == [("Bob is a friend.", "done"), ("It went well.", "done")]
    assert thoughts(drove.replies[1]) == []
    assert "friend" not in sent
    assert "went well" not in sent


@pytest.mark.parametrize("version", [6, 7])
def test_a_block_of_thoughts_at_the_head_of_a_reply_is_reasoning(
    tmp_path: Path, node_path: Path, version: Version
) -> None:
    trap = "Perhaps <code>\nfinal_answer('a thought')\n</code>?"
    pays = code("final_answer(str(process_payment('Bob', 30, 'USD')['amount']))", thought="I pay.")
    reply = f"<think>\n{trap}\n</think>\n\n{pays}"
    script: list[Reply] = [
        Says(*(reply[at : at + 5] for at in range(0, len(reply), 5))),
        Says(code("final_answer('Yes.')")),
    ]
    drove, sent = played(tmp_path, node_path, script, "sse", version, "?agent=code")
    assert faults(drove, "sse") == []
    assert {state for _, state in drove.states} == {"output-available"}
    first = drove.replies[0]
    assert thoughts(first) == [(f"{trap}\n", "done")]
    texts = [part["text"].strip() for part in first["parts"] if part["type"] == "text"]
    assert texts[0] == "I pay."
    assert texts[-1] in ("30", "30.0")
    assert "a thought" not in sent


@pytest.mark.parametrize("version", [6, 7])
def test_thoughts_of_earlier_turns_are_in_the_clients_messages_and_in_no_prompt(
    tmp_path: Path, node_path: Path, version: Version
) -> None:
    """A chat opened again has them as it was lived, and what a client sends along of them is told to nobody."""
    calls = Calls(("final_answer", {"answer": "Four."})).after("Two and ", "two.")
    thinks = "<think>Bob is a friend.</think>"
    script: list[Reply] = [calls, Says(thinks + code("final_answer('Five.')")), calls, calls]
    with (
        OpenAIServer(script) as provider,
        live_desk(
            tmp_path,
            model="openai:scripted",
            openai_api_key=SecretStr("sk-none"),
            openai_base_url=provider.base_url,
        ) as live,
    ):
        chat: dict[str, Any] = {"version": version, "chatId": "thought", "predicate": "own"}
        chat |= {"url": f"{live.url}/stream?agent=tools", "turns": [{"text": "2 + 2?"}]}
        lived = drive(node_path, chat)
        more = {
            "url": f"{live.url}/stream?agent=code",
            "messages": lived.messages,
            "turns": [{"text": "3 + 2?"}],
        }
        lived = drive(node_path, chat | more)
        opened = {"history": f"{live.url}/stream/thought/messages", "turns": [{"text": "And now?"}]}
        again = drive(node_path, chat | opened)
        elsewhere = {"chatId": "unknown here", "messages": again.messages, "turns": [{"text": "And here?"}]}
        result = drive(node_path, chat | elsewhere)
        prompts = [json.dumps(request.body["messages"]) for request in provider.requests]
    assert [thoughts(reply) for reply in lived.replies] == [
        [("Two and two.", "done")],
        [("Bob is a friend.", "done")],
    ]
    assert again.loaded == lived.messages
    assert thoughts(result.replies[-1]) == [("Two and two.", "done")]
    assert (result.errors, [*wire_problems(result, "sse")]) == ([], [])
    for prompt in prompts:
        assert not any(thought in prompt for thought in ("Two and two", "a friend"))
    assert "Five." in prompts[2] and "Five." in prompts[3] and "3 + 2?" in prompts[3]
