"""Turns of a chat: the question, each step's code with its outputs, and the answer. All documents are made of these.

One turn is in memory at a time. An open turn has what it has so far.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from smoldesk import messages as m
from smoldesk.events import (
    AskClosed,
    AskOpened,
    FileAdded,
    FileChanged,
    Nested,
    Printed,
    RunCancelled,
    RunFailed,
    RunFinished,
    RunQueued,
    RunStarted,
    Shown,
    StepFinished,
    StepStarted,
    StoredEvent,
    ToolCalled,
    ToolFailed,
    ToolReturned,
)
from smoldesk.evidence import seal_text
from smoldesk.export.safe_markdown import fenced

INTERPRETER = "python_interpreter"
# Long SQL query of a cell, reported as a call; it is part of the code, so documents skip it.
CELL_QUERY = "sql"
VIEW_MESSAGES = (
    m.Image,
    m.Table,
    m.Chart,
    m.File,
    m.Json,
    m.McpApp,
    m.Map,
    m.MapFrames,
    m.HighlightRoom,
    m.Arrow,
    m.ClearArrows,
    m.ClearMap,
)
Drawn = m.Map | m.MapFrames | m.HighlightRoom | m.Arrow | m.ClearArrows | m.ClearMap
Piece = m.Image | m.Table | m.Chart | m.File | m.Json | m.McpApp | Drawn


def app_caption(app: m.McpApp) -> str:
    """Return the sentence in place of an MCP server's view, which only a desk can show."""
    return f"An interactive view of {app.content.title!r} by the MCP server {app.content.server!r} was shown here."


@dataclass
class ToolUse:
    """Tool call; `returned` is the value that code got, `failed` the error message.

    For a managed agent, `work` has its task and steps.
    """

    tool: str
    arguments: Mapping[str, Any]
    returned: Any = None
    text: str = ""
    failed: str | None = None
    is_over: bool = False
    work: "Turn | None" = None

    def format_call(self) -> str:
        """Return the arguments and the result as text."""
        outcome = self.text if self.failed is None else f"failed: {self.failed}"
        return f"{json.dumps(self.arguments, ensure_ascii=False)}\n→ {outcome}"


@dataclass
class Step:
    """One step: its code, if any, its printed text, the content it showed (with seqs), and its tool calls."""

    number: int
    code: str | None = None
    printed: str = ""
    pieces: list[Piece] = field(default_factory=list[Piece])
    seqs: list[int] = field(default_factory=list[int])
    calls: list[ToolUse] = field(default_factory=list[ToolUse])
    error: str | None = None
    is_over: bool = False
    code_seq: int | None = None
    """Seq of the message that showed the code."""
    agent: str = ""
    """Agent that draws on the map in this step, each in its own layer."""
    kept_pieces: list[Piece] | None = None
    """What stands in place of the content, if a person keeps another reading of the request."""

    @property
    def shown_pieces(self) -> list[Piece]:
        """Content for documents."""
        return self.pieces if self.kept_pieces is None else self.kept_pieces


# Text of a document about a chat without turns.
NOTHING = "Nothing was asked in this chat."
# Heading of a turn that a conversation between agents started.
ITS_TURN = "Its turn in a conversation"


@dataclass
class Turn:
    """One run, queued at `seq`. `asks` are approvals and questions to people, as (prompt or tool, outcome).

    `is_talk` is true if a conversation between agents started it. `markdown_parts` are the parts of its answer as
    shown; `text` is the answer as the agent returned it.
    """

    run_id: str
    seq: int
    question: str
    is_code: bool
    attachments: list[str] = field(default_factory=list[str])
    steps: list[Step] = field(default_factory=list[Step])
    markdown_parts: list[str] = field(default_factory=list[str])
    text: str = ""
    answer_seqs: list[int] = field(default_factory=list[int])
    error: str = ""
    state: str = "running"
    asks: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    agent: str = ""
    is_talk: bool = False
    alternatives: m.AlternativesContent | None = None
    evidence: m.EvidenceContent | None = None
    note: str = ""
    """Sentence on the other readings of the request, while a person has kept none."""

    @property
    def fault(self) -> str:
        """Reason of a failure or stop; empty if the last code's error says the same."""
        errors = {step.error for step in self.steps if step.error}
        return "" if self.error in errors or (self.is_code and errors) else self.error

    @property
    def seal(self) -> str:
        """Sentence on the evidence of the answer's figures; empty without figures."""
        return seal_text(self.evidence) if self.evidence and self.evidence.figures else ""

    @property
    def answer(self) -> str:
        """Answer in Markdown, so far."""
        return "\n\n".join(self.markdown_parts) or self.text


