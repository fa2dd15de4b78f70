"""Doubts: what can be observed of an interpretation that may be wrong although it uses every word.

They are features whose names begin with a question mark. They do not rank interpretations; `certainty` decides by them how
many answers are shown.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from smoldesk.analyst.lexicon import lexicon
from smoldesk.analyst.measures import AVERAGED, aggregates
from smoldesk.analyst.mentions import Mention
from smoldesk.analyst.parts import Parts, row_like
from smoldesk.analyst.query import Condition, Query
from smoldesk.analyst.requests import Request, is_verb, runs
from smoldesk.analyst.schema import TableSchema

# Words that ask for a comparison, which one figure does not answer.
_COMPARED = (" than ", "compare", "difference", "より", "比べ", "差")
# Words that ask for a place or a time.
_NAMES = ("どこ", "いつ", "where ", "when ")
# Words of a phrase that names the rows, their place or their owner.
_PREPOSITIONS = ("of", "in", "at", "on", "from", "to", "into", "with", "among", "during")
_ARTICLES = ("the", "our", "my", "these", "those", "all", "this", "that", "your", "their", "any")


def doubts(p: Parts, query: Query, before: Query | None) -> Iterator[tuple[str, float]]:
    """Yield the doubts of a query, and how strong each is; `before` is the query that it edits."""
    marks, text = p.reading.mentions, p.request.text.casefold()
    kinds = {mark.kind for mark in marks}
    old = before or Query(query.table)
    cuts = [group.column for group in query.groups if not (group.grain or group in old.groups)]
    yield "two groups", len(query.groups) > 1
    yield "group of rows", any(row_like(p.schema, p.schema.column(name)) for name in cuts)
    yield "group unasked", bool(cuts) and kinds.isdisjoint(("per", "which", "top", "adjective"))
    figures = [m.column for m in query.measures if m.column and m not in old.measures]
    summed = [p.schema.column(name) for name in figures if p.schema.column(name).unit not in AVERAGED]
    guessed = bool(summed) and not aggregates(p)
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
    yield "rows for a name", _counts_for_a_name(p, query)
    yield "one row", _counts_one_row(p, query)
    yield "no name", _asks_for_name(p) and query.kind in ("figure", "share", "missing") and not query.groups
    yield "unknown of all rows", bool(unknown) and not (figures or query.where or query.groups)
    yield "unknown of some rows", bool(unknown) and not figures and bool(query.where)


def is_outside(condition: Condition, schema: TableSchema) -> bool:
    """Check whether a limit is outside a column's numbers, so that no row or every row fulfils the condition."""
    bounds, limit = schema.column(condition.column).info.bounds, condition.values[:1]
    if bounds is None or not limit or not isinstance(limit[0], float | int):
        return False
    low, high = bounds
    match condition.op:
        case ">" | "<=":
            return not low <= limit[0] < high
        case "<" | ">=":
            return not low < limit[0] <= high
        case "==":
            return not low <= limit[0] <= high
        case _:
            return False


def _counts_for_a_name(p: Parts, query: Query) -> bool:
    """Check whether rows are counted although no word asks for a number: the sales of a table called sales."""
    counted = any(measure.column is None for measure in query.measures) and query.kind in ("figure", "groups")
    named = any(mark.kind in ("table", "row") for mark in p.reading.mentions)
    return counted and named and bool(p.schema.numbers) and not p.has("agg", "count")


def _counts_one_row(p: Parts, query: Query) -> bool:
    """Check whether the rows of a name that stands in one row are counted: the hammers in Leeds."""
    if query.kind != "figure" or query.first.column is not None:
        return False
    equal = (condition.column for group in query.where for condition in group if condition.op == "==")
    return any(row_like(p.schema, p.schema.column(name)) for name in equal)


def _asks_for_name(p: Parts) -> bool:
    """Check whether a person, place or time is asked for, which a single figure does not name."""
    is_asked = p.has("which") or any(word in p.request.text.casefold() for word in _NAMES)
    return is_asked and not aggregates(p) and not p.has("agg")


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
