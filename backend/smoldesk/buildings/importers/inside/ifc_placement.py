"""Units, placements and the place on the earth of an IFC file."""

import math
import re
from typing import Any, cast

import numpy as np

from .site import Reference
from .step_file import StepFile, StepRecord

PREFIXES = {"MILLI": 1e-3, "CENTI": 1e-2, "DECI": 1e-1, "DECA": 1e1, "HECTO": 1e2, "KILO": 1e3}
MAX_CHAIN = 100
# EPSG codes of UTM zones: WGS 84 north and south, ETRS89.
_UTM = ((32600, 1), (32700, -1), (25800, 1))
# WGS 84: major axis in metres and flattening; scale on the central meridian and false easting of UTM.
_AXIS, _FLATTENING, _SCALE, _EASTING, _NORTHING = (
    6_378_137.0,
    1 / 298.257_223_563,
    0.9996,
    500_000.0,
    10_000_000.0,
)


def length_unit(records: StepFile) -> float:
    """Return the metres of the project's unit of length; 1 if the file states none."""
    for project in records.of("IFCPROJECT"):
        assignment = records.get(project.ref(8))
        for ref in assignment.refs(0) if assignment else []:
            unit = records.get(ref)
            if unit and unit.value(1) == "LENGTHUNIT" and (metres := _metres_of(records, unit)):
                return metres
    return 1.0


def _metres_of(records: StepFile, unit: StepRecord) -> float | None:
    if unit.kind == "IFCSIUNIT":
        return PREFIXES.get(str(unit.value(2)), 1.0)
    measure = records.get(unit.ref(3)) if unit.kind.startswith("IFCCONVERSIONBASEDUNIT") else None
    factor = measure.number(0) if measure else None
    base = records.get(measure.ref(1)) if measure else None
    if not factor or base is None or base.kind != "IFCSIUNIT":
        return None
    return factor * PREFIXES.get(str(base.value(2)), 1.0)


class Placements:
    """Placements of products in world coordinates, as 4 x 4 matrices in metres."""

    def __init__(self, records: StepFile, unit: float) -> None:
        self._records = records
        self._unit = unit
        self._matrices: dict[int, Any] = {}

    def matrix(self, product: StepRecord) -> Any:
        """Return the placement of a product; the identity if it has none, or one that cannot be read."""
        chain: list[StepRecord] = []
        matrix = np.eye(4)
        ref = product.ref(5)
        while ref is not None and len(chain) < MAX_CHAIN:
            if ref in self._matrices:
                matrix = self._matrices[ref]
                break
            placement = self._records.get(ref)
            if placement is None or placement.kind != "IFCLOCALPLACEMENT":
                break
            chain.append(placement)
            ref = placement.ref(0)
        for placement in reversed(chain):
            matrix = matrix @ self._axes(self._records.get(placement.ref(1)))
            self._matrices[placement.id] = matrix
        return matrix

    def _axes(self, axes: StepRecord | None) -> Any:
        """Return the matrix of an IfcAxis2Placement3D or 2D."""
        matrix = np.eye(4)
        if axes is None or not axes.kind.startswith("IFCAXIS2PLACEMENT"):
            return matrix
        matrix[:3, 3] = self._vector(axes.ref(0), (0.0, 0.0, 0.0)) * self._unit
        flat = axes.kind.endswith("2D")
        z = np.array([0.0, 0.0, 1.0]) if flat else _normal(self._vector(axes.ref(1), (0.0, 0.0, 1.0)))
        x = self._vector(axes.ref(1 if flat else 2), (1.0, 0.0, 0.0))
        x = _normal(x - z * float(x @ z))
        if np.any(x) and np.any(z):
            matrix[:3, 0], matrix[:3, 1], matrix[:3, 2] = x, np.cross(z, x), z
        return matrix

    def _vector(self, ref: int | None, default: tuple[float, float, float]) -> Any:
        record = self._records.get(ref)
        values = record.value(0) if record else None
        parts = cast("list[Any]", values) if isinstance(values, list) else []
        numbers = [value for value in parts if isinstance(value, float)]
        return np.array([*numbers, 0.0, 0.0][:3]) if len(numbers) >= 2 else np.array(default)


def _normal(vector: Any) -> Any:
    length = float(np.linalg.norm(vector))
    return vector / length if length > 1e-9 else np.zeros(3)


def find_reference(records: StepFile, placements: Placements) -> Reference | None:
    """Return the place of the coordinates on the earth: by a map conversion to UTM, else by the site's reference."""
    return _by_conversion(records) or _by_site(records, placements)


