"""A step that goes through the log comes back as a step the model reads in the same words."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from smolagents.memory import ActionStep, MemoryStep, TaskStep, ToolCall
from smolagents.monitoring import Timing
from smolagents.utils import (
    AgentError,
    AgentExecutionError,
    AgentGenerationError,
    AgentMaxStepsError,
    AgentParsingError,
    AgentToolCallError,
    AgentToolExecutionError,
)

from smoldesk.agents.wrapper.code_agent import QUIET
from smoldesk.agents.wrapper.memory import step_memory, steps_from, task_of
from smoldesk.events import (
    AnyEvent,
    RunFinished,
    RunStarted,
    StepFinished,
    StoredEvent,
    event_adapter,
)
from tests.agents.wrapper.conftest import Talk
from tests.support.desk_server import live_desk
from tests.support.scripted_model import Calls, ScriptedModel, code, text_of
from tests.support.ws_client import WsClient

ERRORS = [
    AgentError,
    AgentExecutionError,
    AgentGenerationError,
    AgentMaxStepsError,
    AgentParsingError,
    AgentToolCallError,
    AgentToolExecutionError,
]

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
tool_calls = st.builds(ToolCall, name=texts, arguments=texts | st.dictionaries(texts, values), id=texts)
errors = st.builds(lambda kind, message: kind(message, QUIET), st.sampled_from(ERRORS), texts)
steps = st.builds(
    ActionStep,
    step_number=st.integers(1, 50),
    timing=st.just(Timing(start_time=0.0, end_time=1.0)),
    model_output=st.none() | texts,
    code_action=st.none() | texts,
    tool_calls=st.none() | st.lists(tool_calls, min_size=1, max_size=3),
    observations=st.none() | texts,
    error=st.none() | errors,
    is_final_answer=st.booleans(),
)


def stored(*events: Any) -> list[StoredEvent]:
    """Events as the log gives them back: through their JSON."""
    read: list[AnyEvent] = [event_adapter.validate_json(event.model_dump_json()) for event in events]
    at = datetime.now(UTC)
    return [
        StoredEvent(chat_id="c", seq=seq, run_id="r", at=at, event=event) for seq, event in enumerate(read, 1)
    ]


def finished(step: ActionStep) -> StepFinished:
    return StepFinished(step=step.step_number, memory=step_memory(step), duration=1.0)


def prompt(step: MemoryStep) -> list[dict[str, Any]]:
    return [message.dict() for message in step.to_messages()]


OLD = "look\n\n(Attached: a.csv, rooms (2).csv)"
NAMED = (
    'look\n\n(Note: files that came with this message, in the working directory: ["a.csv", "rooms (2).csv"])'
)


def test_the_files_of_a_message_are_a_note_also_when_an_old_log_has_them_in_its_text() -> None:
    old = {"type": "run_started", "message": OLD}
    for values in (old, old | {"message": "look", "attachments": ["a.csv", "rooms (2).csv"]}):
        event = event_adapter.validate_python(values)
        assert isinstance(event, RunStarted)
        assert (event.message, event.attachments) == ("look", ["a.csv", "rooms (2).csv"])
        (task,) = steps_from(stored(event))
        assert isinstance(task, TaskStep) and task.task == NAMED


@pytest.mark.parametrize("kind", ["run_started", "run_queued"])
def test_words_like_those_of_an_old_log_stay_in_a_message_of_today(kind: str) -> None:
    event = event_adapter.validate_python({"type": kind, "message": OLD, "attachments": []})
    assert getattr(event, "message", "") == OLD
    only = event_adapter.validate_python({"type": kind, "message": "(Attached: a.csv)"})
    assert (getattr(only, "message", None), getattr(only, "attachments", None)) == ("", ["a.csv"])


@given(steps)
def test_a_step_reads_the_same_after_its_way_through_the_log(step: ActionStep) -> None:
    (again,) = steps_from(stored(finished(step)))
    assert isinstance(again, ActionStep)
    assert prompt(again) == prompt(step)
    assert again.to_messages(summary_mode=True) == step.to_messages(summary_mode=True)
    assert (again.step_number, again.code_action, again.is_final_answer) == (
        *(step.step_number, step.code_action),
        step.is_final_answer,
    )


@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.__name__)
def test_an_error_of_each_kind_comes_back_as_itself(kind: type[AgentError]) -> None:
    step = ActionStep(
        step_number=2,
        timing=Timing(start_time=0.0, end_time=1.0),
        model_output="Let me see.",
        tool_calls=[ToolCall(name="python_interpreter", arguments="1 / 0", id="call_3")],
        error=kind("it broke: ZeroDivisionError", QUIET),
    )
    (again,) = steps_from(stored(finished(step)))
    assert isinstance(again, ActionStep)
    assert type(again.error) is kind
    assert prompt(again) == prompt(step)
    assert "ZeroDivisionError" in json.dumps(prompt(again), default=str)


def test_an_error_of_a_kind_we_do_not_know_is_still_read() -> None:
    class Newer(AgentError):
        pass

    step = ActionStep(1, Timing(0.0, 1.0), error=Newer("of tomorrow", QUIET))
    (again,) = steps_from(stored(finished(step)))
    assert prompt(again) == prompt(step)


def test_runs_come_back_in_order_each_with_its_notes() -> None:
    step = ActionStep(1, Timing(0.0, 1.0), model_output="I did it.", observations="seen")
    history = stored(
        RunStarted(message="first", notes=["The variables are gone.", "A file was added."]),
        finished(step),
        RunFinished(text="done"),
        RunStarted(message="second"),
    )
    first, done, second = steps_from(history)
    assert isinstance(first, TaskStep)
    assert isinstance(second, TaskStep)
    assert first.task == "first\n\n(Note: The variables are gone.)\n(Note: A file was added.)"
    assert second.task == "second"
    assert prompt(done) == prompt(step)


def test_a_persons_code_is_neither_a_task_nor_a_step_of_the_agents() -> None:
    step = ActionStep(1, Timing(0.0, 1.0), code_action="mine = 7", observations="Execution logs:\nseven")
    history = stored(
        RunStarted(message="mine = 7", notes=["The variables are gone."], is_code=True),
        finished(step),
        RunFinished(text="7"),
        RunStarted(message="what is mine?"),
        finished(step),
    )
    code_run, task, answered = steps_from(history)
    assert isinstance(task, TaskStep)
    assert isinstance(answered, ActionStep)
    [message] = code_run.to_messages()
    assert message.role == "user"
    assert text_of([message]) == (
        "(I, the person, ran this code myself in the same Python process; its variables are there for you.)\n"
        "```python\nmine = 7\n```\nExecution logs:\nseven\n\n(Note: The variables are gone.)"
    )


def test_a_persons_code_that_was_stopped_at_once_says_so() -> None:
    [code_run] = steps_from(stored(RunStarted(message="1", is_code=True)))
    assert "stopped before it gave anything" in text_of(code_run.to_messages())


def test_a_task_without_notes_is_the_message_itself() -> None:
    assert task_of("What is new?", []) == "What is new?"


def test_a_later_run_sends_the_model_what_the_earlier_one_ended_with(code_talk: Talk) -> None:
    """Through a real desk: the second prompt begins with the first run's whole conversation."""
    first = code_talk.scene.script(
        code("print('seen')\n1 / 0", thought="First."), code("final_answer('made it')", thought="Second.")
    )
    code_talk.ask("one")
    second = code_talk.scene.script(code("final_answer('two')"))
    code_talk.ask("two")
    before = [message.dict() for message in first.seen[1]]
    after = [message.dict() for message in second.seen[0]]
    assert after[: len(before)] == before
    assert "ZeroDivisionError" in text_of(second.seen[0])
    assert "made it" in text_of(second.seen[0])


