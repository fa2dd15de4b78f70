"""About the bundled building: no table is needed."""

from collections.abc import Iterator

from tests.exams.case import Question, q


def questions(_: None) -> Iterator[Question]:
    yield q("en", "map", "paint the kitchen green pls", messages=[_rooms(("Kitchen",))])
    yield q("en", "map", "arrow pointing left in the bathroom", messages=[_arrow("Bathroom", "left")])
    yield q("en", "map", "hilight room1 and room2", messages=[_rooms(("Room1", "Room2"))])
    yield q(
        "en",
        "map",
        "put a warning icon in the garage",
        messages=[{"type": "map", "overlays": [{"type": "bitmap", "bitmapId": "warning", "at": "Garage"}]}],
    )
    yield q(
        "en", "follow-up", "highlight Room1 in red", "now clear the map", messages=[{"type": "clear_map"}]
    )
    yield q("en", "map", "remove all arrows", messages=[{"type": "clear_arrows"}])
    yield q("ja", "map", "キッチンを黄色で塗って", messages=[_rooms(("Kitchen",))])
    yield q("ja", "map", "Room2に右矢印", messages=[_arrow("Room2", "right")])


def _rooms(names: tuple[str, ...]) -> dict[str, object]:
    return {"type": "map", "rectangles": [{"name": name} for name in names]}


def _arrow(room: str, direction: str) -> dict[str, object]:
    return {"type": "arrow", "room": room, "direction": direction}
