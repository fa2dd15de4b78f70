"""A draft becomes one intent: what kind of question its parts add up to, or why they do not."""

from dataclasses import replace

from smoldesk.analyst.intents import DataIntent, Operation, Refusal
from smoldesk.analyst.questions.ask_figures import ask_figures
from smoldesk.analyst.questions.asked_when import asked_when
from smoldesk.analyst.questions.chosen_columns import chosen_columns
from smoldesk.analyst.questions.compared_rows import compared_rows
from smoldesk.analyst.questions.day_of_extreme import with_day
from smoldesk.analyst.questions.honoured import unhonoured
from smoldesk.analyst.questions.how_much import with_money
from smoldesk.analyst.questions.incomplete_rows import rows_with_blanks, share_of_blanks
from smoldesk.analyst.questions.listed_ranks import listed_ranks, read_day_of_rank
from smoldesk.analyst.questions.mean_of_totals import mean_of_totals
from smoldesk.analyst.questions.money_directions import wrong_direction
from smoldesk.analyst.questions.named_rows import named_rows
from smoldesk.analyst.questions.part_of_money import part_of_money
from smoldesk.analyst.questions.read_differences import difference, largest_minus_smallest
from smoldesk.analyst.questions.rows_instead import rows_instead
from smoldesk.analyst.questions.unranked import ranked_by_nothing
from smoldesk.analyst.questions.unread_ranks import unread_rank
from smoldesk.analyst.questions.yes_or_no import yes_or_no
from smoldesk.analyst.reading.asked_rows import let_rows_be_named
from smoldesk.analyst.reading.count_days import counted_days
from smoldesk.analyst.reading.count_words import read_counters
from smoldesk.analyst.reading.counts import (
    count,
    counts_beside,
    part_of_a_total,
    share,
    take,
)
from smoldesk.analyst.reading.draft import Draft, number_columns
from smoldesk.analyst.reading.first_days import first_days
from smoldesk.analyst.reading.ordered_days import ordered_days
from smoldesk.analyst.reading.ordered_periods import called_by, periods
from smoldesk.analyst.reading.read_axes import read_axes
from smoldesk.analyst.reading.read_dates import hours_column
from smoldesk.analyst.reading.read_running import running
from smoldesk.analyst.reading.read_statistics import statistics
from smoldesk.analyst.reading.special import crosstab, outliers, quantiles
from smoldesk.analyst.tables.catalogue import YEARLESS, ColumnInfo

_FINER = {"day": (), "month": ("week", "day", "weekday"), "quarter": ("month", "week", "day", "weekday")}
"""Lengths of time that dates of months or quarters know nothing of."""
_OF_ROWS = frozenset(("何件", "何行", "件数", "行数", "レコード数", "何レコード"))
"""Counts of rows, not of columns: 何件で、どんな列がある asks for both."""


def assemble(draft: Draft) -> DataIntent | Refusal:
    """The intent of a draft that stands on its own."""
    if draft.problem:
        return draft.problem
    intent = _operation(draft)
    if isinstance(intent, Refusal):
        return intent
    intent = with_day(draft, rows_instead(draft, intent))
    intent = intent if isinstance(intent, Refusal) else with_money(draft, intent)
    if isinstance(intent, Refusal):
        return intent
    if over := draft.left_over():
        return Refusal("too_much", words=tuple(over), table=draft.table.name)
    if unread := unread_rank(draft):
        return Refusal("unknown", words=(unread,), table=draft.table.name)
    if lost := unhonoured(draft, intent):
        return Refusal("too_much", words=tuple(lost), table=draft.table.name)
    if (word := wrong_direction(draft, intent)) and (names := tuple(one.name for one in draft.table.columns)):
        return Refusal("no_column", (word,), names, draft.table.name)
    if unranked := ranked_by_nothing(draft, intent):
        return unranked
    if (
        intent.plot == "stacked"
        and len(intent.groups) + bool(intent.date) < 2
        and intent.operation == "aggregate"
    ):
        said = tuple(item.mention.text for item in draft.items if item.cue("plot") == "stacked")
        return Refusal("too_much", words=said or ("stacked",), table=draft.table.name)
    if intent.operation == "aggregate" and not intent.aggregates:
        return Refusal("nothing", table=draft.table.name)
    if dated := [name for name in intent.groups if draft.table.column(name).kind == "date"]:
        return Refusal("too_much", words=tuple(dated), table=draft.table.name)  # were landed, of a day Landed
    return mean_of_totals(draft, intent)


