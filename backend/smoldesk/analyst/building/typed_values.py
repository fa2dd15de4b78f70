"""Reader of numbers that a request gives to rooms: colour these: Depot 3, Douglas 5; or the lines of a small table."""

import re

from smoldesk.analyst.building.intents import MapUpdate
from smoldesk.analyst.building.terms import BuildingSchema
from smoldesk.analyst.requests import Request, has_phrase
from smoldesk.errors import NotFound

_PAIR = re.compile(
    r"\s*(.+?)\s*(?:[:=,\t ]|は|が|を)\s*(-?\d+(?:\.\d+)?)\s*[^\d\s,]{0,3}(?:(?:で|として|に).*)?"
)
_VERB = re.compile(r"^(?:please )?(?:paint|colou?r|mark|fill)(?: in)? (?:the )?(?:rooms? )?", re.IGNORECASE)


def read_typed_values(request: Request, building: BuildingSchema) -> MapUpdate | None:
    """Return the rooms in the colours of their numbers; None if fewer names are rooms than not."""
    if building.places is None or not has_phrase(request, "map", "colour"):
        return None
    pairs: list[re.Match[str]] = []
    text = _VERB.sub("", re.sub(r"^[^:|]*:\s", "", request.text))
    items = re.split(r"[,、;]", text)
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
    if len(values) < 2 or len(missing) > len(values):
        return None
    floor = building.floors_of(next(iter(values)))[0]
    return MapUpdate(floor, values=tuple(values.items()), missing=tuple(missing))
