"""Reader of map drawings: highlights, positions of arrows, icons and texts, the floor, and what to clear.

Places and things are paired by position: in English a place belongs to the last thing before it, in Japanese to the first
thing after it. Colours and directions are assigned to the places in the order of the request.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from smoldesk.analyst.building.intents import At, MapUpdate
from smoldesk.analyst.building.terms import BuildingSchema
from smoldesk.analyst.mentions import Interpretation, Mention
from smoldesk.analyst.refusal import Refusal
from smoldesk.analyst.requests import Request

MAX_POINTS = 200
_THINGS = ("highlight", "arrow", "icon", "text", "colour")
_RESTYLED = ("arrow", "highlight")


def is_drawing(reading: Interpretation) -> bool:
    """Return whether an interpretation names a place or the map, and an action of drawing."""
    marks = reading.mentions
    map_actions = {str(mark.value) for mark in marks if mark.kind == "map"}
    things = {mark.kind for mark in marks}
    rooms = bool(things & {"room", "no floor"}) or "rooms" in map_actions
    asks = any(mark.is_a("way", "go", "nearest", "where", "closed") for mark in marks)
    if asks or things & {"agg", "cmp", "per", "plot"}:
        return False
    if things & {"point", "floor", "no floor"} or map_actions & {"clear", "map", "highlight", "arrow"}:
        return True
    if {"random", "points"} <= map_actions:
        return True
    return rooms and bool(things & {"colour", "dir", "icon", "quoted"} or map_actions & {"icon", "text"})


@dataclass
class _Placed:
    """Place, and the index of its mention."""

    index: int
    at: At


class DrawingReader:
    """Reader of one drawing of one interpretation."""

    def __init__(
        self, request: Request, building: BuildingSchema, reading: Interpretation, japanese: bool
    ) -> None:
        self.request = request
        self.building = building
        self.marks = _label_mentions(request, reading)
        self.japanese = japanese

    def read(self) -> MapUpdate | Refusal:
        """Return the drawing, or a refusal that names what does not exist."""
        map_actions = {str(mark.value) for mark in self.marks if mark.kind == "map"}
        floor = self._floor()
        if isinstance(floor, Refusal):
            return floor
        if "clear" in map_actions:
            if rooms := self._named("room"):
                return Refusal("too_much", rooms)
            return MapUpdate(clear="arrows" if "arrow" in map_actions and "map" not in map_actions else "map")
        icons = self._named("icon")
        if "random" in map_actions and ("points" in map_actions or "icon" in map_actions or icons):
            count = int(float([*self._named("number"), "5"][0]))
            points = min(max(count, 1), MAX_POINTS)
            return MapUpdate(floor, random_points=points, random_icon=icons[0] if icons else "")
        return self._drawing(floor)

    def _floor(self) -> str | Refusal:
        """Return the named floor, else the current one if it has the rooms, else the first floor that has them."""
        if unknown := self._named("no floor"):
            return Refusal("no_floor", unknown[:1], tuple(self.building.floors))
        if named := self._named("floor"):
            return named[0]
        rooms, current = self._named("room"), self.building.current
        floors = self.building.floors_of(rooms[0]) if rooms else [current]
        return current if current in floors else floors[0]

    def _drawing(self, floor: str) -> MapUpdate | Refusal:
        here = list(self.building.floors.get(floor, []))
        placed: list[_Placed] = []
        for index, mark in enumerate(self.marks):
            if mark.kind == "point":
                x, y = cast("tuple[float, float]", mark.value)
                placed.append(_Placed(index, At(x=x, y=y)))
            elif mark.kind == "room":
                if mark.value not in here:
                    return Refusal("no_room", (str(mark.value),), tuple(here), floor)
                placed.append(_Placed(index, At(room=str(mark.value))))
            elif mark.kind == "selection":
                chosen = self.building.selected
                placed += [_Placed(index, At(room=name)) for on, name in chosen if on == floor]
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
            every = any(mark.is_a("map", "rooms") for mark in self.marks)
            if not every or not ("highlight" in drawing_kinds or colours):
                return Refusal("which_rooms", choices=tuple(here), table=floor)
            highlighted = [_Placed(0, At(room=room)) for room in here]
        if ("icon" in drawing_kinds and not icons) or ("text" in drawing_kinds and not texts):
            icon_names = tuple(bitmap for bitmap in self.building.bitmaps if not bitmap.startswith("arrow_"))
            return Refusal("no_icon", (), icon_names) if "icon" in drawing_kinds else Refusal("nothing")
        if "arrow" in drawing_kinds and not directions:
            return Refusal("which_way", choices=("up", "down", "left", "right"))
        others = directions or texts or icons or drawing_kinds & {"arrow", "icon", "text"}
        plain = bool(placed and not others)
        highlighted = highlighted if "highlight" in drawing_kinds or colours or plain else []
        shades = _paired([place.index for place in highlighted], colours)
        marked = tuple((place.at.to_text(), place.at) for place in placed if plain and not place.at.room)
        rooms = tuple((place.at.room, shade) for place, shade in zip(highlighted, shades, strict=True))
        arrows, bitmaps = _with(places("arrow"), directions), _with(places("icon"), icons)
        labels = _with(places("text"), [(0, text) for _, text in texts]) or marked
        return MapUpdate(floor, rooms, arrows, bitmaps, labels, text_colour=text_colour)

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
    if len(indexed_values) == len(indexes):
        return [value for _, value in indexed_values]
    last = indexed_values[-1][1]
    return [next((value for at, value in indexed_values if at > index), last) for index in indexes]


def _with(places: Sequence[_Placed], indexed_values: Sequence[tuple[int, str]]) -> tuple[tuple[str, At], ...]:
    """Return the values, each with its place."""
    values = _paired([place.index for place in places], indexed_values)
    return tuple((value, place.at) for place, value in zip(places, values, strict=True) if value)


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
