"""Tool calls on the host: announces them, passes them through the gate, runs them, and logs how they end.

Serves code and tool-calling agents alike. One instance serves one run, on the run's own thread, as the sandbox's ToolHost.
"""

import json
import secrets
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import JsonValue

from smoldesk.agents.wrapper.call_context import CallContext
from smoldesk.agents.wrapper.embedded_images import EmbeddedImages, PrintedPieces
from smoldesk.agents.wrapper.managed_agent import AgentAnswer
from smoldesk.agents.wrapper.observation import INTERPRETER, CodeFaulted, CodeRan
from smoldesk.errors import Stopped
from smoldesk.events import (
    Ask,
    Printed,
    ToolCalled,
    ToolFailed,
    ToolReturned,
)
from smoldesk.logs import hider
from smoldesk.output_parser import plain_data
from smoldesk.sandbox.frames import Work
from smoldesk.sandbox.tool_host import ToolRequest
from smoldesk.tables.results import to_frame
from smoldesk.tools.arguments import require_showable
from smoldesk.tools.gate import CheckedCall, Gate, PendingCall
from smoldesk.tools.policy import ClientTool, ClientToolFailed, DeskTool, LongTool, RunningCall
from smoldesk.tools.run_context import RunContext
from smoldesk.tools.sql_engine import ENGINE


def run_on_client(ctx: RunContext, tool: ClientTool, call_id: str, arguments: dict[str, JsonValue]) -> Any:
    """Have a client execute one call, and return its result.

    Raises ClientToolFailed with the client's reason, or when no client answered in time; BadInput for arguments that cannot be
    sent and for an invalid result; Stopped.
    """
    require_showable(arguments)
    ask = Ask(
        id=f"a_{secrets.token_hex(12)}",
        kind="client_tool",
        tool=tool.name,
        call_id=call_id,
        arguments=arguments,
        expires_at=datetime.now(UTC) + timedelta(seconds=tool.client_seconds),
    )
    answer = ctx.ask(ask)
    if answer.granted:
        return tool.received(answer.value)
    if answer.by == "expiry":
        raise ClientToolFailed(
            f"No client answered the call of {tool.name} within {tool.client_seconds:g} s."
        )
    raise ClientToolFailed(answer.reason or f"The client did not run {tool.name}.")


# Concurrent calls of a step. Each holds its result in memory, up to the size limit of a server's message.
MAX_CONCURRENT = 10
# Characters of an argument or result in the log; tool and model get all of it.
LOGGED_CHARACTERS = 2_000
# Characters of code and its output in the log: half a program would be of no use to a reader.
LOGGED_CODE_CHARACTERS = 20_000
# Characters of the source line that a drawing is labelled with.
SOURCE_CHARACTERS = 300


@dataclass(frozen=True)
class Outcome:
    """End of one call: the tool's result, or the error of the tool, the gate or the caller."""

    call_id: str
    result: Any = None
    fault: Exception | None = None


