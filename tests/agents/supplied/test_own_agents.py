"""Own agents of the shapes that smolagents documents, each run through a real desk over the page's socket."""

import os
import re
import threading
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from smolagents import (
    CodeAgent,
    FinalAnswerTool,
    PlanningStep,
    PythonInterpreterTool,
    Tool,
    ToolCallingAgent,
)
from smolagents.memory import ActionStep
from smolagents.models import ChatMessage

from tests.support.own_agents import chat_with, scripted, search
from tests.support.scripted_model import Calls, ScriptedModel, code, text_of
from tests.support.ws_client import of_type

pytestmark = pytest.mark.starts


def test_a_code_agent_with_a_tool_asks_before_the_tool_runs(tmp_path: Path) -> None:
    model = scripted(code("page = search('cats')\nprint(page)\nfinal_answer(page)"))
    with chat_with(CodeAgent(tools=[search], model=model, name="alfred"), tmp_path) as chat:
        assert chat.client.seen[-1]["content"]["agentName"] == "alfred"
        assert chat.client.seen[-1]["content"]["approvals"] == {"search": "always"}
        chat.client.say("go")
        ask = chat.client.until("ask")["content"]
        assert (ask["tool"], ask["arguments"], ask["line"]) == ("search", {"query": "cats"}, 1)
        chat.client.send(type="answer", askId=ask["askId"], granted=True)
        messages = chat.client.until_closed()
        assert messages[-1]["content"]["text"] == "found: CATS"
        [shown] = of_type(messages, "code")
        assert shown["content"].startswith("page = search('cats')")


def test_a_denied_call_never_runs_and_the_model_reads_why(tmp_path: Path) -> None:
    model = scripted(Calls(("search", {"query": "cats"})), Calls(("final_answer", {"answer": "no page"})))
    with chat_with(ToolCallingAgent(tools=[search], model=model), tmp_path) as chat:
        chat.client.say("go")
        ask = chat.client.until("ask")["content"]
        chat.client.send(type="answer", askId=ask["askId"], granted=False, reason="not now")
        assert chat.client.until_closed()[-1]["content"]["text"] == "no page"
        assert "User denied the tool call: not now" in text_of(model.seen[-1])


def test_a_tool_calling_agent_runs_its_calls_in_order(tmp_path: Path) -> None:
    model = scripted(
        Calls(("search", {"query": "a"}), ("search", {"query": "b"})),
        Calls(("final_answer", {"answer": "both"})),
    )
    agent = ToolCallingAgent(tools=[search], model=model)
    with chat_with(agent, tmp_path, approvals={"search": "never"}) as chat:
        assert chat.answer() == "both"
        returned = [event["result"] for event in chat.log if event["type"] == "tool_returned"]
        assert returned == ["found: A", "found: B"]
        assert "found: A\nfound: B" in text_of(model.seen[-1])


def test_a_manager_gives_work_to_a_managed_agent_whose_steps_nest_in_the_call(tmp_path: Path) -> None:
    web = ToolCallingAgent(
        tools=[search],
        model=scripted(Calls(("search", {"query": "x"})), Calls(("final_answer", {"answer": "x is 7"}))),
        name="web_agent",
        description="Searches the web.",
    )
    boss = CodeAgent(
        tools=[],
        model=scripted(code("report = web_agent(task='find x')\nfinal_answer(report)")),
        managed_agents=[web],
    )
    with chat_with(boss, tmp_path, approvals={"search": "never"}) as chat:
        assert "x is 7" in chat.answer()
        nested = [event for event in chat.log if event["type"] == "nested"]
        assert {event["agent"] for event in nested} == {"web_agent"}
        assert "tool_returned" in {event["event"]["type"] for event in nested}
        assert "Here is the final answer from your managed agent 'web_agent'" in chat.log[-1]["text"]


