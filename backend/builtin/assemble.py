"""A draft becomes one intent: what kind of question its parts add up to, or why they do not."""

from dataclasses import replace

from backend.builtin.catalogue import ColumnInfo
from backend.builtin.counts import compared_groups, count, counts_beside, share, take
from backend.builtin.draft import Draft, cell_value
from backend.builtin.glossary import ADDITIVE, COUNTED_PEOPLE
from backend.builtin.intents import Aggregate, DataIntent, Filter, Operation, Refusal
from backend.builtin.lexicon import concepts
from backend.builtin.read_axes import read_axes
from backend.builtin.read_differences import difference, largest_minus_smallest
from backend.builtin.read_running import running
from backend.builtin.read_statistics import statistics
from backend.builtin.resolve import concept_column
from backend.builtin.special import crosstab, outliers, quantiles

_SIZES = ("biggest", "largest", "highest", "smallest", "lowest")


def assemble(draft: Draft) -> DataIntent | Refusal:
    """The intent of a draft that stands on its own."""
    if draft.problem:
        return draft.problem
    intent = _operation(draft)
    if isinstance(intent, Refusal):
        return intent
    if over := draft.left_over():
        return Refusal("too_much", words=tuple(over), table=draft.table.name)
    cut = intent.groups or intent.date
    if (
        draft.order
        and intent.operation == "aggregate"
        and intent.aggregates in (("count",), ("share",))
        and not cut
    ):
        ranked = tuple(item.mention.text for item in draft.items if item.is_cue("top"))
        return Refusal("too_much", words=ranked or ("?",), table=draft.table.name)
    if intent.operation == "aggregate" and not intent.aggregates:
        return Refusal("nothing", table=draft.table.name)
    return intent


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
        trend_line=draft.says("trendline"),
    )


def _operation(draft: Draft) -> DataIntent | Refusal:
    read_axes(draft)
    intent = base(draft)
    operations = draft.operations
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
    if "crosstab" in operations:
        return crosstab(draft, intent)
    if "share" in draft.aggregates and _measured_percent(draft):
        draft.aggregates.remove("share")
    if draft.change and not draft.aggregates and not any(c.kind == "number" for _, c in draft.free()):
        draft.aggregates.append("count")
    figures = [one for one in draft.aggregates if one not in ("count", "share")]
    if "missing" in operations and figures and draft.says("without", "not"):  # average rating without blanks
        operations = [one for one in operations if one != "missing"]
        draft.said_no = True
    if "missing" in operations:
        return _with_columns(draft, intent, "missing")
    if "columns" in operations and "shape" not in operations:
        return replace(intent, operation="columns")
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
        return replace(intent, operation="shape")
    if "head" in operations and not draft.aggregates and not draft.free():
        return replace(intent, operation="head")
    if counted and not counts_beside(draft):
        return count(draft, intent)
    return _figures(draft, intent)


def _measured_percent(draft: Draft) -> bool:
    """`average discount in percent`: the figure is in percent, it is not a share."""
    figures = [one for one in draft.aggregates if one not in ("share", "count")]
    return bool(figures) and any(column.kind == "number" and not column.is_flag for _, column in draft.free())


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
    if not dates:
        return Refusal("no_date", table=draft.table.name)
    take(draft, named)
    return replace(intent, date=dates[0].name)


