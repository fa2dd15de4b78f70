"""Links of a plan: connectors that belong together become one link, with a stop on each floor they serve."""

from collections.abc import Mapping
from typing import Any

from .arrays import np, shapely
from .doors import RoomTree
from .draft import LONGEST_NAME, MAX_LINKS, Json, too_many
from .findings import Findings
from .naming import plain_name
from .site import Connector, Geometry
from .storeys import Storeys

# Greatest metres between connectors on neighbouring levels that are one: between areas, and where one is a point.
APART = 0.3
POINTS_APART = 1.5
# Part of the smaller of two areas that they share if one is above the other.
COVERED = 0.2
# Greatest metres between a stop and its room.
REACH = 1.5
# Seconds before a link moves, and for each floor.
TIMES: dict[str, tuple[float, float]] = {"lift": (20, 5), "stairs": (0, 20), "escalator": (0, 15), "ramp": (0, 30)}  # fmt: skip


def find_links(
    connectors: list[Connector], storeys: Storeys, indexes: Mapping[str, RoomTree], findings: Findings
) -> list[tuple[str, Json]]:
    """Return the links with the `where` of each. Raises Unreadable beyond the limit."""
    groups = _groups(connectors, storeys.positions)
    links: list[tuple[str, Json]] = []
    numbers: dict[str, int] = {}
    names: set[str] = set()
    for parts in groups:
        stops = _stops(parts, storeys, indexes, findings)
        kind = parts[0].kind
        name = next((plain_name(part.name) for part in parts if part.name.strip()), "")
        if len(stops) < 2:
            code = "lift_one_level" if kind == "lift" else "link_one_level"
            findings.add(code, parts[0].where, name=name or kind)
            continue
        numbers[kind] = numbers.get(kind, 0) + 1
        wait, ride = TIMES[kind]
        name = _free_name(name or _common_room(stops), kind, numbers[kind], names)
        links.append((parts[0].where, {
            "linkId": f"{kind}-{numbers[kind]}", "kind": kind, "name": name,
            "stops": stops, "waitSeconds": wait, "floorSeconds": ride,
        }))  # fmt: skip
    if len(links) > MAX_LINKS:
        raise too_many("stairs and lifts", len(links), MAX_LINKS, "")
    _drop_single_numbers([link for _, link in links], numbers)
    return links


def _free_name(name: str, kind: str, number: int, names: set[str]) -> str:
    """Return a name that no other link has, so that a person can tell them apart: "Lift 2", "Stairs A (2)"."""
    candidates = (f"{name} ({count})" for count in range(2, MAX_LINKS + 2))
    free = f"{kind.capitalize()} {number}"
    if name:
        free = name if name not in names else next(text for text in candidates if text not in names)
    names.add(free)
    return free


def _drop_single_numbers(links: list[Json], numbers: Mapping[str, int]) -> None:
    """Call the only link of a kind by the kind alone."""
    for link in links:
        if numbers[link["kind"]] == 1 and link["name"] == f"{link['kind'].capitalize()} 1":
            link["name"] = link["kind"].capitalize()


def _groups(connectors: list[Connector], positions: Mapping[str, int]) -> list[list[Connector]]:
    """Return connectors that are one link: of one `group`, or of one kind above each other on neighbouring levels."""
    above = list(range(len(connectors)))

    def top(number: int) -> int:
        while above[number] != number:
            above[number] = above[above[number]]
            number = above[number]
        return number

    stated: dict[tuple[str, str], int] = {}
    for number, part in enumerate(connectors):
        if part.group:
            above[top(number)] = top(stated.setdefault((part.kind, part.group), number))
    free = [number for number, part in enumerate(connectors) if not part.group]
    pairs = [
        (free[one], free[other], covers)
        for one, other, covers in _near_pairs([connectors[number].shape for number in free])
        if _are_neighbours(connectors[free[one]], connectors[free[other]], positions)
    ]
    # Shafts stand side by side: a part that lies above another one does not belong to the part beside it.
    covered = {number for one, other, covers in pairs if covers for number in (one, other)}
    for one, other, covers in pairs:
        is_beside = {one, other} & covered or _are_beside(connectors[one], connectors[other])
        if covers or not is_beside:
            above[top(other)] = top(one)
    groups: dict[int, list[Connector]] = {}
    for number, part in enumerate(connectors):
        groups.setdefault(top(number), []).append(part)
    return list(groups.values())


