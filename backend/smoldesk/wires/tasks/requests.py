"""What clients of this wire send, read with patience: unknown keys are skipped, what is malformed is refused in words. Pure."""

import base64
import binascii
import json
import math
import re
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import JsonValue

from smoldesk.errors import BadInput
from smoldesk.folders import checked_name
from smoldesk.messages.surrogates import without_surrogates
from smoldesk.runs.asks.answers import is_deeper
from smoldesk.wires.answers import LONGEST_REASON, GivenInput

EXPECTED = 'Expected {"message": "text"} or {"message": {"role": "user", "parts": [{"type": "text", "text": "..."}]}}.'
MOST_MARKS = 500_000
"""Commas and brackets of a body: there is something to do for each."""
MOST_PARTS = 1_000
MOST_FILES = 20
MOST_METADATA = 16_384
"""Characters of metadata, as JSON."""
DEEPEST = 50
WHOLE = 1 << 62

Object = dict[str, Any]


class Malformed(BadInput):
    """Well-formed JSON that is not what this wire takes."""


@dataclass(frozen=True)
class GivenFile:
    name: str
    data: bytes


@dataclass(frozen=True)
class NewTask:
    """A message to begin a task with; `context` is the chat to go on in, `message_id` what the client calls it."""

    text: str
    files: list[GivenFile] = field(default_factory=list[GivenFile])
    context: str | None = None
    agent: str | None = None
    message_id: str | None = None
    metadata: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])


@dataclass(frozen=True, order=True)
class Place:
    """Up to where a follower has the task: all updates of the events up to `seq`, of the last one the first `part`."""

    seq: int
    part: int = WHOLE

    def __str__(self) -> str:
        return str(self.seq) if self.part == WHOLE else f"{self.seq}.{self.part}"

    @classmethod
    def read(cls, text: str) -> "Place":
        """A place from the id of an event. Raises BadInput."""
        found = re.fullmatch(r"([0-9]{1,18})(?:\.([0-9]{1,4}))?", text.strip())
        if found is None:
            raise BadInput(f"{text[:40]!r} is no place in a task.", "Expected the id of an event.")
        return cls(int(found[1]), int(found[2]) if found[2] else WHOLE)


START = Place(0)


def read_json(body: bytes) -> Object:
    """A JSON object. Raises BadInput when it is none; takes as long as the body is large."""
    if sum(body.count(mark) for mark in (b",", b"[", b"{")) > MOST_MARKS:
        raise BadInput("The body has too many parts.", f"Expected at most {MOST_MARKS}.", code="too_large")
    try:
        found: Any = without_surrogates(json.loads(body, parse_constant=_finite, parse_float=_finite))
    except RecursionError:
        raise BadInput("The JSON is nested too deeply.", EXPECTED) from None
    except ValueError:
        raise BadInput("The body is not JSON.", EXPECTED) from None
    if not isinstance(found, dict):
        raise Malformed("The body is no JSON object.", EXPECTED)
    return cast(Object, found)


def read_task(body: Object, file_limit: int, agent: str | None = None) -> NewTask:
    """The body of a send; a file has at most `file_limit` bytes. `agent` is the one the address names. Raises BadInput."""
    message = body.get("message")
    inner = cast(Object, message) if isinstance(message, dict) else {}
    if isinstance(message, str):
        words, files = message, list[GivenFile]()
    elif inner:
        words, files = _parts(inner, file_limit)
    else:
        raise Malformed("There is no `message`.", EXPECTED)
    if not words.strip() and not files:
        raise Malformed("The message is empty.", EXPECTED)
    context = _first_text([body, inner], "contextId", "context_id")
    named = _first_text([body], "agent") or agent
    message_id = _first_text([body], "clientMessageId", "client_message_id")
    return NewTask(words, files, context, named, message_id, _metadata(body.get("metadata")))


def read_input(body: Object) -> GivenInput:
    """The body of an answer. Raises BadInput."""
    if "input" not in body:
        raise Malformed("There is no `input`.", 'Expected {"input": "..."}.')
    reason = _first_text([body], "reason") or ""
    return GivenInput(body["input"], _first_text([body], "ask_id", "askId"), reason[:LONGEST_REASON])


def _parts(message: Object, file_limit: int) -> tuple[str, list[GivenFile]]:
    parts: Any = message.get("parts")
    if not isinstance(parts, list):
        raise Malformed("`parts` of the message is no array.", EXPECTED)
    if len(cast("list[Any]", parts)) > MOST_PARTS:
        raise BadInput("The message has too many parts.", f"At most {MOST_PARTS}.", code="too_large")
    texts: list[str] = []
    files: list[GivenFile] = []
    for value in cast("list[Any]", parts):
        part = cast(Object, value) if isinstance(value, dict) else {}
        kind: Any = part.get("type", part.get("kind"))
        words: Any = part.get("text")
        if kind == "text" and isinstance(words, str):
            texts.append(words)
        elif kind == "text":
            raise Malformed("A text part has no `text`.", EXPECTED)
        elif kind == "file":
            files.append(_file(part.get("file"), len(files) + 1, file_limit))
        else:
            raise Malformed(f"A part of kind {str(kind)[:40]!r} cannot be taken.", "Expected text or file.")
    if len(files) > MOST_FILES:
        raise BadInput(f"{len(files)} files came in one message.", f"At most {MOST_FILES}.", code="too_large")
    return "\n".join(words for words in texts if words.strip()), files


def _file(value: object, number: int, limit: int) -> GivenFile:
    file = cast(Object, value) if isinstance(value, dict) else {}
    name = file.get("name")
    name = checked_name(name if isinstance(name, str) and name.strip() else f"file-{number}.bin")
    encoded = file.get("bytes")
    if not isinstance(encoded, str):
        hint = 'Expected {"name", "bytes"} in base64: the desk fetches nothing from other servers.'
        raise Malformed(f"The file {name[:80]!r} came without its bytes.", hint)
    try:
        data = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        raise Malformed(f"The file {name[:80]!r} is no valid base64.", "Expected its bytes.") from None
    if len(data) > limit:
        raise BadInput(f"The file {name[:80]!r} is too large.", f"At most {limit} bytes.", code="too_large")
    if not data:
        raise Malformed(f"The file {name[:80]!r} is empty.", "Expected its bytes.")
    return GivenFile(name, data)


def _metadata(value: object) -> dict[str, JsonValue]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Malformed("`metadata` is no JSON object.", "Expected an object, or none.")
    found = cast("dict[str, JsonValue]", value)
    if is_deeper(found, DEEPEST) or len(json.dumps(found)) > MOST_METADATA:
        raise BadInput("`metadata` is too large.", f"At most {MOST_METADATA} characters.", code="too_large")
    return found


def _first_text(places: list[Object], *names: str) -> str | None:
    """The first of these fields that is there; empty is as if it were not."""
    for place in places:
        for name in names:
            value = place.get(name)
            if value is None or value == "":
                continue
            if not isinstance(value, str) or len(value) > 500:
                raise Malformed(f"`{name}` is no text.", "Expected at most 500 characters.")
            return value
    return None


def _finite(number: str) -> float:
    """JSON has no NaN and no Infinity, and 1e999 is one. Raises ValueError."""
    if not math.isfinite(value := float(number)):
        raise ValueError(f"{number[:20]} is no number of JSON")
    return value
