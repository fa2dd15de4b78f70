"""Reader of questions about reach and evacuation: who is out when and by which exit, what is within minutes or cut off."""

import re
from collections.abc import Sequence
from dataclasses import replace

from smoldesk.analyst.building.intents import BuildingQuestion, Scalar
from smoldesk.analyst.building.plan_calls import COMPARE, EVACUATION, REACH
from smoldesk.analyst.building.plan_question import NEUTRAL, PlanQuestion
from smoldesk.analyst.building.terms import BuildingSchema
from smoldesk.analyst.refusal import Refusal
from smoldesk.buildings.evacuation.exits import find_exits

Answer = BuildingQuestion | Refusal | None
_PLACES = ("room", "kind")
_CLOSING = ("close", "closed")
_COMPARED = frozenset(("longer", "difference", "or", "than"))
_TIME = re.compile(r"\btimes?\b|時間|何分|何秒", re.IGNORECASE)
_HOW_TO = re.compile(r"\bhow\b|\broute\b|\bway\b|どう|行き方|道|経路|ルート", re.IGNORECASE)
_ENTRANCE = re.compile(r"entrance|玄関|入口", re.IGNORECASE)
_SHOWS = (("play", "frames"), ("crowded", "queues"), ("furthest", "furthest"))
_OF_USE = frozenset(("used", "most", "need"))
_WITH_CLOSING = ("earlier", "than", "difference")
_HOW = frozenset(("far", "time", "longer", "most", "used", "where", "crowded", "furthest"))
# Whether people get out, not how: first comes who does not.
_CAN = re.compile(
    r"^(?:can|could|is|are|does|do|will)\b|\b(?:still|able)\b|(?:でき|られ)(?:る|ます|ない|ません)",
    re.IGNORECASE,
)
_EACH = re.compile(
    r"(?P<number>\d+(?:\.\d+)?) ?(?:(?:people|persons?|人) )?(?:(?:are |is )?in (?=each|every))?"
    r"(?:per|an?|for each|for every|each|every) (?P<of>room\b|(?:\d+ ?)?(?:m2|sq\.? ?m\b|square met(?:re|er)s?))"
    r"|(?:(?:1|一|各)?(?:部屋|室)|\d*(?:m2|平方メートル))(?:あたり|当たり|ごとに|につき|に)?(?P<count>\d+(?:\.\d+)?)人",
    re.IGNORECASE,
)
_OF_RESUMED = {"minutes", "seconds", "stepless", "cart", "slow", "walk", "from", "about", "if", "people", "far", "longer",
    "time", "still", "under", "go", "reach", "evacuate", "each_floor"}  # fmt: skip
_WHO = ("who", "whom", "誰", "だれ", "how many people", "人数", "何人")
# Questions for which what is not used counts as closed: rooms that nobody gets to without the lift.
_STAIRS = re.compile(r"stairs|階段", re.IGNORECASE)
_FIRE = re.compile(r"^(?:an? |in )*(?:fire|emergency)|火事|火災", re.IGNORECASE)
_PROFILES = (("stepless", "wheelchair"), ("slow", "slow"), ("cart", "cart"))


def _profile(question: PlanQuestion) -> tuple[tuple[str, Scalar], ...]:
    return next(((("profile", name),) for cue, name in _PROFILES if question.take(cue)), ())


def _take_who(question: PlanQuestion) -> None:
    question.consumed |= {at for at, span in enumerate(question.spans) if span.text.casefold() in _WHO}


def _start(question: PlanQuestion) -> str | None:
    """Take and return the only place that is left; empty for none, None for several."""
    places = [at for at in question.at(*_PLACES) if at not in question.consumed]
    places = [at for at in places if not question.is_exit(at)]
    if any(question.is_kind(at) and len(question.spots(at)) > 1 and not question.role(at) for at in places):
        return None  # rooms that are asked for, not the one to start in
    if any(not question.spots(at) for at in places):
        return None  # stairs that are no rooms
    question.take("from")
    return question.name(places[0]) if len(places) == 1 else "" if not places else None


