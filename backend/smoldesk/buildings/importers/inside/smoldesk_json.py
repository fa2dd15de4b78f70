"""Our own JSON: `floors` and `links` as `map_definition` has them; and the older form, one floor's rectangles."""

from typing import Any, cast

from .draft import (
    LONGEST_NAME,
    MAX_ALIASES,
    MAX_CORNERS,
    MAX_DOORS,
    MAX_FLOORS,
    MAX_LINKS,
    MAX_POINTS,
    MAX_ROOMS,
    MAX_TAG,
    Draft,
    Json,
    too_many,
)
from .fields import Fields, Pair, as_point
from .outlines import fault_of, room_shape, tidy

FLOOR = (
    "floorId",
    "floorName",
    "floorImage",
    "coordinateSystem",
    "rectangles",
    "ordinal",
    "metresPerUnit",
    "doors",
    "names",
    "aliases",
)
TOP = ("floors", "links", "buildingName", "buildingId", "georeference", "groundFloor")
LINK_KINDS = ("stairs", "lift", "escalator", "ramp")


class Counts:
    """Counts of what was read so far: the limits apply to the whole building."""

    def __init__(self) -> None:
        self.rooms = self.doors = self.points = 0


def read_smoldesk(top: Fields) -> Draft:
    """Read a file with `floors`."""
    top.only(TOP)
    counts = Counts()
    floors = [_floor(item, counts) for item in top.objects("floors", "floors", MAX_FLOORS)]
    links = [_link(item) for item in top.objects("links", "links", MAX_LINKS)]
    draft = Draft("smoldesk", top.text("buildingName", ""), floors, links)
    if "georeference" in top:
        draft.georeference = _georeference(top.below("georeference"))
    draft.ground_floor = _ground_floor(top)
    return draft


def _georeference(fields: Fields) -> Json:
    fields.only(("longitude", "latitude", "bearing"))
    place: Json = {}
    for name, most in (("longitude", 180), ("latitude", 90), ("bearing", 360)):
        degrees = fields.number(name, needed=name != "bearing") or 0.0
        if abs(degrees) > most:
            fields.expected(name, f"-{most} … {most}", degrees)
        place[name] = degrees
    return place


def _ground_floor(top: Fields) -> int | None:
    number = top.number("groundFloor", needed=False)
    if number not in (None, 0, 1):
        top.expected("groundFloor", "0 / 1", number)
    return None if number is None else int(number)


def _other_names(fields: Fields) -> Json:
    """Return the names by language and the aliases of a floor or a room, and the kinds of a room."""
    members: Json = {}
    if "names" in fields:
        names = fields.below("names")
        members["names"] = {tag[:MAX_TAG]: names.text(tag) for tag in names.keys()[:MAX_ALIASES]}
    for member in ("aliases", "kinds"):
        if member in fields:
            texts = fields.read_list(member, member, MAX_ALIASES)
            if not all(isinstance(text, str) for text in texts):
                fields.expected(member, "[text, …]", "list")
            members[member] = [text[:LONGEST_NAME] for text in texts if isinstance(text, str)]
    return members


def read_rectangles(top: Fields) -> Draft:
    """Read a file with `coordinateSystem` and `rectangles`, for a single image."""
    top.only((*FLOOR, "buildingName"))
    floor = _floor(top, Counts(), floor_id="1F")
    origins = {f"floors[0].{name}": name for name in FLOOR}
    return Draft("rectangles", top.text("buildingName", ""), [floor], [], origins, takes_image=True)


def _floor(fields: Fields, counts: Counts, floor_id: str | None = None) -> Json:
    if fields.where:
        fields.only(FLOOR)
    floor_key = fields.text("floorId", floor_id)
    floor: Json = {
        "floorId": floor_key,
        "floorName": fields.text("floorName", floor_key),
        "floorImage": fields.text("floorImage", ""),
        "coordinateSystem": _system(fields.below("coordinateSystem")),
    }
    if "coordinateSystem" not in fields:
        fields.missing("coordinateSystem", "{topLeft, bottomRight}")
    y_grows_up = floor["coordinateSystem"]["topLeft"]["y"] > floor["coordinateSystem"]["bottomRight"]["y"]
    rooms = fields.objects("rectangles", "rooms", MAX_ROOMS)
    counts.rooms += len(rooms)
    if counts.rooms > MAX_ROOMS:
        raise too_many("rooms", counts.rooms, MAX_ROOMS, fields.at("rectangles"))
    floor["rectangles"] = [_room(room, counts, y_grows_up) for room in rooms]
    ordinal = fields.number("ordinal", needed=False)
    if ordinal is not None and ordinal != int(ordinal):
        fields.expected("ordinal", "whole number", ordinal)
    elif ordinal is not None:
        floor["ordinal"] = int(ordinal)
    scale = fields.number("metresPerUnit", needed=False)
    if scale is not None and scale <= 0:
        fields.expected("metresPerUnit", "number > 0", scale)
    elif scale is not None:
        floor["metresPerUnit"] = scale
    doors = fields.objects("doors", "doors", MAX_DOORS)
    counts.doors += len(doors)
    if counts.doors > MAX_DOORS:
        raise too_many("doors", counts.doors, MAX_DOORS, fields.at("doors"))
    if "doors" in fields:
        floor["doors"] = [_door(door) for door in doors]
    return floor | _other_names(fields)


