"""The tools that find the way, on a building of two floors with a lift and stairs."""

import json
from typing import Any

import pytest

from smoldesk.buildings.building import Building
from smoldesk.messages import (
    XY,
    Map,
    MapContent,
    MapDefinitionContent,
    RouteOverlay,
)
from smoldesk.output_parser.commands import CommandScanner
from smoldesk.tools.navigation import FindRoute, Nearest
from smoldesk.tools.room_tools import ListRooms, WhereIs
from tests.tools.conftest import noon


def _floor(name: str, ordinal: int, rooms: list[tuple[str, int, str | None]], outside: str) -> dict[str, Any]:
    """Rooms of 10 by 10 in a row, each joined to the corridor below them."""
    wide = 10 * len(rooms)
    corridor = f"Corridor {name}"
    return {
        "floorId": name,
        "floorName": f"{ordinal + 1}階",
        "floorImage": "plan.png",
        "ordinal": ordinal,
        "metresPerUnit": 1,
        "coordinateSystem": {
            "topLeft": {"px": 0, "py": 0, "x": 0, "y": 0},
            "bottomRight": {"px": wide, "py": 14, "x": wide, "y": 14},
        },
        "rectangles": [
            {
                "name": room,
                "topLeft": {"x": remaining, "y": 0},
                "bottomRight": {"x": remaining + 10, "y": 10},
                "kind": kind,
            }
            for room, remaining, kind in rooms
        ]
        + [{"name": corridor, "topLeft": {"x": 0, "y": 10}, "bottomRight": {"x": wide, "y": 14}}],
        "doors": [
            {"rooms": [room, corridor], "at": {"x": remaining + 5, "y": 10}, "doorId": f"door {room}"}
            for room, remaining, _ in rooms
        ]
        + [{"rooms": [outside], "at": {"x": 0, "y": 12}}],
    }


def _stops(x: float) -> list[dict[str, Any]]:
    return [{"floorId": f, "room": f"Corridor {f}", "at": {"x": x, "y": 12}} for f in ("1F", "2F")]


BUILDING = Building(
    MapDefinitionContent.model_validate({
        "floors": [
            _floor("1F", 0, [("Lobby", 0, None), ("Toilet", 10, None), ("Shop", 20, None)], "Corridor 1F"),
            _floor("2F", 1, [("Meeting Room", 0, None), ("Toilet", 10, None), ("Loo 2", 20, "toilet")], "Corridor 2F"),
        ],
        "bitmaps": [],
        "links": [
            {"linkId": "l1", "kind": "lift", "name": "Lift A", "stops": _stops(28), "waitSeconds": 30},
            {"linkId": "s1", "kind": "stairs", "name": "Stairs A", "stops": _stops(2)},
        ],
    })
)  # fmt: skip


@pytest.fixture
def find_route() -> FindRoute:
    return FindRoute(BUILDING, now=noon)


def drawn(answer: str) -> tuple[str, MapContent]:
    """The words, and the map the parser reads from the answer."""
    text, _, command = answer.partition("\nMAP_COMMAND: ")
    scanner = CommandScanner(BUILDING.rooms())
    [results] = [*scanner.feed(answer), *scanner.flush()]
    assert isinstance(results, Map) and isinstance(results.content, MapContent)
    assert json.loads(command) == results.content.model_dump(mode="json", exclude_none=True)
    return text, results.content


def route_of(content: MapContent) -> RouteOverlay:
    [overlay] = content.overlays
    assert isinstance(overlay, RouteOverlay)
    return overlay


def test_a_way_over_two_floors_is_told_and_drawn(find_route: FindRoute) -> None:
    text, content = drawn(find_route("Shop", "the meeting room on 2F"))
    assert text.splitlines()[0] == "From Shop (1F) to Meeting Room (2F): 37 m, about 45 seconds."
    assert "3. Walk 23 m, then take the stairs 'Stairs A' to 2F." in text
    assert text.splitlines()[-1].endswith("you are in Meeting Room (2F).")
    route = route_of(content)
    assert content.floor_id == "1F"
    assert [(rectangle.name, rectangle.floor_id) for rectangle in content.rectangles] == [
        ("Shop", None),
        ("Meeting Room", "2F"),
    ]
    assert [leg.floor_id for leg in route.legs] == ["1F", "2F"]
    [change] = route.changes
    assert (change.kind, change.to_floor_id, change.to.x) == ("stairs", "2F", 2)


