"""The map's layers by their pixels: the right colour in the right room at any zoom, and painted only when it must be."""

from typing import Any

import pytest
from floors import building, floor, grid_of, polygon, room
from pane_host import BUILDING, DEFINITION, PAPER, Colour, Desk, OpenPane, near, rgb
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

COLOURS = ["#ff8800", "#00aa44", "#2244dd", "#aa00aa"]


def coloured(**rooms: str) -> dict[str, Any]:
    inspect = {"fillOpacity": 1, "strokeOpacity": 1, "showName": False}
    rectangles = [{"name": name, "color": colour, **inspect} for name, colour in rooms.items()]
    return {"type": "map", "content": {"floorId": "1F", "rectangles": rectangles}}


def painted(desk: Desk) -> dict[str, int]:
    """How often each layer was painted so far."""
    script = "() => Object.fromEntries(window.desk.pane.stage.layers.sheets.map(({ name, count }) => [name, count]))"
    return desk.page.evaluate(script)


def zoom(desk: Desk, factor: float, at: tuple[float, float]) -> None:
    desk.page.evaluate(
        "([factor, x, y]) => window.desk.pane.stage.camera.zoom(factor, { x, y })",
        [factor, *desk.place(*at)],
    )
    desk.still()


@pytest.mark.parametrize(
    ("dpr", "factor"),
    [
        (1.0, 0.6),
        (2.0, 1.0),
        (1.0, 4.0),
        *(
            pytest.param(dpr, factor, marks=pytest.mark.slow)
            for dpr, factor in [(2.0, 0.6), (1.0, 1.0), (2.0, 4.0)]
        ),
    ],
)
def test_the_right_room_has_the_right_colour_at_any_zoom(
    open_pane: OpenPane, dpr: float, factor: float
) -> None:
    desk = open_pane("map", dpr=dpr)
    rooms = grid_of(4, 2)
    desk.tell(building(floor("1F", *rooms)))
    desk.tell(coloured(**{f"R{at}": COLOURS[at % 4] for at in (1, 3, 6, 8)}))
    zoom(desk, factor, (250, 100))

    width, height = 780, 560
    for at, shape in enumerate(rooms, start=1):
        left, top, right, bottom = (
            shape[corner][direction] for corner in ("topLeft", "bottomRight") for direction in "xy"
        )
        expected = rgb(COLOURS[at % 4]) if at in (1, 3, 6, 8) else PAPER
        inner = [(left + share * (right - left), top + 0.12 * (bottom - top)) for share in (0.06, 0.5, 0.94)]
        inner += [(x, top + 0.9 * (bottom - top)) for x, _ in inner]
        received = [
            at for at in inner if 20 < desk.place(*at)[0] < width and 20 < desk.place(*at)[1] < height
        ]
        assert factor > 1 or len(received) == 6
        for place, colour in zip(received, desk.pixels(received), strict=True):
            assert near(colour, expected), (shape["name"], place, colour)


@pytest.mark.parametrize("dpr", [1.0, 2.0, 1.5])
def test_lines_are_sharp_one_device_pixel_beside_another(open_pane: OpenPane, dpr: float) -> None:
    desk = open_pane("map", dpr=dpr)
    desk.tell(DEFINITION)
    desk.page.wait_for_selector(".map-viewer[data-image=ready]")
    desk.still()
    for factor in (1.0, 1.37, 2.21):
        zoom(desk, factor, (0, 45))
        scale = float(desk.facts()["view"].split()[0])
        step = 1 / (2 * scale * dpr)
        row = desk.pixels([(at * step, 60) for at in range(-6, 7)])
        red = [colour for colour in row if near(colour, (255, 0, 0), 3)]
        blurred = [c for c in row if not near(c, (255, 0, 0), 3) and not near(c, PAPER, 3)]
        assert len(red) == round(dpr), row
        assert blurred == [], row


EDGES = """() => {
    const layers = [...document.querySelectorAll(".map-stage canvas")].filter((canvas) => !canvas.hidden);
    const { width, height } = layers[0];
    const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    for (const layer of layers) copy.drawImage(layer, 0, 0);
    const found = new Set();
    const look = (...box) => {
        const { data } = copy.getImageData(...box);
        for (let i = 0; i < data.length; i += 4) found.add(data.slice(i, i + 3).join());
    };
    look(width - 2, 0, 2, height);
    look(0, height - 2, width, 2);
    return [...found];
}"""
"""Every colour of the last two columns and rows of device pixels."""


