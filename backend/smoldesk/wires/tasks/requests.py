"""Requests of this wire, read leniently: unknown keys are skipped, malformed values are refused with a message. Pure."""

import base64
import binascii
from typing import Any, cast

from pydantic import JsonValue

from smoldesk.errors import BadInput
from smoldesk.wires.answers import LONGEST_REASON, AnswerInput
from smoldesk.wires.bodies import AttachedFile, check_counts, checked_file, checked_metadata, parse_json
from smoldesk.wires.tasks.models import Malformed, NewTask, Object

EXPECTED = 'Expected {"message": "text"} or {"message": {"role": "user", "parts": [{"type": "text", "text": "..."}]}}.'
# Maximum commas and brackets of a body: parsing time grows with them.
MAX_MARKS = 500_000


def read_json(body: bytes) -> Object:
    """Parse a JSON object. Raises BadInput for another value. Takes time in proportion to the body."""
    if sum(body.count(mark) for mark in (b",", b"[", b"{")) > MAX_MARKS:
        raise BadInput("The body has too many parts.", f"Expected at most {MAX_MARKS}.", code="too_large")
    document = parse_json(body, EXPECTED)
    if not isinstance(document, dict):
        raise Malformed("The body is not a JSON object.", EXPECTED)
    return cast(Object, document)


def read_task(body: Object, file_limit: int, agent: str | None = None) -> NewTask:
    """Read the body of a send; a file has at most `file_limit` bytes. `agent` is the one in the address. Raises
    BadInput.
    """
    message = body.get("message")
    inner = cast(Object, message) if isinstance(message, dict) else {}
    if isinstance(message, str):
        text, files = message, list[AttachedFile]()
    elif inner:
        text, files = _parts(inner, file_limit)
    else:
        raise Malformed("There is no `message`.", EXPECTED)
    if not text.strip() and not files:
        raise Malformed("The message is empty.", EXPECTED)
    context = _first_text([body, inner], "contextId", "context_id")
    named = _first_text([body], "agent") or agent
    message_id = _first_text([body], "clientMessageId", "client_message_id")
    return NewTask(text, files, context, named, message_id, _metadata(body.get("metadata")))


def read_input(body: Object) -> AnswerInput:
    """Read the body of an answer. Raises BadInput."""
    if "input" not in body:
        raise Malformed("There is no `input`.", 'Expected {"input": "..."}.')
    reason = _first_text([body], "reason") or ""
    return AnswerInput(body["input"], _first_text([body], "ask_id", "askId"), reason[:LONGEST_REASON])


def _parts(message: Object, file_limit: int) -> tuple[str, list[AttachedFile]]:
    parts: Any = message.get("parts")
    if not isinstance(parts, list):
        raise Malformed("`parts` of the message is not an array.", EXPECTED)
    check_counts(len(cast("list[Any]", parts)), 0)
    texts: list[str] = []
    files: list[AttachedFile] = []
    for value in cast("list[Any]", parts):
        part = cast(Object, value) if isinstance(value, dict) else {}
        kind: Any = part.get("type", part.get("kind"))
        text: Any = part.get("text")
        if kind == "text" and isinstance(text, str):
            texts.append(text)
        elif kind == "text":
            raise Malformed("A text part has no `text`.", EXPECTED)
        elif kind == "file":
            files.append(_file(part.get("file"), len(files) + 1, file_limit))
        else:
            raise Malformed(f"A part of kind {str(kind)[:40]!r} cannot be taken.", "Expected text or file.")
    check_counts(0, len(files))
    return "\n".join(text for text in texts if text.strip()), files


def _file(value: object, number: int, limit: int) -> AttachedFile:
    file = cast(Object, value) if isinstance(value, dict) else {}
    name = file.get("name")
    name = name if isinstance(name, str) and name.strip() else f"file-{number}.bin"
    encoded = file.get("bytes")
    if not isinstance(encoded, str):
        hint = 'Expected {"name", "bytes"} in base64: the desk fetches nothing from other servers.'
        raise Malformed(f"The file {name[:80]!r} came without its bytes.", hint)
    try:
        data = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        raise Malformed(f"The file {name[:80]!r} is not valid base64.", "Expected its bytes.") from None
    return checked_file(name, data, limit)


def _metadata(value: object) -> dict[str, JsonValue]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Malformed("`metadata` is not a JSON object.", "Expected an object, or none.")
    return checked_metadata(cast("dict[str, JsonValue]", value))


def _first_text(places: list[Object], *names: str) -> str | None:
    """Return the first non-empty of these fields, or None."""
    for place in places:
        for name in names:
            value = place.get(name)
            if value is None or value == "":
                continue
            if not isinstance(value, str) or len(value) > 500:
                raise Malformed(f"`{name}` is not a string of at most 500 characters.")
            return value
    return None
