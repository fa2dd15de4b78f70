"""Images of events as data URLs: a front end on another port may show nothing it would have to fetch."""

import asyncio
import base64

from smoldesk.chats import Files
from smoldesk.events import Shown, StoredEvent
from smoldesk.messages import Chart, Image
from smoldesk.wires.serialization import image_type

INLINE_BYTES = 1_000_000
"""Images up to this size are sent whole."""


async def image_url(files: Files, stored: StoredEvent) -> str | None:
    """The image, or the picture of the chart, that an event shows; None when it is too large, not here, or none."""
    match stored.event:
        case Shown(message=Chart(content=chart)):
            file_id, media_type = chart.image_id, "image/png"
        case Shown(message=Image(file_id=file_id, format=kind)):
            media_type = image_type(kind)
        case _:
            return None
    path = files.path(file_id)

    def read() -> str | None:
        try:
            data = path.read_bytes() if path.stat().st_size <= INLINE_BYTES else None
        except FileNotFoundError:  # made by another server that keeps it
            return None
        return None if data is None else f"data:{media_type};base64,{base64.b64encode(data).decode()}"

    return await asyncio.to_thread(read)