def _correlation(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    columns = draft.free()
    wrong = [column.name for _, column in columns if not is_measurable(column)]
    if wrong:
        return Refusal(
            "not_a_number", words=tuple(wrong), choices=number_columns(draft), table=draft.table.name
        )
    return replace(intent, operation="correlation", measures=take(draft, columns))


def number_columns(draft: Draft) -> tuple[str, ...]:
    return tuple(column.name for column in draft.table.columns if column.kind == "number")


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


def _figures(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    """Average, total, extremes, rows by rank; the usual figure when none was named."""
    free = draft.free()
    measures = [(i, c) for i, c in free if c.kind == "number" and not c.is_flag]
    flags = [(i, c) for i, c in free if c.yes_no]
    texts = [(i, c) for i, c in free if c.kind == "text" and not c.yes_no]
    aggregates: tuple[Aggregate, ...] = tuple(
        one for one in draft.aggregates if one not in ("count", "share")
    )
    if adjective := next((v for item in draft.items if (v := item.cue("high") or item.cue("low"))), None):
        column = concept_column(adjective, draft.table)
        if column and not measures and not flags:
            measures = [(-1, column)]
    biggest = any(item.is_cue("top") and item.mention.text.lower() in _SIZES for item in draft.items)
    if biggest and draft.rows and not free and not intent.groups and not draft.aggregates:
        amount = concept_column("amount", draft.table) or concept_column("sales", draft.table)
        measures = [(-1, amount)] if amount and amount.kind == "number" else []
    groups = intent.groups
    if measures or flags or draft.rows or draft.plot:
        groups += take(draft, texts) + (() if groups or texts else compared_groups(draft))
    if flags and not measures:
        return _flag_figures(draft, replace(intent, groups=groups), flags)
    if measures:
        names = take(draft, measures)
        intent = replace(intent, filters=intent.filters + _flag_filters(draft, flags))
        people = _people(draft)
        if draft.order and draft.limit and not groups and people:
            groups = (people,)
            aggregates = aggregates or ("sum",)
        if draft.order and draft.limit and not groups and not intent.date:
            return replace(intent, operation="top", measures=names)
        return _measured(draft, replace(intent, groups=groups, measures=names), aggregates)
    if aggregates and texts:
        wrong = tuple(column.name for _, column in texts)
        return Refusal("not_a_number", words=wrong, choices=number_columns(draft), table=draft.table.name)
    if aggregates:
        return Refusal("which_column", choices=number_columns(draft), table=draft.table.name)
    return _rows_only(draft, replace(intent, groups=groups), texts)


def _people(draft: Draft) -> str:
    """The column of the people that `3人` speaks of, where they come in several rows."""
    counted = any(
        item.number is not None and item.mention.text.endswith(("人", "名")) for item in draft.items
    )
    column = concept_column("name", draft.table) if counted else None
    if column is None or column.is_id:
        column = next((c for c in draft.table.columns if "name" in concepts(c.name) and not c.is_id), None)
    return (
        column.name if counted and column and column.values and len(column.values) < draft.table.rows else ""
    )


def _flag_filters(draft: Draft, flags: list[tuple[int, ColumnInfo]]) -> tuple[Filter, ...]:
    """`average age of survivors`: beside a measure, a yes/no column says which rows."""
    draft.used.update(index for index, _ in flags)
    return tuple(
        Filter(column.name, "==", (cell_value(column, column.yes_no[0]),))
        for _, column in flags
        if column.yes_no
    )


def _flag_figures(draft: Draft, intent: DataIntent, flags: list[tuple[int, ColumnInfo]]) -> DataIntent:
    index, column = flags[0]
    draft.used.add(index)
    wanted = Filter(column.name, "==", (cell_value(column, column.yes_no[0] if column.yes_no else ""),))
    people = any(item.mention.text.lower() in COUNTED_PEOPLE for item in draft.items)
    if people or (draft.aggregates and draft.aggregates[0] == "sum"):
        return replace(intent, filters=(*intent.filters, wanted), aggregates=("count",))
    return replace(intent, target=wanted, aggregates=("share",))


def _measured(draft: Draft, intent: DataIntent, aggregates: tuple[Aggregate, ...]) -> DataIntent:
    cut = bool(intent.groups or intent.date)
    orders = {value for item in draft.items if (value := item.cue("top"))}
    if not aggregates and len(orders) == 2 and not draft.limit:
        return replace(intent, aggregates=("max", "min"), order="")
    if (
        not aggregates
        and draft.order
        and not draft.limit
        and (not cut or (draft.says("per") and not _ranks(draft)))
    ):
        return replace(intent, aggregates=("max",) if draft.order == "desc" else ("min",), order="")
    if not aggregates and intent.plot in ("box", "violin"):
        return replace(intent, aggregates=("median",))
    unnamed = False
    aggregates = aggregates or _said_in_name(draft, intent.measures)
    if not aggregates:
        additive = any(concepts(name)[:1] and concepts(name)[0] in ADDITIVE for name in intent.measures)
        if cut:
            aggregates = ("sum",) if additive else ("mean",)
            unnamed = True
        elif intent.plot in ("auto", "bar"):
            return replace(intent, operation="hist")
        else:
            aggregates = ("sum", "mean", "min", "max") if additive else ("mean", "median", "min", "max")
            unnamed = True
    if "count" in draft.aggregates:
        aggregates = (*aggregates, "count")
    return replace(intent, aggregates=aggregates, unnamed=unnamed)


def _said_in_name(draft: Draft, measures: tuple[str, ...]) -> tuple[Aggregate, ...]:
    """`total amount`, read as one word for a column called amount, names the figure, too."""
    totals = ("total", "合計", "総")
    for item in draft.items:
        if item.is_column and item.column and item.column.name in measures:
            said, name = item.mention.text.lower(), item.column.name.lower()
            if said.startswith(totals) and not any(word in name for word in totals):
                return ("sum",)
    return ()


def _ranks(draft: Draft) -> bool:
    """`which room is the warmest` orders groups; `the highest temperature per room` wants each room's own."""
    return draft.says("which") or any(item.is_cue("sort") for item in draft.items)


def _rows_only(draft: Draft, intent: DataIntent, texts: list[tuple[int, ColumnInfo]]) -> DataIntent | Refusal:
    if intent.groups or intent.date:
        return replace(intent, aggregates=("count",))
    if texts and draft.order:
        return replace(intent, groups=take(draft, texts), aggregates=("count",))
    if texts:  # one text column and nothing said about it: its values
        return replace(intent, operation="distinct", measures=take(draft, texts))
    if draft.free():
        return replace(intent, operation="describe", measures=take(draft, draft.free()))
    named = draft.names_table or any(item.cue("op") == "load" for item in draft.items) or draft.says("noun")
    if intent.filters or draft.operations or named or (draft.rows and draft.limit):
        return replace(intent, operation="head")
    return Refusal("nothing", table=draft.table.name)
