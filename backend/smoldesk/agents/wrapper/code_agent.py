"""smolagents' CodeAgent for a run: silent, with a cached prompt, and with the desk's errors instead of a last guess.

smolagents renders the prompt at every run. A desk builds an agent for each run, so prompts are cached here, for agents of
either kind. Nothing is printed: a run's log is its events.
"""

from collections.abc import Callable, Generator, Mapping
from typing import Any, cast

from smolagents import CodeAgent, FinalAnswerTool
from smolagents.memory import ActionStep
from smolagents.monitoring import AgentLogger, LogLevel
from smolagents.utils import AgentGenerationError

from smoldesk.agents.wrapper.prompt import AgentKind, join_parts, prompt_parts, templates
from smoldesk.agents.wrapper.reply_step import CodeSteps
from smoldesk.errors import DeskError
from smoldesk.models.adaptation import SchemaRefused


class QuietLogger(AgentLogger):
    """Logger that discards everything, and builds no rich console, which would cost milliseconds a step."""

    def __init__(self) -> None:
        self.level = LogLevel.OFF
        self.console: Any = None

    def log(self, *args: Any, **kwargs: Any) -> None: ...
    def log_error(self, error_message: str) -> None: ...
    def log_markdown(self, *args: Any, **kwargs: Any) -> None: ...
    def log_code(self, *args: Any, **kwargs: Any) -> None: ...
    def log_rule(self, *args: Any, **kwargs: Any) -> None: ...
    def log_task(self, *args: Any, **kwargs: Any) -> None: ...
    def log_messages(self, *args: Any, **kwargs: Any) -> None: ...
    def visualize_agent_tree(self, agent: Any) -> None: ...


QUIET = QuietLogger()


# Tags that some models put around the code in the JSON, at its ends only: smolagents' own tags would match anywhere.
STRUCTURED_CODE_TAGS = (r"\A\s*(?:<code>|```(?:python|py)?[ \t]*\n)", r"(?:</code>|\n```)\s*\Z")


PROMPTS: dict[object, str] = {}
# Cached prompts; a desk has only a few, so the cache is simply cleared when it is full.
MAX_PROMPTS = 256


def system_prompt(kind: AgentKind, tools: Mapping[str, Any]) -> str:
    """Return the prompt of an agent from a cache, by everything that it depends on."""
    key = (kind, tuple((name, _tool_key(tool)) for name, tool in tools.items()))
    if key not in PROMPTS:
        if len(PROMPTS) >= MAX_PROMPTS:
            PROMPTS.clear()
        PROMPTS[key] = join_parts(prompt_parts(kind, tools))
    return PROMPTS[key]


def _tool_key(tool: Any) -> object:
    return (tool.description, repr(tool.inputs), tool.output_type)


# Shared by all runs: it has no state, and smolagents inspects its signature at each construction.
FINAL_ANSWER = FinalAnswerTool()


def step_limit(steps: int, setting: str) -> DeskError:
    """Return the error of a run that used all its steps; `setting` is what limits them, empty if nothing was set."""
    hint = f"Ask for less at once, or raise {setting}." if setting else "Ask for less at once."
    return DeskError(
        f"The agent reached its limit of {steps} steps without an answer.", hint, code="step_limit"
    )


class DeskCodeAgent(CodeSteps, CodeAgent):
    """CodeAgent of one run; `steps_setting` limits its steps."""

    steps_setting = ""

    def __init__(
        self,
        tools: list[Any],
        model: Any,
        executor: Any,
        max_steps: int,
        step_callbacks: Any,
        structured: bool = False,
        refused: Callable[[], None] = lambda: None,
    ) -> None:
        """Set up the agent. With `structured` the model answers by smolagents' schema; `refused` is called if it refuses."""
        self._refused = refused
        self._prompts: dict[AgentKind, str] = {}
        super().__init__(
            tools=tools,
            model=model,
            executor=executor,
            max_steps=max_steps,
            step_callbacks=step_callbacks,
            prompt_templates=templates("structured" if structured else "code"),
            use_structured_outputs_internally=structured,
            code_block_tags=STRUCTURED_CODE_TAGS if structured else None,
            additional_authorized_imports=["*"],
            logger=QUIET,
        )

    def _setup_tools(self, tools: list[Any], add_base_tools: bool) -> None:
        self.tools = {tool.name: tool for tool in [*tools, FINAL_ANSWER]}

    def initialize_system_prompt(self) -> str:
        kind: AgentKind = "structured" if self._use_structured_outputs_internally else "code"
        # smolagents calls this twice per run, and the shared cache compares every tool.
        if kind not in self._prompts:
            self._prompts[kind] = system_prompt(kind, cast("dict[str, Any]", self.tools))
        return self._prompts[kind]

    def _step_stream(self, memory_step: ActionStep) -> Generator[Any]:
        try:
            yield from super()._step_stream(memory_step)
        except AgentGenerationError as fault:
            if not isinstance(fault.__cause__, SchemaRefused):
                raise
            self._refused()
            self._use_structured_outputs_internally = False
            self.code_block_tags = ("<code>", "</code>")
            self.prompt_templates = templates("code")
            self.memory.system_prompt.system_prompt = self.initialize_system_prompt()
            yield from super()._step_stream(memory_step)

    def _handle_max_steps_reached(self, task: str) -> Any:
        raise step_limit(self.max_steps, self.steps_setting)
