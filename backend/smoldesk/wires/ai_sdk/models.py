"""The chunks of the UI message stream that this wire sends, each made in one place; the code of a step as a tool part.

Only the keys that the strictest client (ai 6.0.0) accepts; what is optional is left out when it is absent, never null.
"""

import json
from collections.abc import Mapping
from typing import Any, Literal

from smoldesk.wires.ai_sdk import models as c
from smoldesk.wires.serialization import json_text

# One chunk as JSON data.
Chunk = Mapping[str, Any]

FinishReason = Literal["stop", "error", "other"]
Prose = Literal["text", "reasoning"]

# Ends a response.
DONE = "data: [DONE]\n\n"


def start(message_id: str | None, metadata: Mapping[str, Any] | None = None) -> Chunk:
    """Begins a response. With the id of a message that the client has, it goes on with that message."""
    chunk: dict[str, Any] = {"type": "start"}
    if message_id is not None:
        chunk["messageId"] = message_id
    if metadata is not None:
        chunk["messageMetadata"] = metadata
    return chunk


def finish(reason: FinishReason, metadata: Mapping[str, Any] | None = None) -> Chunk:
    """The message is complete."""
    chunk: dict[str, Any] = {"type": "finish", "finishReason": reason}
    if metadata is not None:
        chunk["messageMetadata"] = metadata
    return chunk


def start_step() -> Chunk:
    """A step of the agent begins."""
    return {"type": "start-step"}


def finish_step() -> Chunk:
    """The step is over."""
    return {"type": "finish-step"}


def abort() -> Chunk:
    """The response was stopped."""
    return {"type": "abort"}


def error(text: str) -> Chunk:
    """The response failed."""
    return {"type": "error", "errorText": text}


def prose_start(kind: Prose, part_id: str) -> Chunk:
    """A text, or reasoning, begins."""
    return {"type": f"{kind}-start", "id": part_id}


def prose_delta(kind: Prose, part_id: str, delta: str) -> Chunk:
    """A piece of it."""
    return {"type": f"{kind}-delta", "id": part_id, "delta": delta}


def prose_end(kind: Prose, part_id: str) -> Chunk:
    """It is complete."""
    return {"type": f"{kind}-end", "id": part_id}


def input_start(call_id: str, tool: str) -> Chunk:
    """The arguments of a call begin."""
    return {"type": "tool-input-start", "toolCallId": call_id, "toolName": tool}


def input_delta(call_id: str, delta: str) -> Chunk:
    """A piece of the JSON text of a call's input."""
    return {"type": "tool-input-delta", "toolCallId": call_id, "inputTextDelta": delta}


def input_available(call_id: str, tool: str, arguments: Mapping[str, Any]) -> Chunk:
    """The arguments of a call are complete."""
    return {"type": "tool-input-available", "toolCallId": call_id, "toolName": tool, "input": arguments}


def approval_request(ask_id: str, call_id: str) -> Chunk:
    """A person is asked whether a call may run."""
    return {"type": "tool-approval-request", "approvalId": ask_id, "toolCallId": call_id}


def output_available(call_id: str, output: Any) -> Chunk:
    """What a call gave."""
    return {"type": "tool-output-available", "toolCallId": call_id, "output": output}


def output_error(call_id: str, text: str) -> Chunk:
    """Why a call failed."""
    return {"type": "tool-output-error", "toolCallId": call_id, "errorText": text}


def file(url: str, media_type: str) -> Chunk:
    """A file by its address."""
    return {"type": "file", "url": url, "mediaType": media_type}


def data(name: str, value: Any, part_id: str | None = None, transient: bool = False) -> Chunk:
    """A part of our own. One with the id of an earlier part replaces it; a transient one is told and not kept."""
    chunk: dict[str, Any] = {"type": f"data-{name}", "data": value}
    if part_id is not None:
        chunk["id"] = part_id
    if transient:
        chunk["transient"] = True
    return chunk


def as_event(chunk: Chunk) -> str:
    """The chunk as an event of a stream, which is also how a frame of /live holds it."""
    return f"data: {json_text(chunk)}\n\n"


TOOL = "python_interpreter"


class CodeCell:
    """One step's code as a tool part, from its first character to its run: its input is written while the model writes it."""

    def __init__(self, run_id: str, step: int) -> None:
        self.call_id = f"{run_id}.step{step}"
        self._code = ""
        self._is_started = False
        self._is_ready = False

    def write(self, code: str) -> list[Chunk]:
        """A piece of code; once it runs, nothing is added to it."""
        if self._is_ready:
            return []
        started = self._ensure_started()
        head = "" if self._code else '{"code":"'
        self._code += code
        return [*started, c.input_delta(self.call_id, head + _inside(code))]

    def ready(self, code: str | None = None) -> list[Chunk]:
        """All of the code is there: as it was written, or as `code` when the step tells it."""
        if self._is_ready:
            return []
        self._is_ready = True
        ended = [c.input_delta(self.call_id, '"}')] if self._code else []
        text = code if code is not None else self._code
        return [*self._ensure_started(), *ended, c.input_available(self.call_id, TOOL, {"code": text})]

    def _ensure_started(self) -> list[Chunk]:
        if self._is_started:
            return []
        self._is_started = True
        return [c.input_start(self.call_id, TOOL)]


def _inside(text: str) -> str:
    """A text as it stands between the quotes of a JSON string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]
