"""One desk with one real chat, which all tests of exports read and none changes."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.export import a_chat
from tests.support.aio import run_async
from tests.support.desk_server import ANALYSIS, LiveDesk, live_desk


@dataclass(frozen=True)
class Sample:
    """The desk, the chat and its log."""

    live: LiveDesk
    chat_id: str
    log: Path


@pytest.fixture(scope="package")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sample]:
    folder = tmp_path_factory.mktemp("sample")
    with live_desk(folder / "data", demo_tools=True, sandbox_preload=ANALYSIS) as live:
        chat_id = run_async(a_chat.make(live.desk, folder))
        log = folder / "log.jsonl"
        live.desk.exports.write(chat_id, "jsonl", log)
        yield Sample(live, chat_id, log)
