"""The building, the datasets and a chat's folder, as a run gets them."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from smoldesk.buildings.building import Building
from smoldesk.tools.datasets import Datasets


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
