"""GeoJSON with levels: polygons are rooms, points are doors, and what is called stairs or lift joins its levels.

Coordinates are longitude and latitude, or metres (a member `coordinates` at the top says which); either way the
building has metres, y downwards. Levels share one plane, so that what stands above something is drawn above it.
"""

import re
from dataclasses import replace

from .draft import (
    LONGEST_NAME,
    MAX_DOORS,
    MAX_LINKS,
    MAX_ROOMS,
    Draft,
    Findings,
    Json,
    Unreadable,
    clipped,
    join_names,
    too_many,
)
from .features import Feature, Plane, read_features
from .fields import Fields
from .levels import in_order, ordinal_of
from .outlines import Neighbours, Point, box, fault_of, holds, room_shape, tidy
from .smoldesk_json import LINK_KINDS

DOORS = ("door", "opening", "entrance", "exit", "gate")
# Pixels of a floor's longer side without an image.
LONGEST_SIDE = 2_000


class Storey:
    """One floor in the making."""

    def __init__(self) -> None:
        self.rooms: list[Json] = []
        self.outlines: list[tuple[str, list[Point]]] = []
        self.doors: list[Json] = []
        self.used_names: set[str] = set()
        self.room_names: dict[str, str] = {}
        """The file's name of a room -> ours, for doors that name their rooms."""

    def free_name(self, requested: str) -> str:
        """Return `requested`, or `requested (2)` and so on if it is used."""
        name, number = requested, 1
        while name.casefold() in self.used_names:
            number += 1
            name = f"{requested[: LONGEST_NAME - 8]} ({number})"
        self.used_names.add(name.casefold())
        return name


def read_geojson(top: Fields) -> Draft:
    """Read a FeatureCollection. Raises Unreadable if it contains no building."""
    findings = top.findings
    features = _with_levels(read_features(top), findings)
    plane = Plane(
        [
            point
            for feature in features
            for point in (*(p for ring in feature.rings for p in ring), *_points(feature))
        ],
        top.text("coordinates", ""),
    )
    findings.note(
        "features",
        f"Coordinates were read as {'longitude and latitude' if plane.degrees else 'metres'}; "
        f"the plan is {plane.width:g} m by {plane.height:g} m.",
    )
    levels = in_order([level for feature in features for level in feature.levels])
    storeys = {level: Storey() for level in levels}
    draft = Draft("geojson", top.text("name", ""))
    count = 0
    for feature in features:
        if feature.rings:
            count += len(feature.rings) * len(feature.levels)
            if count > MAX_ROOMS:
                raise too_many("rooms", count, MAX_ROOMS, "features")
            _add_rooms(feature, plane, storeys, levels, draft, findings)
    _add_doors([feature for feature in features if feature.point], plane, storeys, levels, draft, findings)
    draft.links = _links(features, plane, storeys, draft, findings)
    draft.floors = [_floor(level, storeys[level], plane) for level in levels]
    return draft


def _points(feature: Feature) -> list[Point]:
    return [feature.point] if feature.point else []


def _with_levels(features: list[Feature], findings: Findings) -> list[Feature]:
    """Return all of them on level 0 when none says a level; else those that say none are left out."""
    if not any(feature.levels for feature in features):
        findings.note("features", "No feature has a level: all are taken to be on level 0.")
        return [replace(feature, levels=["0"]) for feature in features]
    for feature in features:
        if not feature.levels:
            findings.warning(f"{feature.where}.properties.level", "It has no level and is left out.")
    leveled = [feature for feature in features if feature.levels]
    if not any(feature.rings for feature in leveled):
        raise Unreadable("No room has a level that can be read.", "features")
    return leveled


def _add_rooms(
    feature: Feature,
    plane: Plane,
    storeys: dict[str, Storey],
    levels: list[str],
    draft: Draft,
    findings: Findings,
) -> None:
    for level in feature.levels:
        storey = storeys[level]
        for number, ring in enumerate(feature.rings):
            said = re.sub(r"\s+", " ", feature.name).strip()
            name = storey.free_name(
                said or f"{(feature.kind or 'room').capitalize()} {len(storey.rooms) + 1}"
            )
            if said and name != said:
                findings.note(
                    feature.where, f"A second {clipped(said)!r} of level {level} is called {clipped(name)!r}."
                )
            outline = tidy([plane(point) for point in ring])
            fault = fault_of(outline)
            at = f"{feature.where}.geometry.coordinates"
            if fault:
                findings.error(at, f"{clipped(name)}: {fault}")
                continue
            room: Json = {"name": name, **room_shape(outline)}
            if feature.kind:
                room["kind"] = feature.kind.lower()
            draft.origins[f"floors[{levels.index(level)}].rectangles[{len(storey.rooms)}]"] = feature.where
            storey.rooms.append(room)
            storey.outlines.append((name, outline))
            if said and number == 0:
                storey.room_names.setdefault(said.casefold(), name)


