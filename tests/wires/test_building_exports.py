"""Exports over HTTP: the bundled building and imported ones, in each format, and back into the desk."""

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from smoldesk.buildings.building import Building
from smoldesk.cli.main import main
from tests.support.aio import aside
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.plans import floor, picture
from tests.support.scripted_model import ScriptedModel


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with live_desk(tmp_path_factory.mktemp("desk"), lambda: ScriptedModel([])) as live:
        yield live


def export(http: httpx.Client, building: str, format_: str) -> httpx.Response:
    answer = http.get(f"/api/buildings/{building}/export", params={"format": format_})
    assert answer.status_code == 200, answer.text
    return answer


def imported(http: httpx.Client, data: bytes, *images: tuple[str, bytes]) -> dict[str, Any]:
    parts = [("file", ("plan", data)), *(("image", image) for image in images)]
    answer = http.post("/api/buildings", files=parts)
    assert answer.status_code == 201, answer.text
    return http.get(f"/api/buildings/{answer.json()['buildingId']}").json()


@pytest.mark.parametrize(
    ("format_", "file", "media_type"),
    [
        ("imdf", "smoldesk.imdf.zip", "application/zip"),
        ("geojson", "smoldesk.geojson", "application/geo+json"),
        ("smoldesk", "smoldesk.zip", "application/zip"),
    ],
)
def test_an_export_of_the_bundled_building_is_a_file_that_the_desk_imports(
    http: httpx.Client, format_: str, file: str, media_type: str
) -> None:
    answer = export(http, "bundled", format_)
    assert answer.headers["content-type"] == media_type
    assert answer.headers["content-disposition"] == f'attachment; filename="{file}"'
    building = imported(http, answer.content)
    assert (building["name"], building["floors"], building["rooms"]) == ("smoldesk", 3, 18)
    assert [finding for finding in building["report"] if finding["severity"] != "note"] == []
    names = [floor["floorImage"] for floor in building["definition"]["floors"]]
    assert all(names) == (format_ == "smoldesk")


def test_the_desks_own_form_brings_its_images_along(http: httpx.Client) -> None:
    plan = {"buildingName": "Annex / 2", "floors": [floor(floorImage="plan.png")]}
    building = imported(http, json.dumps(plan).encode(), ("plan.png", picture()))
    answer = export(http, building["buildingId"], "smoldesk")
    assert answer.headers["content-disposition"] == 'attachment; filename="Annex 2.zip"'
    assert zipfile.ZipFile(io.BytesIO(answer.content)).namelist() == ["building.json", "plan.png"]
    again = imported(http, answer.content)
    image = http.get(f"/api/buildings/{again['buildingId']}/files/plan.png")
    assert (image.headers["content-type"], image.content) == ("image/png", picture())
    for member in ("buildingId", "createdAt"):
        del building[member], again[member]
    del building["definition"]["buildingId"], again["definition"]["buildingId"]
    assert again == building


def test_an_unknown_building_and_an_unknown_format_are_refused(http: httpx.Client) -> None:
    missing = http.get("/api/buildings/b_none/export?format=imdf")
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "not_found")
    wrong = http.get("/api/buildings/bundled/export?format=dxf")
    assert wrong.status_code in (400, 422)
    assert "imdf" in wrong.text


def test_an_image_in_an_archive_that_is_no_image_refuses_the_building(http: httpx.Client) -> None:
    before = http.get("/api/buildings").json()["buildings"]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("building.json", json.dumps({"floors": [floor(floorImage="plan.svg")]}))
        archive.writestr("plan.svg", "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")
    answer = http.post("/api/buildings", files=[("file", ("plan.zip", buffer.getvalue()))])
    assert answer.status_code == 422
    assert "SVG" in answer.text
    assert http.get("/api/buildings").json()["buildings"] == before


def test_the_command_line_writes_a_building_and_imports_it(
    desk: LiveDesk, http: httpx.Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here, target = ["--data-dir", str(desk.desk.data_dir.root)], tmp_path / "house.imdf.zip"
    assert aside(lambda: main(["building", "export", "imdf", "-o", str(target), *here])) == 0
    assert aside(lambda: main(["building", "import", str(target), *here])) == 0
    path, building_id = capsys.readouterr().out.split()
    assert path == str(target)
    content = http.get(f"/api/buildings/{building_id}").json()["definition"]
    assert [floor["floorId"] for floor in content["floors"]] == Building.load().floor_ids()
    assert aside(lambda: main(["building", "import", "missing.zip", *here])) == 2
    assert aside(lambda: main(["building", "export", "imdf", "../files", *here])) == 2
