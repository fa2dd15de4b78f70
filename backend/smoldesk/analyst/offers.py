"""Alternatives to offer when a request cannot be answered at once: different interpretations, and columns for unknown words.

Beyond a small core, more rules do not help with new tables; the right interpretation is usually among the first three. So
an unknown word is tried as each column that the request does not name, and both values of an unstated choice (sum or
average, rows or their contents) are offered. None of these is answered unless the person chooses it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from smoldesk.analyst.measures import additive, remoteness, role_of
from smoldesk.analyst.mentions import Interpretation, Mention
from smoldesk.analyst.query import Measure, Query
from smoldesk.analyst.requests import Request, is_verb, runs
from smoldesk.analyst.schema import Column, TableSchema

MAX_OFFERED = 3
# Maximum columns that an unknown word is tried as.
MAX_GUESSED = 6
# Strength of a guessed mention.
GUESS_STRENGTH = 0.35
# Maximum distance in score from the best interpretation to an offered one.
MAX_SCORE_GAP = 4.0
# Maximum distance of an interpretation that is offered before other figures of the best one.
RIVAL_GAP = 1.2


@dataclass(frozen=True)
class Candidate:
    """Query of one interpretation, with its table, score and uncovered content."""

    value: float
    query: Query
    schema: TableSchema
    uncovered: tuple[str, ...] = ()
    # Score of its mentions: how well they cover the request.
    covered: float = 0.0


def guesses(request: Request, schema: TableSchema, reading: Interpretation) -> Iterator[Mention]:
    """Yield mentions of unnamed columns for the unexplained words of an interpretation, the likeliest columns first.

    Beside a word for groups these are categories, beside a superlative measures, else both.
    """
    named = {mention.column.name for mention in reading.mentions if mention.column and mention.strength > 0.5}
    names = (column for column in schema.columns if column.is_category and not column.is_id)
    groups = [name for name in names if 1 < len(name.info.values) <= 40 and name.name not in named]
    measures = [number for number in _measures(schema) if number.name not in named]
    pers = [mention for mention in reading.mentions if mention.kind in ("per", "which")]
    tops = [mention for mention in reading.mentions if mention.kind == "top"]
    for first, end in _words_of(request, reading):
        text = request.raw(first, end).casefold()
        # The word stands next to a grouping word: 乗務員ごと, by the boss.
        grouped = any(mention.first == end or 0 <= first - mention.end <= 1 for mention in pers)
        ranked = any(0 <= first - mention.end <= 1 for mention in tops)
        degree = _degree(request, first, end, ranked)
        columns = groups if grouped and not degree else measures if ranked or degree else [*measures, *groups]
        for n, column in enumerate(sorted(columns, key=lambda c: not _alike(text, c.name))[:MAX_GUESSED]):
            strength = GUESS_STRENGTH - 0.02 * n + 0.1 * _alike(text, column.name)
            if degree:
                yield Mention(first, end, "adjective", f"{degree} guess", column, strength)
            else:
                yield Mention(first, end, "column", "guess", column, strength)


def _measures(schema: TableSchema) -> list[Column]:
    """Return the columns of figures, amounts first."""
    numbers = [number for number in schema.numbers if role_of(schema, number) in ("measure", "period")]
    return sorted(numbers, key=remoteness)


def _words_of(request: Request, reading: Interpretation) -> Iterator[tuple[int, int]]:
    """Yield the spans of unexplained words: adjacent ones together, but an adjective and its noun apart."""
    for first, end in runs(reading.uncovered_units):
        cuts = [n + 1 for n in range(first, end - 1) if _degree(request, n, n + 1, False)]
        yield from pairwise([first, *cuts, end])


def _degree(request: Request, first: int, end: int, ranked: bool) -> str:
    """Return the degree of an unexplained adjective: of deadliest, pricier, 一番速かった; empty for another word."""
    word = request.units[end - 1].raw
    if request.units[first].is_japanese:
        return "est best" if ranked and is_verb(request, first, end) else ""
    if end - first > 1 or len(word) < 6 or not word.endswith(("est", "ier")):
        return ""
    return "est desc" if word.endswith("est") else "er desc"


def _alike(text: str, name: str) -> bool:
    """Return whether a word shares its first letters with a header, or a Chinese character: pricier and Price."""
    if not text.isascii():
        return any(char in name for char in text if "\u3400" <= char <= "\u9fff")
    return any(len(word) >= 4 and text.startswith(word[:4]) for word in name.casefold().split())


def different(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates without those that show the rows of a better one in another form."""
    distinct: list[Candidate] = []
    for candidate in candidates:
        if not any(_shows_the_same(candidate.query, better.query) for better in distinct):
            distinct.append(candidate)
    return distinct


