"""Requests of AG-UI clients: the envelope by the protocol's own model, its messages leniently, since histories may
contain unknown kinds of messages and parts, which are skipped. Pure.
"""

import json
import keyword
from typing import Any, cast

from ag_ui.core import RunAgentInput
from pydantic import JsonValue, ValidationError

from smoldesk.errors import BadInput
from smoldesk.messages.strict_json import read_strict_json
from smoldesk.runs import ClientToolSpec
from smoldesk.runs.asks.answers import is_deeper
from smoldesk.wires.agui.client_state import read_state
from smoldesk.wires.agui.models import ClientMessage, Resolution, RunRequest
from smoldesk.wires.attachments import FilePart
from smoldesk.wires.bodies import DEEPEST, check_text, read_object

EXPECTED = 'Expected a RunAgentInput: {"threadId": "...", "runId": "...", "messages": [...]}.'
# Maximum bytes of a request: it contains the thread's whole history, images included.
BODY_LIMIT = 16 * 1024 * 1024
# Bytes of a request whose messages an interrupt may repeat.
MAX_REPEATED_BYTES = 1024 * 1024
MAX_ID = 500
MAX_TOOLS = 64
MAX_TOOL_NAME = 64
# Maximum characters of one tool's description and schema.
MAX_TOOL_TEXT = 20_000
# Maximum characters of all context, as JSON.
MAX_CONTEXT = 16_000
RESERVED = frozenset(["final_answer", "python_interpreter"])
Object = dict[str, Any]


def read_request(body: bytes) -> RunRequest:
    """Read a request. Raises BadInput for an invalid one or invalid parts."""
    document = read_object(body, BODY_LIMIT, EXPECTED)
    if not isinstance(document.get("messages"), list):
        raise BadInput("There are no `messages`.", EXPECTED, code="missing_field")
    messages = cast("list[Any]", document["messages"])
    try:
        run_input = RunAgentInput.model_validate(document | {"messages": []})
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadInput(f"This is not a RunAgentInput: `{where}`: {first['msg']}.", EXPECTED) from fault
    resume = [
        Resolution(_id(item.interrupt_id, "interruptId"), item.status == "cancelled", item.payload)
        for item in run_input.resume or []
    ]
    context = [{"description": item.description, "value": item.value} for item in run_input.context or []]
    return RunRequest(
        _id(run_input.thread_id, "threadId"),
        _id(run_input.run_id, "runId"),
        [_message(message) for message in messages],
        resume,
        [_tool(item) for item in _at_most(run_input.tools or [], MAX_TOOLS, "tools")],
        _context(context),
        read_state(run_input.state),
        _named(run_input.forwarded_props, "agent"),
        _named(run_input.forwarded_props, "model"),
        messages if len(body) <= MAX_REPEATED_BYTES else None,
    )


def _named(props: object, what: str) -> str | None:
    """Return a choice of `forwardedProps`, which may contain other values."""
    value = cast(Object, props).get(what) if isinstance(props, dict) else None
    return value if isinstance(value, str) and value else None


def _id(value: str, name: str) -> str:
    """Return an id that the client chose. Lone surrogates are refused, since the id is sent back as UTF-8."""
    if not value or len(value) > MAX_ID or not value.isprintable():
        expected = f"Expected printable text of at most {MAX_ID} characters."
        raise BadInput(f"`{name}` is not an id.", expected, code="bad_id")
    return value


def _at_most(values: list[Any], most: int, what: str) -> list[Any]:
    if len(values) > most:
        raise BadInput(f"There are {len(values)} {what}.", f"At most {most}.", code="too_large")
    return values


# --- tools and context -----------------------------------------------------------------------------------------------


