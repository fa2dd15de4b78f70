"""A log with a building: it comes with its image, is used again, and is gone again when the log is refused."""

import json
from pathlib import Path

import pytest

from smoldesk.desk import Desk
from smoldesk.errors import BadInput
from smoldesk.messages import RoomRef
from smoldesk.stopping import StopFlag
from smoldesk.store.buildings import BuildingImage
from tests.export.logs import changed, desk_at, lines_of, read
from tests.support.aio import run_async
from tests.support.plans import floor, picture


async def chat_with_a_building(desk: Desk, folder: Path) -> str:
    image, plan = folder / "image", folder / "plan.json"
    image.write_bytes(picture())
    plan.write_text(json.dumps({"floors": [floor(floorImage="図.png")]}))
    stop = StopFlag()
    definition = (await desk.plans.read(plan, {"図.png": image}, stop)).definition
    stop.close()
    assert definition is not None
    building_image = BuildingImage(desk.store.files.keep_bytes(picture(), 10**6), "image/png", len(picture()))
    building = await desk.buildings.add("本社", definition, {"図.png": building_image}, [])
    chat_id = (await desk.chats.create("階の図")).id
    await desk.chats.change(chat_id, building_id=building.id)
    await desk.selections.set(chat_id, [RoomRef(name="West", floor_id="1F")])
    return chat_id


def test_a_building_comes_with_its_log_once_and_not_with_one_that_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    here = desk_at(tmp_path / "here")
    try:
        here.exports.write(run_async(chat_with_a_building(here, tmp_path)), "jsonl", log)
    finally:
        here.close()
    existing = desk_at(tmp_path / "there")
    try:
        with pytest.raises(BadInput):
            read(
                existing, changed(log, tmp_path / "bad.jsonl", lambda lines: lines[-1]["end"].update(files=9))
            )
        assert not run_async(existing.buildings.imported()) and not [*existing.data_dir.files.iterdir()]

        first, second = read(existing, log), read(existing, log)
        (building,) = run_async(existing.buildings.imported())
        assert building.name == "本社"
        assert {run_async(existing.chats.get(item.chat_id)).building_id for item in (first, second)} == {
            building.id
        }
        image = run_async(existing.buildings.images(building.id))["図.png"]
        assert existing.store.files.path(image.file_id).read_bytes() == picture()
        again = tmp_path / "again.jsonl"
        existing.exports.write(second.chat_id, "jsonl", again)
    finally:
        existing.close()
    reports = [line for line in lines_of(again) if "chat_imported" not in json.dumps(line)]
    assert reports[1:-1] == lines_of(log)[1:-1]
    assert any(line.get("event", {}).get("type") == "rooms_selected" for line in reports)
