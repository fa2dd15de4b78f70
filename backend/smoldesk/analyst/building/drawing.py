"""Reader of map drawings: highlights, positions of arrows, icons and texts, the floor, and what to clear.

Places and things are paired by position: in English a place belongs to the last thing before it, in Japanese to the first
thing after it. Colours and directions are assigned to the places in the order of the request.
"""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import cast

from smoldesk.analyst.building.intents import At, MapUpdate
from smoldesk.analyst.building.terms import BuildingSchema, Spot
from smoldesk.analyst.mentions import Interpretation, Mention
from smoldesk.analyst.refusal import Refusal
from smoldesk.analyst.requests import BEYOND_PLAN, Request, cut_penalty, phrases_in, runs
from smoldesk.buildings.kinds import find_kind
from smoldesk.buildings.places import room_middle

MAX_POINTS = 200
_THINGS = ("highlight", "arrow", "icon", "text", "colour")
_RESTYLED = ("arrow", "highlight")
_ROOMS = ("room", "place", "no room")
_CONTINUES = re.compile(r"(?:and|now|what about|how about) |じゃあ|では|それじゃ|次", re.I)
# A question is answered in words: what colour is the kitchen? Its words for colours and directions draw nothing.
_ASKS = re.compile(
    r"^(?:and |so |ok,? |please )?(?:tell me )?(?:what|which|who|whose|how|why|when)\b(?! about)"
    r"|どの(?!部屋も)|どこ|何(?!か)|いくつ|どれ|どちら|どっち|誰",
    re.I,
)
_MAY_ASK = re.compile(
    r"^(?:and |so )?(?:is|are|was|were|does|do|did|has|have|can (?!you)|could (?!you)|should|will (?!you)|may|must)\b"
    r"|(?:る|ない|た|です|ます|ません|でしょう)か?[?？]$",
    re.I,
)
# Words of ways that no drawing depends on.
_NEUTRAL = frozenset(("where", "list", "that", "building", "to", "all"))
_ALL = re.compile(r"\b(?:all|every|each)\b|すべて|全て|全部|全ての", re.I)


def is_question(request: Request, reading: Interpretation) -> bool:
    """Return whether a request asks for an answer or a way; a polite form alone does only if nothing is to be drawn."""
    marks = reading.mentions
    actions = {str(mark.value) for mark in marks if mark.kind == "map"}
    draws = bool(actions & {*_THINGS, "clear"}) or any(mark.kind == "colour" for mark in marks)
    ways = {str(mark.value) for mark in marks if mark.kind == "way"}
    if ways >= {"from", "to"} and "arrow" not in actions:
        return True
    return bool(_ASKS.search(request.text)) or (not draws and bool(_MAY_ASK.search(request.text)))


def is_drawing(reading: Interpretation) -> bool:
    """Return whether an interpretation names a place or the map, and an action of drawing."""
    marks = reading.mentions
    map_actions = {str(mark.value) for mark in marks if mark.kind == "map"}
    things = {mark.kind for mark in marks}
    rooms = bool(things & {*_ROOMS, "no floor"}) or bool(map_actions & {"rooms", "units"})
    asks = any(mark.is_a("way", "go", "nearest", "where", "closed") for mark in marks)
    counted = bool(things & {"number", "unit"}) and not map_actions & {"random", "points"}
    # "Those on floor 2" refers to rooms; it does not ask to see the floor.
    refers = any(mark.is_a("way", "that") for mark in marks) and not (
        rooms or map_actions or things & {"colour"}
    )
    if asks or counted or refers or things & {"agg", "cmp", "per", "plot"}:
        return False
    if things & {"point", "floor", "no floor"} or map_actions & {"clear", "map", "highlight", "arrow"}:
        return True
    if {"random", "points"} <= map_actions:
        return True
    return rooms and bool(things & {"colour", "dir", "icon", "quoted"} or map_actions & {"icon", "text"})


@dataclass
class _Placed:
    """Place, the index of its mention, and its floor; empty for the one that is shown."""

    index: int
    at: At
    floor: str = ""

    @property
    def name(self) -> str:
        """Name of the room, with its floor if that is not shown."""
        return f"{self.at.room} ({self.floor})" if self.floor else self.at.room


