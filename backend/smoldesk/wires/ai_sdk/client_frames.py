"""Parsing of client frames of /live in its two dialects; the type of the first frame selects one. Pure.

`message`, `ping`, `interrupt`: one stream, events as text. `send`, `resume`, `abort`: the transport of ai 7, responses by
request id.
"""

from dataclasses import dataclass
from typing import Any, cast

from pydantic import JsonValue

from smoldesk.errors import BadInput
from smoldesk.wires.ai_sdk.requests import (
    ChatRequest,
    Object,
    read_json,
    read_request,
)

EXPECTED = 'Expected a frame such as {"type": "message", "id": "...", "messages": [...]}.'


@dataclass(frozen=True)
class Message:
    """Turn of a client with one stream."""

    request: ChatRequest


@dataclass(frozen=True)
class Ping:
    """Keep-alive, answered with the same timestamp."""

    timestamp: JsonValue


@dataclass(frozen=True)
class Interrupt:
    """Request to stop the current answer; the socket stays open."""

    reason: str


@dataclass(frozen=True)
class Send:
    """Turn of a client whose responses have ids."""

    request_id: str
    request: ChatRequest


@dataclass(frozen=True)
class Resume:
    """Request to resume the response of a chat."""

    request_id: str
    chat_id: str


@dataclass(frozen=True)
class Abort:
    """Request to stop a response."""

    request_id: str


@dataclass(frozen=True)
class SkippedFrame:
    """Frame of a type that the desk ignores, such as audio."""


Plain = Message | Ping | Interrupt
Framed = Send | Resume | Abort
ClientFrame = Plain | Framed | SkippedFrame


class BadFrame(BadInput):
    """Error of a frame with a request id, reported under that id."""

    def __init__(self, request_id: str, fault: BadInput) -> None:
        super().__init__(fault.message, fault.hint, fault.code)
        self.request_id = request_id


def read_frame(text: str | None, data: bytes | None, limit: int) -> ClientFrame:
    """Parse one frame of at most `limit` bytes. Raises BadInput, or BadFrame if it has a request id."""
    if text is None:
        raise BadInput(f"The frame is binary ({len(data or b'')} bytes).", EXPECTED, code="binary_frame")
    frame = read_json(text, limit)
    match frame.get("type"):
        case "message":
            inner = frame.get("data")
            body = cast(Object, inner) if isinstance(inner, dict) and "messages" in inner else frame
            return Message(read_request(body))
        case "ping":
            return Ping(frame.get("timestamp"))
        case "interrupt":
            reason = frame.get("reason")
            return Interrupt(reason if isinstance(reason, str) else "")
        case "tool_result":
            raise BadInput(
                "The desk does not accept `tool_result` frames.",
                "Send a `message` frame with the tool part in its new state.",
                code="not_supported",
            )
        case "send" | "resume" | "abort":
            return _framed(frame)
        case str():
            return SkippedFrame()
        case _:
            raise BadInput("The frame has no `type`.", EXPECTED, code="missing_field")


def _framed(frame: Object) -> Framed:
    request_id = frame.get("requestId")
    if not isinstance(request_id, str):
        raise BadInput("The frame has no `requestId`.", "Expected a string.", code="missing_field")
    if frame["type"] == "abort":
        return Abort(request_id)
    try:
        if frame["type"] == "send":
            return Send(request_id, read_request(frame))
        chat_id: Any = frame.get("id")
        if not isinstance(chat_id, str):
            raise BadInput(
                "The frame has no `id`.", "Expected a chat's id as a string.", code="missing_field"
            )
        return Resume(request_id, chat_id)
    except BadInput as fault:
        raise BadFrame(request_id, fault) from fault
