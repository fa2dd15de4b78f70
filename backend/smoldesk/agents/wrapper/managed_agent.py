"""A managed agent as a tool of its manager: takes a task as text and returns the answer as text."""

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
# Note for the managed agent.
BY_MANAGER = "another agent gives you this task and reads nothing but your final answer, so say all it needs"


class AgentAnswer(str):
    """Answer of a managed agent. Its drawings are on the map already, so the text is not searched for commands."""


class ManagedAgent(LongTool):
    """Tool of one run; without `build` it can be described, but not called."""

    inputs: ClassVar = {"task": {"type": "string", "description": "the task, with all it needs to know"}}
    output_type = "string"

    def __init__(self, entry: AgentEntry, build: Callable[[str], Agent] | None = None) -> None:
        """Set up the tool; `build(call_id)` creates the agent for one call."""
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
        assert self._build is not None, "this tool was built for its description only"
        self.check(arguments)
        agent = self._build(context.call_id)
        return AgentAnswer(agent.run(str(arguments["task"]), context.nested(self._agent)))