@dataclass(frozen=True)
class LaterChoices:
    """What persons chose after the answers: the reading kept of each run, charts as changed, and their code by its seq."""

    kept: Mapping[str, int | None] = field(default_factory=dict[str, int | None])
    charts: Mapping[str, m.ChartContent] = field(default_factory=dict[str, m.ChartContent])
    codes: Mapping[int | None, str] = field(default_factory=dict[int | None, str])

    def apply(self, turn: Turn) -> Turn:
        """Show a turn as it was chosen."""
        turn = _with_kept(turn, self.kept)
        for step in turn.steps if self.charts else ():
            step.code = self.codes.get(step.code_seq, step.code)
            step.pieces = [self._chart(piece) for piece in step.pieces]
            if step.kept_pieces is not None:
                step.kept_pieces = [self._chart(piece) for piece in step.kept_pieces]
        return turn

    def _chart(self, piece: Piece) -> Piece:
        content = self.charts.get(piece.content.spec_id) if isinstance(piece, m.Chart) else None
        return m.Chart(content=content) if content else piece


def turns_of(events: Iterable[StoredEvent], choices: LaterChoices | None = None) -> Iterator[Turn]:
    """Yield the turns of a chat in the order in which their runs ended, open ones last."""
    choices = choices or LaterChoices()
    # A message that is queued during a run opens its turn before the first one ends.
    open_turns: dict[str, _TurnBuilder] = {}
    for stored in events:
        run_id = stored.run_id
        if run_id is None:
            continue
        if isinstance(stored.event, RunQueued):
            queued = stored.event
            open_turns[run_id] = _TurnBuilder(
                Turn(run_id, stored.seq, queued.message, queued.is_code, queued.attachments)
            )
            open_turns[run_id].turn.is_talk = queued.conversation is not None
        builder = open_turns.get(run_id)
        if builder is not None and builder.take(stored):
            yield choices.apply(open_turns.pop(run_id).turn)
    for builder in open_turns.values():
        yield builder.turn


def _with_kept(turn: Turn, kept: Mapping[str, int | None]) -> Turn:
    """Put the answer that a person keeps in the place of the first one."""
    if turn.alternatives is None or not turn.steps:
        return turn
    if turn.run_id not in kept:
        turn.note = turn.alternatives.note
        return turn
    index = kept[turn.run_id]
    if index == 0:
        return turn
    answers = turn.alternatives.alternatives
    if index is not None and not 0 <= index < len(answers):  # in an imported log
        return turn
    turn.evidence = None  # that of the first answer
    outputs = [turn.alternatives.declined] if index is None else answers[index].outputs
    turn.markdown_parts = [output.content for output in outputs if isinstance(output, m.Text)]
    turn.steps[-1].kept_pieces = [output for output in outputs if not isinstance(output, m.Text | m.Code)]
    return turn


def steps_of(turn: Turn) -> Iterator[Step]:
    """Yield the steps of a turn, and those of managed agents before the step that called them."""
    for step in turn.steps:
        for call in step.calls:
            if call.work is not None:
                yield from steps_of(call.work)
        yield step


def input_files(events: Iterable[StoredEvent]) -> dict[str, m.FileContent]:
    """Return the latest files that people added under each name, also those that they removed."""
    files_by_name: dict[str, m.FileContent] = {}
    for stored in events:
        if isinstance(stored.event, FileAdded | FileChanged):
            files_by_name[stored.event.file.name] = stored.event.file
    return files_by_name