class DrawingReader:
    """Reader of one drawing of one interpretation."""

    def __init__(
        self, request: Request, building: BuildingSchema, reading: Interpretation, japanese: bool
    ) -> None:
        self.request = request
        self.building = building
        self.marks = _label_mentions(request, reading)
        self.japanese = japanese
        if not any(mark.kind in (*_ROOMS, "point", "selection") for mark in self.marks):
            self.marks = [self._as_place(mark) for mark in self.marks]

    def _as_place(self, mark: Mention) -> Mention:
        """Return an icon that is a kind of rooms here as these: highlight the stairs."""
        kind = find_kind(str(mark.value)) if mark.kind == "icon" else None
        return replace(mark, kind="place", value=kind) if kind and self.building.spots_of(kind) else mark

    def read(self) -> MapUpdate | Refusal:
        """Return the drawing, or a refusal that names what does not exist."""
        map_actions = {str(mark.value) for mark in self.marks if mark.kind == "map"}
        floor = self._floor()
        if isinstance(floor, Refusal):
            return floor
        if "clear" in map_actions:
            if rooms := [text for kind in _ROOMS for text in self._named(kind)]:
                return Refusal("too_much", tuple(rooms))
            return MapUpdate(clear="arrows" if "arrow" in map_actions and "map" not in map_actions else "map")
        icons = self._named("icon")
        if "random" in map_actions and ("points" in map_actions or "icon" in map_actions or icons):
            count = int(float([*self._named("number"), "5"][0]))
            points = min(max(count, 1), MAX_POINTS)
            return MapUpdate(floor, random_points=points, random_icon=icons[0] if icons else "")
        return self._drawing(floor)

    def _floor(self) -> str | Refusal:
        """Return the named floor, else the current one if it has a place, else the first floor that has one."""
        if unknown := self._named("no floor"):
            return Refusal("no_floor", unknown[:1], tuple(self.building.floors))
        if named := self._named("floor"):
            return named[0]
        floors = [floor for mark in self.marks for floor, _ in self._spots(mark)]
        current = self.building.current
        return current if current in floors or not floors else floors[0]

    def _spots(self, mark: Mention) -> list[Spot]:
        """Return the rooms that a mention means; those of the named floor, if there is one."""
        named, value = self._floors_of(mark), str(mark.value)
        if mark.kind == "selection":
            spots = list(self.building.selected)
        elif mark.kind == "place":
            spots = self.building.spots_of(value)
        elif mark.kind == "room" and (kind := self._every(mark)):
            spots = self.building.spots_of(kind)
        else:
            spots = [(on, value) for on in self.building.floors_of(value)] if mark.kind == "room" else []
        return [spot for spot in spots if not named or spot[0] in named]

    def _floors_of(self, mark: Mention) -> Sequence[str]:
        """Return the named floors; of several ones beside several places that of the place: toilets on 2F and offices on 3F."""
        floors = [other for other in self.marks if other.kind == "floor"]
        places = [other for other in self.marks if other.kind in ("place", "room")]
        if len(floors) < 2 or len(places) < 2:
            return self._named("floor")
        beside = [other for other in floors if (other.first < mark.first) == self.japanese]
        return [str((beside[-1] if self.japanese else beside[0]).value)] if beside else self._named("floor")

    def _every(self, mark: Mention) -> str | None:
        """Return the kind of rooms whose name is also a kind, if all are meant: all corridors, 廊下をすべて."""
        text = self.request.raw(mark.first, mark.end)
        kind = self.building.kind_of(text)
        if kind is None and _ALL.search(self.request.text) and self.building.places is not None:
            kind = self.building.places.kind(text)
        return kind

    def _placed(self, floor: str) -> list[_Placed] | Refusal:
        """Return the places; a refusal for a room that the named floor lacks, or if no room exists."""
        placed: list[_Placed] = []
        for index, mark in enumerate(self.marks):
            if mark.kind == "point":
                x, y = cast("tuple[float, float]", mark.value)
                placed.append(_Placed(index, At(x=x, y=y)))
            spots = self._spots(mark)
            placed += [_Placed(index, At(room=name), on if on != floor else "") for on, name in spots]
            if mark.kind in ("room", "place") and not spots:
                text = str(mark.value) if mark.kind == "room" else self.request.raw(mark.first, mark.end)
                return Refusal("no_room", (text,), tuple(self.building.floors.get(floor, ())), floor)
        if not placed and (unknown := self._named("no room")):
            return Refusal("no_room", unknown, self.building.room_names)
        return placed

    def _drawing(self, floor: str) -> MapUpdate | Refusal:
        here = list(self.building.floors.get(floor, []))
        placed = self._placed(floor)
        if isinstance(placed, Refusal):
            return placed
        points = any(mark.is_a("map", "arrow") for mark in self.marks) and not self._named("dir")
        towards = ""
        if points and (direction := self._direction(placed, floor)):
            self.marks.append(Mention(0, 0, "dir", direction))
            towards, placed = placed[1].at.room, placed[:1]
        things = [(index, thing) for index, mark in enumerate(self.marks) if (thing := _thing(mark))]
        owner = [self._owner(place.index, things) for place in placed]
        drawing_kinds = {thing for _, thing in things}
        colours = self._of("colour")
        directions = self._of("dir")
        icons = self._of("icon")
        texts = self._of("quoted")
        text_colour = ""
        if texts and "highlight" not in drawing_kinds and placed and set(owner) == {"text"}:
            text_colour, colours = (colours[0][1] if colours else ""), []  # write 'Exit' in Room1 in red

        def places(*kinds: str) -> list[_Placed]:
            """Return the places of these kinds of things; a thing without places uses all of them."""
            return [place for place, kind in zip(placed, owner, strict=True) if kind in kinds] or placed

        highlighted = [place for place in places("highlight", "colour") if place.at.room]
        if not placed and (colours or directions or texts or icons or drawing_kinds - {"colour"}):
            every = any(mark.is_a("map", "rooms", "units") for mark in self.marks)
            if not every or not ("highlight" in drawing_kinds or colours):
                return Refusal("which_rooms", choices=tuple(here), table=floor)
            highlighted = [_Placed(0, At(room=room)) for room in here]
        if ("icon" in drawing_kinds and not icons) or ("text" in drawing_kinds and not texts):
            icon_names = tuple(bitmap for bitmap in self.building.bitmaps if not bitmap.startswith("arrow_"))
            return Refusal("no_icon", (), icon_names) if "icon" in drawing_kinds else Refusal("nothing")
        if "arrow" in drawing_kinds and not directions:
            return Refusal("which_way", choices=("up", "down", "left", "right"))
        others = directions or texts or icons or drawing_kinds & {"arrow", "icon", "text"}
        if others and (elsewhere := [place.at.room for place in placed if place.floor]):
            return Refusal("no_room", tuple(elsewhere), tuple(here), floor)
        plain = bool(placed and not others)
        highlighted = highlighted if "highlight" in drawing_kinds or colours or plain else []
        shades = _paired([place.index for place in highlighted], colours)
        marked = tuple((place.at.to_text(), place.at) for place in placed if plain and not place.at.room)
        rooms = tuple((place.name, shade) for place, shade in zip(highlighted, shades, strict=True))
        arrows, bitmaps = _with(places("arrow"), directions), _with(places("icon"), icons)
        labels = _with(places("text"), [(0, text) for _, text in texts]) or marked
        missing = self._named("no room")
        kinds = [str(mark.value) for mark in self.marks if mark.kind == "place"]
        every = "rooms" if rooms and not placed else kinds[0] if len(kinds) == 1 and not others else ""
        update = MapUpdate(floor, rooms, arrows, bitmaps, labels, text_colour=text_colour, kind=every)
        return replace(update, towards=towards, missing=missing)

    def _direction(self, placed: Sequence[_Placed], floor: str) -> str:
        """Return the direction from the first to the second of two rooms of the floor: an arrow from A to B."""
        places, ends = self.building.places, [place.at.room for place in placed]
        if places is None or len(ends) != 2 or any(place.floor for place in placed):
            return ""
        (x, y), (to_x, to_y) = (room_middle(places.definition, (floor, room)) for room in ends)
        if abs(to_x - x) >= abs(to_y - y):
            return "right" if to_x > x else "left"
        return "down" if to_y > y else "up"

    def _named(self, kind: str) -> tuple[str, ...]:
        return tuple(value for _, value in self._of(kind))

    def _of(self, kind: str) -> list[tuple[int, str]]:
        return [(index, str(mark.value)) for index, mark in enumerate(self.marks) if mark.kind == kind]

    def _owner(self, index: int, things: Sequence[tuple[int, str]]) -> str:
        """Return the thing that a place belongs to."""
        before = [thing for at, thing in things if at < index]
        after = [thing for at, thing in things if at > index]
        if self.japanese:
            return after[0] if after else before[-1] if before else ""
        return before[-1] if before else after[0] if after else ""


