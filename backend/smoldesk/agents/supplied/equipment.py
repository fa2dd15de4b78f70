"""Equipment of a person's agent for one run: model, tools, executor and callbacks of the desk, until the run ends.

The agent keeps its class, prompts, plan, checks and callbacks. What it has of its own comes back when the run ends, so a
later run, or the person's own code, finds the agent as it was.
"""

import threading
from abc import ABC
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from PIL import Image
from smolagents import CodeAgent, ToolCallingAgent
from smolagents.agent_types import AgentType
from smolagents.agents import ToolOutput
from smolagents.default_tools import FinalAnswerTool, PythonInterpreterTool
from smolagents.memory import ActionStep, FinalAnswerStep, PlanningStep, ToolCall
from smolagents.models import ChatMessage
from smolagents.monitoring import AgentLogger
from smolagents.utils import AgentMaxStepsError

from smoldesk.agents.supplied.kept_executor import KeptExecutor, OwnAnswers, is_replaced
from smoldesk.agents.supplied.supplied_model import SuppliedModel, SuppliedRunModel
from smoldesk.agents.supplied.supplied_tools import (
    JailedInterpreter,
    SuppliedMember,
    SuppliedTool,
    png_bytes,
)
from smoldesk.agents.wrapper.calls import ToolCalls
from smoldesk.agents.wrapper.code_agent import QUIET
from smoldesk.agents.wrapper.embedded_images import EmbeddedImages
from smoldesk.agents.wrapper.interpreter import Cells
from smoldesk.agents.wrapper.reply_step import CodeSteps, ToolSteps
from smoldesk.agents.wrapper.run_executor import executor_for, image_remover, variables_of
from smoldesk.agents.wrapper.sent_pictures import SentPictures
from smoldesk.agents.wrapper.step_report import StepReport
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.executors import is_sandbox
from smoldesk.sandbox.tool_host import encoded
from smoldesk.tables.open_tables import OpenTables
from smoldesk.tools.policy import Approval, DeskTool
from smoldesk.tools.run_context import RunContext


@dataclass(frozen=True)
class DeskSide:
    """Services of the desk for runs of a person's agent."""

    children: Children
    rooms: Sequence[str]
    tables: OpenTables
    executor: str
    approvals: Mapping[str, Approval]
    """Policies that the person gave by name of the tool."""


