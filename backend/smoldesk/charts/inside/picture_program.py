"""Process for one picture of one chart: a spec in, a PNG or an SVG out.

The spec is untrusted, and the engine is native code with JavaScript. So the process enters its jail before it loads
the engine or receives the spec: no files but Python's, no network, no base URL to load from.
"""

import base64
import contextlib
import importlib.util
import os
import re
import resource
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from smoldesk.sandbox.inside.channel import Channel
from smoldesk.sandbox.inside.interrupts import Interrupts
from smoldesk.sandbox.inside.jailing import go_to_jail

# Maximum bytes of writable memory. The address space cannot be limited: the engine reserves more than it uses.
DATA_BYTES = 1536 * 1024**2
MAX_ERROR_CHARACTERS = 400
# Drawn ahead of the chart: the first drawing loads the engine, the fonts and Vega.
LOADING = '{"data": {"values": [{"a": "b"}]}, "mark": "text", "encoding": {"text": {"field": "a"}}}'


def main(sock: socket.socket, config: dict[str, Any]) -> None:
    """Draw the chart of one frame, in the jail."""
    serve(sock, config, answer, {"spec": LOADING, "form": "svg", "config": {}})


def serve(
    sock: socket.socket,
    config: dict[str, Any],
    draw: Callable[[dict[str, Any]], dict[str, Any]],
    ahead: dict[str, Any] | None = None,
) -> None:
    """Enter the jail by the `jail` frame, draw `ahead` to load the engine, answer one frame, exit."""
    channel = Channel(sock, Interrupts())
    with contextlib.suppress(EOFError, OSError):
        frame = channel.receive()
        if config["plan"]:
            go_to_jail(config, frame["folder"], frame["uid"], [])
        with contextlib.suppress(ValueError, OSError):
            # Covers private writable mappings, too, since Linux 4.7 (setrlimit(2)).
            resource.setrlimit(resource.RLIMIT_DATA, (DATA_BYTES, DATA_BYTES))
        if ahead is not None:
            # Its result is ignored: a fault of the engine appears again in the chart's answer.
            draw(ahead)
        channel.send({"type": "ready"})
        channel.send(draw(channel.receive()))
    os._exit(0)


def answer(frame: dict[str, Any]) -> dict[str, Any]:
    """Return `{picture}`, a PNG in base64 or an SVG by `form`, or `{error}`."""
    try:
        import vl_convert

        library: Any = vl_convert
        fonts = importlib.util.find_spec("matplotlib_fontja")
        if fonts is not None and fonts.origin is not None:
            library.register_font_directory(str(Path(fonts.origin).parent / "fonts"))
        response: dict[str, Any] = {"config": frame["config"], "allowed_base_urls": []}
        if frame["form"] == "svg":
            picture: str = library.vegalite_to_svg(frame["spec"], **response)
        else:
            png: bytes = library.vegalite_to_png(frame["spec"], scale=frame["scale"], **response)
            picture = base64.b64encode(png).decode()
    except Exception as fault:  # vl-convert raises errors of several types
        return {"type": "picture", "picture": "", "error": plain(str(fault))}
    return {"type": "picture", "picture": picture, "error": ""}


def plain(message: str) -> str:
    """Return the first cause in the engine's message, without its stack."""
    lines = [line.strip() for line in message.partition("Stack backtrace")[0].splitlines() if line.strip()]
    causes = [line for line in lines if not line.endswith((":", "Caused by")) and not line.startswith("at ")]
    first = causes[0] if causes else "Vega-Lite does not accept its spec"
    return re.sub(r"^(?:\d+: )?(?:Uncaught )?(?:\(in promise\) )?", "", first)[:MAX_ERROR_CHARACTERS]
