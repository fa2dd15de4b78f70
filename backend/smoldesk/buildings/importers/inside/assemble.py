"""Assembly of a plan: makes floors, rooms, doors and links of what an importer found in a file.

The order is: choice of the building (`choice.py`), levels (`storeys.py`), metres (`projection.py`), repair
(`repair.py`), names (`naming.py`), doors (`doors.py`), links (`links.py`). All steps cost about n log n.
"""

import re
from collections.abc import Sequence
from typing import Any

from .arrays import np, shapely
from .choice import choose_building
from .doors import REACH, RoomTree, add_doors, add_open_passages
from .draft import MAX_ALIASES, MAX_DOORS, MAX_POINTS, MAX_ROOMS, Draft, Json, Unreadable, too_many
from .findings import Findings
from .links import find_links
from .naming import name_areas, name_rooms, other_names, plain_name
from .outlines import room_shape, tidy
from .projection import Projection, find_projection
from .repair import cut_out_inner_rooms, label, repair
from .site import Opening, Site
from .storeys import PlanRoom, Storey, Storeys, find_storeys, storey_json

# Pixels of a floor's longer side without an image.
LONGEST_SIDE = 2_000


def assemble(site: Site, findings: Findings, building: str = "") -> Draft:
    """Return the plan of a site; of several buildings that with the id `building`.

    Raises SeveralBuildings without a choice, and Unreadable if nothing is a building.
    """
    site = choose_building(site, building, findings)
    for note in site.notes:
        findings.add(note.code, note.where, note.count, **note.values)
    site.areas = _with_levels(site, findings)
    if not site.areas:
        raise Unreadable("There is no room with an outline on a level. " + EXPECTED)
    storeys = find_storeys(site, findings)
    projection = _project(site, findings)
    _add_rooms(site, storeys, findings)
    floors = [storey for storey in storeys.by_level.values() if storey.rooms]
    if not floors:
        raise Unreadable("No room encloses an area on a floor. " + EXPECTED)
    storeys = Storeys({storey.level.id: storey for storey in floors}, storeys.positions)
    draft = Draft(site.format, plain_name(site.name), georeference=projection.georeference)
    indexes = _add_doors(site.openings, storeys, draft, findings)
    links = find_links(site.connectors, storeys, indexes, findings)
    draft.links = [link for _, link in links]
    draft.origins |= {f"links[{number}]": where for number, (where, _) in enumerate(links)}
    draft.floors = [_floor(number, storey, projection, draft) for number, storey in enumerate(floors)]
    return draft


EXPECTED = "Expected polygons of rooms, each with its level."


def _with_levels(site: Site, findings: Findings) -> list[Any]:
    """Return the areas with the levels that exist; without any level in the file all are on level 0."""
    if not site.levels and not any(part.levels for part in (*site.areas, *site.openings, *site.connectors)):
        findings.add("one_level", "")
        for part in (*site.areas, *site.openings, *site.connectors):
            part.levels = ["0"]
    level_ids = {level.id for level in site.levels}
    areas: list[Any] = []
    for area in site.areas:
        levels = list(dict.fromkeys(level for level in area.levels if not level_ids or level in level_ids))
        if levels:
            area.levels = levels
            areas.append(area)
        elif area.levels:
            findings.add("unknown_level", area.where, level=area.levels[0], name=label(area))
        else:
            findings.add("no_level", area.where, name=label(area))
    return areas


def _project(site: Site, findings: Findings) -> Projection:
    """Give all shapes of a site the plan's coordinates."""

    shapes: Any = np.array([area.shape for area in site.areas], dtype=object)
    coordinates = shapely.get_coordinates(shapes)
    if not len(coordinates) or not np.isfinite(coordinates).all():
        raise Unreadable("A room has no coordinates, or one that is not a finite number. " + EXPECTED)
    projection = find_projection(site.unit, coordinates, site.footprint, site.reference)
    for parts in (site.areas, site.openings, site.connectors):
        array: Any = np.array([part.shape for part in parts], dtype=object)
        for part, shape in zip(parts, shapely.transform(array, projection), strict=True):
            part.shape = shape
    findings.add(
        site.unit,
        "",
        width=round(projection.width),
        height=round(projection.height),
        angle=round(projection.angle),
    )
    return projection