def _near_pairs(shapes: list[Geometry]) -> list[tuple[int, int, bool]]:
    """Return the pairs of shapes that overlap in plan, or nearly, and whether one covers a good part of the other."""

    if len(shapes) < 2:
        return []
    array: Any = np.array(shapes, dtype=object)
    first, second = shapely.STRtree(array).query(array, predicate="dwithin", distance=POINTS_APART)
    once = first < second
    first, second = first[once], second[once]
    areal: Any = shapely.get_dimensions(array) > 0
    close: Any = shapely.distance(array[first], array[second]) <= APART
    keep: Any = close | ~(areal[first] & areal[second])
    first, second = first[keep], second[keep]
    shared: Any = shapely.area(shapely.intersection(array[first], array[second]))
    sizes: Any = shapely.area(array)
    covers: Any = (shared > 0) & (shared >= COVERED * np.minimum(sizes[first], sizes[second]))
    covers |= (shapely.distance(array[first], array[second]) == 0) & ~(areal[first] & areal[second])
    return sorted(zip(first.tolist(), second.tolist(), covers.tolist(), strict=True))


def _are_neighbours(first: Connector, second: Connector, positions: Mapping[str, int]) -> bool:
    """Return whether two connectors of one kind share a level or have levels next to each other."""
    if first.kind != second.kind:
        return False
    ones = [positions[level] for level in first.levels if level in positions]
    positions_of_second = {positions[level] for level in second.levels if level in positions}
    return any(position + step in positions_of_second for position in ones for step in (-1, 0, 1))


def _are_beside(first: Connector, second: Connector) -> bool:
    """Check whether near connectors that cover no part of each other are two: lifts on one level, flights on two."""
    common = len(set(first.levels) & set(second.levels))
    return common > 1 or (common == 1 and first.kind == "lift")


def _stops(
    parts: list[Connector], storeys: Storeys, indexes: Mapping[str, RoomTree], findings: Findings
) -> list[Json]:
    """Return a stop for each floor, from below, in the room that it stands in."""
    by_level: dict[str, list[Connector]] = {}
    for part in parts:
        for level in part.levels:
            by_level.setdefault(level, []).append(part)
    stops: list[Json] = []
    for level in sorted(by_level, key=lambda level: storeys.positions.get(level, 0)):
        storey = storeys.by_level.get(level)
        if storey is None:
            continue
        stop = next((stop for part in by_level[level] if (stop := _stop(part, indexes[level]))), None)
        if stop is None:
            findings.add(
                "link_no_room",
                by_level[level][0].where,
                name=by_level[level][0].name or by_level[level][0].kind,
            )
            continue
        stops.append({"floorId": storey.floor_id, **stop})
    return stops


def _stop(part: Connector, index: RoomTree) -> Json | None:
    """Return the smallest room around a connector's middle, else the nearest one; None if there is none."""

    middle: Any = shapely.point_on_surface(part.shape)
    if shapely.get_dimensions(part.shape) == 1:
        middle = shapely.line_interpolate_point(part.shape, 0.5, normalized=True)
    points: Any = np.array([middle], dtype=object)
    room = int(index.holding(points)[0])
    if room < 0:
        room = int(index.nearest(np.array([part.shape], dtype=object), REACH)[0])
        if room < 0:
            return None
        # Stairs may lie outside of the plan and end at a door: the stop is in the room.
        middle = shapely.get_point(shapely.shortest_line(index.shapes[room], part.shape), 0)
    at = {"x": round(float(middle.x), 3), "y": round(float(middle.y), 3)}
    return {"room": index.rooms[room].name, "at": at}


def _common_room(stops: list[Json]) -> str:
    """Return the room of all stops if they share a name: a room of the stairs' own gives them its name."""
    names = {stop["room"] for stop in stops}
    return str(names.pop())[:LONGEST_NAME] if len(names) == 1 else ""