def _thing(mark: Mention) -> str:
    """Return the kind of drawing that a mention concerns."""
    if mark.kind == "map":
        return str(mark.value) if mark.value in _THINGS else ""
    return {"quoted": "text", "icon": "icon", "dir": "arrow", "colour": "colour"}.get(mark.kind, "")


def _label_mentions(request: Request, reading: Interpretation) -> list[Mention]:
    """Read unquoted label texts next to the word for text: `with the text Exit`, `Exitという文字`."""
    marks = list(reading.mentions)
    covered = {n for mark in marks for n in range(mark.first, mark.end)}

    def quoted(first: int, end: int) -> Mention:
        return Mention(first, end, "quoted", request.raw(first, end))

    for at, mark in enumerate(marks):
        if not mark.is_a("map", "text") or any(mark.kind == "quoted" for mark in marks):
            continue
        behind = _bare_run(request, covered, mark.end, 1)
        before = _bare_run(request, covered, mark.first - 1, -1)
        if at + 1 < len(marks) and marks[at + 1].kind == "icon" and marks[at + 1].first == mark.end:
            marks[at + 1] = quoted(mark.end, marks[at + 1].end)
        elif behind:
            marks.append(quoted(behind[0], behind[-1] + 1))
        elif before:
            marks.append(quoted(before[-1], before[0] + 1))
    return sorted(marks, key=lambda mark: mark.first)


