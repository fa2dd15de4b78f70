"""Process for the pictures of maps: the page's script and its input in, SVGs out.

The script is ours, its input is a model's, and the engine is native code: so it runs in a jail.
"""

import base64
import io
import json
import socket
import zlib
from typing import Any

from smoldesk.charts.inside.picture_program import plain, serve

MEMORY_BYTES = 512 * 1024**2
SECONDS = 15
STACK_BYTES = 4 * 1024**2
# Media types of floor images that browsers show.
TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp", "GIF": "image/gif"}


def main(sock: socket.socket, config: dict[str, Any]) -> None:
    """Draw the maps of one frame."""
    serve(sock, config, answer)


def answer(frame: dict[str, Any]) -> dict[str, Any]:
    """Return `{picture}`, JSON of a list of floors for each map, or `{error}`."""
    try:
        import quickjs

        library: Any = quickjs
        images = {
            kind: {name: image for name, data in frame[kind].items() if (image := _image(data))}
            for kind in ("images", "bitmaps")
        }
        engine = library.Context()
        engine.set_memory_limit(MEMORY_BYTES)
        engine.set_max_stack_size(STACK_BYTES)
        engine.set_time_limit(SECONDS)
        engine.set("images", json.dumps(images))
        engine.eval(f"globalThis.drawn = {frame['script']};\nimages = JSON.parse(images);")
        pictures = [_pictures(engine, text) for text in frame["maps"]]
    except Exception as fault:  # the engine raises errors of several types
        return {"type": "picture", "picture": "", "error": plain(str(fault)) or type(fault).__name__}
    return {"type": "picture", "picture": f"[{','.join(pictures)}]", "error": ""}


def _pictures(engine: Any, text: str) -> str:
    engine.set("input", text)
    engine.eval(f"drawn.equip(globalThis, {zlib.crc32(text.encode())});")
    return engine.eval("JSON.stringify(drawn.pictures({ ...JSON.parse(input), ...images }))")


def _image(data: str) -> dict[str, Any] | None:
    """Return an image as a data URL with its size; None if browsers do not show its format."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(base64.b64decode(data))) as image:
            kind, (width, height) = TYPES[image.format or ""], image.size
    except (UnidentifiedImageError, OSError, ValueError, KeyError, Image.DecompressionBombError):
        return None
    return {"href": f"data:{kind};base64,{data}", "naturalWidth": width, "naturalHeight": height}