def _add_rooms(site: Site, storeys: Storeys, findings: Findings) -> None:
    names = name_areas(site.areas, findings)
    count = corners = 0
    for area, polygons in zip(site.areas, repair(site.areas, findings), strict=True):
        for level in area.levels:
            if storey := storeys.by_level.get(level):
                storey.rooms += [PlanRoom(area, polygon) for polygon in polygons]
                count += len(polygons)
    if count > MAX_ROOMS:
        raise too_many("rooms", count, MAX_ROOMS, "")
    for storey in storeys.by_level.values():
        if storey.rooms:
            cut_out_inner_rooms(storey, findings)
            name_rooms(storey, names, findings)
            corners += int(shapely.get_num_coordinates([room.shape for room in storey.rooms]).sum())
    if corners > MAX_POINTS:
        raise too_many("corners", corners, MAX_POINTS, "")


def _add_doors(
    openings: list[Opening], storeys: Storeys, draft: Draft, findings: Findings
) -> dict[str, RoomTree]:
    """Give the storeys their doors; returns the rooms of each level by place."""
    by_level: dict[str, list[Opening]] = {}
    for opening in openings:
        if not opening.levels:
            findings.add("no_level", opening.where, name=opening.name or "door")
        for level in dict.fromkeys(opening.levels):
            by_level.setdefault(level, []).append(opening)
    if (count := sum(map(len, by_level.values()))) > MAX_DOORS:
        raise too_many("doors", count, MAX_DOORS, "")
    for level in by_level.keys() - storeys.by_level.keys():
        for opening in by_level[level]:
            findings.add("door_nowhere", opening.where, distance=REACH)
    indexes: dict[str, RoomTree] = {}
    for number, (level, storey) in enumerate(storeys.by_level.items()):
        index = indexes[level] = RoomTree(storey.rooms)
        wheres = list(add_doors(storey, by_level.get(level, []), index, findings))
        if storey.doors:
            wheres += add_open_passages(storey, index, findings)
        draft.origins |= {f"floors[{number}].doors[{door}]": where for door, where in enumerate(wheres)}
    return indexes


def _floor(number: int, storey: Storey, projection: Projection, draft: Draft) -> Json:
    scale = LONGEST_SIDE / max(projection.width, projection.height)
    floor = storey_json(storey) | {
        "coordinateSystem": {
            "topLeft": {"px": 0, "py": 0, "x": 0, "y": 0},
            "bottomRight": {
                "px": max(1, round(projection.width * scale)),
                "py": max(1, round(projection.height * scale)),
                "x": projection.width,
                "y": projection.height,
            },
        },
        "rectangles": _rooms(storey.rooms),
        "metresPerUnit": 1.0,
    }
    for place, room in enumerate(storey.rooms):
        draft.origins[f"floors[{number}].rectangles[{place}]"] = room.area.where
    if storey.doors:
        floor["doors"] = storey.doors
    return floor


def _rooms(rooms: Sequence[PlanRoom]) -> list[Json]:
    shapes: Any = np.array([room.shape for room in rooms], dtype=object)
    rings, owners = shapely.get_rings(shapes, return_index=True)
    coordinates, numbers = shapely.get_coordinates(rings, return_index=True)
    corners: list[list[tuple[float, float]]] = [[] for _ in rings]
    for (x, y), number in zip(coordinates.tolist(), numbers.tolist(), strict=True):
        corners[number].append((x, y))
    rings_of: list[list[list[tuple[float, float]]]] = [[] for _ in rooms]
    for ring, owner in zip(corners, owners.tolist(), strict=True):
        rings_of[owner].append(tidy(ring))
    return [_room(room, room_rings) for room, room_rings in zip(rooms, rings_of, strict=True)]


def _room(room: PlanRoom, rings: list[list[tuple[float, float]]]) -> Json:
    result: Json = {"name": room.name, **room_shape(rings[0]), **other_names(room.area, room.name)}
    if holes := [[{"x": x, "y": y} for x, y in ring] for ring in rings[1:] if len(ring) >= 3]:
        result |= {"polygon": [{"x": x, "y": y} for x, y in rings[0]], "holes": holes}
    if kind := re.sub(r"\s+", " ", room.area.kind).strip()[:60]:
        result["kind"] = kind.lower()
    words = dict.fromkeys(plain_name(word).lower()[:60] for word in room.area.kinds)
    if kinds := [word for word in words if word and word != result.get("kind")]:
        result["kinds"] = kinds[:MAX_ALIASES]
    return result