def _bare_run(request: Request, covered: set[int], start: int, step: int) -> list[int]:
    """Return the uncovered content units from `start` on."""
    at = start
    while 0 <= at < len(request.units) and at not in covered and at not in request.free:
        at += step
    return list(range(start, at, step))


def _paired(indexes: Sequence[int], indexed_values: Sequence[tuple[int, str]]) -> list[str]:
    """Return a value for each place: in order, one for all, else the nearest one after it."""
    if not indexed_values:
        return [""] * len(indexes)
    order = list(dict.fromkeys(indexes))  # a kind of rooms has several places at one index
    if len(indexed_values) == len(order):
        return [indexed_values[order.index(index)][1] for index in indexes]
    last = indexed_values[-1][1]
    return [next((value for at, value in indexed_values if at > index), last) for index in indexes]


def _with(places: Sequence[_Placed], indexed_values: Sequence[tuple[int, str]]) -> tuple[tuple[str, At], ...]:
    """Return the values, each with its place."""
    values = _paired([place.index for place in places], indexed_values)
    return tuple((value, place.at) for place, value in zip(places, values, strict=True) if value)


def undrawn(request: Request, reading: Interpretation, drawing: MapUpdate) -> tuple[str, ...]:
    """Return the words that a drawing says nothing about: a way, a comparison, a thing that no plan knows."""
    named = {
        n
        for mark in reading.mentions
        if mark.kind not in ("pad", "which", "and")
        for n in range(mark.first, mark.end)
    }
    beyond = (
        (first, end)
        for first, end, meaning in phrases_in(request)
        if meaning == BEYOND_PLAN
        and named.isdisjoint(range(first, end))
        and not cut_penalty(request, first, end)
    )
    dropped = (
        (mark.first, mark.end)
        for mark in reading.mentions
        if mark.kind in ("cmp", "agg", "not")
        or (mark.kind == "way" and mark.value not in _NEUTRAL)
        or (mark.is_a("map", "where") and drawing.icons)  # where do the people go
    )
    return tuple(request.raw(*span) for span in (*beyond, *dropped))


