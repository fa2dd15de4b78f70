"""Code that several test processes need, compiled once before they start.

Each would compile it itself, since all read the same files at the same moment: two fifths of the time that a process
needs until its first test, in a checkout where nothing was compiled before.
"""

import compileall
import os
import sys
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest
from _pytest.assertion.rewrite import (
    PYC_TAIL,
    _read_pyc,
    _rewrite_test,
    _write_pyc,
    assertstate_key,
    get_cache_dir,
    try_makedirs,
)

ROOT = Path(__file__).resolve().parents[2]
REWRITTEN = ("test_*.py", "*_test.py", "conftest.py")
"""Names of files whose assert statements pytest rewrites."""
COMPILED = ("backend/smoldesk", "bench", "tests/support")


def keep_compiled(config: pytest.Config) -> None:
    """Compile the product and rewrite the test files of this run, where that is missing or outdated."""
    if sys.dont_write_bytecode:
        return
    for name in COMPILED:
        compileall.compile_dir(ROOT / name, quiet=2)
    arguments = (config.invocation_params.dir / argument.partition("::")[0] for argument in config.args)
    keep_rewritten(config, arguments)


def keep_rewritten(config: pytest.Config, places: Iterable[Path]) -> int:
    """Write the files that pytest itself caches beside test files; return how many were missing or outdated."""
    state = config.stash[assertstate_key]
    written = 0
    for file in (file for place in places for file in _test_files(place)):
        cached = get_cache_dir(file) / f"{file.stem}{PYC_TAIL}"
        if _read_pyc(file, cached) is None and try_makedirs(cached.parent):
            digest, code = _rewrite_test(file, config)
            written += _write_pyc(state, code, digest, cached)
    return written


def _test_files(place: Path) -> Iterator[Path]:
    if place.is_file():
        yield place
    for folder, folders, names in os.walk(place):
        folders[:] = [name for name in folders if name != "node_modules"]
        yield from (Path(folder) / name for name in names if any(fnmatch(name, kind) for kind in REWRITTEN))
