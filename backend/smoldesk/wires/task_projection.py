"""Projection of a run's events to the updates of a task: pure, and linear in the length of the log.

Shared by the wires that show a run as a task; each has its own format for updates.

`TaskProjection` takes every event of a run, in order, and returns updates; it stores none of the text. Applying all updates
in order gives the task, which is what `TaskSnapshot` does for clients that read it once.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeGuard, assert_never

from smoldesk import events as e
from smoldesk import messages as m
from smoldesk.messages import StepOutput
from smoldesk.runs import CLOSING

State = Literal["submitted", "working", "input_required", "completed", "failed", "canceled"]
FINAL_STATES: tuple[State, ...] = ("completed", "failed", "canceled")
RUN_STATES: dict[State, str] = {
    "submitted": "queued",
    "working": "running",
    "input_required": "waiting",
    "completed": "finished",
    "failed": "failed",
    "canceled": "cancelled",
}
STATUS_EVENTS = (
    "run_queued",
    "run_started",
    "run_waiting",
    "run_resumed",
    "ask_opened",
    "ask_closed",
    *CLOSING,
)
# Event types that determine a task's state (STATUS_EVENTS), and its state and artifacts.
TASK_EVENTS = (*STATUS_EVENTS, "delta", "shown", "nested")


@dataclass(frozen=True)
class StatusUpdate:
    """New state of a task; `ask` in input_required, `failure` in failed, `reason` in canceled, `evidence` in completed."""

    state: State
    at: datetime
    ask: e.Ask | None = None
    failure: e.RunFailed | None = None
    reason: str | None = None
    evidence: m.EvidenceContent | None = None

    @property
    def is_end(self) -> bool:
        return self.state in FINAL_STATES


@dataclass(frozen=True)
class ArtifactUpdate:
    """New content of the artifact `index`, or with `append` more of its text."""

    index: int
    message: StepOutput
    append: bool = False
    is_final: bool = True


Update = StatusUpdate | ArtifactUpdate


class TaskProjection:
    """Fold of one run into updates."""

    def __init__(self) -> None:
        self._count = 0
        self._written: _WrittenText | None = None
        self._streams = False
        self._is_explained = False
        self._asks: dict[str, e.Ask] = {}
        self._last_text = ""
        self._evidence: m.EvidenceContent | None = None
        self._note = ""
        """Sentence on other readings of the request, which has an artifact of its own."""

    def take(self, stored: e.StoredEvent) -> list[Update]:
        """Return the updates of an event."""
        event, at = stored.event, stored.at
        match event:
            case e.RunQueued():
                return [StatusUpdate("submitted", at)] if event.ahead else []
            case e.RunStarted() | e.RunResumed():
                return [StatusUpdate("working", at)]
            case e.AskOpened():
                self._asks[event.ask.id] = event.ask
                return []
            case e.AskClosed():
                self._asks.pop(event.ask_id, None)
                return []
            case e.RunWaiting():
                asks = [self._asks[ask_id] for ask_id in event.ask_ids if ask_id in self._asks]
                return [StatusUpdate("input_required", at, ask=next(iter(asks), None))]
            case e.Delta():
                return self._write(event.text) if event.kind == "output" and event.text else []
            case e.Shown():
                return self._show(event.message)
            case e.Nested():
                return self._show_nested(event.event)
            case e.RunFinished():
                completed = StatusUpdate("completed", at, evidence=self._evidence)
                return [*self._end_written(), *self._answer(event.text), completed]
            case e.RunFailed():
                return [*self._end_written(), StatusUpdate("failed", at, failure=event)]
            case e.RunCancelled():
                return [*self._end_written(), StatusUpdate("canceled", at, reason=event.reason)]
            case (
                e.StepStarted()
                | e.PromptProgress()
                | e.ModelCalled()
                | e.ToolCalled()
                | e.ToolReturned()
                | e.ToolFailed()
                | e.ToolProgress()
                | e.Printed()
                | e.StepFinished()
                | e.ChatFact()
            ):
                return []
            case _:
                assert_never(event)

    def _write(self, piece: str) -> list[Update]:
        """Append streamed text of a program to the artifact that is open."""
        self._streams, self._is_explained = True, False
        begins = self._written is None
        if self._written is None:
            self._written = _WrittenText(self._next())
        self._written.add(piece)
        return [ArtifactUpdate(self._written.index, _text(piece), append=not begins, is_final=False)]

    def _show_nested(self, event: e.NestedEvent) -> list[Update]:
        """Show files and tables of a managed agent; its texts are for its manager."""
        if not isinstance(event, e.Shown):
            return []
        message = event.message
        return self._show(message) if isinstance(message, m.Image | m.Chart | m.Table | m.File) else []

    def _show(self, message: StepOutput | m.Debug) -> list[Update]:
        """Show a message. The first message after a Debug replaces the streamed text, unless it equals it."""
        if isinstance(message, m.Debug):
            self._is_explained = True
            return []
        if isinstance(message, m.McpApp):  # a view for the desk's page
            return []
        if isinstance(message, m.Evidence):
            self._evidence = message.content
            return []
        if is_part_of_answer(message):
            self._last_text = message.content
        if isinstance(message, m.Alternatives):
            self._note = f"\n\n{message.content.note}"
        written = self._written
        if written is not None and isinstance(message, m.Text) and written.matches(message.content):
            return self._end_written()
        if written is not None and self._is_explained:
            self._written = None
            return [ArtifactUpdate(written.index, message)]
        return [*self._end_written(), ArtifactUpdate(self._next(), message)]

    def _end_written(self) -> list[Update]:
        """Close the artifact that is being streamed."""
        written, self._written = self._written, None
        return [ArtifactUpdate(written.index, _text(""), append=True)] if written else []

    def _answer(self, text: str) -> list[Update]:
        """Show the answer, unless it was streamed or its last block was shown."""
        text = text.removesuffix(self._note)
        compact_text, last = _compact(text), _compact(self._last_text)
        # Agents often end with a fenced block that was shown as a code message without its fence.
        if self._streams or not compact_text or (last and compact_text.rstrip("`~").endswith(last)):
            return []
        return [ArtifactUpdate(self._next(), _text(text))]

    def _next(self) -> int:
        self._count += 1
        return self._count - 1


class _WrittenText:
    """Streamed text as a digest: the text can be very long, and each follower has a projection of its own."""

    def __init__(self, index: int) -> None:
        self.index = index
        self._digest = hashlib.blake2b()

    def add(self, piece: str) -> None:
        self._digest.update(_compact(piece).encode("utf-8", "surrogatepass"))

    def matches(self, text: str) -> bool:
        """Return whether the streamed text equals this one, ignoring white space."""
        other = hashlib.blake2b(_compact(text).encode("utf-8", "surrogatepass"))
        return other.digest() == self._digest.digest()


def is_part_of_answer(message: StepOutput) -> TypeGuard[m.Text | m.Code]:
    """Return whether a message is text of the answer or a code block in it, not the code of a step."""
    if isinstance(message, m.Text):
        return message.tone == "answer"
    return isinstance(message, m.Code) and message.step is None


def _compact(text: str) -> str:
    return "".join(text.split())


class TaskSnapshot:
    """Task as the result of all updates of a run."""

    def __init__(self) -> None:
        self.status: StatusUpdate | None = None
        self.updated_at: datetime | None = None
        self._outputs: list[StepOutput] = []
        self._pieces: list[list[str]] = []

    def note(self, stored: e.StoredEvent) -> None:
        """Record the time of an event."""
        self.updated_at = stored.at

    def add(self, update: Update) -> None:
        """Apply the next update."""
        if isinstance(update, StatusUpdate):
            self.status = update
            return
        if update.append:
            if isinstance(update.message, m.Text):
                self._pieces[update.index].append(update.message.content)
            return
        # A replaced artifact is always the last one, so nothing follows it.
        del self._outputs[update.index :], self._pieces[update.index :]
        self._outputs.append(update.message)
        self._pieces.append([])

    def outputs(self) -> list[StepOutput]:
        """Return the artifacts in order, with their pieces joined."""
        return [_joined(*pair) for pair in zip(self._outputs, self._pieces, strict=True)]


def _joined(message: StepOutput, pieces: list[str]) -> StepOutput:
    return _text("".join([message.content, *pieces])) if pieces and isinstance(message, m.Text) else message


def _text(text: str) -> m.Text:
    return m.Text(content=text)