def read_evacuation(question: PlanQuestion) -> Answer:
    """Return how long an evacuation takes, which exits it uses, where it queues, which rooms are furthest or have no way."""
    exits = [at for at in question.at("kind") if question.is_exit(at) and at not in question.consumed]
    cues = question.cues()
    is_assigned = _are_exits_assigned(question, exits)
    if not (_is_evacuation(question, exits) or is_assigned) or (exits and "neg" in cues and cues & _OF_USE):
        return None
    question.consumed |= {*exits}
    _take_who(question)
    show = "exits" if is_assigned else ""
    show = next((name for cue, name in _SHOWS if question.take(cue)), show)
    is_used = (exits or not question.at(*_PLACES)) and question.take("most", "used")
    without = [
        at for at, span in enumerate(question.spans) if span.is_cue("stepless") and _STAIRS.search(span.text)
    ]
    question.consumed |= {*without}
    cues = _without_fire(question)
    closes = bool(without or cues & {*_CLOSING, "avoid"})
    show = show or ("exits" if is_used else "cut_off" if _is_whether(question, cues, closes) else "time")
    floors = question.floors()
    if (
        show == "time"
        and floors
        and cues & {"go", "where", "which_of"}
        and not cues & {"far", "time", "longer"}
    ):
        show = "exits"  # how they get out, not how long it takes
    _take_idle(question, show, closes, bool(exits))
    start = _start(question)
    if start is None or len(floors) > 1 or (start and floors):
        return None
    return _way_out(question, start, show) if start else _of_all(question, show, floors, bool(without))


def _are_exits_assigned(question: PlanQuestion, exits: Sequence[int]) -> bool:
    """Return whether a question asks which exit people take."""
    cues = question.cues()
    is_alone = len(exits) == len(question.at(*_PLACES))
    return bool(exits) and ((is_alone and cues >= {"go", "which_of"}) or cues >= {"people", "list"})


def _is_evacuation(question: PlanQuestion, exits: Sequence[int]) -> bool:
    """Return whether a question is about leaving the building; its words for leaving are taken."""
    cues = question.cues()
    free = {*question.at(*_PLACES)} - question.consumed
    goals = {at for at in exits if question.role(at) != "from"}
    last = len(question.spans) - 1
    leaves = last in exits and question.spans[last].text.casefold() == "exit"  # where would people in A exit
    return bool(
        question.take("evacuate")
        or (leaves and last and question.spans[last - 1].kind in _PLACES)
        or (exits and cues & {"furthest", "crowded", "most", "used"})
        or (goals and cues & {"neg", "cut_off"} and not cues & _OF_USE and free <= goals)
        or (not free and ((cues >= {"people", "effect"} and cues & {*_CLOSING}) or "crowded" in cues))
    )


def _without_fire(question: PlanQuestion) -> set[str]:
    """Return the cues; in case of fire, without a place, closes nothing and is taken."""
    cues = question.cues()
    if question.at(*_PLACES):
        return cues
    question.consumed |= {at for at, span in enumerate(question.spans) if _FIRE.search(span.text)}
    return {str(span.value) for span in question.unread() if span.kind == "cue"} | (cues - {*_CLOSING})


def _is_whether(question: PlanQuestion, cues: set[str], closes: bool) -> bool:
    """Return whether a question asks who does not get out, or whether all do."""
    denied = question.take("cut_off", "neg")
    return denied or bool(
        (closes or _CAN.search(question.text)) and not (cues & _HOW or _TIME.search(question.text))
    )


def _take_idle(question: PlanQuestion, show: str, closes: bool, has_exits: bool) -> None:
    """Take the words that an answer says anyway."""
    extra = [*_WITH_CLOSING] if closes else []
    extra += ["doors", "largest"] if show == "queues" else []
    extra += ["need", "list"] if has_exits else []
    extra += ["count", "reach"] if show == "cut_off" else []
    extra += ["mark", "that"] if show == "time" else []  # the rooms are painted by their times
    question.take(*(_HOW - {"where"}), "go", "sum", "still", "if", "minutes", "seconds", "effect", *extra)


def _way_out(question: PlanQuestion, start: str, show: str) -> Answer:
    """Return the way out of a room; the answer says how long it takes."""
    question.take("people", "nearest", "count", "list", "reach")
    if (limit := question.at("number", "amount")) and question.cues() & {"minutes", "seconds"}:
        question.take("under", "at_most")
        question.consumed |= {*limit}
    if show in ("furthest", "queues"):
        return None
    if question.take("stepless"):
        return BuildingQuestion("find_route", (("start", start), ("goal", "exit"), ("accessible", True)))
    return BuildingQuestion("nearest", (("kind", "exit"), ("start", start)))


