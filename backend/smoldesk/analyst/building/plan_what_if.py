"""Reader of what happens if a part of a plan is closed: what closes, and the question that remains, from the same slots.

Evacuation, reach and what is cut off are questions of their own; routes and the nearest of a kind are read as without closures.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from smoldesk.analyst.building.changes import AVOIDING, CLOSE, POLITE, REOPEN, avoiding
from smoldesk.analyst.building.intents import BuildingQuestion, Scalar, ToolCall
from smoldesk.analyst.building.plan_question import NEUTRAL, PlanQuestion
from smoldesk.analyst.building.what_if import EVACUATION, REACH
from smoldesk.analyst.refusal import Refusal
from smoldesk.buildings.closures import is_closable

Answer = BuildingQuestion | Refusal | None
_PLACES = ("room", "kind")
_LINKING = ("and", "or", "both", "if", "list", "to")
_CLOSING = ("close", "closed")
_PROFILES = (("stepless", "wheelchair"), ("slow", "slow"), ("cart", "cart"))
_WHO = ("who", "whom", "誰", "だれ", "how many people", "人数", "何人")
# Questions for which what is not used counts as closed: rooms that nobody gets to without the lift.
_STAIRS = re.compile(r"stairs|階段", re.IGNORECASE)
# Several sentences: the first one may say what is closed now.
_SENTENCES = re.compile(r"[.!。]\s*\S")
_FIRE = re.compile(r"^(?:an? |in )*(?:fire|emergency)|火事|火災", re.IGNORECASE)
_AT = re.compile(r"(?:at|by|near)(?: the)?", re.IGNORECASE)
_INSTEAD = re.compile(r"\binstead\b|代わり", re.IGNORECASE)
_OF_ALL = frozenset(("cut_off", "evacuate", "neg", "minutes", "seconds"))


def read_closing(question: PlanQuestion, read: Callable[[PlanQuestion], Answer], before: object) -> Answer:
    """Return the closures of a question and what is asked under them; None if it closes nothing.

    A condition closes nothing: its question is answered without the places. So does an agent that cannot close anything,
    also for the way `before`.
    """
    places = _closed_places(question)
    if not places or not all(is_closable(question.places, place) for place in places):
        return None
    if any(_is_denied(question, at) for at in question.at("cue")):
        return None
    is_supposed = question.take("if") or not _SENTENCES.search(question.text)
    is_command = (
        "if" not in question.cues() and "close" in question.cues() and "closed" not in question.cues()
    )
    question.take("effect", *_CLOSING, "avoid", "doors", "between", "still", "neg" if is_command else "if")
    close = ToolCall(CLOSE, (("place", ", ".join(places)),))
    if CLOSE not in question.tools:
        way = read(question) or before
        return avoiding(way, places) if isinstance(way, BuildingQuestion) else None
    consumed = {*question.consumed}
    for reader in (read_evacuation, read_reach, read):
        question.consumed = {*consumed}
        answer = reader(question)
        if not isinstance(answer, BuildingQuestion):
            continue
        without = avoiding(answer, places)
        if without and answer.tool == "find_route" and question.take("longer"):
            return replace(without, first=(answer,))
        if without and (answer.tool == EVACUATION or (is_supposed and not is_command)):
            return without
        return replace(answer, first=(close, *answer.first))
    question.consumed = consumed
    if (
        question.text.endswith(("?", "？"))
        and "if" not in question.cues()
        and not POLITE.search(question.text)
    ):
        return None  # "The lift is closed?" asks, and closes nothing
    if is_command or not question.spans[-1:]:
        return BuildingQuestion(CLOSE, close.arguments)
    if "if" in question.cues() and isinstance(before, BuildingQuestion) and before.tool in AVOIDING:
        arguments = [
            pair for pair in before.arguments if pair[0] != "avoid" or not _INSTEAD.search(question.text)
        ]
        return avoiding(replace(before, arguments=tuple(arguments), first=()), places)
    effect = BuildingQuestion(REACH, (("start", question.here()),))
    return avoiding(effect, places) if "if" in question.cues() else replace(effect, first=(close,))


def read_cases(question: PlanQuestion, read: Callable[[PlanQuestion], Answer]) -> Answer:
    """Return a call under each of two closures that a question compares: the lift closed, or the stairs closed."""
    cues = question.cues()
    if (part := _part_of_both(question)) is not None:
        return _with_and_without(question, part, read)
    if not cues & {"than", "which_of", "or"} or not cues & {*_CLOSING, "avoid", "neg"}:
        return None
    closed = [at for at in question.at(*_PLACES) if _is_of_case(question, at)]
    if len(closed) != 2 or not all(is_closable(question.places, question.name(at)) for at in closed):
        return None
    names = [question.name(at) for at in closed]
    question.take(*_CLOSING, "if", "neg", "or", "than", "which_of", "faster", "longer", "list")
    question.consumed |= {at for at in question.at("number", "amount") if question.spans[at].value == 2.0}
    call = read(question)
    if not isinstance(call, BuildingQuestion) or call.tool != "find_route":
        return None
    calls = [avoiding(call, [name]) for name in names]
    return replace(calls[1], first=(calls[0],)) if calls[0] and calls[1] else None


def _part_of_both(question: PlanQuestion) -> int | None:
    """Return the place with which and without which a question asks for a way: with the lift and without it."""
    step = -1 if question.is_japanese else 1
    for at, span in enumerate(question.spans):
        near = at
        if span.is_cue("with_and_without"):
            near += step
        elif span.is_cue("avoid") and [near.value for near in question.spans[at + 1 : at + 2]] == ["that"]:
            near -= 2
        if near != at and 0 <= near < len(question.spans) and question.spans[near].kind in _PLACES:
            return near
    return None


def _with_and_without(
    question: PlanQuestion, part: int, read: Callable[[PlanQuestion], Answer]
) -> BuildingQuestion | None:
    """Return the way as the plan is, and then without a part."""
    place = _closable(question, part)
    question.take("with_and_without", "avoid", "than", "both", "which_of", "faster", "longer", "list")
    remaining = replace(
        question, spans=[span for at, span in enumerate(question.spans) if at not in question.consumed]
    )
    call = read(replace(remaining, consumed=set()))
    if (
        not isinstance(call, BuildingQuestion)
        or call.tool != "find_route"
        or not is_closable(question.places, place)
    ):
        return None
    without = avoiding(call, [place])
    question.consumed = {*range(len(question.spans))} - {*question.at("unknown", "number")}
    return replace(without, first=(call,)) if without else None


def _is_of_case(question: PlanQuestion, number: int) -> bool:
    """Return whether a word beside a place closes it in a case of its own."""
    neighbours = [question.spans[at] for at in (number - 1, number + 1) if 0 <= at < len(question.spans)]
    return any(span.is_cue(*_CLOSING, "neg") for span in neighbours) and not question.role(number)


def _is_denied(question: PlanQuestion, number: int) -> bool:
    """Return whether a word for closing is denied: 閉鎖しない, do not close."""
    at = number + (1 if question.is_japanese else -1)
    span = question.spans[number]
    return span.is_cue("close") and 0 <= at < len(question.spans) and question.spans[at].is_cue("neg")


def read_reopening(question: PlanQuestion) -> Answer:
    """Return what a command reopens: a place, what was closed last, or everything."""
    spans = question.spans
    verb = spans[-1] if question.is_japanese else spans[0]
    if not verb.is_cue("reopen"):
        return None
    refers = question.take("earlier") or "that" in question.cues()
    question.take("reopen", "still", "doors", "between", "list", "sum", *(_CLOSING if refers else ()))
    names = [question.name(at) for at in question.at(*_PLACES)]
    closed = question.building.closed
    refers = refers and not names
    if refers and not closed:
        return None
    if refers:
        plural = any(span.text.casefold() in ("them", "those", "both", "それら") for span in spans)
        names = [*closed] if plural else [closed[-1]]
    return BuildingQuestion(REOPEN, (("place", ", ".join(names)),) if names else ())


def _closed_places(question: PlanQuestion) -> list[str]:
    """Take and return the places beside the words for closing: before a state and in Japanese, behind a command."""
    matches: list[int] = []
    for at, span in enumerate(question.spans):
        if span.is_cue(*_CLOSING) or (span.is_cue("avoid") and question.cues() & _OF_ALL):
            before, behind = _run(question, at, -1), _run(question, at, 1)
            matches += (
                before if question.is_japanese or (span.value == "closed" and before) else behind or before
            )
    if (
        not matches
        and question.building.closed
        and question.cues() & {"that"}
        and question.cues() & {*_CLOSING}
    ):
        return [question.building.closed[-1]]
    matches = sorted(dict.fromkeys(matches))
    if len(matches) == 2 and (room := _room_at_exit(question, *matches)) is not None:
        question.consumed |= {*matches}
        return [_closable(question, room)]
    if len(matches) == 2 and _is_exit(question, matches[1]) and question.qualifier(matches[1]) == matches[0]:
        question.consumed.add(matches[1])
        return [f"exit in {question.name(matches[0], False)}"]  # ガレージの出入口
    if any(question.qualifier(at) in matches for at in matches):
        return []  # the toilet of the Library is neither all toilets nor the Library
    cues = question.cues()
    if len(matches) == 2 and ("between" in cues or ("doors" in cues and not cues & {"and", "both"})):
        return [question.door(*matches)]
    if len(matches) == 1 and "doors" in cues and not cues & {"and", "that"} and question.spots(matches[0]):
        return [f"the doors of {_closable(question, matches[0])}"]
    return [_closable(question, at) for at in matches]


def _room_at_exit(question: PlanQuestion, first: int, other: int) -> int | None:
    """Return the room that an exit beside it describes: 正面玄関のWindfang, the porch at the main entrance."""
    gap = question.text[question.spans[first].end : question.spans[other].first].strip()
    exit_, room = (first, other) if gap == "の" else (other, first)
    is_described = gap == "の" or _AT.fullmatch(gap)
    return (
        room if is_described and _is_exit(question, exit_) and question.spans[room].kind == "room" else None
    )


def _is_exit(question: PlanQuestion, number: int) -> bool:
    return question.is_kind(number) and question.places.kind(question.spans[number].text) == "exit"


def _closable(question: PlanQuestion, number: int) -> str:
    """Take and return a place as closures know it: a kind on a floor by its rooms, an exit by its name."""
    name = question.name(number)
    if _is_exit(question, number):
        return question.name(number, False)
    if "(" not in name or is_closable(question.places, name):
        return name
    floor = name.rpartition("(")[2].rstrip(")")
    return ", ".join(f"{room} ({on})" for on, room in question.spots(number) if on == floor) or name


def _run(question: PlanQuestion, at: int, step: int) -> list[int]:
    """Return the places next to a word, joined by and."""
    matches: list[int] = []
    near = at + step
    while 0 <= near < len(question.spans):
        span = question.spans[near]
        if matches and span.is_cue("between"):
            break  # the two places only say where the first one is
        if span.kind in _PLACES:
            if matches and abs(near - matches[-1]) == 1 and not question.is_japanese and span.kind != "room":
                break
            matches.append(near)
        elif not matches and span.is_cue(*_CLOSING):
            pass  # its cause: closed by a fire
        elif not (span.kind == "floor" or span.is_cue(*_LINKING, "doors", "between", "neg")) or (
            span.is_cue("if") and matches
        ):
            break
        near += step
    return matches


def _profile(question: PlanQuestion) -> tuple[tuple[str, Scalar], ...]:
    return next(((("profile", name),) for cue, name in _PROFILES if question.take(cue)), ())


def _take_who(question: PlanQuestion) -> None:
    question.consumed |= {at for at, span in enumerate(question.spans) if span.text.casefold() in _WHO}


def _start(question: PlanQuestion) -> str | None:
    """Take and return the only place that is left; empty for none, None for several."""
    places = [at for at in question.at(*_PLACES) if at not in question.consumed]
    places = [at for at in places if not _is_exit(question, at)]
    if any(question.is_kind(at) and len(question.spots(at)) > 1 and not question.role(at) for at in places):
        return None  # rooms that are asked for, not the one to start in
    if any(not question.spots(at) for at in places):
        return None  # stairs that are no rooms
    question.take("from")
    return question.name(places[0]) if len(places) == 1 else "" if not places else None


def read_evacuation(question: PlanQuestion) -> Answer:
    """Return how long an evacuation takes, which exits it uses, where it queues, which rooms are furthest or have no way."""
    exits = [at for at in question.at("kind") if _is_exit(question, at) and at not in question.consumed]
    cues = question.cues()
    is_assigned = bool(exits) and cues >= {"go", "which_of"} and len(exits) == len(question.at(*_PLACES))
    is_meant = question.take("evacuate") or (exits and cues & {"furthest", "crowded", "most", "used"})
    is_meant = is_meant or is_assigned
    if not is_meant:
        return None
    question.consumed |= {*exits}
    _take_who(question)
    show = next(
        (show for cue, show in (("crowded", "queues"), ("furthest", "furthest")) if question.take(cue)), ""
    )
    show = show or ("exits" if is_assigned or (exits and question.take("most", "used")) else "")
    without = [
        at for at, span in enumerate(question.spans) if span.is_cue("stepless") and _STAIRS.search(span.text)
    ]
    question.consumed |= {*without}
    if not question.at(*_PLACES):  # in case of fire: it closes nothing
        question.consumed |= {at for at, span in enumerate(question.spans) if _FIRE.search(span.text)}
        cues = {str(span.value) for span in question.unread() if span.kind == "cue"} | (cues - {*_CLOSING})
    closes = bool(without or cues & {*_CLOSING, "avoid"})
    is_cut_off = question.take("cut_off", "neg") or (
        closes and not cues & {"far", "most", "used", "time", "longer"}
    )
    show = show or ("cut_off" if is_cut_off else "time")
    floors = question.floors()
    if len(floors) > 1:
        return None
    if (
        show == "time"
        and floors
        and cues & {"go", "where", "which_of"}
        and not cues & {"far", "time", "longer"}
    ):
        show = "exits"  # how they get out, not how long it takes
    question.take("far", "go", "sum", "longer", "most", "used", "still", "if", "time")
    start = _start(question)
    if start is None or (start and floors):
        return None
    if start:
        if not cues & {"from", "people", "go", "far"} and not (exits and "need" in cues):
            return None
        question.take("people")
        if show in ("furthest", "queues"):
            return None
        if question.take("stepless"):
            return BuildingQuestion("find_route", (("start", start), ("goal", "exit"), ("accessible", True)))
        return BuildingQuestion("nearest", (("kind", "exit"), ("start", start)))
    people: tuple[tuple[str, Scalar], ...] = ()
    if number := question.number("number", "amount") if question.take("people") else 0:
        people = (("people", str(number)),)
    profile = () if without else _profile(question)
    if profile and show == "time" and "longer" in cues:
        show = "longer"
    avoid: tuple[tuple[str, Scalar], ...] = (("avoid", "stairs"),) if without else ()
    floor: tuple[tuple[str, Scalar], ...] = (("floor", floors[0]),) if floors else ()
    return BuildingQuestion(EVACUATION, (("show", show), *floor, *profile, *people, *avoid))


def read_reach(question: PlanQuestion) -> Answer:
    """Return which rooms are within some minutes of a place, or which ones nothing leads to."""
    cues = question.cues()
    number = question.number("number", "amount") if cues & {"minutes", "seconds"} else 0
    is_denied = "neg" in cues and (cues >= {"stepless"} or cues >= {"go", "rooms"})
    lacks = question.take("cut_off") or (is_denied and question.take("neg"))
    if bool(number) == bool(lacks):  # rooms that take longer than some time are no list of a tool
        return None
    is_seconds = question.take("seconds") and not question.take("minutes")
    question.take("minutes", "reach", "go", "far", "under", "still", "if", "people")
    _take_who(question)
    start = _start(question)
    if start is None:
        return None
    within: Sequence[tuple[str, Scalar]] = (
        (("minutes", number / 60 if is_seconds else float(number)),) if number else ()
    )
    return BuildingQuestion(REACH, (("start", start or question.here()), *within, *_profile(question)))


def read_closed(question: PlanQuestion) -> Answer:
    """Return the question what is closed now, or whether a place is."""
    is_question = question.text.endswith(("?", "？")) and not POLITE.search(question.text)
    asks = question.cues() & {"list", "where", "exists"} or is_question
    verb = question.spans[-1 if question.is_japanese else 0]
    if (verb.is_cue("close") and not is_question) or not asks or not question.take("closed", "close"):
        return None
    if question.at(*_PLACES, "floor") and question.cues() - {"closed", "still", "exists"} - NEUTRAL:
        return None
    question.consumed |= {*question.at(*_PLACES)}
    question.take("still", "doors")
    return BuildingQuestion(REACH, (("start", question.here()),))
