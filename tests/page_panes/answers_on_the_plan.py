"""Messages that paint an answer on the floors of building.json: colours with a legend, a way, rooms over time."""

from typing import Any

Json = dict[str, Any]
PURPLE, TEAL, YELLOW = "#440154", "#21918c", "#fde725"
SOURCE: Json = {"step": 1, "line": 3, "code": "color_rooms(warmth, title='Temperature')"}


def room(name: str, value: float | None = None, color: str = TEAL, **more: Any) -> Json:
    """A room filled with a colour, so that a test finds exactly that colour in it."""
    fill = {"color": color, "fillOpacity": 1, "strokeOpacity": 1}
    return {"name": name, **fill, **({} if value is None else {"value": value}), **more}


def legend(**more: Any) -> Json:
    stops = [{"value": 18, "color": PURPLE}, {"value": 21, "color": TEAL}, {"value": 24, "color": YELLOW}]
    return {"type": "legend", "title": "Temperature", "unit": "°C", "stops": stops, "missing": 2, **more}


def coloured(
    *rooms: Json, source: Json | None = SOURCE, overlays: list[Json] | None = None, **more: Any
) -> Json:
    """A choropleth on 1F: these rooms and a legend."""
    content: Json = {"floorId": "1F", "timestamp": "", "rectangles": list(rooms)}
    content["overlays"] = [legend()] if overlays is None else overlays
    return {"type": "map", "content": content | ({"source": source} if source else {}), **more}


def warmth(**more: Any) -> Json:
    """Three rooms on two floors."""
    library = room("Library", 20.5, TEAL, floorId="2F")
    return coloured(room("Room1", 18, PURPLE), room("Kitchen", 24, YELLOW), library, **more)


def route(**more: Any) -> Json:
    """From Room1 on 1F by the lift to the Library on 2F."""
    legs = [
        {"floorId": "1F", "points": [{"x": 75, "y": 45}, {"x": 155, "y": 45}, {"x": 155, "y": 180}]},
        {"floorId": "2F", "points": [{"x": 155, "y": 50}, {"x": 100, "y": 150}]},
    ]
    change = {
        "kind": "lift",
        "name": "Lift A",
        "fromFloorId": "1F",
        "toFloorId": "2F",
        "at": {"x": 155, "y": 180},
        "to": {"x": 155, "y": 50},
    }
    steps = [
        {"action": "start", "text": "Start in Room1", "leg": 0, "room": "Room1"},
        {"action": "through", "text": "Go through the door", "leg": 0, "room": "Level1", "name": "Door 3"},
        {"action": "walk", "text": "Walk 22 m", "leg": 0, "room": "Level1", "length": 21.5},
        {"action": "change", "text": "Lift", "leg": 0, "name": "Lift A", "kind": "lift", "toFloorId": "2F"},
        {"action": "walk", "text": "Walk 11 m", "leg": 1, "room": "Library", "length": 11.4},
        {"action": "arrive", "text": "Arrive", "leg": 1, "room": "Library"},
    ]
    complete = {"start": "Room1", "goal": "Library", "legs": legs, "changes": [change], "steps": steps}
    return {
        "type": "route",
        **complete,
        "length": 32.9,
        "unit": "m",
        "seconds": 75,
        "accessible": True,
        **more,
    }


def routed(*routes: Json, floor: str = "1F", **more: Any) -> Json:
    content = {"floorId": floor, "timestamp": "", "rectangles": [], "overlays": list(routes or (route(),))}
    return {"type": "map", "content": content | {"source": {"step": 2}}, **more}


def played(count: int = 3, **more: Any) -> Json:
    """Room1 in the grey of its frame's number, n n n; even frames have the Library too."""
    frames = [
        {
            "time": f"Day {n}",
            "rectangles": [
                room("Room1", n, f"#{n:02x}{n:02x}{n:02x}", showName=False),
                *([room("Library", 7, floorId="2F")] if n % 2 == 0 else []),
            ],
        }
        for n in range(count)
    ]
    content = {"floorId": "1F", "frames": frames, "legend": legend(), "source": SOURCE}
    return {"type": "map_frames", "content": content, **more}
