"""Notebooks: whether code runs in one, which origins its page has, and the page of a desk in a cell's output."""

import html
import json
import os
import sys
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

# Names under which a browser reaches this machine; a notebook may be open under any of them.
LOOPBACK = ("localhost", "127.0.0.1")


def in_notebook() -> bool:
    """Return whether a Jupyter kernel runs this code."""
    shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and "IPKernelApp" in getattr(shell, "config", {})


def notebook_origins() -> list[str]:
    """Return the origins of the Jupyter server that started this kernel; none for other programs, such as an editor."""
    try:
        from jupyter_core.paths import jupyter_runtime_dir

        file = Path(jupyter_runtime_dir()) / f"jpserver-{int(os.environ['JPY_PARENT_PID'])}.json"
        address = urlsplit(str(json.loads(file.read_text("utf-8"))["url"]))
        port = address.port
    except (ImportError, KeyError, ValueError, OSError, TypeError):
        return []
    hosts = LOOPBACK if address.hostname in LOOPBACK else (address.hostname,)
    return [f"{address.scheme}://{host}" + (f":{port}" if port else "") for host in hosts]


def show_page(address: str, width: str | int, height: str | int, framed: bool) -> None:
    """Display the page in the cell's output, in a frame or as a link."""
    from IPython import display

    safe = html.escape(address, quote=True)
    link = f'<a href="{safe}" target="_blank" rel="noopener">{safe}</a>'
    size = f'width="{html.escape(str(width))}" height="{html.escape(str(height))}"'
    frame = f'<iframe src="{safe}" {size} style="border: 1px solid #8884" title="smoldesk"></iframe>'
    cast("Any", display).display(display.HTML(f"{frame}<br>{link}" if framed else link))
