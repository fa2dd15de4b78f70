"""JuPedSim in a jailed child, where it is installed; and the answer where it is not."""

import importlib.util
from pathlib import Path

import pytest

from smoldesk.buildings.building import Building
from smoldesk.buildings.evacuation.crowd_comparison import CrowdComparison
from smoldesk.buildings.importers import CHILD_PACKAGES
from smoldesk.buildings.travel_profiles import PROFILES
from smoldesk.errors import BadInput
from smoldesk.sandbox.children import Children
from smoldesk.tables.table_profiles import Profiles
from smoldesk.tools.evacuation_tool import Evacuation
from tests.tools.conftest import noon

IS_INSTALLED = importlib.util.find_spec("jupedsim") is not None


@pytest.mark.slow
def test_both_models_agree_on_a_floor_within_a_half(tmp_path: Path) -> None:
    readers = Profiles(
        Children(max_children=2, cache_dir=tmp_path / "cache", preload=(), packages=CHILD_PACKAGES)
    )
    try:
        tool = Evacuation(Building.load(), noon, crowds=CrowdComparison(readers, tmp_path / "scratch"))
        answer = tool(show="jupedsim", people={"Room1": 20, "Kitchen": 10, "Office": 5})
        if not IS_INSTALLED:
            assert "JuPedSim is not installed on this desk." in answer
            pytest.skip("jupedsim is not installed: pip install --no-deps jupedsim")
        assert answer.startswith("Floor 1F alone, 30 people: ")
        comparison = CrowdComparison(readers, tmp_path / "scratch").compare(
            Building.load(), "1F", {("1F", "Room1"): 20, ("1F", "Kitchen"): 10}, PROFILES["walk"], []
        )
        assert comparison.remaining == 0
        assert 0.5 <= comparison.simulated / comparison.hydraulic <= 1.5
        assert [*(tmp_path / "scratch").iterdir()] == []
    finally:
        readers.close()


def test_a_floor_that_is_too_large_or_has_no_scale_is_refused(tmp_path: Path) -> None:
    building = Building.load()
    comparison = CrowdComparison(None, tmp_path)  # pyright: ignore[reportArgumentType]
    with pytest.raises(BadInput, match="too large"):
        comparison.compare(building, "1F", {("1F", "Room1"): 501}, PROFILES["walk"], [])
    floors = [building.floors[0].model_copy(update={"metres_per_unit": None})]
    unscaled = Building(building.definition.model_copy(update={"floors": floors, "links": []}))
    with pytest.raises(BadInput, match="no scale"):
        comparison.compare(unscaled, "1F", {("1F", "Room1"): 5}, PROFILES["walk"], [])
