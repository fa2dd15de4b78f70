"""Check of calls about a plan against the words of a request: which of its relations and numbers they leave out.

Patterns read a request in parts, so that a word such as "except", "second" or "more than" may be lost between them.
"""

import re
from collections.abc import Collection, Sequence

from smoldesk.analyst.building.intents import ToolCall
from smoldesk.analyst.building.plan_scan import Span, scan
from smoldesk.analyst.units import normalized
from smoldesk.buildings.closures import is_closable
from smoldesk.buildings.names import fold
from smoldesk.buildings.places import PlaceIndex

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
# A number of which the closure was checked to be all.
_ALL_OF = re.compile(r"\d+[基台つ室]とも")
# Relations that no call about closures, reach or an evacuation expresses.
_NEVER = frozenset(
    ("except", "some", "over", "at_least", "larger", "smaller", "largest", "smallest", "fewest", "ordered", "average", "or",
    "same_floor", "that_floor", "each_floor", "closer", "remaining")
)  # fmt: skip
# What has to be in a call if a word stands in the request: a part of its text, by the name of an argument or a value.
_NEEDS = {
    "neg": ("show=cut_off", "reachable_from", "close_passage", "avoid="),
    "under": ("minutes=",),
    "at_most": ("minutes=",),
    "than": ("compare_scenarios", "avoid="),
    "nearest": ("nearest",),
    "furthest": ("show=furthest",),
    "via": ("via=", "via "),
    "stepless": ("profile=", "accessible=", "avoid="),
}
# Answers that name a relation's opposite would be wrong.
_UNLESS = {"neg": ("minutes=", "show=exits", "show=queues"), "cut_off": ("minutes=",)}
_IN_NAMES = ("between", "beside")
# Words that are about no table but one of rooms; some may stand in a cell or a header.
_OF_PLANS = ("evacuate", "cut_off", "seconds")
_NAMES = ("room", "kind", "floor", "no room", "no floor")
_KNOWN = ("room", "kind", "floor", "cue", "ignored")
_ABOUT = (
    "where",
    "nearest",
    "closer",
    "close",
    "closed",
    "reopen",
    "stepless",
    "doors",
    "beside",
    "go",
    *_OF_PLANS,
)
_LIKELY = ("close", "closed", "reopen", "remaining", "doors", "beside")


def is_of_plan(term: str, places: PlaceIndex) -> bool:
    """Return whether the plan knows a word: a name, a kind, a floor, or a word that asks."""
    return all(span.kind in _KNOWN for span in scan(normalized(term), places))


def unknown_words(text: str, places: PlaceIndex) -> tuple[str, ...]:
    """Return the words of a request that the plan does not know."""
    return tuple(span.text for span in scan(normalized(text), places) if span.kind == "unknown")


def content_words(text: str, places: PlaceIndex | None) -> tuple[str, ...]:
    """Return the words of a text that have a content."""
    return (
        tuple(span.text for span in scan(normalized(text), places) if span.kind != "ignored")
        if places
        else ()
    )


def kinds_without_rooms(text: str, places: PlaceIndex) -> tuple[str, ...]:
    """Return the words of a request for kinds of which the plan has neither rooms nor links: no gym in this school."""
    spans = scan(normalized(text), places)
    return tuple(span.text for span in spans if span.kind == "kind" and not is_closable(places, span.text))


def speaks_of_plan(text: str, places: PlaceIndex) -> bool:
    """Return whether a request is about rooms: it names one, or asks where something is or to close it."""
    return any(span.kind in _NAMES or span.is_cue(*_ABOUT) for span in scan(normalized(text), places))


def plan_terms(text: str, places: PlaceIndex | None, is_weak: bool) -> tuple[str, ...]:
    """Return the words of a request that a plan answers; the likely ones if the reading as a question about a table is weak."""
    spans = scan(normalized(text), places) if places else ()
    cues = (*_OF_PLANS, *_LIKELY) if is_weak else _OF_PLANS
    return tuple(
        span.text for span in spans if span.is_cue(*cues) or (is_weak and span.kind in ("room", "floor"))
    )


def overlooked(text: str, places: PlaceIndex, calls: Sequence[ToolCall]) -> tuple[str, ...]:
    """Return the words of a request that its calls leave out: relations, numbers, places."""
    texts = [
        f"{call.tool} " + " ".join(f"{name}={value}" for name, value in call.arguments) for call in calls
    ]
    written = fold(" ".join(texts))
    numbers = {float(number) for number in _NUMBER.findall(written)}
    numbers |= {
        round(float(str(value)) * 60, 3)
        for call in calls
        for name, value in call.arguments
        if name == "minutes"
    }
    spans = scan(_ALL_OF.sub(" ", normalized(text)), places)
    return tuple(dict.fromkeys(span.text for span in spans if not _is_used(span, written, numbers)))


def _is_used(span: Span, written: str, numbers: Collection[float]) -> bool:
    """Return whether calls, as one text, express a span."""
    if span.kind in ("number", "amount", "ordinal"):
        return round(float(str(span.value)), 3) in numbers or (span.kind == "ordinal" and "reopen" in written)
    if span.kind == "room":
        return fold(span.text) in written or any(fold(room) in written for _, room in span.spots)
    if span.kind != "cue":
        return True
    cue = str(span.value)
    if cue in _IN_NAMES:
        return fold(span.text) in written or "door" in written
    if cue in _NEVER or any(part in written for part in _UNLESS.get(cue, ())):
        return fold(span.text) in written
    return cue not in _NEEDS or any(part in written for part in _NEEDS[cue])