def test_a_tools_manager_calls_a_code_agent_whose_code_runs_in_the_sandbox(tmp_path: Path) -> None:
    coder = CodeAgent(
        tools=[], model=scripted(code("final_answer(6 * 7)")), name="coder", description="Writes code."
    )
    boss = ToolCallingAgent(
        tools=[],
        model=scripted(
            Calls(("coder", {"task": "six times seven"})), Calls(("final_answer", {"answer": "it is 42"}))
        ),
        managed_agents=[coder],
    )
    with chat_with(boss, tmp_path) as chat:
        assert chat.answer() == "it is 42"
        [returned] = [event for event in chat.log if event["type"] == "tool_returned"]
        assert "42" in returned["result"]


def test_plans_are_shown_and_remembered(tmp_path: Path) -> None:
    model = scripted(
        "1. Add.", code("x = 1"), code("final_answer('done')"), "2. Again.", code("final_answer(2)")
    )
    with chat_with(CodeAgent(tools=[], model=model, planning_interval=5), tmp_path) as chat:
        messages = chat.ask()
        assert "1. Add." in "".join(each["content"] for each in of_type(messages, "delta"))
        plans = [each["content"]["agent_response"].get("plan") for each in of_type(messages, "debug")]
        assert "1. Add." in plans[0] and plans[1] is None
        assert "carry out this plan" in text_of(model.seen[1])
        assert chat.answer("more") == "2"
        assert "1. Add." in text_of(model.seen[-1])


def test_a_final_answer_check_sends_the_agent_back_to_work(tmp_path: Path) -> None:
    def is_number(answer: Any, memory: Any, agent: Any) -> bool:
        return isinstance(answer, int)

    model = scripted(code("final_answer('many')"), code("final_answer(3)"))
    agent = CodeAgent(tools=[], model=model, final_answer_checks=[is_number])
    with chat_with(agent, tmp_path) as chat:
        assert chat.answer() == "3"
        assert "Check is_number failed" in text_of(model.seen[-1])


def test_callbacks_see_each_step_with_the_agent_and_may_add_pictures(tmp_path: Path) -> None:
    seen: list[str] = []

    def watch(step: ActionStep, agent: CodeAgent) -> None:
        seen.append(f"{step.step_number} {agent.name}")
        step.observations_images = [Image.new("RGB", (4, 3), "red")]

    def plan(step: PlanningStep) -> None:
        seen.append("plan")

    model = scripted("Plan.", code("x = 1"), code("final_answer('ok')"))
    callbacks: Any = {ActionStep: watch, PlanningStep: [plan]}
    agent = CodeAgent(tools=[], model=model, name="eye", planning_interval=9, step_callbacks=callbacks)
    with chat_with(lambda: agent, tmp_path) as chat:
        messages = chat.ask()
        assert seen == ["plan", "1 eye", "2 eye"]
        [picture] = of_type(messages, "image")[:1]
        assert (picture["width"], picture["height"]) == (4, 3)
        sent: list[Any] = [part for message in model.seen[-1] for part in message.content or []]
        assert "image" in [part["type"] for part in sent]


def test_custom_prompt_templates_tags_and_instructions_reach_the_model(tmp_path: Path) -> None:
    model = scripted("Hm.\n```python\nfinal_answer('tagged')\n```")
    agent = CodeAgent(tools=[], model=model, instructions="Speak like a pirate.", code_block_tags="markdown")
    agent.prompt_templates["system_prompt"] += "\nThe ship is {{ authorized_imports }}."
    with chat_with(agent, tmp_path) as chat:
        assert chat.answer() == "tagged"
        assert "Speak like a pirate." in text_of(model.seen[0])
        assert "The ship is ['collections'" in text_of(model.seen[0])
        [delta] = [each for each in chat.log if each["type"] == "delta" and each["kind"] == "code"][:1]
        assert "final_answer" in delta["text"]


class Polite(CodeAgent):
    """A subclass that overrides methods of its own."""

    def initialize_system_prompt(self) -> str:
        return "You are polite.\n" + super().initialize_system_prompt()

    def provide_final_answer(self, task: str) -> Any:
        answer = super().provide_final_answer(task)
        answer.content = f"Sorry: {answer.content}"
        return answer


