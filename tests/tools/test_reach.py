"""What is reached from a room by whom and in how many minutes, and what scenarios change, on the bundled building."""

import pytest

from smoldesk.buildings.building import Building
from smoldesk.buildings.routing import Closures, route_to
from smoldesk.buildings.routing.graph import WALKING
from smoldesk.buildings.travel_profiles import PROFILES, profile_graph, seconds_from
from smoldesk.messages import Closure, ClosureState, Scenario
from smoldesk.tools.closing import ClosePassage, ReopenPassage
from smoldesk.tools.closure_store import LocalClosures
from smoldesk.tools.reach_tools import CompareScenarios, ReachableFrom
from tests.tools.conftest import noon

BUILDING = Building.load()


class Tools:
    """The tools of one chat."""

    def __init__(self) -> None:
        self.store = LocalClosures()
        self.close = ClosePassage(BUILDING, noon, self.store)
        self.reopen = ReopenPassage(BUILDING, noon, self.store)
        self.reach = ReachableFrom(BUILDING, noon, self.store)
        self.compare = CompareScenarios(BUILDING, noon, self.store)


@pytest.fixture
def tools() -> Tools:
    return Tools()


def test_a_slower_profile_walks_longer_but_waits_as_long() -> None:
    start, goal = ("1F", "Hallway"), ("2F", "Library")
    walk = route_to(BUILDING.route_graph, start, goal, Closures(stepless=True))
    wheelchair = route_to(
        profile_graph(BUILDING, PROFILES["wheelchair"]), start, goal, Closures(stepless=True)
    )
    added = walk.length / 0.69 - walk.length / WALKING
    assert wheelchair.seconds - walk.seconds == pytest.approx(added)  # pyright: ignore[reportUnknownMemberType]
    assert seconds_from(BUILDING, start, PROFILES["walk"], [])[start] == 0


def test_rooms_within_minutes_are_listed_and_painted_and_those_cut_off_named(tools: Tools) -> None:
    near = tools.reach("Hallway", 0.3)
    assert near.startswith("From Hallway (1F), ") and "Nearest first: Hallway (1F), " in near
    assert "Cut off: none." in near and "MAP_COMMAND: " in near and '"unit": "min"' in near
    tools.close("lift, stairs, door between Hallway and Toilet")
    cut_off = tools.reach("Hallway")
    assert (
        "7 of 18 rooms are reached (profile walk, 1.3 m/s).\nCut off: Toilet (1F), Office (2F), " in cut_off
    )
    assert "\nClosed: the lift, the stairs, the door between Hallway and Toilet (1F).\n" in cut_off
    assert "1階のToilet、2階のOffice" in tools.reach("Hallway", profile="wheelchair", language="ja")


def without_doors(building: Building, *rooms: str, exits: bool = False) -> Building:
    """The bundled building without the doors of rooms, and without those that lead out unless `exits`."""
    definition = building.definition
    floors = [
        floor.model_copy(
            update={
                "doors": [
                    door
                    for door in floor.doors or []
                    if not {*rooms} & {*door.rooms} and (exits or len(door.rooms) == 2)
                ]
            }
        )
        for floor in definition.floors
    ]
    return Building(definition.model_copy(update={"floors": floors}))


def test_rooms_that_nothing_leads_to_anyway_are_not_cut_off_by_closures() -> None:
    building, store = without_doors(BUILDING, "Library", exits=True), LocalClosures()
    reach, close = ReachableFrom(building, noon, store), ClosePassage(building, noon, store)
    assert "Cut off: Library (2F)." in reach() and "everything open" not in reach()
    close("door between Room1 and Level1")
    text = reach()
    assert "Cut off: Room1 (1F).\nRooms without a way even with everything open: 1." in text
    assert "経路がない部屋：1階のRoom1。\nすべて通れても経路がない部屋：1室。" in reach(language="ja")


