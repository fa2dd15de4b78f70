"""What a client of protocol 1.2 is not sent, because it knows nothing of it. Pure."""

import json
from typing import Any

OVERLAYS = frozenset(("bitmap", "text"))
"""The overlay types of protocol 1.2. Its clients draw whatever they are sent, so a type they do not know breaks them."""
DEFINITION = frozenset(("floors", "bitmaps"))
FLOOR = frozenset(("floorId", "floorName", "floorImage", "coordinateSystem", "rectangles"))
ROOM = frozenset(("name", "topLeft", "bottomRight"))
DRAWN = frozenset(("floorId", "timestamp", "rectangles", "overlays"))
HIGHLIGHT = frozenset(("name", "color", "strokeOpacity", "fillOpacity", "showName"))
"""The keys of protocol 1.2: of a building, its floors and rooms, of a map and its highlighted rooms."""
WITHHELD = frozenset(("map_frames", "open_asks"))
"""Message types that go to clients of 2.0 only; other new types are ignored by a client of 1.2, and may be useful."""


def for_1_2(data: dict[str, Any]) -> dict[str, Any] | None:
    """A message as a client of 1.2 gets it; None when it gets nothing."""
    if data["type"] in WITHHELD:
        return None
    if data["type"] == "json":
        shown = json.dumps(data["content"], ensure_ascii=False, indent=2)
        return data | {"type": "code", "content": shown, "language": "json"}
    match data["type"]:
        case "map_definition":
            return data | {"content": _building(data["content"])}
        case "map" if "points" not in data["content"]:
            return data | {"content": _drawing(data["content"])}
        case _:
            return data


def _building(content: dict[str, Any]) -> dict[str, Any]:
    """Images of an imported building are named so that they are found from where those of 1.2 lie."""
    building_id = content.get("buildingId")
    plain = _only(content, DEFINITION)
    plain["floors"] = [_floor(floor, building_id) for floor in content["floors"]]
    return plain


def _floor(floor: dict[str, Any], building_id: str | None) -> dict[str, Any]:
    plain = _only(floor, FLOOR)
    plain["rectangles"] = [_only(room, ROOM) for room in floor["rectangles"]]
    if building_id and plain["floorImage"]:
        plain["floorImage"] = f"../../../api/buildings/{building_id}/files/{plain['floorImage']}"
    return plain


def _drawing(content: dict[str, Any]) -> dict[str, Any]:
    plain = _only(content, DRAWN)
    if "rectangles" in plain:
        here = (None, plain.get("floorId"))  # a room of another floor would be looked for on this one
        rooms = [room for room in plain["rectangles"] if room.get("floorId") in here]
        plain["rectangles"] = [_only(room, HIGHLIGHT) for room in rooms]
    if "overlays" in plain:
        plain["overlays"] = [overlay for overlay in plain["overlays"] if overlay["type"] in OVERLAYS]
    return plain


def _only(data: dict[str, Any], keys: frozenset[str]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key in keys}
