"""Repair of areas: self-crossing outlines, parts without area, slivers, too many corners; rooms inside of other rooms."""

from typing import Any

from .arrays import np, shapely
from .draft import MAX_CORNERS
from .findings import Findings
from .site import Area, Geometry
from .storeys import Storey

# Least area in square metres of a room, and least share of the largest part of a repaired one.
LEAST_AREA = 0.02
LEAST_SHARE = 0.01
# Least width in metres of what remains of a room around others that were cut out: less is walls.
LEAST_REMAINDER = 0.5
# Share of a room that lies in another one if it stands in it.
INSIDE = 0.9
_POLYGON = 3


def repair(areas: list[Area], findings: Findings) -> list[list[Geometry]]:
    """Return the valid polygons of each area, the largest first; none for an area that encloses nothing."""

    if not areas:
        return []
    shapes: Any = np.array([area.shape for area in areas], dtype=object)
    crossed: Any = ~(shapely.is_valid(shapes) | shapely.is_missing(shapes))
    if crossed.any():
        shapes[crossed] = shapely.make_valid(shapes[crossed], method="structure", keep_collapsed=False)
    parts, owners = shapely.get_parts(shapes, return_index=True)
    polygons = shapely.get_type_id(parts) == _POLYGON
    parts, owners = parts[polygons], owners[polygons]
    result: list[list[Geometry]] = [[] for _ in areas]
    sizes = shapely.area(parts)
    for number in np.lexsort((-sizes, owners)):
        owner, size = int(owners[number]), float(sizes[number])
        largest = float(result[owner][0].area) if result[owner] else size
        if size < LEAST_AREA or (crossed[owner] and size < LEAST_SHARE * largest):
            if size:
                findings.add("slivers", areas[owner].where)
            continue
        result[owner].append(_with_few_corners(parts[number], areas[owner], findings))
    for area, polygon_list, was_crossed in zip(areas, result, crossed, strict=True):
        if not polygon_list:
            findings.add("no_area", area.where, name=label(area))
        elif was_crossed:
            findings.add("repaired", area.where, name=label(area))
    return result


def label(area: Area) -> str:
    """Return how a finding names an area: its name, else its kind or id."""
    return area.name or next(iter(area.aliases), "") or area.kind or area.id


def cut_out_inner_rooms(storey: Storey, findings: Findings) -> None:
    """Cut rooms out of those that they stand in, such as a corridor around shops, and draw the outer ones first.

    An outer room that would keep nothing but walls, or fall apart, keeps its outline: the inner ones lie above it.
    """

    shapes: Any = np.array([room.shape for room in storey.rooms], dtype=object)
    sizes: Any = shapely.area(shapes)
    inner, outer = shapely.STRtree(shapes).query(shapely.point_on_surface(shapes), predicate="within")
    smaller: Any = (sizes[inner] < sizes[outer]) | ((sizes[inner] == sizes[outer]) & (inner > outer))
    inner, outer = inner[smaller], outer[smaller]
    common: Any = shapely.area(shapely.intersection(shapes[inner], shapes[outer]))
    is_inside: Any = common >= INSIDE * sizes[inner]
    inner, outer = inner[is_inside], outer[is_inside]
    for number in np.unique(outer):
        room = storey.rooms[int(number)]
        inside = shapes[inner[outer == number]]
        remainder: Any = shapely.difference(shapes[number], shapely.union_all(inside))
        parts = [part for part in shapely.get_parts(remainder) if _is_walkable(part)]
        if len(parts) == 1:
            room.shape = _rounded(parts[0])
        findings.add("overlaps", room.area.where, len(inside), name=label(room.area))
    containing = set(outer.tolist())
    order = sorted(
        range(len(shapes)), key=lambda number: (-sizes[number] if number in containing else 0.0, number)
    )
    storey.rooms = [storey.rooms[number] for number in order]


def _is_walkable(part: Geometry) -> bool:
    return part.geom_type == "Polygon" and not shapely.is_empty(shapely.buffer(part, -LEAST_REMAINDER / 2))


def _rounded(shape: Geometry) -> Geometry:
    return shapely.set_precision(shape, 0.001)


def _with_few_corners(polygon: Geometry, area: Area, findings: Findings) -> Geometry:
    """Return a polygon with at most MAX_CORNERS corners."""

    tolerance = 0.01
    if shapely.get_num_coordinates(polygon) > MAX_CORNERS:
        findings.add("simplified", area.where, name=label(area), most=MAX_CORNERS)
    while shapely.get_num_coordinates(polygon) > MAX_CORNERS:
        polygon = shapely.simplify(polygon, tolerance, preserve_topology=True)
        tolerance *= 2
        if tolerance > 1_000:  # holes alone are too many
            return shapely.Polygon(polygon.exterior)
    return polygon
