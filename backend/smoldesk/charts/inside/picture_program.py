"""One picture of one chart, in a process made for it: a spec in, a PNG or an SVG out.

The spec is a model's or a stranger's and the program that draws is native code with a JavaScript engine, so the process is in
jail before it loads the one or hears of the other: no file but Python's own, no network, and no address to load from.
"""

import base64
import contextlib
import importlib.util
import os
import re
import resource
import socket
from pathlib import Path
from typing import Any

from smoldesk.sandbox.inside.channel import Channel
from smoldesk.sandbox.inside.interrupts import Interrupts
from smoldesk.sandbox.inside.jailing import go_to_jail

# What the process may write to. Its address space cannot be held small: the engine reserves more than it uses.
DATA_BYTES = 1536 * 1024**2
MAX_SAID = 400
# Drawn before any chart is known: the first drawing loads the engine, the fonts and Vega.
LOADING = '{"data": {"values": [{"a": "b"}]}, "mark": "text", "encoding": {"text": {"field": "a"}}}'


def main(sock: socket.socket, config: dict[str, Any]) -> None:
    """Go to jail by the `jail` frame, load what draws, answer one `chart` frame, leave."""
    channel = Channel(sock, Interrupts())
    with contextlib.suppress(EOFError, OSError):
        frame = channel.receive()
        if config["plan"]:
            go_to_jail(config, frame["folder"], frame["uid"], [])
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (DATA_BYTES, DATA_BYTES))
        answer(
            {"spec": LOADING, "form": "svg", "config": {}}
        )  # what is wrong with it, the chart's own answer tells
        channel.send({"type": "ready"})
        channel.send(answer(channel.receive()))
    os._exit(0)


def answer(frame: dict[str, Any]) -> dict[str, Any]:
    """`{picture}`, a PNG in base64 or an SVG as `form` says, or `{error}` in words."""
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
    except Exception as fault:  # whatever the engine says of it
        return {"type": "picture", "picture": "", "error": plain(str(fault))}
    return {"type": "picture", "picture": picture, "error": ""}


def plain(message: str) -> str:
    """The fault behind the faults, without the engine's own stack."""
    lines = [line.strip() for line in message.partition("Stack backtrace")[0].splitlines() if line.strip()]
    causes = [line for line in lines if not line.endswith((":", "Caused by")) and not line.startswith("at ")]
    first = causes[0] if causes else "it is no chart that Vega-Lite knows"
    return re.sub(r"^(?:\d+: )?(?:Uncaught )?(?:\(in promise\) )?", "", first)[:MAX_SAID]
