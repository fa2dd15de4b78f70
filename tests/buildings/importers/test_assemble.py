"""Buildings assembled from a Site: metres and axis, repair, names, doors, links, landings, and one of several buildings."""

import math
from typing import Any

import pytest
import shapely

from smoldesk.buildings.importers.inside.assemble import assemble
from smoldesk.buildings.importers.inside.draft import Draft, SeveralBuildings, Unreadable
from smoldesk.buildings.importers.inside.findings import Findings
from smoldesk.buildings.importers.inside.projection import metres_per_degree, to_degrees
from smoldesk.buildings.importers.inside.site import Area, Connector, Level, Opening, Site

ORIGIN = (139.7, 35.6)


def area(
    name: str,
    west: float,
    south: float,
    east: float,
    north: float,
    levels: tuple[str, ...] = ("0",),
    kind: str = "",
    **more: Any,
) -> Area:
    return Area(
        f"area {name}", shapely.box(west, south, east, north), list(levels), name, kind, id=name, **more
    )


def door(x: float, y: float, *areas: str, level: str = "0") -> Opening:
    return Opening(f"door {x},{y}", shapely.Point(x, y), [level], areas=list(areas))


def built(site: Site, building: str = "") -> tuple[Draft, dict[str, int]]:
    """The draft, and the number of findings by code."""
    findings = Findings()
    draft = assemble(site, findings, building)
    return draft, {group.code: group.count for group in findings.groups()}


def doors_of(draft: Draft, floor: int = 0) -> list[set[str]]:
    return [set(door["rooms"]) for door in draft.floors[floor].get("doors", [])]


@pytest.mark.parametrize("angle", [0.0, 16.2, -33.0, 59.0, 90.0])
def test_a_turned_building_is_drawn_straight_and_its_place_leads_back_to_the_degrees(angle: float) -> None:
    east, north = metres_per_degree(ORIGIN[1])
    sine, cosine = math.sin(math.radians(angle)), math.cos(math.radians(angle))

    def degrees(x: float, y: float) -> tuple[float, float]:
        return ORIGIN[0] + (x * cosine - y * sine) / east, ORIGIN[1] + (x * sine + y * cosine) / north

    corners = [(0, 0), (60, 0), (60, 20), (0, 20)]
    rooms = [
        Area("", shapely.Polygon([degrees(x + shift, y) for x, y in corners]), ["0"]) for shift in (0, 60)
    ]
    draft, counts = built(Site("test", unit="degrees", areas=rooms))
    rectangles = draft.floors[0]["rectangles"]
    assert all("polygon" not in room for room in rectangles), "straight rooms are rectangles"
    sides = [
        abs(room["bottomRight"][axis] - room["topLeft"][axis]) for room in rectangles for axis in ("x", "y")
    ]
    assert sorted(sides) == pytest.approx([20, 20, 60, 60], abs=0.01)
    assert (counts["degrees"], counts["unnamed"]) == (1, 2)
    place = draft.georeference
    assert place is not None
    assert abs(place["bearing"]) <= 45
    x1, y1 = rectangles[0]["topLeft"].values()
    x2, y2 = rectangles[0]["bottomRight"].values()
    back = to_degrees(**place, points=[(x1, y1), (x2, y1), (x2, y2), (x1, y2)])
    for point in back:
        distance = min(
            math.hypot((point[0] - lon) * east, (point[1] - lat) * north)
            for lon, lat in (degrees(*corner) for corner in corners)
        )
        assert distance < 0.005, "metres between a corner of the file and where the plan says it is"


def test_a_crossed_outline_is_repaired_a_hole_is_kept_and_unnamed_rooms_are_numbered() -> None:
    bow = Area("bow", shapely.Polygon([(0, 0), (10, 0), (10, 10), (5, -0.5), (0, 10)]), ["0"], "Bow")
    ring = Area("ring", shapely.box(20, 0, 40, 20).difference(shapely.box(25, 5, 35, 15)), ["0"], "Ring")
    spike = Area("line", shapely.Polygon([(0, 0), (1, 1), (0, 0)]), ["0"], "Line")
    others = [
        area("", 50, 0, 55, 5, kind="office"),
        area("", 55, 0, 60, 5, kind="office"),
        area("Ring", 60, 0, 65, 5),
    ]
    draft, counts = built(Site("test", areas=[bow, ring, spike, *others]))
    names = [room["name"] for room in draft.floors[0]["rectangles"]]
    assert names == ["Bow", "Bow (2)", "Ring", "Office 1", "Office 2", "Ring (2)"]
    assert len(draft.floors[0]["rectangles"][2]["holes"][0]) == 4
    expected = {"repaired": 1, "no_area": 1, "unnamed": 2, "duplicate_names": 2}
    assert {code: counts[code] for code in expected} == expected


