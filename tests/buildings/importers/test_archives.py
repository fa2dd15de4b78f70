"""Archives, XML and large files as importers read them: within limits, whatever a file claims."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from smoldesk.buildings.importers.inside import archives, plan_file
from smoldesk.buildings.importers.inside.archives import MAX_MEMBERS, PlanArchive
from smoldesk.buildings.importers.inside.draft import Unreadable
from smoldesk.buildings.importers.inside.findings import Findings
from smoldesk.buildings.importers.inside.plan_file import PlanFile, xml_elements
from smoldesk.buildings.importers.inside.report import read_plan
from tests.support.plans import feature, geojson, own, square

ROOMS = geojson(*(feature("Polygon", square(n, 0, n + 1, 1), name=f"R{n}", level=0) for n in range(201)))


def members(path: Path) -> list[tuple[str, bytes]]:
    plan = PlanArchive(path)
    return [(name, plan.read(name)) for name in plan.names]


def packed(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def test_a_single_file_in_an_archive_is_read_by_its_content_not_its_name(tmp_path: Path) -> None:
    files = {"../../plan.exe": json.dumps(ROOMS).encode(), "__MACOSX/._plan": b"x", ".DS_Store": b"x"}
    draft = read_plan(packed(tmp_path / "plan", files), Findings())
    assert len(draft.floors[0]["rectangles"]) == 201, "a level is counted once, not for each feature"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plan", "unpacked"]


def test_bombs_nested_and_damaged_archives_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = packed(tmp_path / "bomb", {"a.json": b" " * 20_000_000})
    with pytest.raises(Unreadable, match="200 times its size"):
        list(members(bomb))
    inner = packed(tmp_path / "inner", {"a.json": b"{}"}).read_bytes()
    with pytest.raises(Unreadable, match="archive in an archive"):
        list(members(packed(tmp_path / "nested", {"a.zip": inner})))
    many = packed(tmp_path / "many", {f"{n}.json": b"{}" for n in range(MAX_MEMBERS + 1)})
    with pytest.raises(Unreadable, match=r"1,001 files in the archive; at most 1,000"):
        list(members(many))
    whole = packed(tmp_path / "whole", {"a.json": bytes(range(256)) * 40}).read_bytes()
    for data in (whole[:60], whole[:45] + b"\xff\x00\xff" + whole[48:], b"PK\x03\x04"):
        (tmp_path / "cut").write_bytes(data)
        with pytest.raises(Unreadable, match="damaged"):
            list(members(tmp_path / "cut"))
    monkeypatch.setattr(archives, "MAX_UNPACKED", 1_000_000)
    two = packed(tmp_path / "two", {"a": bytes(range(256)) * 2400, "b": bytes(range(255)) * 2400})
    with pytest.raises(Unreadable, match="The archive unpacks to more than"):
        list(members(two))


def test_an_archive_without_a_building_names_its_files(tmp_path: Path) -> None:
    path = packed(tmp_path / "plan", {"a.txt": b"x", "b.txt": b"y"})
    with pytest.raises(Unreadable, match=r"the archive has a\.txt, b\.txt"):
        read_plan(path, Findings())


def test_xml_is_read_in_pieces_without_entities(tmp_path: Path) -> None:
    path = tmp_path / "plan.xml"
    path.write_text(
        "<?xml version='1.0'?><!-- <osm> --><a:root xmlns:a='x'><b n='1'><c/></b><b n='2'/></a:root>"
    )
    assert PlanFile(path, Findings()).xml_root == "root"
    found = [(name, element.get("n"), len(element)) for name, element in xml_elements(path, frozenset("b"))]
    assert found == [("b", "1", 1), ("b", "2", 0)]
    lol = "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 10))
    for text, message in (
        (f"<!DOCTYPE r [<!ENTITY l0 'lol'>{lol}]><r>&l9;</r>", "Remove the <!DOCTYPE> part"),
        ("<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><r>&x;</r>", "Remove the <!DOCTYPE> part"),
        ("<r><b></r>", "broken at line 1, column 8"),
    ):
        path.write_text(text)
        with pytest.raises(Unreadable, match=message):
            list(xml_elements(path, frozenset("b")))


def test_a_document_beyond_the_limit_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "plan"
    path.write_bytes(io.BytesIO(json.dumps(own()).encode()).getvalue())
    monkeypatch.setattr(plan_file, "MAX_DOCUMENT", 100)
    with pytest.raises(Unreadable, match="Export one building only"):
        read_plan(path, Findings())


def test_geojson_exported_from_openstreetmap_is_read_by_its_tags(tmp_path: Path) -> None:
    def tagged(geometry: str, coordinates: object, osm_id: str, **tags: str) -> dict[str, object]:
        properties = {"@id": osm_id, **tags}
        return {"type": "Feature", "id": osm_id, "properties": properties,
                "geometry": {"type": geometry, "coordinates": coordinates}}  # fmt: skip

    path = tmp_path / "plan"
    rooms = [square(x / 1e4, 0, (x + 1) / 1e4, 1e-4) for x in range(2)]
    path.write_text(json.dumps(geojson(
        tagged("Polygon", rooms[0], "way/1", indoor="room", ref="E001", level="0-1"),
        tagged("Polygon", rooms[1], "way/2", indoor="corridor", level="0;1"),
        tagged("Point", [1e-4, 5e-5], "node/3", door="yes", level="0", repeat_on="1"),
        tagged("Point", [15e-5, 5e-5], "node/4", highway="elevator", level="0;1"),
    )))  # fmt: skip
    draft = read_plan(path, Findings())
    assert [len(floor["rectangles"]) for floor in draft.floors] == [2, 2]
    assert [len(floor["doors"]) for floor in draft.floors] == [1, 1]
    assert [(link["kind"], len(link["stops"])) for link in draft.links] == [("lift", 2)]
    assert draft.floors[0]["rectangles"][0]["name"] == "E001"


def test_web_mercator_is_recognised_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "plan"
    x, y = 15_551_332.87, 4_245_450.93  # 139.7, 35.6
    crs = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::3857"}}
    path.write_text(json.dumps(geojson(feature("Polygon", square(x, y, x + 10, y + 10), level=0), crs=crs)))
    draft = read_plan(path, Findings())
    assert draft.georeference is not None
    assert draft.georeference["longitude"] == pytest.approx(139.7, abs=1e-4)
    assert draft.georeference["latitude"] == pytest.approx(35.6, abs=0.01)
    room = draft.floors[0]["rectangles"][0]
    assert room["bottomRight"]["x"] - room["topLeft"]["x"] == pytest.approx(8.13, abs=0.05), (
        "its metres are longer"
    )
