"""Floors without an image, made for a test."""

from typing import Any

Json = dict[str, Any]


def room(name: str, left: float, top: float, right: float, bottom: float, **more: Any) -> Json:
    corners = {"topLeft": {"x": left, "y": top}, "bottomRight": {"x": right, "y": bottom}}
    return {"name": name, **corners, **more}


def polygon(name: str, *corners: tuple[float, float], **more: Any) -> Json:
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    outline = [{"x": x, "y": y} for x, y in corners]
    return room(name, min(xs), min(ys), max(xs), max(ys), polygon=outline, **more)


def floor(floor_id: str, *rooms: Json, wide: float = 500, high: float = 200, **more: Any) -> Json:
    """Two plan pixels to a unit and a margin of 20, as the other floors of these tests have it."""
    corners = {
        "topLeft": {"px": 20, "py": 20, "x": 0, "y": 0},
        "bottomRight": {"px": 20 + 2 * wide, "py": 20 + 2 * high, "x": wide, "y": high},
    }
    facts = {"floorId": floor_id, "floorName": floor_id, "floorImage": "", "coordinateSystem": corners}
    return {**facts, "rectangles": list(rooms), **more}


def building(*floors: Json, **more: Any) -> Json:
    return {"type": "map_definition", "content": {"floors": list(floors), "bitmaps": [], **more}}


def grid_of(across: int, down: int, wide: float = 500, high: float = 200) -> list[Json]:
    """Rooms side by side, R1 to Rn, row by row."""
    w, h = wide / across, high / down
    return [
        room(f"R{row * across + column + 1}", column * w, row * h, (column + 1) * w, (row + 1) * h)
        for row in range(down)
        for column in range(across)
    ]