class _TurnBuilder:
    """Builds one turn from its events."""

    def __init__(self, turn: Turn, calls: dict[str, ToolUse] | None = None) -> None:
        """Start a turn. `calls` are the run's, if the turn is a managed agent's work within it."""
        self.turn = turn
        self._calls: dict[str, ToolUse] = {} if calls is None else calls
        self._work: dict[str, _TurnBuilder] = {}
        self._asks: dict[str, int] = {}
        self._code_at = 0
        """Position of shown code among the answer's parts, in case no step runs it."""

    @property
    def _step(self) -> Step:
        if not self.turn.steps:
            self.turn.steps.append(Step(1, agent=self.turn.agent))
        return self.turn.steps[-1]

    def take(self, stored: StoredEvent) -> bool:
        """Apply an event; return True once the turn is over."""
        turn, event = self.turn, stored.event
        match event:
            case RunStarted():
                turn.question, turn.is_code = event.message, event.is_code
                turn.agent = event.agent or turn.agent
            case StepStarted():
                turn.steps.append(Step(event.step, agent=turn.agent))
            case Printed():
                self._step.printed += event.text
            case ToolCalled() if event.tool not in (INTERPRETER, CELL_QUERY):
                call = ToolUse(event.tool, event.arguments)
                self._calls[event.call_id] = call
                self._step.calls.append(call)
            case ToolReturned() if (call := self._calls.get(event.call_id)) is not None:
                call.is_over, call.text = True, event.result
                call.returned = event.result if event.value is None else event.value
            case ToolFailed() if (call := self._calls.get(event.call_id)) is not None:
                call.is_over, call.failed = True, event.error
            case AskOpened():
                self._asks[event.ask.id] = len(turn.asks)
                turn.asks.append((event.ask.prompt or event.ask.tool or "", "open"))
            case AskClosed() if event.ask_id in self._asks:
                at = self._asks[event.ask_id]
                turn.asks[at] = (turn.asks[at][0], _ask_outcome(event))
            case Shown(message=message):
                self._show(message, stored.seq)
            case Nested() if (call := self._calls.get(event.within)) is not None:
                self._within(event, call, stored).take(stored.model_copy(update={"event": event.event}))
            case StepFinished():
                self._finish(event)
            case RunFinished():
                note = f"\n\n{turn.alternatives.note}" if turn.alternatives else ""
                turn.state, turn.text = "finished", event.text.removesuffix(note)
                turn.answer_seqs.append(stored.seq)
            case RunFailed():
                turn.state, turn.error = "failed", f"{event.message} {event.hint}".strip()
            case RunCancelled():
                turn.state, turn.error = "stopped", event.reason
            case _:
                pass
        return turn.state != "running"

    def _within(self, event: Nested, call: ToolUse, stored: StoredEvent) -> "_TurnBuilder":
        """Return the builder of a managed agent's work for a call."""
        if event.within not in self._work:
            task = str(call.arguments.get("task", ""))
            call.work = Turn(self.turn.run_id, stored.seq, task, is_code=False, agent=event.agent)
            self._work[event.within] = _TurnBuilder(call.work, self._calls)
        return self._work[event.within]

    def _show(self, message: m.Message, seq: int) -> None:
        turn = self.turn
        match message:
            case m.Text(tone="answer"):
                self.turn.markdown_parts.append(message.content)
                self.turn.answer_seqs.append(seq)
            case m.Code(language="python") if self._step.code is None and not self._step.is_over:
                self._step.code, self._code_at = message.content, len(self.turn.markdown_parts)
                self._step.code_seq = seq
            case m.Code():
                self.turn.markdown_parts.append(fenced(message.content, _word(message.language)))
            case m.Error() if turn.is_code or not self._step.is_over:
                self._step.error = message.content
            case m.Map(
                content=m.PointsContent(points=[m.GeoPoint(), *_]) as places
            ):  # points without a floor cannot be drawn: show their data
                self._step.pieces.append(m.Json(content=places.model_dump(mode="json", exclude_none=True)))
                self._step.seqs.append(seq)
            case m.Alternatives(content=content):
                turn.alternatives = content
            case m.Evidence(content=evidence):
                turn.evidence = evidence
            case m.Json(in_text=True):
                pass  # the answer's text has the same data
            case m.McpApp(content=app) if app.state != "called":
                pass  # the view itself has its caption already
            case _ if isinstance(message, VIEW_MESSAGES):
                self._step.pieces.append(message)
                self._step.seqs.append(seq)
            case _:
                pass

    def _finish(self, event: StepFinished) -> None:
        step, memory = self._step, event.memory
        step.is_over = True
        code = memory.get("code_action")
        if isinstance(code, str):
            step.code = code
        else:
            calls = cast("list[dict[str, Any]]", memory.get("tool_calls") or [])
            codes = [call["arguments"] for call in calls if call.get("name") == INTERPRETER]
            if not codes and step.code is not None:  # code that was not run is part of the answer
                self.turn.markdown_parts.insert(self._code_at, fenced(step.code, "python"))
                step.code = None
            elif step.code is None:
                step.code = (
                    "\n".join(code if isinstance(code, str) else str(code.get("code", "")) for code in codes)
                    or None
                )
        fault = memory.get("error")
        if isinstance(fault, dict):
            step.error = step.error or str(fault.get("message", ""))


def _word(language: str) -> str:
    """Return a language for a code fence; empty unless it is alphanumeric."""
    return language if language.isalnum() else ""


def _ask_outcome(event: AskClosed) -> str:
    if not event.granted:
        return f"denied: {event.reason}" if event.reason else "denied"
    return "granted" if event.value is None else f"answered: {event.value}"
