"""Closing and reopening parts of the building on the plan, by click and by keyboard."""

from typing import Any

import pytest
from pane_host import BUILDING, Colour, Desk, OpenPane, near, plan
from playwright.sync_api import Route, expect

from tests.support.waiting import until

pytestmark = pytest.mark.browser

Json = dict[str, Any]
RED: Colour = (0xB3, 0x26, 0x1E)
KITCHEN: Json = {"kind": "room", "floorId": "1F", "rooms": ["Kitchen"]}
DOOR: Json = {"kind": "door", "floorId": "1F", "rooms": ["Kitchen", "Room1"], "at": {"x": 372, "y": 169}}


def closures(desk: Desk, *closed: Json) -> None:
    """The chat's closures, as the server sends them after each frame of the page."""
    desk.tell({"type": "closures", "content": {"closures": [*closed], "scenarios": []}})
    desk.see(closures=str(len(closed)))
    desk.still()


def test_a_room_is_closed_by_a_click_and_reopened_by_keyboard(desk: Desk) -> None:
    page = desk.page
    tool = page.get_by_role("button", name="Close and reopen doors, rooms and lifts (0 closed)")
    tool.click()
    card = page.get_by_role("region", name="Closures")
    expect(card.get_by_label("What to close")).to_be_focused()
    page.mouse.click(*desk.place(425, 150))
    desk.hears("send", [{"type": "closures", "close": [KITCHEN]}])
    desk.hears("command", [])  # it selects no room for the next question

    closures(desk, KITCHEN, DOOR)
    hatched = desk.pixels([(400 + step / 4, 125) for step in range(60)])  # above its name
    assert 0 < sum(near(pixel, RED, 90) for pixel in hatched) < 60
    assert any(
        near(pixel, RED, 40) for pixel in desk.pixels([(372 + step / 2, 171.2) for step in range(-4, 5)])
    )
    described = page.locator(".map-twin")
    expect(described).to_contain_text("Closed: Kitchen (1F), Door Kitchen – Room1 (1F).")

    kitchen = page.get_by_role("button", name="Reopen: Kitchen (1F)")
    kitchen.focus()
    closures(desk, KITCHEN)  # by someone else
    expect(kitchen).to_be_focused()
    expect(card.get_by_role("status")).to_have_text("Closures (1)")
    expect(card.get_by_role("listitem")).to_have_count(1)
    closures(desk)
    expect(card.get_by_label("What to close")).to_be_focused()
    closures(desk, KITCHEN)

    kitchen.press("Enter")
    desk.hears("send", [{"type": "closures", "close": [KITCHEN]}, {"type": "closures", "reopen": [KITCHEN]}])
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    expect(page.locator(".map-closing-button")).to_be_focused()


def test_keys_choose_what_to_close_and_another_building_starts_open(desk: Desk) -> None:
    page = desk.page
    page.locator(".map-closing-button").press("Enter")
    page.get_by_label("What to close").select_option("Kitchen")
    page.get_by_role("button", name="Mark as closed").press("Enter")
    desk.hears("send", [{"type": "closures", "close": [KITCHEN]}])
    closures(desk, KITCHEN)
    page.get_by_role("button", name="Reopen all").press("Enter")
    assert desk.page.evaluate("desk.heard.send.at(-1).reopen.length") == 1
    closures(desk)
    expect(page.get_by_label("What to close")).to_be_focused()  # the button is gone
    closures(desk, KITCHEN)
    desk.tell({"type": "map_definition", "content": {**BUILDING, "buildingId": "other"}})
    desk.see(closures="0")


def test_a_large_floor_has_a_field_for_names_and_a_preview_has_no_closures(desk: Desk) -> None:
    page = desk.page
    rooms = [
        {"name": f"Room {at}", "topLeft": {"x": at, "y": 0}, "bottomRight": {"x": at + 1, "y": 9}}
        for at in range(600)
    ]
    floor = {**BUILDING["floors"][0], "rectangles": rooms}
    content = {**BUILDING, "buildingId": "large", "floors": [floor], "links": []}
    desk.tell({"type": "map_definition", "content": content})
    page.locator(".map-closing-button").click()
    field = page.get_by_label("What to close")
    expect(field).to_be_focused()
    close = page.get_by_role("button", name="Mark as closed")
    expect(close).to_be_disabled()
    field.fill("room 59")
    expect(page.locator(".map-closures option")).to_have_count(11)
    field.press("Enter")
    desk.hears("send", [{"type": "closures", "close": [{**KITCHEN, "rooms": ["Room 59"]}]}])
    expect(field).to_have_value("")

    page.evaluate("(content) => desk.pane.preview(content)", content)
    expect(page.get_by_role("region", name="Closures")).to_have_count(0)
    expect(page.locator(".map-closing-button")).to_be_hidden()
    page.evaluate("() => desk.pane.preview(null)")
    expect(page.locator(".map-closing-button")).to_be_visible()


