"""Pictures of events as data URLs: a front end on another port may show nothing it would have to fetch."""

import asyncio
import base64
from pathlib import Path

from smoldesk.chats import Files
from smoldesk.events import Shown, StoredEvent, unnested
from smoldesk.messages import Chart, Image
from smoldesk.wires.serialization import image_type

# Images up to this size are sent whole.
INLINE_BYTES = 1_000_000


def picture_of(stored: StoredEvent) -> tuple[str, str, str] | None:
    """The name, file id and media type of the image, or of the picture of the chart, that an event shows; None for neither."""
    match unnested(stored.event):
        case Shown(message=Chart(content=chart)):
            return f"{chart.name}.png", chart.image_id, "image/png"
        case Shown(message=Image(file_id=file_id, format=kind, path=path)):
            return path or file_id, file_id, image_type(kind)
        case _:
            return None


def data_url(path: Path, media_type: str) -> str | None:
    """A file as a data URL; None when it is too large or not here. Reads it, so not on the event loop."""
    try:
        data = path.read_bytes() if path.stat().st_size <= INLINE_BYTES else None
    except FileNotFoundError:  # made by another server that keeps it
        return None
    return None if data is None else f"data:{media_type};base64,{base64.b64encode(data).decode()}"


async def image_url(files: Files, stored: StoredEvent) -> str | None:
    """The picture that an event shows as a data URL; None when it is too large, not here, or none."""
    picture = picture_of(stored)
    if picture is None:
        return None
    _, file_id, media_type = picture
    return await asyncio.to_thread(data_url, files.path(file_id), media_type)
