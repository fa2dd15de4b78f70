"""Everything that can be read off a request's items without knowing what kind of question it is."""

import re
from typing import cast

from smoldesk.analyst.intents import (
    Aggregate,
    Language,
    Plot,
    Refusal,
)
from smoldesk.analyst.meanings import FileName, Quoted, Unit
from smoldesk.analyst.reading.average_number import read_average_number
from smoldesk.analyst.reading.draft import Draft, rivals
from smoldesk.analyst.reading.every_cell import read_every_cell
from smoldesk.analyst.reading.meant_money import read_meant_money
from smoldesk.analyst.reading.partly_yes import read_partly_yes
from smoldesk.analyst.reading.read_average_bound import read_average_bound
from smoldesk.analyst.reading.read_changes import read_changes
from smoldesk.analyst.reading.read_compared_columns import read_compared_columns
from smoldesk.analyst.reading.read_comparisons import read_comparisons, read_ranges
from smoldesk.analyst.reading.read_dates import read_dates
from smoldesk.analyst.reading.read_done import read_done
from smoldesk.analyst.reading.read_either import read_either
from smoldesk.analyst.reading.read_fragments import read_fragments
from smoldesk.analyst.reading.read_groups import read_groups, read_order, read_ranked_grain
from smoldesk.analyst.reading.read_replies import read_replies
from smoldesk.analyst.reading.read_values import (
    read_equalities,
    read_idioms,
    read_opposites,
    read_yes_no,
)
from smoldesk.analyst.reading.resolve import (
    Item,
    ambiguous,
    guessed,
    units_of,
)
from smoldesk.analyst.tables.catalogue import TableInfo

_EXCEL = re.compile(r"excel|xlsx|spreadsheet|エクセル")


def collect(table: TableInfo, items: list[Item], language: Language, text: str) -> Draft:
    """Everything that can be read off without knowing what kind of question it is."""

    draft = Draft(table, items, language, text)
    draft.rows = any(item.rows for item in items)
    draft.aggregates = list(
        dict.fromkeys(cast(Aggregate, value) for item in items if (value := item.cue("agg")) is not None)
    )
    if len(draft.aggregates) > 1 and "rolling" in draft.operations:  # rolling average of the total
        draft.aggregates = [one for one in draft.aggregates if one != "mean"]
    plots = [value for item in items if (value := item.cue("plot"))]
    if len(set(plots) - {"auto", "hist"}) == 1:  # 分布をバイオリンプロットで, a distribution as a box plot
        plots = [plot for plot in plots if plot not in ("auto", "hist")]
    draft.plot = cast(Plot, next((plot for plot in plots if plot != "auto"), plots[0] if plots else ""))
    draft.over_time = draft.says("time")
    if any(item.cue("op") == "save" and _EXCEL.search(item.mention.text.lower()) for item in items):
        draft.file_kind = "xlsx"
    draft.save = any(item.cue("op") == "save" for item in items)
    named_columns = {item.column.name for item in items if item.is_column and item.column}
    for item in items:
        if item.value is not None and (columns := ambiguous(item.mention, table, named_columns)):
            draft.problem = Refusal("which_column", (item.mention.text,), columns, table.name)
        if item.value is not None and (values := guessed(item.mention, table)):
            draft.problem = Refusal("which_value", (item.mention.text,), values, table.name)
    read_meant_money(draft)
    draft.problem = draft.problem or rivals(draft)
    _read_file_name(draft)
    _read_units(draft)
    read_fragments(draft)
    read_average_number(draft)
    _read_per_row(draft)
    read_groups(draft)
    read_order(draft)
    read_ranked_grain(draft)
    read_changes(draft)
    _read_quartiles(draft)
    _read_bins(draft)
    read_dates(draft)
    read_average_bound(draft)
    read_ranges(draft)
    read_comparisons(draft)
    read_compared_columns(draft)
    read_equalities(draft)
    read_idioms(draft)
    read_opposites(draft)
    read_done(draft)
    read_yes_no(draft)
    read_partly_yes(draft)
    read_replies(draft)
    read_either(draft)
    _read_qualified(draft)
    _read_both_sides(draft)
    read_every_cell(draft)
    return draft


