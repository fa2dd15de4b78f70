"""The values of this wire: a task that is asked for, a place in its updates."""

import re
from dataclasses import dataclass, field
from typing import Any

from pydantic import JsonValue

from smoldesk.errors import BadInput
from smoldesk.wires.bodies import AttachedFile

EVENT_END = 1 << 62

Object = dict[str, Any]


class Malformed(BadInput):
    """Well-formed JSON that is not what this wire takes."""


@dataclass(frozen=True)
class NewTask:
    """A message to begin a task with; `context` is the chat to go on in, `message_id` what the client calls it."""

    text: str
    files: list[AttachedFile] = field(default_factory=list[AttachedFile])
    context: str | None = None
    agent: str | None = None
    message_id: str | None = None
    metadata: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])


@dataclass(frozen=True, order=True)
class TaskPosition:
    """Up to where a follower has the task: all updates of the events up to `seq`, of the last one the first `part`."""

    seq: int
    part: int = EVENT_END

    def __str__(self) -> str:
        return str(self.seq) if self.part == EVENT_END else f"{self.seq}.{self.part}"

    @classmethod
    def read(cls, text: str) -> "TaskPosition":
        """Parse a position from the id of an event. Raises BadInput."""
        match = re.fullmatch(r"([0-9]{1,18})(?:\.([0-9]{1,4}))?", text.strip())
        if match is None:
            raise BadInput(f"{text[:40]!r} is not a position in a task.", "Expected the id of an event.")
        return cls(int(match[1]), int(match[2]) if match[2] else EVENT_END)


START = TaskPosition(0)


Artifact = dict[str, Any]
