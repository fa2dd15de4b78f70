"""Names of rooms: unnamed ones are numbered by kind, repeated ones get a number, other names are aliases."""

import re

from .draft import LONGEST_NAME, MAX_ALIASES, MAX_TAG, Json
from .findings import Findings
from .site import Area
from .storeys import Storey


def plain_name(text: str) -> str:
    """Return a name on one line, of at most LONGEST_NAME characters."""
    return re.sub(r"\s+", " ", text).strip()[:LONGEST_NAME]


def name_areas(areas: list[Area], findings: Findings) -> dict[int, str]:
    """Return the name of each area by its `id()`; those without one are numbered by kind through all levels."""
    names: dict[int, str] = {}
    counts: dict[str, int] = {}
    for area in areas:
        name = plain_name(area.name) or next(
            (text for alias in area.aliases if (text := plain_name(alias))), ""
        )
        if not name:
            kind = (plain_name(area.kind) or "room").capitalize()
            counts[kind] = counts.get(kind, 0) + 1
            name = f"{kind} {counts[kind]}"
            findings.add("unnamed", area.where, name=name)
        names[id(area)] = name
    return names


def name_rooms(storey: Storey, names: dict[int, str], findings: Findings) -> None:
    """Give each room of a storey its name there: `Name (2)` if it is used already."""
    used_names: set[str] = set()
    numbers: dict[str, int] = {}
    for room in storey.rooms:
        requested = room.name = names[id(room.area)]
        while room.name.casefold() in used_names:
            number = numbers[requested] = numbers.get(requested, 1) + 1
            room.name = f"{requested[: LONGEST_NAME - 8]} ({number})"
        used_names.add(room.name.casefold())
        if room.name != requested:
            findings.add("duplicate_names", room.area.where, name=room.name)


def other_names(area: Area, name: str) -> Json:
    """Return `names` and `aliases` of a room, without those that repeat its name."""
    members: Json = {}
    names = {tag[:MAX_TAG]: plain_name(text) for tag, text in area.names.items() if plain_name(text)}
    if names:
        members["names"] = dict(list(names.items())[:MAX_ALIASES])
    aliases = list(dict.fromkeys(plain_name(alias) for alias in area.aliases))
    if aliases := [alias for alias in aliases if alias and alias.casefold() != name.casefold()]:
        members["aliases"] = aliases[:MAX_ALIASES]
    return members
