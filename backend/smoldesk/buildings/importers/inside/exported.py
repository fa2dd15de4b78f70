"""Plan of one of the desk's exports (IMDF or GeoJSON) as it was, with what was changed since.

The files state their projection, so the plan keeps its coordinates and axis. Doors and links name their rooms; a door
without them, drawn in another program, joins the rooms it stands on. Millimetres are kept. `exported_files.py` reads
the two formats.
"""

import math
from dataclasses import dataclass, field
from typing import Any, cast

from .arrays import shapely
from .degrees import metres_per_degree
from .draft import Draft, Json, Unreadable, clipped
from .fields import Fields
from .findings import Findings
from .imdf_features import ImdfFeature
from .outlines import Point, room_shape, tidy
from .site import Geometry

VERSION = 1
# Metres by which rounding may put a point outside of its floor.
EDGE = 0.01
# Metres from a door to its rooms, if the file does not name them.
REACH = 1.0


@dataclass
class ExportedFloor:
    """A floor, its projection, and its rooms by the ids of their features."""

    floor: Json
    place: tuple[float, float, float]
    unit_metres: float
    y_sign: int
    names: dict[str, str] = field(default_factory=dict[str, str])
    """Names of rooms by the ids of their features."""
    shapes: list[tuple[str, Geometry]] = field(default_factory=list[tuple[str, Geometry]])

    def points(self, coordinates: Any) -> list[Point]:
        """Return plan coordinates of degrees, rounded to millimetres, those at the edge on the floor."""
        longitude, latitude, bearing = self.place
        east_scale, north_scale = metres_per_degree(latitude)
        sine, cosine = math.sin(math.radians(bearing)), math.cos(math.radians(bearing))
        points: list[Point] = []
        for position in coordinates:
            east = (float(position[0]) - longitude) * east_scale
            south = (latitude - float(position[1])) * north_scale
            x, y = east * cosine + south * sine, south * cosine - east * sine
            points.append(self._on_floor(self._units(x), self._units(y) * self.y_sign))
        return points

    def rooms_at(self, shape: Geometry) -> list[str]:
        """Return the names of at most two rooms near a shape, in degrees; the nearest first."""
        reach = REACH / metres_per_degree(self.place[1])[1]
        near = [(float(shapely.distance(room, shape)), name) for name, room in self.shapes]
        return [name for distance, name in sorted(near)[:2] if distance <= reach]

    def _units(self, metres: float) -> float:
        return round(round(metres, 3) / self.unit_metres, 6) + 0.0

    def _on_floor(self, x: float, y: float) -> Point:
        corners = self.floor["coordinateSystem"]["topLeft"], self.floor["coordinateSystem"]["bottomRight"]
        edge = EDGE / self.unit_metres
        clamped: list[float] = []
        for axis, value in (("x", x), ("y", y)):
            low, high = sorted(corner[axis] for corner in corners)
            inside = min(max(value, low), high)
            clamped.append(inside if abs(inside - value) <= edge else value)
        return clamped[0], clamped[1]


