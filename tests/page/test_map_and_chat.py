"""What an answer paints, between chat and map: steps and legs, a value and its line of code, rooms to ask about."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.support.fed_page import open_fed
from tests.support.page_menu import from_menu
from tests.support.waiting import see, until
from tests.support.wire_messages import whole

pytestmark = pytest.mark.browser

Json = dict[str, Any]
PANES = Path(__file__).resolve().parents[1] / "page_panes"
BUILDING: Json = json.loads((PANES / "building.json").read_text("utf-8"))
KEEP_FRAMES = """
    localStorage.clear();  // of the test before
    window.sent = [];
    const Fed = window.WebSocket;
    window.WebSocket = class extends Fed {
        constructor(...given) {
            super(...given);
            window.drop = () => { this.readyState = 3; this.dispatchEvent(new Event("close")); };
        }
        send(frame) { window.sent.push(JSON.parse(frame)); }
    };
    window.WebSocket.OPEN = 1;
"""
CODE = "values = load('rooms')\n\ncolor_rooms(values)\nprint('done')"


@pytest.fixture
def page(context: BrowserContext, address: str) -> Iterator[Page]:
    page = open_fed(context, address, KEEP_FRAMES)
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    feed(page, {"type": "map_definition", "content": BUILDING})
    page.wait_for_selector(".map-viewer[data-floor='1F']")
    yield page
    page.close()
    assert faults == []


def feed(page: Page, *messages: Json) -> None:
    page.evaluate("(messages) => window.feed(messages)", [whole(message) for message in messages])


def ask(page: Page, *displayed: Json, code: str = CODE) -> None:
    """One run that wrote code in its step 2 and showed these."""
    run: Json = {"runId": "r1"}
    feed(
        page,
        *(
            {**message, **run, "seq": at + 1}
            for at, message in enumerate(
                [
                    {"type": "user_message", "content": "Where?", "ahead": 0},
                    {"type": "run", "content": {**run, "state": "running", "step": 1}},
                    {"type": "code", "content": "first = 1", "language": "python", "step": "Step 1"},
                    {"type": "code", "content": code, "language": "python", "step": "Step 2"},
                    *displayed,
                ]
            )
        ),
    )


def route() -> Json:
    legs = [
        {"floorId": "1F", "points": [{"x": 75, "y": 45}, {"x": 155, "y": 45}, {"x": 155, "y": 180}]},
        {"floorId": "2F", "points": [{"x": 155, "y": 50}, {"x": 100, "y": 150}]},
    ]
    ends = {"fromFloorId": "1F", "toFloorId": "2F", "at": {"x": 155, "y": 180}, "to": {"x": 155, "y": 50}}
    steps = [
        {"action": "start", "text": "s", "leg": 0, "room": "Room1"},
        {"action": "through", "text": "s", "leg": 0, "room": "Level1"},
        {"action": "walk", "text": "s", "leg": 0, "length": 1234, "room": "Level1"},
        {"action": "change", "text": "s", "leg": 0, "kind": "lift", "toFloorId": "2F"},
        {"action": "walk", "text": "s", "leg": 1, "length": 11.4},
        {"action": "walk", "text": "Turn <b>left</b>", "leg": 1},
        {"action": "arrive", "text": "s", "leg": 1, "room": "Library"},
    ]
    change = {"kind": "lift", "name": "", **ends}
    complete = {"start": "Room1", "goal": "Library", "length": 1245.4, "unit": "m", "seconds": 940}
    return {
        "type": "route",
        **complete,
        "legs": legs,
        "changes": [change],
        "steps": steps,
        "accessible": True,
    }


def a_map(*overlays: Json, **more: Any) -> Json:
    content = {"floorId": "1F", "timestamp": "", "rectangles": [], "overlays": list(overlays)}
    return {"type": "map", "content": content | more}


def painted(source: Json) -> Json:
    kitchen = {"name": "Kitchen", "color": "#21918c", "fillOpacity": 1, "value": 21.456789}
    stops = [{"value": 18, "color": "#440154"}, {"value": 24, "color": "#fde725"}]
    legend = {"type": "legend", "title": "Warmth", "unit": "°C", "stops": stops}
    return a_map(legend, rectangles=[kitchen], source=source)


def place(page: Page, x: float, y: float) -> tuple[float, float]:
    """Where a point of floor 1F is on the page."""
    view = page.locator(".map-viewer").get_attribute("data-view") or ""
    scale, left, top = (float(part) for part in view.split())
    box = page.locator(".map-stage").bounding_box()
    assert box is not None
    return box["x"] + (20 + 2 * x) * scale + left, box["y"] + (20 + 2 * y) * scale + top


def test_a_route_is_told_step_by_step_in_the_language_of_the_page(page: Page) -> None:
    ask(page, a_map(route()))
    expect(page.locator(".route-head")).to_have_text("Room1 to Library1.2 km · about 16 min · step-free")
    expect(page.locator(".route-step")).to_have_text(
        [
            "Start in Room1",
            "Go through the door to Level1",
            "Walk 1.2 km through Level1",
            "Take the lift to 2F",
            "Walk 11 m",
            "Turn <b>left</b>",
            "Arrive at Library",
        ]
    )

    from_menu(page, "日本語")
    expect(page.locator(".route-head")).to_have_text("Room1 → Library1.2 km · 約16分 · 段差なし")
    expect(page.locator(".route-step").nth(3)).to_have_text("エレベーターで2階へ")
    expect(page.locator(".route-step").nth(6)).to_have_text("Libraryに到着")


def test_a_step_lights_its_leg_and_shows_its_floor(page: Page) -> None:
    ask(page, a_map(route()))
    pane = page.locator(".map-viewer")
    steps = page.locator(".route-step")

    steps.nth(4).hover()
    expect(pane).to_have_attribute("data-floor", "2F")
    expect(steps.nth(5)).to_have_attribute("data-lit", "")
    expect(steps.nth(0)).not_to_have_attribute("data-lit", "")
    steps.nth(0).focus()
    expect(pane).to_have_attribute("data-floor", "1F")
    expect(page.locator(".route-step[data-lit]")).to_have_count(4)


def test_a_leg_lights_its_steps(page: Page) -> None:
    ask(page, a_map(route()))
    expect(page.locator(".map-viewer")).to_have_attribute("data-routes", "1")
    until(page, lambda: page.locator(".map-badges button").count(), lambda count: count == 1)

    page.mouse.move(*place(page, 120, 45))
    expect(page.locator(".route-step[data-lit]")).to_have_count(4)
    page.mouse.move(*place(page, 420, 150))
    expect(page.locator(".route-step[data-lit]")).to_have_count(0)


def test_a_pressed_step_stays_lit_on_a_small_screen(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    ask(page, a_map(route()))
    page.locator(".route-step").nth(4).click()

    expect(page.locator("#pane-map")).to_be_visible()
    expect(page.locator(".map-viewer")).to_have_attribute("data-floor", "2F")
    expect(page.locator(".route-step[data-lit]")).to_have_count(3)


def test_colours_are_a_line_that_says_what_they_mean(page: Page) -> None:
    ask(page, painted({"step": 2}))

    expect(page.locator(".pointer")).to_have_text("Floor map: Warmth · 1 room")


def test_of_two_routes_each_step_lights_its_own(page: Page) -> None:
    away = route() | {
        "legs": [{"floorId": "9F", "points": [{"x": 1, "y": 1}]}],
        "changes": [],
        "goal": "Attic",
    }
    ask(page, a_map(away, route()))
    expect(page.locator(".map-viewer")).to_have_attribute(
        "data-routes", "1"
    )  # the other one's floor is not here
    expect(page.locator(".route")).to_have_count(2)

    page.locator(".route").nth(1).locator(".route-step").nth(4).hover()
    expect(page.locator(".map-viewer")).to_have_attribute("data-floor", "2F")
    expect(page.locator(".route").nth(1).locator("[data-lit]")).to_have_count(3)
    expect(page.locator(".route").nth(0).locator("[data-lit]")).to_have_count(0)


def test_a_playback_is_a_line_that_leads_to_the_map(page: Page) -> None:
    frames = [{"time": str(n), "rectangles": [{"name": "Kitchen", "color": "#ff0000"}]} for n in range(7)]
    ask(page, {"type": "map_frames", "content": {"floorId": "1F", "frames": frames}})

    expect(page.locator(".pointer")).to_have_text("Playback: 1F · 7 frames")
    expect(page.locator(".map-viewer")).to_have_attribute("data-frames", "7")


def test_a_value_leads_to_the_line_that_painted_it(page: Page) -> None:
    ask(page, painted({"step": 2, "line": 3, "code": "color_rooms(values)"}))
    page.wait_for_selector(".map-viewer[data-highlights='1']")
    page.locator("[data-step='2'] .step-head").click()
    expect(page.locator("[data-step='2'] .code-text")).to_be_hidden()
    page.mouse.click(*place(page, 425, 150))
    expect(page.locator(".map-card-value b")).to_have_text("21.46 °C")

    page.locator(".map-card-code").click()

    mark = page.locator(".code-mark")
    expect(mark).to_have_count(1)
    expect(mark).to_be_in_viewport()
    middle, line = mark.bounding_box(), line_box(page, "color_rooms(values)")
    assert middle is not None
    assert middle["y"] <= line["y"] + line["height"] / 2 <= middle["y"] + middle["height"]


LINE_BOX = """(words) => {
    const walk = document.createTreeWalker(document.querySelector('[data-step="2"] .code-text'), NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const at = walk.currentNode.data.indexOf(words);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(walk.currentNode, at);
        range.setEnd(walk.currentNode, at + words.length);
        const { y, height } = range.getBoundingClientRect();
        return { y, height };
    }
    return null;
}"""


def line_box(page: Page, text: str) -> dict[str, float]:
    return page.evaluate(LINE_BOX, text)


def test_a_line_far_down_a_long_step_comes_into_sight(page: Page) -> None:
    code = "\n".join(f"line_{n} = {n}" for n in range(1, 101))
    ask(page, painted({"step": 2, "line": 90}), code=code)
    page.wait_for_selector(".map-viewer[data-highlights='1']")
    page.get_by_role("button", name="Show the code of step 2").click()
    expect(page.locator(".code-mark")).to_be_in_viewport()
    mark, line = page.locator(".code-mark").bounding_box(), line_box(page, "line_90 = 90")
    assert mark is not None
    assert abs(mark["y"] + mark["height"] / 2 - line["y"] - line["height"] / 2) < 4


@pytest.mark.parametrize("line", [None, 99])
def test_a_line_that_is_not_there_leads_to_its_step(page: Page, line: Any) -> None:
    ask(page, painted({"step": 2, "line": line}))
    page.wait_for_selector(".map-viewer[data-highlights='1']")
    page.get_by_role("button", name="Show the code of step 2").click()

    expect(page.locator("[data-step='2'] .code-text")).to_be_focused()
    expect(page.locator(".code-mark")).to_have_count(0)


def sent(page: Page) -> list[Json]:
    return [frame for frame in page.evaluate("window.sent") if frame["type"] == "selection"]


def test_a_clicked_room_is_a_chip_and_the_server_hears_of_it(page: Page) -> None:
    page.mouse.click(*place(page, 425, 150))
    chips = page.locator(".room-chip")
    expect(chips).to_have_text(["@Kitchen"])
    page.keyboard.down("Shift")
    page.mouse.click(*place(page, 20, 20))
    page.keyboard.up("Shift")
    expect(chips).to_have_text(["@Kitchen", "@Room11F"])  # 2F has a Room1 too

    page.get_by_role("button", name="Remove Kitchen").click()
    expect(chips).to_have_text(["@Room11F"])
    expect(page.get_by_role("textbox", name="Message")).to_be_focused()
    kitchen, room1 = {"floorId": "1F", "name": "Kitchen"}, {"floorId": "1F", "name": "Room1"}
    expected = [[kitchen], [kitchen, room1], [room1]]
    see(page, lambda: sent(page), [{"type": "selection", "rooms": rooms} for rooms in expected])


def test_the_rooms_stay_with_the_words_until_they_are_cleared(page: Page) -> None:
    rooms = [{"floorId": "1F", "name": "Kitchen"}, {"floorId": "2F", "name": "Library"}]
    say_chat(page, selection=rooms)
    expect(page.locator(".room-chip")).to_have_count(2)
    page.get_by_role("textbox", name="Message").fill("How warm?")
    page.keyboard.press("Enter")
    expect(page.locator(".room-chip")).to_have_count(2)

    page.locator(".room-clear").click()
    expect(page.locator(".room-chip")).to_have_count(0)
    see(page, lambda: sent(page), [{"type": "selection", "rooms": []}])


def say_chat(page: Page, **more: Any) -> None:
    isolation = {"isolated": True, "label": "isolated", "reasons": []}
    names = {"chatId": "c", "protocol": "2.0", "title": "", "model": "m", "agent": "a"}
    feed(
        page,
        {"type": "chat", "content": {**names, "files": [], "tools": [], "isolation": isolation, **more}},
    )


def test_the_chat_tells_which_rooms_were_chosen_before(page: Page) -> None:
    say_chat(page, selection=[{"floorId": "1F", "name": "Kitchen"}])
    expect(page.locator(".room-chip")).to_have_text(["@Kitchen"])
    expect(page.locator(".map-viewer")).to_have_attribute("data-chosen", "1")
    assert sent(page) == []

    from_menu(page, "日本語")
    expect(page.get_by_role("list", name="選択中の部屋")).to_be_visible()
    expect(page.get_by_role("button", name="Kitchenの選択を解除")).to_be_visible()
    say_chat(page, selection=[])
    expect(page.locator(".room-chip")).to_have_count(0)


def test_rooms_chosen_while_no_server_hears_are_told_once_one_does(page: Page) -> None:
    page.evaluate("window.drop()")
    page.wait_for_selector(".connection:not([data-connection=open])")
    page.mouse.click(*place(page, 425, 150))
    expect(page.locator(".room-chip")).to_have_text(["@Kitchen"])
    page.wait_for_selector(".connection[data-connection=open]", state="attached")

    expect(page.locator(".room-chip")).to_have_text(["@Kitchen"])
    see(page, lambda: sent(page), [{"type": "selection", "rooms": [{"floorId": "1F", "name": "Kitchen"}]}])


def test_very_many_rooms_are_a_few_chips(page: Page) -> None:
    say_chat(page, selection=[{"floorId": "1F", "name": f"Room {n}"} for n in range(300)])

    expect(page.locator(".room-chip")).to_have_count(12)
    expect(page.locator(".room-more")).to_have_text("and 288 more")


def test_a_new_chat_has_no_rooms(page: Page) -> None:
    say_chat(page, selection=[{"floorId": "1F", "name": "Kitchen"}])
    expect(page.locator(".room-chip")).to_have_count(1)
    page.get_by_role("button", name="New chat").click()

    expect(page.locator(".room-chip")).to_have_count(0)
    expect(page.locator(".map-viewer")).to_have_attribute("data-chosen", "0")
