"""Start of a child process: die with the server, take limits, preload packages, then serve cells.

Run as `python -I .../inside/__main__.py '{"fd": 3, "parent": 123, "preload": [...], "paths": [...]}'`. The
socket `fd` carries the frames. Under `-I` neither the environment nor the working directory can change what
is imported.
"""

import ctypes
import importlib
import importlib.util
import json
import os
import resource
import signal
import socket
import sys
from pathlib import Path
from typing import Any

PACKAGE = "smoldesk_inside"
ADDRESS_SPACE = 4 * 1024**3
OPEN_FILES = 256
PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when the thread that started it ends (Linux); leave if it has.

    Elsewhere the end of the socket is noticed instead (`printing` looks at the parent while a cell runs).
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)


def take_limits() -> None:
    """Hygiene, not isolation: no core dumps, a ceiling for memory and files, and the server goes first."""
    wanted = [
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_AS, ADDRESS_SPACE),
    ]
    for which, limit in wanted:
        _soft, hard = resource.getrlimit(which)
        ceiling = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        try:
            resource.setrlimit(which, (ceiling, ceiling))
        except (ValueError, OSError):
            continue  # macOS refuses some of these
    os.nice(10)


def load_package() -> None:
    """Make the modules beside this file importable as `smoldesk_inside`, without touching sys.path."""
    folder = Path(__file__).resolve().parent
    spec = importlib.util.spec_from_file_location(
        PACKAGE, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"no package in {folder}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = module
    spec.loader.exec_module(module)


def main(config: dict[str, Any]) -> None:
    die_with_parent(config["parent"])
    take_limits()
    sys.path.extend(path for path in config["paths"] if path not in sys.path)
    load_package()
    sock = socket.socket(fileno=int(config["fd"]))
    sock.set_inheritable(False)
    if config.get("program") == "sql_program":
        importlib.import_module(f"{PACKAGE}.sql_program").main(sock, config["reading"])
    serving = importlib.import_module(f"{PACKAGE}.serving")
    serving.Server(sock, parent=config["parent"]).serve(config["preload"])


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