def test_a_subclass_keeps_what_it_overrides_and_answers_at_its_step_limit(tmp_path: Path) -> None:
    model = scripted(code("x = 1"), "I could not.")
    with chat_with(Polite(tools=[], model=model, max_steps=1), tmp_path) as chat:
        assert chat.answer() == "Sorry: I could not."
        assert text_of(model.seen[0]).startswith("You are polite.")


def test_structured_output_is_read_and_shown_as_code(tmp_path: Path) -> None:
    model = scripted('{"thought": "Easy.", "code": "final_answer(5)"}')
    agent = CodeAgent(tools=[], model=model, use_structured_outputs_internally=True)
    with chat_with(agent, tmp_path) as chat:
        messages = chat.ask()
        assert messages[-1]["content"]["text"] == "5"
        assert [each["content"] for each in of_type(messages, "code")] == ["final_answer(5)"]


def test_state_variables_are_there_in_code_and_for_tool_calls(tmp_path: Path) -> None:
    agent = CodeAgent(tools=[], model=scripted(code("final_answer(sum(numbers))")))
    agent.state["numbers"] = [1, 2, 3]
    with chat_with(agent, tmp_path / "code") as chat:
        assert chat.answer() == "6"

    caller = ToolCallingAgent(
        tools=[search],
        model=scripted(Calls(("search", {"query": "topic"})), Calls(("final_answer", {"answer": "ok"}))),
    )
    caller.state["topic"] = "whales"
    with chat_with(caller, tmp_path / "calls", approvals={"search": "never"}) as chat:
        assert chat.answer() == "ok"
        assert [event["result"] for event in chat.log if event["type"] == "tool_returned"] == [
            "found: WHALES"
        ]


def test_imports_outside_the_list_are_refused_as_smolagents_does(tmp_path: Path) -> None:
    model = scripted(
        code("import numpy.linalg\nimport os"), code("import math\nfinal_answer(math.floor(2.5))")
    )
    agent = CodeAgent(tools=[], model=model, additional_authorized_imports=["numpy.*"])
    with chat_with(agent, tmp_path) as chat:
        assert chat.answer() == "2"
        assert "Import of os is not allowed. Authorized imports are:" in text_of(model.seen[-1])


def test_a_star_allows_all_imports(tmp_path: Path) -> None:
    model = scripted(code("import os\nfinal_answer(os.path.basename('/a/b'))"))
    with chat_with(CodeAgent(tools=[], model=model, additional_authorized_imports=["*"]), tmp_path) as chat:
        assert chat.answer() == "b"
        assert "You can import from any package you want." in text_of(model.seen[0])


class Painter(Tool):
    """A tool that returns a picture."""

    name = "paint"
    description = "Paints a picture."
    inputs = {"colour": {"type": "string", "description": "its colour"}}  # noqa: RUF012
    output_type = "image"

    def forward(self, colour: str) -> Image.Image:
        return Image.new("RGB", (8, 6), colour)


def test_a_picture_of_a_tool_is_a_file_in_code_and_is_shown(tmp_path: Path) -> None:
    use = "from PIL import Image\nfinal_answer(str(Image.open(paint('blue')).size))"
    agent = CodeAgent(tools=[Painter()], model=scripted(code(use)), additional_authorized_imports=["PIL"])
    with chat_with(agent, tmp_path, approvals={"paint": "never"}) as chat:
        messages = chat.ask()
        assert messages[-1]["content"]["text"] == "(8, 6)"
        assert [(each["width"], each["height"]) for each in of_type(messages, "image")] == [(8, 6)]


def test_a_picture_that_a_tool_calling_agent_stored_can_be_its_answer(tmp_path: Path) -> None:
    model = scripted(Calls(("paint", {"colour": "red"})), Calls(("final_answer", {"answer": "image.png"})))
    with chat_with(ToolCallingAgent([Painter()], model), tmp_path, approvals={"paint": "never"}) as chat:
        messages = chat.ask()
        assert "Stored 'image.png' in memory." in text_of(model.seen[-1])
        assert len(of_type(messages, "image")) == 1
        assert messages[-1]["content"]["text"] == "image.png"


class Signed(FinalAnswerTool):
    """A final answer of a person's own."""

    def forward(self, answer: Any) -> Any:
        return f"{answer} (signed)"


