"""smolagents' CodeAgent as a run uses it: quiet, with a cached prompt, and ending with our faults instead of a last guess."""

from typing import Any, cast

from smolagents import CodeAgent, FinalAnswerTool
from smolagents.memory import ActionStep
from smolagents.utils import AgentParsingError

from smoldesk.agents.wrapper.prompts import (
    PROMPTS,
    AgentKind,
    prompt_key,
    templates,
)
from smoldesk.agents.wrapper.silence import QUIET
from smoldesk.errors import DeskError, ModelFault

PARSE_ERRORS_LIMIT = 3
"""Replies without code (or a tool call), in a row, that end a run."""

INSTRUCTIONS = """\
You work at a desk with four panes. display(x) shows a DataFrame as a table and a figure as an image; open matplotlib \
figures are shown by themselves. Variables stay between messages. `selection` holds the rooms selected on the map, a list \
of {"floor", "name"}. Answer with final_answer in the language of the request."""

FINAL_ANSWER = FinalAnswerTool()
"""One for all runs: it keeps nothing, and smolagents inspects its signature whenever one is made."""


def step_limit(steps: int) -> DeskError:
    """The fault of a run that used all its steps."""
    hint = "Ask for less at once, or raise SMOLDESK_MAX_STEPS."
    return DeskError(
        f"The agent reached its limit of {steps} steps without an answer.", hint, code="step_limit"
    )


class DeskCodeAgent(CodeAgent):
    """Built for one run."""

    def __init__(
        self, tools: list[Any], model: Any, executor: Any, max_steps: int, step_callbacks: Any
    ) -> None:
        super().__init__(
            tools=tools,
            model=model,
            executor=executor,
            max_steps=max_steps,
            step_callbacks=step_callbacks,
            prompt_templates=templates("code"),
            additional_authorized_imports=["*"],
            instructions=INSTRUCTIONS,
            logger=QUIET,
        )

    def _setup_tools(self, tools: list[Any], add_base_tools: bool) -> None:
        self.tools = {tool.name: tool for tool in [*tools, FINAL_ANSWER]}

    def initialize_system_prompt(self) -> str:
        tools = cast("dict[str, Any]", self.tools)
        key = prompt_key("code", tools, self.instructions, self.code_block_tags)
        return PROMPTS.get(key) or PROMPTS.put(key, super().initialize_system_prompt())

    def _handle_max_steps_reached(self, task: str) -> Any:
        raise step_limit(self.max_steps)


def refuse_endless_prose(steps: list[Any], kind: AgentKind) -> None:
    """Raise ModelFault when the last replies all lacked what the agent acts on; `steps` is the agent's memory."""
    last = steps[-PARSE_ERRORS_LIMIT:]
    if len(last) == PARSE_ERRORS_LIMIT and all(
        isinstance(step, ActionStep) and isinstance(step.error, AgentParsingError) for step in last
    ):
        wanted = "code block" if kind == "code" else "tool call"
        raise ModelFault(
            f"The model wrote no {wanted} {PARSE_ERRORS_LIMIT} times in a row.",
            f"Choose a model that follows the format of smolagents' {kind} agent.",
            code="model_no_code" if kind == "code" else "model_no_calls",
        )
