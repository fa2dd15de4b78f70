"""Floor images: what they are by their bytes, and whether they can be shown. PNG, JPEG and WebP are taken."""

import io
from pathlib import Path
from typing import Any

from .draft import Json, clipped
from .findings import Findings

MAX_PIXELS = 60_000_000
TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
EXPECTED = "Send PNG, JPEG or WebP."
OTHERS = ((b"GIF8", "a GIF image"), (b"BM", "a BMP image"), (b"II*\0", "a TIFF image"), (b"MM\0*", "a TIFF image"),
          (b"%PDF", "a PDF document"), (b"PK\x03\x04", "a zip archive"), (b"\x1f\x8b", "a gzip archive"))  # fmt: skip
# First bytes that are searched for an <svg> tag and for scripts.
SNIFFED_BYTES = 65_536


def read_image(path: Path, name: str, findings: Findings) -> Json | None:
    """{name, mediaType, width, height} of an image that is fine; else a finding, and None."""
    where = f"image {clipped(name)}"
    data = path.read_bytes()
    fault = _other_kind(data)
    if fault:
        findings.error(where, fault)
        return None
    image = _opened(data)
    if isinstance(image, str):
        findings.error(where, image)
        return None
    kind, width, height = image
    return {"name": name, "media_type": TYPES[kind], "width": width, "height": height}


def _other_kind(data: bytes) -> str:
    start = data[:SNIFFED_BYTES].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith(b"<") and b"<svg" in start:
        scripts = b"<script" in data.lower() or b"javascript:" in data.lower() or b" on" in start
        more = ", and this one has scripts in it" if scripts else ""
        return (
            f"It is an SVG image: SVG is a document that can hold scripts and is not taken{more}. {EXPECTED}"
        )
    for mark, label in OTHERS:
        if data.startswith(mark):
            return f"It is {label}. {EXPECTED}"
    return ""


def _opened(data: bytes) -> tuple[str, int, int] | str:
    """(kind, width, height), or what is wrong. All of it is decoded: half an image is found out here."""
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None  # measured below, before anything is decoded
    try:
        with Image.open(io.BytesIO(data), formats=list(TYPES)) as image:
            kind, (width, height) = str(image.format), image.size
            if width * height > MAX_PIXELS:
                return f"It has {width} x {height} pixels; at most {MAX_PIXELS:,} are taken."
            image.load()
    except Exception as fault:  # a decoder may raise anything on untrusted bytes; the error is about the file
        error_name: Any = type(fault).__name__
        if error_name == "UnidentifiedImageError":
            return f"It is not an image that can be shown. {EXPECTED}"
        return f"The image is damaged ({error_name}). {EXPECTED}"
    return kind, width, height
