"""OpenStreetMap's files: XML, PBF, compressed files and Overpass's JSON give the same building; hostile ones end."""

import bz2
import contextlib
import gzip
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoldesk.buildings.importers.inside.draft import Unreadable
from smoldesk.buildings.importers.inside.findings import Findings
from smoldesk.buildings.importers.inside.osm import is_osm, is_overpass, read_osm, read_overpass
from smoldesk.buildings.importers.inside.site import Site

NODES = {1: (0.0, 0.0), 2: (1e-4, 0.0), 3: (1e-4, 1e-4), 4: (0.0, 1e-4), 5: (2e-4, 0.0), 6: (2e-4, 1e-4)}
HOLE = {11: (2e-5, 2e-5), 12: (4e-5, 2e-5), 13: (4e-5, 4e-5), 14: (2e-5, 4e-5)}
DOOR = (1e-4, 5e-5)
WAYS: dict[int, tuple[list[int], dict[str, str]]] = {
    21: ([1, 2, 9, 3], {}),
    22: ([3, 4, 1], {}),
    23: ([11, 12, 13, 14, 11], {}),
    24: ([2, 5, 6, 3, 9, 2], {"indoor": "corridor", "level": "0"}),
    25: ([1, 5], {"highway": "residential"}),
}
ROOM = {"type": "multipolygon", "indoor": "room", "level": "0", "name": "講堂"}
MEMBERS = [("way", 21, "outer"), ("way", 22, "outer"), ("way", 23, "inner")]


def positions() -> dict[int, tuple[float, float]]:
    return {**NODES, **HOLE, 9: DOOR}


def xml(head: str = "", *, geom: bool = False) -> bytes:
    """The building as XML; with `geom` as Overpass repeats the coordinates."""

    def at(node: int) -> str:
        x, y = positions()[node]
        return f'lat="{y}" lon="{x}"'

    def tags(of: dict[str, str]) -> str:
        return "".join(f'<tag k="{key}" v="{value}"/>' for key, value in of.items())

    def line(nodes: list[int], *, in_member: bool) -> str:
        ref = "" if in_member else 'ref="{}" '
        return "".join(f"<nd {ref.format(node)}{at(node) if geom else ''}/>" for node in nodes)

    relation = "".join(
        f'<member type="{kind}" ref="{ref}" role="{role}">{line(WAYS[ref][0], in_member=True) if geom else ""}</member>'
        for kind, ref, role in MEMBERS
    )
    bounds = '<bounds minlat="0" minlon="0" maxlat="1" maxlon="1"/>' if geom else ""
    nodes = {9} if geom else set(positions())
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>{head}<osm version="0.6" generator="test"><note>n</note>'
        f'<relation id="31">{bounds}{relation}{tags(ROOM)}</relation>'
        + "".join(
            f'<way id="{ref}">{bounds}{line(nodes, in_member=False)}{tags(of)}</way>'
            for ref, (nodes, of) in WAYS.items()
            if not geom or of
        )
        + "".join(
            f'<node id="{ref}" {at(ref)}>{tags({"door": "yes"}) if ref == 9 else ""}</node>' for ref in nodes
        )
        + '<way id="99" action="delete"><nd ref="1"/><tag k="indoor" v="room"/></way></osm>'
    ).encode()


def overpass(*, geom: bool) -> dict[str, Any]:
    def at(node: int) -> dict[str, float]:
        x, y = positions()[node]
        return {"lat": y, "lon": x}

    def line(nodes: list[int]) -> dict[str, Any]:
        return {"geometry": [at(node) for node in nodes]} if geom else {}

    nodes = {9} if geom else set(positions())
    return {
        "version": 0.6,
        "elements": [
            *(
                {"type": "way", "id": ref, "nodes": nodes, "tags": of, **line(nodes)}
                for ref, (nodes, of) in WAYS.items()
                if not geom or of
            ),
            {
                "type": "relation",
                "id": 31,
                "tags": ROOM,
                "members": [
                    {"type": kind, "ref": ref, "role": role, **line(WAYS[ref][0])}
                    for kind, ref, role in MEMBERS
                ],
            },
            *(
                {"type": "node", "id": ref, **at(ref), **({"tags": {"door": "yes"}} if ref == 9 else {})}
                for ref in nodes
            ),
            *(
                {"type": "node", "id": ref, **at(ref)} for ref in nodes
            ),  # `out skel` repeats them without tags
            {"type": "way", "id": 88, "center": at(9), "tags": {"highway": "elevator", "level": "0;1"}},
        ],
    }


