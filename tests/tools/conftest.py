"""The building, the datasets and a chat's folder, as a run gets them."""

from pathlib import Path

import pytest

from smoldesk.buildings.building import Building
from smoldesk.tools.datasets import Datasets


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
