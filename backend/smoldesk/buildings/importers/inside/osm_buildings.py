"""Buildings of an OpenStreetMap file: each part belongs to the outline that contains it."""

from dataclasses import dataclass

import shapely
from shapely import STRtree

from .site import Geometry, Level, Site

# Distance in degrees, about 30 m, up to which a part outside all outlines belongs to the nearest.
_NEAREST = 3e-4
OUTSIDE = "outside"


@dataclass(frozen=True)
class Outline:
    """Outline of a building, with its name or address."""

    id: str
    name: str
    shape: Geometry


def divide(site: Site, outlines: list[Outline]) -> None:
    """Give each part its building, if rooms lie in more than one; set the footprint if it is one."""
    outlines = [_valid(outline) for outline in outlines]
    owners = _owners([area.shape for area in site.areas], outlines)
    used = [outline for number, outline in enumerate(outlines) if number in set(owners)]
    if len(used) == 1:
        site.footprint = used[0].shape
        site.name = used[0].name
    if len(used) < 2:
        return
    for parts in (site.areas, site.openings, site.connectors):
        for part, owner in zip(parts, _owners([part.shape for part in parts], used), strict=True):
            part.building = OUTSIDE if owner < 0 else used[owner].id
    present = {area.building for area in site.areas}
    site.buildings = {outline.id: outline.name or outline.id for outline in used if outline.id in present}
    if OUTSIDE in present:
        site.buildings[OUTSIDE] = "Outside of all buildings"
    site.levels = [
        Level(level.id, level.name, level.ordinal, level.names, level.where, building)
        for building in site.buildings
        for level in site.levels
        if any(area.building == building and level.id in area.levels for area in site.areas)
    ]


def _owners(shapes: list[Geometry], outlines: list[Outline]) -> list[int]:
    """Return the number of the outline for each shape: the largest that contains its middle, else the nearest, else -1."""
    if not outlines:
        return [-1] * len(shapes)
    tree = STRtree([outline.shape for outline in outlines])
    owners: list[int] = []
    for shape in shapes:
        middle = _middle(shape)
        containing = [int(index) for index in tree.query(middle, predicate="intersects")]
        if containing:
            owners.append(max(containing, key=lambda index: outlines[index].shape.area))
            continue
        nearest = tree.query_nearest(middle, max_distance=_NEAREST, all_matches=False)
        owners.append(int(nearest[0]) if len(nearest) else -1)
    return owners


def _middle(shape: Geometry) -> Geometry:
    if shape.geom_type == "Point":
        return shape
    return shapely.point_on_surface(shape)  # pyright: ignore[reportUnknownVariableType]


def _valid(outline: Outline) -> Outline:
    return Outline(outline.id, outline.name, shapely.make_valid(outline.shape))
