"""Differences that are not steps in time: between two groups, two columns, or the largest and the smallest value."""

from dataclasses import replace

from smoldesk.analyst.intents import (
    Aggregate,
    DataIntent,
    Filter,
    Refusal,
)
from smoldesk.analyst.reading.counts import take
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.read_values import cell_value
from smoldesk.analyst.reading.resolve import Item
from smoldesk.analyst.reading.row_money import only_measure
from smoldesk.analyst.tables.adding_up import adds_up
from smoldesk.analyst.tables.catalogue import ColumnInfo

_ADVERBS = ("change", "changes", "delta")
"""Words that speak of time even where no span of it is named."""


def largest_minus_smallest(draft: Draft) -> None:
    """`difference between the highest and the lowest` is a range, of everything or of each group."""
    for index, item in enumerate(draft.items):
        before = draft.at(index - 1)
        if item.cue("agg") == "range" and before and before.number is not None and index - 1 in draft.used:
            draft.aggregates = [one for one in draft.aggregates if one != "range"]  # 20から30の範囲
            ranged = {one.column for one in draft.filters}
            draft.used.update(at for at, column in draft.free() if column.name in ranged)
            draft.used.add(index)
    extremes = {"max", "min"}
    ranks = {value for item in draft.items if (value := item.cue("top") or _extreme(item))}
    if not _said(draft) or not (extremes <= set(draft.aggregates) or ranks == {"asc", "desc"}):
        return
    kept: list[Aggregate] = [one for one in draft.aggregates if one not in extremes]
    draft.aggregates = [*kept, "range"]
    draft.change, draft.order = "range", ""
    draft.used.update(
        at
        for at, item in enumerate(draft.items)
        if item.cue("agg") in extremes or item.is_cue("top") or _extreme(item)
    )


def _extreme(item: Item) -> str:
    """Which end of a measure `slowest` and `fastest` are."""
    if not item.mention.text.lower().endswith("est"):
        return ""
    return "desc" if item.is_cue("high") else "asc" if item.is_cue("low") else ""


def _said(draft: Draft) -> bool:
    return any(
        item.cue("change") == "diff" and item.mention.text.lower() not in _ADVERBS for item in draft.items
    )


def difference(draft: Draft, intent: DataIntent) -> DataIntent | Refusal | None:
    """The intent of a difference between two sides; None when none is asked for."""
    if not _said(draft) or draft.change or "range" in draft.aggregates:
        return None
    parts = _parts_of_time(intent)
    if parts:
        intent = replace(intent, date="", grain="")
    if intent.date:
        return None
    numbers = [
        (index, column) for index, column in draft.free() if column.kind == "number" and not column.is_flag
    ]
    sides = parts or _sides(draft)
    if sides is None and len({column.name for _, column in numbers}) == 2 and not intent.groups:
        draft.change = "columns"
        figure, unnamed = _figure(draft, True)
        return replace(
            intent, operation="difference", measures=take(draft, numbers), aggregates=figure, unnamed=unnamed
        )
    if sides is None:
        choices = tuple(column.name for column in draft.table.columns if column.values)
        return Refusal("two_groups", choices=choices, table=draft.table.name)
    filters = tuple(
        one
        for one in intent.filters
        if (one.column != sides[0].column or one.part != sides[0].part) and one.options != sides
    )
    groups = tuple(name for name in intent.groups if name != sides[0].column)
    _take_their_noun(draft)
    flags = [(i, c) for i, c in draft.free() if c.yes_no and c.name != sides[0].column]
    draft.used.update(i for i, c in draft.free() if c.name == sides[0].column)
    draft.change = "sides"
    intent = replace(intent, operation="difference", sides=sides, filters=filters, groups=groups)
    if _in_percent(draft) and not groups and not intent.plot:
        intent = replace(intent, change="pct")
    if len({column.name for _, column in numbers}) == 1:
        figure, unnamed = _figure(draft, True)
        return replace(intent, measures=take(draft, numbers), aggregates=figure, unnamed=unnamed)
    if not numbers and not flags and set(draft.aggregates) <= {"sum", "count"} and _counts_rows(draft):
        return replace(intent, aggregates=("count",))
    figures = set(draft.aggregates) - {"count", "share"}
    if figures and not numbers and not flags and (only := only_measure(draft.table)):
        return replace(intent, measures=(only.name,), aggregates=_figure(draft, True)[0])  # average gift
    if flags and not numbers:
        draft.used.add(flags[0][0])
        column = flags[0][1]
        yes = column.yes_no[0] if column.yes_no else ""
        target = Filter(column.name, "==", (cell_value(column, yes),))
        return replace(intent, target=target, aggregates=("share",))
    figures = [one for one in draft.aggregates if one not in ("count", "share")]
    if not numbers and figures and draft.rows and (only := only_measure(draft.table)):  # average gift
        return replace(intent, measures=(only.name,), aggregates=(figures[0],))
    if not numbers and not figures and (draft.rows or "count" in draft.aggregates):
        return replace(intent, aggregates=("count",))
    choices = tuple(column.name for column in draft.table.columns if column.kind == "number")
    return Refusal("which_column", choices=choices, table=draft.table.name)


