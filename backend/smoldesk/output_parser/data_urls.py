"""Extraction of images embedded in text (`data:image/png;base64,...`), so that no event holds megabytes.

The text keeps `[image: NAME]` in their place. Invalid images (broken base64, bytes of another format, too large) stay in
the text. The caller stores the bytes.
"""

import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Format = Literal["png", "jpg", "jpeg", "gif", "bmp", "svg"]

# Maximum bytes of one image; larger ones stay text.
MAX_IMAGE = 20_000_000

_FORMATS: dict[str, Format] = {
    "png": "png",
    "jpg": "jpg",
    "jpeg": "jpg",
    "gif": "gif",
    "bmp": "bmp",
    "x-ms-bmp": "bmp",
    "svg+xml": "svg",
    "svg": "svg",
}
_DATA_URL = re.compile(
    r"data:image/(?P<kind>[a-z+-]{3,9}+)(?:;[a-z0-9=_-]{1,40}+){0,3}?;base64,(?P<data>[A-Za-z0-9+/]*+={0,2})",
    re.IGNORECASE,
)
_MARKDOWN = re.compile(r"!\[[^\[\]\n]{0,500}+\]\([ <]?\Z")
_MARKDOWN_END = re.compile(r">?(?:[ \t]{1,9}\"[^\"\n]{0,500}+\")?[ \t]{0,9}\)")
# Maximum characters of a match of `_MARKDOWN`: it bounds the search before each image.
_LONGEST_MARKDOWN = 510
# First bytes of each format, as in the WHATWG MIME Sniffing standard.
_MAGIC: dict[Format, tuple[bytes, ...]] = {
    "png": (b"\x89PNG\r\n\x1a\n",),
    "jpg": (b"\xff\xd8\xff",),
    "gif": (b"GIF87a", b"GIF89a"),
    "bmp": (b"BM",),
}
_SVG = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*+(?:<\?xml[^>]{0,500}+>\s*+)?(?:<!--[^>]{0,500}+>\s*+)?"
    rb"(?:<!DOCTYPE[^>]{0,500}+>\s*+)?<svg[\s>]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class EmbeddedImage:
    """Image embedded in a text; its first bytes match its format."""

    format: Format
    data: bytes


# Callback that stores an image and returns its name for the text; None leaves the text unchanged.
ImageStore = Callable[[EmbeddedImage], str | None]


def without_images(text: str, store: ImageStore) -> str:
    """Replace the images in `text` with `[image: NAME]`, including the Markdown around them."""
    if "base64," not in text:
        return text
    pieces: list[str] = []
    done = 0
    for data_url in _DATA_URL.finditer(text):
        image = decoded(data_url["kind"], data_url["data"])
        name = store(image) if image else None
        if name is None:
            continue
        start, end = _with_markdown(text, data_url.start(), data_url.end(), done)
        pieces += (text[done:start], f"[image: {name}]")
        done = end
    return "".join([*pieces, text[done:]])


def decoded(kind: str, data: str) -> EmbeddedImage | None:
    """Decode an image; return None if the base64 is invalid or the bytes do not match the format."""
    form = _FORMATS.get(kind.lower())
    # base64 encodes three bytes as four characters.
    if form is None or not data or len(data) > MAX_IMAGE // 3 * 4:
        return None
    try:
        content = binascii.a2b_base64(data, strict_mode=True)
    except binascii.Error:
        return None
    return EmbeddedImage(form, content) if _matches_format(form, content) else None


def _matches_format(form: Format, content: bytes) -> bool:
    if form == "svg":
        return _SVG.match(content) is not None
    return content.startswith(_MAGIC[form])


def _with_markdown(text: str, start: int, end: int, done: int) -> tuple[int, int]:
    """Return the span of the surrounding `![alt](data:...)`, or the image's own span without one."""
    before = _MARKDOWN.search(text, max(done, start - _LONGEST_MARKDOWN), start)
    after = _MARKDOWN_END.match(text, end)
    return (before.start(), after.end()) if before and after else (start, end)
