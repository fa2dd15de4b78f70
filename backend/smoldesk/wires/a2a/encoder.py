"""Encoder of tasks and updates into the protocol's types. Pure."""

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, assert_never, cast
from urllib.parse import quote

from a2a.types import a2a_pb2 as pb
from google.protobuf import struct_pb2, timestamp_pb2
from google.protobuf.json_format import ParseDict, ParseError
from pydantic import JsonValue

from smoldesk import events as e
from smoldesk import messages as m
from smoldesk.chats.uploads import media_type_of
from smoldesk.markdown.answer_forms import Language, first_rows, language_of
from smoldesk.messages import StepOutput, as_json
from smoldesk.output_parser.artifacts import CodeArtifact
from smoldesk.runs import RunRecord
from smoldesk.runs.asks.answers import is_deeper
from smoldesk.wires.a2a.models import (
    MESSAGE_KEY,
    METADATA_PREFIX,
    STATES,
    ProtocolEvent,
    Turn,
    as_json_text,
    context_of,
)
from smoldesk.wires.a2a.requests import with_integers
from smoldesk.wires.serialization import alternatives_json, file_url, table_url, time_text
from smoldesk.wires.task_projection import (
    ArtifactUpdate,
    StatusUpdate,
    Update,
)

# Fields of a message that its client sets; the others belong to the task.
CLIENT_FIELDS = frozenset(("messageId", "metadata", "parts", "extensions", "referenceTaskIds"))
# Maximum nesting of data; deeper data is sent as text, since the protocol's format ends at 100.
DEEPEST = 60


def artifact_of(
    message: StepOutput, artifact_id: str, chat_id: str, base: str, language: Language = "en"
) -> pb.Artifact:
    """Return the artifact of a message; `base` starts the addresses of files (http://host:port)."""
    name, parts, about = _content(message, chat_id, base, language)
    artifact = pb.Artifact(artifact_id=artifact_id, name=name, parts=parts)
    if about:
        artifact.metadata.update(about)
    return artifact


def text_part(text: str, media_type: str = "text/plain") -> pb.Part:
    """Return a text part."""
    return pb.Part(text=text, media_type=media_type)


def data_part(value: JsonValue) -> pb.Part:
    """Return a data part, or a text part if the data is nested too deep for the protocol."""
    if is_deeper(value, DEEPEST):
        return text_part(json.dumps(value, ensure_ascii=False), "application/json")
    return pb.Part(
        data=ParseDict(cast("dict[str, Any]", value), struct_pb2.Value()), media_type="application/json"
    )


Content = tuple[str, list[pb.Part], dict[str, str | bool]]


def _content(message: StepOutput, chat_id: str, base: str, language: Language) -> Content:
    match message:
        case m.Text():
            name = "output" if message.tone == "answer" else "notice"
            return name, [text_part(message.content, "text/markdown")], {}
        case m.Code():
            code = CodeArtifact(message.content, message.language)
            return "code", [text_part(message.content, code.media_type)], {"language": message.language}
        case m.Error():
            about: dict[str, str | bool] = {"isError": True, "errorCode": message.code or ""}
            return "error", [text_part(message.content)], about
        case m.Image():
            name = message.path or f"{message.file_id}.{message.format}"
            url = base + file_url(chat_id, name, message.file_id)
            return name, [pb.Part(url=url, filename=name, media_type=media_type_of(name))], {}
        case m.Chart(content=chart):
            picture = f"{chart.name}.png"
            url = base + file_url(chat_id, picture, chart.image_id)
            facts = as_json(chart) | {"url": base + file_url(chat_id, f"{chart.name}.json", chart.spec_id)}
            picture_part = pb.Part(url=url, filename=picture, media_type="image/png")
            return picture, [picture_part, data_part(facts)], {"type": "chart"}
        case m.File(content=file):
            if not file.file_id:  # a mention without bytes
                return file.name, [text_part(f"File: {file.name}")], {}
            url = base + file_url(chat_id, file.name, file.file_id)
            return file.name, [pb.Part(url=url, filename=file.name, media_type=file.media_type)], {}
        case m.Json():
            return message.name or "json_output", [data_part(message.content)], {}
        case m.Reading():
            return "reading", [data_part(as_json(message.content))], {"type": "reading"}
        case m.Alternatives(content=content):
            parts = [text_part(content.note), data_part(alternatives_json(content, chat_id, base))]
            return "alternatives", parts, {"type": "alternatives"}
        case m.Table(content=table):
            columns = ", ".join(column.name for column in table.columns)
            summary = f"Table {table.name or table.table_id}: {table.row_count} rows; columns: {columns}"
            if message.is_answer:
                summary += f"\n\n{first_rows(table, language)}"
            table_data = as_json(table) | {"url": base + table_url(chat_id, table.table_id)}
            return table.name or "table", [text_part(summary), data_part(table_data)], {"type": "table"}
        case m.Map() | m.MapFrames() | m.HighlightRoom() | m.Arrow() | m.ClearArrows() | m.ClearMap():
            return message.type, [data_part(as_json(message))], {"type": "map"}
        case m.McpApp() | m.Evidence():
            raise AssertionError(
                "a view is shown on the desk's page only, and evidence is metadata of the task"
            )
        case _:
            assert_never(message)