def test_an_accessible_way_takes_the_lift(find_route: FindRoute) -> None:
    route = route_of(drawn(find_route("Lobby", "Meeting Room", accessible=True))[1])
    assert route.accessible
    assert [change.kind for change in route.changes] == ["lift"]


@pytest.mark.parametrize("closed", ["stairs", "Stairs A", "the stairs", "階段", "s1"])
def test_what_is_closed_is_not_taken(find_route: FindRoute, closed: str) -> None:
    route = route_of(drawn(find_route("Lobby", "Meeting Room", avoid=closed))[1])
    assert [change.kind for change in route.changes] == ["lift"]


def test_with_everything_closed_there_is_no_way_and_it_says_why(find_route: FindRoute) -> None:
    answer = find_route("Lobby", "Meeting Room", accessible=True, avoid="lift")
    assert answer == (
        "Error: No way leads from Lobby (1F) to Meeting Room (2F) without steps and with what is closed. "
        "There is one otherwise.\n\nClosed: the lift 'Lift A'.\nCLEAR_MAP_COMMAND"
    )


def test_the_goal_may_be_one_of_several(find_route: FindRoute) -> None:
    assert route_of(drawn(find_route("Meeting Room", "toilet"))[1]).legs[0].floor_id == "2F"
    assert route_of(drawn(find_route("Shop", "toilet"))[1]).legs[0].floor_id == "1F"
    assert len(route_of(drawn(find_route("Shop", "Toilet (2F)"))[1]).legs) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("Toilet", "Shop"), "Toilet (1F), Toilet (2F)"),
        (("Loby", "Shop"), "Did you mean Lobby"),
        (("", "Shop"), "Expected start as a text"),
        (("Lobby", "Shop", False, "Narnia"), "Lift A (lift), Stairs A (stairs)"),
        (("Lobby", "Shop", False, "Shop"), "is closed itself"),
    ],
)
def test_what_is_wrong_is_said_with_the_choices(
    find_route: FindRoute, arguments: tuple[Any, ...], message: str
) -> None:
    answer = find_route(*arguments)
    assert answer.startswith("Error: ")
    assert message in answer


def test_where_one_is_already(find_route: FindRoute) -> None:
    text, content = drawn(find_route("Lobby", "Lobby"))
    assert text == "Lobby (1F) is where you are."
    assert route_of(content).length == 0


def test_the_nearest_of_a_kind_comes_with_the_next_ones() -> None:
    text, content = drawn(Nearest(BUILDING, now=noon)("restroom", "Meeting Room"))
    assert "From Meeting Room (2F) to Toilet (2F)" in text
    assert "Further away: Loo 2 (2F), " in text
    assert route_of(content).goal == "Toilet"


def test_lifts_and_exits_are_near_things_too() -> None:
    nearest = Nearest(BUILDING, now=noon)
    assert drawn(nearest("lift", "Shop"))[1].floor_id == "1F"
    text, content = drawn(nearest("exit", "Toilet (2F)"))
    assert text.endswith(
        "you are at the exit in Corridor 2F (2F).\nFurther away: Corridor 1F (1F), 20 m, about 35 seconds."
    )
    route = route_of(content)
    assert (route.legs[-1].points[-1].x, route.legs[-1].points[-1].y) == (0, 12)
    assert nearest("sauna", "Shop").startswith("Error: There is no 'sauna' in this building. Kinds: ")


def test_where_a_room_is() -> None:
    text, content = drawn(WhereIs(BUILDING, now=noon)("toilet"))
    assert text.splitlines() == [
        "Toilet is on floor 1F, next to Corridor 1F. Its area is 100 m². It shares walls with Lobby and Shop.",
        "Toilet is on floor 2F, next to Corridor 2F. Its area is 100 m². It shares walls with Meeting Room and Loo 2.",
    ]
    assert [rectangle.floor_id for rectangle in content.rectangles] == [None, "2F"]
    corridor, _ = drawn(WhereIs(BUILDING, now=noon)("Corridor 1F"))
    assert "with the lift 'Lift A' and the stairs 'Stairs A'." in corridor


def test_rooms_are_listed_by_floor() -> None:
    list_rooms = ListRooms(BUILDING)
    assert list_rooms("2階") == "2F (2階): Meeting Room, Toilet, Loo 2 [toilet], Corridor 2F"
    assert list_rooms("").splitlines()[0].startswith("1F (1階): Lobby")
    assert list_rooms("7F").startswith("Error: There is no floor '7F'. Floors: 1F, 2F.")


