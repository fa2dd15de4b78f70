"""A draft becomes one intent: what kind of question its parts add up to, or why they do not."""

from dataclasses import replace

from backend.builtin.catalogue import ColumnInfo
from backend.builtin.draft import Draft, cell_value
from backend.builtin.glossary import ADDITIVE, COUNTED_PEOPLE
from backend.builtin.intents import Aggregate, DataIntent, Filter, Operation, Refusal
from backend.builtin.lexicon import concepts
from backend.builtin.resolve import concept_column

_GROUPED_COUNTS = ("人数", "件数", "回数", "乗客数")


def assemble(draft: Draft) -> DataIntent | Refusal:
    """The intent of a draft that stands on its own."""
    intent = _operation(draft)
    if isinstance(intent, Refusal):
        return intent
    if over := draft.left_over():
        return Refusal("too_much", words=tuple(over), table=draft.table.name)
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
    )


def _operation(draft: Draft) -> DataIntent | Refusal:
    intent = base(draft)
    operations = draft.operations
    counted = "count" in draft.aggregates
    if draft.grain or draft.over_time:
        dated = _dated(draft, intent)
        if isinstance(dated, Refusal):
            return dated
        intent = dated
    if "missing" in operations:
        return _with_columns(draft, intent, "missing")
    if "columns" in operations:
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
        return _share(draft, intent)
    if "shape" in operations and not draft.free():
        return replace(intent, operation="shape")
    if "head" in operations and not draft.aggregates and not draft.free():
        return replace(intent, operation="head")
    if counted:
        return _count(draft, intent)
    return _figures(draft, intent)


def _take(draft: Draft, wanted: list[tuple[int, ColumnInfo]]) -> tuple[str, ...]:
    draft.used.update(index for index, _ in wanted)
    return tuple(dict.fromkeys(column.name for _, column in wanted))


def _with_columns(draft: Draft, intent: DataIntent, operation: Operation) -> DataIntent:
    return replace(intent, operation=operation, measures=_take(draft, draft.free()))


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
    _take(draft, named)
    return replace(intent, date=dates[0].name)


