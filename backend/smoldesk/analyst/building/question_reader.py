"""Reader of questions about the building: routes, the nearest of a kind, the location of a room, lists of rooms.

They become tool calls with names as in the request: the tools know all names and report unknown ones.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from smoldesk.analyst.building.intents import BuildingQuestion, MapUpdate, Scalar, ToolCall
from smoldesk.analyst.building.terms import BuildingSchema, Spot
from smoldesk.analyst.lexicon import Meaning
from smoldesk.analyst.marks import MentionIndex
from smoldesk.analyst.mentions import Interpretation, Mention
from smoldesk.analyst.refusal import Refusal
from smoldesk.analyst.requests import Request, cut_penalty, phrases_in
from smoldesk.buildings.kinds import find_kind
from smoldesk.buildings.overlay_text import quoted

_PLACES = ("room", "place", "selection", "no room")
_DRAWN = ("highlight", "arrow", "text", "icon", "clear")
_OTHER = ("per", "colour", "dir", "quoted", "point", "plot")
# Figures of several rooms, by the figure or the word that asks for them.
_SHOWN = {
    "count": "count",
    "sum": "area",
    "max": "largest",
    "min": "smallest",
    "largest": "largest",
    "smallest": "smallest",
}
_TRAVEL = ("go", "nearest", "far", "from", "via", "stepless", "avoid", "closed")
# Words of ways that no answer depends on, and those that each tool answers.
_NEUTRAL = frozenset(("where", "list", "that", "building", "to", "all"))
_ANSWERED = {
    "where_is": frozenset(("size", "beside")),
    "list_rooms": frozenset(("largest", "smallest", "floors")),
    **dict.fromkeys(("find_route", "nearest"), frozenset((*_TRAVEL, "between"))),
}
_SIDES = {">": "over", ">=": "at least", "<": "under", "<=": "at most"}
_OR = re.compile(r"\b(?:or|nor)\b|[やか]")
# Words for what no plan knows: when, who, sell.
BEYOND_PLAN = Meaning("beyond", "plan")
_TOGETHER = re.compile(r"\btogether\b", re.IGNORECASE)
_LARGER = re.compile("larg|big|広|大")
_SMALLER = re.compile("small|狭|小")


@dataclass
class Limits:
    """Restrictions of a route: step-free, closed places."""

    accessible: bool = False
    avoid: list[str] = field(default_factory=list[str])
    via: list[str] = field(default_factory=list[str])
    used: set[int] = field(default_factory=set[int])


class BuildingQuestionReader(MentionIndex):
    """Reader of one question about the building."""

    def __init__(
        self,
        request: Request,
        building: BuildingSchema,
        reading: Interpretation,
        in_japanese: bool,
        previous: Sequence[Spot] = (),
    ) -> None:
        super().__init__(request, building, reading)
        self.building, self.in_japanese, self.previous = building, in_japanese, previous
        # Mentions that became a limit of sizes or kinds that are left out.
        self.used: set[int] = set()
        for at, mark in enumerate(self.marks):  # an icon such as stairs or a lift is also a place
            if mark.kind == "icon" and find_kind(self.mention_text(at)):
                self.marks[at] = replace(mark, kind="place")
        self.marks = [mark for at, mark in enumerate(self.marks) if not self._repeats(at)]

    def _repeats(self, at: int) -> bool:
        """Return whether a mention names the room before it again, in parentheses: the entry (101)."""
        places, marks = self.building.places, self.marks[max(at - 1, 0) : at + 1]
        if places is None or len(marks) < 2 or any(mark.kind not in ("room", "place") for mark in marks):
            return False
        spots = [{*places.named(self.mention_text(number))} for number in (at - 1, at)]
        return "(" in self.text_between(at - 1, at) and bool(spots[0] & spots[1])

    def read(self) -> BuildingQuestion | Refusal | None:
        """Return the question; None if the interpretation contains none."""
        if any(mark.kind in _OTHER or mark.is_a("map", *_DRAWN) for mark in self.marks):
            return None
        if unknown := [self.mention_text(n) for n, mark in enumerate(self.marks) if mark.kind == "no floor"]:
            return Refusal("no_floor", tuple(unknown[:1]), tuple(self.building.floors))
        limits, self.used = self.limits(), set()
        without = self._without()
        self.used |= limits.used
        places = [n for n, mark in enumerate(self.marks) if mark.kind in _PLACES and n not in self.used]
        cues = {str(mark.value) for mark in self.marks if mark.kind == "way"}
        aggs = {str(mark.value) for mark in self.marks if mark.kind == "agg"}
        if "size" in cues and _TOGETHER.search(self.request.text):
            aggs.add("sum")
        fact = self._fact(places, cues, aggs, without)
        return fact or (None if aggs or without else self._route(places, cues, limits))

    def unanswered(self, intent: object) -> tuple[str, ...]:
        """Return the words that an intent says nothing about: a place, a condition, a figure, a thing no plan knows."""
        values: tuple[str, ...] = ()
        if isinstance(intent, ToolCall):
            values = tuple(str(value) for _, value in intent.arguments)
        elif not isinstance(intent, MapUpdate):
            return ()
        names = [mark for mark in self.marks if mark.kind not in ("pad", "which", "and")]
        named = {n for mark in names for n in range(mark.first, mark.end)}
        beyond = (
            (first, end)
            for first, end, meaning in phrases_in(self.request)
            if meaning == BEYOND_PLAN
            and named.isdisjoint(range(first, end))
            and not cut_penalty(self.request, first, end)
        )
        dropped = (
            (mark.first, mark.end)
            for n, mark in enumerate(self.marks)
            if n not in self.used and not self._answers(n, mark, intent, values)
        )
        return tuple(self.request.raw(*span) for span in (*beyond, *dropped))

    def _answers(
        self, number: int, mark: Mention, intent: ToolCall | MapUpdate, values: Sequence[str]
    ) -> bool:
        """Return whether an intent uses a mention, or need not."""
        tool = intent.tool if isinstance(intent, ToolCall) else ""
        show = values[-1] if tool == "list_rooms" else ""
        if mark.kind == "way":
            cue = str(mark.value)
            sized = cue == "size" and show.partition(" ")[0] in (
                "area",
                "largest",
                "smallest",
                "sizes",
                "over",
                "under",
                "at",
            )
            is_any = cue == "nearest" and tool == "where_is" and "," not in values[0]  # all of them are shown
            return cue in _NEUTRAL | _ANSWERED.get(tool, frozenset()) or sized or is_any
        if isinstance(intent, MapUpdate):
            is_asked = mark.is_a("map", "where") and bool(intent.icons)  # where do the people go
            return mark.kind not in ("cmp", "agg", "not") and not is_asked
        if mark.kind == "floor":
            return any(value == mark.value or f"({mark.value})" in value for value in values)
        if mark.kind in ("room", "place", "no room"):
            return any(self.spoken(number) in value for value in values)
        if mark.kind == "agg":
            return tool == "list_rooms" and show not in ("", *self.building.floors)
        return mark.kind not in ("cmp", "number", "unit", "not", "icon")

    def _without(self) -> str:
        """Return the kinds that a request leaves out: except corridors, 廊下を除いて."""
        names: list[str] = []
        for at, mark in enumerate(self.marks):
            if mark.kind == "not":
                for number in self._neighbours(at, -1 if self.japanese(at) else 1):
                    self.used |= {at, number}
                    names.append(self.spoken(number))
        return ", ".join(names)

    def _limit(self) -> str:
        """Return the limit of sizes, as `over 50` or `at least 50`; empty without one."""
        for at, mark in enumerate(self.marks):
            unit = self.mark(at + 1)
            is_area = unit.is_a("unit", "square metre") or unit.is_a("way", "size")
            compared = [n for n in (at - 1, at + 1 + is_area) if self.mark(n).kind == "cmp"]
            side = _SIDES.get(str(self.mark(compared[0]).value), "") if compared else ""
            if mark.kind == "number" and side and (is_area or self._of_size(compared[0])):
                self.used |= {at, compared[0], *([at + 1] if is_area else [])}
                return f"{side} {float(str(mark.value)):.10g}"
        return ""

    def _of_size(self, at: int) -> bool:
        """Return whether a comparison is one of sizes: larger than, より広い."""
        text = self.mention_text(at)
        return bool(_LARGER.search(text) or _SMALLER.search(text))

    def _fact(
        self, places: Sequence[int], cues: set[str], aggs: set[str], without: str
    ) -> BuildingQuestion | None:
        """Return a question about the rooms of a floor or a kind, or about one place."""
        floors = list(dict.fromkeys(str(mark.value) for mark in self.marks if mark.kind == "floor"))
        rooms = any(mark.is_a("map", "rooms", "units") for mark in self.marks)
        floor = floors[0] if floors else ""
        figures = {_SHOWN[cue] for cue in (*cues, *aggs) if cue in _SHOWN}
        if "floors" in cues and not places:
            return BuildingQuestion("list_rooms", (("show", "floors"),))
        if limit := self._limit():
            figures = {limit} if figures <= {"count", "largest", "smallest"} else {limit, *figures}
        compared = [n for n, mark in enumerate(self.marks) if mark.kind == "cmp" and self._of_size(n)]
        if compared and not limit and len(places) > 1:  # is A larger than B
            self.used |= {*compared}
            figures |= {"largest" if _LARGER.search(self.mention_text(compared[0])) else "smallest"}
        if aggs - _SHOWN.keys() or len(floors) > 1 or len(figures) > 1 or cues & {"go", "from", "via"}:
            return None
        if aggs & {"sum", "max", "min"} and not cues & {"size", "largest", "smallest"}:
            return None
        show = next(iter(figures), "")
        refers = "that" in cues or any(mark.kind in ("follow", "back") for mark in self.marks)
        asks = cues & {"size", "beside", "where"} and not rooms
        follows = refers or show or asks or "beside" in cues
        if (rooms and "beside" not in cues) or without or cues & {"nearest", "far"}:
            follows = False
        if not places and self.previous and follows:
            return self._of_names(self.named_spots(self.previous), cues, floor, show)
        is_about_one = "beside" in cues or any(mark.kind == "which" for mark in self.marks)
        rooms_named = [place for place in places if not self.kind(place)]
        if is_about_one and not show and len(rooms_named) == 1 < len(places) and not cues & {*_TRAVEL}:
            self.used |= {*places} - {
                *rooms_named
            }  # which shop is unit 201, is a lift next to A: its neighbours say so
            places = rooms_named
        if len(places) > 1:
            names = ", ".join(self.name(place) for place in places)
            return None if cues & {"far", "between", "nearest"} else self._of_names(names, cues, floor, show)
        kind = self.kind(places[0]) if places else ""
        if (show or without) and (kind or (not places and (rooms or floor))):
            return list_rooms(floor, f"{kind} except {without}".strip() if without else kind, show or "count")
        if aggs or show:
            return None
        if not places:
            asks = cues & {"list"} or any(mark.kind == "which" for mark in self.marks) or floors
            if rooms and asks:
                return list_rooms(floor, "", "sizes" if "size" in cues else "")
            return list_rooms(floor, "", "area") if floor and "size" in cues else None
        return self._place(places[0], cues, floor, kind)

    def _of_names(self, names: str, cues: set[str], floor: str, show: str) -> BuildingQuestion | None:
        """Return the question about several places by name: which of them is the largest, how big they are."""
        if show:
            return list_rooms(floor, names, show)
        if cues & {"size", "beside", "where"} and not floor:
            return BuildingQuestion("where_is", (("name", names),))
        if floor:
            return list_rooms(floor, names, "count")
        return None if cues - _NEUTRAL else BuildingQuestion("where_is", (("name", names),))

    @staticmethod
    def named_spots(spots: Sequence[Spot]) -> str:
        """Return rooms as a list of names for a tool."""
        return ", ".join(quoted(f"{room} ({floor})") for floor, room in spots)

    def _place(self, place: int, cues: set[str], floor: str, kind: str) -> BuildingQuestion | None:
        """Return the question where a place is, or which rooms of a kind there are."""
        asks = cues & {"where", "size", "beside"}
        if cues & {"go", "from"} or (cues & set(_TRAVEL) and not asks):
            return None
        is_list = "list" in cues or any(mark.kind == "which" for mark in self.marks) or floor
        if kind and is_list and not asks:
            return list_rooms(floor, kind, "count")
        if self.marks[place].kind == "selection" and not asks:
            return None
        return BuildingQuestion("where_is", (("name", self.name(place)),))

    def kind(self, number: int) -> str:
        """Return the kind of rooms that a mention means as a word; empty for the name of one room."""
        text = self.spoken(number)
        kind = self.building.places.kind(text) if self.building.places else None
        return text if kind is not None and self.marks[number].kind in ("place", "room") else ""

    def spoken(self, number: int) -> str:
        """Return the text of a mention, or what it means if the tools do not know the text: a translation, a typing error."""
        text, mark, places = self.mention_text(number), self.marks[number], self.building.places
        is_known = (
            places is None or mark.kind not in ("place", "room") or places.named(text) or places.kind(text)
        )
        return text if is_known else str(mark.value)

    def limits(self) -> Limits:
        """Return the restrictions: places next to a word of closing or avoiding."""
        limits = Limits(accessible=any(mark.is_a("way", "stepless") for mark in self.marks))
        for at, mark in enumerate(self.marks):
            if mark.is_a("way", "via"):
                neighbours = self._neighbours(at, -1 if self.japanese(at) else 1)
                limits.used |= set(neighbours)
                limits.via += map(self.name, neighbours)
            if not mark.is_a("way", "avoid", "closed"):
                continue
            step = -1 if mark.value == "closed" or self.japanese(at) else 1
            if door := self._door(at, step):
                limits.used |= {*range(min(at, *door), max(at, *door) + 1)}
                limits.avoid.append(f"door between {' and '.join(map(self.name, door))}")
                continue
            for number in self._neighbours(at, step):
                name = self.name(number)
                limits.used.add(number)
                if (mark.value == "avoid" and find_kind(name) == "stairs") or name in ("段差", "steps"):
                    limits.accessible = True
                else:
                    limits.avoid.append(name)
        return limits

    def _door(self, at: int, step: int) -> list[int]:
        """Return the two rooms of a door next to a mention: `the door between A and B`, AとBの間のドア; else nothing."""
        while self.mark(at + step).is_a("way", "between") or self.mark(at + step).is_a("icon", "exit"):
            at += step
        rooms = self._neighbours(at, step)
        around = range(rooms[0] - 1, rooms[-1] + 2) if len(rooms) == 2 else ()
        return rooms if any(self.mark(number).is_a("way", "between") for number in around) else []

    def _neighbours(self, at: int, step: int) -> list[int]:
        """Return the places next to a mention, in their order: `via A and B`, AとBを経由して."""
        neighbours: list[int] = []
        near = at + step
        while self.mark(near).kind in ("place", "room", "no room", "floor"):
            if self.mark(near).kind == "floor":
                near += step
                continue
            neighbours.append(near)
            after = near + step
            while self.mark(after).kind == "floor":
                after += step
            if self.mark(after).kind == "and":
                after += step
            elif after not in range(len(self.marks)) or not _OR.search(
                self.text_between(*sorted((near, after)))
            ):
                break
            near = after
        return sorted(neighbours)

    def name(self, number: int) -> str:
        """Return a place as in the request, with its floor if one is next to it."""
        mark = self.marks[number]
        if mark.kind == "selection":
            floor, room = self.building.selected[0]
            return f"{room} ({floor})"
        beside = map(self.mark, (number - 1, number + 1))
        floor = next((f" ({mark.value})" for mark in beside if mark.kind == "floor"), "")
        return self.spoken(number) + floor

    def _route(
        self, places: Sequence[int], cues: set[str], limits: Limits
    ) -> BuildingQuestion | Refusal | None:
        starts = [n for n in places if self._is_start(n)]
        near = next((n for n, mark in enumerate(self.marks) if mark.is_a("way", "nearest")), None)
        goals = [n for n in places if n not in starts]
        of_kind = [n for n in goals if self.kind(n)]
        if near is not None and len(goals) == 2 and not starts:
            goal = of_kind[0] if len(of_kind) == 1 else goals[self.in_japanese and goals[0] < near]
            starts, goals = [n for n in goals if n != goal], [goal]  # which toilet is closest to Room1
        if not starts and len(goals) == 2 and cues & {"far", "between", "go"}:
            starts, goals = goals[:1], goals[1:]  # the distance between A and B
        if starts and not goals and len(self.previous) == 1:  # how do I get there from A
            start = self.name(starts[0])
            return route(start, f"{self.previous[0][1]} ({self.previous[0][0]})", False, limits)
        asks = near is not None or cues & {"go", "far"} or limits.via
        if not (asks or (starts and goals)) or len(starts) > 1 or len(goals) != 1:
            return None
        goal, selected = self.name(goals[0]), self.building.selected
        if starts and (self.marks[starts[0]].kind != "selection" or len(selected) == 1):
            start = self.name(starts[0])
        elif len(self.previous) == 1 and not selected:
            start = f"{self.previous[0][1]} ({self.previous[0][0]})"
        elif len(selected) == 1:
            start = f"{selected[0][1]} ({selected[0][0]})"
        elif self.marks[goals[0]].kind == "no room":
            return BuildingQuestion("where_is", (("name", goal),))  # the tool names similar rooms
        else:
            constraints = (*(["accessible"] if limits.accessible else []), *limits.avoid)
            return Refusal("where_from", (goal,), constraints, "near" if near is not None else "")
        return route(start, goal, near is not None, limits)

    def _is_start(self, number: int) -> bool:
        """Return whether `from` precedes a place, or から follows it; a floor may be in between."""
        beside = self.mark(self.past(number, 1 if self.in_japanese else -1, "floor", "pad"))
        return beside.is_a("way", "from") or self.marks[number].kind == "selection"


def list_rooms(floor: str, kind: str = "", show: str = "") -> BuildingQuestion:
    """Return the call that lists or measures rooms."""
    more = (("kind", kind), ("show", show))
    return BuildingQuestion("list_rooms", (("floor", floor), *(pair for pair in more if pair[1])))


def route(start: str, goal: str, near: bool, limits: Limits) -> BuildingQuestion:
    """Return the call that finds a route, or the nearest place of a kind if there are no restrictions."""
    if near and not (limits.accessible or limits.avoid or limits.via):
        return BuildingQuestion("nearest", (("kind", goal), ("start", start)))
    arguments: list[tuple[str, Scalar]] = [("start", start), ("goal", goal)]
    if limits.accessible:
        arguments.append(("accessible", True))
    for name, places in (("avoid", limits.avoid), ("via", limits.via)):
        if places:
            arguments.append((name, ", ".join(places)))
    return BuildingQuestion("find_route", tuple(arguments))


def continued(
    reader: BuildingQuestionReader, before: BuildingQuestion | Refusal | MapUpdate | None
) -> BuildingQuestion | None:
    """Return the previous route with the missing start, or with additional restrictions."""
    marks = reader.marks
    if isinstance(before, Refusal) and before.reason == "where_from":
        places = [n for n, mark in enumerate(marks) if mark.kind in _PLACES]
        if len(places) != 1 or any(mark.kind not in (*_PLACES, "floor", "pad", "way") for mark in marks):
            return None
        accessible = before.choices[:1] == ("accessible",)
        limits = Limits(accessible, list(before.choices[accessible:]))
        return route(reader.name(places[0]), before.terms[0], before.table == "near", limits)
    floors = [str(mark.value) for mark in marks if mark.kind == "floor"]
    if (
        isinstance(before, BuildingQuestion)
        and before.tool in ("list_rooms", "where_is")
        and len(floors) == 1
    ):
        only = all(
            mark.kind in ("floor", "pad", "follow", "back", "and", "adds") or mark.is_a("way", *_NEUTRAL)
            for mark in marks
        )
        arguments = dict(before.arguments)
        kind = str(arguments.get("kind") or arguments.get("name") or "")
        show = "" if before.tool == "list_rooms" else "count"
        return list_rooms(floors[0], kind, str(arguments.get("show", show))) if only else None
    if not isinstance(before, BuildingQuestion) or before.tool not in ("find_route", "nearest"):
        return None
    arguments = dict(before.arguments)
    limits = reader.limits()
    remaining = (mark for n, mark in enumerate(marks) if n not in limits.used)
    if not (limits.accessible or limits.avoid or limits.via) or any(
        m.kind not in ("way", "pad", "and", "follow", "back") for m in remaining
    ):
        return None
    for name in ("avoid", "via"):
        places = [place for place in str(arguments.get(name, "")).split(", ") if place]
        setattr(limits, name, [*places, *getattr(limits, name)])
    limits.accessible = limits.accessible or bool(arguments.get("accessible"))
    goal = str(arguments.get("goal") or arguments["kind"])
    return route(str(arguments["start"]), goal, False, limits)
