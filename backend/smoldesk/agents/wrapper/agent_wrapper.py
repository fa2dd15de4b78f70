"""AgentWrapper: a smolagents agent behind `Agent.run(message, ctx)`, built anew for each run.

Memory comes from the log, deltas from inside the model, tool events from ToolCalls, and each step's batch from
smolagents' step callback (its generator omits the step that hits the limit). The generator is always drained.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from inspect import signature
from typing import Any, Literal

from smolagents.memory import ActionStep, FinalAnswerStep
from smolagents.models import Model
from smolagents.utils import AgentError

from smoldesk.agents.answer_schema import AnswerSchema, RequiredCall
from smoldesk.agents.call_meter import CallMeter
from smoldesk.agents.wrapper.answers import answer_text
from smoldesk.agents.wrapper.calls import ToolCalls
from smoldesk.agents.wrapper.code_agent import DeskCodeAgent
from smoldesk.agents.wrapper.embedded_images import EmbeddedImages
from smoldesk.agents.wrapper.interpreter import Cells, PythonInterpreter
from smoldesk.agents.wrapper.memory import TaskNotes, attachment_notes, steps_from
from smoldesk.agents.wrapper.model import RunModel
from smoldesk.agents.wrapper.prompt_limits import PromptFault, PromptLimits, prompt_fault
from smoldesk.agents.wrapper.run_executor import Executor, executor_for, image_remover, variables_of
from smoldesk.agents.wrapper.sent_pictures import SentPictures
from smoldesk.agents.wrapper.step_report import StepReport
from smoldesk.agents.wrapper.tools_agent import CallOrder, DeskToolsAgent
from smoldesk.agents.wrapper.window import Window
from smoldesk.errors import DeskError
from smoldesk.markdown.answer_forms import language_of
from smoldesk.messages import TableSelection
from smoldesk.models import close_model, translate
from smoldesk.models.capabilities import SCHEMA, Capability
from smoldesk.output_parser.reply_marks import CODE_TAGS
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.executors import SANDBOX, is_sandbox
from smoldesk.tables.open_tables import OpenTables
from smoldesk.tools.policy import DeskTool
from smoldesk.tools.run_context import RunContext


@dataclass(frozen=True)
class Parts:
    """Components of one chat's agent."""

    kind: Literal["code", "tools"]
    model: Model
    tools: Sequence[DeskTool]
    rooms: Sequence[str]
    children: Children
    max_steps: int
    steps_setting: str = field(default="", kw_only=True)
    """Setting that limits the steps; empty if nothing was set."""
    call_order: CallOrder = "together"
    executor: str = SANDBOX
    tables: OpenTables | None = None
    """Reader of table rows that a message refers to."""
    runs_code: bool = True
    """Whether an agent of kind tools has python_interpreter among them."""
    context: int | None = None
    """Tokens of the model's window; None: unknown, and prompts are sent in full."""
    max_tokens: int | None = None
    """Longest answer in tokens, if it is limited."""
    pictures: Callable[[str, Sequence[str]], SentPictures] = lambda _, __: SentPictures()
    """Returns the pictures that came with a message or that it names, if the model accepts pictures."""
    notes: Callable[[], list[str]] = list
    """Returns further notes for the model, when the run starts."""
    outline: Callable[[], str] = str
    """Returns the outline of the chat's tables and rooms, when the run starts."""
    structured: bool = False
    """Whether the model of an agent of kind code answers by a schema."""
    capability: Capability = field(default_factory=Capability)
    """What the model's server refused."""
    prompt_fault: PromptFault = prompt_fault
    """Makes the error for a prompt that cannot fit."""
    answer: AnswerSchema | RequiredCall | None = None
    """Schema of the answer, or a call before it, if the client requires one."""
    has_data: Callable[[], bool] = lambda: False
    """Returns whether the chat has data or a building of its own, which an answer should look at."""
    read_selected: Callable[[], None] | None = None
    """Has the built-in analyst read nothing but the table rows that a message refers to, once they are stored."""
    within: str | None = None
    """Id of the call that a managed agent works in."""
    meter: CallMeter = field(default_factory=CallMeter)
    """Observer of the calls of the model."""


_CALLBACK_SIGNATURE = signature(lambda step: None)  # pyright: ignore