def _system(fields: Fields) -> Json:
    corners: Json = {}
    for name in ("topLeft", "bottomRight"):
        corner = fields.below(name) if name in fields else None
        if corner is None and fields.keys():
            fields.missing(name, "{px, py, x, y}")
        corners[name] = {
            axis: (corner.number(axis) if corner is not None else None) or 0.0
            for axis in ("px", "py", "x", "y")
        }
    return corners


def _room(fields: Fields, counts: Counts, y_grows_up: bool) -> Json:
    fields.only(("name", "kind", "topLeft", "bottomRight", "polygon", "holes", "names", "aliases", "kinds"))
    room: Json = {"name": fields.text("name"), **_other_names(fields)}
    if "holes" in fields:
        room["holes"] = _holes(fields, counts)
    if kind := fields.text("kind", ""):
        room["kind"] = kind
    if "polygon" not in fields:
        for name in ("topLeft", "bottomRight"):
            x, y = fields.point(name) or (0.0, 0.0)
            room[name] = {"x": x, "y": y}
        return room
    at = fields.at("polygon")
    points = _corners(fields.read_list("polygon", "corners", MAX_CORNERS), at, fields, counts)
    outline = tidy([point for point in points if point is not None])
    if len(outline) >= 3:
        room |= room_shape(outline, y_grows_up)
    else:
        room |= {"topLeft": {"x": 0.0, "y": 0.0}, "bottomRight": {"x": 0.0, "y": 0.0}}
    if None not in points and (fault := fault_of(outline)):
        fields.findings.error(at, fault)
    return room


def _corners(corners: list[Any], at: str, fields: Fields, counts: Counts) -> list[Pair | None]:
    counts.points += len(corners)
    if counts.points > MAX_POINTS:
        raise too_many("corners", counts.points, MAX_POINTS, at)
    return [as_point(corner, f"{at}[{n}]", fields.findings) for n, corner in enumerate(corners)]


def _holes(fields: Fields, counts: Counts) -> list[list[Json]]:
    """Return the rings that lie inside a room's polygon and do not belong to it."""
    holes: list[list[Json]] = []
    for number, ring in enumerate(fields.read_list("holes", "holes", MAX_CORNERS)):
        at = f"{fields.at('holes')}[{number}]"
        corners = cast("list[Any]", ring) if isinstance(ring, list) else []
        points = [point for point in _corners(corners, at, fields, counts) if point is not None]
        if len(tidy(points)) < 3:
            fields.findings.add("expected", at, expected="[{x, y}, {x, y}, {x, y}, …]", value=len(points))
            continue
        holes.append([{"x": x, "y": y} for x, y in tidy(points)])
    return holes


def _door(fields: Fields) -> Json:
    fields.only(("doorId", "rooms", "at", "accessible", "width"))
    rooms = fields.read_list("rooms", "rooms of a door", 2)
    x, y = fields.point("at") or (0.0, 0.0)
    if not rooms or not all(isinstance(room, str) for room in rooms):
        fields.expected("rooms", "[room, room] / [room]", len(rooms))
        rooms = ["?"]
    door: Json = {
        "rooms": [room if isinstance(room, str) else "?" for room in rooms],
        "at": {"x": x, "y": y},
        "accessible": fields.flag("accessible", True),
    }
    if "doorId" in fields:
        door["doorId"] = fields.text("doorId")
    if "width" in fields and (width := fields.number("width")) is not None:
        if width <= 0:
            fields.expected("width", "> 0", width)
        door["width"] = max(width, 0.01)
    return door


def _link(fields: Fields) -> Json:
    fields.only(("linkId", "kind", "name", "stops", "waitSeconds", "floorSeconds"))
    kind = fields.text("kind")
    if kind and kind not in LINK_KINDS:
        fields.expected("kind", " / ".join(LINK_KINDS), kind)
        kind = "stairs"
    link: Json = {
        "linkId": fields.text("linkId"),
        "kind": kind or "stairs",
        "name": fields.text("name", kind.capitalize()),
        "stops": [_stop(stop) for stop in fields.objects("stops", "stops", MAX_FLOORS)],
    }
    if len(link["stops"]) < 2:
        fields.expected("stops", "[stop, stop, …]", len(link["stops"]))
    for name in ("waitSeconds", "floorSeconds"):
        seconds: Any = fields.number(name, needed=False)
        if seconds is not None and not 0 <= seconds <= 3600:
            fields.expected(name, "0 … 3600", seconds)
        elif seconds is not None:
            link[name] = seconds
    return link


def _stop(fields: Fields) -> Json:
    fields.only(("floorId", "room", "at"))
    x, y = fields.point("at") or (0.0, 0.0)
    return {"floorId": fields.text("floorId"), "room": fields.text("room"), "at": {"x": x, "y": y}}