class ToolCalls:
    """Runner of a run's tool calls.

    For the parser, `results` collects what tools returned in the current step, `sources` the call of each, `added` the names of
    files that tools put into the chat, and `nested_file_sizes` the files that managed agents have already shown.
    """

    def __init__(
        self,
        ctx: RunContext,
        tools: Mapping[str, DeskTool],
        gate: Gate,
        images: EmbeddedImages,
        within: str | None = None,
    ) -> None:
        """Set up a run's calls; a managed agent's calls are numbered `within` the call that it works in."""
        self.step = 1
        self.results: list[str] = []
        self.sources: list[dict[str, JsonValue]] = []
        self.names: list[str] = []
        self.called: set[str] = set()
        """Names of the tools called so far in the run."""
        self.added: list[str] = []
        self.edits: list[str] = []
        """Sentences on calls of the step whose arguments a person changed."""
        self.nested_file_sizes: dict[str, int] = {}
        self._ctx = ctx
        self._within = within or ctx.run_id
        self._tools = tools
        self._gate = gate
        self._images = images
        self._pieces = PrintedPieces(images)
        self._count = 0
        self._failed: set[str] = set()
        self._works: dict[int, str] = {}

    def begin_step(self, step: int) -> None:
        self.step = step
        self.results, self.sources = [], []
        self.names, self.added, self.edits, self.nested_file_sizes = [], [], [], {}
        self._gate.begin_step()

    # --- ToolHost ------------------------------------------------------------------------------------------------

    def call(self, request: ToolRequest) -> dict[str, JsonValue]:
        """Run a call of running code; an exception is raised again in the code."""
        tool = self._tools.get(request.tool)
        if tool is None:
            raise NameError(f"There is no tool {request.tool!r}; available: {', '.join(self._tools)}.")
        arguments = bind_arguments(tool, request.args, request.kwargs)
        call_id = self.announce(tool.name, arguments, request.line)
        [outcome] = self.run([PendingCall(call_id, tool, arguments, request.line, request.source)])
        if outcome.fault is not None:
            raise outcome.fault
        return to_frame(outcome.result)

    def printed(self, text: str) -> None:
        self._emit_printed(self._pieces.feed(text))

    def worked(self, work: Work) -> None:
        """Log a long query of a cell as a call, from its first progress report on. No gate judges it."""
        call_id = self._works.get(work.id)
        if call_id is None:
            call_id = self._works[work.id] = self.announce(work.name, {"query": work.query}, work.line)
        if work.state == "running":
            context = self._context(work.name, call_id)
            context.report_progress(ENGINE, "running", share=work.percent / 100)
            return
        del self._works[work.id]
        if work.state == "failed":
            error = work.words[:LOGGED_CHARACTERS]
            self._ctx.emit(ToolFailed(step=self.step, call_id=call_id, tool=work.name, error=error))
        else:
            self._ctx.emit(ToolReturned(step=self.step, call_id=call_id, tool=work.name, result=work.words))

    def end_prints(self) -> None:
        """Emit printed text that was held back, before another event."""
        self._emit_printed(self._pieces.flush())

    def _emit_printed(self, text: str) -> None:
        if text:
            self._ctx.emit_soon(Printed(step=self.step, text=text))

    # --- the parts of a call -------------------------------------------------------------------------------------

    def announce(self, tool: str, arguments: dict[str, JsonValue], line: int | None = None) -> str:
        """Log that a call will run; return its id, unique in the chat."""
        self._ctx.stop.check()
        self.end_prints()
        self._count += 1
        call_id = f"{self._within}.{self._count}"
        self.names.append(tool)
        self.called.add(tool)
        logged = shortened(arguments, logged_characters(tool))
        self._ctx.emit(ToolCalled(step=self.step, call_id=call_id, tool=tool, arguments=logged, line=line))
        return call_id

    def run(self, calls: Sequence[PendingCall]) -> Iterator[Outcome]:
        """Pass announced calls through the gate, run them, and yield the outcomes as they come.

        All asks open at once, so a waiting one does not delay other calls. Adjacent calls of tools that can start without
        waiting run concurrently, and their outcomes keep their order; a call that must run alone waits until they ended.
        """
        running_calls: deque[tuple[CheckedCall, RunningCall]] = deque()
        try:
            for judged in self._gate.passed(calls):
                if len(running_calls) == MAX_CONCURRENT:
                    yield self._run_call(*running_calls.popleft())
                passed, running = self._begin(judged)
                if running is not None:
                    running_calls.append((passed, running))
                else:
                    while running_calls:
                        yield self._run_call(*running_calls.popleft())
                    yield self._run_call(passed)
                # the gate waits for a person before its next call: report these first
                while running_calls and not passed.more:
                    yield self._run_call(*running_calls.popleft())
        finally:
            for _, dropped in running_calls:
                dropped.drop()

    def _begin(self, passed: CheckedCall) -> tuple[CheckedCall, RunningCall | None]:
        """Start a call that can run concurrently; a failure to start becomes the call's fault."""
        call, tool = passed.call, passed.call.tool
        if passed.fault is not None or not isinstance(tool, LongTool):
            return passed, None
        try:
            return passed, tool.begin(self._context(tool.name, call.call_id), passed.arguments)
        except Stopped:
            raise
        except Exception as fault:  # any error of a tool ends its call, not the step
            return replace(passed, fault=fault), None

    def _run_call(self, passed: CheckedCall, running: RunningCall | None = None) -> Outcome:
        call, tool = passed.call, passed.call.tool
        if passed.arguments != call.arguments:
            self.edits.append(_edit_text(tool.name, call.arguments, passed.arguments))
        try:
            if passed.fault is not None:
                raise passed.fault
            if running is not None:
                result = running.end()
            elif isinstance(tool, ClientTool):
                result = run_on_client(self._ctx, tool, call.call_id, passed.arguments)
            elif isinstance(tool, LongTool):
                context = self._context(tool.name, call.call_id)
                result = tool.run_in_context(context, passed.arguments)
            else:
                result = tool.run_call(call.call_id, passed.arguments)
            # inside of the try: str() itself may fail, for an integer of too many digits
            text = self.as_text(result)
        except Stopped:
            raise
        except Exception as fault:
            # a tool may raise anything; code or model get the error, and the run goes on
            self.fail(tool.name, call.call_id, fault)
            return Outcome(call.call_id, fault=fault)
        if not isinstance(result, CodeRan | AgentAnswer):  # their tools' results were collected already
            self.results.append(text)
            self.sources.append(self._source(call))
        logged = text[: logged_characters(tool.name)]
        self._ctx.emit(
            ToolReturned(
                step=self.step,
                call_id=call.call_id,
                tool=tool.name,
                result=logged,
                value=small_data(result),
            )
        )
        return Outcome(call.call_id, result)

    def _context(self, tool: str, call_id: str) -> CallContext:
        return CallContext(self._ctx, tool, call_id, self.step, self.added, self.nested_file_sizes)

    def _source(self, call: PendingCall) -> dict[str, JsonValue]:
        """Return the source of a drawing, in the form of messages.Source: step, line number and line of code."""
        line = call.source.strip()[:SOURCE_CHARACTERS] if call.source else None
        return {"step": self.step, "line": call.line, "code": line}

    def as_text(self, result: Any) -> str:
        """Return a result as text for the log and the model, without the bytes of images."""
        return self._images.replace_images(str(result))

    def fail(self, tool: str, call_id: str, fault: Exception) -> None:
        """Log that an announced call failed, once per call."""
        if call_id not in self._failed:
            self._failed.add(call_id)
            error = format_error(fault)[: logged_characters(tool)]
            self._ctx.emit(ToolFailed(step=self.step, call_id=call_id, tool=tool, error=error))


