"""Exports over HTTP: the bundled building and imported ones, in each format, and back into the desk."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support.desk_server import LiveDesk, live_desk
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
    if format_ == "smoldesk":
        return
    building = imported(http, answer.content)
    assert (building["name"], building["floors"], building["rooms"]) == ("smoldesk", 3, 18)
    assert [finding for finding in building["report"] if finding["severity"] != "note"] == []
    names = [floor["floorImage"] for floor in building["definition"]["floors"]]
    assert all(names) == (format_ == "smoldesk")


def test_an_unknown_building_and_an_unknown_format_are_refused(http: httpx.Client) -> None:
    missing = http.get("/api/buildings/b_none/export?format=imdf")
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "not_found")
    wrong = http.get("/api/buildings/bundled/export?format=dxf")
    assert wrong.status_code in (400, 422)
    assert "imdf" in wrong.text
