"""Which agent a chat gets: one of a function, a copy, or the only one; and clear errors for what makes none."""

import threading
from pathlib import Path
from typing import Any

import pytest
from smolagents import CodeAgent, LocalPythonExecutor, Tool

from smoldesk import DeskUI
from smoldesk.errors import DeskError
from tests.support.own_agents import OwnChat, new_chat, scripted, search, served
from tests.support.scripted_model import code, text_of

pytestmark = pytest.mark.starts


def two_chats(ui: DeskUI) -> tuple[OwnChat, OwnChat]:
    assert ui.address is not None
    return OwnChat(ui), OwnChat(ui, new_chat(ui.address))


class Counter(Tool):
    """A tool with a memory of its own."""

    name = "count"
    description = "Counts its calls."
    inputs = {}  # noqa: RUF012
    output_type = "integer"
    calls = 0

    def forward(self) -> int:
        self.calls += 1
        return self.calls


class Locked(Counter):
    """A tool that cannot be copied."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()


def test_each_chat_of_a_function_gets_an_agent_of_its_own(tmp_path: Path) -> None:
    made: list[CodeAgent] = []

    def make() -> CodeAgent:
        made.append(CodeAgent(tools=[Locked()], model=scripted(code("final_answer(count())"))))
        return made[-1]

    with served(make, tmp_path, approvals={"count": "never"}) as ui:
        for chat in two_chats(ui):
            with chat:
                assert [chat.answer(), chat.answer()] == ["1", "2"]
        assert len(made) == 2


def test_a_bare_agent_is_copied_for_each_chat_with_its_tools(tmp_path: Path) -> None:
    tool = Counter()
    agent = CodeAgent(tools=[tool], model=scripted(code("final_answer(count())")))
    with served(agent, tmp_path, approvals={"count": "never"}) as ui:
        for chat in two_chats(ui):
            with chat:
                assert chat.answer() == "1"
    assert tool.calls == 0
    assert agent.memory.steps == []


def test_a_bare_agent_that_cannot_be_copied_serves_one_chat_and_says_how_to_serve_more(
    tmp_path: Path,
) -> None:
    agent = CodeAgent(tools=[Locked()], model=scripted(code("final_answer(count())")))
    with served(agent, tmp_path, approvals={"count": "never"}) as ui:
        first, second = two_chats(ui)
        with first, second:
            assert first.answer() == "1"
            error = second.failure()
            assert error["code"] == "one_chat_only"
            assert "DeskUI(make_agent).launch()" in error["content"]
            assert first.answer() == "2"


class OwnExecutor(LocalPythonExecutor):
    """An executor of a person's own."""


def test_an_executor_that_the_agent_brings_is_kept_with_the_gate_before_its_tools(tmp_path: Path) -> None:
    model = scripted(code("print('working')\nfinal_answer(search(query='cats'))"))
    executor = OwnExecutor([], timeout_seconds=None)
    with (
        served(CodeAgent(tools=[search], model=model, executor=executor), tmp_path) as ui,
        OwnChat(ui) as chat,
    ):
        chat.client.say("go")
        ask = chat.client.until("ask")["content"]
        chat.client.send(type="answer", askId=ask["askId"], granted=True)
        messages = chat.client.until_closed()
        assert messages[-1]["content"]["text"] == "found: CATS"
        assert "working" in "".join(each["content"] for each in messages if each["type"] == "printed")
        assert ui.source.own_executor == "OwnExecutor" and ui.source.serves_one_chat


def test_a_second_run_of_a_chat_finds_the_agent_as_it_was(tmp_path: Path) -> None:
    model = scripted(code("final_answer(1)"))
    agent = CodeAgent(tools=[search], model=model, planning_interval=None)
    parts = {name: getattr(agent, name) for name in ("model", "tools", "python_executor", "logger", "state")}
    with served(lambda: agent, tmp_path) as ui, OwnChat(ui) as chat:
        chat.answer()
        assert {name: getattr(agent, name) for name in parts} == parts
        chat.answer()
        assert "final_answer(1)" in text_of(model.seen[-1])


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (7, "A int is not an agent."),
        (lambda: None, "A NoneType is not an agent."),
        (lambda: Broken(), "The agent cannot be made: RuntimeError: no licence"),
    ],
)
def test_what_makes_no_agent_is_a_clear_error_before_anything_starts(
    tmp_path: Path, agent: Any, message: str
) -> None:
    with pytest.raises(DeskError, match=message.replace(".", r"\.")):
        DeskUI(agent, data_dir=tmp_path / "data")
    assert not (tmp_path / "data").exists()


class Broken(Tool):
    """A tool that raises when it is made."""

    name = "broken"
    description = ""
    inputs = {}  # noqa: RUF012
    output_type = "string"

    def __init__(self) -> None:
        raise RuntimeError("no licence")

    def forward(self) -> str:
        return ""


def test_a_function_that_fails_for_a_later_chat_fails_that_run_alone(tmp_path: Path) -> None:
    made: list[int] = []

    def make() -> CodeAgent:
        made.append(1)
        tools: list[Tool] = [Broken()] if len(made) == 2 else []
        return CodeAgent(tools=tools, model=scripted(code("final_answer('fine')")))

    with served(make, tmp_path) as ui:
        first, second = two_chats(ui)
        with first, second:
            assert first.answer() == "fine"
            assert "no licence" in second.failure()["content"]
            assert second.answer() == "fine"
            assert first.answer() == "fine"


def test_a_function_that_never_returns_is_left_after_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMOLDESK_AGENT_LOAD_SECONDS", "0.2")
    with pytest.raises(DeskError, match=r"did not return within 0\.2 s"):
        DeskUI(lambda: threading.Event().wait(), data_dir=tmp_path)


def test_a_policy_for_a_tool_that_is_not_there_is_refused(tmp_path: Path) -> None:
    agent = CodeAgent(tools=[search], model=scripted("x"))
    with pytest.raises(DeskError, match="does not have: 'serach'"):
        DeskUI(agent, data_dir=tmp_path, approvals={"serach": "never"})
    with pytest.raises(DeskError, match="'sometimes'"):
        DeskUI(agent, data_dir=tmp_path, approvals={"search": "sometimes"})  # pyright: ignore


def test_two_desks_on_one_data_directory_are_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    agent = CodeAgent(tools=[], model=scripted(code("final_answer('here')")))
    with served(agent, tmp_path) as ui:
        with (
            pytest.raises(DeskError, match="Another smoldesk uses the data directory"),
            served(agent, tmp_path),
        ):
            pass
        with OwnChat(ui) as chat:
            assert chat.answer() == "here"
