"""The map of an export beside the map of the page: the same drawing, pixel by pixel, over the bundled building."""

import base64
from typing import Any

import pytest
from pane_host import OpenPane, ready
from playwright.sync_api import Route

from smoldesk import messages as m
from smoldesk.assets import BITMAPS, DATA
from smoldesk.buildings.building import Building
from smoldesk.export.map_svg import MapState

pytestmark = [pytest.mark.browser, pytest.mark.starts]

BUILDING = Building.load()
IMAGES = {floor.floor_image: DATA / "floors" / floor.floor_image for floor in BUILDING.floors}
ROOMS = [
    m.MapRectangle(name="Kitchen", color="#fde725", stroke_opacity=1, fill_opacity=0.6, value=24),
    m.MapRectangle(name="Library", color="#440154", stroke_opacity=1, fill_opacity=0.6, floor_id="2F"),
]
ROUTE: dict[str, Any] = {
    "type": "route",
    "start": "Room1",
    "goal": "Library",
    "length": 33,
    "legs": [
        {"floorId": "1F", "points": [{"x": 70, "y": 40}, {"x": 150, "y": 100}, {"x": 260, "y": 60}]},
        {"floorId": "2F", "points": [{"x": 260, "y": 60}, {"x": 240, "y": 150}]},
    ],
    "changes": [
        {
            "kind": "stairs",
            "name": "Stairs",
            "fromFloorId": "1F",
            "toFloorId": "2F",
            "at": {"x": 260, "y": 60},
            "to": {"x": 260, "y": 60},
        }
    ],
}
DRAWN = m.Map(
    content=m.MapContent(
        floor_id="1F",
        timestamp="",
        rectangles=ROOMS,
        overlays=[
            m.RouteOverlay.model_validate(ROUTE),
            m.BitmapOverlay(bitmap_id="exit", position=m.AtRectangle(name="Room2")),
            m.TextOverlay(text="Quiet", position=m.AtRectangle(name="Level1")),
        ],
    )
)
ARROW = m.Arrow(content=m.ArrowContent(room="Bathroom", direction="down"))

COMPARE = """async ([svg, width, height]) => {
    const { stage } = window.desk.pane;
    const context = () => new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    const [shown, exported] = [context(), context()];
    for (const canvas of stage.layers.canvases) if (!canvas.hidden) shown.drawImage(canvas, 0, 0);
    const image = new Image();
    image.src = svg;
    await image.decode();
    exported.drawImage(image, 0, 0);
    const [one, other] = [shown, exported].map((ctx) => ctx.getImageData(0, 0, width, height).data);
    let differing = 0, plain = 0;
    for (let at = 0; at < one.length; at += 4) {
        const apart = (first, second) => Math.max(...[0, 1, 2].map((n) => Math.abs(first(n) - second(n))));
        differing += apart((n) => one[at + n], (n) => other[at + n]) > 48;
        plain += apart((n) => one[at + n], (n) => one[n]) <= 48;
    }
    return [differing / (width * height), plain / (width * height)];
}"""


def test_an_exported_floor_has_the_pixels_of_the_page(open_pane: OpenPane) -> None:
    state = MapState(BUILDING, IMAGES)
    state.take(DRAWN)
    state.take(ARROW)
    exported = {picture.floor_id: picture.svg for picture in state.pictures()}
    assert list(exported) == ["1F", "2F"], "every floor with a drawing or a leg of the route"

    desk = open_pane("map", size=(960, 460))
    page = desk.page
    page.emulate_media(reduced_motion="reduce")

    def serve(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        route.fulfill(path=(DATA / "floors" if "/floors/" in route.request.url else BITMAPS) / name)

    page.route("**/backend/**", serve)
    definition = {"type": "map_definition", "content": m.as_json(BUILDING.definition)}
    desk.tell(definition, m.as_json(DRAWN), m.as_json(ARROW))
    ready(desk)
    for floor_id, svg in exported.items():
        page.evaluate(
            """(floorId) => {
                window.desk.bus.emit("fact", { type: "@floor", floorId });
                const { stage } = window.desk.pane;
                stage.setCalm(true);
                stage.fetchBitmaps();
            }""",
            floor_id,
        )
        ready(desk)
        page.evaluate(
            """() => {
                const { stage } = window.desk.pane;
                const view = { scale: 860 / stage.camera.sheet.width, left: 0, top: 0 };
                stage.camera.fit = view;
                stage.camera.setView(view);
            }"""
        )
        desk.still()
        address = "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()
        differing, plain = page.evaluate(COMPARE, [address, 860, 364])
        assert plain < 0.9, "there is something to compare"
        # Antialiasing, and names that differ by one size of letters.
        assert differing < 0.01, f"{floor_id}: {differing:.2%} of the pixels differ"
