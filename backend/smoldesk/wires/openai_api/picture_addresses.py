"""Where a client finds a picture: at the desk, or in the answer itself."""

import base64
from collections.abc import Callable
from pathlib import Path

from smoldesk import messages as m
from smoldesk.events import Shown, StoredEvent
from smoldesk.wires.serialization import file_url, image_type

INLINE_BYTES = 1_000_000
"""A picture up to this size is sent whole where the desk asks for a token, which a browser elsewhere does not carry."""


def svg_address(svg: str) -> str:
    """A drawing as a data: URL."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def picture_of(stored: StoredEvent, base: str, path_of: Callable[[str], Path], whole: bool) -> str | None:
    """The address of the picture that an event shows; with `whole` a data: URL. Reads a file, so not on the event loop."""
    shown = stored.event.message if isinstance(stored.event, Shown) else None
    match shown:
        case m.Image():
            name, file_id, kind = shown.path or shown.file_id, shown.file_id, image_type(shown.format)
        case m.Chart(content=chart):
            name, file_id, kind = f"{chart.name}.png", chart.image_id, "image/png"
        case _:
            return None
    if whole:
        path = path_of(file_id)
        try:
            if path.stat().st_size <= INLINE_BYTES:
                return f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"
        except FileNotFoundError:  # made by another server that keeps it
            pass
    return base + file_url(stored.chat_id, name, file_id)
