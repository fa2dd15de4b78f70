"""Dates of a request become filters: `since june`, `in 2023`, `between 2024-05-01 and 2024-05-15`, 5月1日より後."""

import re
from typing import cast

from smoldesk.analyst.intents import (
    Comparison,
    DatePart,
    Filter,
    Refusal,
)
from smoldesk.analyst.meanings import ColumnRef, When
from smoldesk.analyst.reading.date_alternatives import merge_alternatives
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.read_done import day_of
from smoldesk.analyst.reading.weeks_of import week_of
from smoldesk.analyst.tables.catalogue import YEARLESS, ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import concepts
from smoldesk.analyst.words.date_spans import PARTS as STRETCHES
from smoldesk.analyst.words.date_spans import stretch_days
from smoldesk.analyst.words.dates import bounds, in_year
from smoldesk.analyst.words.text import key, name_words

_BEHIND = (
    "or later",
    "or after",
    "or earlier",
    "or before",
    "and later",
    "or more recent",
    "or newer",
    "or older",
)
"""English words of comparison that stand behind what they compare."""
_OF_DAY = ("hour", "daytime")


def read_dates(draft: Draft) -> None:
    """Adds a filter for every date of the draft's items, or the reason why there cannot be one."""
    for index, item in enumerate(draft.items):
        when = item.when
        if when is None or index in draft.used:
            continue
        column = _column(draft, index, when)
        if column is None or (column.form == YEARLESS and when.part in ("weekend", "workday", "weekday")):
            if when.bare:
                continue
            why = Refusal("no_date", table=draft.table.name)
            if when.part in _OF_DAY:
                why = Refusal("too_much", (item.mention.text,), table=draft.table.name)
            draft.problem = draft.problem or why
            return
        if choices := _only_deadlines(draft, column):
            draft.problem = draft.problem or Refusal(
                "which_column", (item.mention.text,), choices, draft.table.name
            )
            return
        known = len(draft.filters)
        _read_one(draft, index, when, column)
        draft.placed += [(one, index) for one in draft.filters[known:]]
    merge_alternatives(draft)


_DEADLINE = re.compile("期限|期日|締め?切|満了|有効")
_ENDS_THEN = re.compile("切れ|期限|締め?切|満了|返|納|まで(?!に)")


def _only_deadlines(draft: Draft, column: ColumnInfo) -> tuple[str, ...]:
    """2021年以前に買った, where 賞味期限 is the only date and nobody named it: the columns to choose from, else nothing."""
    if draft.language != "ja" or not _DEADLINE.search(column.name):
        return ()
    if _ENDS_THEN.search(draft.text) or any(item.column == column for item in draft.items):
        return ()
    return tuple(one.name for one in draft.table.columns if one.kind == "date" or is_year(one))


def _column(draft: Draft, index: int, when: When) -> ColumnInfo | None:
    """The column a date speaks of: the nearest that is named, else the first one of dates, else one of years."""
    if when.part in _OF_DAY:
        return _column_of_hours(draft, index)
    named = [
        (abs(index - at), at, item.column)
        for at, item in enumerate(draft.items)
        if item.column and item.value is None and (item.column.kind == "date" or is_year(item.column))
    ]
    named += [
        (abs(index - at), at, day) for at, item in enumerate(draft.items) if (day := day_of(draft, item))
    ]
    if day := _day_of_cell(draft, index - 1):
        named.append((1, index - 1, day))
    fits = [one for one in named if one[2].kind == "date" or (when.year and not when.month)]
    if fits:
        _, at, column = min(fits, key=lambda one: (one[0], one[1]))
        if column.name not in draft.groups:
            draft.used.add(at)
        return column
    dates = [column for column in draft.table.columns if column.kind == "date"]
    years = [column for column in draft.table.columns if is_year(column)]
    if dates:
        return dates[0]
    return years[0] if years and when.year and not when.month else None


def _day_of_cell(draft: Draft, at: int) -> ColumnInfo | None:
    """`paid in March`, where a cell says paid, and a column Paid on when."""
    item = draft.at(at)
    if item is None or item.value is None or draft.language != "en":
        return None
    said = key(item.mention.text)
    named = [ref.column for ref in item.mention.all(ColumnRef) if ref.table == draft.table.name]
    dates = [one for one in draft.table.columns if one.kind == "date" and one.name in named]
    return next((one for one in dates if name_words(one.name)[:1] == [said]), None)


def _column_of_hours(draft: Draft, index: int) -> ColumnInfo | None:
    """The column whose time of day is meant: the nearest that is named, else the only one, else the first of dates."""
    named = [
        (abs(index - at), at, item.column)
        for at, item in enumerate(draft.items)
        if item.column and item.value is None and item.column.has_hours
    ]
    if named:
        _, at, column = min(named, key=lambda one: (one[0], one[1]))
        if column.name not in draft.groups:
            draft.used.add(at)
        return column
    return hours_column(draft.table)


