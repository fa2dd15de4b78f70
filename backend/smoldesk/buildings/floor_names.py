"""Names of floors as people write them: "2F", "the second floor", 2階, "ground floor", 最上階. Pure.

The number of a floor is the one in its id or name ("2F", "Level 2"), unless `ground_floor` states how the building is
counted: then it is the ordinal plus that number. Basements are counted downwards from the ground in either case.
"""

import re
from collections.abc import Iterator

from smoldesk.buildings.names import fold
from smoldesk.messages import Floor, MapDefinitionContent

_NUMBERED = re.compile(
    r"(?:floor ?|level ?|storey ?|story ?|fl\.? ?|l|og ?)?(-?\d+)(?:st|nd|rd|th)?(?:f|階| ?floor| ?level| ?storey|\. ?og)?"
)
_BASEMENT = re.compile(r"(?:b|地下|basement |ug ?)(\d+)(?:f|階)?|-(\d+)")
_ORDINALS = [
    "ground",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
]
_KANJI = "〇一二三四五六七八九"


def floor_names(definition: MapDefinitionContent) -> dict[str, list[str]]:
    """Return the ids of the floors by the folded names that mean them; names of the file come before derived ones."""
    floors = definition.floors
    names: dict[str, list[str]] = {}
    for floor in floors:
        names.setdefault(fold(floor.floor_id), []).append(floor.floor_id)
    for floor in floors:
        for name in _written(floor):
            ids = names.setdefault(fold(name), [])
            ids += [floor.floor_id] if floor.floor_id not in ids else []
    stated = set(names)
    for floor in floors:
        for name in _derived(floor, definition):
            if name not in stated:
                ids = names.setdefault(name, [])
                ids += [floor.floor_id] if floor.floor_id not in ids else []
    return names


def floor_number(floor: Floor, definition: MapDefinitionContent) -> int | None:
    """Return the number that people give to a floor; negative for basements, None if nothing states it.

    How the ground floor is counted says nothing about a building whose floors begin with 1.
    """
    if floor.ordinal is not None and floor.ordinal < 0:
        return floor.ordinal
    has_ground = definition.ground_floor is not None and any(
        floor.ordinal == 0 for floor in definition.floors
    )
    if floor.ordinal is not None and definition.ground_floor is not None and has_ground:
        return floor.ordinal + definition.ground_floor
    # A file may count its levels from 0 and label them from 1: people read the label.
    names = sorted(_written(floor), key=lambda name: not (name == floor.floor_name and name.isdigit()))
    for name in names:
        if match := _BASEMENT.fullmatch(fold(name)):
            return -int(match[1] or match[2])
        if match := _NUMBERED.fullmatch(fold(name)):
            return int(match[1])
    return None


def _written(floor: Floor) -> Iterator[str]:
    yield from (floor.floor_id, floor.floor_name)
    yield from (floor.names or {}).values()
    yield from floor.aliases or ()


def _derived(floor: Floor, definition: MapDefinitionContent) -> Iterator[str]:
    number = floor_number(floor, definition)
    ordinals = [other.ordinal for other in definition.floors if other.ordinal is not None]
    if len(ordinals) == len(definition.floors) > 1 and floor.ordinal == max(ordinals):
        yield from ("top floor", "uppermost floor", "highest floor", "最上階")
    if floor.ordinal == 0:
        yield from ("ground floor", "ground level", "gf", "g", "地上階")
        yield from ("erdgeschoss", "eg", "rez-de-chaussée", "planta baja", "piano terra", "térreo")
    if len(ordinals) == len(definition.floors) and [o for o in ordinals if o > 0] == [floor.ordinal]:
        yield from ("upstairs", "the upstairs", "上の階", "上階")
    if number is None:
        return
    if number < 0:
        yield from _basements(-number, [o for o in ordinals if o < 0])
        return
    yield from (f"レベル{number}", f"レベル {number}", f"{number}フロア", f"フロア{number}")
    yield from (f"{number}f", f"{number}階", f"floor {number}", f"level {number}", f"{number} floor")
    yield from (f"f{number}", f"l{number}", f"storey {number}", f"floor {floor.floor_id}".casefold())
    yield from (f"{number}. {word}" for word in ("stock", "etage", "og", "obergeschoss", "stockwerk"))
    yield from (f"{word} {number}" for word in ("étage", "piso", "planta", "piano", "andar", "этаж"))
    yield from (
        f"{number} этаж",
        f"{number}楼",
        f"{number}层",
        f"{number}층",
        f"{number}e étage",
        f"{number}º piso",
    )
    yield f"{_ordinal(number)} floor"
    if 0 < number < len(_ORDINALS):
        yield from (f"{_ORDINALS[number]} floor", f"{_ORDINALS[number]} level")
    if 0 < number < len(_KANJI):
        yield f"{_KANJI[number]}階"


def _basements(depth: int, below: list[int]) -> Iterator[str]:
    kanji = _KANJI[depth] if depth < len(_KANJI) else str(depth)
    yield from (f"b{depth}", f"b{depth}f", f"地下{depth}階", f"地下{kanji}階", f"basement {depth}")
    yield from (
        f"floor -{depth}",
        f"level -{depth}",
        f"-{depth}",
        f"floor b{depth}",
        f"basement level {depth}",
    )
    if depth == 1 or len(below) == 1:
        yield from ("basement", "basement floor", "basement level", "地下", "地階")


def _ordinal(number: int) -> str:
    return f"{number}{'th' if 10 < number % 100 < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
