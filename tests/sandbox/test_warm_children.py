"""Forks of a process that has imported much (tests/support/warm_children.py) are as good as processes of the sandbox."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

import smoldesk.tables
from smoldesk.sandbox.children import Children
from tests.sandbox.conftest import Desk
from tests.support.warm_children import cold_children, warm_children

TABLES = Path(smoldesk.tables.__file__).parent
Begun = Callable[[], AbstractContextManager[None]]


def said(folder: Path, begun: Begun, code: str) -> str:
    """What a cell with this code prints in a child that began so, or the error."""
    folder.mkdir()
    with begun():
        children = Children(preload=(), cache_dir=folder / "cache", packages={"smoldesk.tables": str(TABLES)})
        desk = Desk(children, "chat", folder)
        try:
            result = desk.run(code)
        finally:
            desk.close()
            children.close()
    return result.printed + (result.error.message if result.error else "")


@pytest.mark.parametrize(
    "code",
    [
        "import os; print(dict(os.environ), os.getcwd())",
        "import sys; print(sys.argv, sys.path, sys.flags, __name__)",
        "import os; print(sorted(os.listdir('/proc/self/fd')), os.listdir('/proc/self/task'))",
        "import os; print(os.getsid(0) == os.getpgid(0), open('/proc/self/limits').read())",
        "import signal; print([signal.getsignal(n) for n in (signal.SIGCHLD, signal.SIGTERM, signal.SIGPIPE)])",
        "import sys; print([n for n in sys.modules if n.startswith('tests')], 'smoldesk.charts.inside' in sys.modules)",
        "import smoldesk.tables.inside.report",
        "open('/etc/passwd').read()",
        "import socket; socket.create_connection(('127.0.0.1', 1), 1)",
        "import duckdb; print(duckdb.sql('SELECT current_setting($$threads$$)').fetchall())",
    ],
)
def test_a_cell_sees_the_same(tmp_path: Path, code: str) -> None:
    cold = said(tmp_path / "same", cold_children, code)
    (tmp_path / "same").rename(tmp_path / "before")
    assert said(tmp_path / "same", warm_children, code) == cold


def test_numbers_to_come_are_not_those_of_another_process(tmp_path: Path) -> None:
    code = "import random, numpy; print(random.random(), numpy.random.random())"
    assert said(tmp_path / "one", warm_children, code) != said(tmp_path / "other", warm_children, code)
