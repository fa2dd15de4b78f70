"""Frames that clients of /live send, in either of its two dialects, told apart by the type of the first that has one.

`message`, `ping`, `interrupt`: one stream, events as text. `send`, `resume`, `abort`: the transport that comes with
ai 7, responses by request id. Pure.
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
    """A turn of a client that has one stream."""

    request: ChatRequest


@dataclass(frozen=True)
class Ping:
    """Asks whether the desk is there; answered with the same timestamp."""

    timestamp: JsonValue


@dataclass(frozen=True)
class Interrupt:
    """Stop what is being answered; the socket stays open."""

    reason: str


@dataclass(frozen=True)
class Send:
    """A turn of a client whose responses have ids."""

    request_id: str
    request: ChatRequest


@dataclass(frozen=True)
class Resume:
    """Go on with a response of a chat."""

    request_id: str
    chat_id: str


@dataclass(frozen=True)
class Abort:
    """Stop the response to a request."""

    request_id: str


@dataclass(frozen=True)
class SkippedFrame:
    """A kind this desk has no use for, such as audio."""


Plain = Message | Ping | Interrupt
Framed = Send | Resume | Abort
ClientFrame = Plain | Framed | SkippedFrame


class BadFrame(BadInput):
    """A frame of an id that cannot be obeyed: told to the request it belongs to."""

    def __init__(self, request_id: str, fault: BadInput) -> None:
        super().__init__(fault.message, fault.hint, fault.code)
        self.request_id = request_id


def read_frame(text: str | None, data: bytes | None, limit: int) -> ClientFrame:
    """One frame; `limit` is the most bytes of it. Raises BadInput, as BadFrame for one with a request id."""
    if text is None:
        raise BadInput(f"A binary frame of {len(data or b'')} bytes came.", EXPECTED, code="binary_frame")
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
                "The desk takes no `tool_result` frames.",
                "Answer by a `message` frame with the tool part in its new state.",
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
            raise BadInput("The frame has no `id` of a chat.", "Expected a string.", code="missing_field")
        return Resume(request_id, chat_id)
    except BadInput as fault:
        raise BadFrame(request_id, fault) from fault