def test_a_route_stops_on_the_way(find_route: FindRoute) -> None:
    text, content = drawn(find_route("Lobby", "Meeting Room", via="Shop, Toilet (2F)"))
    assert [step.room for step in route_of(content).steps if step.action == "walk"] == ["Shop", "Toilet"]
    assert "to Shop (1F): your stop on the way." in text
    assert "Shopに立ち寄ります。" in find_route("Lobby", "Meeting Room", via="Shop", language="ja")


def test_lifts_and_exits_are_somewhere() -> None:
    text, content = drawn(WhereIs(BUILDING, now=noon)("the lift"))
    assert text.splitlines() == ["The lift 'Lift A' stops on 2 floors: 1F (Corridor 1F), 2F (Corridor 2F)."]
    assert not content.rectangles, "the corridor is not the lift"
    assert WhereIs(BUILDING)("出口", "ja").startswith("出口は1階のCorridor 1Fにあります。")


def test_a_lift_whose_rooms_have_no_doors_is_somewhere() -> None:
    floors = [
        _floor(name, number, [("Lift 1", 0, "lift")], "Lift 1") for number, name in enumerate(("1F", "2F"))
    ]
    floors = [floor | {"doors": [], "rectangles": floor["rectangles"][:1]} for floor in floors]
    stops = [{"floorId": name, "room": "Lift 1", "at": {"x": 5, "y": 5}} for name in ("1F", "2F")]
    links = [{"linkId": "a", "kind": "lift", "name": "Lift 1", "stops": stops}]
    plan = MapDefinitionContent.model_validate({"floors": floors, "bitmaps": [], "links": links})
    assert WhereIs(Building(plan))("lifts").startswith("Lift 1 stops on 2 floors: 1F, 2F.\nMAP_COMMAND: ")


def test_a_lift_whose_rooms_have_a_name_on_each_floor_is_one() -> None:
    names = (("1F", "Lift B"), ("2F", "Lift C"))
    floors = [_floor(name, number, [(room, 0, "lift")], room) for number, (name, room) in enumerate(names)]
    stops = [{"floorId": name, "room": room, "at": {"x": 5, "y": 5}} for name, room in names]
    links = [{"linkId": "b", "kind": "lift", "name": "Lift", "stops": stops}]
    plan = MapDefinitionContent.model_validate({"floors": floors, "bitmaps": [], "links": links})
    assert ListRooms(Building(plan))(kind="lifts", show="count").startswith("There is 1 lift in the building")


def test_a_way_through_a_hall_with_many_pillars_leads_around_its_core() -> None:
    def box(x: float, y: float, wide: float, high: float) -> list[dict[str, float]]:
        return [{"x": x + dx, "y": y + dy} for dx, dy in ((0, 0), (wide, 0), (wide, high), (0, high))]

    hall: dict[str, Any] = {"name": "Hall", "topLeft": {"x": 0, "y": 0}, "bottomRight": {"x": 100, "y": 100}}
    hall |= {"polygon": box(0, 0, 100, 100)}
    hall["holes"] = [box(20, 10, 60, 80), *(box(2 + 6 * number, 2, 2, 2) for number in range(16))]
    sides = [
        {"name": name, "topLeft": {"x": x, "y": 40}, "bottomRight": {"x": x + 10, "y": 60}}
        for name, x in (("West", -10), ("East", 100))
    ]
    doors = [{"rooms": [name, "Hall"], "at": {"x": x, "y": 50}} for name, x in (("West", 0), ("East", 100))]
    corners = {
        "topLeft": {"px": 0, "py": 0, "x": -10, "y": 0},
        "bottomRight": {"px": 120, "py": 100, "x": 110, "y": 100},
    }
    floor = _floor("1F", 1, [("Any", 0, None)], "Hall") | {"coordinateSystem": corners}
    floor |= {"rectangles": [hall, *sides], "doors": doors}
    plan = MapDefinitionContent.model_validate({"floors": [floor], "bitmaps": []})
    assert FindRoute(Building(plan))("West", "East").startswith("From West to East: 159 m")


