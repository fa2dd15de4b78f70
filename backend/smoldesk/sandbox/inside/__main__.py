"""Start of a child process, or of the zygote that forks them: die with the server, preload, then serve.

Run as `python -I .../inside/__main__.py '{"role": "child", "fd": 3, "parent": 123, "preload": [...], "paths":
[...], ...}'`; `fd` is the socket to the host. Under `-I` neither the environment nor the working directory can
change what is imported.
"""

import ctypes
import importlib
import json
import os
import signal
import socket
import sys
import types
from pathlib import Path
from typing import Any

PACKAGE = "smoldesk_sandbox"
PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when the thread that started it ends (Linux); leave if it has.

    Elsewhere the end of the socket is noticed instead (`printing` looks at the parent while a cell runs).
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)


def load_package() -> None:
    """Make `inside` and `jail` importable as parts of `smoldesk_sandbox`, without touching sys.path or the server."""
    module = types.ModuleType(PACKAGE)
    module.__path__ = [str(Path(__file__).resolve().parent.parent)]
    sys.modules[PACKAGE] = module


def main(config: dict[str, Any]) -> None:
    load_package()
    if config["role"] == "probe":
        importlib.import_module(f"{PACKAGE}.jail.probe").main(config["folder"])
        return
    die_with_parent(config["parent"])
    sys.path.extend(path for path in config["paths"] if path not in sys.path)
    sock = socket.socket(fileno=int(config["fd"]))
    sock.set_inheritable(False)
    if config["role"] == "zygote":
        importlib.import_module(f"{PACKAGE}.inside.forking").Zygote(sock, config).serve()
        return
    importlib.import_module(f"{PACKAGE}.jail.limits").take_what_can_be(config["limits"])
    if config.get("program") == "sql_program":
        program = importlib.import_module(f"{PACKAGE}.inside.sql_program")
        program.main(sock, config)
    serving = importlib.import_module(f"{PACKAGE}.inside.serving")
    serving.preload(config["preload"])
    serving.Server(sock, parent=config["parent"]).serve()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
