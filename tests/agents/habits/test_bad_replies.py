"""Replies that are hostile or broken: large, not text, without an end, and with very many calls."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from smoldesk.models.reply_rules import CallsToRun, CodeToRun, FurtherCall, ModelReply, Situation, decide
from smoldesk.output_parser.text_calls import WrittenCall
from tests.agents.wrapper.conftest import Scene, Talk, talk_in
from tests.support.desk_server import live_desk
from tests.support.openai_server import Chunks, Garbles, OpenAIServer
from tests.support.scripted_model import Calls, ScriptedModel, code, text_of
from tests.support.ws_client import WsClient, of_type

MANY = 10_000_000


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    scene = Scene()
    folder = tmp_path_factory.mktemp("bad")
    with live_desk(folder, lambda: scene.model, scene.tools, max_steps=4) as scene.live:
        yield scene


@pytest.fixture
def talk(scene: Scene) -> Iterator[Talk]:
    yield from talk_in(scene)


@pytest.mark.parametrize(
    "piece", ["a ", "<", "`", "```\n", "[TOOL_CALLS]{", "<tool_call>{\"a\": ", "<|channel|>", "final_answer(\n", "{", "\n"]
)  # fmt: skip
@pytest.mark.parametrize("form", ["code", "tools", "structured"])
def test_the_time_to_read_a_reply_grows_with_its_length_alone(piece: str, form: Any) -> None:
    def seconds(size: int) -> float:
        reply = ModelReply(piece * (size // len(piece)))
        start = time.process_time()
        decide(reply, Situation(form))
        return time.process_time() - start

    seconds(10_000)
    short, long = seconds(MANY // 80), seconds(MANY // 8)
    assert long < 60 * short + 1  # ten times the length; quadratic would be a hundred times


@pytest.mark.parametrize("size", [MANY // 5, pytest.param(MANY, marks=pytest.mark.slow)])
def test_an_answer_of_megabytes_is_complete(talk: Talk, size: int) -> None:
    talk.scene.model = ScriptedModel(["word " * (size // 5)], chunk=100_000)
    messages = talk.ask()
    assert messages[-1]["content"]["state"] == "finished"
    assert len(messages[-1]["content"]["text"]) == size - 1


def test_a_thousand_calls_in_a_reply_run_nothing_and_the_model_learns_why(talk: Talk) -> None:
    calls = Calls(*[("note", {"word": str(number)}) for number in range(1000)])
    model = talk.scene.script(calls, code("final_answer('one by one')"))
    messages = talk.ask()
    assert "it has 1,000 tool calls, and at most 64 run at once" in text_of(model.seen[1])
    assert talk.scene.ran == []
    assert messages[-1]["content"]["text"] == "one by one"


def test_a_thousand_calls_twice_end_the_run_with_the_reason(talk: Talk) -> None:
    talk.scene.script(Calls(*[("note", {"word": "a"})] * 1000))
    messages = talk.ask()
    assert messages[-2]["code"] == "model_no_calls"
    assert "1,000 tool calls" in messages[-2]["content"]
    assert talk.scene.ran == []


def test_a_reply_that_is_not_text_fails_the_run_and_the_next_one_works(tmp_path: Path) -> None:
    replies: list[Any] = [
        Garbles("I "),
        Chunks({"delta": {"content": code("final_answer('here')")}}, {"finish_reason": "stop"}),
    ]
    with (
        OpenAIServer(replies) as provider,
        live_desk(tmp_path, model="openai:odd", openai_base_url=provider.base_url, model_retries=0) as live,
        WsClient(live.ws_url).greeted() as client,
    ):
        assert client.ask("go")[-1]["content"]["state"] == "failed"
        assert [error["code"] for error in of_type(client.seen, "error")] == ["model_error"]
        assert client.ask("and now?")[-1]["content"]["text"] == "here"


def test_arguments_of_calls_become_literals_and_never_code() -> None:
    trap = "'); import os; os.abort(); ('"
    calls = (WrittenCall("note", {"word": trap, "n": float("inf"), "deep": [{"a'": None}]}),)
    decision = decide(ModelReply("", calls), Situation("code"))
    assert isinstance(decision, CodeToRun)
    assert decision.code == f'print(note(word={trap!r}, n=None, deep=[{{"a\'": None}}]))'
    named = decide(ModelReply("", (WrittenCall("os.abort", {}),)), Situation("code"))
    assert isinstance(named, CodeToRun) and named.code.startswith("raise NameError(")


def test_json_without_an_end_is_asked_for_again() -> None:
    for text in ('{"thought": "' + "a" * 1000, '{"thought": {"a": ' * 5000):
        assert isinstance(decide(ModelReply(text), Situation("structured")), FurtherCall)


def test_json_that_only_looks_like_a_call_is_an_answer() -> None:
    answer = json.dumps({"name": "Alice", "parameters": {"age": 5}})
    assert not isinstance(decide(ModelReply(answer), Situation("tools", {"note"})), CallsToRun)
