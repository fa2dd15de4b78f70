"""Footways indoors and lifts as places: stations are often mapped as lines between lifts and stairs, without areas.

A footway becomes a corridor of its width around the areas of its level, and leads into each area that it enters. A lift
that stands in nothing on a level that it serves becomes a place of its size. Levels that have nothing else are floors.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .arrays import np, shapely
from .osm_buildings import NEAREST, repaired
from .osm_levels import is_landing, ordinal_of
from .site import Area, Geometry, Level, Opening, PartFinding, Site

# Metres: width of a footway that states none, limits of one, and half the side of a lift's cabin.
WIDTH = 2.0
WIDTHS = (0.8, 12.0)
CABIN = 0.6
# Least square metres of a corridor, and metres that a footway runs in an area that it enters.
LEAST_CORRIDOR = 2.0
ENTERED = 0.5
# Metres across the wall that a footway passes, and metres to an opening of the file at which the footway needs none of its own.
THIN_WALL = 0.4
SAME_OPENING = 1.5
METRES_PER_DEGREE = 111_320.0
_FOOTWAYS = frozenset({"footway", "corridor", "path", "pedestrian"})


@dataclass(frozen=True)
class Footway:
    """Line on one level that people walk indoors, in degrees; `width` in metres."""

    where: str
    shape: Geometry
    level: str
    width: float


def footway_of(tags: Mapping[str, str], shape: Geometry, levels: list[str], where: str) -> Footway | None:
    """Return the footway that an element is: a line indoors, on one full level."""
    indoors = tags.get("highway") == "corridor" or tags.get("indoor") in ("yes", "corridor", "area")
    is_line = shape.geom_type == "LineString" and tags.get("highway") in _FOOTWAYS
    if not indoors or not is_line or len(levels) != 1 or is_landing(levels[0]):
        return None
    width = re.fullmatch(r"(\d{1,2}(?:\.\d+)?) ?m?", tags.get("width", ""))
    metres = float(width[1]) if width else WIDTH
    return Footway(where, shape, levels[0], min(max(metres, WIDTHS[0]), WIDTHS[1]))


def add_footways(site: Site, footways: list[Footway]) -> int:
    """Add corridors, openings, places of lifts and their levels to the site; returns the number of footways left out."""
    scale = _Metres(site.areas[0].shape)
    buildings = _buildings_of([footway.shape for footway in footways], site.areas)
    groups: dict[tuple[str, str], list[Footway]] = {}
    for footway, building in zip(footways, buildings, strict=True):
        if building is not None:
            groups.setdefault((building, footway.level), []).append(footway)
    for (building, level), group in groups.items():
        rooms = _on_level(site.areas, building, level)
        openings = _on_level(site.openings, building, level)
        shapes = [repaired(scale.metres(room.shape)) for room in rooms]
        corridors = list(_corridors(group, shapes, scale))
        for corridor in corridors:
            shape = scale.degrees(corridor)
            site.areas.append(Area(group[0].where, shape, [level], kind="corridor", building=building))
        doors = [scale.metres(opening.shape) for opening in openings]
        site.openings += [
            Opening(where, scale.degrees(point), [level], building=building)
            for where, point in _entrances(group, shapes, [*shapes, *corridors], doors, scale)
        ]
        if corridors:
            site.notes.append(PartFinding("footways", group[0].where, building, count=len(group)))
    _add_cabins(site, scale)
    _add_levels(site)
    return sum(building is None for building in buildings)


class _Metres:
    """Metres east and north of a place, for a building's size."""

    def __init__(self, place: Geometry) -> None:
        self._origin = shapely.get_coordinates(place)[0]
        self._scale = np.array([np.cos(np.radians(self._origin[1])), 1.0]) * METRES_PER_DEGREE

    def metres(self, shape: Geometry) -> Geometry:
        return shapely.transform(shape, self._to_metres)

    def degrees(self, shape: Geometry) -> Geometry:
        return shapely.transform(shape, self._to_degrees)

    def _to_metres(self, points: Any) -> Any:
        return (points - self._origin) * self._scale

    def _to_degrees(self, points: Any) -> Any:
        return points / self._scale + self._origin


