"""Storeys of a plan: which levels of the file become floors, their order and names; landings of stairs become none."""

import re
from dataclasses import dataclass, field

from .draft import LONGEST_NAME, MAX_FLOORS, Json, too_many
from .findings import Findings
from .levels import ordinal_of
from .site import Area, Geometry, Level, Site

# Kinds of areas that belong to stairs and lifts.
CONNECTOR_KINDS = frozenset(("stairs", "lift", "escalator", "ramp"))
# A level's id of at most so many characters is shown to people; a longer one is that of a database.
LONGEST_ID = 12


@dataclass
class PlanRoom:
    """One polygon of an area on one storey, in the plan's metres, and its name there."""

    area: Area
    shape: Geometry
    name: str = ""


@dataclass
class Storey:
    """Floor in the making."""

    floor_id: str
    level: Level
    ordinal: float | None
    rooms: list[PlanRoom] = field(default_factory=list[PlanRoom])
    doors: list[Json] = field(default_factory=list[Json])


@dataclass(frozen=True)
class Storeys:
    """Floors by the ids of their levels; `positions` orders all levels of the file from below, landings included."""

    by_level: dict[str, Storey]
    positions: dict[str, int]


def find_storeys(site: Site, findings: Findings) -> Storeys:
    """Return the floors of a building, the ground first, then up, then down. Raises Unreadable beyond the limit."""
    levels = _levels(site)
    heights = {level.id: _height(level) for level in levels}
    rooms_by_level: dict[str, list[Area]] = {}
    for area in site.areas:
        for level_id in area.levels:
            rooms_by_level.setdefault(level_id, []).append(area)
    storeys: list[Storey] = []
    used_ids: set[str] = set()
    for level in sorted(levels, key=lambda level: _order(heights[level.id])):
        areas = rooms_by_level.get(level.id, [])
        height = heights[level.id]
        if _is_between(height) and _is_landing(areas):
            findings.add("landings", level.where, level=level.name or level.id)
        elif areas:
            storeys.append(Storey(_floor_id(level, height, used_ids), level, height))
        else:
            findings.add("empty_levels", level.where, level=level.name or level.id)
    if len(storeys) > MAX_FLOORS:
        raise too_many("levels", len(storeys), MAX_FLOORS, "")
    # An empty level would lie between the floors that stairs join.
    present = [level for level in levels if level.id in rooms_by_level or _is_between(heights[level.id])]
    from_below = sorted(present, key=lambda level: (heights[level.id] is None, heights[level.id] or 0.0))
    return Storeys(
        {storey.level.id: storey for storey in storeys},
        {level.id: position for position, level in enumerate(from_below)},
    )


def storey_json(storey: Storey) -> Json:
    """Return the members of a floor that its level gives."""
    level = storey.level
    name = re.sub(r"\s+", " ", level.name).strip()[:LONGEST_NAME]
    floor: Json = {
        "floorId": storey.floor_id,
        "floorName": name or (f"Level {level.id}" if re.fullmatch(r"[+-]?\d+(\.\d+)?", level.id) else storey.floor_id),
        "floorImage": "",
    }  # fmt: skip
    if level.names:
        floor["names"] = {tag[:35]: text[:LONGEST_NAME] for tag, text in level.names.items() if text.strip()}
    if storey.ordinal is not None and storey.ordinal == int(storey.ordinal):
        floor["ordinal"] = int(storey.ordinal)
    return floor


def _levels(site: Site) -> list[Level]:
    """Return the levels of the file, each once; those that only its parts name are added."""
    levels: dict[str, Level] = {}
    for level in site.levels:
        levels.setdefault(level.id, level)
    if not site.levels:
        for part in (*site.areas, *site.connectors):
            for level_id in part.levels:
                levels.setdefault(level_id, Level(level_id))
    return list(levels.values())


def _height(level: Level) -> float | None:
    if level.ordinal is not None:
        return level.ordinal
    if re.fullmatch(r"[+-]?\d{1,4}\.\d+", level.id):
        return float(level.id)
    by_name = ordinal_of(level.name) if level.name else None
    return ordinal_of(level.id) if by_name is None else by_name


def _order(height: float | None) -> tuple[int, float]:
    if height is None:
        return 2, 0.0
    return (0, height) if height >= 0 else (1, -height)


def _is_between(height: float | None) -> bool:
    return height is not None and height != int(height)


def _is_landing(areas: list[Area]) -> bool:
    return all(area.kind in CONNECTOR_KINDS for area in areas)


def _floor_id(level: Level, height: float | None, used_ids: set[str]) -> str:
    """Return an id that people can read: the file's own if it is short, else the short name or the ordinal."""
    names = [text.strip() for text in (level.id, level.name) if 0 < len(text.strip()) <= LONGEST_ID]
    names += [] if height is None else [f"{height:g}"]
    names += [level.name.strip()[:40], level.id.strip()[:40], "Floor"]
    candidates = [*names, *(f"{names[0]} ({number})" for number in range(2, MAX_FLOORS + 3))]
    chosen = next((name for name in candidates if name and name.casefold() not in used_ids), "")
    used_ids.add(chosen.casefold())
    return chosen