def _read_both_sides(draft: Draft) -> None:
    """`claimed vs unclaimed`: the yes and the no of one column are its two groups."""
    if draft.language != "en" or not draft.says("vs", "and"):
        return
    for column in [one for one in draft.table.columns if one.yes_no]:
        sides = [
            one
            for one in draft.filters
            if one.column == column.name and one.comparison == "==" and not one.part
        ]
        free = [at for at, one in draft.free() if one.name == column.name]
        if len({one.values for one in sides}) + bool(free) == 2 and column.name not in draft.groups:
            draft.used.update(free)
            draft.filters = [one for one in draft.filters if one not in sides]
            draft.groups.append(column.name)


def _read_qualified(draft: Draft) -> None:
    """`how many apple devices`, `total value of unclaimed items`: the noun behind a condition says no more."""
    if draft.language != "en" or not draft.aggregates or draft.says("which", "per") or draft.plot:
        return
    if draft.says("vs") and not draft.says("change"):  # the difference between monthly and one-off donors
        return
    conditions = {at for one, at in draft.placed if one in draft.filters}
    for index, column in draft.free():
        here, before = draft.items[index].mention, draft.at(index - 1)
        beside = before is not None and index - 1 in conditions and here.start - before.mention.end == 1
        flag = before is not None and before.is_column and before.column and before.column.yes_no
        beside = beside or bool(flag and before and here.start - before.mention.end == 1)
        if column.kind == "text" and not column.yes_no and beside and here.text.lower().endswith("s"):
            draft.used.add(index)


def _read_bins(draft: Draft) -> None:
    """`with 12 bins`, ビン数10: how many bars a histogram has; 2 to 200 of them."""
    for index, item in enumerate(draft.items):
        if item.is_cue("bins") and draft.plot in ("hist", "auto"):
            for at in (index - 1, index + 1):
                near = draft.at(at)
                if (
                    near is not None
                    and near.number is not None
                    and 2 <= near.number == int(near.number) <= 200
                ):
                    draft.bins = int(near.number)
                    draft.used.update((at, index))
                    break


_QUARTILES = {"q1": 0.25, "q2": 0.5, "q3": 0.75}


def _read_quartiles(draft: Draft) -> None:
    """`upper quartile`, and `q1 and q3 of the altitude`, which are quarters of a year only where no column follows."""
    said = {at: float(value) for at, item in enumerate(draft.items) if (value := item.cue("quart"))}
    short = [at for at, item in enumerate(draft.items) if item.mention.text.lower() in _QUARTILES]
    dated = any(column.kind == "date" for column in draft.table.columns)
    for at in short:
        after = draft.at(at + 1)
        joined = after is not None and after.is_cue("and") and at + 2 in short
        column = draft.at(at + 3 if joined else at + 1)
        lead = column.mention.lead.rstrip() if column else ""
        of = bool(column and column.is_column and column.column and column.column.kind == "number")
        if of and (not dated or lead.endswith((" of", " of the", " for", " for the"))):
            said |= {
                one: _QUARTILES[draft.items[one].mention.text.lower()]
                for one in ([at, at + 2] if joined else [at])
            }
    if said and "outliers" not in draft.operations:
        draft.used.update(said)
        draft.quartiles = list(dict.fromkeys(said.values()))
        draft.aggregates = [*draft.aggregates, "quantile"]


def _read_per_row(draft: Draft) -> None:
    """`boxes per donation`, where the rows are donations: the average of a row, which needs no groups."""
    if {"count", "share", "sum", "quantile"} & set(draft.aggregates) or draft.plot or draft.order:
        return
    for index, item in enumerate(draft.items):
        before, after = draft.at(index - 1), draft.at(index + 1)
        number = before is not None and before.is_column and before.column and before.column.kind == "number"
        if item.is_cue("per") and number and after is not None and after.rows and draft.language == "en":
            draft.used.add(index)
            draft.aggregates = draft.aggregates or ["mean"]


def _read_units(draft: Draft) -> None:
    """`resolution hours`: a unit right after the column that is measured in it says nothing more."""
    for index, item in enumerate(draft.items[1:], start=1):
        before = draft.items[index - 1]
        unit = item.mention.first(Unit)
        if unit and before.is_column and before.column and unit.name in units_of(before.column):
            draft.used.add(index)


def _read_file_name(draft: Draft) -> None:
    for item in draft.items:
        if draft.save and (named := item.mention.first(FileName) or item.mention.first(Quoted)):
            text = named.name if isinstance(named, FileName) else named.text
            draft.file_name = text.rsplit(".", 1)[0] if "." in text else text
