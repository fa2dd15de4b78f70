"""IndoorGML: cells as rooms or doors, storeys, transitions as doors and ways between floors; hostile XML."""

from pathlib import Path
from tempfile import NamedTemporaryFile

import pytest

from smoldesk.buildings.importers.inside.draft import Unreadable
from smoldesk.buildings.importers.inside.findings import Findings
from smoldesk.buildings.importers.inside.indoorgml_site import read_indoorgml
from smoldesk.buildings.importers.inside.site import Site

SPACES = (
    'xmlns="http://www.opengis.net/indoorgml/1.0/core" xmlns:navi="http://www.opengis.net/indoorgml/1.0/navigation" '
    'xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xlink="http://www.w3.org/1999/xlink"'
)
Box = tuple[float, float, float, float, float, float]


def ring(*points: tuple[float, ...]) -> str:
    listed = "".join(f"<gml:pos>{' '.join(map(str, point))}</gml:pos>" for point in points)
    return f"<gml:LinearRing>{listed}</gml:LinearRing>"


def face(*points: tuple[float, ...]) -> str:
    return f"<gml:surfaceMember><gml:Polygon><gml:exterior>{ring(*points)}</gml:exterior></gml:Polygon></gml:surfaceMember>"


def solid(x1: float, y1: float, z1: float, x2: float, y2: float, z2: float) -> str:
    floor, ceiling = (face((x1, y1, z), (x2, y1, z), (x2, y2, z), (x1, y2, z), (x1, y1, z)) for z in (z1, z2))
    wall = face((x1, y1, z1), (x2, y1, z1), (x2, y1, z2), (x1, y1, z2), (x1, y1, z1))
    shell = f"<gml:Shell>{floor}{ceiling}{wall}</gml:Shell>"
    return f"<Geometry3D><gml:Solid><gml:exterior>{shell}</gml:exterior></gml:Solid></Geometry3D>"


def cell(key: str, box: Box, facts: str = "", kind: str = "CellSpace", name: str = "", more: str = "") -> str:
    return (
        f'<cellSpaceMember><{kind} gml:id="{key}"><gml:description>{facts}</gml:description><gml:name>{name or key}'
        f"</gml:name><cellSpaceGeometry>{solid(*box)}</cellSpaceGeometry>{more}</{kind}></cellSpaceMember>"
        f'<stateMember><State gml:id="S{key}"><duality xlink:href="#{key}"/></State></stateMember>'
    )


def transition(key: str, first: str, second: str, dual: str = "") -> str:
    ends = "".join(f'<connects xlink:href="#S{end}"/>' for end in (first, second))
    duality = f'<duality xlink:href="#{dual}"/>' if dual else ""
    return f'<transitionMember><Transition gml:id="{key}">{ends}{duality}</Transition></transitionMember>'


def boundary(key: str, x: float, y1: float, y2: float, kind: str = "CellSpaceBoundary") -> str:
    points = ((x, y1, 0), (x, y2, 0), (x, y2, 2), (x, y1, 2), (x, y1, 0))
    surface = f"<gml:Polygon><gml:exterior>{ring(*points)}</gml:exterior></gml:Polygon>"
    return (
        f'<cellSpaceBoundaryMember><{kind} gml:id="{key}"><g>{surface}</g></{kind}></cellSpaceBoundaryMember>'
    )


def document(*parts: str) -> bytes:
    return f"<?xml version='1.0'?><IndoorFeatures {SPACES}>{''.join(parts)}</IndoorFeatures>".encode()


def read_file(data: bytes) -> tuple[Site, list[str]]:
    """The site and the codes of the findings."""
    findings = Findings()
    with NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        site = read_indoorgml(Path(file.name), findings)
    return site, [entry["code"] for entry in findings.entries()]


def read(*parts: str) -> Site:
    return read_file(document(*parts))[0]


A, B = cell("A", (0, 0, 0, 4, 4, 3)), cell("B", (4.2, 0, 0, 8, 4, 3))


def test_a_solid_becomes_its_floor_and_both_directions_of_a_transition_one_door_in_its_boundary() -> None:
    site = read(A, B, boundary("W", 4, 1, 2), boundary("W-REVERSE", 4.2, 1, 2), transition("T", "A", "B", "W"),
                transition("T-REVERSE", "B", "A", "W-REVERSE"))  # fmt: skip
    assert [(area.name, area.shape.bounds) for area in site.areas] == [
        ("A", (0, 0, 4, 4)),
        ("B", (4.2, 0, 8, 4)),
    ]
    assert [(door.where, door.areas, door.shape.centroid.coords[0]) for door in site.openings] == [
        ("W", ["A", "B"], pytest.approx((4, 1.5)))
    ]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ('storey="1":indoor="room":', 'storey="2":', [("1", 0), ("2", 1)]),
        ("level=2;desc=;", "level=0;", [("0", 0), ("2", 2)]),
        ("storey=F1_map", "storey=B1", [("B1", -1), ("F1", 0)]),
        ("storey=attic", "storey=cellar", [("attic", 0), ("cellar", 1)]),  # by their heights
        ("", "", [("", 0), ("", 1)]),
    ],
)
def test_storeys_come_from_the_description_else_from_the_height(
    first: str, second: str, expected: list[tuple[str, float]]
) -> None:
    site = read(cell("A", (0, 0, 0, 4, 4, 3), first), cell("B", (0, 0, 3.2, 4, 4, 6), second))
    assert [(level.name, level.ordinal) for level in site.levels] == expected


