"""What a request asks of the building: a drawing, a way or a list of rooms, or a plot of nothing but mathematics."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from smoldesk.analyst.building.drawing import DrawingReader, is_drawing, redrawn
from smoldesk.analyst.building.intents import BuildingQuestion, MapUpdate, Sketch
from smoldesk.analyst.building.question_reader import BuildingQuestionReader, continued
from smoldesk.analyst.building.terms import BuildingSchema, places_in
from smoldesk.analyst.mentions import Interpretation, readings
from smoldesk.analyst.refusal import Refusal
from smoldesk.analyst.requests import Request
from smoldesk.analyst.units import speaks_japanese

MOST_READINGS = 6
WAY_TOOLS = frozenset(("find_route", "nearest", "where_is", "list_rooms"))
BuildingIntent = MapUpdate | BuildingQuestion | Sketch | Refusal


@dataclass(frozen=True)
class BuildingInterpretation:
    """One thing a request may ask of the building, how good its reading is, and the content that it leaves over."""

    intent: BuildingIntent
    score: float
    uncovered: tuple[str, ...]
    icon: bool = False
    """An icon is asked for: a word that nothing explains is then the icon's name."""


def read_building(
    request: Request, building: BuildingSchema, tools: frozenset[str], before: object, turn: int
) -> BuildingInterpretation | None:
    """The best reading of a request as one about the building; None when it asks nothing of the kind."""
    interpretations: list[BuildingInterpretation] = []
    for reading in readings(request, building, places_in(request))[:MOST_READINGS]:
        kinds = {mention.kind for mention in reading.mentions}
        icon = "icon" not in kinds and any(mention.is_a("map", "icon") for mention in reading.mentions)
        for intent in _intents(request, building, reading, tools, before, turn):
            written = {text for text, _ in intent.texts} if isinstance(intent, MapUpdate) else set[str]()
            uncovered = tuple(word for word in reading.uncovered if word not in written)
            interpretations.append(BuildingInterpretation(intent, reading.score, uncovered, icon))
    return min(
        interpretations,
        key=lambda r: (len(r.uncovered), isinstance(r.intent, Refusal), -r.score),
        default=None,
    )


def _intents(
    request: Request,
    building: BuildingSchema,
    reading: Interpretation,
    tools: frozenset[str],
    before: object,
    turn: int,
) -> Iterator[BuildingIntent]:
    japanese = speaks_japanese(request.text)
    question_reader = BuildingQuestionReader(request, building, reading, japanese)
    if tools & WAY_TOOLS:
        previous = before if isinstance(before, BuildingQuestion | Refusal) else None
        for question in (question_reader.read(), continued(question_reader, previous)):
            if question is not None and (
                not isinstance(question, BuildingQuestion) or question.tool in tools
            ):
                yield question
    if isinstance(before, MapUpdate) and (again := redrawn(reading, before)) is not None:
        yield again
    if is_drawing(reading):
        drawn = DrawingReader(request, building, reading, japanese).read()
        named = any(mention.is_a("map", "map") or mention.kind == "floor" for mention in reading.mentions)
        if isinstance(drawn, Refusal):
            yield drawn
        elif named or drawn != MapUpdate(building.current):
            yield replace(drawn, seed=turn)
    elif (place := _plain_place(reading)) and "where_is" not in tools:
        yield MapUpdate(building.floors_of(place)[0], ((place, ""),))


def _plain_place(reading: Interpretation) -> str:
    """The room of `where is the Kitchen`, where no tool answers it but the map."""
    rooms = [str(mention.value) for mention in reading.mentions if mention.kind == "room"]
    return (
        rooms[0]
        if any(mention.is_a("way", "where") for mention in reading.mentions) and len(rooms) == 1
        else ""
    )


def read_sketch(phrases: list[tuple[str, str]], turn: int) -> Sketch | None:
    """A plot of mathematics or of random numbers, from the (kind, value) of all phrases of a request."""
    drawn = [value for kind, value in phrases if kind == "draw"]
    if not drawn:
        return None
    plot = next((value for kind, value in phrases if kind == "plot" and value != "auto"), "")
    if "random" in drawn:
        return Sketch("random", plot, turn)
    what = "both" if {"sine", "cosine"} <= set(drawn) else "sine" if "sine" in drawn else "cosine"
    return Sketch(what, plot, turn)