class AgentWrapper:
    """Agent that answers one message by a smolagents agent."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._executor: Executor | None = None
        # The agent, between its building and the end of the run. Popping it frees its memory at once: left to the garbage
        # collector, the memory of all runs of a second would pause the whole server for milliseconds.
        self._holder: dict[str, Any] = {}

    def run(self, message: str, ctx: RunContext) -> str:
        """Answer a message; see Agent.run. Raises Stopped, ModelFault, or DeskError("step_limit")."""
        tools = {tool.name: tool for tool in self._parts.tools}
        images = EmbeddedImages(ctx)
        calls = ToolCalls(ctx, tools, ctx.gate, images, self._parts.within)
        report = StepReport(ctx, calls, images, self._parts.rooms, self._parts.model)
        report.language = language_of(message)
        try:
            agent = self._build(ctx, calls, report, images, self._parts.pictures(message, ctx.attachments))
            if isinstance(ctx.about, TableSelection) and self._parts.read_selected is not None:
                self._parts.read_selected()
            history = ctx.history()
            agent.memory.steps = list(steps_from(history, self._parts.structured))
            notes = self._parts.notes() + ([self._parts.answer.note] if self._parts.answer else [])
            report.task = TaskNotes.since(history, notes, self._parts.outline())
            task = report.task.text(message, [*attachment_notes(ctx.attachments), *ctx.notes])
            output = run_to_end(agent.run(task, stream=True, reset=False))
        except AgentError as fault:
            ctx.stop.check()
            raise desk_error_of(fault) from fault
        except DeskError:
            ctx.stop.check()  # a stop in the last step is a stop, not a step limit
            raise
        finally:
            if self._executor is not None:
                self._executor.cleanup()
            if self._parts.within is not None:
                self._parts.children.drop_part(ctx.chat_id, self._parts.within, "its task is done")
            close_model(self._parts.model)
            if self._holder:
                self._holder.pop("agent").memory.steps.clear()
        ctx.stop.check()
        note = f"\n\n{report.uncertainty}" if report.uncertainty and not self._parts.answer else ""
        if self._parts.within is not None:  # the manager reads text alone
            return report.answer_with_rows + note
        if report.answer is not None:
            return report.answer + note
        return answer_text(output, self._executor.last if self._executor else None, report.language)

    def _build(
        self,
        ctx: RunContext,
        calls: ToolCalls,
        report: StepReport,
        images: EmbeddedImages,
        pictures: SentPictures,
    ) -> Any:
        parts = self._parts
        holder = self._holder

        def step_number() -> int:
            number: int = holder["agent"].step_number
            calls.step = number
            return number

        def on_step(step: ActionStep) -> None:
            if step.code_action:  # python_interpreter reports the cells of a tools agent itself
                report.add_cell(step.code_action, self._executor.last if self._executor else None)
            calls.end_prints()
            if parts.answer and parts.answer.text and step.is_final_answer:
                step.action_output = parts.answer.text
            # smolagents raises a model's error after this callback; the closing event reports it, so it has no step
            if step.model_output is not None or step.tool_calls:
                report.write(step)
            calls.begin_step(step.step_number + 1)
            if parts.answer:
                parts.answer.raise_for_mismatch()

        def executor() -> Executor:
            return self._make_executor(ctx, calls, images)

        # smolagents inspects the signature of each callback at each step, which takes as long as a read of the store
        on_step.__signature__ = _CALLBACK_SIGNATURE  # pyright: ignore[reportFunctionMemberAccess]
        model = RunModel(
            parts.model,
            ctx,
            step_number,
            tags=CODE_TAGS if parts.kind == "code" else None,
            limits=PromptLimits(
                Window(parts.context, parts.max_tokens), parts.capability, parts.prompt_fault
            ),
            pictures=pictures,
            meter=parts.meter,
        )
        callbacks = {ActionStep: on_step}
        variables = variables_of(ctx, parts.tables if is_sandbox(parts.executor) else None)
        if parts.kind == "tools":
            tools = [*parts.tools]
            if parts.runs_code:
                cells = Cells(executor, parts.tools, calls, report, image_remover(images), variables)
                tools.append(PythonInterpreter(parts.tools, parts.executor, cells))
            agent: Any = DeskToolsAgent(tools, model, parts.max_steps, callbacks, calls, parts.call_order)
        else:
            agent = DeskCodeAgent(
                list(parts.tools),
                model,
                executor(),
                parts.max_steps,
                callbacks,
                parts.structured,
                lambda: parts.capability.refuse(SCHEMA),
            )
            agent.state.update(variables)
        agent.has_data = parts.has_data
        if parts.answer:
            agent.final_answer_checks = parts.answer.checks(calls.called)
        agent.steps_setting = parts.steps_setting
        holder["agent"] = agent
        return agent

    def _make_executor(self, ctx: RunContext, calls: ToolCalls, images: EmbeddedImages) -> Executor:
        """Create the executor of this run, which `run` cleans up."""
        parts = self._parts
        self._executor = executor_for(parts.executor, parts.children, ctx, calls, images, parts.within)
        return self._executor


def run_to_end(steps: Any) -> Any:
    """Run smolagents' generator to its end and return the final answer; closing it early is an error there."""
    output: Any = None
    for step in steps:
        if isinstance(step, FinalAnswerStep):
            output = step.output
    return output


def desk_error_of(fault: Exception) -> DeskError:
    """Return the DeskError inside smolagents' exception, or translate the provider's error."""
    inner: BaseException | None = fault
    while inner is not None:
        if isinstance(inner, DeskError):
            return inner
        inner = inner.__cause__
    return translate(fault)
