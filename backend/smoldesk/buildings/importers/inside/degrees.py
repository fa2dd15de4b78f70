"""Metres of a plan and degrees of WGS 84. Pure: the server's exports use it, too, without NumPy."""

import math

# WGS 84: equatorial radius in metres, and squared eccentricity.
_RADIUS = 6_378_137.0
_ECCENTRICITY = 0.006_694_379_990_14


def metres_per_degree(latitude: float) -> tuple[float, float]:
    """Return the metres of a degree of longitude and of latitude at a latitude."""
    sine = math.sin(math.radians(latitude))
    curve = 1 - _ECCENTRICITY * sine * sine
    east = _RADIUS / math.sqrt(curve) * math.cos(math.radians(latitude))
    north = _RADIUS * (1 - _ECCENTRICITY) / curve**1.5
    return math.radians(east), math.radians(north)


def to_degrees(
    longitude: float, latitude: float, bearing: float, points: list[tuple[float, float]]
) -> list[tuple[float, float]]:
    """Return longitudes and latitudes of points of a plan in metres, by the members of its `georeference`."""
    east, north = metres_per_degree(latitude)
    turn = math.radians(bearing)
    sine, cosine = math.sin(turn), math.cos(turn)
    return [
        (longitude + (x * cosine - y * sine) / east, latitude - (x * sine + y * cosine) / north)
        for x, y in points
    ]
