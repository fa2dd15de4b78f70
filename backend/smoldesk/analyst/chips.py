"""Chips of a query: its parts as text, each with alternatives as changes of the query.

A change lists the fields of the query's JSON that differ; the page merges it into the query and sends it again.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pydantic import JsonValue

from smoldesk.analyst.catalogue import Catalogue
from smoldesk.analyst.language import Language, localize
from smoldesk.analyst.offers import Candidate
from smoldesk.analyst.outcome import Outcome, none_of
from smoldesk.analyst.query import Condition, Grain, Group, Measure, Query, columns_of
from smoldesk.analyst.query_json import to_json
from smoldesk.analyst.replies import refusal_text, suggestions
from smoldesk.analyst.schema import Column, TableSchema
from smoldesk.analyst.sentence import AGGREGATES, PLOTS, Sentence, mark_differences, sentence_of
from smoldesk.analyst.times import When

MAX_CHOICES = 8
# Maximum distinct values of a column that is offered for grouping.
MAX_GROUPS = 30
_FIGURES = ("mean", "median", "sum", "min", "max")
_GROUP_PLOTS = ("bar", "line", "pie")
_GRAINS: tuple[Grain, ...] = ("day", "week", "month", "quarter", "year", "weekday")
_OPPOSITE = {"==": "!=", "!=": "==", ">": "<=", "<=": ">", "<": ">=", ">=": "<", "when": "not when", "not when": "when",
    "missing": "present", "present": "missing"}  # fmt: skip


@dataclass(frozen=True)
class Choice:
    """Alternative: its text, the fields that change, the fields that are removed, and the corrected sentence."""

    text: str
    change: dict[str, JsonValue]
    without: list[str]
    sentence: str


@dataclass(frozen=True)
class Chip:
    """One part of a query as text."""

    part: str
    text: str
    choices: tuple[Choice, ...] = ()


def reading_of(outcome: Outcome) -> dict[str, JsonValue] | None:
    """Return the answered query with its chips, shaped like messages.ReadingContent; None for other outcomes."""
    return None if outcome.best is None else _reading(outcome, outcome.best)


def alternatives_of(outcome: Outcome, catalogue: Catalogue) -> dict[str, JsonValue] | None:
    """Return the shown queries of an unclear request, shaped like messages.AlternativesContent; None for other outcomes.

    `declined` is the answer if none of them is meant. The answers of the queries are not there yet.
    """
    if not outcome.uncertain:
        return None
    language = outcome.language
    sentences = [sentence_of(candidate.query, language) for candidate in outcome.shown]
    marked = zip(sentences, mark_differences(sentences), outcome.shown, strict=True)
    entries: list[JsonValue] = [
        {
            "sentence": sentence,
            "pieces": [{"text": text, "differs": differs or None} for text, differs in pieces],
            "reading": _reading(outcome, candidate),
        }
        for sentence, pieces, candidate in marked
    ]
    declined = none_of(outcome)
    return {
        "alternatives": entries,
        "unknown": list(outcome.unused_terms),
        "declined": refusal_text(declined, catalogue, language),
        "suggestions": [*suggestions(declined, catalogue, language)],
        "language": language,
    }


def _reading(outcome: Outcome, candidate: Candidate) -> dict[str, JsonValue]:
    others = [other.query for other in outcome.candidates if other.schema is candidate.schema]
    alternatives = [query for query in others if query != candidate.query]
    query_chips = _Chips(candidate.query, candidate.schema, outcome.language, alternatives).all()
    chips: list[JsonValue] = [
        {**vars(chip), "choices": [vars(choice) for choice in chip.choices]} for chip in query_chips
    ]
    return {"query": to_json(candidate.query), "chips": chips, "corrected": outcome.corrected}


class _Chips:
    """Chips of a query. Columns of the `alternatives`, the next interpretations of the request, are offered first."""

    def __init__(
        self, query: Query, schema: TableSchema, language: Language, alternatives: list[Query]
    ) -> None:
        self.q, self.schema = query, schema
        self.language: Language = language
        self.sentence = Sentence(query, language)
        self.before = to_json(query)
        parts = [part for query in alternatives for part in (*query.measures, *query.groups)]
        named = [part.column for part in parts if part.column]
        self.order = {name: at for at, name in reversed(list(enumerate(named)))}

    def all(self) -> Iterator[Chip]:
        """Yield the chips, in the order of a sentence."""
        q = self.q
        yield Chip("table", q.table)
        if q.kind in ("figure", "groups", "difference"):
            for at, measure in enumerate(q.measures):
                yield from self._measure(at, measure)
        elif q.kind == "rows" and q.measures and q.measures[0].column:
            yield self._ranked(q.measures[0])
        else:
            yield Chip("kind", self.sentence.what())
        for at, group in enumerate(q.groups):
            yield self._group(at, group)
        for at, alternatives in enumerate(q.where):
            yield self._condition(at, alternatives)
        if q.having is not None:
            removed = self._choices((self._no(), replace(q, having=None)))
            yield Chip("condition", self.sentence.having(), removed)
        if q.kind == "groups" and (q.descending is not None or q.top):
            yield self._order()
        if q.plot and q.kind == "groups":
            choices = self._choices(*self._plots(), (self._no(), replace(q, plot="")))
            yield Chip("chart", self._localize(*PLOTS[q.plot]), choices)
        if q.file:
            yield Chip("file", q.file, self._choices((self._no(), replace(q, file=""))))
        if self.schema.info.load_with_totals or self.schema.wholes:
            yield self._totals()
        if more := self._more():
            yield Chip("add", "+", more)

    def _measure(self, at: int, measure: Measure) -> Iterator[Chip]:
        def put(new: Measure) -> Query:
            return replace(self.q, measures=(*self.q.measures[:at], new, *self.q.measures[at + 1 :]))

        count = self._localize("number of rows", "行数")
        if measure.column is None:
            averages = [Measure("mean", column.name) for column in self._numbers()[:MAX_CHOICES]]
            choices = ((self.sentence.measure(average), put(average)) for average in averages)
            yield Chip("figure", count, self._choices(*choices))
            return
        column = self.schema.column(measure.column)
        is_plain = measure.fn in _FIGURES and not measure.other
        fns = [fn for fn in _FIGURES if is_plain and fn != measure.fn and column.is_number]
        figures = [(self._localize(*AGGREGATES[fn]), put(replace(measure, fn=fn))) for fn in fns]
        aggregate = self.sentence.measure(measure) if measure.q else self._localize(*AGGREGATES[measure.fn])
        yield Chip("figure", aggregate, self._choices(*figures, (count, put(Measure()))))
        text = self.sentence.measure(measure) if measure.other else measure.column
        fitting = self._numbers() if column.is_number else self._categories()
        names = [other.name for other in fitting if other.name != measure.column and not measure.other]
        columns = ((name, put(replace(measure, column=name))) for name in names)
        yield Chip("column", text, self._choices(*columns))

    def _ranked(self, measure: Measure) -> Chip:
        numbers = (other for other in self._numbers() if other.name != measure.column)
        new = [replace(self.q, descending=self.q.descending is False)]
        new += [replace(self.q, measures=(replace(measure, column=other.name),)) for other in numbers]
        choices = ((self._sentence(query).what(), query) for query in new)
        return Chip("kind", self.sentence.what(), self._choices(*choices))

    def _group(self, at: int, group: Group) -> Chip:
        q = self.q

        def put(*new: Group) -> Query:
            groups = (*q.groups[:at], *new, *q.groups[at + 1 :])
            if groups:
                return replace(q, groups=groups)
            return Query(q.table, measures=q.measures, where=q.where, file=q.file)

        used_columns = {group.column for group in q.groups}
        if self.schema.column(group.column).is_date:
            new = [Group(group.column, grain) for grain in _GRAINS if grain != group.grain]
        else:
            new = [Group(column.name) for column in self._categories() if column.name not in used_columns]
        removed = [(self._no(), put())] if q.kind == "groups" and not q.change else []
        choices = ((self.sentence.group(group), put(group)) for group in new)
        return Chip("group", self._by(group), self._choices(*choices, *removed))

    def _condition(self, at: int, group: tuple[Condition, ...]) -> Chip:
        q, first = self.q, group[0]

        def put(*new: tuple[Condition, ...]) -> Query:
            return replace(q, where=(*q.where[:at], *new, *q.where[at + 1 :]))

        new: list[Condition] = []
        if len(group) == 1 and first.op in _OPPOSITE:
            new = [replace(first, op=_OPPOSITE[first.op])]
        current = first.values[0] if len(group) == 1 and first.values else None
        if isinstance(current, str) and first.op in ("==", "!="):
            values = self.schema.column(first.column).info.values
            new += [replace(first, values=(value,)) for value in values if value != current]
        if isinstance(current, When) and first.op == "when" and current.month:
            months = [month for month in (current.month - 1, current.month + 1) if 1 <= month <= 12]
            new += [replace(first, values=(replace(current, month=month),)) for month in months]

        def spelled(*conditions: Condition) -> str:
            return self._sentence(replace(q, where=(conditions,))).conditions()

        choices = [(spelled(condition), put((condition,))) for condition in new[: MAX_CHOICES - 1]]
        return Chip("condition", spelled(*group), self._choices(*choices, (self._no(), put())))

    def _totals(self) -> Chip:
        """Return the chip that includes the total rows, or leaves them out again."""
        count = self.schema.info.total_rows
        rows = f"{count or ''} total row{'' if count == 1 else 's'}".strip()
        japanese = f"合計行（{count}行）" if count else "合計行"
        if self.q.totals:
            text = self._localize(f"Leave out {rows}", f"{japanese}を除く")
        else:
            text = self._localize(f"Include {rows}", f"{japanese}を含める")
        return Chip("totals", text, self._choices((text, replace(self.q, totals=not self.q.totals))))

    def _order(self) -> Chip:
        q = self.q
        tops = [top for top in (3, 5, 10) if top != q.top and (q.top or q.one)]
        new = [replace(q, descending=q.descending is False)]
        new += [replace(q, top=top, one=False) for top in tops]

        def spelled(query: Query) -> str:
            return ", ".join(self._sentence(replace(query, plot="", file="", map="")).tail())

        plain = replace(q, descending=None, top=None, one=False)
        choices = self._choices(*((spelled(query), query) for query in new), (self._no(), plain))
        return Chip("order", spelled(q), choices)

    def _more(self) -> tuple[Choice, ...]:
        """Return the possible additions: a group, a chart, an order."""
        q = self.q
        quantile = any(measure.fn == "quantile" for measure in q.measures)
        if q.kind not in ("figure", "groups") or q.change or q.map or quantile:
            return ()
        new: list[tuple[str, Query]] = []
        if not q.groups:
            dates = [Group(column.name, "month") for column in self.schema.dates[:1]]
            cuts = [Group(cut.name) for cut in self._categories() if cut.name not in columns_of(q)][:6]
            new = [(self._by(group), replace(q, kind="groups", groups=(group,))) for group in (*cuts, *dates)]
        elif not q.plot:
            new += self._plots()
        if q.groups and q.descending is None and not any(group.grain for group in q.groups):
            new += [(self._localize("highest first", "高い順"), replace(q, descending=True))]
        return self._choices(*new)

    def _plots(self) -> list[tuple[str, Query]]:
        """Return the other charts of the query's groups."""
        other = [plot for plot in _GROUP_PLOTS if plot != self.q.plot]
        return [(self._localize(*PLOTS[plot]), replace(self.q, plot=plot)) for plot in other]

    def _by(self, group: Group) -> str:
        name = self.sentence.group(group)
        return self._localize(f"by {name}", f"{name}ごと" if group.grain else f"{name}別")

    def _choices(self, *choices: tuple[str, Query]) -> tuple[Choice, ...]:
        if len(choices) > MAX_CHOICES:
            # The last choice removes the part, so it stays.
            choices = (*choices[: MAX_CHOICES - 1], choices[-1])
        return tuple(self._choice(text, new) for text, new in choices)

    def _choice(self, text: str, new: Query) -> Choice:
        after = to_json(new)
        change = {name: value for name, value in after.items() if self.before.get(name) != value}
        removed = [name for name in self.before if name not in after]
        return Choice(text, change, removed, self._sentence(new).text())

    def _localize(self, english: str, japanese: str) -> str:
        return localize(self.language, english, japanese)

    def _sentence(self, query: Query) -> Sentence:
        return Sentence(query, self.language)

    def _no(self) -> str:
        return self._localize("Remove", "取り除く")

    def _numbers(self) -> list[Column]:
        return sorted(self.schema.numbers, key=lambda column: self.order.get(column.name, 99))

    def _categories(self) -> list[Column]:
        """Return columns that rows can be grouped by: few values, with several rows each."""
        cuts = (column for column in self.schema.columns if column.is_category and not column.is_id)
        small = (cut for cut in cuts if 1 < len(cut.info.values) <= MAX_GROUPS)
        return sorted(small, key=lambda column: self.order.get(column.name, 99))
