"""Tasks and their updates in the types of this protocol: what a run's events come to, for one client's eyes. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from a2a.types import a2a_pb2 as pb
from google.protobuf import timestamp_pb2
from pydantic import JsonValue

from smoldesk import events as e
from smoldesk.messages import StepOutput
from smoldesk.runs import RunRecord
from smoldesk.wires.a2a.artifacts import artifact_of, data_part, text_part
from smoldesk.wires.a2a.models import OWN, STATES, ProtocolEvent, Turn, as_json_text, context_of
from smoldesk.wires.a2a.requests import whole
from smoldesk.wires.task_projection import (
    ArtifactUpdate,
    StatusUpdate,
    Update,
)


@dataclass(frozen=True)
class TaskForm:
    """One task in the form of the protocol; `base` begins addresses of files."""

    record: RunRecord
    base: str

    @property
    def context_id(self) -> str:
        return context_of(self.record.options.metadata, self.record.chat_id)

    def task(
        self, status: StatusUpdate, turns: Sequence[Turn], shown: Sequence[StepOutput] | None
    ) -> pb.Task:
        """All of it; None leaves the artifacts out."""
        record = self.record
        task = pb.Task(
            id=record.id,
            context_id=self.context_id,
            status=self.status(status),
            history=[self._opening(), *(self._said(turn) for turn in turns)],
        )
        if shown is not None:
            task.artifacts.extend(self._artifact(index, message) for index, message in enumerate(shown))
        own = record.options.metadata or {}
        if about := {name: value for name, value in own.items() if not name.startswith(OWN)}:
            task.metadata.update(about)
        return task

    def event(self, update: Update) -> ProtocolEvent:
        """What a follower is sent."""
        match update:
            case StatusUpdate():
                return pb.TaskStatusUpdateEvent(
                    task_id=self.record.id, context_id=self.context_id, status=self.status(update)
                )
            case ArtifactUpdate():
                return pb.TaskArtifactUpdateEvent(
                    task_id=self.record.id,
                    context_id=self.context_id,
                    artifact=self._artifact(update.index, update.message),
                    append=update.append,
                    last_chunk=update.is_whole,
                )

    def status(self, update: StatusUpdate) -> pb.TaskStatus:
        """The status of an update, with the question or the failure as its message."""
        status = pb.TaskStatus(state=STATES[update.state], timestamp=_time(update.at))
        if update.ask is not None:
            status.message.CopyFrom(self._question(update.ask))
        elif update.failure is not None:
            failure = update.failure
            words = f"{failure.message} {failure.hint}".strip()
            status.message.CopyFrom(self._message("failure", pb.ROLE_AGENT, [text_part(words)]))
            status.message.metadata.update({"code": failure.code})
        elif update.reason is not None:
            status.message.CopyFrom(self._message("end", pb.ROLE_AGENT, [text_part(update.reason)]))
        return status

    def _opening(self) -> pb.Message:
        own = (self.record.options.metadata or {}).get(f"{OWN}messageId")
        opening = self._message("message", pb.ROLE_USER, [text_part(self.record.message)])
        if isinstance(own, str) and own:
            opening.message_id = own
        if self.record.options.attachments:
            opening.metadata.update({"attachments": self.record.options.attachments})
        return opening

    def _said(self, turn: Turn) -> pb.Message:
        if turn.answer is None:
            return self._question(turn.ask)
        parts = [text_part(answer_words(turn.ask, turn.answer))]
        return self._message(f"{turn.ask.id}-answer", pb.ROLE_USER, parts)

    def _question(self, ask: e.Ask) -> pb.Message:
        parts = [text_part(question_words(ask)), data_part(question_data(ask))]
        return self._message(ask.id, pb.ROLE_AGENT, parts)

    def _message(self, name: str, role: pb.Role, parts: list[pb.Part]) -> pb.Message:
        return pb.Message(
            message_id=f"{self.record.id}-{name}",
            task_id=self.record.id,
            context_id=self.context_id,
            role=role,
            parts=parts,
        )

    def _artifact(self, index: int, message: StepOutput) -> pb.Artifact:
        return artifact_of(message, f"{self.record.id}-{index}", self.record.chat_id, self.base)


def question_words(ask: e.Ask) -> str:
    """What is asked, in words; with the call that it is about, for clients that read no data."""
    what = {"approval": "May this be called?", "client_tool": "Please do this and give its result."}
    prompt = ask.prompt or what.get(ask.kind, "Input is needed.")
    return prompt if ask.tool is None else f"{prompt}\n{ask.tool}: {as_json_text(whole(ask.arguments))}"


def question_data(ask: e.Ask) -> dict[str, Any]:
    """What is asked, as data: `askId` names it in an answer."""
    confirmed = ask.kind == "approval" or (ask.kind == "input" and ask.input_type == "confirmation")
    return {
        "askId": ask.id,
        "kind": ask.kind,
        "inputType": "json" if ask.kind == "client_tool" else ask.input_type,
        "prompt": ask.prompt,
        "options": ask.options or (["y", "n"] if confirmed else []),
        "default": ask.default,
        "tool": ask.tool,
        "arguments": ask.arguments if ask.tool is not None else None,
        "expiresAt": ask.expires_at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    }


def answer_words(ask: e.Ask, answer: e.AskClosed) -> str:
    """An answer as its client could have said it; a password is not in the log, and not here."""
    if not answer.granted:
        return f"no: {answer.reason}" if answer.reason else "no"
    if ask.kind == "input" and ask.input_type == "password":
        return "(not shown)"
    value: JsonValue = answer.value
    if value is None or value is True:
        return "yes"
    return value if isinstance(value, str) else as_json_text(value)


def _time(moment: datetime) -> timestamp_pb2.Timestamp:
    """To the millisecond, as the protocol writes times."""
    time = timestamp_pb2.Timestamp()
    time.FromMilliseconds(int(moment.timestamp() * 1000))
    return time