def is_clear(candidate: Candidate) -> bool:
    """Return whether a candidate explains the whole request; others are not answered."""
    unused = any(name.startswith("unused") and value < 0 for name, value in candidate.query.features)
    return not (candidate.uncovered or unused)


def is_ambiguous(best: Candidate) -> bool:
    """Return whether a question has two meanings whatever its words: a share under two conditions may be one of the rows
    under the first, and a number of things whose ids stand in several rows may be one of rows.
    """
    query = best.query
    if query.kind == "share":
        return len(query.part) > 1 and not query.where
    things = best.schema.things
    counts = query.kind == "figure" and query.first.column is None
    asks = "counted things" in dict(query.features)
    return counts and asks and things is not None and things.is_id


def gap_behind(candidates: Sequence[Candidate]) -> float | None:
    """Return the score distance from the first candidate to the next different one; None without one."""
    clear = candidates and is_clear(candidates[0])
    distinct = different([candidate for candidate in candidates if not clear or is_clear(candidate)])
    return distinct[0].value - distinct[1].value if len(distinct) > 1 else None


def arranged(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the best candidate, those offered with it, then the others."""
    best = candidates[0]
    distinct = [other for other in different(candidates) if best.value - other.value <= MAX_SCORE_GAP]
    # Between good interpretations and poor ones stand those that differ from the best one in its figure only.
    rivals = [other for other in distinct if best.value - other.value <= RIVAL_GAP]
    read = {candidate.query: candidate for candidate in reversed(distinct)}
    by_query: dict[Query, Candidate] = {}
    for candidate in (*rivals, *_alternatives(best), *distinct):
        by_query.setdefault(candidate.query, read.get(candidate.query, candidate))
    near = list(by_query.values())[:MAX_OFFERED]
    # Interpretations that keep every word come first.
    near = sorted(near, key=lambda candidate: not is_clear(candidate))
    return [*near, *(candidate for candidate in candidates if candidate not in near)]


def _alternatives(best: Candidate) -> Iterator[Candidate]:
    """Yield the best candidate with another unstated figure: an average for a sum, a column's sum for a count."""
    query, features = best.query, dict(best.query.features)
    if query.kind not in ("figure", "groups") or len(query.measures) != 1 or query.change:
        return
    current = query.first
    measures: list[Measure] = []
    if current.column is not None and current.fn in ("sum", "mean") and not features.get("said figure"):
        measures = [replace(current, fn="mean" if current.fn == "sum" else "sum")]
    elif current.column is None:
        things = best.schema.things
        measures = [Measure("nunique", things.name)] if things and query.kind == "figure" else []
        constrained = {condition.column for group in query.where for condition in group}
        numbers = [c for c in _measures(best.schema) if c.name not in constrained and additive(c)]
        numbers.sort(key=lambda column: column != best.schema.quantity)
        measures += [Measure("sum", column.name) for column in numbers][:2]
    for measure in measures:
        yield replace(best, query=replace(query, measures=(measure,)), value=best.value - MAX_SCORE_GAP)


def _shows_the_same(first: Query, second: Query) -> bool:
    """Return whether two queries show the same: rows and their count, the maximum and its row, groups in another order."""
    same_fields = ("table", "where", "part", "plot")
    if any(getattr(first, name) != getattr(second, name) for name in same_fields):
        return False
    if first.groups != second.groups:
        return replace(first, groups=second.groups) == second and set(first.groups) == set(second.groups)
    counted = [query for query in (first, second) if query.kind == "rows" and not query.measures]
    figures = [query for query in (first, second) if query.kind == "figure"]
    if counted and figures:
        return figures[0].first.column is None
    ranked = [query for query in (first, second) if query.kind == "rows" and query.measures]
    highest = bool(ranked and figures) and figures[0].first.fn in ("max", "min")
    return highest and figures[0].first.column == ranked[0].first.column


# Weights that rank the interpretations, set by hand; other features weigh 1. Features with weight 0, and doubts, whose names
# begin with a question mark, do not rank them.
DEFAULTS = {
    "coverage": 1.5, "uncovered": 2.0, "weak": 1.0, "unused column": 1.5, "unused number": 1.5, "doubt": 0.3, "unused op": 1.2,
    "edit": 0.15, "table": 0.5, "guess": 2.2, "exact": 0.0, "counted sum": 0.0, "said figure": 0.0,
    "counted things": 0.0, "other rows": 0.25,
}  # fmt: skip


def score(query: Query) -> float:
    """Return the score of a query."""
    return sum(DEFAULTS.get(name, 1.0) * value for name, value in query.features if name[0] != "?")
