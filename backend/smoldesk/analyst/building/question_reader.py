"""Reader of questions about the building: routes, the nearest of a kind, the location of a room, lists of rooms.

They become tool calls with names as in the request: the tools know all names and report unknown ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from smoldesk.analyst.building.intents import BuildingQuestion, MapUpdate, Scalar
from smoldesk.analyst.building.terms import BuildingSchema
from smoldesk.analyst.marks import MentionIndex
from smoldesk.analyst.mentions import Interpretation
from smoldesk.analyst.refusal import Refusal
from smoldesk.analyst.requests import Request
from smoldesk.buildings.kinds import find_kind

_PLACES = ("room", "place", "selection")
_DRAWN = ("highlight", "arrow", "text", "icon", "clear")
_OTHER = ("agg", "cmp", "per", "colour", "dir", "quoted", "point", "number", "plot")


@dataclass
class Limits:
    """Restrictions of a route: step-free, closed places."""

    accessible: bool = False
    avoid: list[str] = field(default_factory=list[str])
    used: set[int] = field(default_factory=set[int])


class BuildingQuestionReader(MentionIndex):
    """Reader of one question about the building."""

    def __init__(
        self, request: Request, building: BuildingSchema, reading: Interpretation, in_japanese: bool
    ) -> None:
        super().__init__(request, building, reading)
        self.building, self.in_japanese = building, in_japanese
        for at, mark in enumerate(self.marks):  # an icon such as stairs or a lift is also a place
            if mark.kind == "icon" and find_kind(self.mention_text(at)):
                self.marks[at] = replace(mark, kind="place")

    def read(self) -> BuildingQuestion | Refusal | None:
        """Return the question; None if the interpretation contains none."""
        if any(mark.kind in _OTHER or mark.is_a("map", *_DRAWN) for mark in self.marks):
            return None
        limits = self.limits()
        places = [n for n, mark in enumerate(self.marks) if mark.kind in _PLACES and n not in limits.used]
        cues = {str(mark.value) for mark in self.marks if mark.kind == "way"}
        floors = [str(mark.value) for mark in self.marks if mark.kind == "floor"]
        if not places:
            rooms = any(mark.is_a("map", "rooms") for mark in self.marks)
            asks = cues & {"list"} or any(mark.kind == "which" for mark in self.marks) or floors
            floor = floors[0] if floors else ""
            return BuildingQuestion("list_rooms", (("floor", floor),)) if rooms and asks else None
        if cues & {"where", "size"} and len(places) == 1 and not cues & {"go", "nearest"}:
            return BuildingQuestion("where_is", (("name", self.name(places[0])),))
        return self._route(places, cues, limits)

    def limits(self) -> Limits:
        """Return the restrictions: places next to a word of closing or avoiding."""
        limits = Limits(accessible=any(mark.is_a("way", "stepless") for mark in self.marks))
        for at, mark in enumerate(self.marks):
            if not mark.is_a("way", "avoid", "closed"):
                continue
            step = -1 if mark.value == "closed" or self.japanese(at) else 1
            neighbours: list[int] = []
            near = at + step
            while self.mark(near).kind in ("place", "room"):
                neighbours.append(near)
                if self.mark(near + step).kind != "and":
                    break
                near += 2 * step
            for number in sorted(neighbours):
                name = self.name(number)
                limits.used.add(number)
                if (mark.value == "avoid" and find_kind(name) == "stairs") or name in ("段差", "steps"):
                    limits.accessible = True
                else:
                    limits.avoid.append(name)
        return limits

    def name(self, number: int) -> str:
        """Return a place as in the request, with its floor if one is next to it."""
        mark = self.marks[number]
        if mark.kind == "selection":
            floor, room = self.building.selected[0]
            return f"{room} ({floor})"
        beside = map(self.mark, (number - 1, number + 1))
        floor = next((f" ({mark.value})" for mark in beside if mark.kind == "floor"), "")
        return self.mention_text(number) + floor

    def _route(
        self, places: Sequence[int], cues: set[str], limits: Limits
    ) -> BuildingQuestion | Refusal | None:
        starts = [n for n in places if self._is_start(n)]
        near = next((n for n, mark in enumerate(self.marks) if mark.is_a("way", "nearest")), None)
        goals = [n for n in places if n not in starts]
        if near is not None and not self.in_japanese and len(goals) == 2 and goals[0] < near < goals[1]:
            starts, goals = [goals[1]], [goals[0]]  # which toilet is closest to Room1
        if not (near is not None or "go" in cues or (starts and goals)) or len(starts) > 1 or len(goals) != 1:
            return None
        goal, selected = self.name(goals[0]), self.building.selected
        if starts and (self.marks[starts[0]].kind != "selection" or len(selected) == 1):
            start = self.name(starts[0])
        elif len(selected) == 1:
            start = f"{selected[0][1]} ({selected[0][0]})"
        else:
            constraints = (*(["accessible"] if limits.accessible else []), *limits.avoid)
            return Refusal("where_from", (goal,), constraints, "near" if near is not None else "")
        return route(start, goal, near is not None, limits.accessible, limits.avoid)

    def _is_start(self, number: int) -> bool:
        """Return whether `from` precedes a place, or から follows it; a floor may be in between."""
        beside = self.mark(self.past(number, 1 if self.in_japanese else -1, "floor", "pad"))
        return beside.is_a("way", "from") or self.marks[number].kind == "selection"


def route(start: str, goal: str, near: bool, accessible: bool, avoid: Sequence[str]) -> BuildingQuestion:
    """Return the call that finds a route, or the nearest place of a kind if there are no restrictions."""
    if near and not accessible and not avoid:
        return BuildingQuestion("nearest", (("kind", goal), ("start", start)))
    arguments: list[tuple[str, Scalar]] = [("start", start), ("goal", goal)]
    if accessible:
        arguments.append(("accessible", True))
    if avoid:
        arguments.append(("avoid", ", ".join(avoid)))
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
        avoid = before.choices[1:] if accessible else before.choices
        return route(reader.name(places[0]), before.terms[0], before.table == "near", accessible, avoid)
    if not isinstance(before, BuildingQuestion) or before.tool not in ("find_route", "nearest"):
        return None
    limits, arguments = reader.limits(), dict(before.arguments)
    remaining = (mark for n, mark in enumerate(marks) if n not in limits.used)
    if not (limits.accessible or limits.avoid) or any(m.kind not in ("way", "pad", "and") for m in remaining):
        return None
    avoid = [*(place for place in str(arguments.get("avoid", "")).split(", ") if place), *limits.avoid]
    accessible = limits.accessible or bool(arguments.get("accessible"))
    goal = str(arguments.get("goal") or arguments["kind"])
    return route(str(arguments["start"]), goal, False, accessible, avoid)
