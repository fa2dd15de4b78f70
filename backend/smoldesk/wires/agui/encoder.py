"""Encoder from the events of one run to the protocol's: pure, stateful, and checked for completeness by the type
checker.

One `RunEncoder` folds one run from its first event on. A response that continues a run folds what the client has
already without sending it, so open items and counts are known at any point of the log.
"""

import json
from collections.abc import Mapping
from typing import Any, assert_never

from ag_ui.core import (
    PROTOCOL_VERSION,
    ActivityDeltaEvent,
    ActivitySnapshotEvent,
    BaseEvent,
    CustomEvent,
    Interrupt,
    MessagesSnapshotEvent,
    RunErrorEvent,
    RunFinishedCancelledOutcome,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
    StateDeltaEvent,
    StateSnapshotEvent,
    StepFinishedEvent,
    StepStartedEvent,
    TokenUsage,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)

from smoldesk import events as e
from smoldesk import messages as m
from smoldesk.wires.agui.ask_interrupts import interrupt_of
from smoldesk.wires.agui.code_call import CodeCall
from smoldesk.wires.agui.models import WIRE
from smoldesk.wires.agui.prose import Prose
from smoldesk.wires.agui.shared_state import SharedState
from smoldesk.wires.serialization import alternatives_json, file_url, table_url

Outcome = RunFinishedSuccessOutcome | RunFinishedInterruptOutcome | RunFinishedCancelledOutcome