@pytest.mark.parametrize(
    "dpr", [1.0, 1.25, *(pytest.param(dpr, marks=pytest.mark.slow) for dpr in (1.5, 2.0))]
)
def test_no_edge_of_the_map_is_darker_with_data_at_any_width_and_pixel_ratio(
    open_pane: OpenPane, dpr: float
) -> None:
    desk = open_pane("map", dpr=dpr)
    desk.tell(DEFINITION, coloured(Room1="#ff8800", Kitchen="#00aa44"))
    ground = desk.page.evaluate("window.desk.pane.stage.palette.ground")

    for width, height in ((780, 560), (607, 501), (555, 433), (1031, 702), (398, 379)):
        desk.page.set_viewport_size({"width": width, "height": height})
        desk.page.wait_for_function("(width) => window.desk.pane.stage.size.width === width", arg=width)
        desk.still()
        assert desk.page.evaluate(EDGES) == [",".join(map(str, rgb(ground)))], (width, height)


def test_a_polygon_is_filled_and_pointed_at_only_where_it_is(open_pane: OpenPane) -> None:
    desk = open_pane("map")
    lshape = polygon("Ell", (10, 10), (300, 10), (300, 60), (100, 60), (100, 190), (10, 190))
    desk.tell(building(floor("1F", lshape, room("Box", 320, 20, 480, 180))), coloured(Ell=COLOURS[0]))
    desk.still()

    inside, corner = (50, 150), (200, 150)
    assert near(desk.pixel(*inside), rgb(COLOURS[0]))
    assert near(desk.pixel(*corner), PAPER)
    tip = desk.page.locator(".map-tip")
    desk.page.mouse.move(*desk.place(*inside))
    expect(tip).to_have_text("Ell")
    desk.page.mouse.move(*desk.place(*corner))
    expect(tip).to_be_hidden()


def test_a_floor_without_an_image_has_walls_and_a_door_is_a_gap_in_them(open_pane: OpenPane) -> None:
    desk = open_pane("map")
    rooms = [room("A", 0, 0, 250, 200), room("B", 250, 0, 500, 200)]
    doors = [{"rooms": ["A", "B"], "at": {"x": 250, "y": 100}}]
    desk.tell(building(floor("1F", *rooms, doors=doors, metresPerUnit=0.05)))
    desk.still()

    assert max(desk.pixel(250, 40)) < 90
    assert near(desk.pixel(250, 100), PAPER)
    desk.see(image="none")
    expect(desk.page.locator(".map-notes")).to_be_hidden()
    expect(desk.page.locator(".map-scale")).to_have_text("2 m")


def test_a_layer_is_painted_only_when_what_it_shows_changed(open_pane: OpenPane) -> None:
    desk = open_pane("map")
    desk.tell(building(floor("1F", *grid_of(4, 2))))
    desk.still()
    before = painted(desk)
    assert desk.page.locator("canvas[data-layer=data]").is_hidden()

    desk.page.mouse.move(*desk.place(60, 50))
    expect(desk.page.locator(".map-tip")).to_have_text("R1")
    desk.still()
    hovered = painted(desk)
    assert hovered["interaction"] > before["interaction"]
    assert [hovered[layer] for layer in ("plan", "data", "names")] == [
        before[layer] for layer in ("plan", "data", "names")
    ]

    desk.tell(coloured(R1=COLOURS[0]))
    desk.still()
    first = painted(desk)
    assert first["data"] == 1
    desk.tell(coloured(R1=COLOURS[1]))
    desk.still()
    second = painted(desk)
    assert second["data"] == 2 and second["plan"] == first["plan"]
    assert near(desk.pixel(20, 20), rgb(COLOURS[1]), 24)  # under the veil of the pointer


