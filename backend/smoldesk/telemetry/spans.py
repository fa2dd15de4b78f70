"""The spans of one run, folded from its events: run > step > call of the model, cell, tool and ask. Pure but for the SDK.

Below the call of a managed agent is the agent's own span, with steps of its own.

Names and attributes are those of the semantic conventions for GenAI; `spec/reference/telemetry.md` lists them. No word of a
person, a model, a tool or a file is in them without `Content`, and an ask's answer never is.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from opentelemetry.trace import Span, SpanKind, Tracer, set_span_in_context

from smoldesk.events import (
    AskClosed,
    AskOpened,
    ClosingEvent,
    ModelCalled,
    Nested,
    RunCancelled,
    RunFailed,
    RunFinished,
    RunStarted,
    StepFinished,
    StepStarted,
    StoredEvent,
    ToolCalled,
    ToolFailed,
    ToolReturned,
)
from smoldesk.telemetry.content import Content
from smoldesk.telemetry.meters import Meters
from smoldesk.telemetry.open_span import OpenSpan, nanoseconds
from smoldesk.telemetry.providers import SpanIds, span_id_of

# Providers with another name in the conventions.
PROVIDERS = {
    "builtin": "smoldesk",
    "azure": "azure.ai.openai",
    "bedrock": "aws.bedrock",
    "gemini": "gcp.gemini",
    "mistral": "mistral_ai",
    "moonshot": "moonshot_ai",
    "vertex_ai": "gcp.vertex_ai",
    "watsonx": "ibm.watsonx.ai",
    "xai": "x_ai",
}
IN_PROCESS = {"smoldesk", "transformers"}
OTHER = "_OTHER"
FAULT = re.compile(r"[A-Z][A-Za-z]{2,60}(?:Error|Exception|Denied|Failed|Fault)\b")
# smolagents' name of the tool that runs code, also for agents whose answers are code.
INTERPRETER = "python_interpreter"
Attributes = dict[str, str | int | float | bool]


@dataclass
class _Step:
    open: OpenSpan
    number: int
    code_since: int
    """When its code may have begun: at the end of the model's last call."""
    cell: OpenSpan | None = None
    calls: list[tuple[ModelCalled, int, list[str]]] = field(
        default_factory=list[tuple[ModelCalled, int, list[str]]]
    )
    """Calls of the model, with their ends and prompts: the words of a response are kept with the end of the step."""


