"""Real programs behind real runs: what their answers become in the log of a chat."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.events import RunFinished
from backend.messages import Text
from tests.support.aio import run_async
from tests.terminal.desk import Desk, closings, desk, profile, shown, streamed


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path / "data", profile()) as opened:
        yield opened


def test_an_answer_is_streamed_then_shown_then_the_runs_text(demo: Desk) -> None:
    events = run_async(demo.tell("hello there"))
    assert closings(events) == [RunFinished(text="hello there")]
    assert streamed(events) == "hello there"
    assert shown(events) == [Text(content="hello there")]
