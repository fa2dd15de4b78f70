"""A building from a file to the plan, as a person takes it: seen first, taken, renamed, put aside."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.desk_page import OpenPage
from tests.support.desk_server import LiveDesk
from tests.support.plans import feature, geojson, square

pytestmark = pytest.mark.browser

DROP = """([name, text]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], name));
    const how = { dataTransfer: transfer, bubbles: true, cancelable: true };
    for (const type of ["dragenter", "drop"]) document.querySelector(".map-viewer").dispatchEvent(new DragEvent(type, how));
}"""


def campus() -> str:
    """Annex, two levels of three numbered rooms and a corridor; and the one room of a second building."""
    rooms = [
        feature(
            "Polygon",
            square(10 * n, 0, 10 * n + 10, 8),
            name=f"{2 + level}10{n + 1}",
            kind="office",
            level=level,
            building="Annex",
        )
        for level in (0, 1)
        for n in range(3)
    ]
    halls = [
        feature(
            "Polygon",
            square(0, 8, 30, 11),
            name=f"Corridor {level}",
            kind="corridor",
            level=level,
            building="Annex",
        )
        for level in (0, 1)
    ]
    shed = feature("Polygon", square(50, 0, 60, 8), name="Shed", level=0, building="Depot")
    return json.dumps(geojson(*rooms, *halls, shed, name="Campus", coordinates="metres"))


def test_a_building_is_seen_taken_renamed_and_put_aside(analyst: LiveDesk, open_page: OpenPage) -> None:
    page = open_page(analyst.url)
    dom = page.page
    page.forgive("status of 422")  # several buildings: a choice is asked for
    before = analyst.client().get("/api/buildings").json()
    dom.evaluate(DROP, ["campus.geojson", campus()])
    panel = dom.get_by_role("region", name="New building")
    choices = panel.get_by_role("group", name="Buildings in the file").get_by_role("button")
    expect(choices).to_have_text(["Annex2 floors · 8 rooms", "Depot1 floor · 1 room"])
    choices.nth(1).click()
    expect(panel.get_by_role("status")).to_have_text("1 floor · 1 room")
    choices.nth(0).click()
    expect(panel.get_by_role("status")).to_have_text("2 floors · 8 rooms")
    expect(page.map).to_have_attribute("data-floor", "0")
    assert analyst.client().get("/api/buildings").json() == before
    panel.get_by_text("1F · 2F · 3F").click()
    panel.get_by_role("button", name="Use this building").click()
    entry = dom.get_by_role("button", name="Building: Annex")
    expect(entry).to_be_focused()
    expect(page.map.get_by_role("tab", name="1F")).to_have_attribute("aria-selected", "true")

    entry.click()
    more = dom.get_by_role("button", name="More for Annex")
    more.click()
    dom.keyboard.press("Escape")  # closes the menu, not the panel
    expect(more).to_be_focused()
    more.click()
    dom.get_by_role("menuitem", name="Names").click()
    names = dom.get_by_role("region", name="Names")
    names.get_by_role("searchbox").fill("2102")
    names.get_by_role("button", name="2102").click()
    names.get_by_role("textbox", name="English name").fill("Library")
    names.get_by_role("textbox", name="Also called").fill("Reading room, 閲覧室")
    names.get_by_role("textbox", name="Also called").press("Enter")
    expect(names.get_by_role("button", name="Library 2102, Reading room, 閲覧室")).to_be_visible()
    dom.keyboard.press("Escape")
    expect(names).to_be_hidden()

    entry.click()
    dom.locator("[data-building=bundled] .building-open").click()
    expect(dom.get_by_role("button", name="Building: Default building")).to_be_visible()
    dom.get_by_role("button", name="Building: Default building").click()
    dom.get_by_role("listitem").filter(has_text="2 floors").get_by_label("More for Annex").click()
    dom.get_by_role("menuitem", name="Delete").click()
    dom.get_by_role("button", name="Undo").click()
    expect(
        dom.get_by_role("listitem").filter(has_text="2 floors").get_by_label("More for Annex")
    ).to_be_visible()

    dom.set_viewport_size({"width": 390, "height": 844})
    dom.get_by_role("tab", name="Floor map").click()
    plan, sheet = page.map.locator(".map-stage").bounding_box(), dom.locator(".building-panel").bounding_box()
    assert plan and sheet and plan["height"] > 250 and plan["y"] + plan["height"] <= sheet["y"] + 12
    assert dom.evaluate("document.documentElement.scrollWidth") == 390
