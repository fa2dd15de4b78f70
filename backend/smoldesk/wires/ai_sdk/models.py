"""Constructors of the UI message stream's chunks, and a step's code as a tool part.

Chunks have only keys that the strictest client (ai 6.0.0) accepts; absent optional values are left out, never null.
"""

import json
from collections.abc import Mapping
from typing import Any, Literal

from smoldesk.wires.ai_sdk import models as c
from smoldesk.wires.serialization import json_text

# Chunk as JSON data.
Chunk = Mapping[str, Any]

FinishReason = Literal["stop", "error", "other"]
Prose = Literal["text", "reasoning"]

# Last event of every response.
DONE = "data: [DONE]\n\n"


def start(message_id: str | None, metadata: Mapping[str, Any] | None = None) -> Chunk:
    """Start a response. With the id of a message that the client has, it continues that message."""
    chunk: dict[str, Any] = {"type": "start"}
    if message_id is not None:
        chunk["messageId"] = message_id
    if metadata is not None:
        chunk["messageMetadata"] = metadata
    return chunk


def finish(reason: FinishReason, metadata: Mapping[str, Any] | None = None) -> Chunk:
    """Finish the message."""
    chunk: dict[str, Any] = {"type": "finish", "finishReason": reason}
    if metadata is not None:
        chunk["messageMetadata"] = metadata
    return chunk


def start_step() -> Chunk:
    """Start a step of the agent."""
    return {"type": "start-step"}


def finish_step() -> Chunk:
    """Finish the step."""
    return {"type": "finish-step"}


def abort() -> Chunk:
    """Report that the response was stopped."""
    return {"type": "abort"}


def error(text: str) -> Chunk:
    """Report that the response failed."""
    return {"type": "error", "errorText": text}


def prose_start(kind: Prose, part_id: str) -> Chunk:
    """Start a text or reasoning part."""
    return {"type": f"{kind}-start", "id": part_id}


def prose_delta(kind: Prose, part_id: str, delta: str) -> Chunk:
    """Append to a text or reasoning part."""
    return {"type": f"{kind}-delta", "id": part_id, "delta": delta}


def prose_end(kind: Prose, part_id: str) -> Chunk:
    """Finish a text or reasoning part."""
    return {"type": f"{kind}-end", "id": part_id}


def input_start(call_id: str, tool: str) -> Chunk:
    """Start the input of a call."""
    return {"type": "tool-input-start", "toolCallId": call_id, "toolName": tool}


def input_delta(call_id: str, delta: str) -> Chunk:
    """Append to the JSON text of a call's input."""
    return {"type": "tool-input-delta", "toolCallId": call_id, "inputTextDelta": delta}


def input_available(call_id: str, tool: str, arguments: Mapping[str, Any]) -> Chunk:
    """Send the complete input of a call."""
    return {"type": "tool-input-available", "toolCallId": call_id, "toolName": tool, "input": arguments}


def approval_request(ask_id: str, call_id: str) -> Chunk:
    """Request a person's approval of a call."""
    return {"type": "tool-approval-request", "approvalId": ask_id, "toolCallId": call_id}


def output_available(call_id: str, output: Any) -> Chunk:
    """Send the output of a call."""
    return {"type": "tool-output-available", "toolCallId": call_id, "output": output}


def output_error(call_id: str, text: str) -> Chunk:
    """Send the error of a call."""
    return {"type": "tool-output-error", "toolCallId": call_id, "errorText": text}


def file(url: str, media_type: str) -> Chunk:
    """Show a file by its address."""
    return {"type": "file", "url": url, "mediaType": media_type}


def data(name: str, value: Any, part_id: str | None = None, transient: bool = False) -> Chunk:
    """Send a custom part. It replaces an earlier part with the same id; clients do not store transient ones."""
    chunk: dict[str, Any] = {"type": f"data-{name}", "data": value}
    if part_id is not None:
        chunk["id"] = part_id
    if transient:
        chunk["transient"] = True
    return chunk


def as_event(chunk: Chunk) -> str:
    """Encode a chunk as a server-sent event, also the text of a frame of /live."""
    return f"data: {json_text(chunk)}\n\n"


# smolagents' name of the tool that runs a step's code.
TOOL = "python_interpreter"


class CodeCell:
    """Code of one step as a tool part. Its input is streamed while the model writes the code."""

    def __init__(self, run_id: str, step: int) -> None:
        self.call_id = f"{run_id}.step{step}"
        self._code = ""
        self._is_started = False
        self._is_ready = False

    def write(self, code: str) -> list[Chunk]:
        """Append code; ignored once the code runs."""
        if self._is_ready:
            return []
        started = self._ensure_started()
        # Clients parse the partial input as JSON while it grows, so the deltas are valid JSON when joined.
        head = "" if self._code else '{"code":"'
        self._code += code
        return [*started, c.input_delta(self.call_id, head + _inside(code))]

    def ready(self, code: str | None = None) -> list[Chunk]:
        """Complete the input with the streamed code, or with `code` if the step has it."""
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
    """Return text escaped for the inside of a JSON string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]