def _correlation(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    columns = draft.free()
    wrong = [column.name for _, column in columns if not is_measurable(column)]
    if wrong:
        return Refusal(
            "not_a_number", words=tuple(wrong), choices=number_columns(draft), table=draft.table.name
        )
    return replace(intent, operation="correlation", measures=_take(draft, columns))


def number_columns(draft: Draft) -> tuple[str, ...]:
    return tuple(column.name for column in draft.table.columns if column.kind == "number")


def _distinct(draft: Draft, intent: DataIntent) -> DataIntent:
    measures = _take(draft, draft.free())
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
        return replace(
            intent, groups=_take(draft, columns) + intent.groups, aggregates=("count",), plot="bar"
        )
    numbers = [(index, column) for index, column in columns if column.kind == "number"]
    groups = _take(draft, [(i, c) for i, c in columns if c.kind == "text"])
    return replace(intent, operation="hist", measures=_take(draft, numbers), groups=intent.groups + groups)


def _scatter(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    numbers = [(index, column) for index, column in draft.free() if is_measurable(column)]
    groups = _take(draft, [(i, c) for i, c in draft.free() if c.kind == "text"])
    if len(numbers) != 2:
        return Refusal("two_numbers", choices=number_columns(draft), table=draft.table.name)
    return replace(intent, operation="scatter", measures=_take(draft, numbers), groups=intent.groups + groups)


def _share(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    """What part of the rows meets a condition: a yes/no column, or the cell value nearest to `share`."""
    flags = [(index, column) for index, column in draft.free() if column.yes_no]
    if flags:
        index, column = flags[0]
        draft.used.add(index)
        target = Filter(column.name, "==", (cell_value(column, column.yes_no[0] if column.yes_no else ""),))
        groups = intent.groups + _rest_as_groups(draft)
        groups = groups or (() if intent.date else _compared_groups(draft))
        return replace(intent, target=target, aggregates=("share",), groups=groups)
    numbers = [column.name for _, column in draft.free() if column.kind == "number"]
    if numbers:
        return Refusal(
            "which_column", words=tuple(numbers), choices=_conditions(draft), table=draft.table.name
        )
    if intent.filters:
        target = _share_target(draft)
        rest = tuple(one for one in intent.filters if one is not target)
        groups = intent.groups + _rest_as_groups(draft)
        return replace(intent, target=target, filters=rest, aggregates=("share",), groups=groups)
    groups = intent.groups + _rest_as_groups(draft)
    if not groups:
        return Refusal("which_column", choices=_conditions(draft), table=draft.table.name)
    return replace(intent, groups=groups, aggregates=("share",))


def _conditions(draft: Draft) -> tuple[str, ...]:
    return tuple(column.name for column in draft.table.columns if column.values)


def _rest_as_groups(draft: Draft) -> tuple[str, ...]:
    return _take(
        draft, [(index, column) for index, column in draft.free() if column.kind != "number" or column.values]
    )


def _share_target(draft: Draft) -> Filter:
    """The condition that is counted: `percentage of women in first class` counts women."""
    opposite = next((value for item in draft.items if (value := item.cue("opposite"))), None)
    if opposite and (column := concept_column(opposite, draft.table)):
        return next(one for one in draft.filters if one.column == column.name)
    share = next(index for index, item in enumerate(draft.items) if item.cue("agg") == "share")
    placed = [
        (index, one)
        for one in draft.filters
        for index, item in enumerate(draft.items)
        if item.column and item.column.name == one.column
    ]
    if not placed:
        return draft.filters[0]
    placed.sort(key=lambda entry: entry[0])
    if draft.language == "ja":
        before = [one for index, one in placed if index < share]
        return before[-1] if before else placed[0][1]
    after = [(index, one) for index, one in placed if index > share] or placed
    return after[-1][1] if _verb_between(draft, after[0][0], after[-1][0]) else after[0][1]


def _verb_between(draft: Draft, first: int, last: int) -> bool:
    """`of passengers in first class *were* women`: the condition follows the verb."""
    text = draft.text[draft.items[first].mention.end : draft.items[last].mention.start]
    return any(f" {verb} " in f" {text} " for verb in ("were", "was", "are", "is", "who", "that"))


def _count(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    """How many rows, or how many different values of the column right beside the word for counting."""
    filters = list(intent.filters)
    for index, column in draft.free():
        if column.yes_no and column.name not in intent.groups and not draft.order:
            filters.append(Filter(column.name, "==", (cell_value(column, column.yes_no[0]),)))
            draft.used.add(index)
    beside = _counted_column(draft)
    if beside and not draft.rows and not draft.order:
        draft.used.add(beside[0])
        intent = replace(intent, measures=(beside[1].name,), aggregates=("nunique",))
        if intent.groups or intent.date:
            return replace(intent, filters=tuple(filters))
        return replace(intent, operation="distinct", aggregates=(), filters=tuple(filters))
    groups = intent.groups + _take(draft, [(i, c) for i, c in draft.free() if c.kind != "number" or c.values])
    groups = groups or (() if intent.date else _compared_groups(draft))
    return replace(intent, groups=groups, filters=tuple(filters), aggregates=("count",))


def _counted_column(draft: Draft) -> tuple[int, ColumnInfo] | None:
    free = {index: column for index, column in draft.free() if column.kind == "text" and not column.yes_no}
    for index, item in enumerate(draft.items):
        if item.cue("agg") == "count" and item.mention.text not in _GROUPED_COUNTS:
            at = index - 1 if draft.language == "ja" and not item.mention.text.isascii() else index + 1
            if at in free:
                return at, free[at]
    return None


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
    groups = intent.groups
    if measures or flags or draft.rows or draft.plot:
        groups += _take(draft, texts) + (() if groups or texts else _compared_groups(draft))
    if flags and not measures:
        return _flag_figures(draft, replace(intent, groups=groups), flags)
    if measures:
        names = _take(draft, measures)
        intent = replace(intent, filters=intent.filters + _flag_filters(draft, flags))
        if draft.order and draft.limit and not groups and not intent.date:
            return replace(intent, operation="top", measures=names)
        return _measured(draft, replace(intent, groups=groups, measures=names), aggregates)
    if aggregates and texts:
        wrong = tuple(column.name for _, column in texts)
        return Refusal("not_a_number", words=wrong, choices=number_columns(draft), table=draft.table.name)
    if aggregates:
        return Refusal("which_column", choices=number_columns(draft), table=draft.table.name)
    return _rows_only(draft, replace(intent, groups=groups), texts)


def _compared_groups(draft: Draft) -> tuple[str, ...]:
    """`average age of men and women`: several values of one column are compared, unless `or` joins them."""
    if draft.says("or"):
        return ()
    return tuple(one.column for one in draft.filters if one.comparison == "==" and len(one.values) > 1)[:1]


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
    if (
        not aggregates
        and draft.order
        and not draft.limit
        and (not cut or (draft.says("per") and not _ranks(draft)))
    ):
        return replace(intent, aggregates=("max",) if draft.order == "desc" else ("min",), order="")
    if not aggregates and intent.plot == "box":
        return replace(intent, aggregates=("median",))
    if not aggregates:
        additive = any(concepts(name)[:1] and concepts(name)[0] in ADDITIVE for name in intent.measures)
        if cut:
            aggregates = ("sum",) if additive else ("mean",)
        elif intent.plot in ("auto", "bar"):
            return replace(intent, operation="hist")
        else:
            aggregates = ("mean", "min", "max")
    return replace(intent, aggregates=aggregates)


def _ranks(draft: Draft) -> bool:
    """`which room is the warmest` orders groups; `the highest temperature per room` wants each room's own."""
    return draft.says("which") or any(item.is_cue("sort") for item in draft.items)


def _rows_only(draft: Draft, intent: DataIntent, texts: list[tuple[int, ColumnInfo]]) -> DataIntent | Refusal:
    if intent.groups or intent.date:
        return replace(intent, aggregates=("count",))
    if texts:  # one text column and nothing said about it: its values
        return replace(intent, operation="distinct", measures=_take(draft, texts))
    if draft.free():
        return replace(intent, operation="describe", measures=_take(draft, draft.free()))
    named = draft.names_table or any(item.cue("op") == "load" for item in draft.items) or draft.says("noun")
    if intent.filters or draft.operations or named or (draft.rows and draft.limit):
        return replace(intent, operation="head")
    return Refusal("nothing", table=draft.table.name)
