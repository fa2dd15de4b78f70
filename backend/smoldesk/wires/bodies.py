"""What comes in a request, for every wire: bodies read up to a limit, and the files and metadata of a message, checked.

What cannot be taken is refused rather than left out, for without it this would be another message.
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

MOST_PARTS = 1_000
MOST_FILES = 20
# Characters of metadata, as JSON.
MOST_METADATA = 16_384
# Commas and brackets of a body: reading one holds everybody up for as long as there are things in it.
MOST_MARKS = 500_000
# Levels of data within each other.
DEEPEST = 50


@dataclass(frozen=True)
class AttachedFile:
    """A file that came with a message."""

    name: str
    data: bytes


def body_too_large(limit: int) -> BadInput:
    """The refusal of a body; `limit` in bytes."""
    return BadInput("The body is too large.", f"At most {limit} bytes.", code="too_large")


async def read_bounded(
    request: Request, limit: int, refusal: Callable[[int], BadInput] = body_too_large
) -> bytes:
    """At most `limit` bytes; raises the refusal as soon as there are more."""
    pieces: list[bytes] = []
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size > limit:
            raise refusal(limit)
        pieces.append(piece)
    return b"".join(pieces)


def check_counts(parts: int, files: int) -> None:
    """Raises BadInput for a message of too many parts or files."""
    if parts > MOST_PARTS:
        raise BadInput("The message has too many parts.", f"At most {MOST_PARTS}.", code="too_large")
    if files > MOST_FILES:
        raise BadInput(f"{files} files came in one message.", f"At most {MOST_FILES}.", code="too_large")


def check_text(text: str, limit: int) -> None:
    """Raises BadInput for a message of more than `limit` bytes."""
    if len(text.encode("utf-8", "replace")) > limit:
        raise BadInput("The message is too long.", f"At most {limit} bytes.", code="too_large")


def checked_file(name: str, data: bytes, limit: int) -> AttachedFile:
    """A file under a name that a folder takes. Raises BadInput when it is empty or has more than `limit` bytes."""
    name = checked_name(name)
    if len(data) > limit:
        raise file_too_large(name, limit)
    if not data:
        raise BadInput(f"The file {name[:80]!r} is empty.", "Expected its bytes.", code="empty_file")
    return AttachedFile(name, data)


def file_too_large(name: str, limit: int) -> BadInput:
    """The refusal of one file; `limit` in bytes."""
    return BadInput(f"The file {name[:80]!r} is too large.", f"At most {limit} bytes.", code="too_large")


def checked_metadata(metadata: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """The same; raises BadInput when it is too large or too deep to be kept with a run."""
    if is_deeper(metadata, DEEPEST) or len(json.dumps(metadata)) > MOST_METADATA:
        raise BadInput("`metadata` is too large.", f"At most {MOST_METADATA} characters.", code="too_large")
    return metadata


def parse_json(text: str | bytes, expected: str) -> Any:
    """Any JSON. Raises BadInput, with `expected` as its hint, for what is none; takes as long as the text is long."""
    try:
        return read_strict_json(text)
    except RecursionError as fault:
        raise BadInput("The JSON is nested too deeply.", expected, code="too_deep") from fault
    except ValueError as fault:
        raise BadInput("This is not JSON.", expected, code="not_json") from fault


def read_object(
    text: str | bytes, limit: int, expected: str, refusal: Callable[[int], BadInput] = body_too_large
) -> dict[str, Any]:
    """A JSON object of at most `limit` bytes. Raises BadInput, with `expected` as its hint, or the refusal of a long one."""
    size = len(text) if isinstance(text, bytes) else len(text.encode("utf-8", "surrogatepass"))
    if size > limit:
        raise refusal(limit)
    marks = (b",", b"[", b"{") if isinstance(text, bytes) else (",", "[", "{")
    if sum(text.count(cast(Any, mark)) for mark in marks) > MOST_MARKS:
        raise BadInput(
            "The request has too many parts to be read.", f"At most {MOST_MARKS}.", code="too_large"
        )
    value = parse_json(text, expected)
    if not isinstance(value, dict):
        raise BadInput("The request is no JSON object.", expected, code="not_an_object")
    return cast("dict[str, Any]", value)
