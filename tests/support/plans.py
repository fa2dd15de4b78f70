"""Building files for tests: small ones that are fine, to be broken in one place."""

import io
from typing import Any

from PIL import Image


def picture(kind: str = "PNG", size: tuple[int, int] = (220, 120)) -> bytes:
    """An image of this kind."""
    file = io.BytesIO()
    Image.new("RGB", size, "#fdfcf8").save(file, kind)
    return file.getvalue()


def system(width: float = 100, height: float = 50) -> dict[str, Any]:
    """A coordinate system that spans 0..width, 0..height, two pixels a unit."""
    return {
        "topLeft": {"px": 0, "py": 0, "x": 0, "y": 0},
        "bottomRight": {"px": 2 * width, "py": 2 * height, "x": width, "y": height},
    }


def room(name: str, left: float, top: float, right: float, bottom: float, **more: Any) -> dict[str, Any]:
    return {"name": name, "topLeft": {"x": left, "y": top}, "bottomRight": {"x": right, "y": bottom}, **more}


def floor(floor_id: str = "1F", **more: Any) -> dict[str, Any]:
    """East and West, and a door between them."""
    return {
        "floorId": floor_id,
        "floorName": floor_id,
        "floorImage": "",
        "coordinateSystem": system(),
        "rectangles": [room("East", 50, 0, 100, 50), room("West", 0, 0, 50, 50)],
        "doors": [{"doorId": "d", "rooms": ["East", "West"], "at": {"x": 50, "y": 25}}],
        **more,
    }


def own() -> dict[str, Any]:
    """Two floors of two rooms each, and a lift."""
    stops = [{"floorId": item, "room": "West", "at": {"x": 5, "y": 5}} for item in ("1F", "2F")]
    return {
        "floors": [floor(), floor("2F")],
        "links": [{"linkId": "lift", "kind": "lift", "name": "Lift", "stops": stops}],
    }


def feature(geometry: str, coordinates: Any, **properties: Any) -> dict[str, Any]:
    return {
        "type": "Feature",
        "properties": properties,
        "geometry": {"type": geometry, "coordinates": coordinates},
    }


def square(left: float, top: float, right: float, bottom: float) -> list[list[list[float]]]:
    """The rings of a rectangle."""
    return [[[left, top], [right, top], [right, bottom], [left, bottom], [left, top]]]


def geojson(*features: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "FeatureCollection", "features": list(features), **more}
