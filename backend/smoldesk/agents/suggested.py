"""Questions made from a table's columns: a figure by category, a trend over time, rows of one value.

Each is a sentence of the analyst's language, and is suggested only if it parses back to the query it was made from: the
answer then fits the question. Pure.
"""

from collections.abc import Iterator, Sequence

from smoldesk.analyst.complete import as_sentence, quoted_name
from smoldesk.analyst.language import Language, localize
from smoldesk.analyst.lexicon import lexicon
from smoldesk.analyst.measures import additive, is_year
from smoldesk.analyst.parts import row_like
from smoldesk.analyst.query import Condition, Grain, Group, Measure, Query
from smoldesk.analyst.schema import BRACKETS, Column, TableSchema
from smoldesk.analyst.sentence import AGGREGATES, GRAINS, PLOTS
from smoldesk.analyst.units import key_of

# Questions of one table.
MOST = 3
# Distinct values of a column to group by; columns with few groups go first.
MAX_GROUPS = 24
FEW_GROUPS = 12
# Characters of a value that a question names.
LONGEST_VALUE = 40

# Units of amounts, which are summed; other figures are averaged.
MONEY = ("yen", "dollar", "pound", "euro")


def amounts(column: Column) -> bool:
    """Return whether a column holds amounts, by its name or unit: figures that are summed by default."""
    name = key_of(BRACKETS.sub(" ", column.name))
    # Japanese names have no spaces: any end of the name may be the word ("月間売上": "売上").
    tails = {name[at:] for at in range(len(name))}
    terms = tails | {word for tail in tails for word in lexicon().synonyms(tail)}
    return additive(column) and (bool(terms & lexicon().additive) or column.unit in MONEY)


def suggested(
    schema: TableSchema, schemas: Sequence[TableSchema], language: Language, most: int = MOST
) -> list[str]:
    """Return at most `most` questions about one of a chat's tables, each of another kind; `schemas` are all tables."""
    sentences: list[str] = []
    for kind in _Questions(schema, language).kinds():
        if sentence := next((text for text, query in kind if _is_read(text, query, schema, schemas)), None):
            sentences.append(sentence)
    return list(dict.fromkeys(sentences))[:most]


def _is_read(text: str, query: Query, schema: TableSchema, schemas: Sequence[TableSchema]) -> bool:
    read = as_sentence(text, schemas)
    return read is not None and read[1] is schema and read[0] == query


Candidates = Iterator[tuple[str, Query]]


class _Questions:
    """Candidate questions of each kind, likeliest first."""

    def __init__(self, schema: TableSchema, language: Language) -> None:
        self.schema = schema
        self.language: Language = language
        plain = [number for number in schema.numbers if not is_year(number) and not number.info.is_flag]
        self.numbers = sorted(plain, key=lambda column: not amounts(column))
        cuts = [
            column
            for column in schema.columns
            if column.is_category
            and column.info.yes_no is None
            and 1 < len(column.info.values) <= MAX_GROUPS
            and not row_like(schema, column)
        ]
        self.cuts = sorted(cuts, key=lambda column: len(column.info.values) > FEW_GROUPS)

    def kinds(self) -> Iterator[Candidates]:
        """Yield the candidates of each kind."""
        yield self.by_category()
        yield self.over_time()
        yield self.by_value()
        yield self.as_chart()
        yield self.by_another()
        yield self.alone()
        yield self.count()

    def by_category(self) -> Candidates:
        for column in self.numbers:
            for cut in self.cuts:
                yield from self._phrasings(column, _default_aggregate(column), Group(cut.name))

    def over_time(self) -> Candidates:
        for column in self.numbers:
            for date in self.schema.dates[:1]:
                for grain in _grains(date):
                    yield from self._phrasings(
                        column, _default_aggregate(column), Group(date.name, grain), plot="line"
                    )

    def by_value(self) -> Candidates:
        for column in reversed(self.numbers):
            for cut in self.cuts:
                for value in cut.info.values[:3]:
                    if len(value) <= LONGEST_VALUE:
                        yield from self._phrasings(column, "mean", None, Condition(cut.name, "==", (value,)))

    def as_chart(self) -> Candidates:
        for cut in self.cuts:
            yield from self._phrasings(None, "count", Group(cut.name), plot="bar")

    def by_another(self) -> Candidates:
        for cut in self.cuts[1:]:
            yield from self._phrasings(None, "count", Group(cut.name))

    def alone(self) -> Candidates:
        for fn in ("median", "max"):
            for column in self.numbers:
                yield from self._phrasings(column, fn, None)

    def count(self) -> Candidates:
        yield from self._phrasings(None, "count", None)

    def _phrasings(
        self,
        column: Column | None,
        fn: str,
        group: Group | None,
        condition: Condition | None = None,
        plot: str = "",
    ) -> Candidates:
        """Yield one query as a sentence, without and with the name of its table."""
        measure = Measure(fn, column.name) if column else Measure()
        query = Query(
            self.schema.info.name,
            kind="groups" if group else "figure",
            measures=(measure,),
            groups=(group,) if group else (),
            where=((condition,),) if condition else (),
            plot=plot,
        )
        for of_table in (False, True):
            yield self._sentence(column, fn, group, condition, plot, of_table), query

    def _sentence(
        self,
        column: Column | None,
        fn: str,
        group: Group | None,
        condition: Condition | None,
        plot: str,
        of_table: bool,
    ) -> str:
        table = quoted_name(self.schema.info.name)
        english, japanese = AGGREGATES.get(fn, ("", ""))
        what = localize(
            self.language,
            f"{english} {quoted_name(column.name)}" if column else "number of rows",
            f"{quoted_name(column.name)}の{japanese}" if column else "行数",
        )
        cut = (
            ""
            if group is None
            else localize(self.language, *GRAINS[group.grain])
            if group.grain
            else quoted_name(group.column)
        )
        filter_terms = (
            (quoted_name(condition.column), quoted_name(str(condition.values[0]))) if condition else None
        )
        chart = localize(self.language, *PLOTS[plot]) if plot else ""
        if self.language == "en":
            text = what + (f" in {table}" if of_table else "")
            text += f" by {cut}" if cut else ""
            text += f" where {filter_terms[0]} is {filter_terms[1]}" if filter_terms else ""
            return text + (f", as {chart}" if chart else "")
        text = f"{filter_terms[0]}が{filter_terms[1]}の行で、" if filter_terms else ""
        text += (f"{cut}ごとの" if group.grain else f"{cut}別の") if group else ""
        return text + (f"{table}の" if of_table else "") + what + (f"、{chart}" if chart else "")


def _default_aggregate(column: Column) -> str:
    return "sum" if amounts(column) else "mean"


def _grains(date: Column) -> list[Grain]:
    """Return the grains that give a readable number of points over the span of the dates."""
    days = _days(date.info.span)
    if days is None:
        return ["month"]
    if days > 4 * 365:
        return ["year", "month"]
    return ["month", "week"] if days > 75 else ["week", "day"] if days > 21 else ["day"]


def _days(span: tuple[str, ...]) -> int | None:
    from datetime import date

    try:
        first, last = (date.fromisoformat(text) for text in span)
    except ValueError:
        return None
    return (last - first).days