class RunEncoder:
    """Folds one run. Feed it every event of the run, and those of its chat that came meanwhile, in order."""

    def __init__(
        self,
        chat_id: str,
        thread_id: str,
        run_id: str,
        state: SharedState | None = None,
        definition: Mapping[str, Any] | None = None,
        includes_client_results: bool = False,
    ) -> None:
        """`thread_id` and `run_id` are the client's names; `definition` (of the building) is sent before the first map.

        With `includes_client_results` results of this wire's clients are sent, too.
        """
        self._chat_id = chat_id
        self._names: dict[str, Any] = {"thread_id": thread_id, "run_id": run_id}
        self._state = state or SharedState(chat_id)
        self._definition = definition
        self._includes_client_results = includes_client_results
        self.waiting: list[str] = []
        """The asks that the run waits for, as far as it was folded."""
        self._run_id = ""
        self._prose = Prose()
        self._cell: CodeCall | None = None
        self._step: str | None = None
        self._asks: dict[str, e.Ask] = {}
        self._brought: dict[str, str] = {}
        self._progress: set[str] = set()
        self._usage: dict[str, TokenUsage] = {}

    # --- the ends of a response ------------------------------------------------------------------------------------

    def begin(self, goes_on: bool = False) -> list[BaseEvent]:
        """Return the first events of a response; if it continues a run, the state comes later."""
        started = RunStartedEvent(**self._names, protocol_version=PROTOCOL_VERSION)
        return [started] if goes_on else [started, self._snapshot()]

    def go_on(self) -> list[BaseEvent]:
        """Return the current state and the starts of open items, for a client that has all folded events."""
        self._usage = {}
        step = [StepStartedEvent(step_name=self._step)] if self._step else []
        code = self._cell.begin() if self._cell else []
        return [self._snapshot(), *step, *self._prose.begin(), *code]

    def ended(self, closing: list[BaseEvent]) -> list[BaseEvent]:
        """Return the end of a run that the client has already."""
        return [self._snapshot(), closing[-1]]

    @property
    def interrupts(self) -> list[Interrupt]:
        """The interrupts of the open asks."""
        return [i for ask in self._asks.values() if (i := interrupt_of(ask)) is not None]

    def pause(self, messages: MessagesSnapshotEvent | None = None) -> list[BaseEvent]:
        """Return the events that end the response while the run waits: interrupts after the `messages`, or client calls."""
        batch = [messages] if messages else []
        calls = [ask.call_id for ask in self._asks.values() if ask.kind == "client_tool" and ask.call_id]
        outcome = _outcome(self.interrupts, calls)
        return [*self._end_step(), self._snapshot(), *batch, self._finished(outcome)]

    def nothing_runs(self) -> list[BaseEvent]:
        """Return the end of a response without a run."""
        return [self._finished(RunFinishedSuccessOutcome())]

    def broken(self, text: str, code: str) -> list[BaseEvent]:
        """Return the events for a run that fails or cannot be read further: open items close, then the error."""
        return [*self._end_all(text), RunErrorEvent(message=text, code=code, usage=self._used())]

    def _snapshot(self) -> BaseEvent:
        return StateSnapshotEvent(snapshot=self._state.snapshot())

    def _finished(self, outcome: Outcome, result: str | None = None) -> BaseEvent:
        return RunFinishedEvent(**self._names, outcome=outcome, result=result, usage=self._used())

    def _used(self) -> list[TokenUsage] | None:
        return [*self._usage.values()] or None

    # --- events ----------------------------------------------------------------------------------------------------

    def take(self, stored: e.StoredEvent, image_url: str | None = None) -> list[BaseEvent]:
        """Return the protocol's events for an event; `image_url` is the address of its image or of the picture of a
        chart.
        """
        self._run_id = stored.run_id or self._run_id
        event = stored.event
        match event:
            case e.Delta():
                return self._delta(event)
            case e.StepStarted():
                self._step = f"step {event.step}"
                return [*self._prose.end(), StepStartedEvent(step_name=self._step)]
            case e.Printed():
                where = self._cell.call_id if self._cell else None
                printed = CustomEvent(name="printed", value={"toolCallId": where, "text": event.text})
                return [*self._code_runs(), printed]
            case e.ToolCalled():
                return [*self._code_runs(), *_call(event)]
            case e.ToolReturned():
                output = event.result if event.value is None else json.dumps(event.value, ensure_ascii=False)
                return self._call_ended(event.call_id, output)
            case e.ToolFailed():
                return self._call_ended(event.call_id, f"Error: {event.error}")
            case e.ToolProgress():
                return [*self._prose.end(), *self._progressed(event)]
            case e.AskOpened():
                self._asks[event.ask.id] = event.ask
                return self._code_runs()
            case e.AskClosed():
                return self._answered(event)
            case e.RunWaiting(ask_ids=ids):
                self.waiting = ids
                return self._code_runs()
            case e.RunResumed():
                self.waiting = []
                return []
            case e.Shown(message=message) | e.Nested(event=e.Shown(message=message)):
                events = self._encode_message(message, image_url)
                return [*self._code_runs(), *events, *self._changed(event)] if events else []
            case e.ModelCalled():
                self._count(event)
                return []
            case e.Nested(event=inner):
                of_all = e.ToolCalled | e.ToolReturned | e.ToolFailed | e.ToolProgress | e.ModelCalled
                inner_event = stored.model_copy(update={"event": inner})
                return self.take(inner_event, image_url) if isinstance(inner, of_all) else []
            case e.StepFinished():
                return self._step_finished(event)
            case e.RunFinished():
                answered = self._prose.answer(self._run_id, event.text)
                ended = self._end_all("The run ended")
                return [*answered, *ended, self._finished(RunFinishedSuccessOutcome(), event.text)]
            case e.RunFailed():
                return self.broken(f"{event.message} {event.hint}".strip(), event.code)
            case e.RunCancelled():
                return [*self._end_all(event.reason), self._finished(RunFinishedCancelledOutcome())]
            case (
                e.FileAdded()
                | e.FileChanged()
                | e.FileRemoved()
                | e.ArrowsCleared()
                | e.BuildingChosen()
                | e.RoomsSelected()
                | e.StateShared()
                | e.RunStarted()
            ):
                return self._changed(event)
            case (
                e.RunQueued()
                | e.PromptProgress()
                | e.PolicySet()
                | e.ClosuresChanged()
                | e.LayerShown()
                | e.ReadingKept()
                | e.VersionShown()
                | e.ChartChanged()
                | e.BranchMade()
                | e.BranchBegun()
                | e.VariablesLost()
                | e.ChatImported()
                | e.AgentChosen()
                | e.ModelChosen()
                | e.LateOutput()
            ):
                return []
            case _:
                assert_never(event)

    def encode_other_run(self, stored: e.StoredEvent) -> list[BaseEvent]:
        """Return the changes of the state by an event of another run of the chat."""
        return self._changed(stored.event)

    def _changed(self, event: e.AnyEvent) -> list[BaseEvent]:
        patch: list[Any] = [*self._state.take(event)]
        if isinstance(event, e.StateShared):
            return [self._snapshot()]  # its names are any, and some no client takes in a patch
        return [StateDeltaEvent(delta=patch)] if patch else []

    def _delta(self, event: e.Delta) -> list[BaseEvent]:
        if not event.text:  # a restart alone: what was sent cannot be taken back
            return []
        match event.kind:
            case "text" | "output":
                return self._prose.write(self._run_id, "text", event.text)
            case "reasoning":
                return self._prose.write(self._run_id, "reasoning", event.text)
            case "code":
                ended = self._prose.end()
                if self._cell is None:
                    self._cell = CodeCall(self._run_id, event.step)
                return [*ended, *self._cell.write(event.text)]
            case _:
                assert_never(event.kind)

    def _count(self, event: e.ModelCalled) -> None:
        used = self._usage.setdefault(event.model, TokenUsage(model=event.model))
        for name, count in (
            ("input_tokens", event.input_tokens),
            ("output_tokens", event.output_tokens),
            ("cached_input_tokens", event.cached_tokens),
        ):
            if count is not None:
                setattr(used, name, (getattr(used, name) or 0) + count)

    # --- steps and code --------------------------------------------------------------------------------------------

    def _code_runs(self) -> list[BaseEvent]:
        """Return all of the step's code is known, and no text is open."""
        return [*self._prose.end(), *(self._cell.ready() if self._cell else [])]

    def _step_finished(self, event: e.StepFinished) -> list[BaseEvent]:
        code = event.memory.get("code_action")
        cell, self._cell = self._cell, None
        if cell is None and isinstance(code, str):
            cell = CodeCall(self._run_id, event.step)
        ended = self._prose.end()
        if cell is not None:
            match event.memory:
                case {"error": {"message": str(words)}}:
                    output = f"Error: {words}"
                case _:
                    output = str(event.memory.get("observations") or "")
            ended += [*cell.ready(code if isinstance(code, str) else ""), cell.ended(output)]
        return [*ended, *self._end_step()]

    def _end_step(self) -> list[BaseEvent]:
        step, self._step = self._step, None
        return [StepFinishedEvent(step_name=step)] if step else []

    def _end_all(self, reason: str) -> list[BaseEvent]:
        """Return the events that close open items: the run ended, perhaps in the middle of a step."""
        cell, self._cell = self._cell, None
        code = [*cell.ready(), cell.ended(f"Error: {reason}")] if cell else []
        return [*self._prose.end(), *code, *self._end_step()]

    # --- calls and asks --------------------------------------------------------------------------------------------

    def _call_ended(self, call_id: str, output: str) -> list[BaseEvent]:
        """Return the result of a call, unless the client sent it itself."""
        ended = self._prose.end()
        if call_id in self._brought and not self._includes_client_results:
            return ended
        name = self._brought.get(call_id) or f"{call_id}.result"
        result = ToolCallResultEvent(message_id=name, tool_call_id=call_id, content=output, role="tool")
        return [*ended, result]

    def _answered(self, event: e.AskClosed) -> list[BaseEvent]:
        ask = self._asks.pop(event.ask_id, None)
        if ask is not None and ask.kind == "client_tool":
            match event.said:
                case {"wire": str(wire), "id": str(message_id)} if wire == WIRE and ask.call_id:
                    self._brought[ask.call_id] = message_id
                case _:
                    pass
        return []

    def _progressed(self, event: e.ToolProgress) -> list[BaseEvent]:
        """Return the progress of another agent during a call, as an activity besides the messages."""
        name, pieces = f"{event.call_id}.progress", [event.text] if event.text else []
        if name not in self._progress:
            self._progress.add(name)
            facts = {"toolCallId": event.call_id, "agent": event.agent, "state": event.state}
            content = facts | {"share": event.share, "text": pieces}
            return [ActivitySnapshotEvent(message_id=name, activity_type="TOOL_PROGRESS", content=content)]
        patch: list[Any] = [
            {"op": "replace", "path": "/state", "value": event.state},
            {"op": "replace", "path": "/share", "value": event.share},
            *({"op": "add", "path": "/text/-", "value": piece} for piece in pieces),
        ]
        return [ActivityDeltaEvent(message_id=name, activity_type="TOOL_PROGRESS", patch=patch)]

    # --- what is shown -----------------------------------------------------------------------------------------------

    def _encode_message(self, message: m.StepOutput | m.Debug, image_url: str | None) -> list[BaseEvent]:
        match message:
            case m.Image():
                facts = m.as_json(message) | {"type": None, "content": None}
                kept = file_url(self._chat_id, message.path or message.file_id, message.file_id)
                return [_custom("image", _without_none(facts) | {"url": kept, "src": image_url or kept})]
            case m.Chart(content=chart):
                kept = file_url(self._chat_id, f"{chart.name}.png", chart.image_id)
                url = file_url(self._chat_id, f"{chart.name}.json", chart.spec_id)
                facts = {"url": url, "imageUrl": kept, "src": image_url or kept}
                return [_custom("chart", m.as_json(chart) | facts)]
            case m.Table(content=table):
                facts = m.as_json(message)["content"]
                return [_custom("table", facts | {"url": table_url(self._chat_id, table.table_id)})]
            case m.File(content=file):
                facts = m.as_json(file)
                if file.file_id:  # else it was only spoken of
                    facts["url"] = file_url(self._chat_id, file.name, file.file_id)
                return [_custom("file", facts)]
            case m.Json():
                return [_custom("json", message.content)]
            case m.Reading():
                return [_custom("reading", m.as_json(message.content))]
            case m.Evidence(content=content):
                return [_custom("evidence", m.as_json(content))]
            case m.Alternatives(content=content):
                return [_custom("alternatives", alternatives_json(content, self._chat_id))]
            case m.Map() | m.MapFrames() | m.HighlightRoom() | m.Arrow() | m.ClearArrows() | m.ClearMap():
                definition, self._definition = self._definition, None
                first = [_custom("map_definition", definition)] if definition else []
                return [*first, _custom("map", m.as_json(message))]
            case m.Text(without_code=True):
                return [_custom("without_code", {"withoutCode": True})]
            case m.McpApp() | m.Text() | m.Code() | m.Error() | m.Debug():
                return []  # views of the desk's page, pieces of the answer, which comes whole, and of the code's own call
            case _:
                assert_never(message)


def _call(event: e.ToolCalled) -> list[BaseEvent]:
    arguments = json.dumps(event.arguments, ensure_ascii=False)
    return [
        ToolCallStartEvent(tool_call_id=event.call_id, tool_call_name=event.tool),
        ToolCallArgsEvent(tool_call_id=event.call_id, delta=arguments),
        ToolCallEndEvent(tool_call_id=event.call_id),
    ]


def _outcome(interrupts: list[Interrupt], calls: list[str]) -> Outcome:
    if interrupts:
        return RunFinishedInterruptOutcome(interrupts=interrupts)
    return RunFinishedSuccessOutcome(pending_tool_call_ids=calls or None)


def _custom(name: str, value: Any) -> BaseEvent:
    return CustomEvent(name=name, value=value)


def _without_none(facts: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if value is not None}