def hours_column(table: TableInfo) -> ColumnInfo | None:
    """The column that tells the time of day of a row; None where there is none, or several of times alone."""
    dates = [column for column in table.columns if column.kind == "date" and column.has_hours]
    clocks = [column for column in table.columns if column.is_clock]
    if dates and not clocks:
        return dates[0]
    return clocks[0] if len(clocks) == 1 or (clocks and not dates and _first_is_start(clocks)) else None


def _first_is_start(clocks: list[ColumnInfo]) -> bool:
    """Of arrival and departure, start and end, the first is meant where none is named."""
    return len(clocks) == 2


def is_year(column: ColumnInfo) -> bool:
    """True for a number column whose values are years."""
    return (
        column.kind == "number"
        and all(value[:4].isdigit() and value.removesuffix(".0").isdigit() for value in column.values)
        and all(1900 <= float(value) <= 2100 for value in column.values)
        and (
            "year" in name_words(column.name)
            or column.name.rstrip(")）").endswith(("年", "年度", "年式"))
            or ("year" in concepts(column.name) and bool(column.values))
        )
    )


def _read_one(draft: Draft, index: int, when: When, column: ColumnInfo) -> None:
    before, after = draft.at(index - 1), draft.at(index + 1)
    text = draft.items[index].mention.text
    draft.used.add(index)
    comparison = ""
    for at, near in ((index - 1, before), (index + 1, after)):
        japanese = bool(near) and not near.mention.text.isascii()
        japanese = japanese or bool(near and near.mention.text.lower() in _BEHIND)
        if near and at not in draft.used and near.is_cue("cmp") and japanese == (at > index):
            comparison = near.cue("cmp") or ""
            draft.used.add(at)
            if when.part == "hour" and comparison == "<=" and near.mention.text.lower() in _BEHIND:
                value = when.value + when.minute / 60  # that hour sharp, too
                draft.filters.append(Filter(column.name, "<=", (value,), "hour"))
                return
    if _since_hour(draft, index, when, column):
        return
    other = _range_end(draft, index)
    if other is not None:
        last = draft.items[other].when
        draft.used.add(other)
        draft.used.update(
            at for at in (other + 1, other + 2) if (near := draft.at(at)) and near.cue("cmp") == "<="
        )
        _between(draft, when, cast(When, last), column, text)
        return
    near_range = [
        near for near in (before, after) if near and near.is_cue("range") and near.cue("cmp") is None
    ]
    if not comparison and near_range and near_range[0].mention.text in ("from", "から"):
        comparison = ">="
    if when.part in STRETCHES:
        _stretch(draft, when, column, comparison, text)
    elif when.part:
        _part(draft, when, column, comparison)
    elif column.kind == "number":
        _year(draft, when, column, comparison, text)
    else:
        _moment(draft, index, when, column, comparison)


def _since_hour(draft: Draft, index: int, when: When, column: ColumnInfo) -> bool:
    """`between 9 and noon`: a bare number at the other end of a range of hours is an hour."""
    first, join, opener = draft.at(index - 2), draft.at(index - 1), draft.at(index - 3)
    if when.part != "hour" or not (
        join and join.is_cue("and", "range") and opener and opener.is_cue("range")
    ):
        return False
    if first is None or first.number is None or not 0 <= first.number < 24 or index - 2 in draft.used:
        return False
    draft.used.add(index - 2)
    _between(draft, When(part="hour", value=int(first.number)), when, column, "")
    return True


def _range_end(draft: Draft, index: int) -> int | None:
    """The other end of `between A and B`, `from A to B`, AからBまで."""
    before = draft.at(index - 1)
    ranged = bool(before and before.is_cue("range"))
    if (
        ranged
        and before
        and before.is_cue("vs")
        and any(item.cue("change") == "diff" for item in draft.items)
    ):
        return None  # the difference between May and June
    for at in (index + 1, index + 2):
        near = draft.at(at)
        if near and near.when and (ranged or (at == index + 2 and draft.items[index + 1].is_cue("range"))):
            return at
    return None


def _part(draft: Draft, when: When, column: ColumnInfo, comparison: str) -> None:
    sign = comparison or "=="
    if when.part in ("daytime", "month part"):
        _within(draft, when, column, comparison)
        return
    if when.part == "hour":
        sign = {">": ">=", "<=": "<"}.get(sign, sign)
    negated = any(item.is_cue("not") for item in draft.items)
    if when.part != "hour" and negated:
        sign = "!="
    value = when.value + when.minute / 60 if when.part in ("hour", "weekday") else True
    draft.filters.append(Filter(column.name, cast(Comparison, sign), (value,), cast(DatePart, when.part)))


