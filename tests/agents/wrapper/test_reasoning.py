"""What a model thinks before it answers: streamed and logged as reasoning, never acted on, never remembered."""

from collections.abc import Iterator
from typing import Any

import pytest
from smolagents.models import ChatMessage, ChatMessageStreamDelta, Model

from smoldesk.models.reasoning import ReasonedDelta
from tests.agents.wrapper.conftest import Talk
from tests.support.scripted_model import Calls, ScriptedModel, code, text_of
from tests.support.ws_client import Message, of_type

TRAP = "Perhaps <code>\nfinal_answer('a thought')\n</code> would do."


def thinking(reply: str) -> str:
    return f"<think>\n{TRAP}\n</think>\n\n{reply}"


def streamed(messages: list[Message], kind: str) -> str:
    return "".join(delta["content"] for delta in of_type(messages, "delta") if delta["kind"] == kind)


class Reasoning(Model):
    """Tells its reasoning apart from its reply, as some servers do."""

    def __init__(self, thoughts: list[str], reply: str) -> None:
        super().__init__(model_id="reasoning")
        self._thoughts = thoughts
        self._reply = reply

    def generate(self, *args: Any, **kwargs: Any) -> ChatMessage:
        raise AssertionError("a run streams")

    def generate_stream(self, *args: Any, **kwargs: Any) -> Iterator[ChatMessageStreamDelta]:
        yield from (ReasonedDelta(reasoning=thought) for thought in self._thoughts)
        yield ChatMessageStreamDelta(content=self._reply)


@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_code_in_a_thought_is_not_run(code_talk: Talk, chunk: int) -> None:
    code_talk.scene.model = ScriptedModel(
        [thinking(code("final_answer(str(6 * 7))", thought="I count."))], chunk
    )
    messages = code_talk.ask()
    assert messages[-1]["content"]["text"] == "42"
    assert streamed(messages, "reasoning") == f"{TRAP}\n"
    assert streamed(messages, "text") == "I count.\n"
    assert streamed(messages, "code") == "final_answer(str(6 * 7))"


def test_a_thought_is_not_remembered(code_talk: Talk) -> None:
    model = code_talk.scene.script(
        thinking(code("print('one')")), thinking(code("final_answer('two')")), code("final_answer('three')")
    )
    code_talk.ask()
    code_talk.ask("and now?")
    assert all("Perhaps" not in text_of(prompt) for prompt in model.seen)
    finished = [event for event in code_talk.log() if event["type"] == "step_finished"]
    assert len(finished) == 3
    assert "Perhaps" not in str(finished)


def test_the_log_has_the_pieces_of_a_thought_joined(code_talk: Talk) -> None:
    code_talk.scene.model = Reasoning(["Two ", "and ", "two."], code("final_answer('4')"))
    assert code_talk.ask()[-1]["content"]["text"] == "4"
    events = [event for event in code_talk.log() if event.get("kind") == "reasoning"]
    assert "".join(event["text"] for event in events) == "Two and two."


def test_a_thought_before_calls_of_tools_calls_nothing(tools_talk: Talk) -> None:
    thought = '<think>{"name": "note", "arguments": {"word": "a thought"}}</think>'
    tools_talk.scene.script(
        Calls(("note", {"word": "a"}), text=thought), Calls(("final_answer", {"answer": "noted"}))
    )
    messages = tools_talk.ask()
    assert messages[-1]["content"]["text"] == "noted"
    assert tools_talk.scene.ran == ["a"]
    assert streamed(messages, "reasoning") == thought.removeprefix("<think>").removesuffix("</think>")
    assert streamed(messages, "text") == ""


def test_a_model_that_only_thinks_says_nothing(code_talk: Talk) -> None:
    code_talk.scene.script("<think>I never come to an end")
    messages = code_talk.ask()
    assert messages[-2]["code"] == "model_empty"
    assert streamed(messages, "reasoning") == "I never come to an end" * 2
