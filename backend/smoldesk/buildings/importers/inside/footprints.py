"""Outlines in the plan of solids: the union of their faces, seen from above."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import shapely

# Metres: vertices closer together are one, and smaller holes are gaps between faces.
GRID = 0.001
SMALLEST_HOLE = 0.01
# Square metres of a face seen from above; walls have none.
SMALLEST_FACE = 1e-6
TOLERANCE = 0.005


def mesh_outline(vertices: Any, faces: Any) -> Any:
    """Return the Polygon or MultiPolygon of a triangle mesh, None if it has no extent in the plan.

    `vertices` are points (x, y, z), `faces` triples of their indices, both as arrays.
    """
    triangles = vertices[faces][:, :, :2]
    sides = triangles[:, 1:] - triangles[:, :1]
    areas = np.abs(sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0]) / 2
    triangles = triangles[areas > SMALLEST_FACE]
    if not len(triangles):
        return None
    return _union(shapely.polygons(triangles))


def faces_outline(faces: Iterable[Sequence[tuple[float, float]]]) -> Any:
    """Return the Polygon or MultiPolygon of flat faces, each a ring of points in the plan; None without extent."""
    polygons = [shapely.make_valid(shapely.Polygon(face)) for face in faces if len(face) >= 3]
    polygons = [polygon for polygon in polygons if polygon.area > SMALLEST_FACE]
    return _union(polygons) if polygons else None


def parts_of(shape: Any) -> list[Any]:
    """Return the polygons of a geometry, the largest first."""
    parts = [part for part in shapely.get_parts(shape) if part.geom_type == "Polygon" and part.area > 0]
    return sorted(parts, key=lambda part: -part.area)


def _union(polygons: Any) -> Any:
    # On a grid the union is robust: without it one of 85 public buildings' rooms raises a topology error.
    union = shapely.union_all(polygons, grid_size=GRID)
    parts = [_without_gaps(part).simplify(TOLERANCE) for part in parts_of(union)]
    parts = [part for part in parts if not part.is_empty]
    return parts[0] if len(parts) == 1 else shapely.MultiPolygon(parts) if parts else None


def _without_gaps(polygon: Any) -> Any:
    holes = [ring for ring in polygon.interiors if shapely.Polygon(ring).area >= SMALLEST_HOLE]
    return shapely.Polygon(polygon.exterior, holes)
