"""The system prompt: rendered once for everything it depends on, and again for anything that differs."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from smolagents.models import Model

from smoldesk.agents.wrapper import code_agent
from smoldesk.agents.wrapper.code_agent import MAX_PROMPTS, PROMPTS, DeskCodeAgent, system_prompt
from smoldesk.agents.wrapper.prompt import AgentKind, PromptPart
from smoldesk.agents.wrapper.tools_agent import DeskToolsAgent
from smoldesk.tools.policy import DeskTool
from tests.agents.wrapper.conftest import Talk
from tests.support.scripted_model import ScriptedModel, code, text_of
from tests.support.tools import Idle, Noting


class NoExecutor:
    """Enough of an executor to build an agent with."""

    def send_tools(self, tools: Any) -> None: ...
    def send_variables(self, variables: Any) -> None: ...


@pytest.fixture
def renders(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The kinds of prompts rendered so far, with an empty cache to begin with."""
    rendered: list[str] = []
    render = code_agent.prompt_parts

    def counted(kind: AgentKind, tools: Mapping[str, Any]) -> list[PromptPart]:
        rendered.append(kind)
        return render(kind, tools)

    monkeypatch.setattr(code_agent, "prompt_parts", counted)
    PROMPTS.clear()
    yield rendered


def prompt_of(kind: str, tools: list[DeskTool]) -> str:
    model: Model = ScriptedModel([""])
    if kind == "code":
        agent: Any = DeskCodeAgent(tools, model, NoExecutor(), 3, {})
    else:
        agent = DeskToolsAgent(tools, model, 3, {}, None)  # pyright: ignore[reportArgumentType]
    return agent.system_prompt


@pytest.mark.parametrize("kind", ["code", "tools"])
def test_the_second_build_renders_nothing(kind: str, renders: list[str]) -> None:
    first = prompt_of(kind, [Noting([]), Idle()])
    assert len(renders) >= 1
    renders.clear()
    assert prompt_of(kind, [Noting([]), Idle()]) == first
    assert renders == []


def test_a_second_run_of_a_desk_renders_nothing(code_talk: Talk, renders: list[str]) -> None:
    code_talk.scene.script(code("final_answer('one')"))
    code_talk.ask()
    assert renders
    renders.clear()
    model = code_talk.scene.script(code("final_answer('two')"))
    code_talk.ask()
    assert renders == []
    assert "Notes a word." in text_of(model.seen[0])


@pytest.mark.parametrize("kind", ["code", "tools"])
@pytest.mark.parametrize("change", ["description", "inputs", "output_type", "name"])
def test_a_tool_that_changed_gives_another_prompt(kind: str, change: str, renders: list[str]) -> None:
    before = prompt_of(kind, [Noting([])])
    changed = Noting([])
    other: dict[str, Any] = {
        "description": "Notes two words.",
        "inputs": {"word": {"type": "string", "description": "what to note"}},
        "output_type": "integer",
        "name": "jot",
    }
    setattr(changed, change, other[change])
    renders.clear()
    after = prompt_of(kind, [changed])
    assert renders
    if kind == "code":
        expected = {"inputs": "word: what to note", "output_type": "-> int", "name": "jot(word"}
        assert str(expected.get(change, other[change])) in after
    assert (after != before) is (
        kind == "code" or change == "name"
    )  # a request describes the tools of the other kind


def test_the_kinds_of_agent_do_not_share_a_prompt(renders: list[str]) -> None:
    assert prompt_of("code", [Idle()]) != prompt_of("tools", [Idle()])


def test_more_or_fewer_tools_give_another_prompt(renders: list[str]) -> None:
    both = prompt_of("code", [Noting([]), Idle()])
    assert "Does nothing." in both
    assert "Does nothing." not in prompt_of("code", [Noting([])])


def test_the_cache_forgets_before_it_grows_without_end(renders: list[str]) -> None:
    for number in range(3 * MAX_PROMPTS):
        tool = Noting([])
        tool.description = f"Notes number {number}."
        assert f"Notes number {number}." in system_prompt("code", {"note": tool})
        assert 1 <= len(PROMPTS) <= MAX_PROMPTS
