"""Features of a query: how well it covers the request, and what it leaves unused. The scorer weighs them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from smoldesk.analyst.lexicon import lexicon
from smoldesk.analyst.measures import AVERAGED, aggregates
from smoldesk.analyst.mentions import Mention
from smoldesk.analyst.parts import Parts, row_like
from smoldesk.analyst.query import Condition, Query, columns_of
from smoldesk.analyst.requests import Request, is_verb, runs
from smoldesk.analyst.schema import TableSchema

_LOOSE_OPS = ("head", "tail", "columns", "breakdown", "datasets", "load", "normality", "regression", "join")
_ROWS = ("rows", "figure", "groups", "distinct")
# Words that ask for a comparison, which one figure does not answer.
_COMPARED = (" than ", "compare", "difference", "より", "比べ", "差")
# Words of a phrase that names the rows, their place or their owner.
_PREPOSITIONS = ("of", "in", "at", "on", "from", "to", "into", "with", "among", "during")
_ARTICLES = ("the", "our", "my", "these", "those", "all", "this", "that", "your", "their", "any")
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
        f"? {name}": -value for name, value in _doubts(parts, query, before) if value and not query.map
    }
    if parts.has("agg", "count") and any(measure.fn == "sum" for measure in query.measures):
        features["counted sum"] = -1.0  # how many bills are rows, how many tickets may be a sum
    if counts_things(parts):
        features["counted things"] = 1.0
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


def _doubts(p: Parts, query: Query, before: Query | None) -> Iterator[tuple[str, float]]:
    """Yield the features of assumptions and unanswered parts; they affect the confidence only."""
    marks, text = p.reading.mentions, p.request.text.casefold()
    kinds = {mark.kind for mark in marks}
    old = before or Query(query.table)
    cuts = [group.column for group in query.groups if not (group.grain or group in old.groups)]
    yield "two groups", len(query.groups) > 1
    yield "group of rows", any(row_like(p.schema, p.schema.column(name)) for name in cuts)
    yield "group unasked", bool(cuts) and kinds.isdisjoint(("per", "which", "top", "adjective"))
    figures = [m.column for m in query.measures if m.column and m not in old.measures]
    guessed = not aggregates(p) and any(p.schema.column(name).unit not in AVERAGED for name in figures)
    for fn in ("sum", "mean"):
        yield f"assumed {fn}", guessed and any(measure.fn == fn for measure in query.measures)
    by_strength = sorted(marks, key=lambda mark: mark.strength)
    named = {mark.column.name: mark.strength for mark in by_strength if mark.column}
    yield "weak figure", max((1 - min(1.0, named.get(name, 0.0)) for name in figures), default=0.0)
    columns = [group[0].column for group in query.where]
    yield "column twice", len(set(columns)) < len(columns)
    ops = {condition.op for group in (*query.where, *query.part) for condition in group}
    bounds = not ops.isdisjoint((">", "<", ">=", "<="))
    yield "compared", query.kind != "difference" and not bounds and any(word in text for word in _COMPARED)
    yield "share", query.kind != "share" and not query.change and (p.has("agg", "share") or "%" in text)
    unknown = Counter(_unknown(p))
    for name, number in unknown.items():
        yield f"unknown {name}", min(number, 3)
    said = any(named.get(name, 0.0) >= 0.8 for name in figures)
    yield "unknown beside a figure", bool(unknown) and said and (bool(aggregates(p)) or p.has("which"))
    yield "unknown of all rows", bool(unknown) and not (figures or query.where or query.groups)
    yield "unknown of some rows", bool(unknown) and not figures and bool(query.where)


def _unknown(p: Parts) -> Iterator[str]:
    """Yield what the unexplained words of a request are: its figure, its groups, a verb, another noun, a known concept."""
    marks, request = p.reading.mentions, p.request
    guessed = (n for mark in marks if mark.is_guess for n in range(mark.first, mark.end))
    unknown = sorted({*p.reading.uncovered_units, *guessed})
    by_end = {mark.end: mark for mark in marks}
    by_first = {mark.first: mark for mark in marks}
    for first, end in runs(unknown):
        before, after = first, end
        while before > 0 and before not in by_end and before - 1 in request.free:
            before -= 1
        while after < len(request.units) and after not in by_first and after in request.free:
            after += 1
        neighbours = [by_end.get(before), by_first.get(after) if request.units[first].is_japanese else None]
        roles = {role for mark in neighbours if mark is not None for role in [_role(mark)] if role}
        if _is_owner(request, first, end):
            roles = {"owner"}
        yield from roles or ["verb" if is_verb(request, first, end) else "noun"]
        key = tuple(unit.key for unit in request.units[first:end])
        spans = (key[at:stop] for at, stop in combinations(range(len(key) + 1), 2))
        # One Japanese character is no word.
        if any(span in lexicon().concept_of and len(span) > (span[0] > "\u3000") for span in spans):
            yield "concept"


def _is_owner(request: Request, first: int, end: int) -> bool:
    """Return whether a word stands in a phrase of its own: of the jobs, in our league, 先生の平均年収."""
    if request.units[first].is_japanese:
        return request.text[request.units[end - 1].end :].startswith(("の", "で", "のうち"))
    before = first - 1
    while before > 0 and request.units[before].raw in _ARTICLES:
        before -= 1
    return before >= 0 and request.units[before].raw in _PREPOSITIONS


def _role(mark: Mention) -> str:
    """Return what a mention makes of the unexplained word beside it."""
    if mark.kind == "agg":
        return "rows" if mark.value == "count" else "figure"
    return {"per": "group", "which": "asked", "top": "ranked", "adjective": "ranked"}.get(mark.kind, "")


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
