"""The child's life: say ready, then do what frames ask for until the host goes away."""

import contextlib
import importlib
import os
import socket
import warnings
from pathlib import Path
from typing import Any

from .cells import Cells
from .channel import Channel
from .interrupts import Interrupts
from .printing import OutputCollector


class Server:
    """Serves one socket; the zygote forks first and makes this afterwards, since it starts a thread."""

    def __init__(self, sock: socket.socket, parent: int, modules: dict[str, dict[str, Any]]) -> None:
        """Serve cells; `modules` are started with their configurations, by name, once the chat is known."""
        interrupts = Interrupts()
        self._channel = Channel(sock, interrupts)
        self._printing = OutputCollector(self._send_printed, interrupts, parent)
        self._cells = Cells(self._channel, interrupts, self._printing)
        self._modules = modules
        self._pid = os.getpid()
        os.register_at_fork(
            after_in_child=self._channel.close
        )  # a forked worker has nothing to say to the host

    def enter(self, folder: Path) -> None:
        """Belong to the chat whose folder this is."""
        self._cells.enter(folder)
        for name, config in self._modules.items():
            importlib.import_module(name).begin(folder, config, self._cells)

    def serve(self) -> None:
        """Never returns: the process ends when the host's end of the socket does."""
        set_display_options()
        self._channel.send({"type": "ready"})
        with contextlib.suppress(EOFError, OSError):
            while True:
                self._handle(self._channel.receive())
                if os.getpid() != self._pid:
                    break  # a fork that ran on to the end of its cell
        os._exit(0)

    def _handle(self, frame: dict[str, Any]) -> None:
        match frame["type"]:
            case "init":
                self.enter(Path(frame["folder"]))
            case "equip":
                self._cells.equip(frame["tools"], frame["variables"], frame.get("imports"))
            case "cell":
                set_display_options()
                self._cells.run(frame)
            case _:
                pass  # a newer host may say more

    def _send_printed(self, cell: str, text: str) -> None:
        self._channel.send({"type": "printed", "cell": cell, "text": text})


def preload(names: list[str]) -> None:
    """Import packages ahead of the first cell; one that is not installed is left out."""
    for name in names:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def set_display_options() -> None:
    """Tables as text wide enough for a model to read, once pandas is there."""
    import sys

    pandas: Any = sys.modules.get("pandas")
    if pandas is None or not hasattr(pandas, "set_option"):
        return
    pandas.set_option("display.width", 160)
    pandas.set_option("display.max_columns", 40)
    warnings.filterwarnings("ignore", message=".*non-interactive, and thus cannot be shown")
    warnings.filterwarnings("ignore", message="The xlrd engine is deprecated")