def _buildings_of(shapes: list[Geometry], areas: list[Area]) -> list[str | None]:
    """Return the building of the nearest area to each shape, None beyond 30 m."""
    buildings: list[str | None] = [None] * len(shapes)
    tree = shapely.STRtree([area.shape for area in areas])
    near = tree.query_nearest(shapes, max_distance=NEAREST, all_matches=False)
    for number, area in near.T.tolist():
        buildings[number] = areas[area].building
    return buildings


def _on_level(parts: Sequence[Area | Opening], building: str, level: str) -> list[Area | Opening]:
    return [part for part in parts if part.building == building and level in part.levels]


def _corridors(footways: list[Footway], rooms: list[Geometry], scale: _Metres) -> Iterable[Geometry]:
    """Yield the polygons around footways outside of rooms."""
    bands = [
        shapely.buffer(scale.metres(footway.shape), footway.width / 2, quad_segs=2, join_style="mitre")
        for footway in footways
    ]
    outside = shapely.difference(shapely.union_all(bands), shapely.union_all(rooms))
    for part in shapely.get_parts(outside):
        # Half a metre is as narrow as a person; narrower is the gap between two rooms.
        core = shapely.buffer(shapely.buffer(part, -0.25), 0.25, join_style="mitre")
        for polygon in shapely.get_parts(shapely.intersection(part, core)):
            if polygon.geom_type == "Polygon" and polygon.area >= LEAST_CORRIDOR:
                yield shapely.simplify(polygon, 0.05)


def _entrances(
    footways: list[Footway],
    rooms: list[Geometry],
    places: list[Geometry],
    doors: list[Geometry],
    scale: _Metres,
) -> Iterable[tuple[str, Geometry]]:
    """Yield the points where footways lead from one place into a room, without those at a door of the file."""
    if not rooms:
        return
    tree, lines = shapely.STRtree(rooms), [scale.metres(footway.shape) for footway in footways]
    door_tree, place_tree = shapely.STRtree(doors), shapely.STRtree(places)
    for number, room in tree.query(lines, predicate="intersects").T.tolist():
        if shapely.length(shapely.intersection(lines[number], rooms[room])) < ENTERED:
            continue
        crossings = shapely.get_parts(shapely.intersection(lines[number], shapely.boundary(rooms[room])))
        for point in crossings[shapely.get_dimensions(crossings) == 0]:
            around = place_tree.query(point, predicate="dwithin", distance=THIN_WALL)
            has_door = len(door_tree.query(point, predicate="dwithin", distance=SAME_OPENING))
            if len(around) > 1 and not has_door:
                yield footways[number].where, point


def _add_cabins(site: Site, scale: _Metres) -> None:
    """Add a place for each level of a lift where it stands in no area and beside none."""
    trees: dict[tuple[str, str], Any] = {}
    for lift in [part for part in site.connectors if part.kind == "lift" and len(part.levels) > 1]:
        cabin = _cabin(scale.metres(lift.shape))
        for level in lift.levels:
            key = (lift.building, level)
            if key not in trees:
                trees[key] = shapely.STRtree(
                    [scale.metres(area.shape) for area in _on_level(site.areas, *key)]
                )
            if not len(trees[key].query(cabin, predicate="dwithin", distance=CABIN)):
                name, shape = lift.name, scale.degrees(cabin)
                site.areas.append(Area(lift.where, shape, [level], name, "lift", building=lift.building))
                site.notes.append(PartFinding("cabins", lift.where, lift.building, {"name": name or "lift"}))


def _cabin(shape: Geometry) -> Geometry:
    if shapely.get_dimensions(shape) == 2:
        return shape
    x, y = shapely.get_coordinates(shapely.centroid(shape))[0]
    return shapely.box(x - CABIN, y - CABIN, x + CABIN, y + CABIN)


def _add_levels(site: Site) -> None:
    """Add the levels that only footways and lifts have, and order all of each building from below."""
    stated = {(level.building, level.id) for level in site.levels}
    for area in site.areas:
        for level in area.levels:
            building = area.building if site.buildings else ""
            if (building, level) not in stated:
                stated.add((building, level))
                site.levels.append(
                    Level(level, "", ordinal_of(level), where=f"level {level}", building=building)
                )
    site.levels.sort(key=lambda level: (ordinal_of(level.id) is None, ordinal_of(level.id) or 0.0))