class Equipment:
    """Parts of one run of an agent, or of one call of a managed agent `within` its manager's call."""

    def __init__(
        self,
        agent: Any,
        desk: DeskSide,
        ctx: RunContext,
        within: str | None = None,
        pictures: SentPictures | None = None,
    ) -> None:
        self.agent = agent
        self._desk = desk
        self._ctx = ctx
        self._within = within
        self._lock = threading.RLock()
        self._images = EmbeddedImages(ctx)
        self._executor: Any = None
        self._answering: ActionStep | None = None
        self._tools, self._members = tools_of(agent, desk.approvals, self._member_equipped)
        by_name: dict[str, DeskTool] = {tool.name: tool for tool in (*self._tools, *self._members)}
        self._calls = ToolCalls(ctx, by_name, ctx.gate, self._images, within)
        self.report = StepReport(ctx, self._calls, self._images, desk.rooms)
        self._model = SuppliedModel(agent.model)
        self._run_model = SuppliedRunModel(
            self._model,
            ctx,
            self._step_number,
            tags=agent.code_block_tags if isinstance(agent, CodeAgent) else None,
            pictures=pictures,
        )
        for tool in (*self._tools, *self._members):
            tool.bind(self._calls, self._lock, self._images)
            if isinstance(tool, JailedInterpreter):
                tool.cells = self._cells(tool.inner)

    @property
    def last_cell(self) -> Any:
        """Result of the latest code, if any ran."""
        return self._executor.last if self._executor is not None else None

    @contextmanager
    def put_in(self) -> Generator["Equipment"]:
        """Exchange the agent's parts for those of the run; they come back at the end."""
        agent, parts = self.agent, self._exchanged_parts()
        before = {name: getattr(agent, name) for name in parts}
        monitor_logger = agent.monitor.logger
        vars(agent).update(parts)
        agent.monitor.logger = agent.logger
        try:
            yield self
        finally:
            vars(agent).update(before)
            agent.monitor.logger = monitor_logger
            if self._executor is not None:
                self._executor.cleanup()
            if self._within is not None:
                self._desk.children.drop_part(self._ctx.chat_id, self._within, "its task is done")
            self._model.close()

    def _exchanged_parts(self) -> dict[str, Any]:
        agent = self.agent
        tools: dict[str, Any] = {tool.name: tool for tool in self._tools}
        tools["final_answer"] = agent.tools.get("final_answer") or FinalAnswerTool()
        parts: dict[str, Any] = {
            "model": self._run_model,
            "tools": tools,
            "managed_agents": {member.name: member for member in self._members},
            "step_callbacks": _Callbacks(agent.step_callbacks, self._on_step),
            "stream_outputs": False,  # smolagents would draw each piece on the terminal
            # an own logger may be a part of the agent; smolagents' would print every step of every chat
            "logger": QUIET if type(agent.logger) is AgentLogger else agent.logger,
        }
        if isinstance(agent, CodeAgent):
            parts["python_executor"] = self._code_executor(agent)
            variables = self._variables() if is_replaced(agent.python_executor) else {}
            parts["state"] = {**agent.state, **variables}
        return parts

    def _code_executor(self, agent: Any) -> Any:
        if not is_replaced(agent.python_executor):
            own_tools = {**agent.tools, **agent.managed_agents}
            self._executor = KeptExecutor(agent.python_executor, self._calls, self._ctx.stop, own_tools)
            return self._executor
        own_answer = agent.tools.get("final_answer")
        executor: Any = self._sandbox(agent.authorized_imports)
        if own_answer is not None and type(own_answer) is not FinalAnswerTool:
            executor = OwnAnswers(executor, own_answer)
        return SendableState(executor, self._calls.printed)

    def _sandbox(self, imports: Sequence[str]) -> Any:
        limit = None if "*" in imports else imports
        self._executor = executor_for(
            self._desk.executor,
            self._desk.children,
            self._ctx,
            self._calls,
            self._images,
            self._within,
            limit,
        )
        return self._executor

    def _variables(self) -> dict[str, Any]:
        return variables_of(self._ctx, self._desk.tables if is_sandbox(self._desk.executor) else None)

    def _cells(self, inner: Any) -> Cells:
        """Return the runner for code of a tool that runs Python; its sandbox starts with the first code."""
        return Cells(
            lambda: self._sandbox(inner.authorized_imports),
            [],
            self._calls,
            self.report,
            image_remover(self._images),
            {},
        )

    @contextmanager
    def _member_equipped(self, agent: Any, ctx: RunContext, call_id: str) -> Generator[object]:
        with Equipment(agent, self._desk, ctx, call_id).put_in():
            yield agent

    def _step_number(self) -> int:
        self._calls.step = self.agent.step_number
        return self.agent.step_number

    def _on_step(self, step: object) -> None:
        """Report a step after the person's own callbacks have seen, and perhaps changed, it."""
        if isinstance(step, PlanningStep):
            self.report.note_plan(step.plan)
            self._run_model.keep_shown()
        if isinstance(step, FinalAnswerStep) and self._answering is not None:
            output = step.output
            self._answering.action_output = output.to_raw() if isinstance(output, AgentType) else output
            self._write(self._answering)
        if not isinstance(step, ActionStep):
            return
        # smolagents' agents that call tools give the answer to the last event alone
        is_incomplete = step.is_final_answer and step.action_output is None
        self._answering = step if is_incomplete else None
        if not is_incomplete:
            self._write(step)

    def _write(self, step: ActionStep) -> None:
        if step.code_action:
            self.report.add_cell(step.code_action, self.last_cell)
        self._calls.end_prints()
        for image in step.observations_images or []:
            self._images.add(png_bytes(image), "png")
        if isinstance(step.action_output, Image.Image):
            step.action_output = self._images.add(png_bytes(step.action_output), "png")
        if isinstance(step.error, AgentMaxStepsError):  # smolagents then asks the model for an answer
            self.report.write(replace(step, is_final_answer=True))
        elif step.model_output is not None or step.tool_calls:
            self.report.write(step)
        self._calls.begin_step(step.step_number + 1)


