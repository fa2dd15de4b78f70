"""Addresses of pictures for clients: at the desk, or in the answer itself."""

import base64
from collections.abc import Callable
from pathlib import Path

from smoldesk.events import StoredEvent
from smoldesk.wires.inline_images import data_url, picture_of
from smoldesk.wires.serialization import file_url


def svg_address(svg: str) -> str:
    """Return a drawing as a data: URL."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def picture_address(
    stored: StoredEvent, base: str, path_of: Callable[[str], Path], whole: bool
) -> str | None:
    """Return the address of the picture that an event shows.

    `whole`: a data: URL unless it is large, since a remote browser has no token for the desk. Reads a file: call it
    outside the event loop.
    """
    picture = picture_of(stored)
    if picture is None:
        return None
    name, file_id, media_type = picture
    inline = data_url(path_of(file_id), media_type) if whole else None
    return inline or base + file_url(stored.chat_id, name, file_id)
