"""Ids and geometries of the features that a plan is exported to, in degrees of WGS 84."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from smoldesk.buildings.importers.inside.degrees import to_degrees
from smoldesk.messages import XY, Floor, MapDefinitionContent, Rectangle, as_json
from smoldesk.messages.building import Georeference

# Where a building without a georeference stands; the definition in its export has none.
NOWHERE = Georeference(longitude=0, latitude=0)
# Length in metres of a floor without a scale, or with one that makes no building.
UNKNOWN_LENGTH = 100.0
LEAST_LENGTH, LONGEST_LENGTH = 0.1, 10_000.0
# Half of the width of a door in metres.
DOOR_HALF = 0.45
# 1e-9 of a degree are 0.1 mm.
DECIMALS = 9

Position = list[float]
Json = dict[str, Any]


class PlanIds:
    """UUIDs of a building's parts: the same building has the same ids in each export."""

    def __init__(self, definition: MapDefinitionContent, name: str) -> None:
        place = definition.georeference
        self._base = uuid.uuid5(uuid.NAMESPACE_OID, f"smoldesk building {name} {place}")

    def id_of(self, *path: object) -> str:
        """Return the id of the part with these names or numbers."""
        return str(uuid.uuid5(self._base, "\n".join(map(str, path))))

    def room(self, floor_id: str, name: str) -> str:
        return self.id_of("unit", floor_id, name)

    def floor(self, floor_id: str) -> str:
        return self.id_of("level", floor_id)


def plain_definition(definition: MapDefinitionContent) -> Json:
    """Return the definition as JSON without what belongs to a desk: images, bitmaps, its id and name."""
    content = as_json(definition.model_copy(update={"building_id": None, "building_name": None}))
    del content["bitmaps"]
    for floor in content["floors"]:
        floor["floorImage"] = ""
    return content


@dataclass(frozen=True)
class FloorDegrees:
    """Projection of one floor: `unit_metres` per unit, y downwards on the map unless the floor's y grows up."""

    place: Georeference
    unit_metres: float
    y_sign: int

    @classmethod
    def of(cls, floor: Floor, place: Georeference | None) -> "FloorDegrees":
        """Return the projection of a floor at the building's place, or at NOWHERE."""
        top_left, other = floor.coordinate_system.top_left, floor.coordinate_system.bottom_right
        side = max(abs(other.x - top_left.x), abs(other.y - top_left.y))
        length = side * (floor.metres_per_unit or 0)
        is_usable = LEAST_LENGTH <= length <= LONGEST_LENGTH
        unit_metres = floor.metres_per_unit if is_usable and floor.metres_per_unit else UNKNOWN_LENGTH / side
        return cls(place or NOWHERE, unit_metres, 1 if other.y > top_left.y else -1)

    def positions(self, points: Sequence[XY]) -> list[Position]:
        """Return [longitude, latitude] of each point."""
        metres = [(point.x * self.unit_metres, point.y * self.unit_metres * self.y_sign) for point in points]
        degrees = to_degrees(self.place.longitude, self.place.latitude, self.place.bearing, metres)
        return [[round(longitude, DECIMALS), round(latitude, DECIMALS)] for longitude, latitude in degrees]

    def polygon(self, rings: Sequence[Sequence[XY]]) -> dict[str, object]:
        """Return a Polygon with closed rings, the outer counterclockwise and holes clockwise (RFC 7946, 3.1.6)."""
        coordinates: list[list[Position]] = []
        for number, ring in enumerate(rings):
            positions = self.positions(ring)
            if (_twice_area(positions) > 0) == (number > 0):
                positions.reverse()
            coordinates.append([*positions, positions[0]])
        return {"type": "Polygon", "coordinates": coordinates}

    def door_line(self, room: Rectangle, at: XY) -> dict[str, object]:
        """Return a LineString whose middle is the door, along the nearest wall of its room."""
        along_x, along_y = _wall_direction(outline_of(room), at)
        half = DOOR_HALF / self.unit_metres
        ends = [XY(x=at.x + sign * along_x * half, y=at.y + sign * along_y * half) for sign in (-1, 1)]
        return {"type": "LineString", "coordinates": self.positions(ends)}

    def point(self, at: XY) -> dict[str, object]:
        return {"type": "Point", "coordinates": self.positions([at])[0]}


def outline_of(room: Rectangle) -> list[XY]:
    """Return the corners of a room's outline."""
    if room.polygon:
        return room.polygon
    return corners_of(room.top_left, room.bottom_right)


def corners_of(first: XY, other: XY) -> list[XY]:
    """Return the corners of the rectangle between two opposite ones."""
    return [first, XY(x=first.x, y=other.y), other, XY(x=other.x, y=first.y)]


def floor_corners(floor: Floor) -> list[XY]:
    """Return the corners of what a floor's image covers."""
    top_left, other = floor.coordinate_system.top_left, floor.coordinate_system.bottom_right
    return corners_of(XY(x=top_left.x, y=top_left.y), XY(x=other.x, y=other.y))


def _twice_area(ring: list[Position]) -> float:
    x0, y0 = ring[0]  # differences of degrees keep their digits only near the origin
    pairs = zip(ring, [*ring[1:], ring[0]], strict=True)
    return sum((x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0) for (x1, y1), (x2, y2) in pairs)


def _wall_direction(corners: list[XY], at: XY) -> tuple[float, float]:
    """Return the unit vector along the edge that is nearest to a point."""
    best, direction = float("inf"), (1.0, 0.0)
    for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        dx, dy = end.x - start.x, end.y - start.y
        length = (dx * dx + dy * dy) ** 0.5
        if length == 0:
            continue
        along = max(0.0, min(1.0, ((at.x - start.x) * dx + (at.y - start.y) * dy) / length**2))
        distance = (start.x + along * dx - at.x) ** 2 + (start.y + along * dy - at.y) ** 2
        if distance < best:
            best, direction = distance, (dx / length, dy / length)
    return direction