def bind_arguments(
    tool: DeskTool, args: list[JsonValue], kwargs: dict[str, JsonValue]
) -> dict[str, JsonValue]:
    """Bind arguments to the tool's declared inputs. Raises TypeError with the expected inputs."""
    inputs: dict[str, Any] = tool.inputs
    takes = f"{tool.name} takes {', '.join(inputs) or 'no arguments'}"
    if len(args) > len(inputs):
        raise TypeError(f"{takes}; got {len(args)} positional arguments.")
    arguments = dict(zip(inputs, args, strict=False))
    for name, value in kwargs.items():
        if name not in inputs:
            raise TypeError(f"{takes}; got {name!r}.")
        if name in arguments:
            raise TypeError(f"{takes}; got {name!r} twice.")
        arguments[name] = value
    missing = [
        name for name, schema in inputs.items() if name not in arguments and not schema.get("nullable")
    ]
    if missing:
        raise TypeError(f"{takes}; {', '.join(missing)} is missing.")
    return arguments


def format_error(fault: Exception) -> str:
    """Format a call's error for the log and the model, with the exception's name (errors of code have it already).

    Secrets are hidden: a library may quote the URL or key that it connected with.
    """
    return hider(())(str(fault) if isinstance(fault, CodeFaulted) else f"{type(fault).__name__}: {fault}")


def _edit_text(tool: str, before: Mapping[str, JsonValue], after: Mapping[str, JsonValue]) -> str:
    """Say which arguments a person changed, for the model's memory: its own call has the original ones."""
    changes = {name: value for name, value in after.items() if name not in before or before[name] != value}
    removed = [name for name in before if name not in after]
    texts = [f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in shortened(changes).items()]
    return f"(A person changed the arguments of {tool}: {', '.join([*texts, *(f'no {name}' for name in removed)])}.)"


def small_data(result: Any) -> JsonValue:
    """Return a result as data for the log; None for text, large results, and values that are not data."""
    data = plain_data(result)
    small = data is not None and len(json.dumps(data, ensure_ascii=False)) <= LOGGED_CHARACTERS
    return data if small else None


def logged_characters(tool: str) -> int:
    """Return the number of logged characters for a tool's arguments and results."""
    return LOGGED_CODE_CHARACTERS if tool == INTERPRETER else LOGGED_CHARACTERS


def shortened(arguments: dict[str, JsonValue], most: int = LOGGED_CHARACTERS) -> dict[str, JsonValue]:
    """Shorten arguments for the log: values of more than `most` characters are cut, with a note of their length."""
    return {name: _short(value, most) for name, value in arguments.items()}


def _short(value: JsonValue, most: int) -> JsonValue:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if len(text) <= most:
        return value
    return f"{text[:most]}… ({len(text)} characters)"
