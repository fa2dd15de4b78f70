"""Movement of the map: pixels that are moved with the view are those that a new painting gives; large buildings."""

from typing import Any

import pytest
from pane_host import OpenPane

pytestmark = pytest.mark.browser

MOVED = """async (moves) => {
    const { stage } = window.desk.pane;
    const { layers, camera } = stage;
    const parts = [];
    const { paintPart } = layers;
    layers.paintPart = (sheet, ctx, frame, scene, part) => {
        parts.push((part.width * part.height) / (stage.size.width * stage.size.height));
        return paintPart.call(layers, sheet, ctx, frame, scene, part);
    };
    for (const [x, y] of moves) { camera.pan({ x, y }); stage.draw(); }
    const read = () => layers.sheets.filter(({ canvas }) => !canvas.hidden)
        .map(({ ctx, canvas }) => ctx.getImageData(0, 0, canvas.width, canvas.height).data);
    const moved = read();
    for (const sheet of layers.sheets) sheet.painted = null;
    stage.draw();
    const seen = (bytes, at) => bytes[at] * (at % 4 === 3 ? 1 : bytes[at | 3] / 255); // colours hardly opaque are inexact
    let differing = 0;
    for (const [at, pixels] of read().entries())
        for (let byte = 0; byte < pixels.length; byte += 1)
            if (Math.abs(seen(pixels, byte) - seen(moved[at], byte)) > 24) differing += 1;
    return { largest: Math.max(...parts.slice(0, -layers.sheets.length)), differing };
}"""
"""Moves the plan and then paints it again; the largest part of the pane that a move painted, and the bytes that differ."""

FEW = 300
"""Bytes of 5 million: lines of neighbours that touch are painted as one path or as two."""

LARGE = """([count, corners]) => {
    const floors = Array.from({ length: count }, (_, level) => {
        const rectangles = Array.from({ length: 5000 }, (_, at) => {
            const [x, y] = [(at % 100) * 16, Math.floor(at / 100) * 12];
            const side = Array.from({ length: corners }, (_, at) => [4 + (10 * at) / corners, 0]);
            const polygon = [...side, [15, 0], [15, 11], [0, 11], [0, 5], [4, 5]].map(([a, b]) => ({ x: x + a, y: y + b }));
            return { name: `${level + 1}-${at + 1}`, topLeft: { x, y }, bottomRight: { x: x + 15, y: y + 11 }, polygon };
        });
        const doors = rectangles.map(({ name, topLeft: { x, y } }) => ({ rooms: [name], at: { x: x + 8, y: y + 11 } }));
        const coordinateSystem = {
            topLeft: { px: 0, py: 0, x: 0, y: 0 }, bottomRight: { px: 1600, py: 600, x: 1600, y: 600 },
        };
        return {
            floorId: `${level + 1}`, floorName: `${level + 1}`, floorImage: "", coordinateSystem, rectangles, doors,
            metresPerUnit: 1,
        };
    });
    window.desk.tell([{ type: "map_definition", content: { floors, bitmaps: [] } }]);
    window.desk.pane.stage.draw();
}"""

OVERLAPS = """() => {
    const { labels } = window.desk.pane.stage.arrangement.names;
    const boxes = labels.filter(Boolean).map(({ box }) => box).sort((a, b) => a.left - b.left);
    const over = boxes.filter((box, at) => boxes.slice(at + 1).some((other) =>
        other.left < box.left + box.width && other.top < box.top + box.height && box.top < other.top + other.height));
    return [boxes.length, over.length];
}"""


@pytest.mark.parametrize("dpr", [1.0, 1.5])
def test_a_moved_plan_is_the_plan_painted_there(open_pane: OpenPane, dpr: float) -> None:
    desk = open_pane("map", dpr=dpr)
    desk.page.evaluate(LARGE, [1, 40])
    rooms: list[dict[str, Any]] = [
        {"name": f"1-{at}", "color": "#2266cc", "fillOpacity": 0.4, "strokeOpacity": 1, "showName": True}
        for at in range(1, 4000, 2)
    ]
    closed = [{"kind": "room", "floorId": "1", "rooms": [f"1-{at}"]} for at in range(1, 5000, 3)]
    desk.tell(
        {"type": "map", "content": {"floorId": "1", "rectangles": rooms}},
        {"type": "closures", "content": {"closures": closed, "scenarios": []}},
    )
    names = 0
    for zoom in (0.5, 4, 4):  # merged rooms, boxes and shapes, names
        desk.page.evaluate("(zoom) => window.desk.pane.stage.camera.zoom(zoom, null)", zoom)
        desk.still()

        moved = desk.page.evaluate(MOVED, [[-31, 17], [12.4, 0], [-3.3, -40.7], [0, 9]])

        assert moved["differing"] < FEW, zoom
        assert moved["largest"] < 0.2, "pixels were moved"
        names, overlapping = desk.page.evaluate(OVERLAPS)
        assert overlapping == 0
    assert names > 50


@pytest.mark.slow
def test_a_building_of_100_000_rooms_is_shown_floor_by_floor(open_pane: OpenPane) -> None:
    desk = open_pane("map")
    desk.page.evaluate(LARGE, [20, 1])
    desk.still()
    moved = desk.page.evaluate(MOVED, [[-31, 17], [12, -40]])
    assert moved["differing"] < FEW and moved["largest"] < 0.2

    desk.page.evaluate("() => window.desk.pane.stage.camera.zoom(8, null)")
    desk.still()
    names, overlapping = desk.page.evaluate(OVERLAPS)
    assert names > 50 and overlapping == 0

    desk.tell({"type": "highlight_room", "content": {"rooms": ["20-5000"]}})
    desk.see(floor="20", highlights="1")
