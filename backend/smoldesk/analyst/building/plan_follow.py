"""Follow-ups of questions about a plan: the question before with another place, floor or traveller."""

import re
from dataclasses import replace

from smoldesk.analyst.building.changes import CHANGES
from smoldesk.analyst.building.intents import BuildingQuestion, Scalar
from smoldesk.analyst.building.plan_calls import Limits, list_rooms, route
from smoldesk.analyst.building.plan_question import NEUTRAL, PlanQuestion
from smoldesk.analyst.refusal import Refusal
from smoldesk.buildings.closures import is_closable

_SLOTS = {
    "find_route": ("start", "goal"),
    "nearest": ("start", "kind"),
    "where_is": ("", "name"),
    "list_rooms": ("", "kind"),
}
_OF_FRAGMENTS = NEUTRAL | {"from", "stepless", "cart", "walk", "if", "via", "avoid"}
_WAYS = ("find_route", "nearest")
_OF_LENGTHS = {"sum", "far", "longer", "than", "earlier", "go"}
_TOO = re.compile(r"^(?:and|also)\b|\b(?:too|as well)\W*$|も(?:お願いします)?\W*$", re.IGNORECASE)
_ASKING = {"where", "exists", "list", "which_of", "need"}


def continued(question: PlanQuestion, before: object) -> BuildingQuestion | Refusal | None:
    """Return the question before with what a fragment names: what about the library? from the garage; 2階は？"""
    if isinstance(before, Refusal) and before.reason == "where_from":
        return _started(question, before)
    cues = question.cues()
    is_length = cues >= {"earlier", "longer"} or ("far" in cues and cues <= {"far", "go", "sum"} | NEUTRAL)
    again = _measured(question, before) if "that" in cues or is_length else None
    again = (
        again
        or _without_stop(question, before)
        or _difference(question, before)
        or _narrowed(question, before)
    )
    if again:
        return again
    if isinstance(before, BuildingQuestion) and before.tool in CHANGES:
        return _changed_too(question, before)
    is_way = isinstance(before, BuildingQuestion) and before.tool in _WAYS
    places = question.at("room", "kind")
    is_fragment = (
        question.spans[0].is_cue("and")
        or "about" in cues
        or question.is_topic
        or cues & {"from", "stepless", "walk", "cart"}
        or (is_way and len(places) == 1 and question.role(places[0]) == "to")
    )
    if not isinstance(before, BuildingQuestion) or before.tool not in _SLOTS or not is_fragment:
        return None
    of_travellers = (
        {"far", "go", "people"}
        if is_way and cues & {"stepless", "cart", "walk"} and not places
        else set[str]()
    )
    if cues - _OF_FRAGMENTS - of_travellers or cues & _ASKING or question.at("number", "ordinal", "unknown"):
        return None
    arguments: dict[str, Scalar] = dict(before.arguments)
    start, goal = _SLOTS[before.tool]
    if question.is_from_there:
        if not start or not question.here():
            return None
        arguments[start] = question.here()
    for at in question.at("room", "kind"):
        is_start = question.role(at) == "from" or (before.tool == "nearest" and not question.is_kind(at))
        slot = start if is_start else goal
        if not slot:
            return None
        arguments[slot] = question.name(at, before.tool != "list_rooms")
    floors = question.floors()
    if floors and before.tool == "list_rooms":
        arguments["floor"] = floors[-1]
    elif floors and before.tool == "where_is" and not question.at("room", "kind"):
        return list_rooms(floors[-1], str(arguments["name"]), "count")
    elif floors:
        return None
    if question.take("walk"):
        arguments.pop("accessible", None)
        arguments.pop("profile", None)
    if question.take("stepless", "cart"):
        if before.tool == "nearest":
            return route(str(arguments["start"]), str(arguments["kind"]), True, Limits(True))
        if before.tool != "find_route":
            return None
        arguments["accessible"] = True
    question.take("from", "about", *of_travellers)
    return (
        BuildingQuestion(before.tool, tuple(arguments.items()))
        if dict(before.arguments) != arguments
        else None
    )


