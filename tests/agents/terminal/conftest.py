"""A desk whose agent is the shipped demo; a file about the program alone has a fixture of this name."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agents.terminal.desk import Desk, desk, profile


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path / "data", profile()) as opened:
        yield opened
