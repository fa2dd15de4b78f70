"""The page as a wheel has it, in few files: a test's browser reads it in a fraction of the time two hundred modules take.

Made once for what frontend/ holds, in the checkout's cache folder. Where esbuild cannot be had the tests read the modules.
"""

import fcntl
import hashlib
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from scripts.bundle_page import FRONTEND, bundle
from scripts.node import CannotHave

BUNDLES = Path(__file__).resolve().parents[2] / ".cache" / "page"
_MAKER = Path(bundle.__code__.co_filename)


@cache
def page_folder(instead: tuple[tuple[str, str], ...] = ()) -> Path:
    """The folder a browser's tests are served: the bundle of frontend/ as it is now, else frontend/ itself.

    `instead` are modules that stand in for others: (name, code)."""
    digest = hashlib.sha256(_MAKER.read_bytes() + repr(instead).encode())
    for path in sorted(path for path in FRONTEND.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(FRONTEND)}\0".encode() + path.read_bytes())
    # each kind is kept once, in its newest form
    kind = hashlib.sha256(repr([name for name, _ in instead]).encode()).hexdigest()[:8] if instead else "page"
    created = BUNDLES / f"{kind}-{digest.hexdigest()[:16]}"
    BUNDLES.mkdir(parents=True, exist_ok=True)
    with (BUNDLES / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the suite's other processes wait for the first to make it
        if not created.is_dir():
            for old in BUNDLES.glob(f"{kind}-*"):
                shutil.rmtree(old)
            half = BUNDLES / f"half-{os.getpid()}"
            with tempfile.TemporaryDirectory() as folder:
                frontend = shutil.copytree(FRONTEND, Path(folder) / "frontend")
                for name, code in instead:
                    (frontend / name).write_text(code, "utf-8")
                try:
                    bundle(frontend, half)
                except CannotHave:
                    return FRONTEND
            half.rename(created)
    return created
