"""Choice of one building in a file that has several."""

from dataclasses import replace

from .draft import Json, SeveralBuildings, join_names
from .findings import Findings
from .repair import label
from .site import Site


def choose_building(site: Site, building: str, findings: Findings) -> Site:
    """Return the parts of one building: the requested one, or the only one that has rooms. Raises SeveralBuildings."""
    choices = _choices(site)
    ids = [choice["id"] for choice in choices]
    if len(ids) < 2 and not building:
        return site
    if building not in ids:
        raise SeveralBuildings(choices, _message(choices, building))
    levels = {level for area in site.areas if area.building == building for level in area.levels}
    for area in site.areas:
        if not area.building:
            findings.add("other_building", area.where, name=label(area))
    name = site.buildings.get(building, "") or site.name
    return replace(
        site,
        name=name,
        levels=[
            level
            for level in site.levels
            if level.building == building or (not level.building and level.id in levels)
        ],
        areas=[area for area in site.areas if area.building == building],
        openings=[opening for opening in site.openings if opening.building in ("", building)],
        connectors=[part for part in site.connectors if part.building in ("", building)],
        notes=[note for note in site.notes if note.building in ("", building)],
        footprint=None,
    )


def _choices(site: Site) -> list[Json]:
    """Return the buildings that have rooms, in the order of the file."""
    rooms: dict[str, int] = {}
    levels: dict[str, set[str]] = {}
    for area in site.areas:
        rooms[area.building] = rooms.get(area.building, 0) + 1
        levels.setdefault(area.building, set()).update(area.levels)
    return [
        {"id": id_, "name": name or id_, "floors": len(levels[id_]), "rooms": rooms[id_]}
        for id_, name in site.buildings.items()
        if rooms.get(id_)
    ]


def _message(choices: list[Json], building: str) -> str:
    names = join_names([f"{choice['id']} ({choice['name']})" for choice in choices])
    if building:
        return f"The file has no building {building[:60]!r}. Its buildings: {names}."
    return f"The file has {len(choices)} buildings. Choose one of them: {names}."
