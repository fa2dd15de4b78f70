"""Images embedded in a run's texts (`data:image/png;base64,...`): stored as files of the chat, and named in the text.

One `EmbeddedImages` serves a run, so that live prints, the model's memory and the step's batch name the same file.
`PrintedPieces` does the same for text in pieces, which may be cut anywhere.
"""

import hashlib
import re
from pathlib import Path

from pydantic import JsonValue

from smoldesk.errors import DeskError
from smoldesk.output_parser import EmbeddedImage, without_images
from smoldesk.output_parser.data_urls import Format
from smoldesk.tools.run_context import RunContext

# End of a text that may be the start of an image: Markdown, a data URL up to its data, or a part of these. The possessive
# quantifiers keep the search linear.
_IMAGE_START = re.compile(
    r"(?:!(?:\[[^\[\]\n]{0,500}+(?:\](?:\([ <]?)?)?)?)?"
    r"(?:data:image/[a-z0-9+;=_-]{0,140}+|data:(?:i(?:m(?:a(?:ge?)?)?)?)?|d(?:a(?:ta?)?)?)?\Z",
    re.IGNORECASE,
)
# Characters searched for such a start: Markdown's 500 and the head of a data URL fit in.
_NEAR = 1_000
_MARK = "base64,"
_DATA = re.compile(r"[A-Za-z0-9+/]*+={0,2}")
# Data of an image, and what Markdown allows between it and its closing bracket.
_DATA_AND_END = re.compile(r"[A-Za-z0-9+/]*+={0,2}>?(?:[ \t]{1,9}(?:\"[^\"\n]{0,500}+\"?)?)?[ \t]{0,9}")


class EmbeddedImages:
    """Images of a run, each stored once; `drain` returns those of the current step."""

    def __init__(self, ctx: RunContext) -> None:
        self._ctx = ctx
        self._names: dict[bytes, str] = {}
        self._entries: list[JsonValue] = []

    def replace_images(self, text: str) -> str:
        """Replace a text's images by their names; they join the step's images."""
        return without_images(text, self._keep)

    def add(self, data: bytes, image_format: Format) -> str:
        """Add an image that came as bytes to those of the step; return its name, "" if it is too large."""
        return self._keep(EmbeddedImage(image_format, data)) or ""

    def know(self, data: bytes, name: str) -> None:
        """Take note of an image that is shown already, as a file of the chat."""
        self._names[hashlib.sha256(data).digest()] = name

    def drain(self) -> list[JsonValue]:
        """Return the images stored since the last call, as a step's response lists them."""
        entries, self._entries = self._entries, []
        return entries

    def _keep(self, image: EmbeddedImage) -> str | None:
        digest = hashlib.sha256(image.data).digest()
        if digest in self._names:
            return self._names[digest]
        name = f"figure-{self._ctx.next_figure()}.{image.format}"
        try:
            stored = self._ctx.keep_bytes(image.data, "figure", name)
        except DeskError:  # too large for a file of a chat: the text keeps its data
            return None
        self._entries.append(image_entry(self._ctx, stored.id, image.format, name))
        self._names[digest] = name
        return name


class PrintedPieces:
    """Printed text in pieces, without its images; a possible start of one waits for the next piece."""

    def __init__(self, images: EmbeddedImages) -> None:
        self._images = images
        self._buffer: list[str] = []
        self._in_data = False

    def feed(self, piece: str) -> str:
        """Add a piece and return the text that is ready, possibly ""."""
        self._buffer.append(piece)
        # joining megabytes of one image at each piece would take quadratic time
        if self._in_data and _DATA.fullmatch(piece):
            return ""
        text = "".join(self._buffer)
        start = _image_start(text)
        self._buffer = [text[start:]]
        self._in_data = _MARK in text[start : start + _NEAR]
        return self._images.replace_images(text[:start])

    def flush(self) -> str:
        """Return the text that was held back; no more pieces come."""
        text, self._buffer, self._in_data = "".join(self._buffer), [], False
        return self._images.replace_images(text)


def _image_start(text: str) -> int:
    """Return the position of a possible start of an image, else the length of the text."""
    mark = text.rfind(_MARK)
    in_data = mark >= 0 and _DATA_AND_END.fullmatch(text, mark + len(_MARK)) is not None
    end = mark if in_data else len(text)
    near = max(0, end - _NEAR)
    match = _IMAGE_START.search(text[near:end])
    return near + match.start() if match and match.group() else len(text)


def image_entry(ctx: RunContext, file_id: str, ending: str, name: str) -> dict[str, JsonValue]:
    """Return a stored image as a step's response lists it."""
    size = png_size(ctx.stored_path(file_id)) if ending == "png" else None
    width, height = size or (None, None)
    return {"file_id": file_id, "format": ending, "path": name, "width": width, "height": height}


def png_size(path: Path) -> tuple[int, int] | None:
    """Return (width, height) in pixels from a PNG's header, None for other files. The page reserves the space by it."""
    with path.open("rb") as file:
        head = file.read(24)
    if len(head) < 24 or head[:8] != b"\x89PNG\r\n\x1a\n" or head[12:16] != b"IHDR":
        return None
    return int.from_bytes(head[16:20]), int.from_bytes(head[20:24])
