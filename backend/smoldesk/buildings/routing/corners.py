"""Corners of rooms that are not convex: those that shortest ways turn at, and which lines may be part of such a way."""

from collections.abc import Sequence
from typing import Any

import numpy

from smoldesk.buildings.routing.passages import outline
from smoldesk.messages import Rectangle

# Parts of NumPy come without types for arrays.
np: Any = numpy

XYPair = tuple[float, float]


def touches_outline(corners: Any, sides: Any, ends: Any) -> Any:
    """Return whether lines touch the room's outline at a corner, so that a way around it may follow them."""
    line, before, after = ends - corners, sides[:, 0] - corners, sides[:, 1] - corners
    first = line[:, 0] * before[:, 1] - line[:, 1] * before[:, 0]
    second = line[:, 0] * after[:, 1] - line[:, 1] * after[:, 0]
    return first * second >= -1e-9 * (line**2).sum(axis=1)


def turning_corners(room: Rectangle) -> tuple[Any, Any]:
    """Return the corners that ways turn at, and those before and after each: reflex ones, and a hole's others."""
    rings = [outline(room), *([(point.x, point.y) for point in hole] for hole in room.holes or [])]
    corners: list[XYPair] = []
    sides: list[tuple[XYPair, XYPair]] = []
    for number, ring in enumerate(rings):
        reflex = set(reflex_corners(ring))
        for at, corner in enumerate(ring):
            if (at in reflex) == (number == 0):
                corners.append(corner)
                sides.append((ring[at - 1], ring[(at + 1) % len(ring)]))
    return np.array(corners, float).reshape(-1, 2), np.array(sides, float).reshape(-1, 2, 2)


def reflex_corners(corners: Sequence[XYPair]) -> list[int]:
    """Return the numbers of the reflex corners of an outline."""
    count = len(corners)
    area = sum(
        corners[at - 1][0] * corners[at][1] - corners[at][0] * corners[at - 1][1] for at in range(count)
    )
    turns: list[int] = []
    for at in range(count):
        (ax, ay), (bx, by), (cx, cy) = corners[at - 1], corners[at], corners[(at + 1) % count]
        if ((bx - ax) * (cy - by) - (by - ay) * (cx - bx)) * area < 0:
            turns.append(at)
    return turns
