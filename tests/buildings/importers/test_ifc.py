"""IFC files: rooms, doors, stairs and lifts from records and meshes; files that are cut off, too large or empty."""

import importlib.util
import sys

import pytest
import shapely

from smoldesk.buildings.importers.inside import ifc
from smoldesk.buildings.importers.inside.draft import Unreadable
from smoldesk.buildings.importers.inside.findings import Findings
from smoldesk.buildings.importers.inside.ifc import read_ifc
from smoldesk.buildings.importers.inside.ifc_placement import from_utm
from smoldesk.buildings.importers.inside.ifc_site import SiteBuilder, meshed_ids
from smoldesk.buildings.importers.inside.site import Site
from smoldesk.buildings.importers.inside.step_file import StepFile, decode_string
from tests.support.ifc_text import IfcText, house

LIBRARY = importlib.util.find_spec("ifclite_geom") is not None


def build(text: IfcText) -> tuple[Site, list[str]]:
    """The site without the library, whose meshes are those of the test; and the codes of the findings."""
    findings = Findings()
    file = StepFile(text.data())
    meshes = {number: mesh for number, mesh in text.meshes.items() if number in meshed_ids(file)}
    site = SiteBuilder(file, meshes, findings).build()
    return site, [f"{entry['code']} {entry['count']}" for entry in findings.entries()]


def refused(data: bytes) -> str:
    with pytest.raises(Unreadable) as caught:
        read_ifc(data, Findings())
    return caught.value.message


def test_a_space_is_called_by_its_long_name_and_keeps_its_number_as_an_alias() -> None:
    site, _ = build(house())
    rooms = {area.aliases[0] if area.aliases else area.name: area for area in site.areas}
    assert (rooms["101"].name, rooms["101"].shape.bounds) == ("Hall", (0, 0, 6, 4))
    assert (rooms["102"].name, rooms["102"].aliases) == ("102", [])
    assert [(level.name, level.ordinal) for level in site.levels] == [
        ("Ground floor", 0),
        ("Upper floor", 1),
        ("Roof", None),
    ]
    assert (site.name, site.unit, site.format) == ("Annex", "metres", "ifc")


def test_a_door_joins_the_rooms_on_both_sides_of_its_hole_even_if_it_is_drawn_open() -> None:
    site, report = build(house())
    names = {area.id: area.name for area in site.areas}
    doors = {door.name: door for door in site.openings}
    assert sorted(names[room] for room in doors["D1"].areas) == ["102", "Hall"]
    assert list(doors["D1"].shape.coords) == [pytest.approx((2, 4.1)), pytest.approx((2.9, 4.1))]
    assert [names[room] for room in doors["D2"].areas] == ["Hall"]
    assert "D3" not in doors, "a balcony is no way out of the building"
    assert report == ["balconies 1"]


def test_stairs_and_a_lift_join_storeys_and_a_lift_lobby_does_not() -> None:
    site, _ = build(house())
    levels = {level.id: level.name for level in site.levels}
    found = sorted(
        (part.kind, part.name, *(levels[level] for level in part.levels)) for part in site.connectors
    )
    assert found == [
        ("lift", "Lift", "Ground floor"),
        ("lift", "Lift", "Upper floor"),
        ("stairs", "Main stairs", "Ground floor", "Upper floor"),
    ]


def test_space_boundaries_come_before_geometry_and_walls_may_have_no_rooms_beside_them() -> None:
    text = IfcText("IFC2X3")
    storey = text.storey("EG", 0)
    first = text.space(storey, "1", "A", (0, 0, 0, 4, 4, 3))
    second = text.space(storey, "2", "B", (9, 0, 0, 12, 4, 3))
    door = text.element("IFCDOOR", storey, "D", (4, 1, 0, 4.2, 2, 2), "2100.,900.")
    for space in (first, second):
        text.add(f"IFCRELSPACEBOUNDARY('b',$,$,$,#{space},#{door},$,.PHYSICAL.,.INTERNAL.)")
    far = text.element("IFCDOOR", storey, "far", (30, 1, 0, 31, 1.1, 2), "2100.,900.")
    site, report = build(text)
    assert [sorted(opening.areas) for opening in site.openings] == [[f"#{first}", f"#{second}"]]
    assert report == ["door_nowhere 1"] and far


