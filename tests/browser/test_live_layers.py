"""A live layer on the page: switched on by keyboard, repainted as values arrive, with its history on the slider."""

import time
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.desk_page import OpenPage
from tests.support.desk_server import LiveDesk

pytestmark = pytest.mark.browser


def test_values_repaint_the_plan_and_stay_on_the_slider(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url)
    page = desk.page
    desk.see_map(floor="1F")
    url = f"{analyst.url}/api/chats/{desk.chat_id()}/layers"
    start = int(time.time()) - 30

    def post(second: int, **values: float) -> None:
        rows: list[dict[str, Any]] = [
            {"room": room, "time": start + second, "value": value} for room, value in values.items()
        ]
        httpx.post(f"{url}/co2", json=rows, params={"title": "<b>CO₂</b>", "unit": "ppm"}).raise_for_status()

    tool = page.locator(".map-live-button")
    expect(tool).to_be_hidden()
    post(0, Kitchen=400, Room1=500)
    expect(tool).to_be_visible()  # a key that is pressed on a hidden button is lost
    tool.press("Enter")
    card = page.get_by_role("region", name="Live layers")
    switch = card.get_by_role("switch", name="<b>CO₂</b>")
    expect(switch).to_be_focused()
    switch.press("Space")
    desk.see_map(highlights=2)
    expect(page.locator(".map-colours")).to_contain_text("<b>CO₂</b>ppm")
    slider = page.get_by_role("slider", name="Time")
    expect(slider).to_have_attribute(
        "aria-valuetext", f"Live · {time.strftime('%H:%M:%S', time.localtime(start))}"
    )

    post(10, Kitchen=900)
    post(5, Bathroom=450)  # out of order
    post(10, Attic=1)
    expect(card).to_contain_text("values of unknown rooms: 1 (Attic)")
    desk.see_map(highlights=3, frames=3, frame=2)
    slider.focus()
    slider.press("ArrowLeft")
    desk.see_map(highlights=3, frame=1)
    slider.press("ArrowLeft")
    desk.see_map(highlights=2, frame=0)
    post(20, Kitchen=950)
    desk.see_map(highlights=2, frame=0, frames=4)  # a chosen moment stays
    slider.press("End")
    desk.see_map(highlights=3, frame=3)

    desk.reload()
    desk.see_map(highlights=3, frames=4)
    page.get_by_role("button", name="Clear map").click()
    desk.see_map(highlights=0)
    expect(tool).not_to_have_attribute("data-shown", "")
    assert httpx.delete(f"{url}/co2").status_code == 204
    expect(tool).to_be_hidden()
