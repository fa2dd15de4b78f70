"""What an agent elsewhere sends besides text: data, told as JSON, and files, by their bytes or their address. Pure."""

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
    """A file: its bytes, or where they are said to be."""

    name: str
    content: bytes | None = None
    url: str = ""


def data_text(part: Part) -> str:
    """The data of a part as JSON."""
    return json.dumps(_integers(MessageToDict(part.data)), ensure_ascii=False)


def file_of(part: Part) -> SentFile | None:
    """The file that a part is; None for text and data."""
    if part.HasField("raw"):
        return SentFile(_name(part.filename, part.media_type), part.raw)
    if part.HasField("url"):
        last = part.url.partition("?")[0].partition("#")[0].rpartition("/")[2]
        return SentFile(_name(part.filename or last, part.media_type), url=part.url)
    return None


def _name(original_name: str, media_type: str) -> str:
    """A plain name that keeps what it can of the one that was given."""
    last = re.split(r"[/\\]", original_name)[-1].strip().lstrip(".")
    try:
        return checked_name(last)
    except BadInput:
        return f"file{mimetypes.guess_extension(media_type.partition(';')[0].strip()) or ''}"


def _integers(data: Any) -> Any:
    """Numbers come as floats: those that are whole are told as integers."""
    if isinstance(data, dict):
        return {key: _integers(value) for key, value in data.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(data, list):
        return [_integers(value) for value in data]  # pyright: ignore[reportUnknownVariableType]
    return int(data) if isinstance(data, float) and data.is_integer() else data
