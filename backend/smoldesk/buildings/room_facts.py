"""Facts about rooms: area, and the rooms behind its doors and walls. Pure."""

from dataclasses import dataclass
from typing import Any

from smoldesk.buildings.checks import area
from smoldesk.buildings.routing.graph import RouteGraph, Spot
from smoldesk.buildings.routing.passages import WALL, outline
from smoldesk.messages import Floor, Link, MapDefinitionContent, Rectangle

# Metres between two rooms that share a wall.
WALL_METRES = 0.6


@dataclass(frozen=True)
class Size:
    """Area of rooms: square metres if the plan has a scale, else square units of the plan."""

    value: float
    in_metres: bool

    def __str__(self) -> str:
        return f"{round(self.value, 1):,.10g} {'m²' if self.in_metres else 'square units of the plan'}"

    def in_japanese(self) -> str:
        """Format the size for a Japanese sentence."""
        size = f"{round(self.value, 1):,.10g}"
        return f"{size}m²" if self.in_metres else f"図面の単位で{size}（縮尺がないため、実際の面積は不明）"


def room_at(definition: MapDefinitionContent, spot: Spot) -> tuple[Floor, Rectangle]:
    """Return a room with its floor."""
    floor = next(floor for floor in definition.floors if floor.floor_id == spot[0])
    return floor, next(room for room in floor.rectangles if room.name == spot[1])


def size_of(floor: Floor, room: Rectangle) -> Size:
    """Return the area of a room without its holes."""
    holes = sum(area([(point.x, point.y) for point in hole]) for hole in room.holes or ())
    scale = floor.metres_per_unit or 1
    return Size((area(outline(room)) - holes) * scale * scale, floor.metres_per_unit is not None)


def rooms_by_door(graph: RouteGraph, spot: Spot) -> list[str]:
    """Return the names of the rooms that doors of a room lead to."""
    names = [
        graph.spot_at(room)[1]
        for node in graph.nodes_of(spot)
        if graph.places[node].passage
        for room in graph.rooms_at(node)
        if graph.spot_at(room) != spot
    ]
    return list(dict.fromkeys(names))


def links_in(graph: RouteGraph, spot: Spot) -> list[Link]:
    """Return the lifts and stairs that stop in a room."""
    numbers = [graph.places[node].link for node in graph.nodes_of(spot)]
    return [graph.links[number] for number in dict.fromkeys(numbers) if number is not None]


def rooms_by_wall(floor: Floor, room: Rectangle) -> list[str]:
    """Return the names of the rooms of a floor that share a wall with a room, whether or not it has a door."""
    import shapely  # heavy

    system = floor.coordinate_system
    diagonal = (
        (system.bottom_right.x - system.top_left.x) ** 2 + (system.bottom_right.y - system.top_left.y) ** 2
    ) ** 0.5
    reach = WALL * diagonal / 2
    if floor.metres_per_unit:
        reach = WALL_METRES / floor.metres_per_unit
    grown: Any = shapely.Polygon(outline(room)).buffer(reach, join_style="mitre")
    names: list[str] = []
    for other in floor.rectangles:
        shape: Any = shapely.Polygon(outline(other))
        if other.name == room.name or not grown.intersects(shape):
            continue
        left, top, right, bottom = grown.intersection(shape).bounds
        if max(right - left, bottom - top) > 2 * reach:  # rooms that meet at a corner only share no wall
            names.append(other.name)
    return names