def test_a_plan_without_exits_starts_in_its_largest_part_that_is_open() -> None:
    building, store = without_doors(BUILDING, "Room1"), LocalClosures()
    reach, close = ReachableFrom(building, noon, store), ClosePassage(building, noon, store)
    assert building.definition.floors[0].rectangles[0].name == "Room1", "the first room is on its own"
    assert "\n\nFrom Room2 (1F), 17 of 18 rooms are reached" in reach()
    close("door between Room2 and Level1, door between Level1 and Level2")
    text = reach()
    assert "\n\nFrom Bathroom (1F), 15 of 18" in text and "Cut off: Room2 (1F), Level1 (1F)." in text


def test_scenarios_are_compared_with_the_open_building(tools: Tools) -> None:
    tools.close("lift", scenario="No lift")
    tools.close("door between Hallway and Kitchen")
    assert tools.compare("Hallway", "Kitchen").splitlines() == [
        "No lift (the lift): 5 m to Kitchen (+0 m); cut off: none; no step-free way: "
        "Office (2F), Meeting Room (2F), Library (2F), Lounge (2F), Corridor (2F), Garage (B1), Storage (B1), "
        "Workshop (B1), Server Room (B1), Service Corridor (B1).",
        "now (the door between Hallway and Kitchen (1F)): 10 m to Kitchen (+5 m); cut off: none.",
    ]
    assert "\n現在（" in tools.compare("Hallway", "Kitchen", language="ja")
    assert "Kitchenまで" in tools.compare("Hallway", "Kitchen", language="ja")
    assert "to the exit in Level1 (+0 m)" in tools.compare("Hallway", "exit")
    tools.close("main entrance", scenario="Front")
    tools.close("stairs", scenario="Stairs")
    changes = [line.rpartition("cut off: none")[2] for line in tools.compare("Hallway").splitlines()[1:3]]
    assert changes == [
        "; evacuation 1 min 25 s instead of 1 min 3 s.",
        "; without a way out: Office (2F), Meeting Room (2F), Library (2F), Lounge (2F), Corridor (2F); "
        "evacuation of the others 29 s instead of 1 min 3 s.",
    ]
    tools.close("exits", scenario="Shut")
    assert "Service Corridor (B1); nobody gets out (1 min 3 s without the closures)." in tools.compare(
        "Hallway"
    )
    assert "、外に出られる人はいません（閉鎖前は1分3秒）。" in tools.compare("Hallway", language="ja")
    for scenario in ("Front", "Stairs", "Shut"):
        tools.reopen(scenario=scenario)
    tools.close("Kitchen", scenario="now")
    lines = tools.compare("Hallway", "Kitchen").splitlines()
    assert [line.partition(":")[0] for line in lines[1:]] == [
        "now (Kitchen (1F))",
        "now (the door between Hallway and Kitchen (1F))",
    ]


def test_a_plan_whose_scale_cannot_be_is_compared_without_its_evacuation() -> None:
    floors = [each.model_copy(update={"metres_per_unit": 1000.0}) for each in BUILDING.definition.floors]
    building, store = Building(BUILDING.definition.model_copy(update={"floors": floors})), LocalClosures()
    ClosePassage(building, noon, store)("main entrance")
    assert (
        CompareScenarios(building, noon, store)("Hallway") == "now (the exit in Level1 (1F)): cut off: none."
    )


def test_what_is_wrong_is_named(tools: Tools) -> None:
    assert "Use close_passage first." in tools.compare("Hallway")
    assert "Profiles: walk, wheelchair, cart, slow." in tools.reach("Hallway", profile="rocket")
    assert "Expected a number above 0." in tools.reach("Hallway", -1)
    tools.close("Kitchen")
    assert "Kitchen (1F) is closed itself." in tools.reach("Kitchen")
    assert "Kitchen（1F）は通行止めです。" in tools.reach("Kitchen", language="ja")
    gone = Scenario(name="Old", closures=(Closure(kind="link", link_id="crane"),))
    tools.store.change(lambda state: ClosureState(closures=state.closures, scenarios=(gone,)))
    lines = tools.compare("Hallway").splitlines()
    assert lines[0].startswith("Old: of another building: crane is not in this one.")
    assert lines[1].startswith("now (Kitchen (1F)): ")