def _counts_rows(draft: Draft) -> bool:
    """`how many more payments did Tom make`, which is a difference in total payments: the rows are counted."""
    return draft.language == "en" and any(
        item.cue("agg") == "sum" and (after := draft.at(at + 1)) is not None and after.rows
        for at, item in enumerate(draft.items)
    )


def _take_their_noun(draft: Draft) -> None:
    """`between monthly and one-off donors`: the noun right behind a side says whose it is, and no more."""
    conditions = {at for one, at in draft.placed if one in draft.filters}
    for index, column in draft.free():
        here, before = draft.items[index].mention, draft.at(index - 1)
        if before is None or index - 1 not in conditions or here.start - before.mention.end != 1:
            continue
        if draft.language == "en" and column.kind == "text" and here.text.lower().endswith("s"):
            draft.used.add(index)


def _figure(draft: Draft, numbers: bool) -> tuple[tuple[Aggregate, ...], bool]:
    """The figure that was named, or the mean; and whether none was."""
    named: tuple[Aggregate, ...] = tuple(one for one in draft.aggregates if one not in ("count", "share"))
    if named or not numbers:
        return (named[:1] or ("mean",)), False
    said = [item for item in draft.items if item.is_column and item.column and item.column.kind == "number"]
    if any(item.mention.text.lower().startswith(("total", "合計", "総")) for item in said):
        return ("sum",), False
    if any(item.column and adds_up(item.column, item.mention.text) for item in said):
        return ("sum",), True
    return ("mean",), True


def _sides(draft: Draft) -> tuple[Filter, ...] | None:
    """The two groups: two values of one column that were said, or a column that holds only two."""
    for one in draft.filters:
        if one.comparison == "==" and len(one.values) == 2:
            return tuple(replace(one, values=(value,)) for value in one.values)
    for one in draft.filters:  # May 2023 and May 2024: a stretch for each
        if one.part == "any" and len(one.options) == 2 and all(_is_stretch(each) for each in one.options):
            return one.options
    for one in draft.filters:  # 3月と4月: a condition for each
        alike = tuple(
            other
            for other in draft.filters
            if (other.column, other.part, other.comparison) == (one.column, one.part, "==")
        )
        if len(alike) == 2 and all(len(other.values) == 1 for other in alike):
            return alike
    twos = [column for _, column in draft.free() if _two_values(column)]
    twos += [column for name in draft.groups if _two_values(column := draft.table.column(name))]
    if len({column.name for column in twos}) != 1:
        return None
    column = twos[0]
    values = ["True", "False"] if column.kind == "bool" else column.values
    return tuple(Filter(column.name, "==", (cell_value(column, value),)) for value in values)


def _is_stretch(one: Filter) -> bool:
    return one.part == "all" and [each.comparison for each in one.options] == [">=", "<"]


def _in_percent(draft: Draft) -> bool:
    """`in percent`, and 差の割合, which is how 何%増えた is read: the difference in parts of the second side."""
    after = [
        beside.mention.text
        for at, item in enumerate(draft.items)
        if item.cue("change") == "diff" and (beside := draft.at(at + 1)) is not None
    ]
    return "割合" in after or any(item.cue("unit") == "percent" for item in draft.items)


def _parts_of_time(intent: DataIntent) -> tuple[Filter, ...]:
    """土日と平日の差: the two halves that a week or a day was cut into; empty for other cuts."""
    if intent.grain == "part of week":
        return tuple(Filter(intent.date, "==", (True,), part) for part in ("weekend", "workday"))
    if intent.grain == "half of day":
        return Filter(intent.date, "<", (12.0,), "hour"), Filter(intent.date, ">=", (12.0,), "hour")
    return ()


def _two_values(column: ColumnInfo) -> bool:
    return (column.kind == "text" and len(column.values) == 2) or column.kind == "bool"
