"""Questions made from the roles of a table's columns: a figure by category, a trend over time, a relation of two figures.

Each is a sentence of the analyst's language, and is suggested only if it parses back to the query it was made from: the
answer then fits the question. Ids, codes, places, row numbers and constant columns have no part in them. Pure.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice, product
from typing import Any

from smoldesk.analyst.complete import RANKED, Grammar, as_sentence
from smoldesk.analyst.figures import NAME_ENDINGS
from smoldesk.analyst.language import Language
from smoldesk.analyst.lexicon import lexicon
from smoldesk.analyst.measures import amounts, is_about, is_level, latest_condition, remoteness, role_of
from smoldesk.analyst.names import unit_sign
from smoldesk.analyst.query import Condition, Grain, Group, Measure, Query, Where
from smoldesk.analyst.schema import Column, TableSchema
from smoldesk.analyst.units import is_japanese, key_of

# Questions of one table.
MOST = 3
# Distinct values of a column to group by; columns with few groups go first.
MAX_GROUPS = 50
FEW_GROUPS = 12
# Columns of each role that are tried, and characters of a name that a question contains.
TRIED = 8
LONGEST_NAME, USUAL_NAME = 120, 60
# How much more of a figure's variance the next column has to explain to come before an earlier one; the share from which
# two figures say the same, and from which a figure is one of the groups; those assumed for a column without a report, and
# for a figure that is added up.
LATER, SAME, DETERMINED, UNKNOWN_SHARE, SUM_SHARE = 0.04, 0.9, 0.999, 0.1, 0.3
# Least share of a figure's variance that another one explains if their relation is asked for.
RELATED = 0.01


_YEAR = re.compile(r"(?:18|19|20)\d\d")
_CODED = re.compile(r"[A-Z]{0,5}[-_ ]?\d+")


def suggested(
    schema: TableSchema, schemas: Sequence[TableSchema], language: Language, most: int = MOST
) -> list[str]:
    """Return at most `most` questions about one of a chat's tables, each of another kind; `schemas` are all tables.

    They are in Japanese if a quarter of the headers are, else in `language`.
    """
    if 4 * sum(is_japanese(column.name) for column in schema.columns) >= len(schema.columns):
        language = "ja"
    sentences: list[str] = []
    queries: list[Query] = []  # without charts: the same figures are not asked for twice
    grammar = Grammar(schema, language, schemas)
    for kind in _Questions(schema).kinds():
        texts = ((grammar.write(query), query) for query in kind)
        fresh = ((text, query) for text, query in texts if text and replace(query, plot="") not in queries)
        for text, query in islice((pair for pair in fresh if _is_read(*pair, schema, schemas)), 1):
            sentences.append(text)
            queries.append(replace(query, plot=""))
        if len(sentences) == most:
            break
    return sentences


def suggested_of_joined(schema: TableSchema, name: str, language: Language) -> str:
    """Return a question about figures of a table by a category of a joined one; empty if there is none.

    It is about the named table: one of the joined ones, or the one that they are joined to.
    """
    if 4 * sum(is_japanese(column.name) for column in schema.columns) >= len(schema.columns):
        language = "ja"
    joins = [join for join in schema.info.joined if name in (join.table, schema.info.name)]
    joined_columns = {column for join in joins for _, column in join.columns}
    columns = [c for c in schema.columns if c.is_number or c.is_date or c.name in joined_columns]
    questions = _Questions(replace(schema, columns=columns))
    figures = [column for column in questions.figures if column.name not in joined_columns]
    cuts = [column for column in questions.cuts if column.name in joined_columns]
    grammar = Grammar(schema, language, [schema])
    sentences = ((grammar.write(query), query) for query in questions.by_category(figures, cuts))
    return next((text for text, query in sentences if text and _is_read(text, query, schema, [schema])), "")


def _is_read(text: str, query: Query, schema: TableSchema, schemas: Sequence[TableSchema]) -> bool:
    read = as_sentence(text, schemas)
    return read is not None and read[1] is schema and read[0] == query


class _Questions:
    """Candidate questions of each kind, likeliest first."""

    def __init__(self, schema: TableSchema) -> None:
        self.schema = schema
        columns = [column for column in schema.columns if 0 < len(column.name.strip()) <= LONGEST_NAME]
        roles = [(column, role_of(schema, column)) for column in columns if "\n" not in column.name]
        measures = [column for column, role in roles if role == "measure" and column in schema.numbers]
        by_length = sorted(measures, key=lambda column: len(column.name) > USUAL_NAME)
        nearest = sorted(by_length, key=remoteness)
        self.measures = sorted(
            nearest, key=lambda column: not {"follows", "rare"}.isdisjoint(column.info.traits)
        )[:TRIED]
        cuts = [column for column, role in roles if role == "category" and _group_count(column) <= MAX_GROUPS]
        plain = [c for c in cuts if not (is_about(c, "codes") or unit_sign(c.name) or _is_coded(c))]
        plain = [c for c in plain if {"follows", "rare"}.isdisjoint(c.info.traits)]
        cuts = plain or cuts
        cuts = [cut for cut in cuts if not (schema.dates and is_about(cut, "weekdays"))]
        self.cuts = sorted(cuts, key=_inconvenience)[:TRIED]
        # Rows with different statistics in one column of figures are not added up: one of them is chosen.
        chosen = [cut for cut in self.cuts if is_about(cut, "statistics")][:1]
        self.where = tuple((Condition(cut.name, "==", (cut.info.values[0],)),) for cut in chosen)
        self.cuts = [cut for cut in self.cuts if cut not in chosen]
        # Times of one day alone have no course over time.
        self.dates = [
            column
            for column in schema.dates[:1]
            if role_of(schema, column) == "time" and len({*column.info.span}) != 1
        ]
        self.times = [column for column, role in roles if role == "time" and not column.is_date]
        names = [column for column, role in roles if role == "name"]
        self.names = sorted(names, key=lambda c: not c.name.casefold().endswith(NAME_ENDINGS))[:TRIED]
        self.periods = [column for column, role in roles if role == "period"]
        # Ids are not asked about; a column that repeats another one in kana is like a code.
        self.texts = [
            column
            for column, role in roles
            if role in ("text", "name", "category") and column.info.kind == "text"
            and not is_about(column, "codes")
        ][:TRIED]  # fmt: skip
        # Rows that are groups themselves, with the number of their members, are not counted, nor those of a panel: one for
        # each time of each thing.
        are_counted = any(is_about(column, "counts") for column in self.measures[:1])
        has_even_times = any("even" in column.info.traits for column, role in roles if role == "time")
        self.is_panel = bool(self.measures) and (has_even_times or bool(self.times))
        self.counts_rows = not (self.is_panel or self.where or are_counted)
        # A table of years or months beside each other has few other figures: its last and first one stand for it.
        is_wide = len(self.periods) > 3 * len(self.measures)
        self.figures = [self.periods[-1], self.periods[0]] if is_wide else self.measures
        self.latest = latest_condition(schema)
        # One row for each day, week, month or year.
        days = _days(self.dates[0].info.span) if self.dates else None
        step = (days or 0) / max(1, schema.info.rows - 1)
        self.is_series = any(abs(step - length) < 0.05 * length for length in (1, 7, 30.4, 91.3, 365.2))
        # A table of times and figures alone has a row for each time.
        self.is_series |= bool(self.times) and not (self.cuts or self.names or self.texts or chosen)
        self.is_series |= any("unique" in time.info.traits for time in [*self.dates, *self.times])
        # Of figures in the same order of rows one is enough: others say no more, and their relation is known.
        other_figures = [c for c in self.figures[1:] if is_wide or "follows" not in c.info.traits]
        self.other_figures = sorted(other_figures, key=lambda c: amounts(c) == amounts(self.figures[0]))
        leaders = [c for c in self.measures if not (is_about(c, "totals") or "follows" in c.info.traits)]
        self.pairs = [] if is_wide or self.where else leaders

    def kinds(self) -> Iterator[Iterable[Query]]:
        """Yield the candidates of each kind."""
        first = [self.over_time(self.figures), self.by_category(self.figures, self.cuts)]
        yield from first if self.is_series else reversed(first)
        if self.is_series and self.figures:
            yield self.over_time(self.other_figures)
        yield self.ranked(self.figures)
        yield self.over_periods(self._aggregate(self.periods[0]) if self.periods else "")
        yield self.ranked(self.other_figures)
        yield self.over_periods("max")
        yield self.over_periods("min")
        yield self.related(self.pairs)
        yield self.by_category(self._turned(self.figures), self.cuts)
        if self.times or not self.counts_rows:  # a category of a series has as many rows as any other
            yield self.by_category(self.figures, self.cuts)
            yield self.spread() if self.is_series else self.by_category(self.figures, self.cuts, "max")
        yield self.counted(self.cuts, "bar")
        yield self.spread()
        yield self.counted(self.cuts[1:])
        yield self.by_category(self.figures, self.cuts, "max")
        yield self.related([*self.pairs, *self.times] if len(self.pairs) == 1 else self.pairs[1:])
        yield self.frequent()
        yield self.alone()
        yield self.alone("max")
        many = [c for c in self.texts if c not in self.cuts or _group_count(c) > FEW_GROUPS]
        yield self.distinct([c for c in many if "unique" not in c.info.traits])
        yield [self._query(kind="head", top=RANKED)] if self.cuts else []
        yield self.distinct(self.texts)
        if not self.figures and not self.cuts:
            yield [self._figure(None, None)]
        yield [self._query(kind="head", top=RANKED)]

    def _aggregate(self, column: Column) -> str:
        """Return the sum for amounts and for most years beside each other, unless a constant says that these are rates."""
        if column.info.role != "period" or not _YEAR.search(column.name):
            return "sum" if amounts(column) and not is_about(column, "of_one") else "mean"
        constants = [column.info.values for column in self.schema.columns if column.info.role == "constant"]
        words = {(word,) for values in constants for value in values for word in key_of(value)}
        is_rate = bool(words & {*lexicon().averaged, ("per",)})
        return "mean" if is_rate or "fractions" in column.info.traits else "sum"

    def _level_aggregate(self, column: Column | None) -> str:
        """Return the sum for levels of a panel: all things at a time are different ones."""
        return "sum" if column and self.latest and is_level(column) else ""

    def _turned(self, columns: list[Column]) -> list[Column]:
        return [*columns[1:], *columns[:1]]

    def by_category(self, figures: list[Column], cuts: list[Column], fn: str = "") -> Iterator[Query]:
        """Yield a figure by each category that tells something about it, the most telling first."""
        for column, cut in _by_strength(product(figures, cuts), figures, cuts):
            if self.latest and is_level(column) and fn in ("", "sum"):
                where = (*self.where, (self.latest,))
                query = self._figure(column, Group(cut.name), fn="sum", where=where)
                is_long = _group_count(cut) > FEW_GROUPS
                yield replace(query, descending=True, top=RANKED) if is_long else query
                continue
            # What there is at one time is not added to what there is at another.
            lasts = (self.dates or self.times) and is_level(column)
            yield self._figure(column, Group(cut.name), fn=fn or ("mean" if lasts else ""))

    def over_time(self, figures: list[Column]) -> Iterator[Query]:
        steps = [Group(date.name, grain) for date in self.dates for grain in _grains(date)]
        steps += [Group(time.name) for time in self.times]
        # One of several months beside each other is no figure of a year.
        shown = [c for c in figures if c.info.role != "period"]
        even = {time.name for time in [*self.dates, *self.times] if "even" in time.info.traits}
        for column in shown or ([] if figures or self.figures else [None]):
            for step in (step for step in steps if column or step.column not in even):
                # What there is at one time is not added to what there is at another.
                finest = self.dates[0].info.step if step.grain else ""
                is_coarse = step.grain != finest or (not step.grain and len(self.times + self.dates) > 1)
                lasts = column and is_coarse and is_level(column)
                yield self._figure(column, step, "line", "mean" if lasts else self._level_aggregate(column))

    def over_periods(self, fn: str) -> Iterator[Query]:
        if not self.periods:
            return
        measures = tuple(Measure(fn, column.name) for column in self.periods)
        yield self._query(measures=measures, plot="line")

    def related(self, measures: list[Column]) -> Iterator[Query]:
        # Two amounts are both large in large things.
        pairs = _by_strength(combinations(measures, 2), measures, measures)
        for one, other in sorted(pairs, key=lambda pair: all(map(amounts, pair))):
            is_related = one.info.explained.get(other.name, UNKNOWN_SHARE) >= RELATED
            if not is_related or (one.info.has_blanks and other.info.has_blanks):  # perhaps no row has both
                continue
            yield self._query(kind="correlation", columns=(one.name, other.name))

    def ranked(self, figures: list[Column]) -> Iterator[Query]:
        for name, column in product(self.names if not self.where else [], figures):
            measures, columns = (Measure("max", column.name),), (name.name,)
            yield self._query(kind="rows", measures=measures, columns=columns, descending=True, top=RANKED)

    def counted(self, cuts: list[Column], plot: str = "") -> Iterator[Query]:
        for cut in cuts if self.counts_rows else []:
            if "even" not in cut.info.traits:
                yield self._figure(None, Group(cut.name), plot)

    def spread(self) -> Iterator[Query]:
        for column in self.figures[:1]:
            yield self._query(kind="plot values", columns=(column.name,), plot="hist")

    def _query(self, **parts: Any) -> Query:
        return Query(self.schema.info.name, **parts)

    def alone(self, fn: str = "") -> Iterator[Query]:
        columns = [*self.measures, *self.periods]
        for column in self._turned(columns) if fn else columns:
            yield self._figure(column, None, fn=fn or ("mean" if is_level(column) else ""))

    def frequent(self) -> Iterator[Query]:
        """Yield the most frequent values of a column, unless each is there once or as often as any other."""
        for column in self.texts if not self.is_panel else []:
            if not (column.info.role == "name" or "unique" in column.info.traits or column in self.cuts):
                groups = (Group(column.name),)
                yield self._query(
                    kind="groups", groups=groups, measures=(Measure(),), descending=True, top=RANKED
                )

    def distinct(self, texts: list[Column]) -> Iterator[Query]:
        for column in sorted(texts, key=lambda column: (column in self.cuts, column.info.role == "name")):
            yield self._query(measures=(Measure("nunique", column.name),))

    def _figure(
        self, column: Column | None, group: Group | None, plot: str = "", fn: str = "", where: Where = ()
    ) -> Query:
        """Return the query for a figure of a column, or for the number of rows."""
        fn = fn or (self._aggregate(column) if column else "count")
        return self._query(
            kind="groups" if group else "figure",
            measures=(Measure(fn, column.name) if column else Measure(),),
            groups=(group,) if group else (),
            where=where or self.where,
            plot=plot,
        )


def _by_strength(
    pairs: Iterable[tuple[Column, Column]], firsts: list[Column], seconds: list[Column]
) -> list[tuple[Column, Column]]:
    """Return the pairs whose second column explains the first one, the strongest first; earlier ones break near ties.

    A sum says how large the groups are, too. Columns that say the same (two quartiles of one figure, by a common word), and
    attributes of the groups themselves (the population of a country in each of its rows), come last.
    """
    ordered: list[tuple[float, tuple[Column, Column]]] = []
    are_groups = firsts is not seconds
    for figure, other in pairs:
        share = figure.info.explained.get(other.name, UNKNOWN_SHARE)
        is_same = share >= SAME and not {*key_of(figure.name)}.isdisjoint(key_of(other.name))
        if share >= DETERMINED if are_groups else is_same:
            share = -1
        elif share and are_groups and _is_added(figure):
            share = max(share, SUM_SHARE)
        place = (6 if are_groups else 1) * firsts.index(figure) + seconds.index(other)
        place += 6 * (are_groups and _group_count(other) >= MAX_GROUPS)
        if share:
            ordered.append((LATER * place - share, (figure, other)))
    return [pair for _order, pair in sorted(ordered, key=lambda entry: entry[0])]


def _is_added(column: Column) -> bool:
    return amounts(column) and "rare" not in column.info.traits


def _group_count(column: Column) -> int:
    return len(column.info.values) or MAX_GROUPS


def _inconvenience(column: Column) -> tuple[bool, bool, bool, bool]:
    """Return the order of categories: words before codes and numbers, few groups first, answers of yes and no last."""
    is_coded = _is_coded(column) or column.info.form == "%H:%M"
    is_coded |= column.is_number and is_about(column, "flags")
    return is_coded, column.is_number, _group_count(column) > FEW_GROUPS, column.info.yes_no is not None


def _is_coded(column: Column) -> bool:
    values = column.info.values
    return column.info.kind == "text" and bool(values) and all(map(_CODED.fullmatch, values))


def _grains(date: Column) -> list[Grain]:
    """Return the grains that give a readable number of points over the span of the dates."""
    days = _days(date.info.span)
    if days is None:
        return ["month"]
    if days > 4 * 365:
        return ["year", "month"]
    return ["month", "week"] if days > 180 else ["week", "day"] if days > 21 else ["day"]


def _days(span: tuple[str, ...]) -> int | None:
    from datetime import date

    try:
        first, last = (date.fromisoformat(text) for text in span)
    except ValueError:
        return None
    return (last - first).days
