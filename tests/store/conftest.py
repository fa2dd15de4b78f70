"""A real store in a temporary data directory, once on each kind of database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from smoldesk.store.data_dir import DataDir
from smoldesk.store.store import Store


@pytest.fixture
def sqlite_store(tmp_path: Path) -> Iterator[Store]:
    store = Store.open(DataDir(tmp_path / "data"))
    yield store
    store.close()


@pytest.fixture
def store(tmp_path: Path, database_url: str) -> Iterator[Store]:
    store = Store.open(DataDir(tmp_path / "data"), database_url)
    yield store
    store.close()