class _Callbacks:
    """smolagents' registry of callbacks, with the desk's after the person's."""

    def __init__(self, own: Any, then: Callable[[object], None]) -> None:
        self._own = own
        self._then = then

    def register(self, step_cls: Any, callback: Any) -> None:
        self._own.register(step_cls, callback)

    def callback(self, memory_step: Any, **kwargs: Any) -> None:
        self._own.callback(memory_step, **kwargs)
        self._then(memory_step)


class SendableState:
    """Executor that leaves out state variables which cannot enter the sandbox, and prints which."""

    def __init__(self, inner: Any, print_text: Callable[[str], None]) -> None:
        self._inner = inner
        self._print_text = print_text

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_inner":
            raise AttributeError(name)
        return getattr(self._inner, name)

    def __call__(self, code_action: str) -> Any:
        return self._inner(code_action)

    def send_variables(self, variables: dict[str, Any]) -> None:
        """Send what is data or a table."""
        sendable: dict[str, Any] = {}
        for name, value in variables.items():
            try:
                encoded(value)
            except (TypeError, ValueError, RecursionError):
                kind = type(value).__name__
                self._print_text(f"[the variable {name!r} ({kind}) cannot be passed to the sandbox]\n")
            else:
                sendable[name] = value
        self._inner.send_variables(sendable)


class OneCallAtATime(ABC):  # noqa: B024
    """Tool calls of a step in their order on the run's own thread, which alone may ask a person; as smolagents otherwise.

    An ABC as smolagents' agents are: CPython assigns `__class__` only between classes whose layouts share a base.
    """

    def process_tool_calls(
        self, chat_message: ChatMessage, memory_step: ActionStep
    ) -> Generator[ToolCall | ToolOutput]:
        """Run the calls of a step one after the other."""
        calls: list[ToolCall] = []
        for call in chat_message.tool_calls or []:
            single = ChatMessage(role=chat_message.role, content=chat_message.content, tool_calls=[call])
            if memory_step.observations:
                memory_step.observations += "\n"
            try:
                yield from super().process_tool_calls(single, memory_step)  # pyright: ignore
            finally:
                calls.append(ToolCall(name=call.function.name, arguments=call.function.arguments, id=call.id))
                memory_step.tool_calls = [*calls]


@cache
def adapted_class(own: type[Any]) -> type[Any]:
    """Return a class of the same name over the person's; it overrides nothing that theirs does."""
    mixins: list[type[Any]] = []
    step = getattr(own, "_step_stream", None)
    if step is CodeAgent._step_stream:  # pyright: ignore[reportPrivateUsage]
        mixins.append(CodeSteps)
    elif step is ToolCallingAgent._step_stream:  # pyright: ignore[reportPrivateUsage]
        mixins.append(ToolSteps)
    if getattr(own, "process_tool_calls", None) is ToolCallingAgent.process_tool_calls:
        mixins.append(OneCallAtATime)
    if not mixins:
        return own
    names = {"__module__": own.__module__, "__qualname__": own.__qualname__}
    return type(own.__name__, (*mixins, own), names)


def tools_of(
    agent: Any,
    approvals: Mapping[str, Approval],
    equip: Callable[[Any, RunContext, str], Any] | None = None,
) -> tuple[list[SuppliedTool], list[SuppliedTool]]:
    """Return an agent's tools, `final_answer` left out, and its managed agents; `equip` lets the latter be called."""
    tools: list[SuppliedTool] = []
    for name, tool in agent.tools.items():
        if isinstance(tool, PythonInterpreterTool):
            tools.append(JailedInterpreter(tool, approvals.get(name)))
        elif name != "final_answer":
            tools.append(SuppliedTool(tool, approvals.get(name)))
    members: list[SuppliedTool] = [
        SuppliedMember(member, equip, approvals.get(name)) for name, member in agent.managed_agents.items()
    ]
    return tools, members
