"""Judgement of an answer: each expected form has one check, which says what was compared. Deterministic, without a model."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from pydantic import JsonValue

from smoldesk.exams.expected_parts import PartResult
from smoldesk.exams.part_comparison import compare_parts
from smoldesk.exams.produced import Produced
from smoldesk.exams.questions import SAVED_FORMS, ExamQuestion, Expected, ExpectedMap, Names
from smoldesk.exams.written_values import (
    WrittenNumber,
    declines,
    is_name,
    place_of,
    read_dates,
    read_numbers,
    read_yes,
)
from smoldesk.messages import BitmapOverlay, RouteOverlay

Verdict = Literal["right", "wrong", "failed", "unanswered"]
# From this many numbers on, a text or a table does not say which of them is the answer.
MOST_NUMBERS = 12


@dataclass(frozen=True)
class Judgement:
    """Verdict, its reason, and what was compared."""

    verdict: Verdict
    reason: str
    compared: str = ""
    parts: tuple[PartResult, ...] = ()


@dataclass(frozen=True)
class Check:
    """Result of one check: whether the form holds, and the candidates that were seen; none: nothing was answered."""

    holds: bool
    candidates: list[str]


def judge(question: ExamQuestion, produced: Produced, exact: bool = False) -> Judgement:
    """Judge a run by the answer of its question; `exact` for one that was played again."""
    if produced.failure:
        return Judgement("failed", produced.failure)
    expected = question.expect
    if expected.declines is not None:
        return _judge_decline(expected.declines, produced)
    parts = tuple(compare_parts(expected, produced, exact))
    compared = [
        f"{part.name or part.kind}: expected {part.expected}; got {part.got or 'nothing'}"
        for part in parts
        if not part.holds
    ]
    if compared:
        is_empty = not (produced.text.strip() or produced.shown_tables or produced.drawings)
        verdict = "unanswered" if is_empty or (not exact and declines(produced.text)) else "wrong"
        reason = f"{len(compared)} of {len(parts)} parts differ"
        return Judgement(verdict, reason, "; ".join(compared), parts)
    for form in expected.forms:
        if form in SAVED_FORMS:
            continue
        check = CHECKS[form](expected, produced)
        seen = ", ".join(check.candidates[:20]) or "nothing"
        compared.append(f"{form}: expected {_show(expected, form)}; got {seen}")
        if check.holds:
            continue
        if declines(produced.text) or not (produced.text.strip() or check.candidates):
            return Judgement("unanswered", "it declines, or is empty", "; ".join(compared))
        reason = f"another {form}" if check.candidates else f"no {form} in the answer"
        return Judgement("wrong", reason, "; ".join(compared))
    return Judgement("right", "every expected part holds", "; ".join(compared), parts)


def _judge_decline(words: Names, produced: Produced) -> Judgement:
    names = _names(words)
    compared = f"declines: expected a refusal with {' or '.join(names)}; got {produced.text[:200]!r}"
    if not produced.text.strip():
        return Judgement("unanswered", "the answer is empty", compared)
    if not declines(produced.text):
        return Judgement("wrong", "the data has no answer, and the reply does not say so", compared)
    if place_of(produced.text, names) is None:
        return Judgement("wrong", "the refusal does not name what is missing", compared)
    return Judgement("right", "it says that the data has no answer", compared)


def _number(expected: Expected, produced: Produced) -> Check:
    groups = [read_numbers(produced.text)]
    groups += [[*_numbers_in(cast("JsonValue", rows))] for rows in produced.tables]
    groups += [[*_numbers_in(value)] for value in produced.data]
    fitting = [
        [number for number in group if number.unit in ("", expected.unit or number.unit)] for group in groups
    ]
    clear = [group for group in fitting if len(group) <= MOST_NUMBERS]
    too_many = [f"{len(group)} numbers at once" for group in fitting if len(group) > MOST_NUMBERS]
    holds = any(_is_close(number, expected) for group in clear for number in group)
    numbers = [f"{number.value:g}{number.unit}" for group in clear for number in group]
    other = [f"{number.value:g}{number.unit}" for group in groups for number in group] if not numbers else []
    return Check(holds, [*numbers, *too_many, *([] if too_many else other)])


def _numbers_in(value: JsonValue) -> Iterator[WrittenNumber]:
    match value:
        case bool() | None:
            pass
        case int() | float():
            yield WrittenNumber(float(value))
        case str():
            yield from read_numbers(value)
        case list():
            for item in value:
                yield from _numbers_in(item)
        case dict():
            for item in value.values():
                yield from _numbers_in(item)


def _is_close(number: WrittenNumber, expected: Expected) -> bool:
    goal = cast("float", expected.number)
    room = max(expected.tolerance, abs(goal) * 1e-9)
    if abs(number.value - goal) <= room:
        return True
    is_share = expected.unit == "%" and not number.unit and abs(number.value) <= 1
    return is_share and abs(number.value * 100 - goal) <= room


def _date(expected: Expected, produced: Produced) -> Check:
    year, month, day = map(int, cast("str", expected.date).split("-"))
    texts = [produced.text, *_strings(produced)]
    dates = [*dict.fromkeys(date for text in texts for date in read_dates(text))]
    holds = len(dates) <= MOST_NUMBERS and any(
        date in ((year, month, day), (None, month, day)) for date in dates[:1]
    )
    return Check(holds, ["-".join(str(part) for part in date if part) for date in dates])


def _text(expected: Expected, produced: Produced) -> Check:
    """Compare the candidate that is named first: in the text, else in the first row of a table or in data."""
    right = _names(cast("Names", expected.text))
    for mentioned in _mentions(expected, [right], produced):
        return Check(mentioned[0] == right[0], mentioned)
    return Check(False, [])


def _set(expected: Expected, produced: Produced) -> Check:
    items = [_names(item) for item in expected.set or ()]
    firsts = {item[0] for item in items}
    all_mentions = [*_mentions(expected, items, produced)]
    return Check(any(set(mentioned) == firsts for mentioned in all_mentions), _best(all_mentions, firsts))


def _list(expected: Expected, produced: Produced) -> Check:
    items = [_names(item) for item in expected.list or ()]
    firsts = [item[0] for item in items]
    all_mentions = [*_mentions(expected, items, produced)]
    holds = any(mentioned[: len(firsts)] == firsts for mentioned in all_mentions)
    return Check(holds, _best(all_mentions, {*firsts}))


def _mentions(expected: Expected, items: Sequence[list[str]], produced: Produced) -> Iterator[list[str]]:
    """Yield the candidates of the text, of each table and of the data, each in the order in which they are named."""
    things = [*items, *(_names(other) for other in expected.others)]
    placed = [(place_of(produced.text, names), names[0]) for names in things]
    in_text = [name for _, name in sorted((place, name) for place, name in placed if place is not None)]
    groups = [[cell for row in rows for cell in row] for rows in produced.tables]
    groups += [[*_scalars(value)] for value in produced.data]
    in_groups = [
        [*dict.fromkeys(names[0] for cell in group for names in things if is_name(cell, names))]
        for group in groups
    ]
    yield from (names for names in (in_text, *in_groups) if names)


def _yes(expected: Expected, produced: Produced) -> Check:
    flags = [value for value in produced.data if isinstance(value, bool)]
    answer = read_yes(produced.text)
    candidates = [answer] if answer is not None else flags[:1]
    return Check(candidates == [expected.yes], ["yes" if value else "no" for value in candidates])


def _map(expected: Expected, produced: Produced) -> Check:
    wanted = cast("ExpectedMap", expected.map)
    drawn = produced.map
    rooms = sorted({rectangle.name for rectangle in drawn.rectangles}) if drawn else []
    overlays = drawn.overlays if drawn else []
    routes = [overlay for overlay in overlays if isinstance(overlay, RouteOverlay)]
    arrows = produced.arrows | {
        (getattr(overlay.position, "name", ""), overlay.bitmap_id.removeprefix("arrow_"))
        for overlay in overlays
        if isinstance(overlay, BitmapOverlay)
    }
    arrow, route = wanted.arrow, wanted.route
    holds = (
        (wanted.floor is None or (drawn is not None and drawn.floor_id == wanted.floor))
        and (wanted.rooms is None or rooms == sorted({*wanted.rooms}))
        and (arrow is None or (arrow.room, arrow.direction) in arrows)
        and (route is None or any(_is_route(drawn_route, wanted) for drawn_route in routes))
    )
    candidates = [f"floor {drawn.floor_id}"] if drawn else []
    candidates += [f"room {room}" for room in rooms]
    candidates += [f"arrow {direction} in {room}" for room, direction in sorted(arrows)]
    candidates += [f"route {drawn_route.start} to {drawn_route.goal}" for drawn_route in routes]
    return Check(holds, candidates)


def _is_route(drawn: RouteOverlay, wanted: ExpectedMap) -> bool:
    route = wanted.route
    assert route is not None
    ends = [place_of(drawn.start, [route.start]), place_of(drawn.goal, [route.goal])]
    without_stairs = all(change.kind != "stairs" for change in drawn.changes) and drawn.accessible
    return ends == [0, 0] and (route.accessible is None or without_stairs is route.accessible)


def _scalars(value: JsonValue) -> Iterator[JsonValue]:
    items = (
        [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else None
    )
    if items is None:
        yield value
    for item in items or ():
        yield from _scalars(item)


def _strings(produced: Produced) -> Iterator[str]:
    for value in (*cast("list[JsonValue]", produced.tables), *produced.data):
        yield from (item for item in _scalars(value) if isinstance(item, str))


def _names(names: Names) -> list[str]:
    return [names] if isinstance(names, str) else names


def _best(all_mentions: Sequence[list[str]], firsts: set[str]) -> list[str]:
    return max([[], *all_mentions], key=lambda mentioned: len(firsts & {*mentioned}))


def _show(expected: Expected, form: str) -> str:
    value = getattr(expected, form)
    match form:
        case "number":
            return f"{value:g}{expected.unit or ''} within {expected.tolerance:g}"
        case "yes":
            return "yes" if value else "no"
        case "map":
            return str(value.model_dump(exclude_none=True))
        case "set" | "list":
            return ", ".join(_names(item)[0] for item in value)
        case _:
            return " or ".join(_names(value))


CHECKS: dict[str, Callable[[Expected, Produced], Check]] = {
    "number": _number,
    "date": _date,
    "text": _text,
    "set": _set,
    "list": _list,
    "yes": _yes,
    "map": _map,
}
