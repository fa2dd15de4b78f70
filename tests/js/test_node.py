"""The page's pure modules, tested by Node's own runner: every *.test.js of this folder."""

import subprocess
from pathlib import Path

import pytest

from scripts.node import CannotHave, find_node

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.test.js"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.removesuffix(".test.js"))
def test_its_tests_pass(file: Path) -> None:
    try:
        node = find_node()
    except CannotHave as missing:
        pytest.skip(str(missing))
    done = subprocess.run(
        [node.node, "--test", "--test-reporter=tap", str(file)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