def base(draft: Draft) -> DataIntent:
    """The parts every kind of question shares."""
    return DataIntent(
        table=draft.table.name,
        groups=tuple(draft.groups),
        filters=tuple(draft.filters),
        grain=draft.grain,
        over_time=draft.over_time,
        order=draft.order,
        limit=draft.limit,
        plot=draft.plot,
        save=draft.save,
        file_name=draft.file_name,
        file_kind="xlsx" if draft.file_kind == "xlsx" else "csv",
        change="pct" if draft.change == "pct" else "diff" if draft.change else "",
        window=draft.window,
        bins=draft.bins,
        trend_line=draft.says("trendline"),
    )


def _operation(draft: Draft) -> DataIntent | Refusal:
    read_axes(draft)
    read_day_of_rank(draft)
    if months := counted_days(draft, base(draft)):
        return months
    if problem := read_counters(draft):
        return problem
    let_rows_be_named(draft)
    intent = base(draft)
    operations = draft.operations
    if days := counted_days(draft, intent):
        return days
    if day := asked_when(draft, intent):
        return day
    if answer := yes_or_no(draft, intent):
        return answer
    if named := compared_rows(draft, intent) or named_rows(draft, intent):
        return named
    if in_order := ordered_days(draft, intent):
        return in_order
    if ends := first_days(draft, intent):
        return ends
    if listed := listed_ranks(draft, intent):
        return listed
    if chosen := chosen_columns(draft, intent):
        return chosen
    counted = "count" in draft.aggregates
    if draft.grain or draft.over_time:
        dated = _dated(draft, intent)
        if isinstance(dated, Refusal):
            return dated
        intent = dated
    if "outliers" in operations:
        return outliers(draft, intent)
    largest_minus_smallest(draft)
    if more := statistics(draft, intent) or difference(draft, intent):
        return more
    intent = running(draft, intent)
    if isinstance(intent, Refusal):
        return intent
    if "quantile" in draft.aggregates:
        return quantiles(draft, intent)
    if part := part_of_money(draft, intent):
        return part
    if "crosstab" in operations or _crossed(draft):
        return crosstab(draft, intent)
    if (
        draft.plot == "heatmap"
        and draft.aggregates
        and not draft.change
        and len(draft.groups) + len(_cuts(draft)) >= 2
    ):
        return crosstab(draft, intent)
    if (
        "share" in draft.aggregates and "sum" in draft.aggregates and draft.groups
    ):  # each one's part of the total
        draft.aggregates.remove("sum")
    elif part_of_a_total(draft):
        draft.aggregates = [one for one in draft.aggregates if one != "sum"]
    elif "share" in draft.aggregates and _measured_percent(draft):
        draft.aggregates.remove("share")
    if draft.change and not draft.aggregates and not any(c.kind == "number" for _, c in draft.free()):
        draft.aggregates.append("count")
    figures = [one for one in draft.aggregates if one not in ("count", "share")]
    if "missing" in operations and figures and draft.says("without", "not"):  # average rating without blanks
        operations = [one for one in operations if one != "missing"]
        draft.said_no = True
    if "missing" in operations and (part := share_of_blanks(draft, intent)):
        return part
    if "missing" in operations and (incomplete := rows_with_blanks(draft, intent)):
        return incomplete
    if "missing" in operations:
        return _with_columns(draft, intent, "missing")
    if "columns" in operations and "shape" not in operations:
        counts = [item.mention.text for item in draft.items if item.cue("agg") == "count"]
        if _OF_ROWS & set(counts) and not draft.free() and not intent.filters:
            return replace(intent, operation="columns", aggregates=("count",))
        counted_twice = len(counts) > 1
        both = counted_twice and (draft.rows or draft.names_table) and not draft.free() and not intent.filters
        return replace(intent, operation="shape" if both else "columns")
    if "correlation" in operations or draft.plot == "heatmap":
        return _correlation(draft, intent)
    if "distinct" in operations and draft.free():
        return _distinct(draft, intent)
    if "describe" in operations and not draft.aggregates:
        return _with_columns(draft, intent, "describe")
    if draft.plot == "hist":
        return _distribution(draft, intent)
    if draft.plot == "scatter" or (
        _two_numbers(draft) and (draft.says("vs") or (draft.plot == "auto" and draft.says("and")))
    ):
        return _scatter(draft, intent)
    if "share" in draft.aggregates:
        return share(draft, intent)
    if "shape" in operations and not draft.free():
        if grouped := [item.mention.text for item in draft.items if item.is_cue("per")]:
            sizes = [item.mention.text for item in draft.items if item.cue("op") == "shape"]
            return Refusal("too_much", (*sizes, *grouped), table=draft.table.name)  # 靴のサイズごとの件数
        return replace(intent, operation="shape")
    if "head" in operations and not draft.aggregates and not draft.free():
        return replace(intent, operation="head")
    if "tail" in operations and not draft.aggregates and not draft.free():
        return replace(intent, operation="tail")
    if counted and _only_asks_how_much(draft):
        draft.aggregates.remove("count")
        counted = False
    if counted and not counts_beside(draft):
        return count(draft, intent)
    return ask_figures(draft, intent)


