"""SQLite's log is moved into the database beside the writer, not by a commit that somebody waits for."""

import shutil
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from smoldesk.store import chats, checkpoints, engines
from smoldesk.store.data_dir import DataDir
from smoldesk.store.store import Store

PATIENCE = 60.0


def commit(store: Store, times: int) -> None:
    """New chats, each in a transaction of its own that is published."""
    for _ in range(times):
        store.submit(chats.new_chat).result()


def moved(folder: Path) -> int:
    """How many chats the database holds without its log."""
    alone = folder / "alone.db"
    shutil.copyfile(folder / "smoldesk.db", alone)
    connection = sqlite3.connect(alone)
    try:
        [(count,)] = connection.execute("SELECT COUNT(*) FROM chat")
        return int(count)
    except sqlite3.DatabaseError:  # not even its tables, or half of a page
        return 0
    finally:
        connection.close()


def until(reached: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not reached():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.mark.parametrize(("commits", "seconds"), [(5, 600.0), (1000, 0.01)])
def test_the_log_is_moved_after_some_commits_or_some_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch, commits: int, seconds: float
) -> None:
    monkeypatch.setattr(checkpoints, "COMMITS", commits)
    monkeypatch.setattr(checkpoints, "SECONDS", seconds)
    store = Store.open(DataDir(folder))
    try:
        commit(store, 5)
        until(lambda: moved(folder) == 5)
        commit(store, 5)
        until(lambda: moved(folder) == 10)
    finally:
        store.close()


def test_no_commit_moves_it_unless_nobody_else_did(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "SECONDS", 600.0)
    monkeypatch.setattr(checkpoints, "COMMITS", 1_000_000)
    store = Store.open(DataDir(folder))
    try:
        commit(store, 300)
        log = (folder / "smoldesk.db-wal").stat().st_size
        assert log > 1000 * 4096, "SQLite would have moved it by itself"
        assert moved(folder) == 0
    finally:
        store.close()
    assert moved(folder) == 300
    monkeypatch.setattr(engines, "LOG_PAGES", 10)
    store = Store.open(DataDir(folder))
    try:
        commit(store, 5)
        assert moved(folder) > 300
    finally:
        store.close()
