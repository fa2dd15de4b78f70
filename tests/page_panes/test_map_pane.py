"""The map pane in a browser: what is painted, and what hands can do with it."""

from typing import Any

import pytest
from floors import building, floor, grid_of
from pane_host import ARROW, DEFINITION, PAPER, Desk, OpenPane, near, ready
from playwright.sync_api import expect

from tests.support.waiting import see, until

pytestmark = pytest.mark.browser

KITCHEN = (425, 150)
ROOM1 = (75, 45)


def arrow(room: str, direction: str, seq: int | None = None) -> dict[str, Any]:
    message: dict[str, Any] = {"type": "arrow", "content": {"room": room, "direction": direction}}
    return message if seq is None else {**message, "seq": seq, "runId": "r1"}


def red_room1() -> dict[str, Any]:
    room = {"name": "Room1", "color": "#FF0000", "fillOpacity": 1, "strokeOpacity": 1, "showName": False}
    return {"type": "map", "content": {"floorId": "1F", "rectangles": [room]}}


def resize(desk: Desk, width: int, height: int) -> None:
    """Give the window a new size, and wait until the map has it too."""
    desk.page.set_viewport_size({"width": width, "height": height})
    size = "() => [window.desk.pane.stage.surface.size.width, window.desk.pane.stage.surface.size.height]"
    see(desk.page, lambda: desk.page.evaluate(size), [width, height])
    desk.still()


def test_the_plan_is_drawn_from_its_rooms_before_the_image_is_there(open_pane: OpenPane) -> None:
    desk = open_pane("map")
    desk.page.route("**/plan_*", lambda _: None)  # never answered
    desk.tell(DEFINITION)

    desk.see(image="loading")
    assert near(desk.pixel(20, 20), PAPER, 12)
    wall = desk.pixel(-0.6, 45)
    assert max(wall) < 90


def test_nothing_moves_when_the_image_arrives(open_pane: OpenPane) -> None:
    desk = open_pane("map")
    locked: list[Any] = []
    desk.page.route("**/plan_*", lambda route: locked.append(route))
    desk.tell(DEFINITION)
    until(desk.page, lambda: len(locked), bool)
    before = desk.facts()["view"]

    for route in locked:
        route.continue_()
    ready(desk)

    assert desk.facts()["view"] == before


def test_an_image_is_seen_whole_also_when_a_frame_took_longer_than_it_fades(open_pane: OpenPane) -> None:
    desk = open_pane("map")
    desk.page.evaluate("""() => {
        const { layers } = window.desk.pane.stage;
        const { paint } = layers;
        layers.paint = (stage, shown) => {
            const again = paint.call(layers, stage, shown);
            if (shown.fade < 1) for (const until = performance.now() + 200; performance.now() < until; );
            return again;
        };
    }""")
    desk.tell(DEFINITION)
    ready(desk)

    assert near(desk.pixel(-0.6, 45), PAPER, 12)  # no wall: the image, which is white, lies over it


def test_an_ordinary_room_has_a_thin_red_outline(desk: Desk) -> None:
    scale = float(desk.facts()["view"].split()[0])
    x, _ = desk.place(*KITCHEN)
    edge = (350 + 0.5 / (2 * scale), 150)  # half a pixel inside Kitchen's left edge

    colours = [desk.pixel(edge[0] + step / (2 * scale), edge[1]) for step in (-2, -1, 0, 1, 2, 3)]
    assert any(near(colour, (255, 0, 0), 12) for colour in colours)
    assert near(colours[-1], PAPER, 12)
    assert x > 0


def test_a_highlight_fills_its_room_and_no_other(desk: Desk) -> None:
    desk.tell(red_room1())

    assert desk.pixel(*ROOM1) == (255, 0, 0)
    assert near(desk.pixel(360, 110), PAPER, 12)
    desk.see(highlights="1")


def test_highlight_room_is_blue(desk: Desk) -> None:
    desk.tell({"type": "highlight_room", "content": {"rooms": ["Kitchen"]}})

    red, green, blue = desk.pixel(360, 110)
    assert blue > red + 40 and blue > green


