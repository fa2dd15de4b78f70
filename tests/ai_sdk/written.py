"""Streams written by hand, to try the harness with: what a server of the protocol would send, and faults to put in."""

import json
from typing import Any

from tests.ai_sdk.driving import Chunk

DONE = "data: [DONE]"
PAYMENT = {"recipient": "Alice", "amount": 30, "currency": "USD"}


def events(*chunks: Chunk | list[Chunk]) -> list[str]:
    """Each chunk as an event; lists of chunks are flattened."""
    flat: list[Chunk] = []
    for chunk in chunks:
        flat += chunk if isinstance(chunk, list) else [chunk]
    return [f"data: {json.dumps(chunk)}" for chunk in flat]


def start(message_id: str | None = "message-1") -> Chunk:
    return {"type": "start"} if message_id is None else {"type": "start", "messageId": message_id}


def call(call_id: str = "call-1", tool: str = "process_payment", given: Any = PAYMENT) -> list[Chunk]:
    begun = {"type": "tool-input-start", "toolCallId": call_id, "toolName": tool}
    return [begun, begun | {"type": "tool-input-available", "input": given}]


def asks(call_id: str = "call-1") -> Chunk:
    return {"type": "tool-approval-request", "toolCallId": call_id, "approvalId": f"approval-of-{call_id}"}


def step(*chunks: Chunk) -> list[Chunk]:
    return [{"type": "start-step"}, *chunks, {"type": "finish-step"}]


def gives(call_id: str = "call-1", output: Any = None) -> Chunk:
    return {"type": "tool-output-available", "toolCallId": call_id, "output": output or {"success": True}}


def fails(call_id: str = "call-1", why: str = "User denied the tool call") -> Chunk:
    return {"type": "tool-output-error", "toolCallId": call_id, "errorText": why}


def text(said: str = "That is all.", part_id: str = "text-1") -> list[Chunk]:
    return [
        {"type": "text-start", "id": part_id},
        {"type": "text-delta", "id": part_id, "delta": said},
        {"type": "text-end", "id": part_id},
    ]


FINISH: Chunk = {"type": "finish", "finishReason": "stop"}
ASKED_SSE = [*events(start(), call(), asks(), FINISH), DONE]
APPROVED_SSE = [ASKED_SSE, [*events(start(), gives(), text(), FINISH), DONE]]
DENIED_SSE = [ASKED_SSE, [*events(start(), fails(), text(), FINISH), DONE]]
ASKED_BIDI = events(start(), call(), step(asks()))
APPROVED_BIDI = [ASKED_BIDI, [*events(gives(), text(), FINISH), DONE]]
DENIED_BIDI = [ASKED_BIDI, [*events(fails(), text(), FINISH), DONE]]
