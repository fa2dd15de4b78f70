"""Features of a query: how well it covers the request, and what of the request it leaves unused. The scorer weighs them."""

from collections.abc import Iterator
from dataclasses import replace

from smoldesk.analyst.parts import Parts
from smoldesk.analyst.query import Condition, Query, columns_of
from smoldesk.analyst.schema import TableSchema

AGGS = (
    "mean",
    "median",
    "sum",
    "min",
    "max",
    "std",
    "var",
    "range",
    "iqr",
    "mode",
    "skew",
    "kurt",
    "quantile",
)
_OPS = (
    "missing",
    "correlation",
    "outliers",
    "describe",
    "distinct",
    "rolling",
    "running",
    "shape",
    "crosstab",
    "save",
)
_TELLING = (
    {("agg", one) for one in (*AGGS, "share")}
    | {("op", one) for one in _OPS}
    | {("top", "desc"), ("top", "asc")}
)
"""What a query must do where it is said."""


def featured(parts: Parts, query: Query, **more: float) -> Query:
    """The query with its features, and the words of the request that it leaves unused."""
    told = dict(_plain(parts)) | more
    words: list[str] = []
    for name, word in loose(parts, query):
        told[name] = told.get(name, 0.0) - 1.0
        words.append(word)
    told |= dict(query.features)
    return replace(
        query, features=tuple(sorted(told.items())), words=query.words or tuple(dict.fromkeys(words))
    )


def _plain(parts: Parts) -> Iterator[tuple[str, float]]:
    """Features of the reading alone."""
    reading = parts.reading
    yield "coverage", reading.score / max(1, len(parts.request.units))
    yield "uncovered", -float(len(reading.uncovered))
    yield "weak", -sum(1 - mark.strength for mark in reading.mentions)
    yield "doubt", -float(len(parts.conditions.doubts))
    rows = [mark for mark in reading.mentions if mark.kind == "row"]
    yield "generic rows", -float(sum(1 for mark in rows if mark.strength <= 0.55))
    light = [mark for mark in reading.mentions if mark.kind == "pad" and mark.value != "noun"]
    pads = [n for mark in light for n in range(mark.first, mark.end)]
    yield "passed over", -float(sum(1 for n in pads if n not in parts.request.free))
    yield "adjectives", -float(sum(1 for mark in reading.mentions if mark.kind in ("adjective", "idiom")))
    yield "length", -len(reading.mentions) / 10
    columns = [mark.strength for mark in reading.mentions if mark.kind in ("column", "value")]
    yield "weakest", min(columns, default=1.0) - 1.0
    yield "beside", -float(_beside(parts))
    yield "of what", -float(_of_what(parts))
    content = set(range(len(parts.request.units))) - parts.request.free
    exact = {n for mark in reading.mentions if mark.strength >= 0.94 for n in range(mark.first, mark.end)}
    yield "exact", len(content & exact) / max(1, len(content))
    yield "japanese", float(any(unit.is_japanese for unit in parts.request.units))
    own = [mark for mark in reading.mentions if mark.kind in ("column", "value") and mark.strength >= 0.97]
    yield "named", min(3, len(own)) / 3


def _beside(parts: Parts) -> int:
    """How many of the units that nothing covers stand right beside a column or a value: the content of `alcohol content`."""
    request, marks = parts.request, parts.reading.mentions
    covered = {n for mark in marks for n in range(mark.first, mark.end)}
    near = {n for mark in marks if mark.kind in ("column", "value") for n in (mark.first - 1, mark.end)}
    left = (n for n in range(len(request.units)) if n not in covered and n not in request.free)
    return sum(n in near for n in left)


def _of_what(parts: Parts) -> bool:
    """Whether nothing covers what an aggregate is of: the salary of `average salary`, 「給料の平均」."""
    request = parts.request
    covered = {n for mark in parts.reading.mentions for n in range(mark.first, mark.end)}
    for mark in parts.reading.mentions:
        if mark.kind != "agg":
            continue
        step, at = (-1, mark.first - 1) if request.units[mark.first].is_japanese else (1, mark.end)
        while 0 <= at < len(request.units) and at in request.free and at not in covered:
            at += step
        if 0 <= at < len(request.units) and at not in covered:
            return True
    return False


