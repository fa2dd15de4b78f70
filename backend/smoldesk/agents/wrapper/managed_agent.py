"""A managed agent as its manager calls it: a tool that takes a task in words and returns the answer in words."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from pydantic import JsonValue

from smoldesk.agents.entries import AgentEntry
from smoldesk.agents.managed import tool_name
from smoldesk.errors import BadInput
from smoldesk.tools.policy import LongTool
from smoldesk.tools.run_context import Agent, ToolContext

# Characters of a task.
LONGEST_TASK = 100_000
BY_MANAGER = "another agent gives you this task and reads nothing but your final answer, so say all it needs"


class AgentAnswer(str):
    """What a managed agent answered. Its drawings are on the map already: nothing in these words is a command."""


class ManagedAgent(LongTool):
    """Built for one run; without `build` it can be shown, but not called."""

    inputs: ClassVar = {"task": {"type": "string", "description": "the task, with all it needs to know"}}
    output_type = "string"

    def __init__(self, entry: AgentEntry, build: Callable[[str], Agent] | None = None) -> None:
        """`build` makes the agent for one call, of its id."""
        self.name = tool_name(entry.name)
        self.description = (
            f"Another agent of your team: {entry.description.strip()} Give it a task in words; it works on it by itself and "
            "returns its answer as text. It sees neither this chat nor your variables, and you see none of its: hand over data "
            f'as files of the working directory, which you share. Example: {self.name}(task="...")'
        )
        self._agent = entry.name
        self._build = build
        super().__init__()

    def check(self, arguments: Mapping[str, JsonValue]) -> None:
        task = arguments.get("task")
        if not isinstance(task, str) or not task.strip():
            raise BadInput("The task is empty.", "Expected text.")
        if len(task) > LONGEST_TASK:
            raise BadInput(f"The task has {len(task):,} characters.", f"Expected at most {LONGEST_TASK:,}.")

    def forward(self, task: str) -> Any:
        raise AssertionError("such a call is made with a context")

    def run_in_context(self, context: ToolContext, arguments: dict[str, JsonValue]) -> AgentAnswer:
        assert self._build is not None, "built to be shown"
        self.check(arguments)
        agent = self._build(context.call_id)
        return AgentAnswer(agent.run(str(arguments["task"]), context.nested(self._agent)))
