"""The building, the datasets and a chat's folder, as a run gets them."""

import sys
from datetime import UTC, datetime
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from smoldesk.buildings.building import Building
from smoldesk.tools.datasets import Datasets

# PySpark takes a main module that is no file, as in the processes of pytest-xdist, for a run of doctests, and ends it.
if sys.modules["__main__"].__spec__ is None and not hasattr(sys.modules["__main__"], "__file__"):
    sys.modules["__main__"].__spec__ = ModuleSpec("__main__", None)


def noon() -> datetime:
    return datetime(2025, 10, 30, 12, 0, 0, tzinfo=UTC)


@pytest.fixture(scope="session")
def building() -> Building:
    return Building.load()


@pytest.fixture(scope="session")
def datasets() -> Datasets:
    return Datasets.bundled()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "chat"
    path.mkdir()
    return path
