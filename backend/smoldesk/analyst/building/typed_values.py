"""Reader of numbers that a request gives to rooms: colour these: Depot 3, Douglas 5; or the lines of a small table."""

import operator
import re
from collections.abc import Callable
from dataclasses import replace

from smoldesk.analyst.building.intents import MapUpdate
from smoldesk.analyst.building.plan_scan import scan
from smoldesk.analyst.building.terms import BuildingSchema
from smoldesk.analyst.requests import Request, has_phrase
from smoldesk.analyst.units import normalized
from smoldesk.errors import NotFound

_PAIR = re.compile(
    r"\s*(.+?)\s*(?:[:=,\t ]|は|が|を|(?<=[ぁ-んァ-ヶー\u3400-\u9fff])(?=-?\d))"
    r"\s*(-?\d+(?:\.\d+)?)\s*[^\d\s,]{0,3}(?:(?:で|として|に).*)?"
)
_VERB = re.compile(r"^(?:please )?(?:paint|colou?r|mark|fill)(?: in)? (?:the )?(?:rooms? )?", re.IGNORECASE)

_LIMITS: dict[str, Callable[[float, float], bool]] = {
    "over": operator.gt,
    "at_least": operator.ge,
    "under": operator.lt,
    "at_most": operator.le,
}
_BESIDE = {
    "list",
    "rooms",
    "mark",
    "that",
    "about",
    "and",
    "to",
    "from",
    "where",
    "which_of",
    "exists",
    "still",
}


def narrowed_values(text: str, building: BuildingSchema, before: object) -> MapUpdate | None:
    """Return the rooms that the request before coloured by numbers, those within a limit: only those with more than 20."""
    if not isinstance(before, MapUpdate) or not before.values or building.places is None:
        return None
    spans = [span for span in scan(normalized(text), building.places) if span.kind != "ignored"]
    numbers = [float(str(span.value)) for span in spans if span.kind == "number"]
    cues = {str(span.value) for span in spans if span.kind == "cue"}
    sides = cues & _LIMITS.keys()
    if (
        len(numbers) != 1
        or len(sides) != 1
        or len(spans) != sum(span.kind in ("number", "cue") for span in spans)
    ):
        return None
    if cues - sides - _BESIDE:
        return None
    is_within = _LIMITS[sides.pop()]
    narrowed = tuple((room, value) for room, value in before.values if is_within(value, numbers[0]))
    return replace(before, values=narrowed, missing=()) if narrowed else None


def read_typed_values(request: Request, building: BuildingSchema) -> MapUpdate | None:
    """Return the rooms in the colours of their numbers; None if fewer names are rooms than not."""
    if building.places is None or not has_phrase(request, "map", "colour"):
        return None
    pairs: list[re.Match[str]] = []
    text = _VERB.sub("", request.text)
    start = re.match(r"[^:|]*:\s", text)
    if start and not building.places.named(re.split(r"[,、;。.]", start[0])[-1].strip(" :")):
        text = text[start.end() :]  # colour these:
    items = re.split(r"[,、;。]|(?<=[a-z])[.!] |(?<=\d) and (?:the )?", text)
    lines = [" ".join(line.replace("|", " ").split()) for line in text.splitlines()]
    for parts in (lines, items):
        pairs = [
            match for part in parts if not building.places.named(part) and (match := _PAIR.fullmatch(part))
        ]
        if len(pairs) > 1:
            break
    values: dict[str, float] = {}
    missing: list[str] = []
    for name, number in (match.groups() for match in pairs):
        try:
            values[building.places.find(name)[0][1]] = float(number)
        except NotFound:
            missing.append(name)
    if len(values) < (1 if text != request.text else 2) or len(missing) > len(values):
        return None
    floor = building.floors_of(next(iter(values)))[0]
    return MapUpdate(floor, values=tuple(values.items()), missing=tuple(missing))