def test_an_arrow_message_draws_the_arrow_s_bitmap_and_clear_arrows_takes_it_away(desk: Desk) -> None:
    desk.tell(arrow("Kitchen", "left"))
    desk.still()
    assert desk.pixel(*KITCHEN) == ARROW
    desk.see(arrows="1")

    desk.tell({"type": "clear_arrows", "content": {}, "runId": "r1"})
    assert desk.pixel(*KITCHEN) != ARROW
    desk.see(arrows="0")


def test_the_button_clears_what_answers_drew_here_and_on_the_server(desk: Desk) -> None:
    button = desk.page.get_by_role("button", name="Clear map")
    expect(button).to_be_disabled()
    desk.tell(red_room1(), arrow("Kitchen", "left"))

    button.click()
    desk.settle()

    desk.hears("send", [{"type": "clear_arrows"}])
    desk.see(arrows="0")
    desk.see(highlights="0")
    expect(button).to_be_disabled()


def test_clear_map_leaves_the_bare_plan(desk: Desk) -> None:
    desk.tell(red_room1(), arrow("Kitchen", "left"), {"type": "clear_map", "content": {}})

    desk.see(arrows="0", highlights="0")
    assert desk.pixel(*KITCHEN) != ARROW
    assert desk.pixel(20, 20) != (255, 0, 0)


def test_a_text_overlay_with_a_background_is_painted_where_it_says(desk: Desk) -> None:
    text = {
        "type": "text",
        "text": "          ",
        "backgroundColor": "#00aa00",
        "position": {"type": "coordinate", "x": 400, "y": 50},
    }
    desk.tell({"type": "map", "content": {"floorId": "1F", "overlays": [text]}})

    assert desk.pixel(400, 50) == (0, 170, 0)
    desk.see(overlays="1")


def test_floor_tabs_switch_the_floor_and_the_server_may_too(desk: Desk) -> None:
    desk.page.get_by_role("tab", name="2F").click()
    desk.see(floor="2F")
    expect(desk.page.get_by_role("tab", selected=True)).to_have_text("2F")

    desk.tell(red_room1())
    desk.see(floor="1F")

    desk.page.get_by_role("tab", selected=True).press("ArrowRight")
    desk.see(floor="2F")
    expect(desk.page.get_by_role("tab", name="1F, has drawings")).to_have_count(1)


def test_what_cannot_be_drawn_is_said_quietly(desk: Desk) -> None:
    ghost = {"type": "bitmap", "bitmapId": "ghost", "position": {"type": "rectangle", "name": "Room1"}}
    rooms = [{"name": "Atrium"}]
    desk.tell({"type": "map", "content": {"floorId": "1F", "rectangles": rooms, "overlays": [ghost]}})
    notes = desk.page.locator(".map-notes li")
    expect(notes).to_have_text(["Room Atrium is not on the map", "Image ghost is not available"])

    desk.page.get_by_role("tab", name="B1").click()
    desk.page.wait_for_selector(".map-viewer[data-image=missing]")
    expect(desk.page.locator(".map-notes")).to_contain_text("The plan of this floor is missing")


def test_the_wheel_zooms_about_the_pointer(desk: Desk) -> None:
    at = desk.place(*KITCHEN)
    desk.page.mouse.move(*at)
    before = float(desk.facts()["view"].split()[0])

    desk.page.mouse.wheel(0, -240)
    desk.page.wait_for_function(
        "(before) => parseFloat(window.desk.pane.dom.dataset.view) > before", arg=before
    )

    desk.see_place(KITCHEN, at)


def test_dragging_moves_the_plan_and_a_double_click_fits_it_again(desk: Desk) -> None:
    fitted = desk.facts()["view"]
    x, y = desk.place(*KITCHEN)
    desk.page.mouse.move(x, y)
    desk.page.mouse.down()
    desk.page.mouse.move(x - 60, y + 40, steps=4)
    desk.page.mouse.up()
    desk.see_place(KITCHEN, (x - 60, y + 40))
    assert desk.heard("select") == []

    desk.page.mouse.dblclick(300, 300)
    desk.see(view=fitted)


