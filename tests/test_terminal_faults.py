"""spec/reference/terminal_faults.md: every row names a test that exists."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "spec" / "reference" / "terminal_faults.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (\d+) \| [^|]+ \| (\S+)::(\w+) \|$", PAGE, re.M)


def test_every_row_is_read_and_no_fault_comes_twice() -> None:
    faults = [int(fault) for fault, _, _ in ROWS]
    assert len(faults) == len(re.findall(r"^\| \d+ ", PAGE, re.M)), "a row is malformed"
    assert faults == [*range(1, 61)]


@pytest.mark.parametrize(("fault", "file", "name"), ROWS)
def test_the_test_of_a_fault_exists(fault: str, file: str, name: str) -> None:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
