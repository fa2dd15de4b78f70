"""Questions about the bundled building's map."""

from typing import Any

from tests.exams.case import Question, no, q


def painted(*names: str) -> list[dict[str, Any]]:
    """A map that colours these rooms."""
    return [{"type": "map", "rectangles": [{"name": name} for name in names], "only": True}]


def laid(room: str, **overlay: str) -> list[dict[str, Any]]:
    """A map with a sign or words in this room."""
    return [{"type": "map", "overlays": [overlay | {"at": room}]}]


def arrow(room: str, direction: str) -> list[dict[str, Any]]:
    """An arrow in this room."""
    return [{"type": "arrow", "room": room, "direction": direction}]


def questions(table: None) -> list[Question]:
    return [
        q("en", "map", "paint room2 green", messages=painted("Room2")),
        q("en", "map", "color kitchen and bathroom blue", messages=painted("Kitchen", "Bathroom")),
        q(
            "en",
            "map",
            "put a fire icon in the kitchen",
            messages=laid("Kitchen", type="bitmap", bitmapId="fire"),
        ),
        q("en", "map", "arrow pointing left in the toilet pls", messages=arrow("Toilet", "left")),
        q("en", "map", "write 'Closed' on Room1", messages=laid("Room1", type="text", text="Closed")),
        no("en", "make the ballroom red", word="ballroom"),
        q("ja", "map", "トイレを黄色に塗って", messages=painted("Toilet")),
        q("ja", "map", "Room1に右矢印を出して", messages=arrow("Room1", "right")),
        q("ja", "map", "キッチンに「会議中」と書いて", messages=laid("Kitchen", type="text", text="会議中")),
        no("ja", "屋上に矢印を描いて", word="屋上"),
    ]
