"""Spatial structure of an IFC file: buildings, storeys as levels, and the storey of each part."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from .ifc_placement import Placements
from .site import Level
from .step_file import StepFile, StepRecord

# Metres: storeys closer together are one level; a part may lie this much below the floor of its storey.
SAME_STOREY = 0.3
BELOW_FLOOR = 0.6
# A storey at most this high or low is the ground floor, if any is.
NEAR_GROUND = 1.5
# Difference of the floors of rooms in a file without storeys.
NEW_STOREY = 1.5
_MAX_DEPTH = 20


@dataclass
class IfcStorey:
    """A storey with its height in world coordinates, in metres; `elevation` is its height above the ground."""

    id: str
    name: str
    height: float
    elevation: float
    building: str = ""
    parts: set[int] = field(default_factory=set[int])


class SpatialStructure:
    """Tree of the spatial structure: project, site, buildings, storeys, spaces and what they contain."""

    def __init__(self, records: StepFile, placements: Placements, unit: float) -> None:
        self._records = records
        self._parents: dict[int, int] = {}
        self._children: dict[int, list[int]] = {}
        for relation in records.of("IFCRELAGGREGATES"):
            self._adopt(relation.ref(4), relation.refs(5))
        for relation in records.of("IFCRELCONTAINEDINSPATIALSTRUCTURE"):
            self._adopt(relation.ref(5), relation.refs(4))
        self.buildings = {
            str(building.id): building.text(7) or building.text(2) for building in records.of("IFCBUILDING")
        }
        self.storeys = self._storeys(placements, unit)
        self.dropped: list[IfcStorey] = []
        self._by_number = {number: storey for storey in self.storeys for number in storey.parts}

    def storey_of(self, product: StepRecord) -> IfcStorey | None:
        """Return the storey that contains a product, also through a space or another product."""
        number: int | None = product.id
        for _ in range(_MAX_DEPTH):
            if number is None:
                break
            if number in self._by_number:
                return self._by_number[number]
            number = self._parents.get(number)
        return None

    def storey_at(self, height: float, building: str = "") -> IfcStorey | None:
        """Return the highest storey whose floor is not above a height, else the lowest."""
        storeys = [storey for storey in self.storeys if not building or storey.building == building]
        below = [storey for storey in storeys if storey.height <= height + BELOW_FLOOR]
        return below[-1] if below else storeys[0] if storeys else None

    def keep(self, used: set[str]) -> None:
        """Drop storeys without rooms (foundations, roofs), and join those at one height."""
        self.dropped = [storey for storey in self.storeys if storey.id not in used]
        self.storeys = self._merged([storey for storey in self.storeys if storey.id in used])
        self._by_number = {number: storey for storey in self.storeys for number in storey.parts}

    def storeys_between(self, low: float, high: float, building: str = "") -> list[IfcStorey]:
        """Return the storeys that stairs or a lift from `low` to `high` serve."""
        lowest = self.storey_at(low, building)
        highest = self.storey_at(high, building)
        if lowest is None or highest is None:
            return []
        return [
            storey
            for storey in self.storeys
            if lowest.height <= storey.height <= highest.height
            and (not building or storey.building == building)
        ]

    def add_storeys(self, heights: Iterable[float]) -> None:
        """Make storeys of the heights of floors, for a file without any."""
        for height in sorted(heights):
            if not self.storeys or height - self.storeys[-1].height > NEW_STOREY:
                self.storeys.append(IfcStorey(f"level {len(self.storeys) + 1}", "", height, height))

    def children(self, product: StepRecord) -> list[int]:
        """Return the numbers of the parts that a product is made of."""
        return self._children.get(product.id, [])

    def _adopt(self, parent: int | None, children: Iterable[int]) -> None:
        for child in children if parent is not None else ():
            if child not in self._parents:
                self._parents[int(child)] = int(parent or 0)
                self._children.setdefault(int(parent or 0), []).append(int(child))

    def _storeys(self, placements: Placements, unit: float) -> list[IfcStorey]:
        storeys: list[IfcStorey] = []
        for record in self._records.of("IFCBUILDINGSTOREY"):
            height = float(placements.matrix(record)[2, 3])
            elevation = record.number(9)
            elevation = height if elevation is None else elevation * unit
            name = record.text(2) or record.text(7)
            building = self._building_of(record.id) if len(self.buildings) > 1 else ""
            storeys.append(
                IfcStorey(f"IfcBuildingStorey #{record.id}", name, height, elevation, building, {record.id})
            )
        if len({round(storey.height, 3) for storey in storeys}) == 1:
            # All placed at one height, as by programs that place nothing by its storey.
            for storey in storeys:
                storey.height = storey.elevation
        return sorted(storeys, key=lambda storey: storey.height)

    def _building_of(self, number: int | None) -> str:
        for _ in range(_MAX_DEPTH):
            if number is None or str(number) in self.buildings:
                break
            number = self._parents.get(number)
        return "" if number is None else str(number)

    def _merged(self, storeys: list[IfcStorey]) -> list[IfcStorey]:
        merged: list[IfcStorey] = []
        for storey in storeys:
            same = [
                other
                for other in merged
                if other.building == storey.building and storey.height - other.height < SAME_STOREY
            ]
            if same:
                same[0].parts |= storey.parts
            else:
                merged.append(storey)
        return merged


def levels_of(storeys: list[IfcStorey]) -> list[Level]:
    """Return the levels of these storeys of one building: 0 is the ground floor, the others follow in both directions."""
    ordered = sorted(storeys, key=lambda storey: storey.height)
    ground = _ground(ordered)
    return [
        Level(storey.id, storey.name, float(number - ground), where=storey.id, building=storey.building)
        for number, storey in enumerate(ordered)
    ]


def _ground(storeys: list[IfcStorey]) -> int:
    """Return the place of the storey nearest to height 0, else of the lowest above or the highest below."""
    near = [
        (abs(storey.elevation), -number)
        for number, storey in enumerate(storeys)
        if abs(storey.elevation) <= NEAR_GROUND
    ]
    if near:
        return -min(near)[1]
    return 0 if storeys and storeys[0].elevation > 0 else len(storeys) - 1
