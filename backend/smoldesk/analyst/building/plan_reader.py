"""Reader of questions about a plan: each kind of question takes its words and slots; the first that takes all is the answer."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from smoldesk.analyst.building.intents import BuildingQuestion
from smoldesk.analyst.building.leftovers import passable
from smoldesk.analyst.building.plan_calls import COMPARE, Limits, list_rooms, route
from smoldesk.analyst.building.plan_follow import continued
from smoldesk.analyst.building.plan_question import PlanQuestion
from smoldesk.analyst.building.plan_reach import (
    read_evacuation,
    read_reach,
    read_resumed,
    read_scenarios,
    read_ways_out,
)
from smoldesk.analyst.building.plan_results import result_spots
from smoldesk.analyst.building.plan_what_if import read_cases, read_closed, read_closing, read_reopening
from smoldesk.analyst.building.terms import BuildingSchema
from smoldesk.analyst.refusal import Refusal
from smoldesk.buildings.closures import is_closable
from smoldesk.buildings.room_texts import SHAFTS

Answer = BuildingQuestion | Refusal | None
_PLACES = ("room", "kind")
_ASKING = ("where", "exists", "list", "which_of")
MAX_WORDS = 60
_REACHED = re.compile(r"^(?:is|are|can)\b.*\breach", re.IGNORECASE)
_WHETHER = re.compile(r"^(?:can|could|is|are)\b|(?:ます|る|れる)か?[?？]?$", re.IGNORECASE)
MAX_PARTS = 2
MAX_FLOORS = 12
_CALLED = re.compile(r"what (?:are they|they are) called|their names|階の名前", re.IGNORECASE)
# Between two questions: how many rooms are there, and how big is ...; ...の広さは？隣の部屋も教えて
_PARTS = re.compile(
    r"[?？。!！]\s*(?=\S)|,? and (?=(?:what|how|which|where|is|are|does)\b)|、(?=[^、]*(?:教えて|[?？]$))",
    re.IGNORECASE,
)
_OF_FACTS = ("where_is", "list_rooms", "nearest", "find_route")
_JAPANESE = re.compile(r"[\u3040-\u9fff]")
_INSIDE = re.compile(r"\b(?:in|at)(?: (?:the|an?|my|our))? $", re.IGNORECASE)


def read_plan_question(
    text: str, building: BuildingSchema, tools: frozenset[str], before: object
) -> tuple[BuildingQuestion | Refusal, tuple[str, ...]] | None:
    """Return what a text asks of the plan, and the words that it leaves out; None for anything else."""
    question = PlanQuestion.of(text, building, result_spots(before, building), tools)
    if question is None or not question.spans or len(question.spans) > MAX_WORDS:
        return None
    is_way = isinstance(before, BuildingQuestion) and before.tool in ("find_route", "nearest")
    if is_way and "that" not in question.cues():
        question.previous = ()  # nobody is at the goal yet
    best: tuple[BuildingQuestion | Refusal, tuple[str, ...]] | None = None
    passing: BuildingQuestion | None = None
    for answer, unused in _answers(question, before):
        calls = (*answer.first, answer) if isinstance(answer, BuildingQuestion) else ()
        if all(call.tool in tools for call in calls) and (best is None or len(unused) < len(best[1])):
            best = answer, unused
            passed = passable(question, answer) if unused else None
            if passed is not None and passing is None and isinstance(answer, BuildingQuestion):
                passing = replace(answer, unread=passed)
        if best and not best[1]:
            return best
    parts = _in_parts(text, building, tools, before)
    return (parts, ()) if parts else (passing, ()) if passing else best


def _in_parts(
    text: str, building: BuildingSchema, tools: frozenset[str], before: object
) -> BuildingQuestion | None:
    """Return the calls of a question of two parts; None unless all words of both are understood."""
    parts = [part for part in _PARTS.split(text) if part.strip()]
    if len(parts) != MAX_PARTS:
        return None
    calls: list[BuildingQuestion] = []
    for part in parts:
        read = read_plan_question(part, building, tools, calls[-1] if calls else before)
        if read is None or read[1] or not isinstance(read[0], BuildingQuestion) or read[0].unread:
            return None
        subjects = [(call.tool, result_spots(call, building)) for call in (*calls[-1:], read[0])]
        calls = [
            *(calls[:-1] if read[0].tool == "where_is" and subjects[0] == subjects[-1] else calls),
            read[0],
        ]
    if any(call.first or call.tool not in _OF_FACTS for call in calls):
        return None
    return replace(calls[-1], first=tuple(calls[:-1]))


def _answers(
    question: PlanQuestion, before: object
) -> Iterator[tuple[BuildingQuestion | Refusal, tuple[str, ...]]]:
    readers: tuple[Callable[[PlanQuestion], Answer], ...] = (
        lambda question: continued(question, before), lambda question: read_resumed(question, before), read_scenarios,
        read_ways_out, read_reopening, lambda question: read_cases(question, _plain),
        lambda question: read_closing(question, _plain, before), read_closed, read_evacuation, read_reach, _incomplete,
        _missing, _absent, _kinds, _by_floor, _on_each_floor, _floors, _same_floor, _between, _limited, _ranked, _extreme,
        _averaged, _summed, _counted, _nearest, _route, _doors, _adjoining, _sized, _rooms, _placed,
    )  # fmt: skip
    for reader in readers:
        question.consumed = set()
        if (answer := reader(question)) is not None:
            yield answer, question.unused()


def _plain(question: PlanQuestion) -> Answer:
    """Return the route or the nearest place that a question with closures asks for."""
    before = {*question.consumed}
    for reader in (_nearest, _route):
        question.consumed = {*before}
        if isinstance(answer := reader(question), BuildingQuestion):
            return answer
    return None


def _incomplete(question: PlanQuestion) -> Answer:
    """Return the rooms of a list of which some exist; the answer names the others."""
    missing = [
        at
        for at in question.at("unknown", "number", "no room")
        if question.building.lacks(*[question.spans[at].text] * 2) or question.spans[at].kind == "no room"
    ]
    numbers = sorted((*question.at(*_PLACES), *missing))
    if (
        not missing
        or not question.at(*_PLACES)
        or question.cues() - {"and", "both", "where", "list", "mark", "rooms"}
    ):
        return None
    if numbers[-1] - numbers[0] >= 2 * len(numbers) or any(question.role(at) for at in numbers):
        return None
    names = [
        question.name(at) if question.spans[at].kind in _PLACES else question.spans[at].text for at in numbers
    ]
    question.consumed |= {*numbers}
    return BuildingQuestion("where_is", (("name", ", ".join(names)),))


def _missing(question: PlanQuestion) -> Answer:
    """Return that no room has a number or no floor a name that the question has."""
    ends = [at for at in question.at("number") if question.role(at) in ("from", "to")]
    codes = [
        at
        for at in (*question.at("unknown"), *ends)
        if question.building.lacks(question.spans[at].text, question.spans[at].text)
    ]
    for at in (*question.at("no room", "no floor"), *codes):
        question.consumed |= {*range(len(question.spans))} - {*question.at("unknown")}
        text = question.spans[at].text
        if question.spans[at].kind == "no floor":
            return Refusal("no_floor", (text,), tuple(question.building.floors))
        return Refusal("no_room", (text,), question.building.near(text, *question.places.near(text)))
    return None


def _absent(question: PlanQuestion) -> Answer:
    """Return that the plan has no place of a name or kind that it does not know: is there a pool in this building?"""
    unknown = question.at("unknown")
    is_asked = question.cues() >= {"exists", "building"} or (
        "exists" in question.cues() and question.at("floor")
    )
    if not is_asked or not unknown or question.at(*_PLACES) or unknown[-1] - unknown[0] >= len(unknown):
        return None
    words = [question.spans[at].text for at in unknown]
    text = ("" if _JAPANESE.search(words[0]) else " ").join(words)
    question.take("exists", "building", "to", "and", "from")
    question.consumed |= {*unknown, *question.at("floor")}
    return Refusal("no_room", (text,), question.building.near(text, *question.places.near(text)))


def _subject(question: PlanQuestion) -> tuple[str, str, bool]:
    """Take the floor and the kind or the names that a list is about; whether it is about anything."""
    floors = question.floors()
    if question.take("that_floor") and question.previous:
        floors = [question.previous[0][0]]
    outside = [at for at in question.at(*_PLACES) if question.role(at) in ("except", "avoid")]
    excluded = [question.name(at, False) for at in outside]
    places = [at for at in question.at(*_PLACES) if at not in question.consumed]
    question.take("except", *(["avoid"] if outside else []))
    names = ", ".join(dict.fromkeys(question.name(at, False) for at in places))
    refers = question.take("that") or ("which_of" in question.cues() and not floors)
    if not places and refers and question.previous and "rooms" not in question.cues():
        names = ", ".join(_quoted_spots(question))
    names = f"{names} except {', '.join(excluded)}".strip() if excluded else names
    if len(floors) > 1:
        return "", names, False
    return (floors or [""])[0], names, True


def _quoted_spots(question: PlanQuestion) -> list[str]:
    from smoldesk.buildings.overlay_text import quoted

    return [quoted(f"{room} ({floor})") for floor, room in question.previous]


def _list(question: PlanQuestion, show: str) -> Answer:
    floor, names, is_one = _subject(question)
    return list_rooms(floor, names, show) if is_one else None


def _kinds(question: PlanQuestion) -> Answer:
    if "mark" in question.cues() and question.take("by_kind"):
        question.take("mark", "kinds", "list")
        return _list(question, "kinds")
    return _list(question, "kinds") if question.take("kinds") else None


def _by_floor(question: PlanQuestion) -> Answer:
    """Return floors compared: which floor has the most toilets, how many rooms are on each floor."""
    each, most, fewest = (question.take(name) for name in ("each_floor", "most", "fewest"))
    asks = question.take("a_floor") or question.take("where")
    several = len(question.at("floor")) > 1 and (most or fewest or "count" in question.cues())
    extremes = question.cues() & {"largest", "smallest"}
    if asks and len(extremes) == 1 and not question.at(*_PLACES) and "rooms" not in question.cues():
        question.take("size", *extremes)
        return list_rooms("", "", f"{extremes.pop()} by floor")
    if len(question.at("floor")) > 1 and (most or fewest) and question.take("size"):
        return list_rooms(", ".join(question.floors()), "", f"{'largest' if most else 'smallest'} by floor")
    lacks = asks and not (most or fewest) and question.at(*_PLACES) and question.take("neg")
    if not (each or several or (asks and (most or fewest or lacks))):
        return None
    question.take("count", "sum", "than", *_ASKING)
    which = "most " if most else "fewest " if fewest else "none " if lacks else ""
    floors = question.floors()
    return list_rooms(", ".join(floors) if several else "", _subject(question)[1], f"{which}by floor")


def _on_each_floor(question: PlanQuestion) -> Answer:
    """Return a rank, an area or an average for each floor: the two smallest rooms per floor."""
    floors = [*question.building.floors]
    if question.at("floor") or len(floors) > MAX_FLOORS or not question.take("each_floor"):
        return None
    before = {*question.consumed}
    for reader in (_ranked, _extreme, _summed):
        question.consumed = {*before}
        answer = reader(question)
        if isinstance(answer, BuildingQuestion) and not answer.first and not question.unused():
            arguments = dict(answer.arguments)
            calls = [
                replace(answer, arguments=tuple((arguments | {"floor": floor}).items())) for floor in floors
            ]
            return replace(calls[-1], first=tuple(calls[:-1]))
    return None


def _floors(question: PlanQuestion) -> Answer:
    if question.take("storeys"):
        return BuildingQuestion("list_rooms", (("show", "floors"),))
    asks = question.take("count") or question.take("list") or question.take("where")
    is_asked = asks and question.take("a_floor") and not question.at(*_PLACES, "floor")
    if "that" in question.cues() and not (_CALLED.search(question.text) and question.take("that")):
        return None  # which floors does it serve
    return BuildingQuestion("list_rooms", (("show", "floors"),)) if is_asked else None


def _same_floor(question: PlanQuestion) -> Answer:
    places = question.at(*_PLACES)
    if not question.take("same_floor", "that_floor"):
        return None
    if len(places) == 2 and not any(map(question.is_kind, places)):
        return BuildingQuestion("where_is", (("name", ", ".join(map(question.name, places))),))
    spots = question.spots(places[-1]) if places else question.previous
    floors = {floor for floor, _ in spots}
    if len(floors) != 1:
        return None
    kinds = [question.name(at, False) for at in places[:-1] if question.is_kind(at)]
    question.consumed |= {*places[-1:]}
    question.take("count")
    return list_rooms(floors.pop(), kinds[0] if kinds else "", "count" if kinds else "")


def _between(question: PlanQuestion) -> Answer:
    places = question.at("room", "kind")
    if question.cues() & {"go", "far"} or len(places) != 2 or not question.take("between"):
        return None
    return list_rooms("", ", ".join(map(question.name, places)), "between")


def _limited(question: PlanQuestion) -> Answer:
    """Return the rooms within a limit of their area: offices over 50 m2."""
    limit = question.limit() if question.cues() & {"size", "larger", "smaller"} else ""
    question.take("count", "mark", "size")
    return _list(question, limit) if limit else None


def _ranked(question: PlanQuestion) -> Answer:
    """Return rooms by their rank in size: the second largest, the three smallest, from the largest on."""
    large, small = question.take("largest", "larger"), question.take("smallest", "smaller")
    ordinal, number = question.number("ordinal"), question.number("number", "amount")
    ordered = question.take("ordered") or (large and small and question.cues() >= {"from", "to"})
    question.take("size", "than", "mark", *(["from"] if ordered else []))
    if not (large or small) and not (ordered and "size" in question.cues()):
        return None
    word = "smallest" if small and not large else "largest"
    if ordinal:
        suffix = {1: "st", 2: "nd", 3: "rd"}.get(ordinal, "th")
        return _list(question, f"{ordinal}{suffix} {word}")
    if number or ordered:
        return _list(question, f"{number} {word}" if number else f"from {word}")
    return None


def _extreme(question: PlanQuestion) -> Answer:
    """Return the largest or smallest room of a floor, a kind, or of some places by name."""
    large, small = question.take("largest"), question.take("smallest")
    if not (large or small):
        if answer := _than_that(question):
            return answer
        if len(question.at(*_PLACES)) < 2 and len(question.previous) < 2:
            return None
        large, small = question.take("larger"), question.take("smaller")
        large = large or _differs(question)
    if not (large or small):
        return None
    question.take("size", "than", "from", "mark", "a_floor")
    if len(question.at(*_PLACES)) == 2:
        question.take("difference")  # the answer says it
    answer = _list(question, "largest" if large else "smallest")
    if large and small and isinstance(answer, BuildingQuestion):
        return replace(answer, arguments=(*answer.arguments[:-1], ("show", "smallest")), first=(answer,))
    return answer


def _differs(question: PlanQuestion) -> bool:
    """Take the words that ask how much two named places differ in size."""
    is_meant = len(question.at(*_PLACES)) == 2 and "size" in question.cues()
    return is_meant and question.take("difference") and (question.take("between") or True)


def _than_that(question: PlanQuestion) -> Answer:
    """Return the larger of the place before and another one: is it bigger than the workshop?"""
    places, previous = question.at("room", "kind"), question.here()
    if len(places) != 1 or not previous or not question.take("that"):
        return None
    large = question.take("larger")
    if not (large or question.take("smaller")) or len(question.spots(places[0])) != 1:
        return None
    question.take("than", "size")
    return list_rooms("", f"{previous}, {question.name(places[0])}", "largest" if large else "smallest")


def _averaged(question: PlanQuestion) -> Answer:
    if not question.take("average") or not question.take("size"):
        return None
    return _list(question, "average")


def _summed(question: PlanQuestion) -> Answer:
    is_floor = len(question.at("floor")) == 1 and not question.at(*_PLACES)
    is_floor = is_floor or ("building" in question.cues() and not question.at(*_PLACES, "floor"))
    is_total = is_floor and not question.cues() & {"that", "list", "rooms"}
    is_sum = question.take("area_sum") or (question.take("size") and (question.take("sum") or is_total))
    if not is_sum:
        return None
    question.take("size", "sum")
    question.take("count")
    return _list(question, "area")


def _counted(question: PlanQuestion) -> Answer:
    if not question.take("count"):
        return None
    question.take("sum")
    show = "area" if question.take("size") else "count"
    is_about = question.at(*_PLACES) or question.cues() & {"rooms", "count"}
    kinds = [at for at in question.at(*_PLACES) if not question.role(at)]
    if kinds:
        question.take("a_floor")  # and which floors do they serve
    if kinds and all(question.places.kind(question.spans[at].text) in SHAFTS for at in kinds):
        question.take(
            "go", "to", "reach", "beside"
        )  # how many lifts go to the ground floor, connect the floors
    if len(kinds) > 1 and len(kinds) == len(question.at(*_PLACES)):
        return _each(question, kinds, show)
    return _list(question, show) if is_about else None


def _each(question: PlanQuestion, kinds: Sequence[int], show: str) -> Answer:
    """Return the rooms of each kind by itself, since one of them may have none."""
    floors = question.floors()
    calls = [list_rooms((floors or [""])[0], question.name(at, False), show) for at in kinds]
    return replace(calls[-1], first=tuple(calls[:-1])) if len(floors) < 2 else None


def _door(question: PlanQuestion) -> list[int]:
    """Take the words for a door that a route avoids, and return its two rooms; empty for none."""
    near = next(at for at, span in enumerate(question.spans) if span.is_cue("between"))
    places = question.at(*_PLACES)
    rooms = (
        [at for at in places if at < near][-2:]
        if question.is_japanese
        else [at for at in places if at > near][:2]
    )
    if len(rooms) != 2 or "avoid" not in question.cues():
        return []
    question.take("doors", "between")
    return rooms


def _limits(question: PlanQuestion) -> Limits:
    limits = Limits(accessible=question.take("stepless", "cart"))
    for role, names in (("via", limits.via), ("avoid", limits.avoid)):
        places = question.at(*_PLACES, role=role)
        if role == "avoid" and question.is_about_door and (rooms := _door(question)):
            names.append(question.door(*rooms))
            continue
        for at in places:
            kind = question.places.kind(question.spans[at].text)
            if role == "avoid" and kind == "stairs":
                limits.accessible = True
                question.consumed.add(at)
            else:
                names.append(question.name(at))
    question.take("via", *(["avoid"] if limits.avoid or limits.accessible else []))
    if limits.via:  # stop at the workshop first
        question.consumed |= {at for at in question.at("ordinal") if question.spans[at].value == 1}
    return limits


def _nearest(question: PlanQuestion) -> Answer:
    """Return the nearest place of a kind, or which of several is nearer."""
    if not question.take("nearest", "closer"):
        return None
    limits = _limits(question)
    places = [at for at in question.at(*_PLACES) if at not in question.consumed]
    starts = [at for at in places if question.role(at) == "from"] or _nearest_to(question, places)
    goals = [at for at in places if at not in starts]
    if len(starts) > 1 or not goals or (len(goals) > 1 and "or" not in question.cues()):
        return None
    question.take("from", "go", "far", "than", "a_floor")
    goal = ", ".join(question.name(at) for at in goals)
    start = question.name(starts[0]) if starts else question.here()
    if not start and "where" in question.cues() and not limits:
        return BuildingQuestion("where_is", (("name", goal),))  # all of them are shown
    if not start:
        return Refusal(
            "where_from", (goal,), tuple(["accessible"] * limits.accessible + limits.avoid), "near"
        )
    return route(start, goal, True, limits)


def _nearest_to(question: PlanQuestion, places: list[int]) -> list[int]:
    """Return the place that `closest to` or に一番近い names; that of a room among kinds."""
    near = next(at for at, span in enumerate(question.spans) if span.is_cue("nearest", "closer"))
    sought = near + 1 if near + 1 in places and not question.is_japanese else -1  # the closest toilet
    rooms = [at for at in places if not question.is_kind(at) and at != sought]
    if len(places) < 2:
        return []
    if question.is_japanese:
        marked = [at for at in places if at < near and question.role(at) == "to"]
        return marked or (rooms[:1] if len(rooms) == 1 else places[:1])
    inside = [at for at in places if _INSIDE.search(question.text[: question.spans[at].first])]
    if len(inside) == 1 and inside[0] < near:  # he is in the workshop, which toilet is nearest
        return inside
    following = [at for at in places if at > near]
    towards = [at for at in following if question.role(at) in ("to", "from")]
    if len(towards) == 1:  # nearest toilet to the office
        return towards
    if question.spans[near].text.casefold().endswith((" to", "near")) and following:
        return following[:1]
    return rooms[:1] if len(rooms) == 1 else places[-1:]


def _route(question: PlanQuestion) -> Answer:
    cues = question.cues()
    limits = _limits(question)
    places = [at for at in question.at(*_PLACES) if at not in question.consumed]
    starts = [at for at in places if question.role(at) == "from"]
    if len(places) < 2 and cues & {"go", "reach", "far"} and (ends := _floor_ends(question)):
        return _between_floors(question, limits, places, ends)
    means = _means(question, places) if starts else []
    goals = [at for at in places if at not in (*starts, *means)]
    if "where" in cues and not starts and not cues & {"far", "to", "between"}:
        return None  # where do I go for coffee
    asks = (
        cues & {"go", "far", "reach"}
        or limits.via
        or (starts and goals and cues & {"to", "stepless", "need"})
    )
    asks = asks or means or (question.is_from_there and goals and "to" in cues)
    question.take("go", "far", "reach", "between", "from", "a_floor", "still")
    if not starts and len(goals) == 2 and cues & {"far", "between", "go", "stepless"}:
        towards = [at for at in goals if question.role(at) == "to"] or goals[1:]
        starts, goals = [at for at in goals if at not in towards], towards
    if (
        len(goals) == 2
        and starts
        and all(question.role(at) == "to" for at in goals)
        and not question.is_japanese
    ):
        limits.via.append(question.name(goals[0]))  # from A to B and then to C
        goals, asks = goals[1:], True
    if not asks or len(starts) > 1 or len(goals) > 1 or not (starts or goals):
        return None
    if starts and goals:
        question.take("people", "time")
        is_one = len(question.spots(goals[0])) == 1 and not cues & {"reach", "list"}
        if is_one and question.take("minutes", "seconds"):  # the answer says how long it takes
            question.take("under", "at_most")
            question.number("number", "amount")
    refers = cues & {"that", "far"} and len(question.previous) == 1  # how far is it from room 101
    goal = question.name(goals[0]) if goals else question.here() if refers else ""
    if not goal:
        return None
    start = question.name(starts[0]) if starts else question.here() if goals else ""
    if not start and goals and not (question.spots(goals[0]) or is_closable(question.places, goal)):
        return Refusal("no_room", (question.spans[goals[0]].text,), ())
    if start and means:
        return _by_means(question, start, goal, means, limits)
    closed = {spot for text in question.building.closed for spot in question.building.spots_named(text)}
    may_be_cut_off = question.building.closed and goals and not closed & {*question.spots(goals[0])}
    if not start and ("still" in cues or _WHETHER.search(question.text)) and may_be_cut_off and not limits:
        return BuildingQuestion("reachable_from", (("start", ""),))  # it names what is cut off now
    if not start and goals and not limits and _REACHED.search(question.text):
        return BuildingQuestion("reachable_from", (("start", ""),))  # from the entrance
    if not start:
        return Refusal("where_from", (goal,), tuple(["accessible"] * limits.accessible + limits.avoid), "")
    is_compared = COMPARE in question.tools and not limits
    if (
        is_compared
        and question.building.closed
        and question.take("longer", "effect", "earlier", "difference")
    ):
        question.take("than")
        return BuildingQuestion(COMPARE, (("start", start), ("goal", goal)))
    way = route(start, goal, False, limits)
    if (limits.avoid or limits.accessible) and question.take(
        "longer", "difference"
    ):  # with and without the part
        base = Limits(limits.accessible and bool(limits.avoid), via=limits.via)
        return replace(way, first=(route(start, goal, False, base),))
    return way


def _floor_ends(question: PlanQuestion) -> dict[str, int]:
    """Return the floors that a way starts or ends at, by "from" and "to"."""
    around = {at + step for at in question.at(*_PLACES) for step in (-1, 1)}
    return {
        question.role(at): at
        for at in question.at("floor")
        if question.role(at) in ("from", "to") and at not in around
    }


def _between_floors(
    question: PlanQuestion, limits: Limits, places: Sequence[int], ends: dict[str, int]
) -> Answer:
    """Return the way from or to a floor: one of its corridors, else its first room; the answer names it."""
    names = {role: question.floor_room(at) for role, at in ends.items()}
    for at in places:
        names.setdefault("from" if question.role(at) == "from" else "to", question.name(at))
    if names.keys() == {"to"} and not places and not limits.avoid:  # which rooms of it are cut off
        profile = (("profile", "wheelchair"),) if limits.accessible else ()
        question.take("go", "reach", "still", "people")
        return BuildingQuestion("reachable_from", (("start", ""), *profile))
    if len(names) < 2 or len(names) < len(ends) + len(places):
        return None
    question.take("go", "reach", "from", "still", "people", "far", "evacuate")
    return route(names["from"], names["to"], False, limits)


def _means(question: PlanQuestion, places: Sequence[int]) -> list[int]:
    """Return the lift or the stairs that a way takes, beside its start and goal; several only for a choice: stairs or lift?"""
    means = [
        at
        for at in places
        if question.places.kind(question.spans[at].text) in SHAFTS
        and not question.role(at)
        and not question.neighbour(at).is_cue("exists", "neg")
        and "need" not in question.neighbour(at).text.casefold()  # do I need the lift
    ]
    is_choice = question.cues() & {"or", "which_of", "faster", "longer", "than"}
    return means if len(means) == 1 or (len(means) == 2 and is_choice) else []


def _by_means(
    question: PlanQuestion, start: str, goal: str, means: Sequence[int], limits: Limits
) -> BuildingQuestion:
    """Return the way by the lift or by the stairs, without what else leads to other floors; both calls for a choice."""
    calls: list[BuildingQuestion] = []
    if question.take("longer") and len(means) == 1:
        calls.append(route(start, goal, False, limits))
    question.take("or", "which_of", "faster", "than", "list")
    for at in means:
        question.consumed.add(at)
        kind = question.places.kind(question.spans[at].text)
        avoided = [shaft for shaft in SHAFTS if shaft != kind and is_closable(question.places, shaft)]
        by = Limits(limits.accessible, [*limits.avoid, *avoided], limits.via)
        if kind == "lift" and not limits.avoid:
            by = Limits(True, [], limits.via)
        calls.append(route(start, goal, False, by))
    return replace(calls[-1], first=tuple(calls[:-1]))


def _named(question: PlanQuestion) -> str:
    """Take and return the places of the question, else those that it refers to."""
    places = question.at(*_PLACES)
    if places:
        return ", ".join(map(question.name, places))
    if number := question.number("ordinal"):
        floor, room = question.previous[number - 1] if number <= len(question.previous) > 1 else ("", "")
        return f"{room} ({floor})" if room else ""
    refers = question.take("that") or not question.at("floor")
    return ", ".join(_quoted_spots(question)) if refers else ""


def _doors(question: PlanQuestion) -> Answer:
    """Return how many doors rooms have, and where they lead."""
    if not question.cues() >= {"doors", "count"} or question.cues() & {"between", "rooms"}:
        return None
    question.take("doors", "count", "beside", "to", "go")
    names = _named(question)
    return list_rooms("", names, "doors") if names else None


def _adjoining(question: PlanQuestion) -> Answer:
    around = [span for span in question.spans if not span.is_cue("rooms")]
    if any(span.is_cue("beside") and after.is_cue("beside") for span, after in pairwise(around)):
        return None  # the neighbours of the neighbours
    if not question.take("beside", "doors"):
        return None
    question.take("kinds", *(["size"] if "and" in question.cues() else []))  # the answer says both, too
    rooms = question.at("room", "kind")
    named = [at for at in rooms if not question.is_kind(at)]
    named = named or [at for at in rooms if len(question.spots(at)) == 1]
    question.take("count")
    if len(rooms) > 1 and len(named) == 1:  # is there a toilet next to A: its neighbours say so
        question.consumed |= {*rooms}
        return BuildingQuestion("where_is", (("name", question.name(named[0])),))
    names = _named(question)
    return BuildingQuestion("where_is", (("name", names),)) if names else None


def _sized(question: PlanQuestion) -> Answer:
    """Return how big places are; rooms of a kind together and each."""
    places = question.at(*_PLACES)
    if (
        len(places) == 1
        and question.is_kind(places[0])
        and len(question.spots(places[0])) > 1
        and question.take("size")
    ):
        return _list(question, "area")
    if "size" in question.cues() and len(places) == 1 and "than" not in question.cues():
        question.take("larger", "smaller")  # is it large, how many square metres?
    if len(places) > 1:
        question.take("than")  # how big is the lounge compared to the garage
    names = _named(question) if question.take("size") else ""
    return BuildingQuestion("where_is", (("name", names),)) if names else None


def _rooms(question: PlanQuestion) -> Answer:
    """Return the rooms of a floor, or of a kind on it."""
    named = [at for at in question.at("room") if question.places.kind(question.spans[at].text) is None]
    cues = question.cues()
    is_list = "list" in cues and "where" not in cues and (question.at(*_PLACES) or "rooms" in cues)
    if not (question.at("floor") or is_list) or named:
        return None
    is_sized = question.take("size")
    question.take("a_floor", "from")
    kinds = [at for at in question.at("kind") if not question.role(at)]
    if len(kinds) > 1 and len(kinds) == len(question.at(*_PLACES)) and not is_sized:
        return _each(question, kinds, "count")
    floor, names, is_one = _subject(question)
    asks = names or question.cues() & {"rooms", "list"}
    return (
        list_rooms(floor, names, "sizes" if is_sized else "count" if names else "")
        if is_one and asks
        else None
    )


def _placed(question: PlanQuestion) -> Answer:
    names = _named(question)
    if question.cues() & {"where"} and "from" not in question.cues():
        question.take("go")
    if question.take("a_floor") or "where" in question.cues():
        question.take("via")  # which floors does it stop at
    if question.cues() & {"from"} or question.is_from_there or not names:
        return None
    if all(question.is_kind(at) and not question.spots(at) for at in question.at(*_PLACES)):
        question.take("mark")  # lifts and stairs that are no rooms
    return BuildingQuestion("where_is", (("name", names),))
