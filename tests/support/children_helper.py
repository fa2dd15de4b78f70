"""What runs in the helper that sandbox processes are forks of, and first in each of them. It imports nothing of the server.

tests/support/warm_children.py starts it.
"""

import contextlib
import gc
import importlib
import json
import os
import random
import runpy
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.support.warm_helper import serve

BEGIN = "from tests.support.children_helper import begin; begin()"
"""The code of each process."""
OURS = ("smoldesk", "tests")
ROOT = str(Path(__file__).resolve().parents[2])


def serve_children(main: str, names: Sequence[str], packages: Mapping[str, str]) -> str:
    """Import these modules, and all that children run of these packages of ours; then be forked. Returns in each process."""
    gc.disable()  # `serve` enables it
    runpy.run_path(main)["offer_packages"](packages)
    ours = (
        f"{package}.{file.parent.name}.{file.stem}"
        for package, folder in packages.items()
        for place in ("inside", "jail")
        for file in sorted((Path(folder) / place).glob("[!_]*.py"))
    )
    for name in (*names, *ours):
        with contextlib.suppress(ImportError):  # an extra that is not installed, a system that has no jail
            importlib.import_module(name)
    return serve()


def begin() -> None:
    """Go on as `python -I FILE CONFIGURATION` would, with what is imported already, as a child of the helper."""
    main, text = sys.argv[1:]
    config = json.loads(text)
    sys.path.remove(ROOT)
    offered = config["packages"]
    forget(
        lambda name: name.startswith(OURS) and not any(f"{name}.".startswith(f"{one}.") for one in offered)
    )
    if "program" not in config:
        # cells are to import it themselves: the child waits for that, and gives it limits
        forget(lambda name: name.startswith("duckdb"))
    sys.argv = [main, json.dumps(config | {"parent": os.getppid()})]
    random.seed()
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed()  # else all processes would have the same numbers to come
    module = types.ModuleType("__main__")
    module.__file__ = main
    sys.modules["__main__"] = module
    exec(compile(Path(main).read_bytes(), main, "exec"), module.__dict__)


def forget(is_meant: Callable[[str], bool]) -> None:
    for name in [name for name in sys.modules if is_meant(name)]:
        del sys.modules[name]