def test_names_stay_where_they_are_while_the_plan_is_moved(open_pane: OpenPane) -> None:
    desk = open_pane("map")
    desk.tell(building(floor("1F", *grid_of(40, 20, 2000, 800), wide=2000, high=800)))
    zoom(desk, 6, (0, 0))
    places = """() => {
        const { names } = window.desk.pane.stage.arrangement;
        return Object.fromEntries(names.labels.filter(Boolean).map(({ text, at }) => [text, [at.x, at.y]]));
    }"""
    before = desk.page.evaluate(places)
    assert 5 < len(before) < 400
    for _ in range(5):
        desk.page.get_by_role("application").press("ArrowRight")
        desk.page.get_by_role("application").press("ArrowDown")
    desk.still()
    after = desk.page.evaluate(places)

    assert len(after) >= len(before)
    assert {name: after[name] for name in before} == before


def test_the_floor_below_is_shown_faintly_on_demand(open_pane: OpenPane) -> None:
    desk = open_pane("map")
    upper = floor("1F", room("Top", 0, 0, 240, 200), ordinal=1)
    desk.tell(building(upper, floor("G", room("Under", 300, 50, 480, 150), ordinal=0)))
    desk.still()
    place = (390, 100)
    plain = desk.pixel(*place)

    button = desk.page.get_by_role("button", name="Floor G below")
    button.click()
    desk.still()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert desk.pixel(*place) != plain
    assert near(desk.pixel(*place), plain, 40)
    button.click()
    desk.still()
    assert desk.pixel(*place) == plain
    desk.page.get_by_role("application").press("PageDown")
    desk.see(floor="G")
    expect(button).to_be_hidden()


def test_the_minimap_is_there_while_a_part_is_in_sight_and_moves_it(open_pane: OpenPane) -> None:
    desk = open_pane("map")
    desk.tell(building(floor("1F", *grid_of(4, 2))))
    desk.still()
    minimap = desk.page.locator(".map-minimap")
    expect(minimap).to_be_hidden()
    zoom(desk, 4, (250, 100))
    expect(minimap).to_be_visible()

    box = minimap.bounding_box()
    assert box is not None
    desk.page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    desk.page.mouse.down()
    desk.page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + 0.3 * box["height"], steps=3)
    desk.page.mouse.up()
    desk.still()
    # The sheet is 520 by 220 units, from -10 on: a fifth across and three tenths down is in the middle now.
    x, y = desk.place(-10 + 0.2 * 520, -10 + 0.3 * 220)
    assert abs(x - 390) < 20 and abs(y - 280) < 20
    desk.page.get_by_role("button", name="Fit the plan").click()
    expect(minimap).to_be_hidden()


def by(agent: str) -> dict[str, Any]:
    """An agent begins to answer."""
    return {
        "type": "run",
        "content": {"runId": f"r_{agent}", "state": "running", "notes": [], "agent": agent},
    }


def test_two_agents_have_layers_that_are_told_apart_hidden_and_shown(open_pane: OpenPane) -> None:
    desk = open_pane("map")
    desk.tell(DEFINITION)
    desk.tell(by("code"))
    desk.tell(coloured(Room1="#ff8800", Kitchen="#ff8800"))
    card = desk.page.locator(".map-agents")
    expect(card).to_have_count(0)  # one agent: the map as it always was
    assert painted(desk)["agents"] == 0
    desk.tell(by("painter"))
    desk.tell(coloured(Kitchen="#00aa44"))
    expect(card.locator("li")).to_have_text(["1coderooms 2, arrows 0", "2painterrooms 1, arrows 0"])
    expect(card.get_by_role("status")).to_have_text("Kitchen: painter over code.")
    desk.still()
    assert painted(desk)["agents"] > 0
    rooms = {item["name"]: item for item in BUILDING["floors"][0]["rectangles"]}

    def colour(name: str) -> Colour:  # near the corner where no number stands
        shape = rooms[name]
        right, bottom = shape["bottomRight"]["x"] - 6, shape["bottomRight"]["y"] - 6
        desk.still()
        return desk.pixel(right, bottom)

    assert near(colour("Kitchen"), rgb("#00aa44")) and near(colour("Room1"), rgb("#ff8800"))
    card.get_by_role("checkbox", name="painter").uncheck()
    assert near(colour("Kitchen"), rgb("#ff8800"))
    expect(card.get_by_role("status")).to_be_hidden()
    card.get_by_role("checkbox", name="code").uncheck()
    assert near(colour("Room1"), PAPER)
