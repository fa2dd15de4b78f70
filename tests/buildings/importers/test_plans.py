"""What the host makes of a child's words about a building: believed only where they have the right shape."""

import json
from pathlib import Path
from typing import Any

import pytest

from smoldesk.buildings.building import Building
from smoldesk.buildings.importers import CHILD_PACKAGES
from smoldesk.buildings.importers.inside.draft import ANSWER
from smoldesk.buildings.importers.plans import Plan, Plans, origin
from smoldesk.errors import BadInput, Stopped
from smoldesk.messages import as_json
from smoldesk.sandbox.children import Children
from smoldesk.stopping import StopFlag
from smoldesk.tables.table_profiles import Profiles
from tests.support.aio import run_async
from tests.support.plans import own

BITMAPS = Building.load().definition.bitmaps


class LyingProfiles(Profiles):
    """A child that does nothing but leave `answer` behind; None: no answer at all."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def ask(self, key: str, folder: Path, code: str, stop: StopFlag) -> Any:
        from concurrent.futures import Future

        if self.answer is not None:
            raw = self.answer if isinstance(self.answer, bytes) else json.dumps(self.answer).encode()
            (folder / ANSWER).write_bytes(raw)
        done: Future[object] = Future()
        done.set_result("read")
        return done


def told(tmp_path: Path, answer: object) -> Plan:
    file = tmp_path / "file"
    file.write_bytes(b"{}")
    scratch = tmp_path / "scratch"
    plans = Plans(LyingProfiles(answer), scratch, BITMAPS)
    try:
        return run_async(plans.read(file, {}, StopFlag()))
    finally:
        assert list(scratch.iterdir()) == [], "nothing is left of an import"


def answer(**more: Any) -> dict[str, Any]:
    definition: dict[str, Any] = {**own(), "bitmaps": []}
    plain: dict[str, Any] = {"format": "smoldesk", "name": "", "origins": {}, "images": [], "findings": []}
    return {**plain, "definition": definition, **more}


def test_an_honest_answer_is_a_building_with_the_desk_s_bitmaps(tmp_path: Path) -> None:
    plan = told(tmp_path, answer())
    assert plan.definition is not None
    assert [floor.floor_id for floor in plan.definition.floors] == ["1F", "2F"]
    assert plan.definition.bitmaps == BITMAPS
    assert plan.report == []


@pytest.mark.parametrize(
    "lie",
    [
        b"",
        b"[" * 100_000,
        b"null",
        answer(extra=1),
        answer(format="x" * 201),
        answer(name="x" * 201),
        answer(images=[{"name": "a.svg", "media_type": "image/svg+xml", "width": 1, "height": 1}]),
        answer(images=[{"name": "a.png", "media_type": "image/png", "width": 0, "height": 1}]),
        answer(findings=[{"code": "fatal", "count": 1, "places": [{"where": "", "values": {}}]}]),
        answer(findings=[{"code": "noted", "count": 0, "places": []}]),
        answer(
            findings=[{"code": "noted", "count": 1, "places": [{"where": "", "values": {"a": "x" * 901}}]}]
        ),
        answer(choices=[{"id": "a", "name": "A", "floors": -1, "rooms": 1}]),
        answer(definition={"floors": "all"}),
        answer(definition={"floors": [{**own()["floors"][0], "floorImage": "stolen.png"}], "bitmaps": []}),
    ],
)
def test_an_answer_of_another_shape_is_not_believed(tmp_path: Path, lie: object) -> None:
    with pytest.raises(BadInput, match="invalid report") as caught:
        told(tmp_path, lie)
    assert caught.value.code == "unreadable"


def test_a_link_in_place_of_the_answer_leads_nowhere(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text(json.dumps(answer()))

    class Linking(LyingProfiles):
        def ask(self, key: str, folder: Path, code: str, stop: StopFlag) -> Any:
            (folder / ANSWER).symlink_to(secret)
            return super().ask(key, folder, code, stop)

    file = tmp_path / "file"
    file.write_bytes(b"{}")
    plans = Plans(Linking(None), tmp_path / "scratch", BITMAPS)
    with pytest.raises(Exception, match="not a file"):
        run_async(plans.read(file, {}, StopFlag()))


def test_a_child_that_says_a_broken_building_is_fine_is_contradicted(tmp_path: Path) -> None:
    broken = own()
    broken["floors"][0]["doors"][0]["rooms"] = ["East", "Attic"]
    plan = told(
        tmp_path, answer(definition={**broken, "bitmaps": []}, origins={"floors[0].doors[0]": "features[9]"})
    )
    assert plan.definition is None
    assert plan.report[0].severity == "error"
    assert plan.report[0].where == "features[9].rooms[1]"


def test_a_child_that_says_nothing_at_all_makes_an_error(tmp_path: Path) -> None:
    plan = told(tmp_path, answer(definition=None))
    assert plan.definition is None
    assert [item.severity for item in plan.report] == ["error"]


def test_paths_lead_back_to_the_longest_part_that_has_an_origin() -> None:
    origins = {"floors[0].rectangles": "rectangles", "floors[0].rectangles[1]": "features[7]"}
    assert origin("floors[0].rectangles[1].topLeft", origins) == "features[7].topLeft"
    assert origin("floors[0].rectangles[10]", origins) == "rectangles[10]"
    assert origin("floors[1].rectangles[1]", origins) == "floors[1].rectangles[1]"
    assert origin("", origins) == ""


@pytest.fixture
def readers(tmp_path: Path) -> Any:
    profiles = Profiles(Children(packages=CHILD_PACKAGES, max_children=2, cell_seconds=20, preload=()))
    yield profiles
    profiles.close()


def test_a_real_child_reads_a_building_of_twenty_thousand_rooms(tmp_path: Path, readers: Profiles) -> None:
    rooms = [
        {"name": f"Room {x},{y}", "topLeft": {"x": x, "y": y}, "bottomRight": {"x": x + 1, "y": y + 1}}
        for x in range(200)
        for y in range(100)
    ]
    corners = {
        "topLeft": {"px": 0, "py": 0, "x": 0, "y": 0},
        "bottomRight": {"px": 9, "py": 9, "x": 200, "y": 100},
    }
    file = tmp_path / "file"
    file.write_text(
        json.dumps({"floors": [{"floorId": "1", "coordinateSystem": corners, "rectangles": rooms}]})
    )
    plan = run_async(Plans(readers, tmp_path / "scratch", BITMAPS).read(file, {}, StopFlag()))
    assert plan.definition is not None
    rectangles = as_json(plan.definition)["floors"][0]["rectangles"]
    assert (len(rectangles), rectangles[-1]["name"]) == (20_000, "Room 199,99")
    assert [finding.code for finding in plan.report] == ["no_doors"]


def test_a_stopped_import_ends_and_leaves_nothing(tmp_path: Path, readers: Profiles) -> None:
    file = tmp_path / "file"
    file.write_text(json.dumps(own()))
    stop = StopFlag()
    stop.set("enough")
    with pytest.raises(Stopped):
        run_async(Plans(readers, tmp_path / "scratch", BITMAPS).read(file, {}, stop))
    assert list((tmp_path / "scratch").iterdir()) == []