def _by_conversion(records: StepFile) -> Reference | None:
    for conversion in records.of("IFCMAPCONVERSION", "IFCMAPCONVERSIONSCALED"):
        system = records.get(conversion.ref(1))
        code = re.search(r"EPSG:+\s*(\d{4,6})", system.text(0), re.IGNORECASE) if system else None
        east, north = conversion.number(2), conversion.number(3)
        across, along = conversion.number(5), conversion.number(6)
        if code is None or east is None or north is None:
            continue
        for first, hemisphere in _UTM:
            zone = int(code[1]) - first
            if 1 <= zone <= 60:
                along = along or 0.0
                across = 1.0 if across is None else across
                return from_utm(zone, hemisphere, east, north, math.degrees(math.atan2(-along, across)))
    return None


def _by_site(records: StepFile, placements: Placements) -> Reference | None:
    for site in records.of("IFCSITE"):
        latitude, longitude = _degrees(site.value(9)), _degrees(site.value(10))
        if latitude is None or longitude is None or (latitude, longitude) == (0.0, 0.0):
            continue
        if abs(latitude) > 85 or abs(longitude) > 180:
            continue
        bearing = _bearing(records)
        x, y = (float(value) for value in placements.matrix(site)[:2, 3])
        turn = math.radians(bearing)
        east = -x * math.cos(turn) - y * math.sin(turn)
        north = x * math.sin(turn) - y * math.cos(turn)
        if math.hypot(east, north) > 50_000:
            continue
        metres = math.radians(_AXIS)
        return Reference(
            longitude + east / (metres * math.cos(math.radians(latitude))), latitude + north / metres, bearing
        )
    return None


def _degrees(value: Any) -> float | None:
    """Return an angle of the site: degrees, minutes, seconds and millionths of a second, all of one sign."""
    stated = cast("list[Any]", value) if isinstance(value, list) else []
    if not 1 <= len(stated) <= 4:
        return None
    parts = [*stated, 0.0, 0.0, 0.0][:4]
    if not all(isinstance(part, float) for part in parts):
        return None
    return parts[0] + parts[1] / 60 + (parts[2] + parts[3] / 1e6) / 3600


def _bearing(records: StepFile) -> float:
    """Return the clockwise angle in degrees from true north to +y."""
    for context in records.of("IFCGEOMETRICREPRESENTATIONCONTEXT"):
        north = records.get(context.ref(5))
        value = north.value(0) if north else None
        ratios = cast("list[Any]", value) if isinstance(value, list) else []
        if len(ratios) >= 2:
            x, y = ratios[:2]
            if isinstance(x, float) and isinstance(y, float) and math.hypot(x, y) > 1e-9:
                return math.degrees(math.atan2(y, x)) - 90
    return 0.0


def from_utm(zone: int, hemisphere: int, east: float, north: float, bearing: float) -> Reference:
    """Convert UTM metres to WGS 84 degrees, and a bearing from grid north to one from true north.

    The series are those of Krüger to the third order: less than a millimetre within a zone.
    """
    third = _FLATTENING / (2 - _FLATTENING)
    radius = _SCALE * _AXIS / (1 + third) * (1 + third**2 / 4 + third**4 / 64)
    beta = (
        third / 2 - 2 / 3 * third**2 + 37 / 96 * third**3,
        third**2 / 48 + third**3 / 15,
        17 / 480 * third**3,
    )
    delta = (
        2 * third - 2 / 3 * third**2 - 2 * third**3,
        7 / 3 * third**2 - 8 / 5 * third**3,
        56 / 15 * third**3,
    )
    xi = (north - (0 if hemisphere > 0 else _NORTHING)) / radius
    eta = (east - _EASTING) / radius
    xi_sphere, eta_sphere = xi, eta
    for order, factor in enumerate(beta, 1):
        xi_sphere -= factor * math.sin(2 * order * xi) * math.cosh(2 * order * eta)
        eta_sphere -= factor * math.cos(2 * order * xi) * math.sinh(2 * order * eta)
    sphere = math.asin(math.sin(xi_sphere) / math.cosh(eta_sphere))
    latitude = sphere + sum(factor * math.sin(2 * order * sphere) for order, factor in enumerate(delta, 1))
    offset = math.atan2(math.sinh(eta_sphere), math.cos(xi_sphere))
    convergence = math.degrees(math.atan(math.tan(offset) * math.sin(latitude)))
    return Reference(zone * 6 - 183 + math.degrees(offset), math.degrees(latitude), bearing + convergence)