def _tool(tool: Any) -> ClientToolSpec:
    name, description = tool.name, tool.description
    if not name.isidentifier() or keyword.iskeyword(name) or len(name) > MAX_TOOL_NAME or name in RESERVED:
        raise BadInput(
            f"A tool cannot be called {name[:80]!r}.",
            f"Expected a name that Python takes, of at most {MAX_TOOL_NAME} characters, and none of: "
            f"{', '.join(sorted(RESERVED))}.",
            code="bad_tool",
        )
    if not isinstance(tool.parameters or {}, dict) or is_deeper(tool.parameters, DEEPEST):
        raise BadInput(
            f"`parameters` of {name} is not a JSON Schema.", "Expected an object.", code="bad_tool"
        )
    schema = cast(Object, tool.parameters or {})
    names = schema.get("properties", {})
    if not isinstance(names, dict) or not all(str(name).isidentifier() for name in cast(Object, names)):
        hint = "Expected `properties` with names that Python takes."
        raise BadInput(f"`parameters` of {name} cannot be used.", hint, code="bad_tool")
    if len(description) + len(json.dumps(schema)) > MAX_TOOL_TEXT:
        raise BadInput(f"The tool {name} is too long.", f"At most {MAX_TOOL_TEXT}.", code="too_large")
    return ClientToolSpec(name=name, description=description, parameters=schema)


def _context(entries: list[dict[str, str]]) -> str:
    if not entries:
        return ""
    text = json.dumps(entries, ensure_ascii=False)
    if len(text) > MAX_CONTEXT:
        raise BadInput("`context` is too long.", f"At most {MAX_CONTEXT} characters.", code="too_large")
    check_text(text, 4 * MAX_CONTEXT)
    return text


# --- messages --------------------------------------------------------------------------------------------------------


def _message(value: Any) -> ClientMessage:
    if not isinstance(value, dict):
        raise BadInput("A message is not a JSON object.", EXPECTED, code="not_an_object")
    message = cast(Object, value)
    content = message.get("content")
    parts = cast("list[Any]", content) if isinstance(content, list) else []
    texts = [content] if isinstance(content, str) else []
    files: list[FilePart] = []
    for part in parts:
        match part:
            case {"type": "text", "text": str(text)}:
                texts.append(text)
            case {"type": "image" | "audio" | "video" | "document", "source": {"value": str()}}:
                files.append(_file(cast(Object, part)))
            case {"type": "binary", "mimeType": str(kind)}:  # releases before 1.0
                files.append(_binary(cast(Object, part), kind))
            case _:
                pass
    error = message.get("error")
    return ClientMessage(
        role=_text(message, "role"),
        id=message_id if (message_id := _text(message, "id")[:MAX_ID]).isprintable() else "",
        text="\n".join(text for text in texts if text.strip()),
        files=files,
        call_id=_text(message, "toolCallId"),
        error=error if isinstance(error, str) else None,
    )


def _file(part: Object) -> FilePart:
    source, about = cast(Object, part["source"]), part.get("metadata")
    name = cast(Object, about).get("filename") if isinstance(about, dict) else None
    kind, value = source.get("mimeType"), source["value"]
    media_type = kind if isinstance(kind, str) else "application/octet-stream"
    url = f"data:{media_type};base64,{value}" if source.get("type") == "data" else value
    return FilePart(url, media_type, name if isinstance(name, str) and name.strip() else None)


def _binary(part: Object, media_type: str) -> FilePart:
    data, name = part.get("data"), part.get("filename")
    url = f"data:{media_type};base64,{data}" if isinstance(data, str) else _text(part, "url")
    return FilePart(url, media_type, name if isinstance(name, str) and name.strip() else None)


def _text(value: Object, name: str) -> str:
    found = value.get(name)
    return found if isinstance(found, str) else ""


def output_of(text: str) -> JsonValue:
    """Return the result of a client's tool: data if its text is a JSON object or array."""
    if not text.lstrip().startswith(("{", "[")):
        return text
    try:
        return read_strict_json(text)
    except (ValueError, RecursionError):
        return text
