"""Code for one figure for each group: as a table, a sentence, a plot, a file."""

from smoldesk.analyst.cell import literal
from smoldesk.analyst.intents import Aggregate
from smoldesk.analyst.tables.figures import figure_name, form_of, title
from smoldesk.analyst.writing.group_answers import (
    answer_lines,
    answer_points,
    at_place,
    span,
)
from smoldesk.analyst.writing.plot_groups import plot_groups
from smoldesk.analyst.writing.row_tests import test
from smoldesk.analyst.writing.sheet import (
    Sheet,
    computed,
    grouped,
    in_order,
    rows_used,
)
from smoldesk.analyst.writing.time_steps import stepped
from smoldesk.analyst.writing.usual import other_usual, usual_note
from smoldesk.analyst.writing.write_files import save
from smoldesk.analyst.writing.write_shares import blank_note

_WEEK_JA = '["月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日", "日曜日"]'
_WEEK = '["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]'


def write_groups(sheet: Sheet) -> None:
    """The code of an `aggregate` intent with groups and one figure for each."""
    intent = sheet.intent
    aggregate: Aggregate = intent.aggregates[0]
    measure = intent.measures[0] if intent.measures else ""
    name = figure_name(intent, sheet.table, sheet.language, aggregate, measure)
    steps = bool(intent.running or intent.window or intent.change)
    expression = figures_by_group(sheet)
    ordered = "" if steps else _order(sheet) + (f".head({intent.limit})" if intent.limit else "")
    if intent.place:
        ordered = f"{_order(sheet)}.dropna().iloc[{intent.place - 1} : {intent.place}]"
    scaled = expression.startswith("100 *")
    sheet.cell.add(
        f"result = ({expression}){ordered}" if ordered and scaled else f"result = {expression}{ordered}"
    )
    if intent.place:
        at_place(sheet, "result")
    if steps:
        name = stepped(sheet, name)
        ordered = _order(sheet) if intent.order else ""
        ordered += f".head({intent.limit})" if intent.limit else ""
        sheet.cell.add(*[f"result = result{ordered}"] if ordered else [])
    percent = aggregate == "share" or intent.change == "pct"
    column = name + (" (%)" if percent else "")
    _show(sheet, column, "" if aggregate in ("count", "nunique") and not steps else ".round(2)", measure)
    if intent.plot or intent.over_time:
        plot_groups(sheet, column)
    if intent.date and not intent.grain and len(sheet.groups) == 1:
        sheet.cell.add("result.index = result.index.astype(str)  # days without a clock")
    extra = [save(sheet, f"result.reset_index(name={literal(column)})", _stem(sheet))] if intent.save else []
    _notes(sheet, measure)
    heading = title(intent, sheet.language, name)
    form = ":.1f" if percent else form_of("mean" if steps else aggregate)
    unit = " %" if percent else ""
    sheet.cell.gap()
    if intent.date and len(sheet.groups) == 1:
        span(sheet, heading, form, unit, extra)
    elif intent.date:
        answer_points(sheet, name, form, unit, extra)
    else:
        answer_lines(sheet, name, heading, form, unit, extra)


def _show(sheet: Sheet, column: str, rounded: str, measure: str) -> None:
    """The table: long, or with the second group across; with the other usual figure where none was named."""
    intent = sheet.intent
    if intent.wide and len(sheet.groups) == 2:
        filled = "fill_value=0" if intent.aggregates[0] == "count" else ""
        sheet.cell.add(f"display(result{rounded}.unstack({filled}).reset_index())")
        return
    if not intent.unnamed or intent.running or intent.window or intent.change:
        sheet.cell.add(f"display(result{rounded}.reset_index(name={literal(column)}))")
        return
    other = other_usual(intent.aggregates[0])
    beside = literal(figure_name(intent, sheet.table, sheet.language, other, measure))
    sheet.cell.add(
        f"both = result.to_frame({literal(column)})",
        f"both[{beside}] = {grouped(sheet)}[{literal(measure)}]{computed(other)}",
        "display(both.round(2).reset_index())",
    )


def _notes(sheet: Sheet, measure: str) -> None:
    """How many rows there were, how blanks were counted, and which figure was taken when none was named."""
    intent = sheet.intent
    rows_used(sheet, *([measure] if measure else []), *sheet.groups)
    if intent.target and intent.target.part != "blank":
        blank_note(sheet, intent.target.column)
    if not (intent.running or intent.window or intent.change):
        usual_note(sheet)


def figures_by_group(sheet: Sheet) -> str:
    """The expression of one figure for each group."""
    intent = sheet.intent
    aggregate = intent.aggregates[0]
    if aggregate == "count":
        return f"{grouped(sheet)}.size()"
    if aggregate != "share":
        call = computed(aggregate)
        if aggregate == "sum" and intent.order == "asc":
            call = ".sum(min_count=1)"  # a group of blanks adds up to nothing, and is not the lowest
        return f"{grouped(sheet)}[{literal(intent.measures[0])}]{call}"
    if intent.target is None and intent.measures:
        measure = literal(intent.measures[0])
        return f"100 * {grouped(sheet)}[{measure}].sum() / {sheet.column(intent.measures[0])}.sum()"
    if intent.target is None:
        return f"100 * {grouped(sheet)}.size() / len({sheet.rows})"
    sheet.cell.add(f"hit = {test(sheet.rows, intent.target, sheet.table)}")
    keys = ", ".join(sheet.column(group) for group in sheet.groups)
    if intent.measures:
        by = keys if len(sheet.groups) == 1 else f"[{keys}]"
        values = sheet.column(intent.measures[0])
        return f"100 * {values}.where(hit, 0).groupby({by}).sum() / {values}.groupby({by}).sum()"
    return f"100 * hit.groupby({keys if len(sheet.groups) == 1 else '[' + keys + ']'}).mean()"


def _order(sheet: Sheet) -> str:
    """How groups are ordered: as asked, time as it runs, else the largest first."""
    intent = sheet.intent
    if intent.order:
        return f".sort_values(ascending={intent.order == 'asc'})"
    if intent.grain == "weekday" and len(sheet.groups) == 1:
        return f".reindex({_WEEK_JA if sheet.language == 'ja' else _WEEK}).dropna()"
    if intent.date or len(sheet.groups) > 1 or sheet.table.column(sheet.groups[0]).kind == "number":
        return ""
    if in_order(sheet):
        return ""
    return ".sort_values(ascending=False)"


def _stem(sheet: Sheet) -> str:
    """The usual file name of grouped figures: mean_Temperature_by_roomname."""
    intent = sheet.intent
    target = (intent.target.column,) if intent.target else ()
    return "_".join([*intent.aggregates, *intent.measures, *target, "by", *sheet.groups])
