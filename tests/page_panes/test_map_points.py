"""The older form of a map: points on the shown floor, and points on the earth in place of the plan."""

from typing import Any

import pytest
from pane_host import Colour, Desk
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

ACCENT: Colour = (0x35, 0x67, 0xD6)
JAPAN = [("Tokyo", 35.68, 139.65), ("Osaka", 34.69, 135.5), ("Sapporo", 43.06, 141.35)]


def points(inputs: list[dict[str, Any]], description: str = "") -> dict[str, Any]:
    return {"type": "map", "content": {"points": inputs, "description": description}, "seq": 5, "runId": "r1"}


def cities() -> dict[str, Any]:
    return points([{"name": name, "lat": lat, "lon": lon} for name, lat, lon in JAPAN], "Cities of Japan")


def test_points_by_x_and_y_are_dots_with_names_on_the_shown_floor(desk: Desk) -> None:
    desk.tell(points([{"x": 425, "y": 150, "name": "Sensor 7"}, {"x": 75, "y": 45}], "Sensors"))
    desk.still()

    assert desk.pixel(425, 150) == ACCENT
    assert desk.pixel(75, 45) == ACCENT
    expect(desk.page.locator(".map-legend")).to_have_text("Sensors · 2 points")
    expect(desk.page.locator(".map-twin")).to_have_text("Floor 1F. Sensors: 2 points.")
    desk.page.mouse.move(*desk.place(425, 150))
    expect(desk.page.locator(".map-tip")).to_have_text("Sensor 7 · 425, 150")

    desk.page.get_by_role("tab", name="2F").click()
    expect(desk.page.locator(".map-legend")).to_be_hidden()
    expect(desk.page.get_by_role("tab", name="1F, has drawings")).to_be_visible()


def test_points_by_latitude_and_longitude_are_shown_with_a_grid_until_a_floor_is_chosen(desk: Desk) -> None:
    desk.tell(cities())
    viewer = desk.page.locator(".map-viewer")
    expect(viewer).to_have_attribute("data-earth", "")
    expect(desk.page.locator(".map-legend")).to_have_text("Cities of Japan · 3 points")
    expect(desk.page.get_by_role("tab", name="Points")).to_have_attribute("aria-selected", "true")
    expect(desk.page.locator(".map-twin")).to_contain_text("Cities of Japan: 3 points.")

    desk.page.get_by_role("tab", name="1F").click()
    expect(viewer).not_to_have_attribute("data-earth", "")
    expect(desk.page.locator(".map-legend")).to_be_hidden()
    desk.page.get_by_role("tab", name="Points, has drawings").click()
    expect(viewer).to_have_attribute("data-earth", "")

    desk.tell({"type": "clear_map", "content": {}})
    expect(viewer).not_to_have_attribute("data-earth", "")
    expect(desk.page.get_by_role("tab", name="Points")).to_have_count(0)


def test_the_tooltip_names_a_point_and_its_place(desk: Desk) -> None:
    desk.tell(points([{"lat": -12.05, "lon": -77.04, "name": "Lima"}]))
    expect(desk.page.locator(".map-viewer")).to_have_attribute("data-earth", "")
    desk.still()
    x, y = desk.page.evaluate("""() => {
        const { camera, surface } = window.desk.pane.stage;
        const { scale, left, top } = camera.view;
        const { width, height } = camera.sheet;
        return [left + width * scale / 2, top + height * scale / 2, surface.frame].slice(0, 2);
    }""")

    desk.page.mouse.move(x, y)

    expect(desk.page.locator(".map-tip")).to_have_text("Lima · 12.05°S 77.04°W")


def test_ten_thousand_points_are_laid_out_and_painted_in_one_frame_each(desk: Desk) -> None:
    painted = desk.page.evaluate("""async () => {
        const { surface } = window.desk.pane.stage;
        const { paint } = surface;
        let count = 0;
        surface.paint = (...args) => { count += 1; return paint(...args); };
        const points = Array.from({ length: 10_000 }, (_, n) => (
            { lat: (n % 180) - 90, lon: (n * 7) % 360 - 180, name: `point ${n}` }));
        window.desk.tell([{ type: "map", content: { points }, seq: 9 }]);
        await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(go))));
        return count;
    }""")

    assert painted <= 2
    assert desk.facts()["points"] == "10000"
    expect(desk.page.locator(".map-legend")).to_have_text("10,000 points")


def test_the_pointer_tells_what_drew_in_the_room_or_the_point_under_it(desk: Desk) -> None:
    """And on nothing it points at no points, though they are in no room."""
    arrow = {"type": "arrow", "content": {"room": "Kitchen", "direction": "left"}, "seq": 7, "runId": "r1"}
    desk.tell(points([{"x": 360, "y": 110, "name": "Sensor 7"}]), arrow)
    desk.still()
    for place in ((75, 45), (425, 150), (360, 110), (180, -30)):
        desk.page.mouse.move(*desk.place(*place))
        desk.settle()
    assert desk.heard("hover") == [{"source": "map", "seqs": [7]}, {"source": "map", "seqs": [5, 7]}, None]
