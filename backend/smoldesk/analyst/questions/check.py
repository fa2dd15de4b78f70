"""The last look at a data intent: can its table really answer it? New and continued intents pass here."""

from dataclasses import replace

from smoldesk.analyst.intents import DataIntent, Refusal
from smoldesk.analyst.questions.mean_of_totals import averages_steps
from smoldesk.analyst.tables.catalogue import TableInfo


def checked(intent: DataIntent, table: TableInfo) -> DataIntent | Refusal:
    """The intent without repetitions, or why its figures cannot be computed."""
    groups = tuple(dict.fromkeys(intent.groups))
    measures = tuple(name for name in dict.fromkeys(intent.measures) if name not in groups)
    aggregates = tuple(dict.fromkeys(intent.aggregates))
    intent = replace(intent, groups=groups, measures=measures, filters=tuple(dict.fromkeys(intent.filters)))
    intent = replace(intent, averaged=intent.averaged and averages_steps(intent))
    numbers = tuple(column.name for column in table.columns if column.kind == "number")
    unsaved = intent.operation in (
        "shape",
        "missing",
        "columns",
        "types",
        "memory",
        "correlation",
        "hist",
        "scatter",
        "outliers",
        "quantile",
        "normality",
        "regression",
        "pairs",
        "difference",
    )
    if intent.save and (unsaved or ("share" in aggregates and not groups and not intent.date)):
        return Refusal("not_saved")
    if intent.operation in ("normality", "regression", "pairs") and (
        intent.date or (groups and intent.operation != "pairs")
    ):
        return Refusal("too_much", (intent.grain or intent.date, *groups)[:2], table=table.name)
    if intent.operation == "scatter" and len(measures) != 2:
        return Refusal("two_numbers", choices=numbers, table=table.name)
    if intent.operation in ("hist", "top", "distinct", "mode") and not measures:
        return Refusal("which_column", choices=numbers, table=table.name)
    if intent.operation != "aggregate":
        return intent
    if "share" in aggregates or aggregates == ("count",) or ("count" in aggregates and not measures):
        single = "share" if "share" in aggregates else "count"
        if single == "share" and intent.target is None and not groups and not intent.date:
            conditions = tuple(column.name for column in table.columns if column.values)
            return Refusal("which_column", choices=conditions, table=table.name)
        figures = [
            one for one in map(table.column, groups) if one.kind == "number" and not 0 < len(one.values) <= 12
        ]
        if intent.order and intent.grain and figures and not any(one.is_id or one.is_flag for one in figures):
            return Refusal("too_much", (figures[0].name,), numbers, table.name)  # every figure is a group
        part = single == "share" and intent.target is None and bool(groups) and measures
        part = part or (single == "share" and intent.target is not None and measures)
        return replace(intent, aggregates=(single,), measures=measures if part else ())
    if not measures:
        return Refusal("which_column", choices=numbers, table=table.name)
    days = {table.column(name).kind for name in measures} == {"date"} and not groups and not intent.date
    if days and aggregates == ("min", "max"):
        return replace(intent, aggregates=aggregates)
    wrong = [name for name in measures if table.column(name).kind not in ("number", "bool")]
    if wrong and aggregates != ("nunique",):
        return Refusal("not_a_number", tuple(wrong), numbers, table.name)
    return replace(intent, aggregates=aggregates)