def _of_all(question: PlanQuestion, show: str, floors: Sequence[str], is_stepless: bool) -> BuildingQuestion:
    """Return the evacuation of the building or a floor."""
    people = _people(question)
    profile = () if is_stepless else _profile(question)
    if profile and show == "time" and question.take("walk", *_COMPARED) and question.cues() & _COMPARED:
        show = "longer"
    avoid: tuple[tuple[str, Scalar], ...] = (("avoid", "stairs"),) if is_stepless else ()
    floor: tuple[tuple[str, Scalar], ...] = (("floor", floors[0]),) if floors else ()
    return BuildingQuestion(EVACUATION, (("show", show), *floor, *profile, *people, *avoid))


def read_reach(question: PlanQuestion) -> Answer:
    """Return which rooms are within some minutes of a place, or which ones nothing leads to."""
    cues = question.cues()
    minutes = _duration(question)
    is_denied = "neg" in cues and (
        "stepless" in cues or (cues & {"go", "reach"} and cues & {"rooms", "list"})
    )
    # Rooms that take longer than some time are no list of a tool.
    lacks = not minutes and (question.take("cut_off") or (is_denied and question.take("neg")))
    starts = [at for at in question.at(*_PLACES) if question.role(at) == "from"]
    is_open = cues & {"reach", "go"} and (
        cues & {"rooms", "list"}
        and (starts or (cues & {*_CLOSING} and {*question.at(*_PLACES)} <= question.consumed))
        and not question.at(*_PLACES, role="to")
    )
    is_painted = bool(starts) and "mark" in cues and question.take("far", "time")
    question.take(*(["to"] if is_painted else []))
    if not (minutes or lacks or is_open or is_painted):
        return _still_reached(question)
    question.take(
        "reach",
        "go",
        "far",
        "under",
        "at_most",
        "still",
        "if",
        "people",
        "count",
        "walk",
        "mark",
        "sum",
        "doors",
        "effect",
    )
    _take_who(question)
    question.consumed |= {
        at
        for at in question.at("kind")
        if question.is_exit(at)
        and (question.role(at) == "from" or (minutes and _ENTRANCE.search(question.spans[at].text)))
    }
    start = _start(question)  # without a room the tool starts at the entrance
    if start is None:
        return None
    within: Sequence[tuple[str, Scalar]] = (("minutes", minutes),) if minutes else ()
    return BuildingQuestion(REACH, (("start", start or question.here()), *within, *_profile(question)))


def _still_reached(question: PlanQuestion) -> Answer:
    """Return what is cut off, for a question whether a place is still reached under the closures that were read."""
    places = [at for at in question.at(*_PLACES) if at not in question.consumed]
    cues = question.cues()
    if (
        len(places) != 1
        or not cues & {*_CLOSING, "avoid"}
        or not cues & {"reach", "still", "effect", "go"}
        or cues & {"far", "longer"}
        or (cues.isdisjoint({"reach", "still", "effect"}) and _HOW_TO.search(question.text))
    ):
        return None
    if question.role(places[0]) == "from" or not question.consumed:
        return None
    question.consumed |= {*places}
    question.take("reach", "go", "still", "people", "effect")
    return BuildingQuestion(REACH, (("start", question.here()), *_profile(question)))


def _duration(question: PlanQuestion) -> float:
    """Take and return a time in minutes: 30 seconds, within a minute; 0 for none."""
    for at, span in enumerate(question.spans):
        near = question.spans[at - 1] if at else span
        is_counted = near.kind in ("number", "amount")
        if span.is_cue("minutes", "seconds") and (is_counted or "minute" in span.text.casefold()):
            number = float(str(near.value)) if is_counted else 1.0
            question.consumed |= {at, at - 1} if is_counted else {at}
            return number / 60 if span.is_cue("seconds") else number
    return 0.0