def test_an_element_of_its_own_states_the_storey_and_the_class_the_kind() -> None:
    more = "<storey>3</storey><navi:function>stair</navi:function>"
    site = read(cell("A", (0, 0, 0, 4, 4, 3), kind="navi:TransitionSpace", more=more), B)
    assert [(area.levels, area.kind) for area in site.areas] == [(["3"], "stairs"), (["3"], "")]


def test_stairs_and_lifts_that_transitions_join_are_one_group_and_corridors_only_touch_them() -> None:
    parts = [
        cell(f"L{floor}", (0, 0, floor * 3, 2, 2, floor * 3 + 3), f'storey="{floor}":indoor="elevator":')
        for floor in range(3)
    ]
    corridor = cell("C", (2, 0, 0, 9, 2, 3), 'storey="0":')
    stairs = cell("S", (9, 0, 3, 11, 2, 6), 'storey="1":usage="stair":')
    joins = [("L0", "L1"), ("L1", "L2"), ("C", "S")]
    edges = [transition(f"T{number}", *ends) for number, ends in enumerate(joins)]
    site = read(*parts, corridor, stairs, *edges)
    found = sorted((part.kind, part.group, part.where) for part in site.connectors)
    groups = {kind: {group for other, group, _ in found if other == kind} for kind, _, _ in found}
    assert [where for _, _, where in found] == ["L0", "L1", "L2", "C", "S"]
    assert {kind: len(names) for kind, names in groups.items()} == {"lift": 1, "stairs": 1}
    assert next(part for part in site.connectors if part.where == "C").shape.geom_type == "Point"


def test_a_cell_that_is_a_door_joins_its_neighbours_and_an_obstacle_is_no_room() -> None:
    door = cell("D", (4, 1, 0, 4.2, 2, 2), kind="navi:ConnectionSpace")
    way_out = cell("E", (8, 1, 0, 8.2, 2, 2), 'usage="exterior door":')
    pillar = cell("P", (1, 1, 0, 2, 2, 3), kind="navi:NonNavigableSpace")
    edges = [transition("T1", "A", "D"), transition("T2", "D", "B"), transition("T3", "B", "E")]
    site, codes = read_file(document(A, B, door, way_out, pillar, *edges))
    assert [(area.name) for area in site.areas] == ["A", "B"]
    assert [(opening.where, opening.areas) for opening in site.openings] == [("D", ["A", "B"]), ("E", ["B"])]
    assert codes == ["no_entry"]


def test_an_anchor_boundary_leads_out_and_a_wall_without_a_transition_is_no_door() -> None:
    more = '<partialboundedBy xlink:href="#X"/><partialboundedBy xlink:href="#W"/>'
    site = read(
        cell("A", (0, 0, 0, 4, 4, 3), more=more),
        boundary("X", 0, 1, 2, "navi:AnchorBoundary"),
        boundary("W", 4, 0, 4),
    )
    assert [(opening.where, opening.areas) for opening in site.openings] == [("X", ["A"])]


@pytest.mark.parametrize(("factor", "noted"), [(1, False), (1000, False), (7, True)])
def test_the_height_of_rooms_tells_the_unit(factor: float, noted: bool) -> None:
    site, codes = read_file(document(cell("A", (0, 0, 0, 4 * factor, 4 * factor, 3 * factor))))
    assert site.areas[0].shape.bounds == pytest.approx((0, 0, 4, 4))
    assert codes == ["assumed_height"] * noted


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (document(A)[:-40], "broken at line 1"),
        (b"<!DOCTYPE x [<!ENTITY a 'aaaa'>]>" + document(A), "<!DOCTYPE> part"),
        (document(A).replace(b"<gml:pos>0 0 0<", b"<gml:pos>0 zero 0<"), "not a coordinate"),
        (document(A).replace(b"<gml:pos>0 0 0<", b"<gml:pos>0 1e400 0<"), "not a list of points"),
        (document(), "has no room"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_its_place(data: bytes, expected: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_file(data)
    assert expected in caught.value.message


def test_flat_cells_of_a_drawing_in_centimetres_are_metres_and_lost_ends_of_transitions_are_named() -> None:
    flat = "".join(cell(f"R{n}", (300 * n, 0, 0, 300 * n + 300, 400, 0)) for n in range(3))
    tall = cell("S", (0, 400, 0, 900, 600, 14))
    site, codes = read_file(document(flat, tall, transition("T", "R0", "Door_Base_264")))
    assert [round(area.shape.area, 2) for area in site.areas] == [12, 12, 12, 18]
    assert codes == ["unknown_area"]