def test_a_hole_without_a_door_and_a_boundary_without_a_wall_are_ways_between_rooms() -> None:
    text = IfcText()
    storey = text.storey("1F", 0)
    rooms = [text.space(storey, str(x), "", (x, 0, 0, x + 3.9, 4, 3)) for x in (0, 4, 8)]
    wall = text.add("IFCWALL('w',$,'Wall',$,$,$,$,$,$)")
    text.hole(wall, (3.9, 1, 0, 4, 2.5, 2.2))
    text.hole(wall, (3.9, 3, 1, 4, 3.9, 2.2))  # a hatch
    virtual = text.add("IFCVIRTUALELEMENT('v',$,$,$,$,$,$,$)")
    for room in rooms[1:]:
        text.add(f"IFCRELSPACEBOUNDARY('b',$,$,$,#{room},#{virtual},$,.VIRTUAL.,.INTERNAL.)")
    above = text.space(text.storey("2F", 3), "9", "", (0, 0, 3, 3.9, 4, 6))
    stairwell = text.add("IFCVIRTUALELEMENT('v',$,$,$,$,$,$,$)")
    for room in (rooms[0], above):
        text.add(f"IFCRELSPACEBOUNDARY('b',$,$,$,#{room},#{stairwell},$,.VIRTUAL.,.INTERNAL.)")
    site, _ = build(text)
    assert [opening.areas for opening in site.openings] == [
        [f"#{rooms[0]}", f"#{rooms[1]}"],
        [f"#{rooms[1]}", f"#{rooms[2]}"],
    ]


def test_storeys_at_one_height_are_one_level_and_those_without_rooms_none() -> None:
    text = IfcText()
    storeys = [
        text.storey(name, height) for name, height in (("FDN", -1.2), ("B1", -3), ("1F", 0), ("1F arch", 0.1))
    ]
    for place, storey in enumerate(storeys[1:]):
        text.space(storey, str(place), "", (place * 5, 0, -3 if place == 0 else 0, place * 5 + 4, 4, 2))
    site, _ = build(text)
    assert [(level.name, level.ordinal) for level in site.levels] == [("B1", -1), ("1F", 0), ("FDN", None)]
    assert [area.levels for area in site.areas] == [
        [site.levels[0].id],
        [site.levels[1].id],
        [site.levels[1].id],
    ]


def test_a_space_that_covers_other_rooms_and_a_gross_area_are_left_out_with_a_note() -> None:
    text = IfcText()
    storey = text.storey("1F", 0)
    text.space(storey, "all", "", (0, 0, 0, 10, 4, 3))
    text.space(storey, "gross", "", (0, 0, 0, 11, 5, 3), "GFA")
    text.space(storey, "a", "", (0, 0, 0, 4.9, 4, 3))
    text.space(storey, "b", "", (5, 0, 0, 10, 4, 3))
    for x in (0, 6):
        text.space(storey, f"cellar {x}", "", (20 + x, 0, -3, 25 + x, 4, -0.3))
    text.space(storey, "above the cellar", "", (20, 0, 0, 31, 4, 3))
    site, report = build(text)
    assert [area.name for area in site.areas] == ["a", "b", "cellar 0", "cellar 6", "above the cellar"]
    assert report == ["covering 2"]