def pbf(tmp_path: Path) -> bytes:
    from osmium import SimpleWriter
    from osmium.osm.mutable import Node, Relation, Way

    file = tmp_path / "building.osm.pbf"
    with SimpleWriter(str(file)) as writer:
        for ref, position in positions().items():
            writer.add_node(Node(id=ref, location=position, tags={"door": "yes"} if ref == 9 else {}))
        for ref, (nodes, tags) in WAYS.items():
            writer.add_way(Way(id=ref, nodes=nodes, tags=tags))
        writer.add_relation(
            Relation(id=31, members=[(kind[0], ref, role) for kind, ref, role in MEMBERS], tags=ROOM)
        )
    return file.read_bytes()


def read(data: bytes) -> Site:
    assert is_osm(data)
    return read_osm(data, Findings())


def summary(site: Site) -> object:
    """What the building has, apart from the order of its parts."""
    return (
        sorted((area.name, area.kind, round(area.shape.area * 1e10), area.levels) for area in site.areas),
        [(door.shape.coords[0], door.levels) for door in site.openings],
    )


EXPECTED = ([("", "corridor", 100, ["0"]), ("講堂", "", 96, ["0"])], [(DOOR, ["0"])])


@pytest.mark.parametrize("wrap", [bytes, gzip.compress, bz2.compress])
def test_xml_is_read_with_the_holes_of_its_relations_and_without_deleted_ways(wrap: Any) -> None:
    assert summary(read(wrap(xml()))) == EXPECTED
    assert summary(read(wrap(xml(geom=True)))) == EXPECTED


def test_pbf_gives_the_same_building(tmp_path: Path) -> None:
    assert summary(read(pbf(tmp_path))) == EXPECTED


@pytest.mark.parametrize("geom", [False, True])
def test_overpass_s_json_gives_the_same_building(geom: bool) -> None:
    data = overpass(geom=geom)
    assert is_overpass(data)
    site = read_overpass(data, Findings())
    cabin = site.areas.pop()
    assert (cabin.kind, cabin.levels) == ("lift", ["1"])
    assert summary(site) == EXPECTED
    assert [(link.kind, link.levels) for link in site.connectors] == [("lift", ["0", "1"])]


def test_the_members_of_a_level_relation_are_on_its_level() -> None:
    data = overpass(geom=False)
    del data["elements"][3]["tags"]["level"]
    data["elements"].append(
        {
            "type": "relation",
            "id": 32,
            "tags": {"type": "level", "level": "2"},
            "members": [{"type": "way", "ref": 24, "role": "buildingpart"}],
        }
    )
    site = read_overpass(data, Findings())
    assert sorted(level for area in site.areas if area.kind != "lift" for level in area.levels) == ["0", "2"]


BOMB = '<!DOCTYPE osm [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE osm [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (xml(BOMB), "entities"),
        (xml(OUTSIDE), "entities"),
        (xml()[:500], "line 1"),
        (b"<osm version='0.6'><node id='x' lat='1' lon='1'/></osm>", "invalid literal"),
        (b"<osm version='0.6'><node lat='1' lon='1'/></osm>", "'id'"),
        (b"<osm version='0.6'></osm>", "no room"),
        (gzip.compress(b"{}", mtime=0), "neither"),
        (gzip.compress(xml(), mtime=0)[:40], "too early"),
        (b"BZh9 this is none", "broken"),
        (b"\x00\x00\x00\x0d\x0a\x09OSMHeader\x18\x10rubbish", "PBF"),
    ],
)
def test_a_broken_or_hostile_file_is_refused_with_its_fault(data: bytes, message: str) -> None:
    with pytest.raises(Unreadable, match=message):
        read(data)


def test_an_archive_that_unpacks_to_more_than_the_limit_is_refused() -> None:
    with pytest.raises(Unreadable, match="128 MB"):
        read(gzip.compress(b" " * 129 * 1024**2, 1))


def test_ways_without_coordinates_ask_for_them() -> None:
    elements = [{"type": "way", "id": 1, "nodes": [1, 2, 3, 1], "tags": {"indoor": "room", "level": "0"}}]
    with pytest.raises(Unreadable, match="out geom"):
        read_overpass({"elements": elements}, Findings())


VALUES = st.one_of(
    st.none(), st.booleans(), st.floats(), st.text(max_size=2), st.just([]), st.just({"lat": 1, "lon": 2})
)


@settings(max_examples=40)
@given(
    st.sampled_from(["node", "way", "relation", "area", "cat"]),
    st.dictionaries(
        st.sampled_from(["id", "lat", "lon", "nodes", "geometry", "members", "tags", "center"]),
        VALUES | st.lists(VALUES, max_size=2),
    ),
)
def test_any_json_of_elements_ends_in_a_building_or_an_error(kind: str, element: dict[str, Any]) -> None:
    elements = [{"id": 1, "tags": {"indoor": "room"}, **element, "type": kind}]
    with contextlib.suppress(Unreadable):
        read_overpass({"elements": elements}, Findings())
