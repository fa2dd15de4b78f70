"""Features of a query: how well it covers the request, and what it leaves unused. The scorer weighs them."""

from collections.abc import Iterator
from dataclasses import replace

from smoldesk.analyst.doubts import doubts, is_outside
from smoldesk.analyst.lexicon import lexicon
from smoldesk.analyst.mentions import Mention
from smoldesk.analyst.parts import Parts
from smoldesk.analyst.query import Condition, Query, columns_of
from smoldesk.analyst.schema import TableSchema

_LOOSE_OPS = ("head", "tail", "columns", "breakdown", "datasets", "load", "normality", "regression", "join")
_ROWS = ("rows", "figure", "groups", "distinct")
# Endings of words that count rows or times.
ROW_WORDS = ("rows", "row", "entries", "records", "times", "lines", "件", "回", "行", "日", "種類")
# Operations that a query may leave out although the request names them.
_LOOSE = {"agg": ("count",), "op": _LOOSE_OPS, "top": ("best", "worst")}


def with_features(parts: Parts, query: Query, before: Query | None, **more: float) -> Query:
    """Return the query with its features and unused terms; `before` is the query that it edits."""
    features = dict(_plain(parts)) | more
    terms: list[str] = []
    for name, word in loose(parts, query):
        features[name] = features.get(name, 0.0) - 1.0
        terms.append(word)
    features |= dict(query.features) | {
        f"? {name}": -value for name, value in doubts(parts, query, before) if value and not query.map
    }
    if parts.has("agg", "count") and any(measure.fn == "sum" for measure in query.measures):
        features["counted sum"] = -1.0  # how many bills are rows, how many tickets may be a sum
    if counts_things(parts):
        features["counted things"] = 1.0
    if any(
        is_outside(condition, parts.schema) for group in (*query.where, *query.part) for condition in group
    ):
        features["outside"] = -1.0
    unused = query.unused_terms or tuple(dict.fromkeys(terms))
    return replace(query, features=tuple(sorted(features.items())), unused_terms=unused)


def counts_things(parts: Parts) -> bool:
    """Return whether a request counts things rather than rows or times: how many cows, 何頭."""
    last = len(parts.request.units)
    counts = (mark for mark in parts.reading.mentions if mark.is_a("agg", "count"))
    texts = (parts.request.raw(mark.first, min(mark.end + 1, last)) for mark in counts)
    return any(text.startswith(("how many", "何")) and not text.endswith(ROW_WORDS) for text in texts)


def _plain(parts: Parts) -> Iterator[tuple[str, float]]:
    """Yield the features that depend on the interpretation alone."""
    marks, request = parts.reading.mentions, parts.request
    guessed = sum(mark.is_guess for mark in marks)
    yield "coverage", parts.reading.score / max(1, len(request.units))
    yield "uncovered", -float(len(parts.reading.uncovered) - guessed)
    yield "guess", -float(guessed)
    yield "weak", -sum(1 - mark.strength for mark in marks)
    yield "doubt", -float(len(parts.conditions.doubts))
    sure = [mark.strength for mark in marks if mark.kind in ("column", "value")]
    yield "weakest", min(sure, default=1.0) - 1.0
    content = set(range(len(request.units))) - request.free
    exact = {n for mark in marks if mark.strength >= 0.94 for n in range(mark.first, mark.end)}
    spans = (request.units[mark.first : mark.end] for mark in marks if mark.kind == "row")
    known = lexicon().any_rows | parts.schema.row_keys
    yield "other rows", -float(sum(tuple(unit.key for unit in span) not in known for span in spans))
    yield "exact", len(content & exact) / max(1, len(content))


def loose(parts: Parts, query: Query) -> Iterator[tuple[str, str]]:
    """Yield the parts of a request that a query leaves unused: feature name and text."""
    yield from _loose_columns(parts, query)
    used_limits = (
        bool(query.top)
        + (query.window is not None)
        + any(measure.q is not None for measure in query.measures)
        + (query.having is not None and query.first.column is None)
    )
    for at, _ in parts.conditions.limits[used_limits:]:
        yield "unused number", _text_at(parts, at)
    loose_words = _LooseWords(parts, query)
    for at, mark in enumerate(parts.reading.mentions):
        if name := loose_words.name(at, mark):
            yield name, _text_at(parts, at)
    for condition in (condition for group in query.where for condition in group):
        if _is_outside(condition, parts.schema):
            yield "unused year", str(getattr(condition.values[0], "year", ""))


def _text_at(parts: Parts, at: int) -> str:
    mark = parts.reading.mentions[at]
    return parts.request.raw(mark.first, mark.end)


def _loose_columns(parts: Parts, query: Query) -> Iterator[tuple[str, str]]:
    marks, request = parts.reading.mentions, parts.request
    named, reported = columns_of(query), set[str]()
    for at, column in parts.columns:
        strength = 1.0 if marks[at].is_guess else marks[at].strength
        if strength >= 0.5 and column.name not in named | reported:
            reported.add(column.name)
            yield "unused column" if strength > 0.6 else "weak column", _text_at(parts, at)
    covered = {n for mark in marks for n in range(mark.first, mark.end)}
    before = (mark.first - 1 for mark in marks if mark.kind == "column" and mark.first)
    if not query.groups and any(request.units[n].raw == "by" and n not in covered for n in before):
        yield "unused per", "by"


