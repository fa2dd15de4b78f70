"""The room over a real store of each kind, with a clock that the test moves and calls that wait for their answers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from smoldesk.conversations import sessions
from smoldesk.store.data_dir import DataDir
from smoldesk.store.store import Store
from tests.support.conversing import Room


@pytest.fixture(autouse=True)
def quick_passkeys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes that cost nothing: most tests log several agents in."""
    monkeypatch.setattr(sessions, "COST", 2)


@pytest.fixture
def store(tmp_path: Path, database_url: str) -> Iterator[Store]:
    store = Store.open(DataDir(tmp_path / "data"), database_url)
    yield store
    store.close()


@pytest.fixture
def room(store: Store) -> Iterator[Room]:
    room = Room(store)
    yield room
    room.close()