def test_the_plan_cannot_be_dragged_out_of_sight(desk: Desk) -> None:
    stage = desk.page.get_by_role("application")
    for _ in range(60):
        stage.press("ArrowRight")

    right_edge = desk.place(500, 0)[0]
    assert 20 < right_edge < 780


def test_keys_move_zoom_fit_and_change_floors(desk: Desk) -> None:
    stage = desk.page.get_by_role("application")
    fitted = desk.facts()["view"]
    scale = float(fitted.split()[0])

    stage.press("+")
    assert float(desk.facts()["view"].split()[0]) == pytest.approx(scale * 1.3, rel=1e-3)
    stage.press("ArrowDown")
    stage.press("-")
    stage.press("0")
    desk.see(view=fitted)
    stage.press("PageUp")
    desk.see(floor="2F")
    stage.press("PageDown")
    stage.press("PageDown")
    desk.see(floor="1F")


def test_two_fingers_zoom_the_plan(open_pane: OpenPane) -> None:
    desk = open_pane("map", size=(390, 600), touch=True)
    desk.tell(DEFINITION)
    ready(desk)
    before = float(desk.facts()["view"].split()[0])
    client = desk.page.context.new_cdp_session(desk.page)

    def touch(kind: str, *points: tuple[int, int]) -> None:
        fingers = [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(points)]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    touch("touchStart", (150, 300), (240, 300))
    for step in range(1, 6):
        touch("touchMove", (150 - 10 * step, 300), (240 + 10 * step, 300))
    touch("touchEnd")
    desk.settle()

    expected = pytest.approx(before * 190 / 90, rel=0.1)
    until(desk.page, lambda: float(desk.facts()["view"].split()[0]), lambda scale: scale == expected)


@pytest.mark.parametrize("size", [(780, 560), (780, 520), (780, 300), (390, 600), (500, 280), (760, 420)])
def test_the_fitted_plan_is_whole_and_nothing_lies_on_it(desk: Desk, size: tuple[int, int]) -> None:
    resize(desk, *size)

    left, top = desk.place(-10, -10)
    right, bottom = desk.place(510, 210)
    assert left >= 0 and top >= 0 and right <= size[0] and bottom <= size[1]
    for control in (".map-floors", ".map-zoom", ".map-clear"):
        box = desk.page.locator(control).bounding_box()
        assert box is not None
        extra = box["x"] >= right or box["x"] + box["width"] <= left
        assert extra or box["y"] >= bottom or box["y"] + box["height"] <= top, control


def test_buttons_of_many_floors_stay_beside_the_tools(desk: Desk) -> None:
    desk.tell(building(*(floor(str(number), *grid_of(2, 1), ordinal=number) for number in range(6))))
    tabs = desk.page.get_by_role("tab")
    expect(tabs).to_have_count(6)
    for width in (900, 420):
        resize(desk, width, 600)
        last, tools = tabs.last.bounding_box(), desk.page.locator(".map-tools").bounding_box()
        assert last and tools and last["x"] + last["width"] <= tools["x"]


def test_a_new_size_fits_the_plan_unless_the_person_moved_it(desk: Desk) -> None:
    resize(desk, 500, 500)
    assert desk.place(0, 0)[0] > 0 and desk.place(500, 200)[0] < 500

    for _ in range(5):
        desk.page.get_by_role("button", name="Zoom in").click()
    resize(desk, 600, 500)
    assert desk.place(500, 200)[0] > 600


def test_the_pointer_tells_the_room_and_a_click_selects_it(desk: Desk) -> None:
    desk.tell(arrow("Kitchen", "left", seq=7))
    desk.page.mouse.move(*desk.place(*KITCHEN))
    tip = desk.page.locator(".map-tip")
    expect(tip).to_have_text("Kitchen")

    desk.page.mouse.click(*desk.place(*KITCHEN))
    desk.page.mouse.click(*desk.place(250, 100))  # the Bathroom lies within Level1

    desk.hears(
        "select",
        [
            {"source": "map", "room": "Kitchen", "seq": 7, "runId": "r1"},
            {"source": "map", "room": "Bathroom"},
        ],
    )
    desk.page.mouse.move(*desk.place(180, -30))
    expect(tip).to_be_hidden()


