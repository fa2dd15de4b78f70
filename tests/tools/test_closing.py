"""Closing and reopening parts of the bundled building: what a text means, what routes do then, and what is refused."""

import pytest

from smoldesk.buildings.building import Building
from smoldesk.buildings.closures import is_closable
from smoldesk.messages import Closure
from smoldesk.tools.closing import ClosePassage, ReopenPassage
from smoldesk.tools.closure_store import LocalClosures
from smoldesk.tools.navigation import FindRoute, Nearest
from tests.tools.conftest import noon

BUILDING = Building.load()


class Tools:
    """The tools of one chat."""

    def __init__(self) -> None:
        self.store = LocalClosures()
        self.close = ClosePassage(BUILDING, noon, self.store)
        self.reopen = ReopenPassage(BUILDING, noon, self.store)
        self.route = FindRoute(BUILDING, noon, self.store)
        self.nearest = Nearest(BUILDING, noon, self.store)


@pytest.fixture
def tools() -> Tools:
    return Tools()


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("the door between Hallway and Kitchen", "the door between Hallway and Kitchen (1F)"),
        ("キッチンとHallwayの間のドア", "the door between Hallway and Kitchen (1F)"),
        ("1f-ramp", "the door between Level1 and Level2 (1F)"),
        ("the ramp between Level1 and Level2", "the door between Level1 and Level2 (1F)"),
        ("the kitchen's door to Level2", "the door between Level2 and Kitchen (1F)"),
        ("the garage gate", "the exit in Garage (B1)"),
        ("玄関のドア", "the exit in Level1 (1F)"),
        ("the library door", "the door between Corridor and Library (2F)"),
        ("the doors of the Library", "the door between Corridor and Library (2F)"),
        ("the door between Level1 and outside", "the exit in Level1 (1F)"),
        ("the lift, Kitchen", "the lift, Kitchen (1F)"),
        ("エレベーター", "the lift"),
        ("2F", "floor 2F"),
        ("２階", "floor 2F"),
    ],
)
def test_a_text_names_what_is_closed(tools: Tools, text: str, closed: str) -> None:
    assert tools.close(text) == f"Closed now: {closed}."


def test_routes_and_the_nearest_follow_the_closures_and_say_so(tools: Tools) -> None:
    assert "the door into Kitchen" in tools.route("Hallway", "Kitchen")
    tools.close("door between Hallway and Kitchen")
    around = tools.route("Hallway", "Kitchen")
    assert "through the door into Level2" in around
    assert "\nClosed: the door between Hallway and Kitchen (1F).\n" in around
    tools.close("lift")
    assert "take the stairs" in tools.route("Kitchen", "Library")
    refused = tools.route("Kitchen", "Library", accessible=True, language="ja")
    assert "通行止め：1階のHallwayとKitchenの間のドア、エレベーター。" in refused
    tools.close("door between Level1 and outside")
    assert "exit in Garage (B1)" in tools.nearest("exit", "Room1")
    assert tools.reopen("lift").startswith(
        "Closed now: the door between Hallway and Kitchen (1F), the exit in"
    )
    assert tools.reopen() == "Closed now: none."
    assert "Closed" not in tools.route("Hallway", "Kitchen")


def test_a_wrong_name_changes_nothing_and_names_what_exists(tools: Tools) -> None:
    tools.close("lift")
    for text, hint in {
        "Room1, the Casino": "Rooms: Room1, Room2",
        "door between Room1 and Kitchen": "Doors of Room1 lead to: Level1.",
        "1F, 2F, B1": "Leave at least one open.",
        " ": "Expected place as a text",
    }.items():
        answer = tools.close(text)
        assert answer.startswith("Error: ") and hint in answer
    assert "Closed: the lift" in tools.reopen("stairs")
    assert tools.reopen("lift") == "Closed now: none."
    assert "Error: lift is not closed. Closed: none." in tools.reopen("lift")


def test_a_place_is_a_text_of_bounded_length(tools: Tools) -> None:
    """The patterns cost the square of a text: 8,000 times と held the GIL for 2.4 s."""
    endless = "と" * 8000
    for tool in (tools.close, tools.reopen):
        assert "At most 500 characters." in tool(endless)
        assert "called '5'" in tool(5) and "Expected place as a text" in tool([5])
    assert "At most 500 characters." in tools.route("Hallway", "Kitchen", avoid=endless)
    assert not is_closable(BUILDING.places, endless)


def test_a_part_of_another_building_is_dropped_by_the_next_change(tools: Tools) -> None:
    crane = Closure(kind="link", link_id="crane")
    tools.store.change(lambda state: state.model_copy(update={"closures": (crane,)}))
    assert tools.close("lift") == "Closed now: the lift."
    assert len(tools.store.read().closures) == 1


def test_a_scenario_has_one_name_for_reading_and_writing(tools: Tools) -> None:
    tools.close("lift", scenario="Fire ")
    assert tools.close("stairs", scenario=" fire").startswith(
        "Closed in scenario 'fire': the lift, the stairs"
    )
    for name in ("x" * 81, "  ", "Fire \ud800", 5):
        for tool in (tools.close, tools.reopen):
            assert "Expected a name of at most 80 characters." in tool("lift", scenario=name)
    assert [scenario.name for scenario in tools.store.read().scenarios] == ["fire"]
    assert tools.reopen(scenario="FIRE") == "Closed in scenario 'FIRE': none."


def test_a_scenario_closes_nothing_by_itself(tools: Tools) -> None:
    assert tools.close("lift", scenario="Lift out") == "Closed in scenario 'Lift out': the lift."
    assert "Closed" not in tools.route("Kitchen", "Library")
    assert [scenario.name for scenario in tools.store.read().scenarios] == ["Lift out"]
    assert "There is no scenario 'Fire'. Scenarios: Lift out." in tools.reopen(scenario="Fire")
    tools.reopen(scenario="lift out")
    assert tools.store.read().scenarios == ()
