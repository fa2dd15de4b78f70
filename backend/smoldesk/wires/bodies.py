"""Request bodies with limits, and checks of a message's files and metadata, for every wire.

Invalid parts are refused rather than dropped: without them the message would have another meaning.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from fastapi import Request
from pydantic import JsonValue

from smoldesk.errors import BadInput
from smoldesk.folders import checked_name
from smoldesk.messages.strict_json import read_strict_json
from smoldesk.runs.asks.answers import is_deeper

MAX_PARTS = 1_000
MAX_FILES = 20
# Longest metadata, in characters of JSON.
MAX_METADATA = 16_384
# Maximum commas and opening brackets in a body. Parsing JSON holds the GIL, for a time that grows with its values.
MAX_MARKS = 500_000
# Deepest nesting of data.
DEEPEST = 50


@dataclass(frozen=True)
class AttachedFile:
    """File of a message."""

    name: str
    data: bytes


def body_too_large(limit: int) -> BadInput:
    """Return the error for a body above `limit` bytes."""
    return BadInput("The body is too large.", f"At most {limit} bytes.", code="too_large")


async def read_bounded(
    request: Request, limit: int, refusal: Callable[[int], BadInput] = body_too_large
) -> bytes:
    """Read a body of at most `limit` bytes. Raises the refusal as soon as more arrive."""
    pieces: list[bytes] = []
    size = 0
    # Counted while it arrives: chunked requests have no Content-Length.
    async for piece in request.stream():
        size += len(piece)
        if size > limit:
            raise refusal(limit)
        pieces.append(piece)
    return b"".join(pieces)


def check_counts(parts: int, files: int) -> None:
    """Raise BadInput if a message has too many parts or files."""
    if parts > MAX_PARTS:
        raise BadInput("The message has too many parts.", f"At most {MAX_PARTS}.", code="too_large")
    if files > MAX_FILES:
        raise BadInput(f"The message has {files} files.", f"At most {MAX_FILES}.", code="too_large")


def check_text(text: str, limit: int) -> None:
    """Raise BadInput if a message has more than `limit` bytes."""
    if len(text.encode("utf-8", "replace")) > limit:
        raise BadInput("The message is too long.", f"At most {limit} bytes.", code="too_large")


def checked_file(name: str, data: bytes, limit: int) -> AttachedFile:
    """Return a file with a valid name. Raises BadInput if it is empty or larger than `limit` bytes."""
    name = checked_name(name)
    if len(data) > limit:
        raise file_too_large(name, limit)
    if not data:
        raise BadInput(f"The file {name[:80]!r} is empty.", "Expected its bytes.", code="empty_file")
    return AttachedFile(name, data)


def file_too_large(name: str, limit: int) -> BadInput:
    """Return the error for a file above `limit` bytes."""
    return BadInput(f"The file {name[:80]!r} is too large.", f"At most {limit} bytes.", code="too_large")


def checked_metadata(metadata: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """Return the metadata. Raises BadInput if it is too large or too deep to be stored with a run."""
    if is_deeper(metadata, DEEPEST) or len(json.dumps(metadata)) > MAX_METADATA:
        raise BadInput("`metadata` is too large.", f"At most {MAX_METADATA} characters.", code="too_large")
    return metadata


def parse_json(text: str | bytes, expected: str) -> Any:
    """Parse JSON. Raises BadInput with `expected` as its hint. Run it in a thread for long texts."""
    try:
        return read_strict_json(text)
    except RecursionError as fault:
        raise BadInput("The JSON is nested too deeply.", expected, code="too_deep") from fault
    except ValueError as fault:
        raise BadInput("This is not JSON.", expected, code="not_json") from fault


def read_object(
    text: str | bytes, limit: int, expected: str, refusal: Callable[[int], BadInput] = body_too_large
) -> dict[str, Any]:
    """Parse a JSON object of at most `limit` bytes. Raises BadInput with `expected` as its hint, or the refusal."""
    size = len(text) if isinstance(text, bytes) else len(text.encode("utf-8", "surrogatepass"))
    if size > limit:
        raise refusal(limit)
    marks = (b",", b"[", b"{") if isinstance(text, bytes) else (",", "[", "{")
    if sum(text.count(cast(Any, mark)) for mark in marks) > MAX_MARKS:
        raise BadInput("The request has too many values.", f"At most {MAX_MARKS}.", code="too_large")
    value = parse_json(text, expected)
    if not isinstance(value, dict):
        raise BadInput("The request is not a JSON object.", expected, code="not_an_object")
    return cast("dict[str, Any]", value)
