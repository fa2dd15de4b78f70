"""Rules that turn the mentions of an interpretation into candidate queries, with the features that the scorer weighs.

The rules look at mentions and their order only. None of them rewrites the text or matches a single phrase.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from smoldesk.analyst.conditions import converted
from smoldesk.analyst.features import ROW_WORDS, with_features
from smoldesk.analyst.figures import asks_people, figures, people
from smoldesk.analyst.measures import (
    aggregates,
    default_measure,
    is_about,
    is_level,
    is_number_of_things,
    latest_condition,
    likely_numbers,
    remoteness,
    role_of,
)
from smoldesk.analyst.mentions import Interpretation
from smoldesk.analyst.paint import on_the_map
from smoldesk.analyst.parts import Parts, take_apart, unique
from smoldesk.analyst.query import Condition, Group, Having, Measure, Query, Where, columns_of
from smoldesk.analyst.requests import Request
from smoldesk.analyst.schema import TableSchema

# A file name in a request.
_FILE = re.compile(r"[\w-]+\.(?:csv|xlsx|json)\b", re.IGNORECASE)
# Plots of the raw values of a column; all others draw the figures of groups.
OF_VALUES = ("hist", "box", "violin", "scatter", "pair", "heatmap")


def assemble(request: Request, schema: TableSchema, reading: Interpretation) -> Iterator[Query]:
    """Yield the candidate queries of one interpretation."""
    parts = take_apart(request, schema, reading)
    figure = {"said figure": 1.0} if parts.has("agg") else {}
    for query in on_the_map(parts, _fresh(parts)):
        for other in _of_panel(parts, query):
            yield with_features(parts, _at_latest(parts, other), None, **figure)
    for number, assumed in enumerate(_with_compared_column(parts)):
        for query in _fresh(assumed):
            yield with_features(assumed, query, None, **{"assumed condition": -0.6 - 0.1 * number}, **figure)


def _of_panel(p: Parts, query: Query) -> Iterator[Query]:
    """Yield a query; before rows of a panel, or their number, the sum of its figures: the rows are things at times.

    Which region had the most murders, in a table with their number for each region and year.
    """
    counts = query.kind in ("figure", "groups") and [*query.measures] == [Measure()]
    lists = query.kind == "rows" and not (query.measures or query.columns) and bool(query.where)
    row_texts = p.texts("row", "agg", "unit")
    if not (counts or lists) or any(text.endswith(ROW_WORDS) for text in row_texts):
        yield query
        return
    groups = [p.schema.column(group.column) for group in query.groups]
    is_single = bool(groups) and all("unique" in column.info.traits for column in groups)
    if latest_condition(p.schema) is None and not is_single:
        yield query
        return
    measures = [column for column in p.schema.numbers if role_of(p.schema, column) == "measure"]
    figures = list(filter(is_number_of_things, measures))
    if not figures:
        yield query
        return
    if counts:
        yield replace(query, measures=(Measure("sum", min(figures, key=remoteness).name),))
    yield replace(query, features=(*query.features, ("rows of panel", -1.0 if counts else -0.5)))


def _at_latest(p: Parts, query: Query) -> Query:
    """Return the query with the last time alone if it sums up levels, such as populations, over several times."""
    condition, columns = latest_condition(p.schema), columns_of(query)
    measured = [p.schema.column(measure.column) for measure in query.measures if measure.column]
    is_summed = query.kind in ("figure", "groups") and all(measure.fn == "sum" for measure in query.measures)
    if condition is None or not (is_summed and measured) or query.change or query.having:
        return query
    # A sum that is asked for is one, unless a word says that it makes no sense.
    are_levels = all(map(is_level, measured)) and (
        "sum" not in aggregates(p) or all(is_about(column, "levels") for column in measured)
    )
    times = {column.name for column in p.schema.columns if column.info.role in ("time", "moment")}
    if not are_levels or not columns.isdisjoint(times) or any(measure.other for measure in query.measures):
        return query
    return replace(query, where=(*query.where, (condition,)))


def _with_compared_column(p: Parts) -> Iterator[Parts]:
    """Yield the parts with a number compared with each likely column, if the request names none: less than 5 hours."""
    marks, used = p.reading.mentions, p.conditions.used
    compared = [at for at, mark in enumerate(marks) if mark.kind == "cmp" and at not in used]
    if len(compared) != 1 or len(p.conditions.limits) != 1:
        return
    (at, value), op = p.conditions.limits[0], str(marks[compared[0]].value)
    between = marks[min(at, compared[0]) + 1 : max(at, compared[0])]
    if any(mark.kind not in ("unit", "scale", "pad", "grain") for mark in between):
        return
    unit = next((str(mark.value) for mark in marks[at + 1 : at + 2] if mark.kind in ("unit", "grain")), "")
    for column in likely_numbers(p, unit):
        condition = Condition(column.name, op, (converted(value, unit, column.unit),))
        where = [*p.conditions.where, [condition]]
        conditions = replace(p.conditions, where=where, limits=[], used={*used, at, *compared})
        yield replace(p, conditions=conditions)


def _fresh(p: Parts) -> Iterator[Query]:
    """Yield a query for each rule that matches."""
    base = Query(p.schema.info.name, where=p.where)
    flagged = () if p.has("op", "crosstab") else p.flagged
    output = output_of(p)

    def with_output(query: Query) -> Query:
        drawn = {"plot": "line"} if p.has("time") and query.groups and query.kind == "groups" else {}
        return replace(query, **(drawn | output)) if drawn or output else query

    for query in _special(p, base, flagged):
        yield query if query.kind == "plot values" else with_output(query)
    yield from map(with_output, _having(p, base, flagged))
    yield from map(with_output, _shares(p, base, flagged))
    # A flag column in a request is a condition, a group or a figure: "survived", "by survived", "share of survived".
    filtered = replace(base, where=(*base.where, *flagged))
    yield from map(with_output, figures(p, filtered, {group[0].column for group in flagged}))
    for query in figures(p, base, set()) if flagged else ():
        yield replace(query, features=(*query.features, ("flag as figure", -1.0)), **output)


def output_of(p: Parts) -> dict[str, Any]:
    """Return the requested plot and file, as fields of a query."""
    plots = [plot for plot in p.ops.get("plot", []) if plot not in OF_VALUES]
    output: dict[str, Any] = {}
    if plots:
        output["plot"] = next((plot for plot in plots if plot != "auto"), "line" if p.has("time") else "auto")
    if p.has("op", "save"):
        text = p.request.text.casefold()
        file_match = _FILE.search(p.request.text)
        excel = any(word in text for word in ("excel", "xlsx", "エクセル", "spreadsheet"))
        kind = "xlsx" if excel else "json" if "json" in text else "csv"
        output["file"] = file_match[0] if file_match else kind
    return output


def _special(p: Parts, base: Query, flagged: Where) -> Iterator[Query]:
    """Yield queries of a table or of columns without grouping or figures."""
    names = tuple(column.name for _, column in p.columns)
    chosen = unique([c for _, c in p.columns] + [c for _, c in p.compared])
    numbers = tuple(c.name for c in chosen if c.is_number)
    filtered = replace(base, where=(*base.where, *flagged))
    plots = [plot for plot in p.ops.get("plot", []) if plot in OF_VALUES]
    # A histogram needs numbers or dates.
    plotted = numbers or tuple(c.name for c in chosen if c.is_date and "hist" in plots)
    if plots and (plotted or (p.schema.numbers and not names)):
        cuts = tuple(p.groups) or tuple(Group(c.name) for c in chosen if not c.is_number)[:1]
        plot = next((plot for plot in plots if plot != "hist"), "hist")  # the distribution as a box plot
        yield replace(base, kind="plot values", plot=plot, columns=plotted, groups=cuts)
    if p.has("op", "missing"):
        yield replace(base, kind="missing", columns=names)
        if names:
            missing_rows = (*base.where, (Condition(names[-1], "missing"),))
            if p.has("which"):  # whose gpa is missing
                yield replace(base, kind="rows", where=missing_rows, features=(("missing rows", 0.1),))
    if p.has("op", "shape") or (p.has("op", "columns") and p.has("agg", "count")):
        yield replace(base, kind="shape")
    if p.has("op", "columns"):
        yield replace(base, kind="columns")
    if p.has("op", "describe"):
        yield replace(filtered, kind="describe", columns=names)
    if p.has("op", "correlation") and not p.has("plot", "scatter", "heatmap"):
        yield replace(base, kind="correlation", columns=numbers)
    if p.has("op", "outliers"):
        columns = tuple(c.name for c in p.numbers() or p.schema.numbers)
        yield replace(base, kind="outliers", columns=columns)
    # "The first 5" are rows of the table's top only without a ranking.
    ranked = p.has("top") or p.has("adjective") or p.has("sort")
    for end, word in (("head", "first"), ("tail", "last")):
        if not ranked and (p.has("op", end) or p.has("end", word)):
            n = int(p.conditions.limits[0][1]) if p.conditions.limits else 5
            yield replace(filtered, kind=end, top=n, columns=names, features=(("end", -0.5),))  # type: ignore[arg-type]
    if p.has("op", "distinct"):
        counted = ("distinct or count", -0.1 if p.has("agg", "count") else 0.0)
        for column in (p.categories() or p.numbers())[:1]:
            yield replace(filtered, kind="distinct", columns=(column.name,), features=(counted,))
    if p.has("op", "crosstab") and len(p.groups) + len(p.categories()) >= 2:
        groups = tuple(dict.fromkeys([*p.groups, *(Group(c.name) for c in p.categories())]))[:2]
        measures = tuple(default_measure(c) for c in p.numbers()[:1]) or (Measure(),)
        crosstab = replace(filtered, kind="groups", groups=groups, measures=measures)
        yield replace(crosstab, features=(("crosstab", 1.0),))


def _having(p: Parts, base: Query, flagged: Where) -> Iterator[Query]:
    """Yield groups whose figure fulfils a condition: rooms with average temperature above 21, 2回以上の会員."""
    named = [*p.subjects, *p.categories()]
    constrained = {group[0].column for group in (*base.where, *flagged)}
    entities = [*p.groups, *(Group(c.name) for c in named if c.name not in constrained and not c.is_date)]
    if not entities:
        entities = [Group(column.name) for column in people(p)] if asks_people(p) else []
    for total in p.conditions.totals if entities else ():
        where = tuple(g for g in (*base.where, *flagged) if all(item is not total.row for item in g))
        measure = Measure(total.fn, total.column) if total.fn else None
        measure = measure or default_measure(p.schema.column(total.column or ""))
        feature = ("of groups", 0.4) if total.sure else ("of groups assumed", -0.6)
        yield replace(
            base, kind="groups", groups=tuple(entities[:1]), measures=(measure,), where=where,
            having=Having(total.op, (total.value,)), features=(feature,),
        )  # fmt: skip


def _shares(p: Parts, base: Query, flagged: Where) -> Iterator[Query]:
    """Yield queries for parts of a total: of rows, or of a sum."""
    if not p.has("agg", "share") and not p.has("unit", "percent"):
        return
    numbers = p.numbers()
    measure = Measure("sum", numbers[0].name) if numbers and not flagged else Measure()
    share = replace(base, kind="share", measures=(measure,), groups=tuple(p.groups))
    part = (*base.where, *flagged)
    if not part:
        rate = (numbers and "rate" in numbers[0].name.casefold()) or any(c.unit == "percent" for c in numbers)
        named = [column for column in p.categories() if not column.is_date]
        groups = tuple(p.groups) or tuple(Group(column.name) for column in named[:1])
        if groups and not rate:
            yield replace(share, groups=groups)
        return
    tied = _tied(p)
    # `合格率 in 2024`: the tied condition is the part, the others limit the total.
    tied_part = tuple(group for group in part if group[0].column == tied)
    if tied_part and len(tied_part) < len(part):
        remaining = tuple(group for group in part if group not in tied_part)
        yield replace(share, where=remaining, part=tied_part, features=(("tied part", 0.5),))
    dated = tuple(g for g in part if any("when" in c.op or c.op == "from to" for c in g))
    remaining = tuple(group for group in part if group not in dated)
    yield replace(share, where=dated if remaining else (), part=remaining or dated)
    if len(remaining) > 1:
        last, first = (("part of part", -0.4),), (("part of part", -0.5),)
        yield replace(share, where=(*dated, *remaining[:-1]), part=remaining[-1:], features=last)
        yield replace(share, where=(*dated, *remaining[1:]), part=remaining[:1], features=first)


def _tied(p: Parts) -> str:
    """Return the column whose condition precedes the share: 合格 of 合格率."""
    marks = p.reading.mentions
    for before, mark in pairwise(marks):
        if mark.is_a("agg", "share") and before.column is not None and before.end == mark.first:
            return before.column.name
    return ""