def test_only_so_many_runs_are_remembered(tmp_path_factory: pytest.TempPathFactory) -> None:
    from tests.agents.wrapper.conftest import scene_of, talk_in

    for scene in scene_of(tmp_path_factory.mktemp("short"), memory_runs=2):
        for talk in talk_in(scene):
            for word in ("alpha", "beta", "gamma"):
                scene.script(code(f"final_answer('{word}')"))
                talk.ask(f"say {word}")
            model = scene.script(code("final_answer('delta')"))
            talk.ask("say delta")
            model_input = text_of(model.seen[0])
            assert "say alpha" not in model_input
            assert "say beta" in model_input
            assert "say gamma" in model_input


def messages_of(prompt: list[Any]) -> list[tuple[str, str]]:
    return [(str(message.role), text_of([message])) for message in prompt]


@pytest.mark.parametrize("kind", ["code", "tools"])
def test_the_prompt_of_a_later_run_starts_with_that_of_the_earlier_one(kind: str, tmp_path: Path) -> None:
    one, two = ("print(1)", "final_answer('one')") if kind == "code" else ("1 + 1", "")
    replies: list[Any] = [code(one), code(two)]
    if kind == "tools":
        replies = [Calls(("python_interpreter", {"code": one})), Calls(("final_answer", {"answer": "one"}))]
    model = ScriptedModel([*replies, *replies])
    with live_desk(tmp_path, lambda: model, agent=kind) as live, WsClient(live.ws_url) as client:
        chat_id = client.hello()
        upload = {"file": ("sales.csv", b"shop,sold\nNorth,1\nSouth,2\n")}
        httpx.post(f"{live.url}/api/chats/{chat_id}/files", files=upload, timeout=60).raise_for_status()
        for question in ("first?", "second?"):
            client.say(question)
            client.until_closed()
    first, second = messages_of(model.seen[1]), messages_of(model.seen[2])
    assert second[: len(first)] == first
    tables = [text for _, text in second if "sales = pd.read_csv" in text]
    assert len(tables) == 1 and "first?" in tables[0]
    assert "sales.csv" not in second[0][1] and "North" not in second[0][1]
    assert second[-1][1].endswith("second?")