def test_the_smaller_room_wins_and_doors_stand_between_the_rooms_on_both_sides_of_a_wall() -> None:
    site = Site("test", areas=[
        area("Hall", 0, 0, 40, 20, kind="corridor"), area("Shop", 10, 5, 20, 15),
        area("Office", 40.3, 0, 50, 10), area("Next", 40.3, 10.05, 50, 20),
    ], openings=[
        door(10, 10),  # on the wall of the shop, which stands in the hall
        door(40.15, 9.9),  # in a thick wall, beside another room
        door(40.15, 15, "Office"),  # the file knows better
        door(0, 3),  # leads out
        door(90, 90), Opening("line", shapely.LineString([(45, 10.02), (46, 10.02)]), ["0"]),
    ])  # fmt: skip
    draft, counts = built(site)
    assert doors_of(draft) == [
        {"Hall", "Shop"},
        {"Hall", "Office"},
        {"Hall", "Office"},
        {"Hall"},
        {"Office", "Next"},
    ]
    widths = [drawn.get("width") for drawn in draft.floors[0]["doors"]]
    assert widths == [None, None, None, None, 1.0]  # a drawn door is as wide as its line
    hall = draft.floors[0]["rectangles"][0]
    assert (hall["name"], len(hall["holes"])) == ("Hall", 1)
    assert (counts["overlaps"], counts["one_sided"], counts["door_nowhere"]) == (1, 1, 1)


def test_corridors_that_touch_are_joined_and_stairs_without_a_door_too() -> None:
    site = Site("test", areas=[
        area("A", 0, 0, 20, 3, kind="corridor"), area("B", 20, 0, 40, 3, kind="corridor"),
        area("Stairs", 10, 3, 14, 8, kind="stairs"), area("Room", 0, 3, 10, 8),
    ], openings=[door(5, 3)])  # fmt: skip
    draft, counts = built(site)
    assert doors_of(draft) == [{"A", "Room"}, {"A", "B"}, {"A", "Stairs"}]
    assert counts["open_passages"] == 2


def test_stairs_meet_at_landings_and_lifts_stop_on_all_their_levels() -> None:
    levels = [Level(str(number), ordinal=number) for number in (0, 0.5, 1, 2, 3)]
    halls = [area("Hall", 0, 0, 40, 20, levels=("0", "1", "2"))]
    flight = shapely.box(1, 1, 3, 5)
    connectors = [
        Connector("low", "stairs", flight, ["0", "0.5"]), Connector("high", "stairs", flight, ["0.5", "1"]),
        Connector("lift", "lift", shapely.Point(30, 5), ["0", "1", "2"], "Lift A"),
        Connector("other", "stairs", shapely.box(20, 1, 22, 5), ["2"], "Ladder"),
    ]  # fmt: skip
    landing = area("Landing", 1, 1, 3, 5, levels=("0.5",), kind="stairs")
    draft, counts = built(Site("test", levels=levels, areas=[*halls, landing], connectors=connectors))
    assert [floor["floorId"] for floor in draft.floors] == ["0", "1", "2"]
    links = [(link["kind"], [stop["floorId"] for stop in link["stops"]]) for link in draft.links]
    assert links == [("stairs", ["0", "1"]), ("lift", ["0", "1", "2"])]
    assert (counts["landings"], counts["link_one_level"], counts["empty_levels"]) == (1, 1, 1)


def test_of_several_buildings_one_is_chosen() -> None:
    site = Site("test", areas=[
        area("A", 0, 0, 5, 5, building="north"), area("B", 500, 0, 505, 5, building="south"),
        area("Kiosk", 250, 0, 255, 5),
    ], buildings={"north": "North wing", "south": "South wing", "empty": "Nothing"})  # fmt: skip
    for wrong in ("", "west"):
        with pytest.raises(SeveralBuildings) as caught:
            built(site, wrong)
        assert [choice["id"] for choice in caught.value.choices] == ["north", "south"]
    draft, counts = built(site, "south")
    assert (draft.name, [room["name"] for room in draft.floors[0]["rectangles"]]) == ("South wing", ["B"])
    assert counts["other_building"] == 1


@pytest.mark.parametrize(
    ("site", "text"),
    [
        (Site("test"), "Expected polygons of rooms"),
        (Site("test", levels=[Level("1")], areas=[area("A", 0, 0, 5, 5, levels=("x",))]), "no room"),
        (Site("test", unit="degrees", areas=[area("A", 35.6, 139.7, 35.601, 139.701)]), "swap them"),
        (Site("test", unit="degrees", areas=[area("A", 400_000, 5e6, 400_010, 5e6 + 10)]), "WGS 84"),
        (Site("test", areas=[area("A", 0, 0, math.inf, 5)]), "finite number"),
        (Site("test", areas=[area("A", 0, 0, 5, 5), area("B", 5e7, 0, 5e7 + 5, 5)]), "at most 10"),
    ],
)
def test_a_site_without_a_building_says_what_is_expected(site: Site, text: str) -> None:
    with pytest.raises(Unreadable, match=text):
        built(site)
