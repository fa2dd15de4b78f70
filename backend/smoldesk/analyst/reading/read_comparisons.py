"""Comparisons and ranges of a draft become filters: 30歳以上, `between 10 and 20 km`, `over 1 hour`."""

import re
from dataclasses import replace
from typing import cast

from smoldesk.analyst.intents import Comparison, Filter
from smoldesk.analyst.meanings import ColumnRef, RowNoun
from smoldesk.analyst.reading.compared_units import in_unit_of, measured_column, units_said
from smoldesk.analyst.reading.count_words import counted_column
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.read_compared_columns import INVERSE
from smoldesk.analyst.reading.resolve import concept_column, unit_column
from smoldesk.analyst.reading.row_money import row_money
from smoldesk.analyst.reading.tying_words import PERSONS
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.tables.column_names import concepts, unit_of, units
from smoldesk.analyst.tables.measured_in import unit_of_column
from smoldesk.analyst.words.glossary import ADJECTIVES
from smoldesk.analyst.words.measures import converted, kinds_of
from smoldesk.analyst.words.text import inflections, key, name_words


def _number_at(draft: Draft, at: int, step: int) -> tuple[float, list[int], str] | None:
    """The unused number next to `at`, the positions it takes with its unit, and that unit."""
    near = draft.at(at)
    if near and near.unit and step < 0:
        before = draft.at(at - 1)
        if before and before.number is not None and at - 1 not in draft.used:
            return before.number, [at - 1, at], near.unit
    if not near or near.number is None or at in draft.used:
        return None
    after = draft.at(at + 1)
    return (near.number, [at, at + 1], after.unit) if after and after.unit else (near.number, [at], "")


def read_ranges(draft: Draft) -> None:
    for index, item in enumerate(draft.items):
        if not item.is_cue("range"):
            continue
        steps = (1, -1) if item.mention.text in ("between", "from") else (-1, 1)
        low: tuple[float, list[int], str] | None = None
        for step in steps:
            low = low or _number_at(draft, index + step, step)
        if low is None:
            continue
        draft.used.update(low[1])
        after = max(index, *low[1]) + 1
        near = draft.at(after)
        high = _number_at(draft, after + 1 if near and near.is_cue("and", "range") else after, 1)
        first = min(index, *low[1])
        column = high and _compared_column(draft, first, high[1][-1], high[2] or low[2], "")
        ends: list[Filter] = []
        if high is not None:
            below, above = units_said(draft, low[1], low[2]), units_said(draft, high[1], high[2])
            places = (first, high[1][-1])
            column = measured_column(draft, column, above or below, "", places, _verb_before(draft, first))
            if column is not None:
                ends.append(_bound(draft, column, ">=", low[0], low[1], below or above))
                ends.append(_bound(draft, column, "<=", high[0], high[1], above or below))
        if high is None or column is None:
            draft.used.difference_update(low[1])
            continue
        draft.used.update(high[1])
        for end in ends:
            draft.keep(end, index)


def read_comparisons(draft: Draft) -> None:
    for index, item in enumerate(draft.items):
        if (comparison := item.cue("cmp")) is None:
            continue
        steps = (1, -1) if item.mention.text.isascii() or item.mention.text in "≥≤" else (-1, 1)
        number: tuple[float, list[int], str] | None = next(
            (one for step in steps if (one := _number_at(draft, index + step, step))), None
        )
        if number is None or index in draft.used:
            continue
        value, positions, unit = number
        first, phrase = min(index, *positions), item.mention.text
        column = _compared_column(draft, first, max(index, *positions), unit, phrase)
        units = units_said(draft, positions, unit)
        if not units and (spoken := _spoken_unit(draft, positions[0])):
            units = (spoken,)
        if unit:
            ends = (first, max(index, *positions))
            column = measured_column(draft, column, units, phrase, ends, _verb_before(draft, first))
        if column:
            draft.used.update((index, *positions))
            if _negated(draft, first):
                comparison = INVERSE[comparison]
            bound = _bound(draft, column, comparison, value, positions, units)
            draft.keep(_at_that_age(bound, phrase, column), index, *positions)


