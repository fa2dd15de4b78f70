"""State of a remote task, built from its updates: text, question, answer and files. Pure; linear in the input.

Artifacts come in one update or in pieces, and complete again with each poll: only new text is reported as progress.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from a2a.types import Artifact, Message, Part, Role, StreamResponse, Task, TaskState, TaskStatus
from google.protobuf.json_format import MessageToDict

from smoldesk.agents.a2a_client.entries import AgentFailed
from smoldesk.agents.a2a_client.parts import SentFile, data_text, file_of
from smoldesk.events import ProgressState

# Limits of one task. Characters, those of its progress included; the process holds all of it in memory.
MAX_TEXT = 1_000_000
MAX_PARTS = 5_000
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
    """One artifact: its text in pieces, its other parts, and whether the text is code or the like."""

    texts: list[str] = field(default_factory=list[str])
    non_text_parts: list[Part] = field(default_factory=list[Part])
    is_code: bool = False

    @property
    def text(self) -> str:
        if len(self.texts) > 1:
            self.texts = ["".join(self.texts)]
        return self.texts[0] if self.texts else ""


class RemoteTask:
    """State of a remote agent's task, built from its updates."""

    def __init__(self) -> None:
        self.task_id: str = ""
        self.context_id: str = ""
        self.state: int = TaskState.TASK_STATE_UNSPECIFIED
        self.status_text = ""
        """Text of the last status."""
        self.question_id = ""
        """Id of the message of the last status."""
        self.options: list[str] = []
        """Options that the last status offers."""
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
        """Value that changes with every visible update except text."""
        return self.state, self.status_text, self._parts

    def answer(self) -> str:
        """Return the answer: the text of the artifacts, the last status if it adds something, then code, usually the steps."""
        pieces = self._artifacts.values()
        texts = [_piece_text(piece) for piece in pieces if not piece.is_code]
        last = (self._spoken or self.status_text).strip()
        texts += [] if any(last in text for text in texts) else [last]
        texts += [_piece_text(piece) for piece in pieces if piece.is_code]
        return "\n\n".join(filter(None, texts))

    def files(self) -> list[SentFile]:
        """Return the files of all artifacts, in order."""
        parts = [part for piece in self._artifacts.values() for part in piece.non_text_parts]
        return [file for part in parts if (file := file_of(part)) is not None]

    # --- updates ---------------------------------------------------------------------------------------------------

    def apply(self, update: StreamResponse) -> str:
        """Apply an update and return its new text. Raises AgentFailed for an update of another task, and over a limit."""
        match update.WhichOneof("payload"):
            case "task":
                new = self._apply_task(update.task)
            case "status_update":
                event = update.status_update
                self._set_ids(event.task_id, event.context_id)
                new = self._apply_status(event.status)
            case "artifact_update":
                event = update.artifact_update
                self._set_ids(event.task_id, event.context_id)
                new = self._apply_artifact(event.artifact, event.append)
            case "message":
                self._set_ids("", update.message.context_id)
                self.state = TaskState.TASK_STATE_COMPLETED
                self._spoken = _text(update.message.parts)
                self._store_artifact(
                    "message", "", [part for part in update.message.parts if not part.HasField("text")]
                )
                new = self._as_line(self._spoken)
            case _:
                new = ""
        self._text_length += len(new)
        if self._text_length > MAX_TEXT:
            raise AgentFailed(f"The agent sent more than {MAX_TEXT:,} characters.")
        return new

    def _set_ids(self, task_id: str, context_id: str) -> None:
        if task_id and self.task_id and task_id != self.task_id:
            raise AgentFailed("The agent sent an update of another task.")
        if len(task_id) > LONGEST_ID or len(context_id) > LONGEST_ID:
            raise AgentFailed(f"The agent's task id has more than {LONGEST_ID} characters.")
        self.task_id = task_id or self.task_id
        self.context_id = context_id or self.context_id

    def _apply_task(self, task: Task) -> str:
        self._set_ids(task.id, task.context_id)
        # A final status comes after the artifacts: its text often repeats them, and reads as the last word.
        ends = STATES.get(task.status.state) in ENDS
        new = [] if ends else [self._apply_status(task.status)]
        new += [self._apply_artifact(artifact, append=False) for artifact in task.artifacts]
        if ends:
            new.append(self._apply_status(task.status))
        if self.is_over and not task.artifacts and not self.status_text and not self._spoken:
            spoken = [message for message in task.history if message.role == Role.ROLE_AGENT]
            if spoken:
                self._spoken = _text(spoken[-1].parts)
                new.append(self._as_line(self._spoken))
        return "".join(new)

    def _apply_status(self, status: TaskStatus) -> str:
        self.state = status.state
        text = _text(status.message.parts)
        is_new = text != self.status_text
        self.status_text = text
        self.question_id = status.message.message_id
        self.options = _options(status.message)
        return self._as_line(text) if is_new else ""

    def _apply_artifact(self, artifact: Artifact, append: bool) -> str:
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
        self._store_artifact(artifact.artifact_id, text, non_text_parts, _is_code(artifact.parts))
        if before and text.startswith(before):
            return self._track_line_start(text[len(before) :])
        return self._track_line_start(("" if self._is_at_line_start or not text else "\n") + text)

    def _store_artifact(
        self, artifact_id: str, text: str, non_text_parts: list[Part], is_code: bool = False
    ) -> None:
        """Replace an artifact. Only additional parts are counted, because each poll sends all of them again."""
        before = self._artifacts.get(artifact_id)
        self._count(
            max(0, len(non_text_parts) - len(before.non_text_parts)) if before else len(non_text_parts) + 1
        )
        self._artifacts[artifact_id] = _Artifact([text], non_text_parts, is_code)

    def _count(self, more: int) -> None:
        # Text is limited by its characters alone: an agent that streams word by word may send as much as others.
        self._parts += more
        if self._parts > MAX_PARTS:
            raise AgentFailed(f"The agent sent more than {MAX_PARTS:,} parts.")

    def _as_line(self, text: str) -> str:
        if not text.strip():
            return ""
        return self._track_line_start(f"{'' if self._is_at_line_start else chr(10)}{text.strip()}\n")

    def _track_line_start(self, text: str) -> str:
        if text:
            # Pieces of one artifact run on, a status starts a line: so the end of the last text is tracked.
            self._is_at_line_start = text.endswith("\n")
        return text


