"""The history of a live layer, and the names of its readings: bounded, and nothing is lost or broken by it."""

from dataclasses import replace

import pytest

from smoldesk.buildings.building import Building
from smoldesk.buildings.layers import layer_history, room_names
from smoldesk.buildings.layers.layer_history import LayerHistory
from smoldesk.buildings.layers.room_names import RoomNames
from smoldesk.buildings.layers.rows import LARGEST_VALUE, RoomValue
from smoldesk.buildings.places import Spot
from smoldesk.store.layers import merged_frames

QUIET, BUSY = ("1F", "Kitchen"), ("1F", "Room1")


def readings(spot: Spot, *values: tuple[float, float]) -> list[tuple[Spot, RoomValue]]:
    return [(spot, RoomValue(spot[1], time, value)) for time, value in values]


def test_the_last_value_of_a_quiet_sensor_outlives_its_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layer_history, "MAX_FRAMES", 3)
    history = LayerHistory()
    history.add(readings(QUIET, (100, 21)) + readings(BUSY, (100, 1), (101, 2), (102, 3)))
    assert history.add(readings(BUSY, (103, 4))) == ({101, 103}, 0), "the frame that took the value is stored"
    history.add(readings(BUSY, (104, 5), (105, 6)))
    assert history.start == 103, "what the store may delete"
    assert history.times() == [103, 104, 105] and history.latest() == {QUIET: 21, BUSY: 6}
    assert history.since(2, 3)[103] == {QUIET: 21}, "pages get it in its new frame"

    stored = [(at, history.frame_text(at)) for at in history.times()]
    restored = LayerHistory()
    restored.restore(stored)
    assert [(at, restored.frame_text(at)) for at in restored.times()] == stored
    assert restored.add(readings(QUIET, (103, 22)))[0] == {103} and restored.latest()[QUIET] == 22


def test_frames_of_two_servers_merge_by_room_and_the_later_value_counts() -> None:
    first = '{"1F":{"Kitchen":[7.5,21],"Room1":[7.1,1]}}'
    second = '{"1F":{"Kitchen":[7.2,20],"Room1":[7.9,2]},"2F":{"Room1":[7,3]}}'
    assert merged_frames(first, second) == '{"1F":{"Kitchen":[7.5,21],"Room1":[7.9,2]},"2F":{"Room1":[7,3]}}'


def test_the_largest_values_have_finite_colours() -> None:
    history = LayerHistory()
    most = LARGEST_VALUE * 0.999
    history.add(readings(QUIET, (1, most)) + readings(BUSY, (1, -most), (2, 0)))
    scale = history.scale()
    assert scale is not None and scale.colour(-most) != scale.colour(most)


def test_names_stay_resolved_beyond_the_most_that_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_names, "MAX_NAMES", 3)
    building, names = Building.load(), RoomNames()
    assert names.resolve(building, ["Kitchen", "x1", "x2"])["Kitchen"] == QUIET
    assert names.resolve(building, ["Kitchen", "x3"]) == {"Kitchen": QUIET, "x3": None}
    assert names.resolve(building, ["x1", "Kitchen"]) == {"Kitchen": QUIET, "x1": None}


def test_names_are_looked_for_again_when_the_building_is_another() -> None:
    building, names = Building.load(), RoomNames()
    assert names.resolve(building, ["Cantina"]) == {"Cantina": None}
    names.note_unknown(["Cantina"])
    floors = [
        floor.model_copy(
            update={
                "rectangles": [
                    room.model_copy(update={"aliases": ["Cantina"]}) if room.name == "Kitchen" else room
                    for room in floor.rectangles
                ]
            }
        )
        for floor in building.definition.floors
    ]
    renamed = replace(building, definition=building.definition.model_copy(update={"floors": floors}))
    assert names.resolve(renamed, ["Cantina"]) == {"Cantina": QUIET}
    assert (names.unknown, names.unknown_values) == ({}, 0), "those of the building that was renamed"