_FAR_BEYOND = 20.0


def _scaled(value: float, column: ColumnInfo) -> tuple[str, ...]:
    """`under 80k` of a column in thousands of dollars whose figures end far below it: the amount is in dollars."""
    scale, _, money = unit_of_column(column).partition(" ")
    if scale not in ("thousand", "million") or not column.values:
        return ()
    beyond = value > _FAR_BEYOND * max(abs(float(one)) for one in column.values)
    return (money.rstrip("s"),) if beyond else ()


_FEW_AGES = 6


def _at_that_age(bound: Filter, phrase: str, column: ColumnInfo) -> Filter:
    """`strength after 28 days`, where days are one of a few ages at which things were measured: at that age."""
    ages = column.values if len(column.values) <= _FEW_AGES else []
    timed = phrase.lower() == "after" and "time" in kinds_of(unit_of_column(column))
    measured = timed and any(float(age) == bound.values[0] for age in ages)
    return replace(bound, comparison="==") if measured else bound


def _bound(
    draft: Draft,
    column: ColumnInfo,
    comparison: str,
    value: float,
    positions: list[int],
    units: tuple[str, ...],
) -> Filter:
    """The condition in the column's own unit, with the amount as it was said where that is another one."""
    units = units or _scaled(value, column)
    amount, other = in_unit_of(value, units, column)
    ends = [draft.items[at].mention for at in positions]
    said = draft.text[min(one.start for one in ends) : max(one.end for one in ends)] if other else ""
    if (
        said
        and len(ends) == 1
        and (unit := _UNIT_BEHIND.match(draft.text, ends[0].end))
        and unit_of(unit[1].lower())
    ):
        said += unit[0]  # 90 minutes to resolve
    said = re.sub(r"^(1 [a-z]{3,})s$", r"\1", said)
    return Filter(column.name, cast(Comparison, comparison), (amount,), said=said)


def _verb_before(draft: Draft, first: int) -> str:
    """What the last verb before a comparison is about: the duration of took."""
    return next((verb for item in reversed(draft.items[:first]) if (verb := item.cue("light"))), "")


_UNIT_BEHIND = re.compile(r" ?([A-Za-z]+)\b")


def _negated(draft: Draft, first: int) -> bool:
    """`not resolved within 48 hours`: a `not` right before, or before the verb, turns the comparison round."""
    for at in (first - 1, first - 2):
        near = draft.at(at)
        if near and near.is_cue("not") and draft.language == "en":
            draft.used.add(at)
            draft.said_no = True
            return True
        if near is None or not (near.is_cue("light", "verb") or (near.is_column and at in draft.used)):
            return False
    return False


def _spoken_unit(draft: Draft, at: int) -> str:
    """500万 of an amount in yen is five million yen."""
    return "yen" if draft.items[at].mention.text.endswith(("万", "億", "千")) else ""