def test_several_buildings_keep_their_rooms_and_levels_apart() -> None:
    text = IfcText()
    second = text.add_building("Tower")
    for building, x in ((text.building, 0), (second, 50)):
        storey = text.storey("1F", 0, building)
        text.space(storey, f"room {x}", "", (x, 0, 0, x + 4, 4, 3))
    site, _ = build(text)
    assert sorted(site.buildings.values()) == ["Annex", "Tower"]
    assert (
        {area.building for area in site.areas}
        == set(site.buildings)
        == {level.building for level in site.levels}
    )


def test_the_site_s_latitude_or_a_map_conversion_gives_the_place_on_the_earth() -> None:
    by_site, _ = build(house())
    assert by_site.reference is not None
    assert (by_site.reference.latitude, by_site.reference.longitude) == pytest.approx(
        (35.675, 139.767222), abs=1e-6
    )
    text = house()
    system = text.add("IFCPROJECTEDCRS('EPSG:32617',$,$,$,$,$,$)")
    text.add(f"IFCMAPCONVERSION(#5,#{system},630084.,4833438.,0.,0.,1.,1.)")
    by_map, _ = build(text)
    assert by_map.reference is not None
    # CN Tower, whose coordinates in both systems are published: 43°38'33.24"N 79°23'13.7"W.
    assert by_map.reference.latitude == pytest.approx(43.642567, abs=1e-5)
    assert by_map.reference.longitude == pytest.approx(-79.387139, abs=1e-5)
    assert by_map.reference.bearing == pytest.approx(-90, abs=1.2)
    south = from_utm(31, -1, 500_000, 10_000_000, 0)
    assert (south.longitude, south.latitude, south.bearing) == pytest.approx((3, 0, 0))


def test_names_are_read_with_the_escapes_of_the_standard_and_in_old_encodings() -> None:
    assert decode_string(r"\X2\968E6BB5\X0\ 1") == "階段 1"
    assert decode_string(r"T\S\|r \X\C4 O''Neil \\") == "Tür Ä O'Neil \\"
    text = IfcText()
    text.space(text.storey("１階", 0), "101", "会議室と給湯室のあいだ", (0, 0, 0, 4, 4, 3))
    data = text.data().decode().encode("cp932")
    space = next(StepFile(data).of("IFCSPACE"))
    assert space.text(7) == "会議室と給湯室のあいだ"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (house().data()[:-200], "END-ISO-10303-21 is missing"),
        (house().data().replace(b"IFC4", b"AP214"), "not IFC but AP214"),
        (house().data().replace(b"=IFCSPACE", b"=IFCZONE"), "has no rooms (IfcSpace). Export them"),
        (house().data().replace(b"'Site'", b"'Site"), "does not end"),
        (b"ISO-10303-21;" + b"#1=A('" * 200_001 + b"END-ISO-10303-21;", "does not end"),
    ],
)
def test_a_file_that_cannot_be_a_building_says_what_to_export(data: bytes, expected: str) -> None:
    assert expected in refused(data)


def test_a_file_beyond_the_limit_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ifc, "MAX_FILE", 1_000)
    assert "MB; at most" in refused(house().data())


def test_without_the_library_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ifclite_geom", None)
    assert "pip install ifclite-geom" in refused(house().data())


@pytest.mark.slow
@pytest.mark.skipif(not LIBRARY, reason="ifclite-geom is not installed: pip install ifclite-geom")
def test_the_library_makes_the_same_building_of_a_file_as_its_meshes_do() -> None:
    text = house()
    data = text.data().replace(b"IFCPRODUCTDEFINITIONSHAPE(", b"IFCPRODUCTREPRESENTATION(", 3)
    by_library, expected = read_ifc(data, Findings()), build(text)[0]
    assert [area.name for area in by_library.areas] == [area.name for area in expected.areas]
    for area, other in zip(by_library.areas, expected.areas, strict=True):
        assert shapely.equals_exact(area.shape.normalize(), other.shape.normalize(), tolerance=0.01)
    assert [door.areas for door in by_library.openings] == [door.areas for door in expected.openings]
    assert len(by_library.connectors) == len(expected.connectors) == 3