def _add_doors(
    points: list[Feature],
    plane: Plane,
    storeys: dict[str, Storey],
    levels: list[str],
    draft: Draft,
    findings: Findings,
) -> None:
    doors = [point for point in points if point.kind.lower() in DOORS]
    if len(doors) > MAX_DOORS:
        raise too_many("doors", len(doors), MAX_DOORS, "features")
    neighbours = {level: Neighbours(storey.outlines) for level, storey in storeys.items()}
    for point in points:
        if point.kind.lower() not in DOORS and point.kind.lower() not in LINK_KINDS:
            findings.note(
                point.where,
                f"Not used: a point of kind {clipped(point.kind, 40)!r}. Doors are {join_names(list(DOORS))}.",
            )
    for point in doors:
        x, y = plane(point.point or (0.0, 0.0))
        for level in point.levels:
            storey = storeys[level]
            rooms = [storey.room_names.get(room.casefold(), room) for room in point.rooms] or neighbours[
                level
            ].at(x, y)
            if not rooms:
                findings.warning(point.where, f"No room of level {level} is near this door; it is left out.")
                continue
            if len(rooms) == 1 and not point.rooms:
                findings.note(
                    point.where, f"This door has {clipped(rooms[0])} on one side only: it leads out."
                )
            draft.origins[f"floors[{levels.index(level)}].doors[{len(storey.doors)}]"] = point.where
            storey.doors.append({"rooms": rooms, "at": {"x": x, "y": y}, "accessible": point.accessible})


def _links(
    features: list[Feature], plane: Plane, storeys: dict[str, Storey], draft: Draft, findings: Findings
) -> list[Json]:
    """Return the links: stairs, lifts, escalators and ramps of one name are one link on all their levels."""
    groups: dict[tuple[str, str], list[Feature]] = {}
    for feature in features:
        if feature.kind.lower() in LINK_KINDS:
            key = feature.name.casefold() or (feature.where if len(feature.levels) > 1 else "")
            groups.setdefault((feature.kind.lower(), key), []).append(feature)
    if len(groups) > MAX_LINKS:
        raise too_many("stairs and lifts", len(groups), MAX_LINKS, "features")
    links: list[Json] = []
    for (kind, _), members in groups.items():
        stops: dict[str, Json] = {}
        for feature in members:
            for level in feature.levels:
                stop = _stop(feature, level, plane, storeys[level])
                if stop and level not in stops:
                    stops[level] = stop
        if len(stops) < 2:
            findings.warning(
                members[0].where, f"This {kind} joins no two levels: {len(stops)} stop was found."
            )
            continue
        draft.origins[f"links[{len(links)}]"] = members[0].where
        name = members[0].name or kind.capitalize()
        links.append(
            {"linkId": f"{kind}-{len(links) + 1}", "kind": kind, "name": name, "stops": list(stops.values())}
        )
    return links


def _stop(feature: Feature, level: str, plane: Plane, storey: Storey) -> Json | None:
    """Return the room of a point, or the room that a polygon itself is."""
    if feature.point:
        x, y = plane(feature.point)
    else:
        ring = [plane(point) for point in feature.rings[0]] if feature.rings else []
        if len(ring) < 3:
            return None
        x, y = _inner_point(ring)
    room = next((name for name, outline in storey.outlines if holds(outline, x, y)), None)
    if room is None:
        near = Neighbours(storey.outlines).at(x, y)
        room = near[0] if near else None
    return None if room is None else {"floorId": level, "room": room, "at": {"x": x, "y": y}}


def _inner_point(ring: list[Point]) -> Point:
    """Return the middle of the outline's box if it is inside, else a point just beside a corner's diagonal."""
    x1, y1, x2, y2 = box(ring)
    middle = (round((x1 + x2) / 2, 3), round((y1 + y2) / 2, 3))
    if holds(ring, *middle):
        return middle
    for before, corner, after in zip([ring[-1], *ring], ring, [*ring[1:], ring[0]], strict=False):
        x, y = (before[0] + corner[0] + after[0]) / 3, (before[1] + corner[1] + after[1]) / 3
        if holds(ring, x, y):
            return round(x, 3), round(y, 3)
    return ring[0]


def _floor(level: str, storey: Storey, plane: Plane) -> Json:
    scale = LONGEST_SIDE / max(plane.width, plane.height)
    floor: Json = {
        "floorId": level,
        "floorName": level
        if ordinal_of(level) is None or not level.lstrip("+-").isdigit()
        else f"Level {level}",
        "floorImage": "",
        "coordinateSystem": {
            "topLeft": {"px": 0, "py": 0, "x": 0, "y": 0},
            "bottomRight": {
                "px": round(plane.width * scale),
                "py": round(plane.height * scale),
                "x": plane.width,
                "y": plane.height,
            },
        },
        "rectangles": storey.rooms,
        "metresPerUnit": 1.0,
    }
    ordinal = ordinal_of(level)
    if ordinal is not None:
        floor["ordinal"] = ordinal
    if storey.doors:
        floor["doors"] = storey.doors
    return floor
