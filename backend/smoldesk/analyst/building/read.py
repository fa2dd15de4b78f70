"""Reader of what a request asks of the building: a drawing, a route, a list of rooms, or a mathematical plot."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from smoldesk.analyst.building.changes import CHANGES, after_changes, read_changes
from smoldesk.analyst.building.drawing import (
    DrawingReader,
    is_drawing,
    is_question,
    listed_terms,
    on_floor,
    other_floor,
    redrawn,
    undrawn,
    with_modified,
)
from smoldesk.analyst.building.intents import BuildingQuestion, MapUpdate, Sketch
from smoldesk.analyst.building.plan_calls import REACH, list_rooms, painted_list
from smoldesk.analyst.building.plan_check import overlooked
from smoldesk.analyst.building.plan_reach import effect_of
from smoldesk.analyst.building.plan_reader import read_plan_question
from smoldesk.analyst.building.terms import BuildingSchema, places_in
from smoldesk.analyst.building.typed_values import narrowed_values, read_typed_values
from smoldesk.analyst.mentions import Interpretation, readings
from smoldesk.analyst.refusal import Refusal
from smoldesk.analyst.requests import Request, request_of
from smoldesk.analyst.units import speaks_japanese

MAX_READINGS = 6
_FLOORS = re.compile(
    r"\b(level|floor)s? (-?\d+(?:, ?-?\d+)*,? (?:and|or|&) -?\d+)\b(?! ?(?:m|sq|rooms?)\b)", re.IGNORECASE
)
_INTEGER = re.compile(r"-?\d+")
_NUMBERS_OF_FLOORS = re.compile(r"(?<!\d)(\d{1,2})(?=[、・と]\d{1,2}階)")
BuildingIntent = MapUpdate | BuildingQuestion | Sketch | Refusal


@dataclass(frozen=True)
class BuildingInterpretation:
    """One possible intent that concerns the building, with its score and uncovered content."""

    intent: BuildingIntent
    score: float
    uncovered: tuple[str, ...]
    # True if the request asks for an icon: unexplained words are then the icon's name.
    icon: bool = False


Reader = Callable[[str], BuildingInterpretation | None]


def read_building(
    request: Request, building: BuildingSchema, tools: frozenset[str], before: object, turn: int
) -> BuildingInterpretation | None:
    """Return the best interpretation of a request as one about the building; None if there is none."""

    def read(text: str) -> BuildingInterpretation | None:
        return read_building(request_of(text), building, tools, before, turn)

    def read_list(text: str) -> BuildingQuestion | None:
        read = read_plan_question(text, building, tools, before)
        answer = read[0] if read and not read[1] else None
        is_list = isinstance(answer, BuildingQuestion) and answer.tool == "list_rooms" and not answer.unread
        return answer if isinstance(answer, BuildingQuestion) and is_list else None

    if (text := with_each_floor(request.text)) != request.text:
        return read(text)
    if narrowed := narrowed_values(request.text, building, before):
        return BuildingInterpretation(narrowed, float(len(request.units)), ())
    interpretations: list[BuildingInterpretation] = []
    for supposed in _supposed(request, building, tools, before, read):
        if not supposed.uncovered:
            return supposed
        interpretations.append(supposed)
    slots = read_plan_question(request.text, building, tools, before)
    is_partial = slots is None or slots[1] or getattr(slots[0], "unread", ())
    if is_partial and (painted := painted_list(request, read_list)):
        return BuildingInterpretation(painted, float(len(request.units)), ())
    found = readings(request, building, places_in(request, building))[:MAX_READINGS]
    # The score is that of the words that the plan knows: a table of the chat may know more.
    partly = [BuildingInterpretation(slots[0], found[0].score, slots[1])] if slots else []
    typed = read_typed_values(request, building) if "color_rooms" in tools else None
    if partly and not partly[0].uncovered and not (typed and isinstance(partly[0].intent, Refusal)):
        return partly[0]
    if typed:
        return BuildingInterpretation(typed, float(len(request.units)), ())
    unknown = set(found[0].uncovered_units).intersection(*(reading.uncovered_units for reading in found))
    for reading in (with_modified(request, reading, unknown) for reading in found):
        kinds = {mention.kind for mention in reading.mentions}
        icon = "icon" not in kinds and any(mention.is_a("map", "icon") for mention in reading.mentions)
        for intent in _intents(request, building, reading, tools, before, turn):
            uncovered, unanswered = reading.uncovered, ()
            terms = listed_terms(request, reading) if uncovered else ()
            if isinstance(intent, MapUpdate):
                written = {text for text, _ in intent.texts}
                uncovered, unanswered = (
                    tuple(word for word in words if word not in written)
                    for words in (uncovered, undrawn(request, reading, intent))
                )
                if uncovered and intent.highlights and terms:
                    intent, uncovered = replace(intent, missing=(*intent.missing, *terms)), ()
            interpretations.append(
                BuildingInterpretation(
                    intent, reading.score, tuple(dict.fromkeys((*uncovered, *unanswered))), icon
                )
            )
    interpretations += partly
    interpretations.sort(key=lambda r: (len(r.uncovered), _is_open(r.intent), -r.score))
    return next(iter(interpretations), None)


def with_each_floor(text: str) -> str:
    """Return a text in which each number of a list of floors is a floor: levels 2 and 3, 2、3階."""
    english = _FLOORS.sub(lambda match: _INTEGER.sub(rf"{match[1]} \g<0>", match[2]), text)
    return _NUMBERS_OF_FLOORS.sub(r"\1階", english)


def _supposed(
    request: Request, building: BuildingSchema, tools: frozenset[str], before: object, read: Reader
) -> Iterator[BuildingInterpretation]:
    """Yield the readings of a request as one about closures, reach or an evacuation, with the words that each leaves out."""
    question = _changed(request.text, building, tools, before, read) if building.places else None
    if question is not None and building.places is not None:
        unused = overlooked(request.text, building.places, [question, *question.first])
        yield BuildingInterpretation(question, float(len(request.units)), unused)


def _changed(
    text: str, building: BuildingSchema, tools: frozenset[str], before: object, read: Reader
) -> BuildingQuestion | None:
    """Return the changes that a request begins with, and what is asked after them."""
    changed = read_changes(text, building, tools)
    if changed is None:
        return None
    if changed.question:
        following = read(changed.question)
        if following is None or following.uncovered:
            return None
        leaves_out = isinstance(following.intent, BuildingQuestion) and following.intent.unread
        return None if changed.changes and leaves_out else after_changes(changed, following.intent)
    asked_before = isinstance(before, BuildingQuestion) and before.tool not in CHANGES
    answer = after_changes(changed, before) if asked_before else None
    return answer or (
        after_changes(changed, effect_of(building, [changed.avoided] * bool(changed.avoided)))
        if REACH in tools
        else None
    )


def _is_open(intent: BuildingIntent) -> bool:
    """Return whether an intent is a refusal that another reading may answer; a floor that does not exist stays away."""
    return isinstance(intent, Refusal) and intent.reason != "no_floor"


def _intents(
    request: Request,
    building: BuildingSchema,
    reading: Interpretation,
    tools: frozenset[str],
    before: object,
    turn: int,
) -> Iterator[BuildingIntent]:
    """Yield what a reading draws, and a list of sizes that is drawn."""
    japanese = speaks_japanese(request.text)
    if isinstance(before, MapUpdate) and (again := redrawn(reading, before)) is not None:
        yield again
    if isinstance(before, MapUpdate) and (floor := other_floor(request, reading)) and before.kind:
        yield on_floor(building, before, floor)
        return
    painted = any(mention.is_a("map", "highlight", "map") for mention in reading.mentions)
    if painted and {"size", "rooms"} <= {str(mention.value) for mention in reading.mentions}:
        floors = [str(mention.value) for mention in reading.mentions if mention.kind == "floor"]
        yield list_rooms(floors[0] if floors else "", "", "sizes")
        return
    if is_drawing(reading):
        drawn = DrawingReader(request, building, reading, japanese).read()
        reason = getattr(drawn, "reason", "")
        if reason != "no_floor" and is_question(request, reading):
            return
        draws = any(
            mention.is_a("map", "highlight", "arrow", "icon", "text", "map") for mention in reading.mentions
        )
        if reason == "which_rooms" and not (
            draws or any(mention.kind in ("colour", "dir") for mention in reading.mentions)
        ):
            return  # a door may be an icon, or a word for a door
        named = any(mention.is_a("map", "map") or mention.kind == "floor" for mention in reading.mentions)
        if isinstance(drawn, Refusal):
            yield drawn
        elif named or drawn != MapUpdate(building.current):
            yield replace(drawn, seed=turn)
    elif "where_is" not in tools and (place := _plain_place(reading)):
        yield MapUpdate(building.floors_of(place)[0], ((place, ""),))


def _plain_place(reading: Interpretation) -> str:
    """Return the room of `where is the Kitchen`, if no tool but the map can answer it."""
    rooms = [str(mention.value) for mention in reading.mentions if mention.kind == "room"]
    asks = any(mention.is_a("way", "where") for mention in reading.mentions)
    return rooms[0] if asks and len(rooms) == 1 else ""


def read_sketch(phrases: list[tuple[str, str]], turn: int) -> Sketch | None:
    """Return a plot of mathematics or random numbers, from the (kind, value) pairs of a request's phrases."""
    drawn = [value for kind, value in phrases if kind == "draw"]
    if not drawn:
        return None
    plot = next((value for kind, value in phrases if kind == "plot" and value != "auto"), "")
    if "random" in drawn:
        return Sketch("random", plot, turn)
    what = "both" if {"sine", "cosine"} <= set(drawn) else "sine" if "sine" in drawn else "cosine"
    return Sketch(what, plot, turn)
