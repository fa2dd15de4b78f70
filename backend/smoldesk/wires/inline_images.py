"""Images of events as data URLs: front ends on another origin cannot load images from the desk."""

import asyncio
import base64
from pathlib import Path

from smoldesk.chats import Files
from smoldesk.events import Shown, StoredEvent, unnested
from smoldesk.messages import Chart, Image
from smoldesk.wires.serialization import image_type

# Largest image in bytes that is sent inside a message.
INLINE_BYTES = 1_000_000


def picture_of(stored: StoredEvent) -> tuple[str, str, str] | None:
    """Return name, file id and media type of the image or chart that an event shows, or None."""
    match unnested(stored.event):
        case Shown(message=Chart(content=chart)):
            return f"{chart.name}.png", chart.image_id, "image/png"
        case Shown(message=Image(file_id=file_id, format=kind, path=path)):
            return path or file_id, file_id, image_type(kind)
        case _:
            return None


def data_url(path: Path, media_type: str) -> str | None:
    """Return a file as a data URL, or None if it is too large or absent. Blocks: call it in a thread."""
    try:
        data = path.read_bytes() if path.stat().st_size <= INLINE_BYTES else None
    except FileNotFoundError:  # another server of the database has it on its disk
        return None
    return None if data is None else f"data:{media_type};base64,{base64.b64encode(data).decode()}"


async def image_url(files: Files, stored: StoredEvent) -> str | None:
    """Return the image of an event as a data URL, or None if it has none, or a large or absent one."""
    picture = picture_of(stored)
    if picture is None:
        return None
    _, file_id, media_type = picture
    return await asyncio.to_thread(data_url, await files.fetch(file_id), media_type)
