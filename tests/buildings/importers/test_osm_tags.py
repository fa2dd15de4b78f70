"""Elements with OpenStreetMap's tags: rooms, doors, lifts and stairs, levels, and several buildings."""

from collections.abc import Iterable

import pytest
import shapely

from smoldesk.buildings.importers.inside.assemble import assemble
from smoldesk.buildings.importers.inside.draft import Draft, Unreadable
from smoldesk.buildings.importers.inside.findings import Findings
from smoldesk.buildings.importers.inside.imdf_kinds import words_of_categories
from smoldesk.buildings.importers.inside.osm_kinds import words_of
from smoldesk.buildings.importers.inside.osm_levels import levels_of
from smoldesk.buildings.importers.inside.osm_tags import Element, read_tagged
from smoldesk.buildings.importers.inside.site import Site

# About a metre in degrees.
M = 1e-5


def box(x1: float, y1: float, x2: float, y2: float) -> shapely.Geometry:
    """A closed line, as a way is."""
    return shapely.LineString([(x * M, y * M) for x, y in [(x1, y1), (x2, y1), (x2, y2), (x1, y2), (x1, y1)]])


def point(x: float, y: float) -> shapely.Geometry:
    return shapely.Point(x * M, y * M)


def line(*points: tuple[float, float]) -> shapely.Geometry:
    return shapely.LineString([(x * M, y * M) for x, y in points])


def tagged(*elements: tuple[str, shapely.Geometry]) -> Iterable[Element]:
    for number, (tags, geometry) in enumerate(elements):
        pairs = dict(pair.split("=", 1) for pair in tags.split(", "))
        yield Element(f"way/{number}", pairs, geometry, f"way {number}")


def read(*elements: tuple[str, shapely.Geometry]) -> Site:
    return read_tagged(tagged(*elements), Findings())


ROOM = ("indoor=room, level=0, ref=E001", box(0, 0, 5, 5))


@pytest.mark.parametrize(
    ("tags", "levels"),
    [
        ({"level": "0"}, ["0"]),
        ({"level": "0;1;2"}, ["0", "1", "2"]),
        ({"level": "-1; 0"}, ["-1", "0"]),
        ({"level": "0-3"}, ["0", "1", "2", "3"]),
        ({"level": "-3--1"}, ["-3", "-2", "-1"]),
        ({"level": "-1-1"}, ["-1", "0", "1"]),
        ({"level": "0;0.5"}, ["0", "0.5"]),
        ({"level": "0.5-2"}, ["0.5", "1", "2"]),
        ({"level": "1", "repeat_on": "2-3;5"}, ["1", "2", "3", "5"]),
        ({"level": "1", "repeat_on": "1"}, ["1"]),
        ({"level": "-0"}, ["0"]),
        ({"level": "EG"}, ["EG"]),
        ({"level": "0-99999"}, ["0-99999"]),
        ({"level": "-999-999"}, []),
        ({}, []),
    ],
)
def test_levels_are_lists_ranges_and_repetitions(tags: dict[str, str], levels: list[str]) -> None:
    assert levels_of(tags) == levels


def test_a_range_leaves_out_levels_that_the_building_does_not_have() -> None:
    site = read(
        ("building=yes, non_existent_levels=13", box(-1, -1, 9, 9)),
        ("indoor=room, level=12-14, ref=1", box(0, 0, 5, 5)),
    )
    assert [level.id for level in site.levels] == ["12", "14"]


def test_a_room_has_its_name_or_number_its_other_names_and_its_kind() -> None:
    site = read(
        ("indoor=room, level=0, ref=E001, room=toilets", box(0, 0, 5, 5)),
        ("indoor=room, level=0, name=Aula, name:ja=講堂, ref=2101, alt_name=Hall;Big hall", box(5, 0, 9, 5)),
        ("indoor=corridor, level=0", box(0, 5, 9, 9)),
        ("indoor=room, room=class_room, level=0", box(9, 0, 12, 5)),
    )
    assert [(area.name, area.kind) for area in site.areas] == [
        ("E001", "toilet"),
        ("Aula", ""),
        ("", "corridor"),
        ("", "class room"),
    ]
    assert (site.areas[1].names, site.areas[1].aliases) == ({"ja": "講堂"}, ["2101", "Hall", "Big hall"])


def test_walls_columns_outlines_furniture_and_repetitions_are_no_rooms() -> None:
    site = read(
        ROOM,
        ("indoor=wall, level=0", box(5, 0, 6, 5)),
        ("indoor=column, level=0", box(2, 2, 3, 3)),
        ("indoor=level, level=0, name=Ground", box(0, 0, 9, 9)),
        ("amenity=bench, indoor=yes, level=0", box(1, 1, 2, 2)),
        ("building=yes", box(0, 0, 9, 9)),
        (ROOM[0], shapely.MultiPolygon([shapely.Polygon(shapely.get_coordinates(ROOM[1])[::-1])])),
    )
    assert [area.name for area in site.areas] == ["E001"]
    assert [(level.id, level.name, level.ordinal) for level in site.levels] == [("0", "Ground", 0.0)]