class RunSpans:
    """One run; `run` is its span, which others began. `is_over` once it has ended.

    Or a managed agent's work in one of its calls: then `outer` is that of the agent that called it.
    """

    def __init__(
        self,
        tracer: Tracer,
        ids: SpanIds,
        meters: Meters,
        content: Content | None,
        chat_id: str,
        run: OpenSpan,
        outer: "RunSpans | None" = None,
    ) -> None:
        self.root = run.span
        self.is_over = False
        self._chat_id = chat_id
        self._tracer = tracer
        self._ids = ids
        self._meters = meters
        self._content = content
        self._run = run
        self._model: dict[str, str] = {}
        self._usage = {"input": 0, "output": 0}
        self._cost = 0.0
        self._prompt: list[str] = []
        self._step: _Step | None = None
        self._tools: dict[str, OpenSpan] = {} if outer is None else outer._tools
        self._nested: dict[str, RunSpans] = {} if outer is None else outer._nested
        self._interpreters: list[str] = []
        self._asks: dict[str, OpenSpan] = {}

    def name(self, who: Mapping[str, str]) -> None:
        """Set the agent that answers, and its model."""
        agent, model = who.get("agent", ""), who.get("model", "")
        self._model = {"gen_ai.provider.name": provider_of(model)}
        self.root.update_name(f"invoke_agent {agent}")
        self.root.set_attributes({"gen_ai.agent.name": agent, **self._model})
        self._run.facts = {"gen_ai.agent.name": agent}
        if model:
            self.root.set_attribute("gen_ai.request.model", model.partition(":")[2] or model)

    def note(self, stored: StoredEvent, created_at: int | None = None) -> None:
        """Take in the run's next event, and when it was made (nanoseconds), where that is known better than by the log."""
        at, event = created_at or nanoseconds(stored.at), stored.event
        match event:
            case RunStarted():
                self._set_message(self.root, "gen_ai.input.messages", "user", event.message)
            case StepStarted():
                self._begin_step(event.step, at)
            case ModelCalled():
                self._prompt = [*self._prompt[: event.keep], *event.then]
                if self._step is not None:
                    self._step.calls.append((event, at, self._prompt))
                    self._step.code_since = at
            case ToolCalled():
                self._begin_tool(event, at)
            case ToolReturned() | ToolFailed():
                self._end_tool(event, at)
            case Nested():
                self._note_nested(event, stored, at)
            case AskOpened():
                self._begin_ask(event, at)
            case AskClosed():
                self._end_ask(event, at)
            case StepFinished():
                self._end_step(event, at)
            case RunFinished() | RunFailed() | RunCancelled():
                self.end(event, at)
            case _:
                pass

    # --- managed agents ------------------------------------------------------------------------------------------

    def _note_nested(self, nested: Nested, stored: StoredEvent, at: int) -> None:
        call = self._tools.get(nested.within)
        if nested.within not in self._nested and call is not None:
            facts = {"gen_ai.agent.name": nested.agent}
            attributes: Attributes = {"gen_ai.operation.name": "invoke_agent", **facts}
            opened = self._begin(f"invoke_agent {nested.agent}", call, at, attributes)
            opened.facts = facts
            self._nested[nested.within] = RunSpans(
                self._tracer, self._ids, self._meters, self._content, self._chat_id, opened, self
            )
        if nested.within in self._nested:
            self._nested[nested.within].note(stored.model_copy(update={"event": nested.event}), at)

    def _end_nested(self, call_id: str, at: int, fault: str | None, message: str) -> None:
        """Its call ended: what the agent used counts for the one that called it, too."""
        work = self._nested.pop(call_id, None)
        if work is None:
            return
        work._end_open_step(at)
        work._set_usage()
        work._end_run(at, fault, message)
        for kind, count in work._usage.items():
            self._usage[kind] += count
        self._cost += work._cost

    # --- steps ---------------------------------------------------------------------------------------------------

    def _begin_step(self, number: int, at: int) -> None:
        if self._step is not None and self._step.number == number:
            return  # the model was asked again
        self._end_open_step(at)
        span = self._begin(f"step {number}", self._run, at, {"smoldesk.step.number": number})
        self._step = _Step(span, number, at)

    def _end_step(self, event: StepFinished, at: int) -> None:
        step, self._step = self._step, None
        if step is None:
            return
        self._record_calls(step)
        code, error = event.memory.get("code_action"), event.memory.get("error")
        fault = str(error.get("type")) if isinstance(error, dict) else None
        message = str(error.get("message")) if isinstance(error, dict) else ""
        if step.cell is None and code:
            step.cell = self._begin_cell(step)
        if step.cell is not None:
            if self._content is not None and code:
                step.cell.span.set_attribute("gen_ai.tool.call.arguments", self._content.data({"code": code}))
            of_code = fault if fault == "AgentExecutionError" else None
            self._end_call(step.cell, at, of_code, message)
        step.open.end(at, fault, self._hidden(message))

    def _record_calls(self, step: _Step) -> None:
        """Record the spans and metrics of a step's model calls."""
        calls, step.calls = step.calls, []
        for event, at, prompt in calls:
            facts = {"gen_ai.operation.name": "chat", "gen_ai.request.model": event.model, **self._model}
            since = max(at - int(event.duration * 1e9), step.open.since)
            words = self._content.of_call(self._chat_id, prompt, event.response) if self._content else {}
            kind = SpanKind.INTERNAL if facts.get("gen_ai.provider.name") in IN_PROCESS else SpanKind.CLIENT
            counted = {
                "gen_ai.usage.input_tokens": event.input_tokens,
                "gen_ai.usage.output_tokens": event.output_tokens,
                "gen_ai.usage.cache_read.input_tokens": event.cached_tokens,
                "gen_ai.response.time_to_first_chunk": event.first_token,
                "smoldesk.cost": event.cost,
            }
            attributes: Attributes = {
                **facts,
                "gen_ai.conversation.id": self._chat_id,
                **{name: count for name, count in counted.items() if count is not None},
                **words,
            }
            fault = fault_of(event.error) if event.error is not None else None
            self._begin(f"chat {event.model}".rstrip(), step.open, since, attributes, kind).end(
                at, fault, self._hidden(event.error or "")
            )
            labels = facts | ({"error.type": fault} if fault else {})
            self._meters.chat(event.duration, labels)
            if event.first_token is not None:
                self._meters.first_chunk(event.first_token, facts)
            self._meters.tokens("input", event.input_tokens, facts)
            self._meters.tokens("output", event.output_tokens, facts)
            self._usage["input"] += event.input_tokens or 0
            self._usage["output"] += event.output_tokens or 0
            self._cost += event.cost or 0.0

    # --- cells, tools, asks --------------------------------------------------------------------------------------

    def _begin_cell(self, step: _Step) -> OpenSpan:
        attributes: Attributes = {"smoldesk.cell": True, "smoldesk.step.number": step.number}
        return self._begin_call(INTERPRETER, step.open, step.code_since, attributes)

    def _begin_tool(self, event: ToolCalled, at: int) -> None:
        parent = self._step.open if self._step is not None else self._run
        if event.line is not None and self._interpreters:
            parent = self._tools[self._interpreters[0]]
        elif event.line is not None and self._step is not None:
            self._step.cell = parent = self._step.cell or self._begin_cell(self._step)
        attributes: Attributes = {"gen_ai.tool.call.id": event.call_id}
        if event.line is not None:
            attributes["smoldesk.line"] = event.line
        if event.tool == INTERPRETER:
            attributes["smoldesk.cell"] = True
            self._interpreters.append(event.call_id)
        if self._content is not None:
            attributes["gen_ai.tool.call.arguments"] = self._content.data(event.arguments)
        self._ids.next(span_id_of(event.call_id))
        self._tools[event.call_id] = self._begin_call(event.tool, parent, at, attributes)

    def _end_tool(self, event: ToolReturned | ToolFailed, at: int) -> None:
        call = self._tools.pop(event.call_id, None)
        if event.call_id in self._interpreters:
            self._interpreters.remove(event.call_id)
        if call is None:
            return
        failed = isinstance(event, ToolFailed)
        self._end_nested(
            event.call_id, at, fault_of(event.error) if failed else None, event.error if failed else ""
        )
        if isinstance(event, ToolFailed):
            self._end_call(call, at, fault_of(event.error), event.error)
            return
        if self._content is not None:
            call.span.set_attribute("gen_ai.tool.call.result", self._content.data(event.result))
        self._end_call(call, at)

    def _begin_call(self, tool: str, parent: OpenSpan, at: int, attributes: Attributes) -> OpenSpan:
        facts = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool}
        attributes_: Attributes = {**facts, "gen_ai.tool.type": "function", **attributes}
        call = self._begin(f"execute_tool {tool}", parent, at, attributes_)
        call.facts = facts
        return call

    def _end_call(self, call: OpenSpan, at: int, fault: str | None = None, message: str = "") -> None:
        seconds = call.end(at, fault, self._hidden(message))
        self._meters.execute_tool(seconds, call.facts | ({"error.type": fault} if fault else {}))

    def _begin_ask(self, event: AskOpened, at: int) -> None:
        ask = event.ask
        parent = self._tools.get(ask.call_id or "") or (self._step.open if self._step else self._run)
        attributes: Attributes = {"smoldesk.ask.id": ask.id, "smoldesk.ask.kind": ask.kind}
        if ask.tool is not None:
            attributes["gen_ai.tool.name"] = ask.tool
        self._asks[ask.id] = self._begin(f"ask {ask.kind}", parent, at, attributes)

    def _end_ask(self, event: AskClosed, at: int) -> None:
        """Never with the answer: it may be a password."""
        ask = self._asks.pop(event.ask_id, None)
        if ask is not None:
            ask.span.set_attributes(
                {
                    "smoldesk.ask.granted": event.granted,
                    "smoldesk.ask.by": event.by,
                    "smoldesk.ask.scope": event.scope,
                }
            )
            ask.end(at)

    # --- the end -------------------------------------------------------------------------------------------------

    def end(self, event: ClosingEvent, at: int) -> None:
        """End the run's spans."""
        fault = event.code if isinstance(event, RunFailed) else None
        self._end_open(at)
        self._set_usage()
        self.root.set_attribute("smoldesk.run.state", event.type.removeprefix("run_"))
        if isinstance(event, RunFinished):
            self._set_message(self.root, "gen_ai.output.messages", "assistant", event.text)
        self._end_run(at, fault, event.message if isinstance(event, RunFailed) else "")

    def _set_usage(self) -> None:
        counts = {f"gen_ai.usage.{kind}_tokens": count for kind, count in self._usage.items() if count}
        self.root.set_attributes(counts)
        if self._cost:
            self.root.set_attribute("smoldesk.cost", self._cost)

    def end_unknown(self, at: int) -> None:
        """Another server closed the run: how, is not heard here."""
        self._end_open(at)
        self._end_run(at, "run_moved", "")

    def _end_run(self, at: int, fault: str | None, message: str) -> None:
        self.is_over = True
        seconds = self._run.end(at, fault, self._hidden(message))
        self._meters.invoke_agent(seconds, self._run.facts | ({"error.type": fault} if fault else {}))

    def _end_open(self, at: int) -> None:
        """End what is open, from the inside out."""
        for ask in self._asks.values():
            ask.end(at)
        for call_id, call in reversed(self._tools.items()):
            work = self._nested.pop(call_id, None)
            if work is not None:
                work._end_open_step(at)
                work._run.end(at)
            call.end(at)
        self._end_open_step(at)

    def _end_open_step(self, at: int) -> None:
        """End a step without an end event."""
        step, self._step = self._step, None
        if step is not None:
            self._record_calls(step)
            if step.cell is not None:
                self._end_call(step.cell, at)
            step.open.end(at)

    # --- the SDK -------------------------------------------------------------------------------------------------

    def _begin(
        self,
        name: str,
        parent: OpenSpan,
        at: int,
        attributes: Attributes,
        kind: SpanKind = SpanKind.INTERNAL,
    ) -> OpenSpan:
        since = max(at, parent.since)
        context = set_span_in_context(parent.span)
        span = self._tracer.start_span(name, context, kind, attributes, start_time=since)
        return OpenSpan(span, since, parent=parent)

    def _set_message(self, span: Span, name: str, role: str, text: str) -> None:
        if self._content is not None:
            message_ = {"role": role, "parts": [{"type": "text", "content": text}]}
            span.set_attribute(name, self._content.data([message_]))

    def _hidden(self, message: str) -> str | None:
        """Return the message of an error if content may be exported."""
        return self._content.hide(message) if self._content is not None and message else None


def provider_of(model_id: str) -> str:
    """Return the provider of a model, by its id in the settings."""
    provider, _, name = model_id.partition(":")
    provider = name.partition("/")[0] if provider == "litellm" else provider
    return PROVIDERS.get(provider, provider) or PROVIDERS["builtin"]


def fault_of(message: str) -> str:
    """Return the class of an error from the start of its message, without any content."""
    match = FAULT.match(message)
    return message if message == "stopped" else match[0] if match else OTHER
