"""Reader of what happens if a part of a plan is closed: what closes, and the question that remains, from the same slots.

Evacuation, reach and what is cut off are questions of their own; routes and the nearest of a kind are read as without closures.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from smoldesk.analyst.building.changes import AVOIDING, CLOSE, POLITE, REOPEN, avoiding
from smoldesk.analyst.building.intents import BuildingQuestion, ToolCall
from smoldesk.analyst.building.plan_calls import EVACUATION, REACH
from smoldesk.analyst.building.plan_question import NEUTRAL, PlanQuestion
from smoldesk.analyst.building.plan_reach import effect_of, read_evacuation, read_reach
from smoldesk.analyst.refusal import Refusal
from smoldesk.buildings.closures import is_closable
from smoldesk.buildings.evacuation.exits import exits_of
from smoldesk.buildings.names import fold
from smoldesk.buildings.overlay_text import quoted

Answer = BuildingQuestion | Refusal | None
_PLACES = ("room", "kind")
_LINKING = ("and", "or", "both", "if", "list", "to")
_CLOSING = ("close", "closed")
# Several sentences: the first one may say what is closed now.
_SENTENCES = re.compile(r"[.!。]\s*\S")
_AT = re.compile(r"(?:at|by|near)(?: the)?", re.IGNORECASE)
_IN = re.compile(r"(?:in|of|at|from|to|into)(?: the)?", re.IGNORECASE)
_GERUND = re.compile(r"ing\W*$", re.IGNORECASE)
_INSTEAD = re.compile(r"\binstead\b|代わり", re.IGNORECASE)
_THAT_CLOSED = re.compile(r"\b(?:close|block|shut|lock)(?: off)? it\b", re.IGNORECASE)
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
    is_gerund = any(
        span.is_cue("close") and _GERUND.search(span.text) for span in question.spans
    )  # does closing it ...
    is_command = (
        "if" not in question.cues() and "close" in question.cues() and "closed" not in question.cues()
    )
    is_command = is_command and not is_gerund
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
        if without and answer.tool == "find_route" and question.take("longer", "difference", "earlier"):
            question.take("than")
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
    effect = effect_of(question.building, places if "if" in question.cues() else ())
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
    call = read_evacuation(replace(remaining, consumed=set())) or read(replace(remaining, consumed=set()))
    if not isinstance(call, BuildingQuestion) or not is_closable(question.places, place):
        return None
    without = avoiding(call, [place])
    if without and call.tool == EVACUATION:  # its answer says both
        question.consumed = {*range(len(question.spans))} - {*question.at("unknown", "number")}
        return without
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
    places, cues = question.at(*_PLACES), question.cues()
    refers = question.take("earlier") or "that" in cues or (bool(cues & {*_CLOSING}) and not places)
    refers = refers and not (cues & {"sum", "both"} and not places and "that" not in cues)
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
        is_shut = (
            question.is_japanese
            and span.is_cue("cut_off")
            and question.spans[at + 1 : at + 2][:1]
            and question.spans[at + 1].is_cue("if")
        )
        if span.is_cue(*_CLOSING) or is_shut or (span.is_cue("avoid") and question.cues() & _OF_ALL):
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
    if any(question.is_exit(at) and at and question.spans[at - 1].is_cue("that") for at in matches):
        return []  # that exit: one of an answer that is not given yet
    if not matches and len(question.at("room")) > 1 and _THAT_CLOSED.search(question.text):
        matches = question.at("room")[:1]  # Room 3 is occupied, block it
    if len(matches) == 2 and question.is_exit(matches[0]) and _IN.fullmatch(_gap(question, *matches)):
        question.consumed.add(matches[0])
        return [f"exit in {question.name(matches[1])}"]
    if len(matches) == 2 and (room := _room_at_exit(question, *matches)) is not None:
        question.consumed |= {*matches}
        return [_closable(question, room)]
    if len(matches) == 2 and question.is_exit(matches[1]) and question.qualifier(matches[1]) == matches[0]:
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
    gap = _gap(question, first, other)
    exit_, room = (first, other) if gap == "の" else (other, first)
    is_described = gap == "の" or _AT.fullmatch(gap)
    return room if is_described and question.is_exit(exit_) and question.spans[room].kind == "room" else None


def _closable(question: PlanQuestion, number: int) -> str:
    """Take and return a place as closures know it: a kind on a floor by its rooms, an exit by its name."""
    floors = {floor for floor, _ in question.spots(number)}
    free = [at for at in question.at("floor") if not (_has_place(question, at) or question.role(at))]
    is_exit = question.is_exit(number)
    near = [question.spans[at] for at in (number + 1, number - 1) if 0 <= at < len(question.spans)]
    floor = next((str(span.value) for span in near if span.kind == "floor"), "")
    link = next(
        (word for word in question.spans[number].text.split() if fold(word) in question.places.link_names), ""
    )
    if link and not floor:
        question.consumed.add(number)
        return link
    if not floor and len(floors) > 1 and len(free) == 1 and question.spans[free[0]].value in floors:
        question.consumed.add(free[0])
        floor = str(question.spans[free[0]].value)
        question.consumed.add(number)
        return ", ".join(quoted(f"{room} ({on})") for on, room in question.spots(number) if on == floor)
    name = question.name(number)
    if is_exit:
        rooms = dict.fromkeys(
            exit_.goal.spot for exit_ in exits_of(question.places) if exit_.goal.spot[0] == floor
        )
        on_floor = ", ".join(f"exit in {room} ({floor})" for _, room in rooms)
        return on_floor if floor else question.name(number, False)
    if "(" not in name or is_closable(question.places, name):
        return name
    floor = name.rpartition("(")[2].rstrip(")")
    return ", ".join(f"{room} ({on})" for on, room in question.spots(number) if on == floor) or name


def _has_place(question: PlanQuestion, floor: int) -> bool:
    """Return whether a floor is that of a place beside it."""
    return any(
        0 <= at < len(question.spans) and question.spans[at].kind in _PLACES for at in (floor - 1, floor + 1)
    )


def _joins(question: PlanQuestion, first: int, other: int) -> bool:
    """Return whether two places are a list, or an exit and its room."""
    first, other = sorted((first, other))
    gap = _gap(question, first, other)
    return not gap.strip(" ,/&") or (question.is_exit(first) and bool(_IN.fullmatch(gap)))


def _gap(question: PlanQuestion, first: int, other: int) -> str:
    return question.text[question.spans[first].end : question.spans[other].first].strip()


def _run(question: PlanQuestion, at: int, step: int) -> list[int]:
    """Return the places next to a word, joined by and."""
    matches: list[int] = []
    near = at + step
    while 0 <= near < len(question.spans):
        span = question.spans[near]
        if matches and span.is_cue("between"):
            break  # the two places only say where the first one is
        if span.kind in _PLACES:
            if (
                matches
                and abs(near - matches[-1]) == 1
                and not (question.is_japanese or _joins(question, near, matches[-1]))
            ):
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


def read_closed(question: PlanQuestion) -> Answer:
    """Return the question what is closed now, or whether a place is."""
    is_question = question.text.endswith(("?", "？")) and not POLITE.search(question.text)
    asks = question.cues() & {"list", "where", "exists"} or is_question
    verb = question.spans[-1 if question.is_japanese else 0]
    if (verb.is_cue("close") and not is_question) or not asks or not question.take("closed", "close"):
        return None
    if question.at(*_PLACES, "floor") and (
        question.cues() - {"closed", "still", "exists"} - NEUTRAL or _SENTENCES.search(question.text)
    ):
        return None
    question.consumed |= {*question.at(*_PLACES)}
    question.take("still", "doors", "count")
    return BuildingQuestion(REACH, (("start", question.here()),))
