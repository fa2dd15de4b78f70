"""`or` between conditions on different columns, and between two ranges of one: `from Leeds or over 40`, `under 10 or over 50`.

The condition right before `or` and the one right after it are the two choices (with `either`, everything between the two words
is the first); all other conditions hold besides. Where that is not certain the `or` stays over, and the question is declined.
"""

import re

from smoldesk.analyst.intents import Filter, Scalar
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.read_values import cell_value

_CLAUSE = re.compile(r"\b(?:that|which|who|where|whose|when)\b", re.IGNORECASE)
"""What sets the choices apart from the conditions before them."""


def read_either(draft: Draft) -> None:
    """Puts the conditions on both sides of each `or` into one."""
    either = next((i for i, item in enumerate(draft.items) if item.mention.text.lower() == "either"), None)
    for index, item in enumerate(draft.items):
        if not item.is_cue("or") or index == either or draft.either_values(index):
            continue
        _read_flags(draft, index)
        if _join(draft, index, either):
            draft.used.add(index)
            if either is not None:
                draft.used.add(either)
    if either is not None and any(draft.either_values(i) for i in range(either, len(draft.items))):
        draft.used.add(either)


def _read_flags(draft: Draft, index: int) -> None:
    """`gift wrapped or over 40`: a yes/no column right beside the word is a condition, too."""
    free = dict(draft.free())
    for at in (index - 1, index + 1):
        column = free.get(at)
        if column and column.yes_no:
            draft.keep(Filter(column.name, "==", (cell_value(column, column.yes_no[0]),)), at)
            draft.used.update(place for place, one in free.items() if one == column)


def _join(draft: Draft, index: int, either: int | None) -> bool:
    before = {at for one, at in draft.placed if at < index and one in draft.filters}
    after = {at for one, at in draft.placed if at > index and one in draft.filters}
    if not before or not after:
        return False
    left, right = _at(draft, max(before)), _at(draft, min(after))
    if either is not None and either < index:
        left = [one for at in sorted(before) if at > either for one in _at(draft, at)]
    elif parallel := _parallel(draft, index):
        left, right = parallel
    elif (
        _crowded(draft, max(before), before)
        or _listed(draft, max(before), index)
        or _listed(draft, index, min(after), after=True)
    ):
        return False
    left, right = list(dict.fromkeys(left)), list(dict.fromkeys(right))
    if left == right:  # from Leeds or from York: any of both already
        return True
    denied = any(one.comparison == "!=" for one in (*left, *right))
    if not left or not right or denied or (set(left) & set(right)):
        return False
    choices = [*_choices(left), *_choices(right)]
    joined = Filter(choices[0].column, "==", (), "any", tuple(dict.fromkeys(choices)))
    replaced = _replaced(draft, index, left, right)
    draft.swap(replaced, [joined])
    return True


def _at(draft: Draft, position: int) -> list[Filter]:
    return [one for one, at in draft.placed if at == position and one in draft.filters]


def _choices(side: list[Filter]) -> list[Filter]:
    """One side as choices: those it already has, or all of its conditions together."""
    if len(side) == 1:
        return list(side[0].options) if side[0].part == "any" else side
    return [Filter(side[0].column, "==", (), "all", tuple(side))]


def _listed(draft: Draft, first: int, last: int, after: bool = False) -> bool:
    """`over 40 and delivered or from Leeds`: which two belong together is not said."""
    lowest, highest = (last, len(draft.items)) if after else (0, first)
    conditions = {at for one, at in draft.placed if one in draft.filters}
    return any(
        item.is_cue("and")
        and item.mention.text != ","
        and any(lowest <= at < place for at in conditions)
        and any(place < at <= highest for at in conditions)
        for place, item in enumerate(draft.items)
        if lowest < place < highest and not _one_column(draft, place)
    )


def _crowded(draft: Draft, last: int, conditions: set[int]) -> bool:
    """`repairs by Ana for a phone or over 100 euro`: whether the first one belongs to both choices is not said."""
    noun = next((at for at, item in enumerate(draft.items) if item.rows), None)
    if noun is None:
        return False
    near = set(_at(draft, last))
    beside = [
        at for at in conditions if at > noun and not draft.items[at].when and not near & set(_at(draft, at))
    ]
    said = (
        draft.text[draft.items[max(beside)].mention.end : draft.items[last].mention.start] if beside else ""
    )
    return bool(beside) and not _CLAUSE.search(said)


def _one_column(draft: Draft, place: int) -> bool:
    before, after = draft.at(place - 1), draft.at(place + 1)
    return bool(before and after and before.column and before.column == after.column)


def _parallel(draft: Draft, index: int) -> tuple[list[Filter], list[Filter]] | None:
    """`Leeds orders over 100 or York orders under 50`: both sides speak of the same two columns."""
    left = _side(draft, [at for _, at in draft.placed if at < index])
    right = _side(draft, [at for _, at in draft.placed if at > index])
    columns = {one.column for one in left}
    if len(columns) < 2 or columns != {one.column for one in right}:
        return None
    return left, right


def _side(draft: Draft, positions: list[int]) -> list[Filter]:
    """The conditions of these positions, each with only the values said there."""
    found: list[Filter] = []
    for one, at in draft.placed:
        if at not in positions or one not in draft.filters:
            continue
        said = draft.items[at]
        if said.value is not None and said.column and len(one.values) > 1:
            values: tuple[Scalar, ...] = (cell_value(said.column, said.value),)
            one = Filter(one.column, one.comparison, values)
        if one not in found:
            found.append(one)
    return found


def _replaced(draft: Draft, index: int, left: list[Filter], right: list[Filter]) -> list[Filter]:
    """The draft's own conditions that the joined one stands for."""
    sides = (*left, *right)
    columns = {one.column for one in sides}
    return [
        one
        for one in draft.filters
        if one in sides or (one.column in columns and any(set(s.values) < set(one.values) for s in sides))
    ]
