"""Environment of a child: built from nothing, so that it cannot contain a secret."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

MAIN = Path(__file__).parent / "inside" / "__main__.py"
# What every child imports of ours: name and folder.
CHILD_PACKAGES = {"smoldesk.sandbox": str(Path(__file__).parent)}
PRELOAD = ("numpy", "pandas", "matplotlib.pyplot", "seaborn")

ONE_THREAD = {
    # several chats share the cores, and a later fork must find one thread only
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",
    "NUMEXPR_MAX_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
    "JOBLIB_MULTIPROCESSING": "0",
}
# Variables that Python may need to start or to know the time zone; none is a secret.
PASSED_ON = ("TZ", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")


def child_environment(cache: Path, datasets: Path | None, ours: Mapping[str, str]) -> dict[str, str]:
    """Return the complete environment of a child; `cache` is for matplotlib's font list, `datasets` for seaborn."""
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(cache),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "MPLBACKEND": "Agg",
        "MPLCONFIGDIR": str(cache),
        "POLARS_MAX_THREADS": "2",  # else as many as there are processors
        **ONE_THREAD,
    }
    if datasets is not None:
        environment["SEABORN_DATA"] = str(datasets)
    environment.update({name: ours[name] for name in PASSED_ON if name in ours})
    return environment


def package_folders() -> list[str]:
    """Return the folders of installed packages: a child's Python is isolated and would not look there by itself."""
    return [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]


def child_command(
    fd: int | str,
    preload: Sequence[str],
    limits: Mapping[str, int],
    packages: Mapping[str, str],
    **more: Any,
) -> list[str]:
    """Return the command line of a child without a zygote: this interpreter, isolated from environment and folder.

    `packages` are packages of the desk, besides the sandbox, that it may import: name and folder. `more` goes into
    the configuration: which `program` (a module with a `main(socket, configuration)`) runs instead of cells, and what
    it needs.
    """
    config = {
        "role": "child",
        "fd": fd,
        "parent": os.getpid(),
        "preload": list(preload),
        "paths": package_folders(),
        "limits": dict(limits),
        "packages": CHILD_PACKAGES | dict(packages),
        **more,
    }
    return [sys.executable, "-I", str(MAIN), json.dumps(config)]
