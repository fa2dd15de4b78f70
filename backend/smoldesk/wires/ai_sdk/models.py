"""The chunks of the UI message stream that this wire sends, each made in one place, and their text on the wire.

Only the keys that the strictest client (ai 6.0.0) accepts; what is optional is left out when it is absent, never null.
"""

import json
import math
from collections.abc import Mapping
from typing import Any, Literal

Chunk = Mapping[str, Any]
"""One chunk as JSON data."""

FinishReason = Literal["stop", "error", "other"]

DONE = "data: [DONE]\n\n"
"""Ends a response."""


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


def text_start(text_id: str) -> Chunk:
    """A text begins."""
    return {"type": "text-start", "id": text_id}


def text_delta(text_id: str, delta: str) -> Chunk:
    """A piece of a text."""
    return {"type": "text-delta", "id": text_id, "delta": delta}


def text_end(text_id: str) -> Chunk:
    """The text is complete."""
    return {"type": "text-end", "id": text_id}


def reasoning_start(reasoning_id: str) -> Chunk:
    """Reasoning begins."""
    return {"type": "reasoning-start", "id": reasoning_id}


def reasoning_delta(reasoning_id: str, delta: str) -> Chunk:
    """A piece of reasoning."""
    return {"type": "reasoning-delta", "id": reasoning_id, "delta": delta}


def reasoning_end(reasoning_id: str) -> Chunk:
    """The reasoning is complete."""
    return {"type": "reasoning-end", "id": reasoning_id}


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


def as_json(value: Any) -> str:
    """JSON text on one line. JSON has no NaN and no Infinity: they become null."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), ensure_ascii=False, separators=(",", ":"))


def as_event(chunk: Chunk) -> str:
    """The chunk as an event of a stream, which is also how a frame of /live holds it."""
    return f"data: {as_json(chunk)}\n\n"


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list):
        return [_finite(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return None if isinstance(value, float) and not math.isfinite(value) else value
