"""Terms of the building: rooms, floors, kinds of rooms, icons; and mentions of points and quoted texts."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from smoldesk.analyst.catalogue import Catalogue, TableInfo
from smoldesk.analyst.mentions import Mention
from smoldesk.analyst.requests import Request
from smoldesk.analyst.schema import TableSchema, Term
from smoldesk.analyst.units import key_of
from smoldesk.buildings.kinds import KINDS

_POINT = re.compile(r"\(?\s*(?:x\s*=\s*)?(-?\d+(?:\.\d+)?)\s*[,、]\s*(?:y\s*=\s*)?(-?\d+(?:\.\d+)?)\s*\)?")
_QUOTED = re.compile(r"(?<!\w)'([^']+)'(?!\w)|\"([^\"]+)\"|“([^”]+)”|「([^」]+)」|『([^』]+)』")
_KANJI = "一二三四五六七八九"
_ORDINAL = ("first", "second", "third", "fourth", "fifth", "sixth")
_OF_BUILDINGS = ("map", "dir", "colour", "icon", "way", "selection", "which", "and", "agg", "cmp", "per", "plot", "light",
    "pad", "follow", "back", "adds")  # fmt: skip
Names = tuple[str, ...]
# A room: floor and name.
Spot = tuple[str, str]


@dataclass(eq=False)
class BuildingSchema(TableSchema):
    """Terms of a building; `selected` are the rooms selected on the map."""

    floors: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    current: str = ""
    bitmaps: Sequence[str] = ()

    def speaks(self, kind: str, value: str) -> bool:
        """Return whether a lexicon meaning can belong to a request about the building."""
        return kind in _OF_BUILDINGS

    def floors_of(self, room: str) -> list[str]:
        """Return the floors that have a room of this name."""
        return [floor for floor, rooms in self.floors.items() if room in rooms]

    @property
    def room_names(self) -> tuple[str, ...]:
        """Names of all rooms, without duplicates, floor by floor."""
        return tuple(dict.fromkeys(room for rooms in self.floors.values() for room in rooms))


def building_of(catalogue: Catalogue, selected: tuple[Spot, ...] = ()) -> BuildingSchema:
    """Return the terms of a catalogue's building."""
    rooms = tuple((floor, tuple(names)) for floor, names in catalogue.rooms.items())
    names = tuple(catalogue.floor_names.items())
    schema = _building(rooms, names, catalogue.current_floor, tuple(catalogue.bitmaps))
    return replace(schema, selected=selected) if selected else schema


# All arguments are tuples and texts, since lru_cache needs hashable ones.
@lru_cache(maxsize=16)
def _building(
    floors: tuple[tuple[str, Names], ...], names: tuple[Spot, ...], current: str, bitmaps: Names
) -> BuildingSchema:
    floor_names = dict(names)
    table = TableInfo("", [], 0, "")
    schema = BuildingSchema(table, [], floors=dict(floors), current=current, bitmaps=bitmaps)
    for floor, rooms in floors:
        for name in {floor, floor_names.get(floor, floor), *_floor_names(floor)}:
            schema.terms[key_of(name)].append(Term("floor", 0.95, value=floor))
        for room in rooms:
            for key in {key_of(room), key_of(room, camel=False)}:
                if not any(term.value == room for term in schema.terms[key]):
                    schema.terms[key].append(Term("room", 1.0, value=room))
    for synonyms in KINDS.values():
        keys = {key_of(word) for word in synonyms}
        rooms = [room for room in schema.room_names if key_of(room, camel=False) in keys]
        for word in synonyms:
            terms = schema.terms[key_of(word)]
            terms.append(Term("place", 0.85, value=word))
            has_room = any(term.kind == "room" for term in terms)
            terms += [Term("room", 0.9, value=room) for room in rooms[:1] if not has_room]
    for bitmap in bitmaps:
        if not bitmap.startswith("arrow_"):
            schema.terms[key_of(bitmap)].append(Term("icon", 0.9, value=bitmap))
    return schema


def _floor_names(floor: str) -> Iterator[str]:
    """Yield names of a floor besides its id: floor 2, the second floor, 2階, 二階, the basement."""
    number = re.fullmatch(r"(B?)(\d+)F?", floor, re.I)
    if number is None:
        return
    count = int(number[2])
    kanji = _KANJI[count - 1] if 0 < count < 10 else str(count)
    if number[1]:
        yield from (f"地下{count}階", f"basement {count}", f"地下{kanji}階")
        yield from ("basement", "the basement", "地下", "地階") if count == 1 else ()
        return
    yield from (f"floor {count}", f"{count}階", f"{kanji}階", f"{count}f", f"floor {floor}", f"level {count}")
    if 0 < count <= len(_ORDINAL):
        yield f"{_ORDINAL[count - 1]} floor"
        yield f"{count}{('st', 'nd', 'rd', 'th', 'th', 'th')[count - 1]} floor"
    if count == 1:
        yield "ground floor"


def places_in(request: Request) -> Iterator[Mention]:
    """Yield quoted texts, points, and floors that may not exist, as mentions over their units."""
    for pattern, kind in ((_QUOTED, "quoted"), (_POINT, "point"), (_NO_FLOOR, "no floor")):
        for match in pattern.finditer(request.text):
            inside = request.inside(match.start(), match.end())
            value: object = next((part for part in match.groups() if part), match[0])
            if kind == "point":
                value = (float(match[1]), float(match[2]))
            if inside:
                yield Mention(inside[0], inside[-1] + 1, kind, value, None, 0.98 if kind == "quoted" else 0.8)


_NO_FLOOR = re.compile(r"floor \w+|\b\d+(?:st|nd|rd|th) floor|地下\d*階|\d+階", re.I)