def _text(parts: Sequence[Part]) -> str:
    """Return the text of parts, joined without a break: streams split one text into several parts."""
    return "".join(part.text for part in parts if part.HasField("text"))


def _piece_text(piece: _Artifact) -> str:
    data = [data_text(part) for part in piece.non_text_parts if part.HasField("data")]
    text = piece.text.strip()
    if piece.is_code and "```" not in text:
        text = f"```\n{text}\n```"
    return "\n".join(text for text in (text, *data) if text)


def _is_code(parts: Sequence[Part]) -> bool:
    """Return whether text is shown verbatim: its media type is neither plain text nor Markdown."""
    kinds = {part.media_type.partition(";")[0].strip().lower() for part in parts if part.HasField("text")}
    return bool(kinds - {"", "text/plain", "text/markdown"})


def _options(message: Message) -> list[str]:
    """Return the options of a question, {"options": ["...", ...]} in a data part, at the top or one level down."""
    for part in message.parts:
        data: Any = MessageToDict(part.data) if part.HasField("data") else None
        places: list[Any] = [data, *data.values()] if isinstance(data, dict) else []
        for options in (place.get("options") for place in places if isinstance(place, dict)):  # pyright: ignore
            if isinstance(options, list) and options and all(isinstance(option, str) for option in options):  # pyright: ignore
                return options[:50]  # pyright: ignore
    return []