def test_doors_repeat_on_levels_and_take_those_of_their_rooms_if_they_state_none() -> None:
    site = read(
        ("indoor=room, level=0-2, ref=1", box(0, 0, 5, 5)),
        ("door=yes, level=0, repeat_on=1-2", point(5, 2)),
        ("door=no, wheelchair=no", point(5, 3)),
        ("entrance=main", point(0, 3)),
        ("entrance=yes", point(90, 3)),
    )
    assert [(door.levels, door.accessible) for door in site.openings] == [
        (["0", "1", "2"], True),
        (["0", "1", "2"], False),
        (["0"], True),
    ]


def test_lifts_stairs_escalators_and_ramps_connect_levels() -> None:
    site = read(
        ("indoor=room, level=0-3, ref=1", box(0, 0, 5, 5)),
        ("highway=elevator, level=0-3, ref=A", point(1, 1)),
        ("highway=elevator, ref=B", point(2, 1)),
        ("highway=steps, level=0;1", line((2, 2), (4, 2))),
        ("highway=steps, conveying=forward, level=0;1", line((2, 3), (4, 3))),
        ("highway=footway, incline=8%, level=1;2", line((2, 4), (4, 4))),
        ("indoor=room, stairs=yes, level=0;1", box(5, 0, 9, 5)),
        ("indoor=room, room=elevator, level=0;1", box(9, 0, 11, 5)),
        ("highway=steps", line((50, 50), (60, 60))),
    )
    assert [(link.kind, len(link.levels)) for link in site.connectors] == [
        ("lift", 4),
        ("lift", 4),
        ("stairs", 2),
        ("escalator", 2),
        ("ramp", 2),
        ("stairs", 2),
        ("lift", 2),
    ]
    assert [area.kind for area in site.areas] == ["", "stairs", "lift"]


def test_parts_belong_to_the_building_that_contains_them() -> None:
    site = read(
        ("building=yes, name=North", box(0, 0, 10, 10)),
        ("building=yes, addr:street=Long Street, addr:housenumber=2", box(20, 0, 30, 10)),
        ("building=yes, name=Empty", box(40, 0, 50, 10)),
        ("indoor=room, level=0, ref=1", box(1, 1, 5, 5)),
        ("indoor=room, level=1, ref=1", box(21, 1, 25, 5)),
        ("indoor=area, level=0, ref=yard", box(200, 1, 205, 5)),
        ("door=yes, level=1", point(25, 2)),
    )
    assert list(site.buildings.values()) == ["North", "Long Street 2", "Outside of all buildings"]
    assert [site.buildings[area.building] for area in site.areas] == list(site.buildings.values())
    assert site.buildings[site.openings[0].building] == "Long Street 2"


def test_the_plan_has_doors_on_both_sides_and_the_stops_of_stairs_in_rooms() -> None:
    site = read(
        ("indoor=room, level=0, ref=1", box(0, 0, 5, 5)),
        ("indoor=corridor, level=0;1", box(0, 5, 9, 9)),
        ("door=yes, level=0, ref=D", point(2, 5)),
        ("door=yes, level=0, ref=D", point(4, 5)),
        ("door=yes, level=7", point(4, 5)),
        ("highway=steps, level=0;1", line((9.5, 7), (14, 7))),
    )
    findings = Findings()
    draft = assemble(site, findings)
    assert [group.count for group in findings.groups() if group.code == "door_nowhere"] == [1]
    doors = [(door["doorId"], door["rooms"]) for door in draft.floors[0]["doors"]]
    assert doors == [("D", ["1", "Corridor 1"]), ("D (2)", ["1", "Corridor 1"])]
    (link,) = draft.links
    width = draft.floors[0]["coordinateSystem"]["bottomRight"]["x"]
    assert [stop["room"] for stop in link["stops"]] == ["Corridor 1", "Corridor 1"]
    assert all(stop["at"]["x"] <= width for stop in link["stops"])


def test_lifts_beside_each_other_are_two_and_flights_with_a_landing_are_one() -> None:
    site = read(
        ("indoor=corridor, level=0-2", box(0, 0, 20, 10)),
        ("indoor=room, room=elevator, level=0-2, ref=A", box(1, 1, 3, 3)),
        ("indoor=room, room=elevator, level=0-2, ref=B", box(3, 1, 5, 3)),
        ("highway=elevator, level=0-2", point(2, 2)),
        ("highway=elevator, level=0;1", point(10, 2)),
        ("highway=elevator, level=0;1", point(11, 2)),
        ("highway=steps, level=0;0.5", line((1, 5), (5, 5))),
        ("highway=steps, level=0.5;1", line((5, 6), (1, 6))),
        ("indoor=area, stairs=yes, level=0.5", box(5, 5, 6, 6)),
        ("highway=steps, conveying=forward, level=0;1", line((8, 8), (12, 8))),
        ("highway=steps, conveying=backward, level=0;1", line((8, 9), (12, 9))),
    )
    draft = assemble(site, Findings())
    assert sorted((link["kind"], len(link["stops"])) for link in draft.links) == [
        ("escalator", 2),
        ("escalator", 2),
        ("lift", 2),
        ("lift", 2),
        ("lift", 3),
        ("lift", 3),
        ("stairs", 2),
    ]
    assert [floor["floorId"] for floor in draft.floors] == ["0", "1", "2"]


