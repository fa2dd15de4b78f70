"""Processes of the sandbox that are forks of one that has imported pandas, DuckDB, matplotlib and our readers.

One that imports them itself takes a second of a processor for it, and most tests of tables, files and buildings start
some. Here the zygotes and programs of a desk that runs in this process begin as forks; all that follows, from their
configuration to the jail, is as ever. Tests of the sandbox, and of what a child imports, start them the long way: the
fixture `cold_children`.
"""

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

from smoldesk.buildings.importers import CHILD_PACKAGES as BUILDINGS
from smoldesk.charts import CHILD_PACKAGES as CHARTS
from smoldesk.sandbox import spawned
from smoldesk.sandbox.environment import CHILD_PACKAGES as SANDBOX
from smoldesk.sandbox.environment import MAIN, child_environment
from smoldesk.tables import CHILD_PACKAGES as TABLES
from tests.support.children_helper import BEGIN
from tests.support.warm import ROOT, BorrowedHelper, Helper, WarmProcess

IMPORTED = (
    "numpy",
    "pandas",
    "duckdb",
    "pyarrow.compute",
    "pyarrow.parquet",
    "openpyxl",
    "matplotlib.pyplot",
)
PACKAGES = {**SANDBOX, **TABLES, **CHARTS, **BUILDINGS}
"""Ours that are imported. What may import these from elsewhere, as tests of extensions do, is started the long way."""
_borrowed: list[BorrowedHelper] = []
"""In a desk's process: the helper it has of its tests."""
HELPER = """
import json, sys
root, *given = json.loads(sys.argv[1])
sys.path.insert(0, root)
from tests.support.children_helper import serve_children
exec(compile(serve_children(*given), '<warm>', 'exec'), {'__name__': '__main__'})
"""


@contextmanager
def warm_children() -> Iterator[None]:
    """Have the sandbox of this process start its processes as forks."""
    with mock.patch.object(spawned, "subprocess", _forking()):
        yield


@contextmanager
def cold_children() -> Iterator[None]:
    """Have it start them as a desk does outside of tests."""
    with mock.patch.object(spawned, "subprocess", subprocess):
        yield


def _begun(line: Sequence[str], **how: Any) -> "WarmProcess | subprocess.Popen[bytes]":
    """As good as `subprocess.Popen`, for the arguments that the sandbox has."""
    if list(line[1:3]) != ["-I", str(MAIN)] or not _is_known(json.loads(line[3])["packages"]):
        return subprocess.Popen[bytes](line, **how)
    with Path(os.devnull).open("r+b") as nothing:
        return WarmProcess(
            BEGIN,
            line[2:],
            cwd=Path(how["cwd"]),
            env=how["env"],
            stdin=nothing,
            stdout=nothing,
            stderr=how["stderr"],
            inherited=how["pass_fds"],
            session=how["start_new_session"],
            helper=_borrowed[0] if _borrowed else helper(),
        )


def _forking() -> SimpleNamespace:
    return SimpleNamespace(**vars(subprocess) | {"Popen": _begun})


def _is_known(packages: dict[str, str]) -> bool:
    return all(PACKAGES.get(name, folder) == folder for name, folder in packages.items())


@cache
def helper() -> Helper:
    """The one of this process, which imports for a while before it forks the first."""
    cache = ROOT / ".cache" / "matplotlib"  # its list of fonts is made once
    cache.mkdir(parents=True, exist_ok=True)
    given = json.dumps([str(ROOT), str(MAIN), IMPORTED, PACKAGES])
    return Helper("-I", "-c", HELPER, given, env=child_environment(cache, None, os.environ))


def borrow(descriptor: int) -> None:
    """In a desk that is a process of its own: have the children of its sandbox forked by the helper of these tests."""
    _borrowed.append(BorrowedHelper(descriptor))
    spawned.subprocess = _forking()  # pyright: ignore[reportAttributeAccessIssue]