def _changed_too(question: PlanQuestion, before: BuildingQuestion) -> BuildingQuestion | None:
    """Return the change before for another place: and Amigo Express as well, キッチンも."""
    places = question.at("room", "kind")
    if len(places) != 1 or question.cues() - {"and", "about", "both"} or not _TOO.search(question.text):
        return None
    question.take("and", "about")
    name = question.name(places[0])
    return BuildingQuestion(before.tool, (("place", name),)) if is_closable(question.places, name) else None


def _without_stop(question: PlanQuestion, before: object) -> BuildingQuestion | None:
    """Return the way before without its stop: what if I do not stop at the workshop, 寄らなかったら？"""
    arguments = dict(before.arguments) if isinstance(before, BuildingQuestion) else {}
    stop, places = str(arguments.pop("via", "")), question.at("room", "kind")
    cues = question.cues()
    if (
        not stop
        or not (cues & {"skip"} or ("via" in cues and cues & {"neg", "avoid"}))
        or question.at("number", "unknown", "floor")
    ):
        return None
    if cues - NEUTRAL - {"skip", "neg", "avoid", "via", "if", "about", "far", "go", "from"}:
        return None
    if {spot for at in places for spot in question.spots(at)} - {*question.building.spots_named(stop)}:
        return None
    question.take("skip", "neg", "avoid", "via", "if", "about", "far", "go", "from")
    question.consumed |= {*places}
    return BuildingQuestion("find_route", tuple(arguments.items()))


def _difference(question: PlanQuestion, before: object) -> BuildingQuestion | None:
    """Return how much two places of the answer before differ in size."""
    if not isinstance(before, BuildingQuestion) or before.tool not in ("list_rooms", "where_is"):
        return None
    arguments = dict(before.arguments)
    names = str(arguments.get("kind") or arguments.get("name", ""))
    if "difference" not in question.cues() or question.cues() - NEUTRAL - {
        "difference",
        "size",
        "larger",
        "far",
    }:
        return None
    if names.count(",") != 1 or question.at("room", "kind", "number", "unknown", "floor"):
        return None
    question.take("difference", "size", "larger", "far")
    return list_rooms("", names, "largest")


def _narrowed(question: PlanQuestion, before: object) -> BuildingQuestion | None:
    """Return the rooms of a list within a limit, if it says sizes, or in their order: only those with more than 50."""
    if not isinstance(before, BuildingQuestion) or before.tool != "list_rooms":
        return None
    if question.at("room", "kind", "floor", "unknown") or "rooms" in question.cues():
        return None
    arguments = dict(before.arguments)
    is_sized = re.search(r"area|size|over|under|at |largest|smallest", str(arguments.get("show", "")))
    show = question.limit() if is_sized else ""
    if not show and question.cues() & {"ordered", "size"} and question.take("ordered"):
        show = "from smallest" if question.cues() & {"smallest", "smaller"} else "from largest"
        question.take("largest", "smallest", "larger", "smaller", "from")
    question.take("size", "count", "still")
    return list_rooms(str(arguments.get("floor", "")), str(arguments.get("kind", "")), show) if show else None


def _measured(question: PlanQuestion, before: object) -> BuildingQuestion | None:
    """Return the way before, whose length is asked for, or what closures add to it: how far is that, longer than before?"""
    if not isinstance(before, BuildingQuestion) or before.tool not in _WAYS:
        return None
    if question.cues() - NEUTRAL - _OF_LENGTHS or question.at("room", "kind", "floor", "unknown"):
        return None
    arguments = dict(before.arguments)
    if question.take("earlier") and question.take("longer"):
        question.take("than", "far")
        if arguments.pop("avoid", ""):
            return replace(before, first=(BuildingQuestion(before.tool, tuple(arguments.items())),))
        ends = tuple((name, arguments[name]) for name in ("start", "goal") if name in arguments)
        return BuildingQuestion("compare_scenarios", ends) if question.building.closed else None
    if not question.take("far"):
        return None
    question.take("go", "sum")
    return replace(before, first=())


def _started(question: PlanQuestion, before: Refusal) -> BuildingQuestion | None:
    """Return the route whose start was asked for."""
    places = question.at("room", "kind")
    if len(places) != 1 or question.cues() - _OF_FRAGMENTS - {"to"}:
        return None
    question.take("from")
    accessible = before.choices[:1] == ("accessible",)
    limits = Limits(accessible, list(before.choices[accessible:]))
    return route(question.name(places[0]), before.terms[0], before.table == "near", limits)