def _crossed(draft: Draft) -> bool:
    """`genre x region`: a cross between two columns of names."""
    for index, item in enumerate(draft.items):
        if item.mention.text.lower() in ("x", "×") and item.is_cue("and"):
            sides = [draft.at(index - 1), draft.at(index + 1)]
            if all(one and one.is_column and one.column and one.column.kind != "number" for one in sides):
                return True
    return False


def _only_asks_how_much(draft: Draft) -> bool:
    """定期利用の合計は何台: beside a figure of a measure, the word for counting says no more than how much."""
    figures = [one for one in draft.aggregates if one not in ("count", "share")]
    measured = any(column.kind == "number" and not column.is_flag for _, column in draft.free())
    if not figures or not measured or counts_beside(draft):
        return False
    return any(
        item.cue("agg") == "count" and not ((before := draft.at(index - 1)) and before.cue("agg"))
        for index, item in enumerate(draft.items)
        if not item.mention.text.isascii()
    )


def _cuts(draft: Draft) -> list[ColumnInfo]:
    return [column for _, column in draft.free() if column.kind == "text"]


def _measured_percent(draft: Draft) -> bool:
    """`average discount in percent`: the figure is in percent, it is not a share."""
    figures = [one for one in draft.aggregates if one not in ("share", "count")]
    attached = any(
        item.mention.text == "率" and (near := draft.at(index - 1)) and near.is_column
        for index, item in enumerate(draft.items)
    )  # 不良率 is another figure than 不良数
    return (
        bool(figures)
        and not attached
        and any(column.kind == "number" and not column.is_flag for _, column in draft.free())
    )


def _with_columns(draft: Draft, intent: DataIntent, operation: Operation) -> DataIntent:
    return replace(intent, operation=operation, measures=take(draft, draft.free()))


def is_measurable(column: ColumnInfo) -> bool:
    return column.kind in ("number", "bool")


