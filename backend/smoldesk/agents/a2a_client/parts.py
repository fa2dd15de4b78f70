"""Parts of a remote agent's messages besides text: data, shown as JSON, and files, by content or address. Pure."""

import json
import mimetypes
import re
from dataclasses import dataclass
from typing import Any

from a2a.types import Part
from google.protobuf.json_format import MessageToDict

from smoldesk.errors import BadInput
from smoldesk.folders import checked_name


@dataclass(frozen=True)
class SentFile:
    """One file: its bytes, or the URL to fetch them from."""

    name: str
    content: bytes | None = None
    url: str = ""


def data_text(part: Part) -> str:
    """Return the data of a part as JSON."""
    return json.dumps(_integers(MessageToDict(part.data)), ensure_ascii=False)


def file_of(part: Part) -> SentFile | None:
    """Return the file in a part; None for text and data."""
    if part.HasField("raw"):
        return SentFile(_name(part.filename, part.media_type), part.raw)
    if part.HasField("url"):
        last = part.url.partition("?")[0].partition("#")[0].rpartition("/")[2]
        return SentFile(_name(part.filename or last, part.media_type), url=part.url)
    return None


def _name(original_name: str, media_type: str) -> str:
    """Return a safe file name, as close to the original one as possible."""
    last = re.split(r"[/\\]", original_name)[-1].strip().lstrip(".")
    try:
        return checked_name(last)
    except BadInput:
        return f"file{mimetypes.guess_extension(media_type.partition(';')[0].strip()) or ''}"


def _integers(data: Any) -> Any:
    """Convert whole floats to integers: protobuf's Value has floats alone."""
    if isinstance(data, dict):
        return {key: _integers(value) for key, value in data.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(data, list):
        return [_integers(value) for value in data]  # pyright: ignore[reportUnknownVariableType]
    return int(data) if isinstance(data, float) and data.is_integer() else data