def _within(draft: Draft, when: When, column: ColumnInfo, comparison: str) -> None:
    """The hours of a part of the day, the days of a part of a month."""
    part = "hour" if when.part == "daytime" else "day"
    if when.value:
        draft.filters.append(Filter(column.name, "==", (float(when.value),), "days left"))
        return
    first, after = map(float, when.ends)
    if comparison in ("<", "<="):  # until the afternoon
        draft.filters.append(Filter(column.name, "<", (first if comparison == "<" else after,), part))
        return
    if comparison == ">":
        first, after = after, 99.0
    if first > (1 if part == "day" else 0):
        draft.filters.append(Filter(column.name, ">=", (first,), part))
    if after <= (31 if part == "day" else 23) and comparison != ">=":
        draft.filters.append(Filter(column.name, "<", (after,), part))


def _stretch(draft: Draft, when: When, column: ColumnInfo, comparison: str, text: str) -> None:
    if column.kind == "number":  # a column of years knows no quarters; a 年度 is its own number there
        if when.part != "fiscal":
            draft.problem = draft.problem or Refusal("no_date", table=draft.table.name)
            return
        _year(draft, when, column, comparison, text)
        return
    days = stretch_days(when, column.span)
    if days is None:
        draft.problem = draft.problem or Refusal("too_much", (text,), table=draft.table.name)
        return
    if not comparison and not (days[0] <= column.span[1] and days[1] > column.span[0]):
        draft.problem = Refusal("no_value", (text,), (" – ".join(column.span),), draft.table.name)
    _add(draft, column, comparison, *days)


def _year(draft: Draft, when: When, column: ColumnInfo, comparison: str, text: str) -> None:
    if (
        not comparison
        and column.values
        and f"{when.year}" not in {value.removesuffix(".0") for value in column.values}
    ):
        draft.problem = Refusal("no_value", (text,), tuple(column.values), draft.table.name)
    draft.filters.append(Filter(column.name, cast(Comparison, comparison or "=="), (float(when.year),)))


def _moment(draft: Draft, index: int, when: When, column: ColumnInfo, comparison: str) -> None:
    text = draft.items[index].mention.text
    if not when.year and not when.day and not comparison:
        draft.filters.append(Filter(column.name, "==", (float(when.month),), "month"))
        return
    dated = in_year(when, column.span)
    days = bounds(dated) if dated else None
    if days is None:
        draft.problem = draft.problem or Refusal("too_much", (text,), table=draft.table.name)
        return
    first, after = (week_of(draft, index, days[0]) if when.day else None) or days
    if not comparison and column.span and not (first <= column.span[1] and after > column.span[0]):
        draft.problem = Refusal("no_value", (text,), (" – ".join(column.span),), draft.table.name)
    _add(draft, column, comparison, first, after)


def _add(draft: Draft, column: ColumnInfo, comparison: str, first: str, after: str) -> None:
    """The day before and after are what `after` and `before` leave out; `since` and `until` keep the day."""
    match comparison:
        case ">":
            draft.filters.append(Filter(column.name, ">=", (after,)))
        case ">=":
            draft.filters.append(Filter(column.name, ">=", (first,)))
        case "<":
            draft.filters.append(Filter(column.name, "<", (first,)))
        case "<=":
            draft.filters.append(Filter(column.name, "<", (after,)))
        case _:
            draft.filters += [Filter(column.name, ">=", (first,)), Filter(column.name, "<", (after,))]


def _between(draft: Draft, start: When, end: When, column: ColumnInfo, text: str) -> None:
    if start.part or end.part:
        if start.part != "hour" or end.part != "hour":
            draft.problem = draft.problem or Refusal("too_much", (text,), table=draft.table.name)
            return
        for sign, one in ((">=", start), ("<", end)):
            value = one.value + one.minute / 60
            draft.filters.append(Filter(column.name, cast(Comparison, sign), (value,), "hour"))
        return
    if column.kind == "number" and not start.month:
        years = Filter(column.name, ">=", (float(start.year),)), Filter(column.name, "<=", (float(end.year),))
        draft.filters += years
        return
    if not start.year and end.year:
        start = When(end.year, start.month, start.day)
    low, high = in_year(start, column.span), in_year(end, column.span)
    first, last = (bounds(low) if low else None), (bounds(high) if high else None)
    if first is None or last is None:
        draft.problem = draft.problem or Refusal("too_much", (text,), table=draft.table.name)
        return
    draft.filters += [Filter(column.name, ">=", (first[0],)), Filter(column.name, "<", (last[1],))]