@dataclass(frozen=True)
class TaskForm:
    """Encoder of one task; `base` (http://host:port) starts the addresses of its files."""

    record: RunRecord
    base: str

    @property
    def context_id(self) -> str:
        return context_of(self.record.options.metadata, self.record.chat_id)

    def task(
        self, status: StatusUpdate, turns: Sequence[Turn], outputs: Sequence[StepOutput] | None
    ) -> pb.Task:
        """Return the complete task; `outputs` of None omits the artifacts."""
        record = self.record
        task = pb.Task(
            id=record.id,
            context_id=self.context_id,
            status=self.status(status),
            history=[self._opening(), *(self._history_message(turn) for turn in turns)],
        )
        if outputs is not None:
            task.artifacts.extend(self._artifact(index, message) for index, message in enumerate(outputs))
        metadata = record.options.metadata or {}
        if about := {name: value for name, value in metadata.items() if not name.startswith(METADATA_PREFIX)}:
            task.metadata.update(about)
        if status.evidence is not None:
            task.metadata.update({"evidence": as_json(status.evidence)})
        return task

    def event(self, update: Update) -> ProtocolEvent:
        """Return the protocol's event for an update."""
        match update:
            case StatusUpdate():
                event = pb.TaskStatusUpdateEvent(
                    task_id=self.record.id, context_id=self.context_id, status=self.status(update)
                )
                if update.evidence is not None:
                    event.metadata.update({"evidence": as_json(update.evidence)})
                return event
            case ArtifactUpdate():
                return pb.TaskArtifactUpdateEvent(
                    task_id=self.record.id,
                    context_id=self.context_id,
                    artifact=self._artifact(update.index, update.message),
                    append=update.append,
                    last_chunk=update.is_final,
                )

    def status(self, update: StatusUpdate) -> pb.TaskStatus:
        """Return the status of an update, with the question or the failure as its message."""
        status = pb.TaskStatus(state=STATES[update.state], timestamp=_time(update.at))
        if update.ask is not None:
            status.message.CopyFrom(self._question(update.ask))
        elif update.failure is not None:
            failure = update.failure
            reason = f"{failure.message} {failure.hint}".strip()
            status.message.CopyFrom(self._message("failure", pb.ROLE_AGENT, [text_part(reason)]))
            status.message.metadata.update({"code": failure.code})
        elif update.reason is not None:
            status.message.CopyFrom(self._message("end", pb.ROLE_AGENT, [text_part(update.reason)]))
        return status

    def _opening(self) -> pb.Message:
        """Return the message that started the task, as its client sent it."""
        metadata = self.record.options.metadata or {}
        message_json = metadata.get(MESSAGE_KEY)
        if not isinstance(
            message_json, dict
        ):  # the task is older than this metadata, or came through another wire
            message_json = {"messageId": metadata.get(f"{METADATA_PREFIX}messageId") or ""}
        return self._user_message("message", message_json, self.record.message)

    def _history_message(self, turn: Turn) -> pb.Message:
        if turn.answer is None:
            return self._question(turn.ask)
        return self._user_message(
            f"{turn.ask.id}-answer", turn.answer.said, answer_text(turn.ask, turn.answer)
        )

    def _user_message(
        self, name: str, message_json: Mapping[str, JsonValue] | None, label: str
    ) -> pb.Message:
        """Return a client's message as it was sent; `label` if its parts are unknown.

        The stored JSON may come from another wire, whose clients choose it, or from an imported log.
        """
        message = self._message(name, pb.ROLE_USER, [])
        with contextlib.suppress(ParseError):
            client_fields = {
                field: value for field, value in (message_json or {}).items() if field in CLIENT_FIELDS
            }
            message.MergeFrom(ParseDict(client_fields, pb.Message()))
        if not message.parts:
            message.parts.append(text_part(label))
        names = iter(self.record.options.attachments or [])
        for part in message.parts:
            if part.HasField("url"):  # a file, which has a name of its own in the chat
                file = quote(next(names, part.url), safe="")
                part.url = f"{self.base}/api/chats/{self.record.chat_id}/files/{file}"
        return message

    def _question(self, ask: e.Ask) -> pb.Message:
        parts = [text_part(question_text(ask)), data_part(question_data(ask))]
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
        language = language_of(self.record.message)
        return artifact_of(message, f"{self.record.id}-{index}", self.record.chat_id, self.base, language)


def question_text(ask: e.Ask) -> str:
    """Return the question as text, with the call that it is about, for clients that read no data."""
    what = {"approval": "May this be called?", "client_tool": "Please do this and give its result."}
    prompt = ask.prompt or what.get(ask.kind, "Input is needed.")
    return (
        prompt if ask.tool is None else f"{prompt}\n{ask.tool}: {as_json_text(with_integers(ask.arguments))}"
    )


def question_data(ask: e.Ask) -> dict[str, Any]:
    """Return the question as data: `askId` names it in an answer."""
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
        "expiresAt": time_text(ask.expires_at),
    }


def answer_text(ask: e.Ask, answer: e.AskClosed) -> str:
    """Return an answer as its client could have sent it; passwords are not in the log."""
    if not answer.granted:
        return f"no: {answer.reason}" if answer.reason else "no"
    if ask.kind == "input" and ask.input_type == "password":
        return "(not shown)"
    value: JsonValue = answer.value
    if value is None or value is True:
        return "yes"
    return value if isinstance(value, str) else as_json_text(value)


def _time(moment: datetime) -> timestamp_pb2.Timestamp:
    """Return a timestamp in milliseconds, the precision of the protocol."""
    time = timestamp_pb2.Timestamp()
    time.FromMilliseconds(int(moment.timestamp() * 1000))
    return time
