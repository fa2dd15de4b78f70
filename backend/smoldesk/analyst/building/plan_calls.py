"""Calls of the tools that answer questions about a plan: routes with their limits, lists of rooms."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from smoldesk.analyst.building.intents import BuildingQuestion, Scalar
from smoldesk.analyst.lexicon import Meaning
from smoldesk.analyst.requests import Request, phrases_in

_PAINT = Meaning("map", "highlight")
# What joins the colour to the rooms.
_JOINING = re.compile(r"[をにで]\s+|\s+in\s*(?=$|[.,!?])|\s{2,}")
_BY_SIZE = re.compile(r"^(?:over|under|at least|at most) |(?:larg|small)est$")

EVACUATION, REACH, COMPARE = "evacuation", "reachable_from", "compare_scenarios"


@dataclass
class Limits:
    """Restrictions of a route: step-free, closed places, stops on the way."""

    accessible: bool = False
    avoid: list[str] = field(default_factory=list[str])
    via: list[str] = field(default_factory=list[str])

    def __bool__(self) -> bool:
        return self.accessible or bool(self.avoid or self.via)


def list_rooms(floor: str, kind: str = "", show: str = "") -> BuildingQuestion:
    """Return the call that lists or measures rooms."""
    more = (("kind", kind), ("show", show))
    return BuildingQuestion("list_rooms", (("floor", floor), *(pair for pair in more if pair[1])))


def painted_list(request: Request, read: Callable[[str], BuildingQuestion | None]) -> BuildingQuestion | None:
    """Return the list of rooms by size in the colour that a request names: paint all rooms over 300 m² red.

    `read` reads the request without the words that paint.
    """
    meanings = [*phrases_in(request)]
    marks = [mark for mark in meanings if mark[2].kind == "colour" or mark[2] == _PAINT]
    colours = {str(meaning.value) for _, _, meaning in marks if meaning.kind == "colour"}
    if len(colours) != 1:
        return None
    text = request.text
    for number in sorted({number for first, end, _ in marks for number in range(first, end)}, reverse=True):
        text = f"{text[: request.units[number].start]} {text[request.units[number].end :]}"
    listed = read(_JOINING.sub(" ", text).strip())
    if listed is None or not _BY_SIZE.search(str(dict(listed.arguments).get("show"))):
        return None
    painted = [
        replace(call, arguments=(*call.arguments, ("color", min(colours))))
        for call in (*listed.first, listed)
    ]
    return replace(listed, arguments=painted[-1].arguments, first=tuple(painted[:-1]))


def route(start: str, goal: str, near: bool, limits: Limits) -> BuildingQuestion:
    """Return the call that finds a route, or the nearest place of a kind if there are no restrictions."""
    if near and not limits:
        return BuildingQuestion("nearest", (("kind", goal), ("start", start)))
    arguments: list[tuple[str, Scalar]] = [("start", start), ("goal", goal)]
    if limits.accessible:
        arguments.append(("accessible", True))
    for name, places in (("avoid", limits.avoid), ("via", limits.via)):
        if places:
            arguments.append((name, ", ".join(places)))
    return BuildingQuestion("find_route", tuple(arguments))
