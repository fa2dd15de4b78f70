"""The older form of a map: points on the shown floor, and points on the earth in place of the plan."""

from typing import Any

import pytest
from pane_host import BUILDING, Colour, Desk, OpenPane
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

DEFINITION = {"type": "map_definition", "content": BUILDING}
ACCENT: Colour = (0x35, 0x67, 0xD6)
JAPAN = [("Tokyo", 35.68, 139.65), ("Osaka", 34.69, 135.5), ("Sapporo", 43.06, 141.35)]


def points(given: list[dict[str, Any]], description: str = "") -> dict[str, Any]:
    return {"type": "map", "content": {"points": given, "description": description}, "seq": 5, "runId": "r1"}


def cities() -> dict[str, Any]:
    return points([{"name": name, "lat": lat, "lon": lon} for name, lat, lon in JAPAN], "Cities of Japan")


@pytest.fixture
def desk(open_pane: OpenPane) -> Desk:
    desk = open_pane("map")
    desk.tell(DEFINITION)
    desk.page.wait_for_selector(".map-viewer[data-image=ready]")
    desk.still()
    return desk


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


FRAME = """async (points) => {
    const { earthOf, earthSheet, earthToScreen, gridLines } = await import("/static/js/map/degrees.js");
    const { fitView } = await import("/static/js/map/geometry.js");
    const size = { width: 780, height: 560 };
    const earth = earthOf(points, size.width / (size.height - 68));
    const view = fitView(earthSheet(earth), size);
    const place = earthToScreen(earth, view);
    const { meridians, parallels } = gridLines(earth, view, size);
    return {
        east: earth.east - earth.west,
        places: points.map((point) => { const { x, y } = place(point); return [x, y]; }),
        meridians: meridians.map(({ label }) => label),
        parallels: parallels.map(({ label }) => label),
    };
}"""


def frame(modules: Page, *given: tuple[float, float]) -> Any:
    """How points (latitude, longitude) are framed in a pane of 780 by 560."""
    return modules.evaluate(FRAME, [{"x": lon, "y": lat} for lat, lon in given])


@pytest.mark.parametrize(
    ("given", "most", "label"),
    [
        ([(35.68, 139.65), (34.69, 135.5)], 6, "138°E"),
        ([(-18.1, 178.4), (-13.8, -171.8)], 13, "180°"),
        ([(-36.8, 174.8), (21.3, -157.9), (64.2, -149.9)], 200, "180°"),
        ([(51.5, -0.1), (35.7, 139.7), (40.7, -74), (-33.9, 151.2)], 280, "0°"),
        ([(-90, -180), (0, -60), (0, 60), (90, 180)], 360.1, "0°"),
        ([(48.8584, 2.2945)], 0.06, "2.3°E"),
        ([(10, 20), (10, 20)], 0.04, "20°E"),
    ],
    ids=[
        "near",
        "over the antimeridian",
        "an ocean",
        "the world",
        "all of it",
        "one point",
        "twice the same",
    ],
)
def test_every_point_is_in_the_frame_and_the_frame_is_not_larger_than_it_must(
    modules: Page, given: list[tuple[float, float]], most: float, label: str
) -> None:
    framed = frame(modules, *given)

    assert all(0 <= x <= 780 and 52 <= y <= 560 for x, y in framed["places"])
    assert framed["east"] <= most
    assert label in framed["meridians"]
    assert 2 <= len(framed["meridians"]) <= 9
    assert 2 <= len(framed["parallels"]) <= 9


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
