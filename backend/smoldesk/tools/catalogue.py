"""Every tool of the desk, in the order a model reads them. A new tool is listed here."""

from pathlib import Path

from smoldesk.buildings.building import Building
from smoldesk.buildings.evacuation.crowd_comparison import CrowdComparison
from smoldesk.stopping import StopFlag
from smoldesk.tools.ask_person import ASK_SECONDS, AskPerson
from smoldesk.tools.closing import ClosePassage, ReopenPassage
from smoldesk.tools.closure_store import ClosureStore, LocalClosures
from smoldesk.tools.data import ListDatasets, LoadDataset, SaveData
from smoldesk.tools.datasets import Datasets
from smoldesk.tools.demo import demo_tools
from smoldesk.tools.demo.payment import Wallet
from smoldesk.tools.evacuation_tool import Evacuation
from smoldesk.tools.live_layers import LayerStore, ShowLayer
from smoldesk.tools.map import (
    ClearArrows,
    ClearMap,
    DrawArrow,
    ShowMap,
)
from smoldesk.tools.navigation import FindRoute, Nearest
from smoldesk.tools.painting import ColorRooms, PlayRooms
from smoldesk.tools.policy import DeskTool
from smoldesk.tools.reach_tools import CompareScenarios, ReachableFrom
from smoldesk.tools.room_tools import ListRooms, WhereIs
from smoldesk.tools.spark_requests import spark_tools
from smoldesk.tools.sql_engine import Databases, FolderTables, SqlEngine


def build_tools(
    building: Building,
    datasets: Datasets,
    folder: Path,
    files: FolderTables | None = None,
    databases: Databases | None = None,
    stop: StopFlag | None = None,
    wallet: Wallet | None = None,
    ask_seconds: float = ASK_SECONDS,
    closures: ClosureStore | None = None,
    crowds: CrowdComparison | None = None,
    layers: LayerStore | None = None,
) -> list[DeskTool]:
    """Build the tools of one run; `folder` is the chat's, the only one they write to.

    `files` reads the tables in that folder, `databases` are the operator's, `stop` ends long work, `wallet` is the
    chat's; without one a payment is refused. `ask_seconds` is the time to wait for a person's answer. `closures` are the
    chat's; without, those of these tools alone. `crowds` simulates evacuations; without, there is no comparison.
    `layers` are the chat's live ones: it has show_layer only if there are any.
    """
    closures = closures or LocalClosures()
    names = layers.names() if layers is not None else ()
    return [
        ListDatasets(datasets),
        LoadDataset(datasets, folder),
        SqlEngine(datasets, files, databases, stop),
        *spark_tools(databases),
        SaveData(folder),
        ShowMap(building),
        DrawArrow(building),
        ClearArrows(building),
        ClearMap(building),
        FindRoute(building, closures=closures),
        Nearest(building, closures=closures),
        ClosePassage(building, closures=closures),
        ReopenPassage(building, closures=closures),
        ReachableFrom(building, closures=closures),
        CompareScenarios(building, closures=closures),
        Evacuation(building, closures=closures, folder=folder, crowds=crowds),
        WhereIs(building),
        ListRooms(building),
        ColorRooms(building),
        PlayRooms(building),
        *([ShowLayer(layers, names)] if layers is None or names else []),
        AskPerson(ask_seconds),
        *demo_tools(wallet),
    ]