def _people(question: PlanQuestion) -> tuple[tuple[str, Scalar], ...]:
    """Take and return how many people there are: 60, or 2 per room."""
    if match := _EACH.search(question.text):
        inside = {at for at, span in enumerate(question.spans) if match.start() <= span.first < match.end()}
        question.consumed |= inside
        is_room = (
            (match["of"] or match[0]).casefold().startswith(("room", "1部屋", "一部屋", "各", "部屋", "室"))
        )
        return (("people", f"{match['number'] or match['count']} per room" if is_room else match[0]),)
    for at, span in enumerate(question.spans):
        if span.is_cue("people") and at and question.spans[at - 1].kind in ("number", "amount"):
            question.consumed |= {at - 1}
            question.take("people")
            return (("people", f"{float(str(question.spans[at - 1].value)):g}"),)
    question.take("people")
    return ()


def read_resumed(question: PlanQuestion, before: object) -> BuildingQuestion | None:
    """Return the reach or the evacuation before with another time, traveller, floor or start: and in a minute? 車椅子だと？"""
    places = [at for at in question.at(*_PLACES) if not question.is_exit(at)]
    if (
        not isinstance(before, BuildingQuestion)
        or before.tool not in (REACH, EVACUATION)
        or question.cues() - NEUTRAL - _OF_RESUMED
        or len(places) > 1
        or not all(map(question.spots, places))
        or (places and question.cues() & {"reach", "evacuate", "go"})
        or question.at("unknown")
    ):
        return None
    is_evacuation = before.tool == EVACUATION
    arguments = {name: value for name, value in before.arguments if value != "frames"}
    if minutes := _duration(question):
        arguments["minutes"] = minutes
    profile = dict(_profile(question))
    if profile and is_evacuation and question.take("longer"):
        arguments["show"] = "longer"
    if question.take("walk"):
        arguments.pop("profile", None)
    arguments |= profile
    if is_evacuation:
        arguments |= dict(_people(question))
        if floors := question.floors():
            arguments["floor"] = floors[0]
    question.take("from", "about", "if", "people", "far", "time", "still", "under", "go", "reach", "evacuate")
    if places and is_evacuation:
        return BuildingQuestion("nearest", (("kind", "exit"), ("start", question.name(places[0]))))
    if places:
        arguments["start"] = question.name(places[0])
    is_same = arguments == dict(before.arguments) or (minutes and is_evacuation)
    return None if is_same else BuildingQuestion(before.tool, tuple(arguments.items()))


def read_ways_out(question: PlanQuestion) -> Answer:
    """Return the ways out of two places that a question compares: who is out sooner, A or B; どちらが出口に近い？"""
    exits = [at for at in question.at("kind") if question.is_exit(at)]
    starts = [at for at in question.at(*_PLACES) if at not in exits]
    cues = question.cues()
    is_choice = cues & {"or", "which_of", "than"} and cues & {
        "closer",
        "nearest",
        "longer",
        "faster",
        "far",
        "furthest",
        "evacuate",
    }
    if (
        len(starts) != 2
        or not is_choice
        or not (question.take("evacuate") or exits)
        or cues & {*_CLOSING, "avoid"}
    ):
        return None
    question.consumed |= {*exits}
    _take_who(question)
    question.take(
        "or",
        "which_of",
        "than",
        "closer",
        "nearest",
        "longer",
        "faster",
        "far",
        "time",
        "people",
        "go",
        "from",
    )
    ways = [BuildingQuestion("nearest", (("kind", "exit"), ("start", question.name(at)))) for at in starts]
    return replace(ways[1], first=(ways[0],))


def read_scenarios(question: PlanQuestion) -> Answer:
    """Return the stored scenarios side by side."""
    if not question.take("scenario") or not question.take("than"):
        return None
    question.take("closed", "close", "list", "sum", "from")
    ends = {question.role(at) or "to": question.name(at) for at in question.at(*_PLACES)}
    goal = (("goal", ends["to"]),) if "to" in ends else ()
    return BuildingQuestion(COMPARE, (("start", ends.get("from") or question.here()), *goal))


def effect_of(building: BuildingSchema, places: Sequence[str] = ()) -> BuildingQuestion:
    """Return what is asked of closures alone: the evacuation without exits, else what is cut off."""
    index = building.places
    if index and places and all(find_exits(index, place) or index.kind(place) == "exit" for place in places):
        return BuildingQuestion(EVACUATION, (("show", "time"),))
    spots = building.selected
    return BuildingQuestion(REACH, (("start", f"{spots[0][1]} ({spots[0][0]})" if len(spots) == 1 else ""),))
