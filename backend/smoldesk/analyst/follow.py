"""Follow-ups: a request as an edit of the query before it. Its parts replace or extend that query's; the others stay."""

import re
from collections.abc import Iterator
from dataclasses import replace

from smoldesk.analyst.assemble import OF_VALUES, output_of
from smoldesk.analyst.features import with_features
from smoldesk.analyst.measures import aggregates
from smoldesk.analyst.mentions import Interpretation
from smoldesk.analyst.offers import Candidate
from smoldesk.analyst.paint import on_the_map
from smoldesk.analyst.parts import Parts, take_apart
from smoldesk.analyst.query import Group, Measure, Query, Where
from smoldesk.analyst.requests import Request, has_phrase
from smoldesk.analyst.schema import TableSchema

_EDITABLE = ("figure", "groups", "rows", "share", "difference")
# First words of an English question that says by itself what to compute, if it names a figure.
_ASKING = re.compile(
    r"\s*(?:in |on |at )?(?:what|which|how|who|when|where|is there|are there|plot|draw|list|calculate|compute)\b(?! about)",
    re.IGNORECASE,
)
_FOLLOWS = ("follow", "back", "adds")


def starts_anew(request: Request, schema: TableSchema, reading: Interpretation, before: Query) -> bool:
    """Return whether the best interpretation of a request is a question of its own."""
    return not has_phrase(request, *_FOLLOWS) and _is_complete(take_apart(request, schema, reading), before)


def edits(
    request: Request, schema: TableSchema, reading: Interpretation, before: Candidate
) -> Iterator[Query]:
    """Yield edits of the query before, with their features; words that it leaves out stay left out."""
    parts = take_apart(request, schema, reading)
    follows = has_phrase(request, *_FOLLOWS)
    if _is_complete(parts, before.query) and not follows:
        return
    more = {"edit": 1.0} | ({"edit said": 1.0} if follows else {})
    if before.uncovered:
        more["uncovered"] = -float(len(before.uncovered) + len(reading.uncovered))
    for query in on_the_map(parts, _edited(parts, before.query)):
        yield with_features(parts, query, before.query, **more)


def _is_complete(p: Parts, before: Query) -> bool:
    """Return whether a request is a question of its own: a count, a share, a figure of a column, or a ranking of other
    things than those before.
    """
    if not before.features and _asks(p):  # a clicked question, whose filters the person did not write
        return True
    counts = p.has("agg", "count", "share") or p.has("people")
    computes = bool(p.numbers()) and (p.has("agg") or p.has("op"))
    named = {column.name for column in (*p.numbers(), *p.categories(), *p.subjects)}
    named |= {group.column for group in p.groups} | {*p.ops.get("grain", [])}
    ranks = p.has("top") or p.has("adjective") or p.has("agg", "max", "min")
    old = {name for group in before.groups for name in (group.column, group.grain)}
    asks = ranks and (p.has("which") or p.has("grain")) and not named <= old
    shows = p.has("op", "describe", "missing", "shape", "columns", "head", "tail")
    tops = ranks and bool(p.numbers()) and not before.groups  # the largest value, after the average value
    return counts or computes or asks or shows or tops or bool(_ASKING.match(p.request.text) and p.numbers())


def _asks(p: Parts) -> bool:
    """Return whether a request asks for a ranking or a figure of some rows, unlike a fragment such as 2023年は？"""
    return p.has("which") or p.has("top") or p.has("adjective") or bool(p.numbers() and p.where)


def _edited(p: Parts, before: Query) -> Iterator[Query]:
    if p.has("plot", *OF_VALUES):
        return  # a histogram shows a column, not the figures of the query before
    output, aggs = output_of(p), aggregates(p)
    flags = {group[0].column for group in p.flagged}
    numbers = [c for c in p.numbers() if c.name not in flags]
    groups = _groups(p, flags)
    if (groups or numbers) and before.kind not in _EDITABLE:
        return  # a summary or a heatmap has no figure to edit
    old = before.measures[:1]
    measures: tuple[Measure, ...] = ()
    if numbers:
        fn = aggs[0] if aggs else old[0].fn if old and old[0].column else "mean"
        measures = tuple(Measure(fn, c.name) for c in numbers)
        measures = (*before.measures, *measures) if p.has("adds") else measures
    elif aggs and old:
        measures = tuple(Measure(agg, old[0].column) for agg in aggs)
    ranked = p.ops.get("top", []) + p.ops.get("sort", [])
    limit, conditions = p.limit, (*p.where, *p.flagged)
    if not (conditions or output or p.has("map") or measures or groups or ranked or limit is not None):
        return
    changed = replace(before, where=_merged(before.where, conditions), features=(), **output)
    changed = replace(changed, measures=measures or before.measures, groups=groups or before.groups)
    if groups and p.has("time"):  # a trend follows the time, also after a ranking
        changed = replace(changed, descending=None, top=None, one=False)
    if changed.kind == "figure" and changed.groups:
        changed = replace(changed, kind="groups")
    if ranked or limit is not None:
        falls = ranked[0] in ("desc", "best") if ranked else before.descending is not False
        changed = replace(changed, top=limit or before.top, descending=falls)
    yield changed


def _groups(p: Parts, flags: set[str]) -> tuple[Group, ...]:
    """Return the new groups; empty if the request names none."""
    named = [c for c in p.categories() if c.name not in flags and not c.is_date and not p.where]
    return tuple(p.groups) or tuple(Group(c.name) for c in named)[:1]


def _merged(old: Where, new: Where) -> Where:
    """Replace conditions on the same column by the new ones."""
    names = {condition.column for group in new for condition in group}
    kept = (group for group in old if names.isdisjoint(condition.column for condition in group))
    return (*kept, *new)
