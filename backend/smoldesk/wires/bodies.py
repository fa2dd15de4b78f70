"""What comes in a request, for every wire: bodies read up to a limit, and the files and metadata of a message, checked.

What cannot be taken is refused rather than left out, for without it this would be another message.
"""

import asyncio
import base64
import binascii
import json
import mimetypes
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_to_bytes

from fastapi import Request
from pydantic import JsonValue

from smoldesk.chats import ToldTurn, Uploads
from smoldesk.errors import BadInput
from smoldesk.folders import checked_name
from smoldesk.messages.strict_json import read_strict_json
from smoldesk.runs.asks.answers import is_deeper

MOST_PARTS = 1_000
MOST_FILES = 20
MOST_METADATA = 16_384
"""Characters of metadata, as JSON."""
DEEPEST = 50
"""Levels of data within each other."""
MOST_TURNS = 40
"""How many turns of a history the desk does not know are told to it: the last ones."""


@dataclass(frozen=True)
class FilePart:
    """A file of a message as some clients write it: a data URL."""

    url: str
    media_type: str
    name: str | None


@dataclass(frozen=True)
class GivenFile:
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


def given_file(name: str, data: bytes, limit: int) -> GivenFile:
    """A file under a name that a folder takes. Raises BadInput when it is empty or has more than `limit` bytes."""
    name = checked_name(name)
    if len(data) > limit:
        raise file_too_large(name, limit)
    if not data:
        raise BadInput(f"The file {name[:80]!r} is empty.", "Expected its bytes.", code="empty_file")
    return GivenFile(name, data)


def file_too_large(name: str, limit: int) -> BadInput:
    """The refusal of one file; `limit` in bytes."""
    return BadInput(f"The file {name[:80]!r} is too large.", f"At most {limit} bytes.", code="too_large")


def checked_metadata(found: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """The same; raises BadInput when it is too large or too deep to be kept with a run."""
    if is_deeper(found, DEEPEST) or len(json.dumps(found)) > MOST_METADATA:
        raise BadInput("`metadata` is too large.", f"At most {MOST_METADATA} characters.", code="too_large")
    return found


def parse_json(text: str | bytes, expected: str) -> Any:
    """Any JSON. Raises BadInput, with `expected` as its hint, for what is none; takes as long as the text is long."""
    try:
        return read_strict_json(text)
    except RecursionError as fault:
        raise BadInput("The JSON is nested too deeply.", expected, code="too_deep") from fault
    except ValueError as fault:
        raise BadInput("This is not JSON.", expected, code="not_json") from fault


def told_turns(said: Iterable[tuple[str, str]], most: int) -> list[ToldTurn]:
    """A history, of (role, text), as turns, the last ones: what a user said and what was answered, `most` characters each."""
    turns: list[tuple[str, str]] = []
    for role, words in said:
        text = words.strip()[:most]
        if role == "user" and text:
            turns.append((text, ""))
        elif role == "assistant" and text and turns:
            question, answer = turns[-1]
            turns[-1] = (question, f"{answer}\n\n{text}".strip()[:most])
    return [ToldTurn(*turn) for turn in turns[-MOST_TURNS:]]


_DATA_URL = re.compile(r"data:([^,]{0,300}),", re.IGNORECASE)


def decoded(parts: Sequence[FilePart], limit: int) -> list[GivenFile]:
    """The files of a message, each at most `limit` bytes. Raises BadInput for any that cannot be one. Pure."""
    check_counts(0, len(parts))
    return [_decoded(part, number, limit) for number, part in enumerate(parts, 1)]


def _decoded(part: FilePart, number: int, limit: int) -> GivenFile:
    ending = mimetypes.guess_extension(part.media_type.partition(";")[0].strip()) or ".bin"
    name = checked_name(part.name or f"file-{number}{ending}")
    head = _DATA_URL.match(part.url)
    if head is None:
        hint = "Expected its bytes: a data: URL. The desk fetches nothing from other servers."
        raise BadInput(f"The file {name[:80]!r} came as an address.", hint, code="not_a_data_url")
    text = part.url[head.end() :]
    if len(text) > 3 * limit:  # percent-encoded, each byte is three characters
        raise file_too_large(name, limit)
    try:
        is_base64 = head[1].lower().endswith(";base64")
        data = base64.b64decode(text, validate=True) if is_base64 else unquote_to_bytes(text)
    except (binascii.Error, ValueError) as fault:
        raise BadInput(f"The file {name[:80]!r} is no valid base64.", "Expected a data: URL.") from fault
    return given_file(name, data, limit)


class Attachments:
    """Puts files of messages into chats."""

    def __init__(self, uploads: Uploads) -> None:
        self._uploads = uploads

    async def read(self, parts: Sequence[FilePart]) -> list[GivenFile]:
        """Raises BadInput; decoded aside, for it takes as long as the files are large."""
        return await asyncio.to_thread(decoded, parts, self._uploads.limit) if parts else []

    async def keep(self, chat_id: str, files: Sequence[GivenFile]) -> list[str]:
        """Take them in; the names they have in the chat. Raises BadInput, or DeskError when the disk will not."""
        return [await self._uploads.keep(chat_id, file.name, file.data) for file in files]