class _LooseWords:
    """Words of a request that a query leaves unused, by the kinds of their mentions."""

    def __init__(self, parts: Parts, query: Query) -> None:
        self.parts, self.query = parts, query
        self.features, self.done = dict(query.features), _done(query)
        self.grained = any(group.grain for group in query.groups)
        self.counted = parts.has("agg", "count")
        self.compares = query.kind == "difference" or _signed(query)

    def name(self, at: int, mark: Mention) -> str:
        """Return the feature of a word that is left unused; empty if it is used."""
        query, request, value = self.query, self.parts.request, str(mark.value)
        match mark.kind:
            case "cmp" if "days between" in self.features:
                return ""
            case "cmp" | "date" | "not" | "without" if at not in self.parts.conditions.used:
                used = (mark.kind == "cmp" and (query.having is not None or "faced" in self.features)) or (
                    mark.kind in ("not", "without")
                    and query.kind == "difference"  # with a shed and without one
                )
                return "" if used else f"unused {mark.kind.replace('without', 'not')}"
            case "grain" if not self.grained and "days between" not in self.features:
                return "loose grain" if value == "day" else "unused grain"
            case "adjective" if mark.column and mark.column.name not in columns_of(query):
                return "unused column"  # the rain of rainy days
            case "time" | "plot" | "map" if not self._is_shown(mark):
                return f"unused {mark.kind}"
            case "per" if not self._is_grouped(at):
                return "unused per"
            case "more" if "than" in request.text.split() and not self.compares:
                return "unused change"
            case "change" if not (query.change or self.compares):
                return "unused change"
            case "calc" if not _signed(query):
                return "loose calc"
            case "agg" | "op" | "top" if not self._is_done(mark.kind, value):
                return "unused op"
            case _:
                return ""

    def _is_shown(self, mark: Mention) -> bool:
        """Return whether a query draws over time, as a chart or on the map, as a word asks."""
        if mark.kind == "time":
            times = {column.name for column in self.parts.schema.columns if column.info.role == "time"}
            is_over_periods = self.query.plot == "line" and len(self.query.measures) > 1
            return self.grained or is_over_periods or any(g.column in times for g in self.query.groups)
        if mark.kind == "plot":
            return bool(self.query.plot)
        return mark.value in ("rooms", "units") or bool(self.query.map)

    def _is_grouped(self, at: int) -> bool:
        """Return whether a query has the groups that a word asks for."""
        marks = self.parts.reading.mentions
        after = marks[at + 1].kind if at + 1 < len(marks) else ""
        if self.query.groups or self.parts.order:
            return True
        return after == "op" or (after == "row" and not self.counted)  # how many wines per class

    def _is_done(self, kind: str, value: str) -> bool:
        """Return whether a query performs an operation, or may leave it out."""
        if value in _LOOSE[kind] or (kind, value) in self.done:
            return True
        if kind == "top" and (self.query.kind == "correlation" or "faced" in self.features):
            return True  # 勤続年数が長いほど年収は高い, 男子と女子でどちらが高い
        if (kind, value) == ("agg", "sum"):  # how many in total
            return self.counted and _is_count(self.query) and not self.parts.numbers()
        of_kind = self.parts.has("per") or self.parts.has("which")  # for each kind of job
        return (kind, value) == ("op", "distinct") and bool(self.query.groups) and of_kind


def _is_count(query: Query) -> bool:
    return bool(query.measures) and all(measure.column is None for measure in query.measures)


def _signed(query: Query) -> bool:
    return any(measure.sign for measure in query.measures)


def _is_outside(condition: Condition, schema: TableSchema) -> bool:
    """Return whether the year of a condition is outside the column's span."""
    column = schema.column(condition.column)
    if column.is_number:
        return condition.op == "==" and column.info.role == "time" and is_outside(condition, schema)
    if not condition.op.endswith("when"):
        return False
    span = schema.column(condition.column).info.span
    year = getattr(condition.values[0], "year", None)
    return bool(span) and year is not None and not span[0][:4] <= str(year) <= span[-1][:4]


def _done(query: Query) -> set[tuple[str, str]]:
    """Return the operations that a query performs."""
    fns = {measure.fn for measure in query.measures}
    ops = {condition.op for group in query.where for condition in group}
    ends = bool(fns & {"max", "min"})
    does = (
        (query.kind == "share" or bool(query.change), "agg", "share"),
        (bool(query.file) and query.kind in ("figure", "groups", "rows", "share"), "op", "save"),
        (len(query.groups) == 2, "op", "crosstab"),
        (query.plot in ("heatmap", "scatter", "pair"), "op", "correlation"),
        ("nunique" in fns, "op", "distinct"),
        (bool(ops & {"missing", "present"}), "op", "missing"),
        (ends or query.descending is True, "top", "desc"),
        (ends or query.descending is False, "top", "asc"),
    )
    done = {("agg", fn) for fn in fns} | {("op", query.kind), ("op", query.change)}
    return done | {(kind, value) for applies, kind, value in does if applies}
