"""Buildings of an OpenStreetMap file: rooms under one outline are one building, and so are rooms that a door joins.

A station or a university is often several outlines with a way through, and its underground rooms lie below foreign
houses. So rooms are joined first: by their outline, by a door or stairs between them, and outside of outlines by walls
they share. What stays apart is a choice for the person.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .arrays import np, shapely
from .site import Area, Connector, Geometry, Level, Opening, Site

# Distance in degrees, half a metre, within which parts touch.
TOUCHING = 5e-6
# Distance in degrees, about 30 m, up to which a part outside of all outlines belongs to the nearest room.
NEAREST = 3e-4
# Share of a room under a second outline that joins the two.
SHARED = 0.2
OUTSIDE = "outside"


@dataclass(frozen=True)
class OsmOutline:
    """Outline of a building, with its name or address; `is_named` is true for a name alone."""

    id: str
    name: str
    shape: Geometry
    is_named: bool


class _Groups:
    """Disjoint sets of numbers."""

    def __init__(self, count: int) -> None:
        self._above = list(range(count))

    def top(self, number: int) -> int:
        while self._above[number] != number:
            self._above[number] = self._above[self._above[number]]
            number = self._above[number]
        return number

    def join(self, numbers: Iterable[int]) -> None:
        tops = [self.top(number) for number in numbers]
        for top in tops[1:]:
            self._above[top] = self._above[tops[0]]


def divide(site: Site, outlines: list[OsmOutline], uses: set[int]) -> int:
    """Give each part its building, or the site its footprint if there is one only; returns the number of parts left out.

    `uses` are the ids of areas that count inside a building alone. Left out are also parts far from all rooms.
    """
    owners = _outlines_of([area.shape for area in site.areas], outlines)
    touched = _touched(site.areas, [*site.openings, *site.connectors])
    groups = _joined_areas(site, touched, outlines, owners)
    members: dict[int, list[int]] = {}
    for number in range(len(site.areas)):
        members.setdefault(groups.top(number), []).append(number)
    members = _with_strays(members, site.areas, owners)
    proper = [
        numbers
        for numbers in members.values()
        if any(id(site.areas[number]) not in uses for number in numbers)
    ]
    buildings = proper or list(members.values())
    names: dict[int, tuple[str, str]] = {}
    for numbers in buildings:
        id_, name = _describe([owners[number] for number in numbers], outlines)
        names |= dict.fromkeys(numbers, (id_, name))
        site.footprint = shapely.union_all(
            [outlines[owner].shape for owner in {owners[number] for number in numbers} if owner >= 0]
        )
    left_out = _assign(site, touched, names)
    site.buildings = dict(sorted(names.values(), key=lambda entry: entry[0] == OUTSIDE))
    if len(site.buildings) == 1:
        site.name = "" if OUTSIDE in site.buildings else next(iter(site.buildings.values()))
        site.footprint = None if site.footprint is None or site.footprint.is_empty else site.footprint
        site.buildings = {}
        return left_out
    site.footprint = None
    site.levels = [
        Level(level.id, level.name, level.ordinal, level.names, level.where, building)
        for building in site.buildings
        for level in site.levels
        if any(
            level.id in part.levels for part in (*site.areas, *site.connectors) if part.building == building
        )
    ]
    return left_out


def _joined_areas(
    site: Site, touched: Sequence[list[int]], outlines: Sequence[OsmOutline], owners: Sequence[int]
) -> _Groups:
    """Return the sets of areas that are one building. `touched` are the areas at each opening and connector."""
    groups = _Groups(len(site.areas) + len(outlines))
    first_outline = len(site.areas)
    for number, owner in enumerate(owners):
        if owner >= 0:
            groups.join((number, first_outline + owner))
    for numbers in touched:
        groups.join(numbers)
    outside = [number for number in range(len(site.areas)) if owners[number] < 0]
    for numbers in _touched(site.areas, [site.areas[number] for number in outside]):
        groups.join(numbers)  # the area touches itself
    used = sorted({owner for owner in owners if owner >= 0})
    outline_tree = shapely.STRtree([outlines[owner].shape for owner in used])
    for owner in used:
        if not outlines[owner].is_named:
            near = outline_tree.query(outlines[owner].shape, predicate="dwithin", distance=TOUCHING)
            groups.join(first_outline + used[int(index)] for index in near)
    pairs: list[list[int]] = outline_tree.query(
        [area.shape for area in site.areas], predicate="intersects"
    ).T.tolist()
    for number, index in pairs:
        owner = used[index]
        if owner != owners[number] and _share(site.areas[number].shape, outlines[owner].shape) > SHARED:
            groups.join((number, first_outline + owner))
    return groups


def _with_strays(
    members: dict[int, list[int]], areas: Sequence[Area], owners: Sequence[int]
) -> dict[int, list[int]]:
    """Add sets of areas outside of all outlines to the building nearest to them, if it is near."""
    strays = {top for top, numbers in members.items() if all(owners[number] < 0 for number in numbers)}
    if not strays or len(strays) == len(members):
        return members
    settled = {top: list(numbers) for top, numbers in members.items() if top not in strays}
    tops = [top for top, numbers in settled.items() for _ in numbers]
    tree = shapely.STRtree([areas[number].shape for numbers in settled.values() for number in numbers])
    for stray in sorted(strays):
        shape = shapely.MultiPoint(
            [shapely.point_on_surface(areas[number].shape) for number in members[stray]]
        )
        near = tree.query_nearest(shape, max_distance=NEAREST, all_matches=False)
        settled.setdefault(tops[int(near[0])] if len(near) else stray, []).extend(members[stray])
    return settled


def _touched(areas: Sequence[Area], parts: Sequence[Area | Opening | Connector]) -> list[list[int]]:
    """Return for each part the numbers of the areas that it touches on one of its levels, by one tree for each level."""
    areas_by_level, parts_by_level = _by_level(areas), _by_level(parts)
    touched: list[list[int]] = [[] for _ in parts]
    for level in areas_by_level.keys() & parts_by_level.keys():
        area_numbers, part_numbers = areas_by_level[level], parts_by_level[level]
        tree = shapely.STRtree([areas[number].shape for number in area_numbers])
        shapes = [parts[number].shape for number in part_numbers]
        for part, area in tree.query(shapes, predicate="dwithin", distance=TOUCHING).T.tolist():
            touched[part_numbers[part]].append(area_numbers[area])
    return [sorted(set(numbers)) for numbers in touched]


def _by_level(parts: Sequence[Area | Opening | Connector]) -> dict[str, list[int]]:
    numbers: dict[str, list[int]] = {}
    for number, part in enumerate(parts):
        for level in set(part.levels):
            numbers.setdefault(level, []).append(number)
    return numbers


def _share(area: Geometry, outline: Geometry) -> float:
    """Return the part of an area that lies under an outline."""
    area = repaired(area)
    return area.intersection(outline).area / area.area if area.area else 0.0


def _describe(owners: list[int], outlines: Sequence[OsmOutline]) -> tuple[str, str]:
    """Return id and name of a building: those of the named outline with most rooms, else of the one with most rooms."""
    counts = Counter(owner for owner in owners if owner >= 0)
    if not counts:
        return OUTSIDE, "Outside of all buildings"
    best = max(counts, key=lambda owner: (outlines[owner].is_named, counts[owner]))
    return outlines[best].id, outlines[best].name or outlines[best].id


def _assign(site: Site, touched: Sequence[list[int]], names: dict[int, tuple[str, str]]) -> int:
    """Give the parts their buildings; parts of none are removed and counted."""
    before = len(site.areas) + len(site.openings) + len(site.connectors)
    for number, area in enumerate(site.areas):
        area.building = names[number][0] if number in names else ""
    tree = None
    for part, numbers in zip((*site.openings, *site.connectors), touched, strict=True):
        part.building = next((name for number in numbers if (name := site.areas[number].building)), "")
        if part.building:
            continue
        tree = tree or shapely.STRtree([area.shape for area in site.areas])
        near = tree.query_nearest(part.shape, max_distance=NEAREST, all_matches=True)
        areas = [site.areas[int(index)] for index in near]
        same_level = [area for area in areas if not set(area.levels).isdisjoint(part.levels)]
        part.building = next((area.building for area in (*same_level, *areas) if area.building), "")
    site.areas = [area for area in site.areas if area.building]
    site.openings = [opening for opening in site.openings if opening.building]
    site.connectors = [connector for connector in site.connectors if connector.building]
    return before - len(site.areas) - len(site.openings) - len(site.connectors)


def _outlines_of(shapes: list[Geometry], outlines: list[OsmOutline]) -> list[int]:
    """Return the number of the outline for each shape: the largest that contains its middle, else -1."""
    outline_shapes = np.array([outline.shape for outline in outlines], dtype=object)
    points = shapely.point_on_surface(np.array(shapes, dtype=object))
    number, outline = shapely.STRtree(outline_shapes).query(points, predicate="intersects")
    owners = np.full(len(shapes), -1)
    order = np.argsort(shapely.area(outline_shapes)[outline], kind="stable")
    owners[number[order]] = outline[order]  # the largest is written last
    return owners.tolist()


def repaired(shape: Geometry) -> Geometry:
    """Return the shape without self-crossings."""
    return shapely.make_valid(shape)
