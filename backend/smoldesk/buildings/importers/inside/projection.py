"""Projection of a file's coordinates to the plan's metres: axis of the building to the right, y down; and its inverse.

The plane touches the earth at the plan's origin, its upper left corner. Scales are those of WGS 84 at that latitude, so
a building of a kilometre keeps its distances within a millimetre a hundred metres.
"""

import math
from dataclasses import dataclass
from typing import Any, Literal

from .arrays import np, shapely
from .degrees import metres_per_degree, to_degrees
from .draft import Json, Unreadable
from .site import Geometry, Reference

# Empty space around the building, as a share of its longer side, and at least in metres.
MARGIN = 0.02
LEAST_MARGIN = 0.5
# Longest side of a building in metres.
WIDEST = 10_000.0
# A smaller angle in degrees is inaccuracy of drawing: the plan keeps the coordinates of the file.
LEAST_ANGLE = 0.1


@dataclass(frozen=True)
class Projection:
    """Map from the file's coordinates to the plan's; `angle` in degrees is that of the axis, counterclockwise from east.

    `width` and `height` are those of the plan in metres.
    """

    unit: Literal["degrees", "metres"]
    origin: tuple[float, float]
    """File coordinates of the plan's (0, 0)."""
    scale: tuple[float, float]
    angle: float
    width: float
    height: float
    reference: Reference | None = None
    """Place of metres on the earth, if the file states it."""

    @property
    def georeference(self) -> Json | None:
        """`georeference` of the definition; None if the file's coordinates are not of the earth."""
        if self.unit == "degrees":
            longitude, latitude = self.origin
            return {"longitude": longitude, "latitude": latitude, "bearing": -self.angle}
        if self.reference is None:
            return None
        stated = self.reference
        x, y = self.origin
        [(longitude, latitude)] = to_degrees(stated.longitude, stated.latitude, stated.bearing, [(x, -y)])
        return {"longitude": longitude, "latitude": latitude, "bearing": stated.bearing - self.angle}

    def __call__(self, coordinates: Any) -> Any:
        """Return an array of plan coordinates, rounded to millimetres, for an array of file coordinates."""

        right, up = _turned(coordinates, self.origin, self.scale, self.angle)
        return np.column_stack((np.round(right, 3), np.round(-up, 3))) + 0.0


def find_projection(
    unit: Literal["degrees", "metres"],
    coordinates: Any,
    footprint: Geometry = None,
    reference: Reference | None = None,
) -> Projection:
    """Return the projection for all coordinates of a building; its axis is that of `footprint` if there is one.

    Raises Unreadable if the coordinates are not degrees, or span more than a building.
    """

    low, high = coordinates.min(axis=0), coordinates.max(axis=0)
    _check_degrees(unit, low, high)
    centre = (float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2)
    scale = _scale(unit, centre[1])
    wide, tall = (high - low) * scale
    if max(wide, tall) > WIDEST:
        raise Unreadable(
            f"The rooms span {max(wide, tall) / 1000:,.0f} km; a building has at most {WIDEST / 1000:g}. "
            "Keep the rooms of one place, in degrees of WGS 84 or in metres."
        )
    axis = coordinates if footprint is None else shapely.get_coordinates(footprint)
    flat: Any = np.column_stack(_turned(axis, centre, scale, 0.0))
    angle = _axis_angle(shapely.minimum_rotated_rectangle(shapely.multipoints(flat)))
    right, up = _turned(coordinates, centre, scale, angle)
    wide, tall = float(np.ptp(right)), float(np.ptp(up))
    margin = max(MARGIN * max(wide, tall), LEAST_MARGIN)
    corner = (float(right.min()) - margin, float(up.max()) + margin)
    origin = _back(corner, centre, scale, angle)
    # Again with the scale at the origin, which the inverse uses: it differs by millimetres.
    width, height = round(wide + 2 * margin, 3), round(tall + 2 * margin, 3)
    return Projection(unit, origin, _scale(unit, origin[1]), angle, width, height, reference)


def _check_degrees(unit: str, low: Any, high: Any) -> None:
    if unit != "degrees":
        return
    if low[0] < -180 or high[0] > 180 or low[1] < -90 or high[1] > 90:
        swapped = low[1] >= -180 and high[1] <= 180 and low[0] >= -90 and high[0] <= 90
        more = " They look like latitude before longitude: swap them." if swapped else ""
        raise Unreadable(
            f"The coordinates are not degrees of longitude and latitude: {low[0]:g} to {high[0]:g}, "
            f"{low[1]:g} to {high[1]:g}.{more} Export the file in WGS 84 (EPSG:4326), or in metres."
        )


def _scale(unit: str, latitude: float) -> tuple[float, float]:
    return metres_per_degree(latitude) if unit == "degrees" else (1.0, 1.0)


def _turned(
    coordinates: Any, origin: tuple[float, float], scale: tuple[float, float], angle: float
) -> tuple[Any, Any]:
    """Return metres along the axis and across it, to the left, from the origin."""
    turn = math.radians(angle)
    east, north = (coordinates[:, 0] - origin[0]) * scale[0], (coordinates[:, 1] - origin[1]) * scale[1]
    sine, cosine = math.sin(turn), math.cos(turn)
    return east * cosine + north * sine, north * cosine - east * sine


def _back(
    point: tuple[float, float], origin: tuple[float, float], scale: tuple[float, float], angle: float
) -> tuple[float, float]:
    turn = math.radians(angle)
    (right, up), sine, cosine = point, math.sin(turn), math.cos(turn)
    east, north = right * cosine - up * sine, right * sine + up * cosine
    return round(origin[0] + east / scale[0], 9), round(origin[1] + north / scale[1], 9)


def _axis_angle(rectangle: Geometry) -> float:
    """Return the direction of a rectangle's sides in degrees, folded into ±45: which side is longer says nothing."""

    corners = shapely.get_coordinates(rectangle)
    if len(corners) < 4:  # all points on a line
        return 0.0
    (x1, y1), (x2, y2) = corners[0], corners[1]
    angle = (math.degrees(math.atan2(y2 - y1, x2 - x1)) + 45) % 90 - 45
    return 0.0 if abs(angle) < LEAST_ANGLE else round(angle, 4)
