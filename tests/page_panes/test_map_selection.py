"""Point to ask: clicks and loops choose the rooms a question is about."""

from typing import Any

import pytest
from pane_host import Desk
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

Json = dict[str, Any]


def at(*names: str, floor: str = "1F") -> list[Json]:
    return [{"floorId": floor, "name": name} for name in names]


ROOM1, KITCHEN, TOILET = (75, 45), (425, 150), (487, 15)


def choose(desk: Desk, rooms: list[Json]) -> None:
    """The page keeps these rooms now, as it does with each `point`."""
    desk.emit("fact", {"type": "@pointed", "rooms": rooms})
    desk.see(chosen=str(len(rooms)))


def points(desk: Desk, *expected: list[Json]) -> None:
    desk.hears("command", [{"name": "point", "rooms": rooms} for rooms in expected])


def loop(desk: Desk, *corners: tuple[float, float]) -> None:
    """Drag along these points of the floor."""
    places = [desk.place(*corner) for corner in corners]
    desk.page.mouse.move(*places[0])
    desk.page.mouse.down()
    for place in places[1:]:
        desk.page.mouse.move(*place, steps=6)
    desk.page.mouse.up()


AROUND_THE_RIGHT = ((345, -5), (505, -5), (505, 205), (345, 205))


def test_a_click_chooses_a_room_and_another_click_another(desk: Desk) -> None:
    desk.page.mouse.click(*desk.place(*KITCHEN))
    choose(desk, at("Kitchen"))
    desk.page.mouse.click(*desk.place(*ROOM1))

    points(desk, at("Kitchen"), at("Room1"))
    desk.hears("select", [{"source": "map", "room": "Kitchen"}, {"source": "map", "room": "Room1"}])


def test_shift_adds_a_room_and_takes_it_back(desk: Desk) -> None:
    choose(desk, at("Kitchen"))
    desk.page.keyboard.down("Shift")
    desk.page.mouse.click(*desk.place(*ROOM1))
    choose(desk, at("Kitchen", "Room1"))
    desk.page.mouse.click(*desk.place(*KITCHEN))
    desk.page.keyboard.up("Shift")

    points(desk, at("Kitchen", "Room1"), at("Room1"))


def test_the_only_room_is_let_go_by_a_second_click_or_one_beside(desk: Desk) -> None:
    choose(desk, at("Kitchen"))
    desk.page.mouse.click(*desk.place(*KITCHEN))
    points(desk, [])
    desk.page.mouse.click(*desk.place(250, -40))

    points(desk, [], [])


def test_chosen_rooms_are_ringed_on_their_own_floor_only(desk: Desk) -> None:
    choose(desk, at("Room1", floor="2F"))
    desk.still()
    near_the_edge = [desk.pixel(0.25 * step - 2, 45) for step in range(16)]
    assert (0x35, 0x67, 0xD6) not in near_the_edge

    choose(desk, at("Room1"))
    desk.still()
    near_the_edge = [desk.pixel(0.25 * step - 2, 45) for step in range(16)]
    assert (0x35, 0x67, 0xD6) in near_the_edge


def test_a_loop_with_alt_catches_the_rooms_within_and_moves_nothing(desk: Desk) -> None:
    before = desk.facts()["view"]
    desk.page.keyboard.down("Alt")
    loop(desk, *AROUND_THE_RIGHT)
    desk.page.keyboard.up("Alt")

    points(desk, at("Kitchen", "Toilet"))
    assert desk.facts()["view"] == before
    assert desk.heard("select") == []


def test_the_lasso_button_makes_every_drag_a_loop_until_it_is_released(desk: Desk) -> None:
    button = desk.page.get_by_role("button", name="Draw around rooms")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    loop(desk, *AROUND_THE_RIGHT)
    choose(desk, at("Kitchen", "Toilet"))
    desk.page.mouse.click(*desk.place(*ROOM1))  # a click adds then, as there is no Shift on a touch screen

    points(desk, at("Kitchen", "Toilet"), at("Kitchen", "Toilet", "Room1"))
    desk.page.get_by_role("application").press("Escape")
    expect(button).to_have_attribute("aria-pressed", "false")
    before = desk.facts()["view"]
    loop(desk, ROOM1, (100, 90))
    assert desk.facts()["view"] != before


def test_the_loop_is_drawn_while_it_is_made(desk: Desk) -> None:
    desk.page.get_by_role("button", name="Draw around rooms").click()
    shape = desk.page.locator(".map-lasso polygon")
    desk.page.mouse.move(*desk.place(0, 0))
    desk.page.mouse.down()
    desk.page.mouse.move(*desk.place(100, 0), steps=5)
    desk.page.mouse.move(*desk.place(100, 80), steps=5)
    box = shape.bounding_box()
    left, top = desk.place(0, 0)
    assert box is not None
    assert abs(box["x"] - left) < 3 and abs(box["y"] - top) < 3
    desk.page.mouse.up()
    expect(shape).not_to_have_attribute("points", "")


def test_shift_adds_what_a_loop_catches(desk: Desk) -> None:
    choose(desk, at("Room1"))
    desk.page.keyboard.down("Alt")
    desk.page.keyboard.down("Shift")
    loop(desk, *AROUND_THE_RIGHT)

    points(desk, at("Room1", "Kitchen", "Toilet"))


def test_escape_lets_all_rooms_go(desk: Desk) -> None:
    choose(desk, at("Room1", "Kitchen"))
    desk.page.get_by_role("application").press("Escape")

    points(desk, [])
