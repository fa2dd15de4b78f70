"""From what an agent elsewhere sends to its words, its question, its answer and its files. Pure, and linear in what comes.

Artifacts come whole or in pieces, and whole once more with each look at a task: only what is new is told as progress.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from a2a.types import Artifact, Message, Part, Role, StreamResponse, Task, TaskState, TaskStatus
from google.protobuf.json_format import MessageToDict

from smoldesk.agents.a2a_client.entries import AgentFailed
from smoldesk.agents.a2a_client.parts import SentFile, data_text, file_of
from smoldesk.events import ProgressState

# Characters of one piece of work, its progress included.
MOST_TEXT = 1_000_000
MOST_PARTS = 5_000
LONGEST_ID = 300

STATES: dict[int, ProgressState] = {
    TaskState.TASK_STATE_SUBMITTED: "queued",
    TaskState.TASK_STATE_WORKING: "running",
    TaskState.TASK_STATE_INPUT_REQUIRED: "waiting",
    TaskState.TASK_STATE_AUTH_REQUIRED: "waiting",
    TaskState.TASK_STATE_COMPLETED: "finished",
    TaskState.TASK_STATE_FAILED: "failed",
    TaskState.TASK_STATE_REJECTED: "failed",
    TaskState.TASK_STATE_CANCELED: "cancelled",
}
ENDS: tuple[ProgressState, ...] = ("finished", "failed", "cancelled")


@dataclass
class _Artifact:
    """One artifact: its text in pieces, the parts that are no text, and whether the text is code or the like."""

    texts: list[str] = field(default_factory=list[str])
    non_text_parts: list[Part] = field(default_factory=list[Part])
    is_code: bool = False

    @property
    def text(self) -> str:
        if len(self.texts) > 1:
            self.texts = ["".join(self.texts)]
        return self.texts[0] if self.texts else ""


class RemoteTask:
    """What one agent does for one call, as far as it is known."""

    def __init__(self) -> None:
        self.task_id: str = ""
        self.context_id: str = ""
        self.state: int = TaskState.TASK_STATE_UNSPECIFIED
        self.status_text = ""
        """What its last status says."""
        self.question_id = ""
        """Which message that is."""
        self.options: list[str] = []
        """What its last status lets one choose from."""
        self._spoken = ""
        self._artifacts: dict[str, _Artifact] = {}
        self._text_length = 0
        self._parts = 0
        self._is_at_line_start = True

    # --- how it stands ---------------------------------------------------------------------------------------------

    @property
    def progress(self) -> ProgressState:
        return STATES.get(self.state, "running")

    @property
    def is_over(self) -> bool:
        return self.progress in ENDS

    @property
    def is_asking(self) -> bool:
        return self.state == TaskState.TASK_STATE_INPUT_REQUIRED

    @property
    def mark(self) -> tuple[int, str, int]:
        """Differs once it did something that can be seen, beside its text."""
        return self.state, self.status_text, self._parts

    def answer(self) -> str:
        """Its answer: its artifacts, what its end says beyond them, and last the code it sent: steps, more often than not."""
        pieces = self._artifacts.values()
        texts = [_piece_text(piece) for piece in pieces if not piece.is_code]
        last = (self._spoken or self.status_text).strip()
        texts += [] if any(last in text for text in texts) else [last]
        texts += [_piece_text(piece) for piece in pieces if piece.is_code]
        return "\n\n".join(filter(None, texts))

    def files(self) -> list[SentFile]:
        """What it sent to be kept, in order."""
        parts = [part for piece in self._artifacts.values() for part in piece.non_text_parts]
        return [file for part in parts if (file := file_of(part)) is not None]

    # --- updates ---------------------------------------------------------------------------------------------------

    def take(self, update: StreamResponse) -> str:
        """Take an update in; the words that are new. Raises AgentFailed for one of another task, and for too much."""
        match update.WhichOneof("payload"):
            case "task":
                new = self._take_task(update.task)
            case "status_update":
                event = update.status_update
                self._know(event.task_id, event.context_id)
                new = self._take_status(event.status)
            case "artifact_update":
                event = update.artifact_update
                self._know(event.task_id, event.context_id)
                new = self._take_artifact(event.artifact, event.append)
            case "message":
                self._know("", update.message.context_id)
                self.state = TaskState.TASK_STATE_COMPLETED
                self._spoken = _text(update.message.parts)
                self._keep(
                    "message", "", [part for part in update.message.parts if not part.HasField("text")]
                )
                new = self._line(self._spoken)
            case _:
                new = ""
        self._text_length += len(new)
        if self._text_length > MOST_TEXT:
            raise AgentFailed(f"It says more than the {MOST_TEXT:,} characters that are taken.")
        return new

    def _know(self, task_id: str, context_id: str) -> None:
        if task_id and self.task_id and task_id != self.task_id:
            raise AgentFailed("It speaks of a task that it was not given.")
        if len(task_id) > LONGEST_ID or len(context_id) > LONGEST_ID:
            raise AgentFailed(f"It names its task by more than {LONGEST_ID} characters.")
        self.task_id = task_id or self.task_id
        self.context_id = context_id or self.context_id

    def _take_task(self, task: Task) -> str:
        self._know(task.id, task.context_id)
        ends = STATES.get(task.status.state) in ENDS
        new = [] if ends else [self._take_status(task.status)]
        new += [self._take_artifact(artifact, append=False) for artifact in task.artifacts]
        if ends:
            new.append(self._take_status(task.status))
        if self.is_over and not task.artifacts and not self.status_text and not self._spoken:
            spoken = [message for message in task.history if message.role == Role.ROLE_AGENT]
            if spoken:
                self._spoken = _text(spoken[-1].parts)
                new.append(self._line(self._spoken))
        return "".join(new)

    def _take_status(self, status: TaskStatus) -> str:
        self.state = status.state
        text = _text(status.message.parts)
        is_new = text != self.status_text
        self.status_text = text
        self.question_id = status.message.message_id
        self.options = _options(status.message)
        return self._line(text) if is_new else ""

    def _take_artifact(self, artifact: Artifact, append: bool) -> str:
        piece = self._artifacts.get(artifact.artifact_id)
        text = _text(artifact.parts)
        non_text_parts = [part for part in artifact.parts if not part.HasField("text")]
        if piece is not None and append:
            self._count(len(non_text_parts))
            if text:
                piece.texts.append(text)
            piece.non_text_parts += non_text_parts
            return self._track_line_start(text)
        before = piece.text if piece else ""
        self._keep(artifact.artifact_id, text, non_text_parts, _is_code(artifact.parts))
        if before and text.startswith(before):
            return self._track_line_start(text[len(before) :])
        return self._track_line_start(("" if self._is_at_line_start or not text else "\n") + text)

    def _keep(self, artifact_id: str, text: str, non_text_parts: list[Part], is_code: bool = False) -> None:
        """Keep an artifact in place of what it was; only what it has more is counted, for each look brings it again."""
        before = self._artifacts.get(artifact_id)
        self._count(
            max(0, len(non_text_parts) - len(before.non_text_parts)) if before else len(non_text_parts) + 1
        )
        self._artifacts[artifact_id] = _Artifact([text], non_text_parts, is_code)

    def _count(self, more: int) -> None:
        """Text is counted by its characters, so that one who sends word by word may say as much as others."""
        self._parts += more
        if self._parts > MOST_PARTS:
            raise AgentFailed(f"It sends more than the {MOST_PARTS:,} parts that are taken.")

    def _line(self, text: str) -> str:
        """Words on a line of their own."""
        if not text.strip():
            return ""
        return self._track_line_start(f"{'' if self._is_at_line_start else chr(10)}{text.strip()}\n")

    def _track_line_start(self, text: str) -> str:
        if text:
            self._is_at_line_start = text.endswith("\n")
        return text


def _text(parts: Sequence[Part]) -> str:
    """The text of parts: pieces of one text, as streams make them."""
    return "".join(part.text for part in parts if part.HasField("text"))


def _piece_text(piece: _Artifact) -> str:
    data = [data_text(part) for part in piece.non_text_parts if part.HasField("data")]
    text = piece.text.strip()
    if piece.is_code and "```" not in text:
        text = f"```\n{text}\n```"
    return "\n".join(text for text in (text, *data) if text)


def _is_code(parts: Sequence[Part]) -> bool:
    """Whether text is to be told as it stands: its media type is none of prose."""
    kinds = {part.media_type.partition(";")[0].strip().lower() for part in parts if part.HasField("text")}
    return bool(kinds - {"", "text/plain", "text/markdown"})


def _options(message: Message) -> list[str]:
    """The options that a question gives as data, {"options": ["...", ...]}, itself or one level down; none is usual."""
    for part in message.parts:
        data: Any = MessageToDict(part.data) if part.HasField("data") else None
        places: list[Any] = [data, *data.values()] if isinstance(data, dict) else []
        for options in (place.get("options") for place in places if isinstance(place, dict)):  # pyright: ignore
            if isinstance(options, list) and options and all(isinstance(option, str) for option in options):  # pyright: ignore
                return options[:50]  # pyright: ignore
    return []
