"""Terms of the building: rooms, floors, kinds of rooms, icons; and mentions of points and quoted texts."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from smoldesk.analyst.building.intents import MapUpdate, ToolCall
from smoldesk.analyst.catalogue import Catalogue, TableInfo
from smoldesk.analyst.mentions import Mention
from smoldesk.analyst.requests import Request
from smoldesk.analyst.schema import TableSchema, Term
from smoldesk.analyst.units import key_of
from smoldesk.buildings.kana import KATAKANA
from smoldesk.buildings.kinds import KINDS
from smoldesk.buildings.names import fold
from smoldesk.buildings.places import PlaceIndex
from smoldesk.errors import NotFound

_POINT = re.compile(r"\(?\s*(?:x\s*=\s*)?(-?\d+(?:\.\d+)?)\s*[,、]\s*(?:y\s*=\s*)?(-?\d+(?:\.\d+)?)\s*\)?")
_QUOTED = re.compile(r"(?<!\w)'([^']+)'(?!\w)|\"([^\"]+)\"|“([^”]+)”|「([^」]+)」|『([^』]+)』")
_OF_BUILDINGS = ("map", "dir", "colour", "icon", "way", "selection", "which", "and", "agg", "cmp", "per", "plot",
    "pad", "follow", "back", "adds", "greet", "not")  # fmt: skip
Names = tuple[str, ...]
# Maximum rooms of a building that a refusal lists.
MAX_LISTED = 20
# A room: floor and name.
Spot = tuple[str, str]


@dataclass(eq=False)
class BuildingSchema(TableSchema):
    """Terms of a building; `selected` are the rooms selected on the map, `closed` the texts of what the chat closed."""

    floors: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    current: str = ""
    bitmaps: Sequence[str] = ()
    places: PlaceIndex | None = None
    closed: Names = ()

    def speaks(self, kind: str, value: str) -> bool:
        """Return whether a lexicon meaning can belong to a request about the building."""
        return kind in _OF_BUILDINGS

    def floors_of(self, room: str) -> list[str]:
        """Return the floors that have a room of this name."""
        return [floor for floor, rooms in self.floors.items() if room in rooms]

    def spots_of(self, kind: str, floor: str = "") -> list[Spot]:
        """Return the rooms of a kind, on one floor if it is given."""
        spots = self.places.by_kind.get(kind, []) if self.places else []
        return [spot for spot in spots if floor in ("", spot[0])]

    def previous(self, intent: object, refers: bool) -> tuple[Spot, ...]:
        """Return the rooms that the answer to a request was about, the goal of a route only if the request says `there`."""
        if self.places is None or not isinstance(intent, ToolCall | MapUpdate):
            return ()
        if isinstance(intent, MapUpdate):
            texts = [f"{room} ({intent.floor})" if "(" not in room else room for room, _ in intent.highlights]
            return tuple(spot for text in texts for spot in self.spots_named(text))
        arguments = dict(intent.arguments)
        if intent.tool == "list_rooms":
            spots = self.spots_named(str(arguments.get("kind", "")))
            floors = self.places.floor_ids(str(arguments["floor"])) if arguments.get("floor") else []
            return tuple(spot for spot in spots if not floors or spot[0] in floors)
        goal = arguments.get("goal") if refers else None
        return self.spots_named(str(arguments.get("name") or goal or ""))

    def spots_named(self, text: str) -> tuple[Spot, ...]:
        """Return the rooms of a name, a kind, or a list of names; empty for none."""
        try:
            return tuple(self.places.find_each(text)[0]) if self.places and text else ()
        except NotFound:
            return ()

    def kind_of(self, text: str) -> str | None:
        """Return the kind of rooms that a text means; None for the name of a room, except in the plural: corridors."""
        if self.places is None or (kind := self.places.kind(text)) is None:
            return None
        return kind if kind and (not self.places.named(text) or fold(text).endswith("s")) else None

    def is_room(self, text: str) -> bool:
        """Return whether a text is the number of a room, at least of three digits."""
        return len(text) >= _SHORTEST_NUMBER and self.places is not None and bool(self.places.named(text))

    def lacks(self, text: str, code: str) -> bool:
        """Return whether a text is a room number of the building's form that no room has: `room 7`, 2199 beside 2101."""
        if self.places is None or self.places.named(text) or self.places.named(code):
            return False
        if code != text:
            return True
        numbered = not code.isdigit() or len(code) >= _SHORTEST_NUMBER
        return numbered and _shape(code) in self.shapes

    def near(self, *texts: str) -> tuple[str, ...]:
        """Return the rooms whose names resemble texts; all rooms of a small building if none does."""
        names = (
            [name for text in texts if len(text) > 3 for name in self.places.near(text)]
            if self.places
            else []
        )
        return tuple(dict.fromkeys(names)) or (self.room_names if len(self.room_names) <= MAX_LISTED else ())

    @cached_property
    def shapes(self) -> set[str]:
        """Forms of the names with a digit."""
        names = (name for name, _ in self.places.names()) if self.places else ()
        return {_shape(name) for name in names if any(char.isdigit() for char in name)}

    @property
    def room_names(self) -> tuple[str, ...]:
        """Names of all rooms, without duplicates, floor by floor."""
        return tuple(dict.fromkeys(room for rooms in self.floors.values() for room in rooms))


def building_of(catalogue: Catalogue, selected: tuple[Spot, ...] = (), closed: Names = ()) -> BuildingSchema:
    """Return the terms of a catalogue's building."""
    schema = _building(catalogue.places, catalogue.current_floor, tuple(catalogue.bitmaps))
    return replace(schema, selected=selected, closed=closed) if selected or closed else schema


