"""The process that waits for the next query: taken once, only by its kind, and ended when nobody comes."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from smoldesk.sandbox.waiting_process import WaitingProcess
from smoldesk.tables import folder_tables
from smoldesk.tables.folder_tables import ChatTables


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Iterator[WaitingProcess]:
    waiting_process = WaitingProcess()
    monkeypatch.setattr(folder_tables, "_waiting", waiting_process)
    yield waiting_process
    process = waiting_process.take(waiting_process.kind)
    if process is not None:
        process.kill()


def kind_when_there(waiting: WaitingProcess) -> object:
    """Waits until one waits; the test's own limit ends what never comes."""
    while waiting.kind is None:
        time.sleep(0.02)
    return waiting.kind


@pytest.fixture
def tables(tmp_path: Path) -> ChatTables:
    folder = tmp_path / "chat"
    folder.mkdir()
    (folder / "t.csv").write_text("a,b\n1,2\n")
    return ChatTables(folder, tmp_path)


def test_the_next_query_finds_a_process_and_another_waits_after_it(
    waiting: WaitingProcess, tables: ChatTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert tables.query("SELECT a FROM t").rows == [[1]]
    kind_when_there(waiting)
    with monkeypatch.context() as patched:
        patched.setattr(tables, "_started", None)  # what waits is all there is
        assert tables.query("SELECT b FROM t").rows == [[2]]
    assert waiting.kind is None


def test_it_is_taken_once_and_by_its_kind_alone(waiting: WaitingProcess, tables: ChatTables) -> None:
    tables.query("SELECT 1")
    kind = kind_when_there(waiting)
    assert waiting.take("another") is None
    process = waiting.take(kind)
    assert process is not None and process.alive
    assert waiting.take(kind) is None
    process.kill()
    assert tables.query("SELECT b FROM t").rows == [[2]]


def test_one_that_nobody_needs_is_ended(waiting: WaitingProcess, tables: ChatTables) -> None:
    tables.query("SELECT 1")
    created = waiting.take(kind_when_there(waiting))
    assert created is not None
    short = WaitingProcess(idle_seconds=0.0)
    short.prepare("kind", lambda: created)
    kind_when_there(short)
    short.prepare("kind", lambda: created)
    while created.alive:
        time.sleep(0.02)