def test_an_own_final_answer_tool_makes_the_answer(tmp_path: Path) -> None:
    with chat_with(CodeAgent(tools=[Signed()], model=scripted(code("final_answer(4)"))), tmp_path) as chat:
        assert chat.answer() == "4 (signed)"


class SilentModel(ScriptedModel):
    """A model that cannot stream."""

    generate_stream = None  # pyright: ignore


def test_a_model_that_cannot_stream_shows_its_thoughts_all_the_same(tmp_path: Path) -> None:
    model = SilentModel([code("final_answer(1)", thought="I think so.")])
    with chat_with(CodeAgent(tools=[], model=model), tmp_path) as chat:
        messages = chat.ask()
        assert "I think so." in "".join(each["content"] for each in of_type(messages, "delta"))


def test_an_error_of_a_callback_ends_the_run_with_its_text(tmp_path: Path) -> None:
    def broken(step: ActionStep) -> None:
        raise ValueError("the disk is gone")

    agent = CodeAgent(tools=[], model=scripted(code("x = 1")), step_callbacks=[broken])
    with chat_with(agent, tmp_path) as chat:
        error = chat.failure()
        assert error["code"] == "own_agent_failed"
        assert "ValueError: the disk is gone" in error["content"]


@pytest.mark.parametrize("remembers", [True, False])
def test_a_chat_remembers_unless_its_memory_is_reset(tmp_path: Path, remembers: bool) -> None:
    model = scripted(code("final_answer('first')"), code("final_answer('second')"))
    agent = CodeAgent(tools=[], model=model)
    with chat_with(agent, tmp_path, reset_agent_memory=not remembers) as chat:
        chat.answer("my name is Ada")
        chat.answer("again")
        assert ("my name is Ada" in text_of(model.seen[-1])) is remembers


def test_the_python_tool_of_a_tool_calling_agent_runs_in_the_sandbox(tmp_path: Path) -> None:
    model = scripted(
        Calls(("python_interpreter", {"code": "import os\nprint('pid', os.getpid())\n6 * 7"})),
        Calls(("python_interpreter", {"code": "import json"})),
        Calls(("final_answer", {"answer": "done"})),
    )
    agent = ToolCallingAgent([PythonInterpreterTool(authorized_imports=["os"])], model)
    with chat_with(agent, tmp_path) as chat:
        assert chat.answer() == "done"
        text = text_of(model.seen[-1])
        assert "42" in text
        assert "Import of json is not allowed." in text
        [pid] = set(re.findall(r"pid (\d+)", text))
        assert int(pid) != os.getpid()


class Blocking(ScriptedModel):
    """A model that does not answer, and cannot be closed."""

    generate_stream = None  # pyright: ignore
    asked = threading.Event()
    released = threading.Event()

    def generate(self, messages: list[ChatMessage], *args: Any, **kwargs: Any) -> ChatMessage:
        self.asked.set()
        assert self.released.wait(60)
        return super().generate(messages)


def test_stop_ends_a_call_of_the_model_at_once_and_leaves_the_model_to_other_chats(tmp_path: Path) -> None:
    model = Blocking([code("final_answer('late')")])
    with chat_with(CodeAgent(tools=[], model=model), tmp_path) as chat:
        chat.client.say("go")
        assert model.asked.wait(30)
        chat.client.send(type="cancel", runId=chat.client.until("run", state="running")["runId"])
        assert chat.client.until_closed()[-1]["content"]["state"] == "cancelled"
        assert not model.released.is_set(), "the model still works on its answer"
        model.released.set()
        assert chat.answer("again") == "late"


def test_a_callback_that_interrupts_its_agent_ends_the_run_with_a_reason(tmp_path: Path) -> None:
    def interrupt(step: ActionStep, agent: CodeAgent) -> None:
        agent.interrupt()

    agent = CodeAgent(tools=[], model=scripted(code("x = 1")), step_callbacks=[interrupt])
    with chat_with(agent, tmp_path) as chat:
        assert "Agent interrupted." in chat.failure()["content"]