def _compared_column(draft: Draft, first: int, last: int, unit: str, phrase: str) -> ColumnInfo | None:
    """What a number is compared with: by unit, adjective, or the nearest number column."""
    words = key(phrase).split()
    said = next((concept for concept, adjectives in ADJECTIVES.items() if set(words) & set(adjectives)), "")
    column = concept_column(said, draft.table) if said else None
    if column and unit and (other := unit_column(unit, draft.table)) and not _measured_in(column, unit):
        column = other  # longer than 10 km is no time
    near_before = [(i, c) for i, c in reversed(draft.free()) if i < first and c.kind == "number"]
    own = _next_comparison(draft, last)
    near_after = [
        (i, c)
        for i, c in draft.free()
        if last < i < own and c.kind == "number" and not _of_another(draft, last, i)
    ]
    if column is None and not unit and _of_persons(draft, first, last):
        return concept_column("age", draft.table)
    if column is None and _is_deed_before(draft, near_before, near_after, last):
        draft.used.update((near_before[0][0], last + 1))
        return near_after[0][1]
    begun = draft.items[first].mention.lead.endswith((" with ", " having ")) and draft.language == "en"
    begun = begun and bool(near_after) and near_after[0][0] == last + 1  # pay of teams with over 20 seats
    if column is None and near_before and near_before[0][0] >= first - 2 and not begun:
        unit = ""  # the column that stands right before is meant, whatever the unit
    elif column is None:
        column = _compared_again(draft, first, unit)
    if column is None and unit:
        column = unit_column(unit, draft.table) or _called_by_unit(draft, last)
    if column is None and not near_before and not unit:
        texts = [item.mention.text for item in draft.items[first : last + 1] if item.number is not None]
        column = counted_column(texts[0], draft.table) if texts else None
    if column is None and not near_before and not near_after:
        said = [value for item in draft.items[:last] if (value := item.cue("light"))]
        column = concept_column(said[-1], draft.table) if said else None
        if column is None and said and said[-1] in ("price", "amount"):  # cost more than 25
            column = row_money(draft.table)
        counted = any(
            not item.mention.text[-1].isdecimal()
            for item in draft.items[first : last + 1]
            if item.number is not None
        )
        if column is None and not unit and not counted and _of_people(draft) and not _is_held(draft, first):
            column = concept_column("age", draft.table)
        if column is None and not unit and not counted and _of_animals(draft, first):
            column = concept_column("age", draft.table)
    if column is None:
        if not near_before and not near_after:
            return _amount(draft) if unit in ("dollar", "yen", "euro", "pound") else None
        right_behind = near_after and near_after[0][0] == last + 1  # average pay of teams with over 20 seats
        apart = draft.language == "en" and right_behind and near_before
        apart = apart and (begun or near_before[0][0] < first - 1)
        index, column = (near_after if apart else near_before or near_after)[0]
        only_one = len(near_before) + len(near_after) == 1
        if not (only_one and any(aggregate not in ("count", "share") for aggregate in draft.aggregates)):
            draft.used.add(index)
    elif near_before and near_before[0][1] == column and near_before[0][0] == first - 1:
        draft.used.add(near_before[0][0])
    elif near_after and near_after[0] == (last + 1, column):  # over 3 days between ordered and delivered
        draft.used.add(last + 1)
    return column if column.kind == "number" else None


def _is_deed_before(
    draft: Draft, before: list[tuple[int, ColumnInfo]], after: list[tuple[int, ColumnInfo]], last: int
) -> bool:
    """`sold fewer than 50 tickets`, `paid in cash with 3 or more passengers`: the verb is no rival of what is counted."""
    if draft.language != "en" or not before or not after or after[0][0] != last + 1:
        return False
    figure = draft.at(before[0][0] - 1)
    if figure and figure.cue("agg") not in (None, "count"):  # average spend with over 100 clicks
        return False
    return draft.items[before[0][0]].mention.says("light", "verb", "deed")


def _of_persons(draft: Draft, first: int, last: int) -> bool:
    """`fee of members over 40`: persons right before a bare number are of that age, whatever figure was named before."""
    noun, number, after = draft.at(first - 1), draft.items[last].number, draft.at(last + 1)
    if draft.language != "en" or noun is None or not noun.rows or number is None or not 0 < number <= 120:
        return False
    if after is not None and after.is_column and after.column and after.column.kind == "number":
        return False
    age = concept_column("age", draft.table)
    return (
        age is not None and age.kind == "number" and bool(set(inflections(key(noun.mention.text))) & PERSONS)
    )


def _measured_in(column: ColumnInfo, unit: str) -> bool:
    """Whether a column states that unit, or one it is converted to."""
    own = {*units(column.name), unit_of_column(column)}
    return unit in own or any(one and converted(1.0, unit, one) is not None for one in own)