# Equal places are the same object, so the terms of a building are built once.
@lru_cache(maxsize=16)
def _building(places: PlaceIndex | None, current: str, bitmaps: Names) -> BuildingSchema:
    table = TableInfo("", [], 0, "")
    schema = BuildingSchema(table, [], current=current, bitmaps=bitmaps, places=places)
    for bitmap in bitmaps:
        if not bitmap.startswith("arrow_"):
            schema.terms[key_of(bitmap)].append(Term("icon", 0.9, value=bitmap))
    if places is None:
        return schema
    floors = places.definition.floors
    schema.floors = {floor.floor_id: [room.name for room in floor.rectangles] for floor in floors}
    for name, ids in places.floors.items():
        # A key has no sign: `places_in` reads these.
        for floor in ids if is_floor_name(name) and "-" not in name else ():
            _add(schema, name, Term("floor", 0.95, value=floor))
    for name, spots in places.names():
        for room in dict.fromkeys(room for _, room in spots):
            _add_room(schema, name, room)
    for link in places.definition.links or ():
        if link.name:
            _add(schema, link.name, Term("place", 0.95, value=link.name))
    for kind in dict.fromkeys((*KINDS, *places.by_kind)):
        synonyms = KINDS.get(kind, (kind,))
        for word in synonyms:
            _add(schema, word, Term("place", 0.85, value=kind))
    return schema


def is_floor_name(name: str) -> bool:
    """Return whether a name of a floor means one by itself: "2" alone is a number."""
    return len(name) > 1 and not name.isdigit() and not (name[0] == "-" and name[1:].isdigit())


def _add(schema: BuildingSchema, name: str, term: Term) -> None:
    """Add a term under the keys of a name, unless it is there already."""
    for key in {key_of(name), key_of(name, camel=False)}:
        if key and not any((old.kind, old.value) == (term.kind, term.value) for old in schema.terms[key]):
            schema.terms[key].append(term)


def _add_room(schema: BuildingSchema, name: str, room: str) -> None:
    """Add a room under one of its names; a number of one or two digits alone is rather a number."""
    few = name.isdigit() and len(name) < _SHORTEST_NUMBER
    if few and fold(room) != name:
        return  # the 2 of Room2
    for text in {name, room} if fold(room) == name else {name}:
        _add(schema, text, Term("room", 0.8 if few else 1.0, value=room))
    if name[-1:].isdigit() or name[:1].isdigit():
        for form in (f"room {name}", f"{name}号室", f"部屋{name}", f"{name}の部屋"):
            _add(schema, form, Term("room", 1.0, value=room))


def places_in(request: Request, building: BuildingSchema) -> Iterator[Mention]:
    """Yield quoted texts, points, and floors and room numbers that may not exist, as mentions over their units."""
    for pattern, kind in (
        (_QUOTED, "quoted"),
        (_POINT, "point"),
        (_NO_FLOOR, "no floor"),
        (_CODE, "no room"),
    ):
        for match in pattern.finditer(request.text):
            inside = request.inside(match.start(), match.end())
            value: object = next((part for part in match.groups() if part), match[0])
            strength = 0.98 if kind == "quoted" else 0.8
            if kind == "point" and building.places and any(map(building.is_room, match.groups())):
                continue  # 2020, 2021 are rooms
            if kind == "point":
                value = (float(match[1]), float(match[2]))
            elif kind == "no floor" and building.places and building.places.floor_ids(match[0]):
                continue
            elif kind == "no room":
                if not building.lacks(match[0], str(value)):
                    continue
                strength = 0.95
            if inside:
                yield Mention(inside[0], inside[-1] + 1, kind, value, None, strength)
    for match in _BELOW.finditer(request.text) if building.places else ():
        inside, text = request.inside(match.start(), match.end()), f"floor -{match[1] or match[2]}"
        floors = building.places.floor_ids(text) if building.places else []
        if inside:
            kind, value = ("floor", floors[0]) if floors else ("no floor", match[0])
            yield Mention(inside[0], inside[-1] + 1, kind, value, None, 1.2)
    for match in KATAKANA.finditer(request.text):
        inside = request.inside(match.start(), match.end())
        for _, room in building.places.sounding(match[0])[:1] if building.places and inside else ():
            yield Mention(inside[0], inside[-1] + 1, "room", room, None, 0.9)


# Minimum digits of a number alone that is taken for a room.
_SHORTEST_NUMBER = 3
_NO_FLOOR = re.compile(
    r"(?:floor|level) -?[a-z]?\d\w*|レベル-?\d+|\b\d+(?:st|nd|rd|th) floor|地下\d*階|\d+階"
    r"|(?<![\w.])b?\d{1,2}f(?![a-z0-9])",
    re.I,
)
_BELOW = re.compile(
    r"(?:\b(?:level|floor)|レベル|フロア) ?[-−](\d+)|(?<![\w.,])[-−](\d+)(?:階|フロア| ?(?:floor|level)\b)",
    re.I,
)
_CODE = re.compile(
    r"(?i)(?<![a-z0-9.,])(?:room |rm |部屋)?([a-z]{0,5}-?\d+[a-z]?(?:[-.]\d+[a-z]?)*)(?:号室)?(?![a-z0-9]|[.,]\d|階)"
)


def _shape(code: str) -> str:
    """Return the form of a room number: A999 of E001."""
    return re.sub(r"[^\W\d_]", "A", re.sub(r"\d", "9", fold(code)))
