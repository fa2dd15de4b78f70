"""What a waiting call would draw is a ghost on the plan: moved by mouse and keys, in its card too, and then allowed."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page import test_map_and_chat
from tests.page.ask_messages import ask, closed, parameter
from tests.page.conftest import asked, run
from tests.page.test_map_and_chat import Json, feed, place
from tests.support.waiting import see

pytestmark = pytest.mark.browser
page = test_map_and_chat.page  # with a plan, fed from inside

ARROW: Json = {
    "tool": "draw_arrow",
    "prompt": "Allow draw_arrow?",
    "codeLine": "draw_arrow('Kitchen', 'left')",
    "arguments": {"room_name": "Kitchen", "direction": "left"},
    "parameters": {"room_name": parameter("string"), "direction": parameter("string")},
}
MAP: Json = {
    "tool": "show_map",
    "callId": "c2",
    "prompt": "Allow show_map?",
    "arguments": {"floor_id": "1F", "text_overlays": "Here:10,20|size=18"},
    "parameters": {
        "floor_id": parameter("string"),
        "text_overlays": parameter("string", required=False),
    },
}
SECOND: Json = {**ARROW, "callId": "c2", "arguments": {"room_name": "Kitchen", "direction": "up"}}
THIRD: Json = {**ARROW, "callId": "c3"}
# A click that comes when the bar has just taken the next call: nobody has read that.
CLICK_AS_IT_CHANGES = """() => {
    const bar = document.querySelector(".map-ghost-bar");
    new MutationObserver((_, observer) => {
        observer.disconnect();
        bar.querySelector("[data-look=strong]").click();
    }).observe(bar.querySelector("code"), { childList: true });
}"""


def drag(page: Page, ghost: Locator, x: float, y: float) -> None:
    ghost.hover()
    page.mouse.down()
    page.mouse.move(*place(page, x, y), steps=4)
    page.mouse.up()


def middle(ghost: Locator) -> float:
    box = ghost.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2


def value(card: Locator, name: str) -> str:
    return card.get_by_label(name, exact=False).input_value()


def opened(page: Page, ask_id: str, **more: Json) -> Locator:
    feed(page, ask(ask_id, **more), run("r1", "waiting"))
    return page.locator(f"[data-ask={ask_id}]")


def test_a_ghost_is_moved_and_then_allowed(page: Page) -> None:
    feed(page, asked("r1", "Draw"), run("r1", "running", step=1))
    card = opened(page, "a1", **ARROW)
    ghost = page.locator(".map-ghost")
    expect(ghost).to_have_accessible_name("Arrow in Kitchen, left. Arrow keys move it, Enter turns it.")
    bar = page.get_by_role("group", name="Waiting: draw_arrow")
    drag(page, ghost, 5000, 5000)
    expect(bar.get_by_role("status")).to_have_text("There is no room.")
    drag(page, ghost, 50, 45)
    expect(ghost).to_have_accessible_name("Arrow in Room1, left. Arrow keys move it, Enter turns it.")
    assert value(card, "room_name") == "Room1", "its card follows"
    ghost.press("Enter")
    see(page, lambda: value(card, "direction"), "up")
    ghost.press("ArrowRight")
    see(page, lambda: value(card, "room_name") != "Room1", True)
    ghost.press("Escape")
    expect(card.get_by_label("room_name")).to_have_count(0)
    ghost.press("Enter")
    card.get_by_label("room_name", exact=False).fill("Room1")
    expect(ghost).to_have_accessible_name("Arrow in Room1, up. Arrow keys move it, Enter turns it.")
    bar.get_by_role("button", name="Allow as changed").click()
    answer = {"type": "answer", "askId": "a1", "granted": True}
    assert sent(page) == answer | {"value": {"room_name": "Room1", "direction": "up"}}
    expect(bar).to_be_hidden()
    expect(ghost).to_have_count(0)

    opened(page, "a2", **MAP)
    drag(page, ghost, 40, 30)
    see(page, lambda: bar_text(page), "Moved.")
    see(
        page, lambda: abs(middle(ghost) - place(page, 40, 30)[0]) < 2, True
    )  # it is drawn with the next frame
    ghost.press("Shift+ArrowLeft")
    drag(page, ghost, 5000, 30)
    see(page, lambda: bar_text(page), "That is outside of the plan.")
    page.locator(".map-ghost-bar").get_by_role("button", name="Allow as changed").click()
    frame = sent(page)
    assert (frame["askId"], frame["value"]["floor_id"]) == ("a2", "1F")
    x, y = map(
        float, frame["value"]["text_overlays"].removeprefix("Here:").removesuffix("|size=18").split(",")
    )
    assert 30 < x < 40 and 28 < y < 32


def sent(page: Page) -> Json:
    return page.evaluate("() => sent.at(-1)")


def bar_text(page: Page) -> str:
    return page.locator(".map-ghost-bar [role=status]").inner_text()


def test_no_call_is_allowed_unseen_or_with_arguments_that_are_not_shown(page: Page) -> None:
    feed(page, asked("r1", "Draw"), run("r1", "running", step=1))
    opened(page, "a1", **ARROW)
    second = opened(page, "a2", **SECOND)
    bar, ghost = page.locator(".map-ghost-bar"), page.locator(".map-ghost")
    allow = bar.get_by_role("button", name="Allow")
    expect(bar.locator("code")).to_have_text('draw_arrow(room_name="Kitchen", direction="left")')
    page.evaluate("() => sent.splice(0)")
    page.evaluate(CLICK_AS_IT_CHANGES)
    allow.dblclick()
    expect(bar.locator("code")).to_have_text('draw_arrow(room_name="Kitchen", direction="up")')
    expect(allow).to_be_enabled()
    assert [frame["askId"] for frame in page.evaluate("() => sent")] == ["a1"]

    ghost.press("Enter")
    direction = second.get_by_label("direction", exact=False)
    direction.fill("")
    expect(bar.get_by_role("status")).to_have_text("Correct the arguments in the chat first.")
    expect(allow).to_be_disabled()
    ghost.press("Escape")
    expect(direction).to_have_count(0)
    expect(allow).to_be_enabled()

    opened(page, "a3", **THIRD)
    ghost.hover()
    page.mouse.down()
    page.mouse.move(*place(page, 50, 45), steps=4)
    feed(page, closed(False, ask_id="a2"))
    expect(bar.locator("code")).to_have_text('draw_arrow(room_name="Kitchen", direction="left")')
    page.mouse.up()
    feed(page, run("r1", "waiting"))
    expect(ghost).to_have_accessible_name("Arrow in Kitchen, left. Arrow keys move it, Enter turns it.")
    expect(allow).to_have_text("Allow")
