"""Parsing of AI SDK requests: unknown types and keys are skipped, malformed ones raise BadInput.

Nothing here is trusted: a message is the client's view, which `request_handling` compares with the stored asks.
"""

from dataclasses import dataclass, field
from typing import Any, Literal, cast

from pydantic import JsonValue
from starlette.requests import HTTPConnection

from smoldesk.agents import AgentList
from smoldesk.errors import BadInput, NotFound
from smoldesk.messages.strict_json import read_strict_json
from smoldesk.runs import RunOptions
from smoldesk.wires.attachments import FilePart
from smoldesk.wires.bodies import read_object

EXPECTED = (
    'Expected {"id": "...", "messages": [{"role": "user", "parts": [{"type": "text", "text": "..."}]}]}.'
)
# Largest request in bytes: clients send the complete history with each message, images included.
BODY_LIMIT = 16 * 1024 * 1024
MAX_ID = 500

Object = dict[str, Any]


@dataclass(frozen=True)
class ToolPart:
    """Tool call in the client's view; `approved` is None if the part has no approval.

    `output` is valid in the state output-available, `error_text` in output-error.
    """

    call_id: str
    state: str
    approval_id: str | None = None
    approved: bool | None = None
    reason: str = ""
    output: JsonValue = None
    error_text: str = ""


@dataclass(frozen=True)
class ClientMessage:
    """Message in the client's view."""

    role: str
    id: str | None = None
    text: str = ""
    files: list[FilePart] = field(default_factory=list[FilePart])
    tools: list[ToolPart] = field(default_factory=list[ToolPart])


@dataclass(frozen=True)
class ChatRequest:
    """Turn of a chat; `chat_id` is the client's id of the chat."""

    chat_id: str | None
    messages: list[ClientMessage]
    trigger: Literal["submit-message", "regenerate-message"] = "submit-message"
    message_id: str | None = None


def read_json(text: str | bytes, limit: int) -> Object:
    """Parse a JSON object of at most `limit` bytes. Raises BadInput."""
    return read_object(text, limit, EXPECTED, too_large)


def too_large(limit: int) -> BadInput:
    """Return the error for a request above `limit` bytes."""
    hint = (
        f"At most {limit} bytes. The desk stores the chat, so the last message alone is enough "
        "(prepareSendMessagesRequest)."
    )
    return BadInput("The request is too long.", hint, code="too_large")


def read_request(body: Object) -> ChatRequest:
    """Parse the body of POST /stream, or the same object in a frame. Raises BadInput."""
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise BadInput("`messages` is missing or empty.", EXPECTED, code="missing_field")
    trigger = body.get("trigger")
    return ChatRequest(
        chat_id=_id(body, "id"),
        messages=[_message(message) for message in cast("list[Any]", messages)],
        trigger="regenerate-message" if trigger == "regenerate-message" else "submit-message",
        message_id=_id(body, "messageId"),
    )


# --- messages and their parts --------------------------------------------------------------------------------------


def _message(value: Any) -> ClientMessage:
    message = _object(value, "A message")
    content = message.get("content")
    parts = message.get("parts", content if isinstance(content, list) else [])
    if not isinstance(parts, list):
        raise BadInput("`parts` of a message is not an array.", EXPECTED, code="wrong_type")
    texts: list[str] = []
    files: list[FilePart] = []
    tools: list[ToolPart] = []
    for value in cast("list[Any]", parts):
        part = _object(value, "A part of a message")
        match part.get("type"):
            case "text":
                texts.append(_text(part, "text"))
            case "file":
                files.append(_file(part))
            case str(kind) if kind == "dynamic-tool" or kind.startswith("tool-"):
                tools += _tool(part)
            case _:
                pass
    if not texts and isinstance(content, str):
        texts.append(content)
    role = message.get("role")
    return ClientMessage(
        role=role if isinstance(role, str) else "",
        id=_id(message, "id"),
        text="\n".join(text for text in texts if text.strip()),
        files=files,
        tools=tools,
    )


def _tool(part: Object) -> list[ToolPart]:
    """Parse a tool part with a state; older clients sent parts without one, which are skipped."""
    state = part.get("state")
    if not isinstance(state, str):
        return []
    approval = part.get("approval")
    approval = cast(Object, approval) if isinstance(approval, dict) else {}
    approved, reason, error = approval.get("approved"), approval.get("reason"), part.get("errorText")
    if state == "output-denied" and approved is None:
        approved = False
    return [
        ToolPart(
            call_id=_text(part, "toolCallId"),
            state=state,
            approval_id=_id(approval, "id"),
            approved=approved if isinstance(approved, bool) else None,
            reason=reason if isinstance(reason, str) else "",
            output=_output(part.get("output")),
            error_text=error if isinstance(error, str) else "",
        )
    ]


def _output(value: JsonValue) -> JsonValue:
    """Return the output of a client's tool; some clients send objects as JSON text."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return value
    try:
        return read_strict_json(value)
    except (ValueError, RecursionError):
        return value


def _file(part: Object) -> FilePart:
    media_type, name = part.get("mediaType"), part.get("filename")
    return FilePart(
        url=_text(part, "url"),
        media_type=media_type if isinstance(media_type, str) else "application/octet-stream",
        name=name if isinstance(name, str) and name.strip() else None,
    )


# --- values --------------------------------------------------------------------------------------------------------


def _object(value: Any, what: str) -> Object:
    if not isinstance(value, dict):
        raise BadInput(f"{what} is not a JSON object.", EXPECTED, code="not_an_object")
    return cast(Object, value)


def _text(part: Object, name: str) -> str:
    value = part.get(name)
    if not isinstance(value, str):
        raise BadInput(
            f"`{name}` of a {str(part.get('type'))[:40]!r} part is not a string.", EXPECTED, code="wrong_type"
        )
    return value


def _id(value: Object, name: str) -> str | None:
    """Return a client's id, any string of at most MAX_ID characters, or None if it is absent or empty."""
    client_id = value.get(name)
    if client_id is None or client_id == "":
        return None
    if not isinstance(client_id, str) or len(client_id) > MAX_ID:
        raise BadInput(
            f"`{name}` is not a valid id.",
            f"Expected a string of at most {MAX_ID} characters.",
            code="bad_id",
        )
    return client_id


def run_options(
    connection: HTTPConnection, agent_list: AgentList, order: Literal["together", "one_by_one"]
) -> RunOptions:
    """Return the options of a run with the agent in `?agent=NAME`, `tools` by default. Raises BadInput."""
    agent = connection.query_params.get("agent", "tools")
    try:
        return RunOptions(agent=agent_list.get(agent).name, order=order)
    except NotFound as fault:
        raise BadInput(fault.message, fault.hint, code=fault.code) from fault