def test_answers_about_a_floor_without_doors_name_none() -> None:
    floor = _floor("1F", 1, [("Shop", 0, "shop")], "Hall") | {"doors": []}
    building = Building(MapDefinitionContent.model_validate({"floors": [floor], "bitmaps": []}))
    assert "Corridor 1Fと接しています（図面にドアの情報はありません）" in WhereIs(building)("Shop", "ja")
    assert "The plan has no doors of this floor." in WhereIs(building)("Shop")
    route = FindRoute(building)
    assert "go into Corridor 1F" in route("Shop", "Corridor 1F")
    assert "ドアを通って" not in route("Shop", "Corridor 1F", language="ja")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"floor": "2F", "show": "count"}, "There are 4 rooms on 2F (1 corridor among them): Meeting Room,"),
        ({"floor": "2階", "show": "count", "language": "ja"}, "2階の部屋は4室です（うち廊下1）："),
        ({"kind": "restrooms", "show": "count"}, "There are 3 toilets in the building: Toilet (1F),"),
        ({"kind": "kitchen", "floor": "1F", "show": "count"}, "There is no kitchen on 1F."),
        ({"kind": "toilet", "show": "area"}, "The total area of the 3 toilets in the building is 300 m²."),
        ({"show": "largest"}, "The largest room in the building is Lobby (1F) with 100 m²."),
        ({"show": "largest", "language": "ja"}, "最も広い部屋はLobby（1階）で、100m²です。"),
        ({"show": "floors"}, "The building has 2 floors: 1F and 2F."),
        ({"show": "sizes", "floor": "1F"}, "4 rooms coloured by area: Corridor 1F (120 m²),"),
        ({"kind": "Shop, Lobby", "show": "area"}, "The total area of the 2 rooms is 200 m²."),
        ({"show": "at least 100", "floor": "1F"}, "There are 4 rooms of at least 100 m² on 1F"),
        ({"show": "over 100", "language": "ja"}, "100m²より広い"),
        ({"show": "tallest"}, "Error: There is no 'tallest' to show."),
    ],
)
def test_rooms_are_counted_and_measured(arguments: dict[str, Any], text: str) -> None:
    assert ListRooms(BUILDING)(**arguments).startswith(text)


def test_a_hole_is_no_part_of_a_rooms_area() -> None:
    definition = BUILDING.definition.model_copy(deep=True)
    lobby = definition.floors[0].rectangles[0]
    hole = [XY(x=x, y=y) for x, y in ((2, 2), (6, 2), (6, 6), (2, 6))]
    definition.floors[0].rectangles[0] = lobby.model_copy(update={"holes": [hole]})
    assert "Its area is 84 m²." in WhereIs(Building(definition))("Lobby")
    plain = [floor.model_copy(update={"metres_per_unit": None}) for floor in definition.floors]
    unscaled = Building(definition.model_copy(update={"floors": plain}))
    assert "Its area is 84 square units of the plan." in WhereIs(unscaled)("Lobby")
    assert ListRooms(unscaled)(show="over 50").startswith("Error: The plan has no scale, so no room can")


def _with_exits(exits: list[dict[str, Any]]) -> FindRoute:
    """Three rooms on a corridor with these exits."""
    level = _floor("1F", 0, [("Lobby", 0, None), ("Toilet", 10, None), ("Shop", 20, None)], "Corridor 1F")
    level["doors"] = [*level["doors"][:-1], *({"rooms": ["Corridor 1F"]} | each for each in exits)]
    return FindRoute(
        Building(MapDefinitionContent.model_validate({"floors": [level], "bitmaps": []})), now=noon
    )


def test_a_way_without_steps_takes_no_exit_with_steps() -> None:
    steps = {"at": {"x": 0, "y": 12}, "accessible": False}
    tool = _with_exits([steps, {"at": {"x": 30, "y": 12}}])
    assert route_of(drawn(tool("Lobby", "exit"))[1]).legs[-1].points[-1].x == 0
    assert route_of(drawn(tool("Lobby", "exit", accessible=True))[1]).legs[-1].points[-1].x == 30
    assert "without steps. There is one otherwise." in _with_exits([steps])("Lobby", "exit", accessible=True)


def test_a_way_goes_on_from_the_stop_on_the_way_and_not_from_the_middle_of_its_room(
    find_route: FindRoute,
) -> None:
    route = route_of(drawn(find_route("Lobby", "Shop", via="Lift A"))[1])
    [leg] = route.legs
    assert [(at.x, at.y) for at in leg.points] == [(5, 5), (5, 10), (28, 12), (25, 10), (25, 5)]
    assert route.length == pytest.approx(5 + (23**2 + 2**2) ** 0.5 + (3**2 + 2**2) ** 0.5 + 5, abs=0.01)
