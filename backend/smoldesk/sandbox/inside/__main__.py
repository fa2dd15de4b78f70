"""Start of a child process, or of the zygote that forks them: die with the server, preload, then serve.

Run as `python -I .../inside/__main__.py '{"role": "child", "fd": 3, "parent": 123, "preload": [...], "paths":
[...], ...}'`; `fd` is the socket to the host. Under `-I` neither the environment nor the working directory can
change what is imported. `packages` are those of ours that it may import, each with its folder; `modules` those of them that
give cells something: each has a `begin(folder, configuration, cells)`.
"""

import ctypes
import importlib
import json
import os
import signal
import socket
import sys
import types
from typing import Any

SANDBOX = "smoldesk.sandbox"
PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when the thread that started it ends (Linux); leave if it has.

    Elsewhere the end of the socket is noticed instead (`printing` looks at the parent while a cell runs).
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)


def offer_packages(packages: dict[str, str]) -> None:
    """Make parts of ours importable by their names, and nothing else of the server: no `__init__` of theirs is run."""
    for name, folder in packages.items():
        parts = name.split(".")
        for length in range(1, len(parts) + 1):
            above = ".".join(parts[:length])
            module = sys.modules.setdefault(above, types.ModuleType(above))
            module.__path__ = [folder] if above == name else list(getattr(module, "__path__", []))
            if length > 1:
                setattr(sys.modules[".".join(parts[: length - 1])], parts[length - 1], module)


def main(config: dict[str, Any]) -> None:
    """Run the child over the descriptors named in its arguments."""
    offer_packages(config["packages"])
    if config["role"] == "probe":
        importlib.import_module(f"{SANDBOX}.jail.probe").main(config["folder"], config["packages"])
        return
    die_with_parent(config["parent"])
    if config["role"] == "exec":
        importlib.import_module(f"{SANDBOX}.jail.exec_program").main(config["fd"])
        return
    sys.path.extend(path for path in config["paths"] if path not in sys.path)
    # now, for in the jail the folders around them cannot be looked through
    for name in (*(f"{package}.inside" for package in config["packages"]), *config.get("modules", ())):
        importlib.import_module(name)
    sock = socket.socket(fileno=int(config["fd"]))
    sock.set_inheritable(False)
    if config["role"] == "zygote":
        importlib.import_module(f"{SANDBOX}.inside.forking").Zygote(sock, config).serve()
        return
    importlib.import_module(f"{SANDBOX}.jail.limits").take_what_can_be(config["limits"])
    if "program" in config:
        importlib.import_module(config["program"]).main(sock, config)
        return
    serving = importlib.import_module(f"{SANDBOX}.inside.serving")
    serving.preload(config["preload"])
    serving.Server(sock, config["parent"], config["modules"]).serve()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