def _two_numbers(draft: Draft) -> bool:
    return (
        not draft.aggregates
        and not draft.groups
        and sum(column.kind == "number" for _, column in draft.free()) == 2
    )


def _dated(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    named = [(index, column) for index, column in draft.free() if column.kind == "date"]
    dates = [column for _, column in named] or [
        column for column in draft.table.columns if column.kind == "date"
    ]
    if draft.cut_by:
        dates = [draft.table.column(draft.cut_by)]
    if draft.grain in ("hour", "hour of day", "half of day"):
        return _by_hours(draft, intent, named)
    steps = periods(draft.table, draft.grain)
    if not dates and steps:
        draft.used.update(index for index, column in draft.free() if column.name == steps[0])
        others = tuple(name for name in intent.groups if name != steps[0])
        return replace(intent, groups=(steps[0], *others), grain="", over_time=False)
    if not dates and (called := called_by(draft.table, draft.grain)) and not (draft.change or draft.window):
        return replace(intent, groups=(*intent.groups, called), grain="", over_time=False)
    if not dates:
        return Refusal("no_date", table=draft.table.name)
    if dates[0].form == YEARLESS and draft.grain in ("weekday", "week", "year"):
        return Refusal("too_much", (str(draft.grain),), table=draft.table.name)
    if draft.grain in _FINER[dates[0].span_of_one]:
        said = tuple(item.mention.text for item in draft.items if item.cue("grain"))
        return Refusal("too_much", said or (str(draft.grain),), table=draft.table.name)
    take(draft, named)
    return replace(intent, date=dates[0].name)


def _by_hours(draft: Draft, intent: DataIntent, named: list[tuple[int, ColumnInfo]]) -> DataIntent | Refusal:
    """Hours are those of a column that has some: a date without a time has none."""
    clocks = [(index, column) for index, column in draft.free() if column.has_hours]
    found = next((column for _, column in clocks), None) or hours_column(draft.table)
    if found is None:
        said = tuple(item.mention.text for item in draft.items if item.cue("grain"))
        return Refusal("too_much", said, table=draft.table.name)
    take(draft, clocks or named)
    grain = "hour of day" if found.is_clock and draft.grain == "hour" else draft.grain
    return replace(intent, date=found.name, grain=grain)


def _correlation(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    columns = draft.free()
    wrong = [column.name for _, column in columns if not is_measurable(column)]
    if wrong:
        return Refusal(
            "not_a_number", words=tuple(wrong), choices=number_columns(draft), table=draft.table.name
        )
    return replace(intent, operation="correlation", measures=take(draft, columns))


def _distinct(draft: Draft, intent: DataIntent) -> DataIntent:
    measures = take(draft, draft.free())
    if intent.groups or intent.date:
        return replace(intent, measures=measures, aggregates=("nunique",))
    return replace(intent, operation="distinct", measures=measures)


def _distribution(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    columns = draft.free()
    if not columns and intent.groups:
        return replace(intent, aggregates=("count",), plot="bar")
    if not columns:
        return Refusal("which_column", choices=number_columns(draft), table=draft.table.name)
    if all(column.kind in ("text", "bool") or column.is_flag for _, column in columns):
        return replace(intent, groups=take(draft, columns) + intent.groups, aggregates=("count",), plot="bar")
    numbers = [(index, column) for index, column in columns if column.kind == "number"]
    groups = take(draft, [(i, c) for i, c in columns if c.kind == "text"])
    return replace(intent, operation="hist", measures=take(draft, numbers), groups=intent.groups + groups)


def _scatter(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    numbers = [(index, column) for index, column in draft.free() if is_measurable(column)]
    groups = take(draft, [(i, c) for i, c in draft.free() if c.kind == "text"])
    if len(numbers) != 2:
        return Refusal("two_numbers", choices=number_columns(draft), table=draft.table.name)
    return replace(intent, operation="scatter", measures=take(draft, numbers), groups=intent.groups + groups)
