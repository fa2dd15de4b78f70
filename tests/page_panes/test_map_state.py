"""`reduceMap` as a table: messages in, picture out."""

from typing import Any

from pane_host import BUILDING
from playwright.sync_api import Page

DEFINITION = {"type": "map_definition", "content": BUILDING}


def arrow(room: str, direction: str = "up") -> dict[str, Any]:
    return {"type": "arrow", "content": {"room": room, "direction": direction}}


def show(floor: str, *rooms: str, overlays: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    rectangles = [{"name": room, "color": "#FF0000"} for room in rooms]
    return {
        "type": "map",
        "content": {"floorId": floor, "rectangles": rectangles, "overlays": overlays or []},
    }


def text(room: str) -> dict[str, Any]:
    return {"type": "text", "text": "Exit", "position": {"type": "rectangle", "name": room}}


def named(*rooms: str, run: str = "r0") -> dict[str, Any]:
    return {"type": "highlight_room", "content": {"rooms": list(rooms)}, "runId": run}


def points(*given: dict[str, Any] | None) -> dict[str, Any]:
    return {"type": "map", "content": {"points": list(given), "description": "Cities"}}


CLEAR_ARROWS: dict[str, Any] = {"type": "clear_arrows", "content": {}}
CLEAR_MAP: dict[str, Any] = {"type": "clear_map", "content": {}}

TABLE: dict[str, tuple[list[dict[str, Any]], dict[str, Any]]] = {
    "the first floor is shown at first": ([], {"floorId": "1F", "notes": []}),
    "a map command goes to its floor": (
        [show("2F", "Library")],
        {"floorId": "2F", "highlights": ["Library"]},
    ),
    "a map command replaces the one before it": (
        [show("2F", "Library", overlays=[text("Library")]), show("1F", "Kitchen")],
        {"floorId": "1F", "highlights": ["Kitchen"], "overlays": []},
    ),
    "a map command leaves arrows alone": ([arrow("Kitchen"), show("1F")], {"arrows": ["1F Kitchen up"]}),
    "an arrow goes to the floor that has its room": (
        [arrow("Library")],
        {"floorId": "2F", "arrows": ["2F Library up"]},
    ),
    "an arrow prefers the shown floor": (
        [show("2F"), arrow("Room1")],
        {"arrows": ["2F Room1 up"], "floorId": "2F"},
    ),
    "the same arrow is drawn once": (
        [arrow("Kitchen"), arrow("kitchen"), arrow("Kitchen", "left")],
        {"arrows": ["1F Kitchen up", "1F Kitchen left"]},
    ),
    "clear_arrows clears arrows only": (
        [show("1F", "Room1"), arrow("Kitchen"), CLEAR_ARROWS],
        {"arrows": [], "highlights": ["Room1"]},
    ),
    "clear_map clears everything": (
        [show("1F", "Room1", "Nowhere", overlays=[text("Room1")]), arrow("Kitchen"), CLEAR_MAP],
        {"arrows": [], "highlights": [], "overlays": [], "notes": [], "floorId": "1F"},
    ),
    "highlight_room is blue and finds its floor": (
        [named("Library")],
        {"floorId": "2F", "highlights": ["Library"], "colours": ["#0066ff"]},
    ),
    "highlight_room stands beside what the map shows, which keeps its colours": (
        [show("1F", "Room1", overlays=[text("Room1")]), named("Kitchen", "Room1"), arrow("Toilet")],
        {
            "highlights": ["Room1", "Kitchen"],
            "colours": ["#ff0000", "#0066ff"],
            "overlays": ["text"],
            "arrows": ["1F Toilet up"],
        },
    ),
    "a room the same run names is added": (
        [named("Kitchen", run="r1"), named("Toilet", "Kitchen", run="r1")],
        {"highlights": ["Toilet", "Kitchen"]},
    ),
    "rooms another run names take the place of the earlier ones": (
        [named("Kitchen", run="r1"), named("Toilet", run="r2")],
        {"highlights": ["Toilet"]},
    ),
    "a later map replaces the rooms that were named": (
        [named("Kitchen"), show("1F", "Room1")],
        {"highlights": ["Room1"]},
    ),
    "clear_map clears the rooms that were named": ([named("Kitchen"), CLEAR_MAP], {"highlights": []}),
    "a room named on another floor leaves the map of its run in sight": (
        [show("1F", "Room1") | {"runId": "r1"}, named("Library", run="r1")],
        {"floorId": "1F", "highlights": ["Room1", "Library"]},
    ),
    "points by x and y lie on the shown floor and replace the map before": (
        [show("2F", "Library"), points({"x": 1, "y": 2, "name": "A"}, {"x": 3, "y": 4})],
        {"floorId": "2F", "highlights": [], "points": "plan 2F A,", "earth": False},
    ),
    "points by lat and lon are shown in place of the plan": (
        [points({"lat": 35.6, "lon": 139.6, "name": "Tokyo"}), arrow("Nowhere")],
        {"floorId": "1F", "points": "earth null Tokyo", "earth": True},
    ),
    "an arrow brings the plan back": (
        [points({"lat": 35.6, "lon": 139.6}), arrow("Kitchen")],
        {"floorId": "1F", "earth": False},
    ),
    "clear_map brings the plan back": (
        [points({"lat": 35.6, "lon": 139.6}), CLEAR_MAP],
        {"earth": False, "points": ""},
    ),
    "a map of rooms brings the plan back": (
        [points({"lat": 35.6, "lon": 139.6}), show("2F", "Library")],
        {"earth": False, "points": "", "floorId": "2F"},
    ),
    "points that make no sense are noted and the others are drawn": (
        [points({"lat": 35, "lon": 139}, {"lat": 95, "lon": 0}, {"lat": 1}, None)],
        {"points": "earth null ", "notes": ["map.no_points"]},
    ),
    "an unknown floor is noted and changes nothing": (
        [show("1F", "Room1"), show("9F", "Room1")],
        {"floorId": "1F", "highlights": ["Room1"], "notes": ["map.no_floor"]},
    ),
    "an unknown room is noted and the others are drawn": (
        [show("1F", "Nowhere", "Room1")],
        {"highlights": ["Room1"], "notes": ["map.no_room"]},
    ),
    "an arrow in an unknown room is noted": ([arrow("Nowhere")], {"arrows": [], "notes": ["map.no_room"]}),
    "an arrow in an unknown direction is noted": (
        [arrow("Room1", "north")],
        {"arrows": [], "notes": ["map.no_overlay"]},
    ),
    "an unknown bitmap is noted": (
        [
            show(
                "1F",
                overlays=[
                    {"type": "bitmap", "bitmapId": "dog", "position": {"type": "coordinate", "x": 1, "y": 2}}
                ],
            )
        ],
        {"overlays": [], "notes": ["map.no_bitmap"]},
    ),
    "an overlay that makes no sense is noted": (
        [show("1F", overlays=[{"type": "hologram"}, text("Room1")])],
        {"overlays": ["text"], "notes": ["map.no_overlay"]},
    ),
    "a map of another format is noted": (
        [{"type": "map", "content": {"points": []}}, {"type": "map", "content": {"cities": ["Tokyo"]}}],
        {"notes": ["map.no_format"], "floorId": "1F"},
    ),
    "the building again keeps what is drawn": (
        [show("2F", "Library"), arrow("Room1"), DEFINITION],
        {"floorId": "2F", "highlights": ["Library"], "arrows": ["2F Room1 up"]},
    ),
    "nonsense is survived": (
        [
            {"type": "map"},
            {"type": "arrow", "content": None},
            {"type": "highlight_room", "content": {"rooms": 5}},
        ],
        {"floorId": "1F", "highlights": [], "arrows": []},
    ),
}


def replay(modules: Page, messages: list[dict[str, Any]]) -> dict[str, Any]:
    """The picture after these messages, in few words."""
    script = """async (messages) => {
        const { emptyMap, highlightsOf, reduceMap } = await import("/static/js/map/state.js");
        const picture = messages.reduce(reduceMap, emptyMap);
        const { points } = picture;
        return {
            floorId: picture.floorId,
            earth: picture.onEarth,
            points: points ? `${points.kind} ${points.floorId} ${points.points.map((one) => one.name)}` : "",
            highlights: highlightsOf(picture).map((one) => one.room),
            colours: highlightsOf(picture).map((one) => one.color),
            overlays: picture.overlays.map((one) => one.type),
            arrows: picture.arrows.map((one) => `${one.floorId} ${one.room} ${one.direction}`),
            notes: picture.notes.map((one) => one.key),
        };
    }"""
    return modules.evaluate(script, messages)


def test_each_message_leads_to_the_picture_it_should(modules: Page) -> None:
    wrong: dict[str, Any] = {}
    for name, (messages, expected) in TABLE.items():
        picture = replay(modules, [DEFINITION, *messages])
        if {key: picture[key] for key in expected} != expected:
            wrong[name] = picture

    assert wrong == {}


def test_messages_before_the_building_are_drawn_once_it_is_there(modules: Page) -> None:
    messages = [show("2F", "Library"), arrow("Library")]

    assert replay(modules, [*messages, DEFINITION]) == replay(modules, [DEFINITION, *messages])


def test_a_building_that_cannot_be_read_shows_no_floor(modules: Page) -> None:
    floors = [None, {}, {"floorId": "X"}, {"floorId": "Y", "coordinateSystem": {"topLeft": 3}}]

    picture = replay(modules, [{"type": "map_definition", "content": {"floors": floors}}, arrow("Room1")])

    assert picture["floorId"] is None
    assert picture["notes"] == ["map.no_room"]


def test_another_building_starts_empty_though_its_floors_are_called_the_same(modules: Page) -> None:
    drawn = [DEFINITION, show("1F", "Room1", overlays=[text("Room1")]), named("Kitchen"), arrow("Room1")]
    other = {"type": "map_definition", "content": BUILDING | {"buildingId": "b_other"}}

    assert replay(modules, [*drawn, other]) == replay(modules, [other])
    assert replay(modules, [*drawn, DEFINITION]) == replay(modules, drawn)


def test_a_message_of_another_pane_leaves_the_very_same_picture(modules: Page) -> None:
    script = """async () => {
        const { emptyMap, reduceMap } = await import("/static/js/map/state.js");
        return reduceMap(emptyMap, { type: "text", content: "hello" }) === emptyMap;
    }"""

    assert modules.evaluate(script) is True