def _called_by_unit(draft: Draft, last: int) -> ColumnInfo | None:
    """The column of numbers that the word of the unit is a name of: 40000 miles, of a mileage."""
    refs = [ref for ref in draft.items[last].mention.all(ColumnRef) if ref.table == draft.table.name]
    best = max(refs, key=lambda ref: ref.strength, default=None)
    return draft.table.column(best.column) if best and best.strength >= 1.7 else None


def _of_another(draft: Draft, last: int, index: int) -> bool:
    """`under 40 with over 500 votes`: the votes are those of the number right before them."""
    return any(
        item.number is not None and at not in draft.used
        for at, item in enumerate(draft.items[last + 1 : index], start=last + 1)
    ) and any(item.is_cue("cmp") for item in draft.items[last + 1 : index])


_ANEW = re.compile(r",| (?:and|with|who|that|which|whose|where|have|has|had|but) ", re.IGNORECASE)


def _next_comparison(draft: Draft, last: int) -> int:
    """`over 70 with a BMI under 25`: the place of a column that is named anew for a number of its own, else the end."""
    for at, column in draft.free():
        if at <= last or column.kind != "number" or draft.language != "en":
            continue
        beside = draft.at(at + 1)
        anew = _ANEW.search(draft.text[draft.items[last].mention.end : draft.items[at].mention.start])
        if anew and beside and beside.is_cue("cmp", "range"):
            return at
    return len(draft.items)


def _compared_again(draft: Draft, first: int, unit: str) -> ColumnInfo | None:
    """The column of the comparison before: 30歳以上40歳未満, `over 10 and under 20 years`."""
    if not draft.filters or draft.filters[-1].part:
        return None
    earlier = draft.table.column(draft.filters[-1].column)
    before = draft.at(first - 1)
    at_once = before is not None and before.is_cue("cmp") and first - 1 in draft.used
    if before is not None and before.is_cue("or") and first - 2 in draft.used:  # under 10 or over 50
        numbered = draft.items[first - 2].number is not None or bool(draft.items[first - 2].unit)
        at_once = at_once or (numbered and not _named_next(draft, first))
    same = bool(unit) and earlier.kind == "number" and unit_column(unit, draft.table) in (earlier, None)
    return earlier if at_once or same else None


def _named_next(draft: Draft, first: int) -> bool:
    """`or over 3 parcels`: the comparison that begins here names a column of its own after its number."""
    for at in range(first, first + 4):
        near = draft.at(at)
        if near is None or not (near.is_cue("cmp") or near.number is not None or near.unit):
            return bool(near and near.is_column and at > first + 1)
    return False


_HELD = re.compile(r"\b(?:with|having|has|have|had) (?:an? |the )?\w+ (?:of )?$", re.IGNORECASE)
"""`with a bill over 60`: the figure of something that the rows have, never their age."""


def _is_held(draft: Draft, first: int) -> bool:
    before = draft.at(first - 1)
    held = bool(_HELD.search(draft.text[: draft.items[first].mention.start]))
    return held and before is not None and before.value is None and draft.language == "en"


def _of_people(draft: Draft) -> bool:
    """True when a question is about people and no figure is named: `women over 65`."""
    sexes = any(
        item.value is not None and item.column and "sex" in concepts(item.column.name) for item in draft.items
    )
    return sexes or any(item.rows or item.mention.first(RowNoun) for item in draft.items)


def _of_animals(draft: Draft, first: int) -> bool:
    """`dogs over 5`, `the clubs over 100`: kinds of things right before the number, where the table has one age by name."""
    before = draft.at(first - 1)
    if before is None or before.value is None or draft.language != "en":
        return False
    many = before.mention.text.lower().endswith("s") and before.mention.text.lower() != before.value.lower()
    return many and any("age" in name_words(one.name) for one in draft.table.columns if one.kind == "number")


def _amount(draft: Draft) -> ColumnInfo | None:
    """What `orders over 100 dollars` is about: the amount of a row."""
    return (
        concept_column("amount", draft.table)
        or concept_column("sales", draft.table)
        or row_money(draft.table)
    )
