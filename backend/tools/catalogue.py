"""Every tool of the desk, in the order a model reads them. A new tool is listed here."""

from pathlib import Path

from backend.maps.building import Building
from backend.tools.data import ListDatasets, LoadDataset, SaveData, SqlEngine
from backend.tools.datasets import Datasets
from backend.tools.map import ClearArrows, ClearMap, DrawArrow, ShowMap
from backend.tools.policy import DeskTool


def build_tools(building: Building, datasets: Datasets, folder: Path) -> list[DeskTool]:
    """The tools of one run; `folder` is the chat's, the only place they write to."""
    return [
        ListDatasets(datasets),
        LoadDataset(datasets, folder),
        SqlEngine(datasets),
        SaveData(folder),
        ShowMap(building),
        DrawArrow(building),
        ClearArrows(building),
        ClearMap(building),
    ]
