"""What a page gets from servers that refuse a parameter or a long prompt: an answer, or one error that says what to do."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.models.test_capabilities import HABITS, Habit, has
from tests.models.test_overflow import OVERFLOWS, OverflowHabit
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.openai_server import Calls, Fails, OpenAIServer, Reply, Says, Seen
from tests.support.scripted_model import code
from tests.support.ws_client import Message, WsClient, of_type

OPTIONS = """
temperature = 0.01
max_tokens = 900
reasoning_effort = "low"
extra_body = { top_p = 0.9, parallel_tool_calls = true }
"""
OF_TOOLS = ("tools", "tool_choice")


def answer_of(seen: Seen) -> Reply:
    """The answer of a model: code, a call, or a call in text where no tools were sent."""
    if "tools" in seen.body:
        return Calls(("final_answer", {"answer": "5 rooms"}))
    described = '"arguments": {' in str(seen.body["messages"][0])
    return Says(
        '{"name": "final_answer", "arguments": {"answer": "5 rooms"}}'
        if described
        else code("final_answer('5 rooms')")
    )


def reply(seen: Seen) -> Reply:
    kind, _, number = seen.body["model"].partition("-")
    if kind == "overflow":
        return Fails(OVERFLOWS[int(number)].status, body=OVERFLOWS[int(number)].body)
    habit = HABITS[int(number)]
    return Fails(habit.status, body=habit.body) if has(seen, habit.feature) else answer_of(seen)


@pytest.fixture(scope="module")
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer(reply) as server:
        yield server


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, server: OpenAIServer) -> Iterator[LiveDesk]:
    names = [f"habit-{at}" for at in range(len(HABITS))] + [f"overflow-{at}" for at in range(len(OVERFLOWS))]
    folder: Path = tmp_path_factory.mktemp("habits")
    tables = [f'[models.{name}]\nmodel = "openai:{name}"\n{OPTIONS}' for name in names]
    (folder / "agents.toml").write_text("\n".join(tables))
    with live_desk(folder, openai_base_url=server.base_url, model="openai:none", model_retries=0) as live:
        yield live


def asked(desk: LiveDesk, model: str, agent: str, times: int = 1) -> list[list[Message]]:
    with WsClient(desk.ws_url) as client:
        chat_id = client.hello()
        choice = {"model": model, "agent": agent}
        httpx.patch(f"{desk.url}/api/chats/{chat_id}", json=choice, timeout=60).raise_for_status()
        return [client.ask("How many rooms?") for _ in range(times)]


@pytest.mark.parametrize("habit", HABITS, ids=str)
def test_a_refused_parameter_costs_one_request_and_no_answer(
    habit: Habit, desk: LiveDesk, server: OpenAIServer
) -> None:
    before = len(server.requests)
    agent = "tools" if habit.feature in OF_TOOLS else "code"
    runs = asked(desk, f"habit-{HABITS.index(habit)}", agent, times=2)
    for messages in runs:
        assert of_type(messages, "error") == []
        assert messages[-1]["content"]["text"] == "5 rooms"
    calls = [
        [message["content"].get("error") for message in of_type(messages, "model_call")] for messages in runs
    ]
    assert [len(errors) for errors in calls] == [2, 1] and calls[0][0] and not calls[0][1]
    assert len(server.requests) - before == 3


@pytest.mark.parametrize("habit", OVERFLOWS, ids=str)
def test_a_prompt_beyond_the_window_is_one_error_that_says_what_to_do(
    habit: OverflowHabit, desk: LiveDesk, server: OpenAIServer
) -> None:
    before = len(server.requests)
    [messages] = asked(desk, f"overflow-{OVERFLOWS.index(habit)}", "code")
    [error] = of_type(messages, "error")
    # the error counts so many tokens for this prompt of 10 kB that it cannot be shortened to these windows
    small = habit.window is not None and habit.window <= 8_192
    assert error["code"] == ("prompt_too_long" if small else "model_too_long")
    assert "larger window" in error["hint"] or "longer window" in error["hint"]
    assert messages[-1]["content"]["state"] == "failed"
    assert len(server.requests) - before <= 2