def test_what_is_selected_elsewhere_lights_up_here_on_its_own_floor(desk: Desk) -> None:
    desk.tell(arrow("Kitchen", "left", seq=7))
    desk.page.get_by_role("tab", name="2F").click()

    desk.emit("select", {"source": "debug", "seq": 7})
    desk.still()

    desk.see(floor="1F")
    x = desk.place(350, 150)[0]
    accent = [desk.pixel(350 + step * 0.25, 150) for step in range(-16, 4)]
    assert any(near(colour, (0x35, 0x67, 0xD6), 12) for colour in accent), x


def test_the_map_is_told_in_words(desk: Desk) -> None:
    twin = desk.page.locator(".map-twin")
    expect(twin).to_have_attribute("aria-live", "polite")
    desk.tell(red_room1(), arrow("Kitchen", "left"))
    expect(twin).to_have_text("Floor 1F. Highlighted: Room1. Arrows: left in Kitchen.")

    desk.page.evaluate("() => { window.desk.t.language = 'ja'; window.desk.bus.emit('language', 'ja'); }")
    expect(twin).to_have_text("1階を表示中。 ハイライト：Room1。 矢印：Kitchenに左。")
    expect(desk.page.get_by_role("button", name="マップをクリア")).to_have_count(1)
    expect(desk.page.get_by_role("tab", name="地下1階")).to_have_count(1)


def test_three_things_to_ask_are_offered_until_something_was_asked(desk: Desk) -> None:
    asks = desk.page.locator(".map-asks button")
    expect(asks).to_have_count(3)

    asks.first.click()
    desk.hears("command", [{"name": "submit", "message": "Highlight Room1 in red"}])
    desk.tell({"type": "user_message", "content": "Highlight Room1 in red"})
    expect(asks).to_have_count(0)


def test_another_chat_begins_with_the_bare_plan(desk: Desk) -> None:
    desk.tell({"type": "user_message", "content": "x"}, red_room1(), arrow("Library", "up"))

    desk.reset()

    desk.see(floor="1F", arrows="0", highlights="0")


@pytest.mark.parametrize("dpr", [1.0, 2.0, 1.5])
def test_the_canvas_has_every_device_pixel(open_pane: OpenPane, dpr: float) -> None:
    desk = open_pane("map", size=(390, 300), dpr=dpr)
    desk.tell(DEFINITION)

    size = "() => { const c = document.querySelector('canvas'); return [c.width, c.height]; }"
    see(desk.page, lambda: desk.page.evaluate(size), [390 * dpr, 300 * dpr])


def test_a_still_map_asks_for_no_frames(desk: Desk) -> None:
    painted = desk.page.evaluate(
        """async () => {
            const { surface } = window.desk.pane.stage;
            const { paint } = surface;
            let count = 0;
            surface.paint = (...args) => { count += 1; paint(...args); };
            await new Promise((go) => setTimeout(go, 200));
            return count;
        }"""
    )

    assert painted == 0


def test_at_night_the_paper_stays_light_and_the_ground_is_dark(open_pane: OpenPane) -> None:
    desk = open_pane("map", theme="dark")
    desk.tell(DEFINITION)
    ready(desk)

    assert min(desk.pixel(20, 20)) > 200
    assert max(desk.pixel(250, -60)) < 60


def test_before_the_building_is_there_the_pane_says_so(open_pane: OpenPane) -> None:
    desk = open_pane("map")
    desk.settle()

    expect(desk.page.locator(".map-waiting")).to_have_text("Loading the floor plan")
    desk.tell({"type": "map_definition", "content": {"floors": [], "bitmaps": []}})
    expect(desk.page.locator(".map-waiting")).to_have_text("This building has no floors")


def test_a_destroyed_pane_hears_nothing_and_is_gone(desk: Desk) -> None:
    desk.page.evaluate("() => window.desk.pane.destroy()")
    desk.tell(arrow("Kitchen", "left"))

    expect(desk.page.locator(".map-viewer")).to_have_count(0)
    assert desk.facts()["arrows"] == "0"
