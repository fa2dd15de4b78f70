"""Common output of all wires: JSON text, times, media types of images, addresses of files and tables."""

import json
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from smoldesk import messages as m

_IMAGE_TYPES = {"jpg": "image/jpeg", "svg": "image/svg+xml"}


def json_text(value: Any) -> str:
    """Return JSON on one line. NaN and Infinity, which JSON lacks, become null."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # Rare, so the copy without such numbers is made only after the fast way failed.
    except ValueError:
        return json.dumps(_finite(value), ensure_ascii=False, separators=(",", ":"))


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list):
        return [_finite(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def time_text(moment: datetime) -> str:
    """Return a time in UTC with milliseconds, as JavaScript's Date.toISOString does."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def image_type(image_format: str) -> str:
    """Return the media type of an image message's format."""
    return _IMAGE_TYPES.get(image_format, f"image/{image_format}")


def alternatives_json(content: m.AlternativesContent, chat_id: str, base: str = "") -> dict[str, Any]:
    """Return the readings of an unclear request as data: tables, charts, images and files with their addresses.

    `base` starts these (http://host:port).
    """
    data = m.as_json(content)
    for alternative, fields in zip(content.alternatives, data["alternatives"], strict=True):
        for output, facts in zip(alternative.outputs, fields["outputs"], strict=True):
            facts |= {name: base + url for name, url in output_urls(output, chat_id).items()}
    return data


def output_urls(output: m.StepOutput | m.Debug, chat_id: str) -> dict[str, str]:
    """Return the addresses of a message's files by the names that they have on the page's wire."""
    match output:
        case m.Image():
            return {"url": file_url(chat_id, output.path or output.file_id, output.file_id)}
        case m.Table(content=table):
            return {"url": table_url(chat_id, table.table_id)}
        case m.Chart(content=chart):
            return {
                "url": file_url(chat_id, f"{chart.name}.json", chart.spec_id),
                "imageUrl": file_url(chat_id, f"{chart.name}.png", chart.image_id),
            }
        case m.File(content=file) if file.file_id:
            return {"url": file_url(chat_id, file.name, file.file_id)}
        case _:
            return {}


def file_url(chat_id: str, name: str, file_id: str) -> str:
    """Return the address of one stored version of a file."""
    return f"/api/chats/{chat_id}/files/{quote(name, safe='')}?v={file_id}"


def table_url(chat_id: str, table_id: str) -> str:
    """Return the address of a table's pages."""
    return f"/api/chats/{chat_id}/tables/{table_id}"