def test_the_menu_of_a_room_asks_for_routes_and_closes_doors(desk: Desk) -> None:
    page = desk.page
    first, *others = BUILDING["floors"]
    floors = [{**first, "doors": [{"rooms": DOOR["rooms"], "at": DOOR["at"]}]}, *others]
    desk.tell({"type": "map_definition", "content": {**BUILDING, "floors": floors}})
    menu = page.get_by_role("menu", name="Kitchen")
    page.mouse.click(*desk.place(425, 150), button="right")
    expect(menu.get_by_role("menuitem").first).to_be_focused()
    names = menu.get_by_role("menuitem").all_inner_texts()
    assert names[:4] == ["Route from here", "Route to here", "Within 5 minutes from here", "Close this room"]
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(page.locator(".map-stage")).to_be_focused()

    page.mouse.click(*desk.place(425, 150))  # selected: keys mean it
    page.keyboard.press("Enter")
    expect(menu.get_by_role("menuitem").first).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(menu.get_by_role("menuitem").last).to_be_focused()
    menu.get_by_text("Close this room").press("Enter")
    desk.hears("send", [{"type": "closures", "close": [KITCHEN]}])
    closures(desk, KITCHEN)
    page.keyboard.press("Enter")
    menu.get_by_text("Close the door to Room1").click()
    expect(page.locator(".map-stage")).to_be_focused()
    page.keyboard.press("Enter")
    menu.get_by_text("Reopen this room").click()
    assert desk.heard("send")[1:] == [
        {"type": "closures", "close": [DOOR]},
        {"type": "closures", "reopen": [KITCHEN]},
    ]

    page.evaluate("() => desk.heard.command.splice(0)")
    expect(page.locator(".map-stage")).to_be_focused()
    page.keyboard.press("Enter")
    menu.get_by_text("Route to here").click()
    hint = page.get_by_text("To Kitchen: choose the room to start from")
    expect(hint).to_be_visible()
    expect(page.locator(".map-stage")).to_be_focused()
    page.keyboard.press("Escape")
    expect(hint).to_be_hidden()
    expect(page.locator(".map-stage")).to_be_focused()
    page.keyboard.press("Enter")
    menu.get_by_text("Route from here").click()
    page.mouse.click(*desk.place(50, 45))
    desk.hears("command", [{"name": "submit", "message": "How do I get from Kitchen to Room1 (1F)?"}])


def test_a_long_press_opens_the_menu_of_a_room(open_pane: OpenPane) -> None:
    desk = plan(open_pane, touch=True, language="ja", size=(390, 560))
    x, y = desk.place(425, 150)
    touch = desk.page.context.new_cdp_session(desk.page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    item = desk.page.get_by_role("menuitem", name="ここから5分以内")
    expect(item).to_be_visible()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    item.tap()
    message = "Kitchenから5分以内に行ける部屋は？"
    desk.hears("command", [{"name": "submit", "message": message}])


def test_scenarios_are_saved_listed_applied_and_compared(desk: Desk) -> None:
    page = desk.page
    heard: list[Json] = []
    rows = [
        {"name": "=Night", "closures": 1, "missing": 0, "startClosed": False, "cutOff": [], "withSteps": []}
        | {"before": 40, "after": 54}
    ]
    compared: Json = {"start": {"floorId": "1F", "name": "Room1"}, "unit": "m", "scenarios": rows}

    def answer(route: Route) -> None:
        if route.request.method == "POST":
            heard.append(route.request.post_data_json or {})
            route.fulfill(status=204)
        else:
            route.fulfill(json=compared)

    page.route("**/scenarios*", answer)
    page.route("**/scenarios/comparison*", answer)
    page.locator(".map-closing-button").click()
    closures(desk, KITCHEN)
    card = page.get_by_role("region", name="Closures")
    card.get_by_label("Name of a scenario").fill("Night")
    card.get_by_label("Name of a scenario").press("Enter")
    expect(card.get_by_label("Name of a scenario")).to_have_value("")
    night = {"name": "Night", "closures": [KITCHEN]}
    desk.tell({"type": "closures", "content": {"closures": [KITCHEN], "scenarios": [night]}})
    card.get_by_role("button", name="Apply: Night").click()
    card.get_by_role("button", name="More about Night").click()
    page.get_by_role("menuitem", name="Delete").click()
    card.get_by_role("button", name="Undo").click()
    until(page, lambda: len(heard), lambda count: count == 4)
    assert [(body["action"], body["name"]) for body in heard] == [
        *(("save", "Night"), ("apply", "Night"), ("delete", "Night"), ("save", "Night"))
    ]
    assert heard[3]["closures"] == [KITCHEN]
    card.get_by_role("button", name="Compare scenarios").click()
    expect(page.get_by_role("row", name="=Night 1 0 0 +14 m")).to_be_visible()
    page.keyboard.press("Escape")

    name = card.get_by_label("Name of a scenario")
    name.fill("night ")
    expect(card.get_by_role("button", name="Replace")).to_be_enabled()
    card.get_by_role("button", name="More about Night").click()
    page.get_by_role("menuitem", name="Rename").click()
    name.fill("Day")
    name.press("Enter")
    expect(name).to_have_value("")
    assert heard[4:] == [{"action": "rename", "name": "Night", "to": "Day"}]
    card.get_by_role("button", name="More about Night").click()
    page.get_by_role("menuitem", name="Delete").click()
    card.get_by_role("button", name="More about Night").click()
    page.get_by_role("menuitem", name="Rename").click()
    expect(card.get_by_role("button", name="Undo")).to_be_visible()
    desk.emit("command", {"name": "reset"})  # another chat
    page.locator(".map-closing-button").click()
    expect(name).to_have_value("")
    expect(card.get_by_role("button", name="Save")).to_be_disabled()
    expect(card.get_by_role("button", name="Undo")).to_be_hidden()
