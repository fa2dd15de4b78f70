"""Rooms that a person means: "Kitchen", "the meeting room on 2F", 2階の会議室. Pure."""

import re

from smoldesk.buildings.kinds import find_kind, kind_of
from smoldesk.buildings.names import fold
from smoldesk.buildings.overlay_text import clip
from smoldesk.errors import NotFound
from smoldesk.messages import Floor, MapDefinitionContent

Spot = tuple[str, str]
_ARTICLE = re.compile(r"^(?:the|a|an|my|our)\s+")
# Maximum names in an error.
_MAX_LISTED_NAMES = 40


def find_places(building: MapDefinitionContent, text: str) -> list[Spot]:
    """Return every (floor id, room) that the words fit, best reading first; raises NotFound naming near ones.

    A name comes before a kind: with a room called Toilet, "toilet" means it and its namesakes on other floors only.
    """
    name = _ARTICLE.sub("", fold(text))
    by_floor = [(floor, room_text) for floor in building.floors for room_text in _without_floor(name, floor)]
    readings = [(building.floors, name), *(([floor], room_text) for floor, room_text in by_floor)]
    for floors, words in readings:
        if named := [
            (f.floor_id, room.name) for f in floors for room in f.rectangles if fold(room.name) == words
        ]:
            return named
    for floors, words in readings:
        if (kind := find_kind(words)) and (
            meant := [
                (f.floor_id, room.name) for f in floors for room in f.rectangles if kind_of(room) == kind
            ]
        ):
            return meant
    raise NotFound(f"There is no room {clip(text)}.", hint=_choices(building, name))


def find_floor(building: MapDefinitionContent, text: str) -> Floor:
    """Return the floor of this id or name ("2F", 2階, "floor 2"). Raises NotFound with the floors."""
    name = fold(text)
    for floor in building.floors:
        if name in _floor_names(floor):
            return floor
    ids = ", ".join(floor.floor_id for floor in building.floors)
    raise NotFound(f"There is no floor {clip(text)}.", hint=f"Floors: {ids}.")


def _floor_names(floor: Floor) -> set[str]:
    names = {fold(floor.floor_id), fold(floor.floor_name)}
    for word in list(names):
        if number := re.fullmatch(r"(\d+)(?:f|階)", word):
            names |= {
                f"{number[1]}f",
                f"{number[1]}階",
                f"floor {number[1]}",
                f"{_ordinal(int(number[1]))} floor",
            }
        if number := re.fullmatch(r"(?:b|地下)(\d+)(?:f|階)?", word):
            names |= {f"b{number[1]}", f"b{number[1]}f", f"地下{number[1]}階", f"basement {number[1]}"}
            names |= {"basement", "地下"} if number[1] == "1" else set[str]()
    return names


def _ordinal(number: int) -> str:
    return f"{number}{'th' if 10 < number % 100 < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def _without_floor(text: str, floor: Floor) -> list[str]:
    """Return the text without the name of this floor, in every way it can be read."""
    remainders: list[str] = []
    for word in _floor_names(floor):
        name = re.escape(word)
        for pattern in (
            rf"(.+?)\s*[(,@]\s*{name}\s*\)?",
            rf"(.+?)\s+(?:on|at|in|of)\s+(?:the\s+)?{name}",
            rf"{name}(?:の|\s+)(.+)",
        ):
            if match := re.fullmatch(pattern, text):
                remainders.append(_ARTICLE.sub("", match[1].strip()))
    return remainders


def _choices(building: MapDefinitionContent, text: str) -> str:
    from rapidfuzz import process

    names = list(dict.fromkeys(room.name for floor in building.floors for room in floor.rectangles))
    folded = {fold(name): name for name in reversed(names)}
    near = [folded[match] for match, _, _ in process.extract(text, list(folded), limit=3, score_cutoff=70)]
    listing = ", ".join(names[:_MAX_LISTED_NAMES]) + (
        f" and {len(names) - _MAX_LISTED_NAMES} more" if len(names) > _MAX_LISTED_NAMES else ""
    )
    return (f"Did you mean {' or '.join(near)}? " if near else "") + f"Rooms: {listing}."