def test_outlines_with_a_way_through_are_one_building_and_strays_belong_to_the_nearest() -> None:
    site = read(
        ("building=yes, name=North", box(0, 0, 10, 10)),
        ("building=yes, name=South", box(10, 0, 20, 10)),
        ("building=yes", box(20, 0, 30, 10)),
        ("building=yes, name=House", box(60, 0, 70, 10)),
        ("indoor=room, level=0, ref=1", box(1, 1, 10, 5)),
        ("indoor=room, level=0, ref=2", box(10, 1, 19, 5)),
        ("indoor=room, level=0, ref=3", box(21, 1, 25, 5)),
        ("indoor=room, level=0, ref=4", box(31, 1, 35, 5)),
        ("shop=books, level=0", box(60, 1, 65, 5)),
        ("door=yes, level=0", point(10, 2)),
    )
    assert [area.name for area in site.areas] == ["1", "2", "3", "4"]
    assert (site.buildings, site.name) == ({}, "North")


def test_a_file_without_rooms_says_what_is_expected() -> None:
    with pytest.raises(Unreadable, match=r"no room.*indoor=room"):
        read(("highway=residential", line((0, 0), (5, 5))), ("building=yes", box(0, 0, 9, 9)))


def test_all_words_for_what_a_room_is_are_kept() -> None:
    assert words_of({"room": "shop", "shop": "bakery;pastry"}) == ["shop", "bakery", "pastry"]
    assert words_of({"amenity": "toilets", "female": "yes", "male": "no", "toilets:wheelchair": "yes"}) == [
        "toilets",
        "female toilet",
        "wheelchair toilet",
    ]
    assert words_of({"indoor": "room", "shop": "vacant", "wheelchair": "yes"}) == []
    assert words_of_categories(["restroom.female.wheelchair", "coffee.tea", "room"]) == [
        "female toilet",
        "wheelchair toilet",
        "restroom",
        "tea",
        "coffee",
    ]


def station(*elements: tuple[str, shapely.Geometry]) -> tuple[Draft, dict[str, int]]:
    """Return the plan of a hall with what is added, and the counts of its findings."""
    findings = Findings()
    hall = ("indoor=area, level=0, name=Hall", box(0, 0, 20, 10))
    draft = assemble(read_tagged(tagged(hall, *elements), findings), findings)
    return draft, {group.code: group.count for group in findings.groups()}


def test_footways_indoors_are_corridors_that_join_lifts_stairs_and_the_areas_they_enter() -> None:
    draft, counts = station(
        ("indoor=room, level=0, shop=kiosk, name=Kiosk", box(20, 12, 26, 18)),
        ("highway=footway, indoor=yes, level=0", line((10, 5), (30, 5), (30, 15), (23, 15))),
        ("highway=footway, indoor=yes, level=2", line((30, 5), (60, 5))),
        ("highway=footway, level=0", line((30, 15), (30, 90))),
        ("highway=elevator, level=0;2, ref=A", point(30, 5)),
        ("highway=steps, level=0;2", line((30, 15), (35, 15), (35, 5))),
    )
    ground, above = draft.floors
    doors = {frozenset(door["rooms"]) for door in ground["doors"]}
    assert [room["name"] for room in above["rectangles"]] == ["Corridor 2"]
    assert doors == {frozenset(("Hall", "Corridor 1")), frozenset(("Kiosk", "Corridor 1"))}
    assert [[stop["room"] for stop in link["stops"]] for link in draft.links] == [
        ["Corridor 1", "Corridor 2"]
    ] * 2
    assert counts["footways"] == 2


def test_a_lift_that_stands_in_no_room_is_a_place_of_its_own_on_each_level() -> None:
    draft, counts = station(("highway=elevator, level=-1-1, name=Lift A", point(10, 5)))
    assert [[room["name"] for room in floor["rectangles"]] for floor in draft.floors] == [
        ["Hall"],
        ["Lift A"],
        ["Lift A"],
    ]
    assert [stop["room"] for stop in draft.links[0]["stops"]] == ["Lift A", "Hall", "Lift A"]
    assert counts["cabins"] == 2
    draft, counts = station(("highway=elevator, level=0, name=Lift A", point(90, 5)))
    assert (len(draft.floors[0]["rectangles"]), "cabins" in counts) == (1, False)


def test_lifts_and_stairs_have_names_that_tell_them_apart() -> None:
    draft, _ = station(
        ("indoor=area, level=1, name=Above", box(0, 0, 20, 10)),
        *(
            (f"highway=elevator, level=0;1{name}", point(x, 5))
            for x, name in ((2, ""), (5, ""), (8, ", ref=A"))
        ),
        ("highway=elevator, level=0;1, ref=A", point(11, 5)),
        ("highway=steps, level=0;1", line((15, 2), (15, 6))),
    )
    assert sorted(link["name"] for link in draft.links) == ["A", "A (2)", "Lift 1", "Lift 2", "Stairs"]
