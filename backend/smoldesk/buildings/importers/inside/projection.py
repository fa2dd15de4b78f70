"""From a file's coordinates to metres on a plane that begins at the upper left corner of everything."""

import math
from collections.abc import Iterable

from .draft import Unreadable
from .outlines import Point

METRES_PER_DEGREE = 111_320.0
MOST_DEGREES = 0.2
"""A file that spans no more than this in both directions, and could be degrees, is taken to be."""
MARGIN = 0.02
WIDEST = 100_000.0
"""Metres; what spans more is no building."""


class Plane:
    """Maps the file's points; `width` and `height` in metres. y grows downwards, as on an image."""

    def __init__(self, points: Iterable[Point], said: str) -> None:
        """`said` is "degrees", "metres" or "" for whatever the numbers look like. Raises Unreadable."""
        xs, ys = zip(*points, strict=True)
        box = min(xs), min(ys), max(xs), max(ys)
        self.degrees = said == "degrees" or (said == "" and _look_like_degrees(*box))
        if self.degrees and (min(box[0], box[1] * 2) < -180 or max(box[2], box[3] * 2) > 180):
            raise Unreadable("The coordinates are not degrees of longitude and latitude.", "features")
        self._x_scale = self._y_scale = 1.0
        if self.degrees:
            self._y_scale = METRES_PER_DEGREE
            self._x_scale = METRES_PER_DEGREE * math.cos(math.radians((box[1] + box[3]) / 2))
        wide, high = (box[2] - box[0]) * self._x_scale, (box[3] - box[1]) * self._y_scale
        if max(wide, high) > WIDEST:
            raise Unreadable(
                f"The rooms span {max(wide, high) / 1000:,.0f} km; a building has at most {WIDEST / 1000:g}.",
                "features",
            )
        margin = max(MARGIN * max(wide, high), 0.5)
        self._left, self._top = box[0], box[3]
        self._margin = margin
        self.width, self.height = round(wide + 2 * margin, 3), round(high + 2 * margin, 3)

    def __call__(self, point: Point) -> Point:
        x = (point[0] - self._left) * self._x_scale + self._margin
        y = (self._top - point[1]) * self._y_scale + self._margin
        return round(x, 3), round(y, 3)


def _look_like_degrees(x1: float, y1: float, x2: float, y2: float) -> bool:
    on_earth = x1 >= -180 and x2 <= 180 and y1 >= -90 and y2 <= 90
    return on_earth and x2 - x1 <= MOST_DEGREES and y2 - y1 <= MOST_DEGREES
