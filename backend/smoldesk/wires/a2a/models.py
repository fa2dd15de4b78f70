"""Values of this wire: incoming messages, turns of a task, states, and the desk's address for a client."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from a2a.server.context import ServerCallContext
from a2a.types import a2a_pb2 as pb
from pydantic import JsonValue
from starlette.requests import Request

from smoldesk import events as e
from smoldesk.wires.bodies import AttachedFile
from smoldesk.wires.task_projection import (
    State,
)

DEPTH = "smoldesk/depth"

# Prefix of this wire's entries in a run's metadata, next to the client's.
METADATA_PREFIX = "a2a/"
MESSAGE_KEY = f"{METADATA_PREFIX}message"


@dataclass(frozen=True)
class IncomingMessage:
    """A message. `data` are the contents of its data parts; `key` is the same for the same message sent again.

    `message_json` is the message itself as JSON of the protocol, for the task's history; of its files, the names.
    """

    message_id: str
    text: str
    files: list[AttachedFile]
    data: list[JsonValue]
    context_id: str | None
    task_id: str | None
    depth: int
    key: str
    message_json: dict[str, JsonValue]
    metadata: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])

    def run_metadata(self) -> dict[str, JsonValue]:
        """Return the metadata of the run that it starts: the client's, and what this wire reads again later."""
        desk_metadata: dict[str, JsonValue] = {MESSAGE_KEY: self.message_json}
        if self.context_id is not None:
            desk_metadata[f"{METADATA_PREFIX}contextId"] = self.context_id
        if self.depth:
            desk_metadata[DEPTH] = self.depth
        return self.metadata | desk_metadata

    def prompt(self) -> str:
        """Return the prompt: the text, then each data part as JSON."""
        return "\n\n".join([*filter(None, [self.text]), *(as_json_text(value) for value in self.data)])


def as_json_text(value: JsonValue) -> str:
    """Return data as JSON, without escapes."""
    return json.dumps(value, ensure_ascii=False)


def context_of(metadata: Mapping[str, JsonValue] | None, chat_id: str) -> str:
    """Return the context id of a run: the client's own name for the chat, else the chat's id."""
    context_id = (metadata or {}).get(f"{METADATA_PREFIX}contextId")
    return context_id if isinstance(context_id, str) else chat_id


STATES: dict[State, pb.TaskState] = {
    "submitted": pb.TASK_STATE_SUBMITTED,
    "working": pb.TASK_STATE_WORKING,
    "input_required": pb.TASK_STATE_INPUT_REQUIRED,
    "completed": pb.TASK_STATE_COMPLETED,
    "failed": pb.TASK_STATE_FAILED,
    "canceled": pb.TASK_STATE_CANCELED,
}

ProtocolEvent = pb.TaskStatusUpdateEvent | pb.TaskArtifactUpdateEvent


@dataclass(frozen=True)
class Turn:
    """Message within a task: a question of the run, or the answer to it."""

    ask: e.Ask
    answer: e.AskClosed | None = None


BASE = "base"


def base_of(request: Request) -> str:
    """Return the http://host:port of a request, whose host was checked."""
    return str(request.base_url).rstrip("/")


def base_in(context: ServerCallContext) -> str:
    """Return the stored address; empty if unknown."""
    address: Any = context.state.get(BASE, "")
    return str(address)
