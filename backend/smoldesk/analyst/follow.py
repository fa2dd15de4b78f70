"""Follow-ups: a request as an edit of the query before it: what it names replaces or adds, the rest stays."""

from collections.abc import Iterator
from dataclasses import replace

from smoldesk.analyst.assemble import OF_VALUES, output_of
from smoldesk.analyst.features import AGGS, featured
from smoldesk.analyst.mentions import Reading
from smoldesk.analyst.paint import on_the_map
from smoldesk.analyst.parts import Parts, take_apart
from smoldesk.analyst.query import Condition, Group, Measure, Query
from smoldesk.analyst.requests import Request, says
from smoldesk.analyst.schema import TableSchema


def edits(request: Request, schema: TableSchema, reading: Reading, before: Query) -> Iterator[Query]:
    """Edits of the query before; each with its features."""
    parts = take_apart(request, schema, reading)
    follows = says(request, "follow", "back", "adds")
    if _is_whole(parts) and not follows:
        return
    for query in on_the_map(parts, _edited(parts, before)):
        yield featured(parts, query, edit=1.0, **({"edit said": 1.0} if follows else {}))


def _is_whole(p: Parts) -> bool:
    """Whether a request says all that a question needs: a count, a share, or what to compute of which column."""
    counts = p.has("agg", "count", "share") or p.has("people")
    return (
        counts
        or (bool(p.numbers()) and (p.has("agg") or p.has("op")))
        or p.has("op", "describe", "missing", "shape", "columns")
    )


def _edited(p: Parts, before: Query) -> Iterator[Query]:
    if p.has("plot", *OF_VALUES):
        return  # a histogram is of a column, not of the figures before
    output = output_of(p)
    flagged = tuple((one,) for one in p.conditions.flags.values() if one.op != "compared")
    where = _merged(before.where, (*p.where, *flagged))
    aggs = [one for one in dict.fromkeys(p.ops.get("agg", [])) if one in AGGS]
    numbers = [c for c in p.numbers() if c.name not in {one[0].column for one in flagged}]
    categories = [c for c in p.categories() if c.name not in {one[0].column for one in flagged}]
    superlative = p.ops.get("top", []) + p.ops.get("sort", [])
    limit = next((int(value) for _, value in p.conditions.limits if value >= 1 and value == int(value)), None)
    changed = replace(before, where=where, features=(), **output)
    touched = bool(p.where or flagged or output or p.has("map"))
    measures = before.measures
    if numbers:
        fn = (
            aggs[0]
            if aggs
            else (before.measures[0].fn if before.measures and before.measures[0].column else "mean")
        )
        added = tuple(Measure(fn, c.name) for c in numbers)
        measures = (
            (*before.measures, *added)
            if p.has("adds") or ("も" in p.request.text and len(before.measures) == 1 and False)
            else added
        )
        touched = True
    elif aggs and before.measures:
        measures = tuple(Measure(agg, before.measures[0].column) for agg in aggs)
        touched = True
    elif p.has("agg", "count") and before.measures:
        measures, touched = (Measure(),), True
    groups = before.groups
    new_groups = (
        tuple(p.groups) or tuple(Group(c.name) for c in categories if not c.is_date and not p.where)[:1]
    )
    if not new_groups and p.has("grain") and p.schema.dates and not p.has("agg"):
        new_groups = (Group(p.schema.dates[0].name, p.ops["grain"][0]),)  # type: ignore[arg-type]
    whole = before.kind in ("figure", "groups", "rows", "share", "difference")
    if (new_groups or numbers) and not whole:
        return  # a summary or a heatmap has no figure of its own to go on with
    if new_groups:
        groups, touched = new_groups, True
    kind = before.kind
    if kind == "figure" and groups:
        kind = "groups"
    if not touched and not superlative and limit is None:
        return
    changed = replace(changed, measures=measures, groups=groups, kind=kind)
    if superlative or limit is not None:
        descending = (
            superlative[0] in ("desc", "best")
            if superlative
            else (before.descending if before.descending is not None else True)
        )
        changed = replace(changed, top=limit or before.top, descending=descending)
    if changed.plot and changed.kind == "figure" and changed.groups:
        changed = replace(changed, kind="groups")
    yield changed


def _merged(
    old: tuple[tuple[Condition, ...], ...], new: tuple[tuple[Condition, ...], ...]
) -> tuple[tuple[Condition, ...], ...]:
    """New conditions take the place of old ones on the same column."""
    names = {one.column for group in new for one in group}
    return (*(group for group in old if not any(one.column in names for one in group)), *new)