def loose(parts: Parts, query: Query) -> Iterator[tuple[str, str]]:
    """What of a request a query leaves unused: the feature's name, and the words."""
    marks, used, request = parts.reading.mentions, parts.conditions.used, parts.request

    def said(at: int) -> str:
        return request.raw(marks[at].first, marks[at].end)

    told = columns_of(query)
    seen: set[str] = set()
    for at, column in parts.columns:
        if marks[at].strength >= 0.5 and column.name not in told and column.name not in seen:
            seen.add(column.name)
            yield "unused column" if marks[at].strength > 0.6 else "weak column", said(at)
    spent = bool(query.top) + (query.window is not None) + any(one.q is not None for one in query.measures)
    for at, _ in parts.conditions.limits[spent:]:
        yield "unused number", said(at)
    grained = any(one.grain for one in query.groups)
    per_row = {
        at
        for at, one in enumerate(marks)
        if one.kind == "per"
        and at + 1 < len(marks)
        and marks[at + 1].kind in ("row", "op")
        and not (marks[at + 1].kind == "row" and parts.has("agg", "count"))  # how many wines per class
    }
    done = _done(query)
    covered = {n for mark in marks for n in range(mark.first, mark.end)}
    if not query.groups and any(
        mark.kind == "column" and request.units[mark.first - 1].raw == "by" and mark.first - 1 not in covered
        for mark in marks
        if mark.first
    ):
        yield "unused per", "by"
    for at, mark in enumerate(marks):
        match mark.kind:
            case "cmp" if at not in used:
                yield "unused cmp", said(at)
            case "grain" if "grain" in parts.ops and not grained:
                yield "loose grain" if mark.value == "day" else "unused grain", said(at)
            case "time" if not grained:
                yield "unused time", said(at)
            case "map" if mark.value != "rooms" and not query.map:
                yield "unused map", said(at)
            case "date" if at not in used:
                yield "unused date", said(at)
            case "per" if at not in per_row and not query.groups and not parts.order:
                yield "unused per", said(at)
            case "not" | "without" if at not in used:
                yield "unused not", said(at)
            case "plot" if not query.plot:
                yield "unused plot", said(at)
            case "change" if not (query.change or query.kind == "difference"):
                yield "unused change", said(at)
            case "calc" if not any(one.sign for one in query.measures):
                yield "loose calc", said(at)
            case "agg" | "op" | "top" if (mark.kind, str(mark.value)) in _TELLING and (
                mark.kind,
                str(mark.value),
            ) not in done:
                yield "unused op", said(at)
            case _:
                pass
    for group in query.where:
        for one in group:
            if _is_outside(one, parts.schema):
                yield "unused year", str(one.values[0].year)  # type: ignore[attr-defined]


def _is_outside(one: Condition, schema: TableSchema) -> bool:
    """Whether a year is asked for that the column does not reach."""
    if not one.op.endswith("when"):
        return False
    span = schema.column(one.column).info.span
    year = getattr(one.values[0], "year", None)
    return bool(span) and year is not None and not span[0][:4] <= str(year) <= span[-1][:4]


def _done(query: Query) -> set[tuple[str, str]]:
    """The operations that a query does."""
    done: set[tuple[str, str]] = {("agg", one.fn) for one in query.measures}
    if query.kind == "share":
        done.add(("agg", "share"))
    if query.file and query.kind in ("figure", "groups", "rows", "share"):
        done.add(("op", "save"))
    if len(query.groups) == 2:
        done.add(("op", "crosstab"))
    if query.plot in ("heatmap", "scatter", "pair"):
        done.add(("op", "correlation"))
    if query.kind in _OPS:
        done.add(("op", query.kind))
    if any(one.fn == "nunique" for one in query.measures):
        done.add(("op", "distinct"))
    if any(one.op in ("missing", "present") for group in query.where for one in group):
        done.add(("op", "missing"))
    if query.descending is not None:
        done.add(("top", "desc" if query.descending else "asc"))
    if query.change in ("rolling", "running"):
        done.add(("op", query.change))
    if query.change:
        done.add(("agg", "share"))
    if any(one.fn in ("max", "min") for one in query.measures):
        done |= {("top", "desc"), ("top", "asc")}
    return done