def with_modified(request: Request, reading: Interpretation, unknown: AbstractSet[int]) -> Interpretation:
    """Return an interpretation in which a place beside unknown words is a name that no room has: Z Wards, レストラン街."""
    for first, end in runs(sorted(unknown)):
        word = request.raw(first, end)
        for mark in (mark for mark in reading.mentions if mark.kind in ("room", "place")):
            start, after = min(first, mark.first), max(end, mark.end)
            name = request.raw(start, after)
            is_before = mark.first == end and not re.match(r"\W*[^\w\s'-]", name[len(word) :])
            if is_before or (mark.end == first and re.fullmatch("[\u3400-\u9fffァ-ヶー]+", word)):
                named = Mention(start, after, "no room", name)
                mentions = tuple(named if other is mark else other for other in reading.mentions)
                units = tuple(unit for unit in reading.uncovered_units if not first <= unit < end)
                texts = tuple(text for text in reading.uncovered if text not in word)
                reading = replace(reading, mentions=mentions, uncovered=texts, uncovered_units=units)
                break
    return reading


def listed_terms(request: Request, reading: Interpretation) -> tuple[str, ...]:
    """Return the unexplained words if all stand in a list with places: highlight Kitchen and Ballroom."""
    texts: list[str] = []
    for first, end in runs(reading.uncovered_units):
        before = [mark for mark in reading.mentions if mark.end <= first]
        after = [mark for mark in reading.mentions if mark.first >= end]
        if not (_is_list(request, before[::-1], first) or _is_list(request, after, end)):
            return ()
        texts.append(request.raw(first, end))
    return tuple(texts)


def _is_list(request: Request, marks: Sequence[Mention], at: int) -> bool:
    """Return whether a place comes first of the mentions beside a word, apart from a conjunction or a comma."""
    place = next((mark for mark in marks if mark.kind not in ("and", "pad")), None)
    if place is None or place.kind not in (*_ROOMS, "selection"):
        return False
    first, end = min(place.end, at), max(place.first, at)
    between = {unit.raw or unit.key for unit in request.units[first:end]}
    between |= {request.raw(n, n + 1) for n in range(first, end)}
    return bool(between & {"and", ",", "、", "と", "&", "や"})


def other_floor(request: Request, reading: Interpretation) -> str:
    """Return the floor of a request that only names one after a word that continues: じゃあ地下は, and on 2F."""
    floors = [str(mark.value) for mark in reading.mentions if mark.kind == "floor"]
    kinds = {mark.kind for mark in reading.mentions}
    continues = bool(kinds & {"follow", "back", "and", "adds"}) or _CONTINUES.match(request.text)
    only = kinds <= {"floor", "pad", "follow", "back", "and", "adds"} and not reading.uncovered
    return floors[0] if continues and only and len(floors) == 1 else ""


def on_floor(building: BuildingSchema, before: MapUpdate, floor: str) -> MapUpdate:
    """Return the same drawing on another floor."""
    rooms = list(building.floors.get(floor, ()))
    if before.kind != "rooms":
        rooms = [room for _, room in building.spots_of(before.kind, floor)]
    colour = before.highlights[0][1] if before.highlights else ""
    return replace(before, floor=floor, highlights=tuple((room, colour) for room in rooms))


def redrawn(reading: Interpretation, before: MapUpdate) -> MapUpdate | None:
    """Return the previous drawing with another colour or direction: `now in blue`, 次は緑で."""
    marks = reading.mentions
    colours = [str(mark.value) for mark in marks if mark.kind == "colour"]
    directions = [str(mark.value) for mark in marks if mark.kind == "dir"]
    others = [m for m in marks if m.kind not in ("colour", "dir", "pad") and not m.is_a("map", *_RESTYLED)]
    if others or not (colours or directions) or before.clear:
        return None
    update = replace(before, random_points=0, random_icon="", seed=1)
    if colours:
        update = replace(update, highlights=tuple((room, colours[0]) for room, _ in before.highlights))
    if directions:
        update = replace(update, arrows=tuple((directions[0], at) for _, at in before.arrows))
    return update if update != before else None