class ExportedPlan:
    """Plan in the making; parts of unknown floors and rooms are findings."""

    def __init__(self, facts: Json, name: str, format_: str, findings: Findings) -> None:
        """Take the facts about the building. Raises Unreadable for an export of a newer desk."""
        if facts.get("version") != VERSION:
            raise Unreadable(
                f"The export has version {clipped(facts.get('version'), 20)}; this desk reads {VERSION}."
            )
        self._findings = findings
        self._floors: dict[str, ExportedFloor] = {}
        place = Fields(facts.get("georeference") or {}, "georeference", findings)
        self._place = tuple(
            place.number(member, needed=False) or 0.0 for member in ("longitude", "latitude", "bearing")
        )
        georeference = facts.get("georeference")
        ground = facts.get("groundFloor")
        self.draft = Draft(
            format_, name, georeference=georeference, ground_floor=ground if ground in (0, 1) else None
        )

    def add_floor(self, id_: str, where: str, facts: Any, members: Json) -> None:
        """Add a floor by its facts; `members` are its name, names and ordinal."""
        fields = Fields(facts, where, self._findings)
        system = fields.below("coordinateSystem")
        corners = {
            corner: {axis: system.below(corner).number(axis) or 0.0 for axis in ("px", "py", "x", "y")}
            for corner in ("topLeft", "bottomRight")
        }
        floor: Json = {"floorId": fields.text("floorId"), "floorName": "", "floorImage": "",
                       "coordinateSystem": corners, "rectangles": []}  # fmt: skip
        floor |= members
        if scale := fields.number("metresPerUnit", needed=False):
            floor["metresPerUnit"] = scale
        if aliases := texts_of(fields.raw("aliases")):
            floor["aliases"] = aliases
        if fields.raw("noDoors"):
            floor["doors"] = []
        unit_metres = fields.number("unitMetres") or 0.0
        if unit_metres <= 0:
            raise Unreadable("Expected the metres of a unit, more than 0.", f"{where}.unitMetres")
        y_sign = -1 if fields.raw("ySign") == -1 else 1
        place = cast(tuple[float, float, float], self._place)
        self._floors[id_] = ExportedFloor(floor, place, unit_metres, y_sign)
        self.draft.floors.append(floor)

    def add_room(self, level: str, feature: ImdfFeature, name: str, kind: str, members: Json) -> None:
        """Add a room with its outline; of several polygons the largest one."""
        floor, shape = self._floors.get(level), feature.shape
        if floor is None:
            self._findings.add("unknown_level", feature.where, level=level, name=name)
            return
        parts = [part for part in shapely.get_parts(shape) if part.geom_type == "Polygon"] if shape else []
        if not parts or not max(parts, key=lambda part: part.area).is_valid:
            self._findings.error(
                feature.where, f"{clipped(name)}: expected a polygon that does not cross itself."
            )
            return
        largest = max(parts, key=lambda part: part.area)
        rings = [tidy(floor.points(ring.coords)) for ring in (largest.exterior, *largest.interiors)]
        system = floor.floor["coordinateSystem"]
        room: Json = {
            "name": name,
            **room_shape(rings[0], system["topLeft"]["y"] > system["bottomRight"]["y"]),
        }
        if kind:
            room["kind"] = kind
        if len(rings) > 1:
            room["holes"] = [[{"x": x, "y": y} for x, y in ring] for ring in rings[1:]]
        floor.floor["rectangles"].append(room | members)
        floor.names[feature.id] = name
        floor.shapes.append((name, largest))

    def add_door(self, level: str, feature: ImdfFeature, rooms: list[str], facts: Json) -> None:
        """Add a door in the middle of its geometry; without `rooms` between those beside it."""
        floor, shape = self._floors.get(level), feature.shape
        if floor is None or shape is None:
            self._findings.add("no_level", feature.where, name="door")
            return
        middle = (
            shapely.line_interpolate_point(shape, 0.5, normalized=True) if shape.length else shape.centroid
        )
        ((x, y),) = floor.points(middle.coords)
        names = [name for name in rooms if name in floor.names.values()] or floor.rooms_at(middle)
        if not names:
            self._findings.add("door_nowhere", feature.where, distance=1)
            return
        door: Json = {
            "rooms": names,
            "at": {"x": x, "y": y},
            "accessible": facts.get("accessible") is not False,
        }
        if isinstance(facts.get("doorId"), str):
            door["doorId"] = facts["doorId"]
        floor.floor.setdefault("doors", []).append(door)

    def room_name(self, level: str, id_: str) -> str:
        """Return the name of the room with a feature's id, or an empty one."""
        floor = self._floors.get(level)
        return floor.names.get(id_, "") if floor else ""

    def add_link(self, kind: str, name: str, facts: Json, stops: list[tuple[str, str, ImdfFeature]]) -> None:
        """Add a link; `stops` are level, room and a feature with the point."""
        places: list[Json] = []
        for level, room, feature in stops:
            floor, shape = self._floors.get(level), feature.shape
            if floor is not None and shape is not None and room:
                ((x, y),) = floor.points(shape.centroid.coords)
                places.append({"floorId": floor.floor["floorId"], "room": room, "at": {"x": x, "y": y}})
        if len(places) < 2:
            self._findings.add("link_one_level", "", name=name)
            return
        link: Json = {"linkId": str(facts.get("linkId")), "kind": kind, "name": name, "stops": places}
        for member in ("waitSeconds", "floorSeconds"):
            if isinstance(facts.get(member), int | float):
                link[member] = facts[member]
        self.draft.links.append(link)


def texts_of(value: Any) -> list[str]:
    """Return the texts of a list; other values are left out."""
    items = cast("list[Any]", value) if isinstance(value, list) else []
    return [item for item in items if isinstance(item, str)]
