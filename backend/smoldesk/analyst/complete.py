"""Completion of a request: a sentence grows by chunks, each of which is one part of a query.

English names the figure, then the groups, the conditions and the order; Japanese reverses this. A chunk is offered if it
starts with the typed text, so each completed sentence matches the query built with it. That the analyst reads it as this
query is tested (tests/analyst/test_complete.py).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any, Literal

from smoldesk.analyst.language import Language, localize, template
from smoldesk.analyst.measures import latest_condition
from smoldesk.analyst.parts import row_like
from smoldesk.analyst.query import Condition, Grain, Group, Measure, Query
from smoldesk.analyst.schema import Column, TableSchema
from smoldesk.analyst.sentence import AGGREGATES, GRAINS, PLOTS, Sentence, japanese_rows
from smoldesk.analyst.units import normalized, speaks_japanese

Part = Literal["figure", "group", "condition", "chart"]
MAX_COMPLETIONS = 8
_FIGURES = ("mean", "median", "sum", "min", "max")
_GRAINS: tuple[Grain, ...] = ("month", "week", "day", "quarter", "year", "weekday")
_COMPARED = {">": ("over", "より大きい"), ">=": ("at least", "以上"), "<": ("under", "未満"),
    "<=": ("at most", "以下")}  # fmt: skip
_FIRST = ("number of rows", "correlation of", "histogram of", "top ", "first ")
# First words of an English sentence.
_ENGLISH = (*(word for word, _ in AGGREGATES.values()), *_FIRST)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_WORD = re.compile(r"[^\W_]+")
_GRAMMAR_TERMS = "by where is and over under at least most in as number of rows correlation histogram to top"
# Words of the grammar; names that contain one need backquotes.
_WORDS = frozenset((*_GRAMMAR_TERMS.split(" "), *(word for pair in AGGREGATES.values() for word in pair)))
MAX_VALUES = 50
# Rows of a ranking.
RANKED = 5
_State = tuple[str, str, Query, int]


@dataclass(frozen=True)
class Chunk:
    """One part: its text, and its change to the query. A comparison ends before its number; `behind` follows the number.

    With `more`, the next chunk may be of the same level.
    """

    part: Part
    text: str
    change: Mapping[str, Any]
    open: bool = False
    behind: str = ""
    more: bool = False

    def on(self, query: Query) -> Query:
        """Return the query with this part."""
        return replace(query, **self.change)

    def leads_to(self, query: Query) -> bool:
        """Return whether a query may have this part: its fields, or lists that begin so. Later parts change the kind."""
        return all(
            _begins(getattr(query, name), part) for name, part in self.change.items() if name != "kind"
        )


def _begins(field: Any, part: Any) -> bool:
    return field[: len(part)] == part if isinstance(field, tuple) else field == part


@dataclass(frozen=True)
class Completed:
    """Completed text; `query` is its meaning, or None while a number is missing."""

    text: str
    part: Part
    query: Query | None


def complete(text: str, schemas: Sequence[TableSchema], language: Language) -> list[Completed]:
    """Return the completions of a text, the likeliest first, at most MAX_COMPLETIONS; an empty list if none fits."""
    typed = normalized(text).lstrip()
    if speaks_japanese(typed):
        language = "ja"
    elif typed and any(_plain(typed).startswith(word) or word.startswith(_plain(typed)) for word in _ENGLISH):
        language = "en"
    completions = [
        completion for schema in schemas for completion in Grammar(schema, language, schemas).all(typed)
    ]
    return _spread(sorted(dict.fromkeys(completions), key=lambda completion: len(completion.text)))


def as_sentence(text: str, schemas: Sequence[TableSchema]) -> tuple[Query, TableSchema, Language] | None:
    """Return query, table and language of a text that is exactly a completed sentence, else None."""
    typed = _plain(text.strip())
    languages: tuple[Language, ...] = ("en", "ja")  # an English sentence may name Japanese headers
    for spoken, schema in product(languages, schemas):
        if not typed.startswith(_first(schema, spoken)):
            continue
        if query := Grammar(schema, spoken, schemas).read(typed):
            return query, schema, spoken
    return None


def _first(schema: TableSchema, language: Language) -> tuple[str, ...]:
    """Return the possible first words of a sentence."""
    if language == "en":
        return _ENGLISH
    names = (schema.info.name, *(column.name for column in schema.columns))
    return ("行数", "最初", *(GRAINS[grain][1] for grain in _GRAINS), *map(_plain, names))


def _plain(text: str) -> str:
    return normalized(text).replace("`", "").casefold()


def _spread(completions: list[Completed]) -> list[Completed]:
    """Return at most MAX_COMPLETIONS completions, with some of each part."""
    parts = list(dict.fromkeys(completion.part for completion in completions))
    by_part = [[completion for completion in completions if completion.part == part] for part in parts]
    chosen: list[Completed] = []
    while len(chosen) < MAX_COMPLETIONS and any(by_part):
        chosen += [group.pop(0) for group in by_part if group]
    return chosen[:MAX_COMPLETIONS]


class Grammar:
    """Chunks of one table in one language."""

    def __init__(self, schema: TableSchema, language: Language, all_tables: Sequence[TableSchema]) -> None:
        # A figure names its table if another table has a column of the same name.
        self.schema = schema
        self.language: Language = language
        other_tables = [table for table in all_tables if table is not schema]
        self.shared = {column.name for other in other_tables for column in other.columns}
        self.several = bool(other_tables)
        self.start = Query(schema.info.name)

    def all(self, typed: str) -> Iterator[Completed]:
        """Yield all continuations."""
        for prefix, remaining, query, level in self._states("", _plain(typed), self.start, 0):
            for _, chunk in self._chunks(query, level, remaining):
                plain = _plain(chunk.text)
                if plain.startswith(remaining) and plain != remaining:
                    completed = None if chunk.open or not _is_complete(chunk.on(query)) else chunk.on(query)
                    yield Completed(prefix + chunk.text, chunk.part, completed)

    def read(self, typed: str) -> Query | None:
        """Return the query of a complete sentence."""
        states = self._states("", typed, self.start, 0)
        queries = (query for _, remaining, query, _ in states if not remaining and _is_complete(query))
        return next(queries, None)

    def write(self, target: Query, text: str = "", query: Query | None = None, level: int = 0) -> str:
        """Return the sentence of a query, continuing `text`, which means `query`; empty if the grammar has none."""
        query = query or self.start
        if query == target:
            return text
        for at, chunk in self._chunks(query, level, ""):
            if not chunk.open and chunk.leads_to(target):
                after = at + (not chunk.more)
                if sentence := self.write(target, text + chunk.text, chunk.on(query), after):
                    return sentence
        return ""

    def _states(self, prefix: str, typed: str, query: Query, level: int) -> Iterator[_State]:
        """Yield all parses of prefixes of `typed`: prefix, remaining text, query, and level of the next chunk."""
        yield prefix, typed, query, level
        for at, chunk in self._chunks(query, level, typed):
            plain = _plain(chunk.text)
            if typed.startswith(plain) and not chunk.open:
                after = at + (not chunk.more)
                yield from self._states(prefix + chunk.text, typed[len(plain) :], chunk.on(query), after)

    def _chunks(self, query: Query, level: int, typed: str) -> Iterator[tuple[int, Chunk]]:
        """Yield the possible next chunks with their levels; comparisons include a typed number."""
        for at, chunks in enumerate(self._levels(query)):
            for chunk in chunks if at >= level else ():
                yield at, _with_number(chunk, typed) if chunk.open else chunk

    def _levels(self, query: Query) -> list[Iterable[Chunk]]:
        what, cut, filters = self._what(query), self._cut(query), self._filter_chunks(query)
        order = [what, cut, filters] if self.language == "en" else [filters, cut, what]
        return [*order, self._tail(query)]

    def _what(self, query: Query) -> Iterator[Chunk]:
        if query.measures or query.kind == "correlation":
            yield from self._second(query)
            return
        kind = "groups" if query.groups else "figure"
        for column, fn in product(self.schema.numbers, _FIGURES):
            suffix, prefix = self._table(column.name in self.shared)
            name, (english, japanese) = quoted_name(column.name), AGGREGATES[fn]
            text = localize(self.language, f"{english} {name}{suffix}", f"{prefix}{name}の{japanese}")
            yield Chunk("figure", text, {"kind": kind, "measures": (Measure(fn, column.name),)})
        suffix, prefix = self._table(self.several)
        rows = localize(self.language, f"number of rows{suffix}", f"{prefix}行数")
        yield Chunk("figure", rows, {"kind": kind, "measures": (Measure(),)})
        if not (query.groups or query.where):
            yield from self._first_of_pair()
            yield from self._periods()
            yield from self._rankings()
            yield from self._spreads()
            yield from self._of_texts()

    def _first_of_pair(self) -> Iterator[Chunk]:
        for column in self.schema.numbers:
            name = quoted_name(column.name)
            text = localize(self.language, f"correlation of {name}", f"{name}と")
            change = {"kind": "correlation", "columns": (column.name,)}
            yield Chunk("figure", text, change, more=True)

    def _second(self, query: Query) -> Iterator[Chunk]:
        """Yield the second column of a correlation."""
        if query.kind != "correlation" or len(query.columns) != 1:
            return
        suffix, prefix = self._table(any(name in self.shared for name in query.columns))
        for column in self.schema.numbers:
            if column.name not in query.columns:
                name = quoted_name(column.name)
                text = localize(self.language, f" and {name}{suffix}", f"{prefix}{name}の相関")
                yield Chunk("figure", text, {"columns": (*query.columns, column.name)})

    def _rankings(self) -> Iterator[Chunk]:
        for column in (column for column in self.schema.columns if column.info.role == "name"):
            for measure in self.schema.numbers:
                suffix, prefix = self._table({column.name, measure.name} & self.shared)
                name, by = quoted_name(column.name), quoted_name(measure.name)
                english = f"top {RANKED} {name} by {by}{suffix}"
                text = localize(self.language, english, f"{prefix}{by}が大きい{name}の上位{RANKED}件")
                measures = (Measure("max", measure.name),)
                change = {"kind": "rows", "measures": measures, "columns": (column.name,)}
                yield Chunk("figure", text, {**change, "descending": True, "top": RANKED})

    def _spreads(self) -> Iterator[Chunk]:
        for column in self.schema.numbers:
            name = quoted_name(column.name)
            suffix, prefix = self._table(column.name in self.shared)
            text = localize(self.language, f"histogram of {name}{suffix}", f"{prefix}{name}のヒストグラム")
            change = {"kind": "plot values", "columns": (column.name,), "plot": "hist"}
            yield Chunk("figure", text, change)

    def _periods(self) -> Iterator[Chunk]:
        """Yield figures of columns whose headers are consecutive months or years."""
        names = [column.name for column in self.schema.numbers if column.info.role == "period"]
        if len(names) < 2:
            return
        suffix, prefix = self._table(bool({*names} & self.shared))
        first, last = quoted_name(names[0]), quoted_name(names[-1])
        for fn in ("mean", "sum", "max", "min"):
            english, japanese = AGGREGATES[fn]
            english = f"{english} of {first} to {last}{suffix}"
            text = localize(self.language, english, f"{prefix}{first}〜{last}の{japanese}")
            yield Chunk("figure", text, {"measures": tuple(Measure(fn, name) for name in names)})

    def _of_texts(self) -> Iterator[Chunk]:
        """Yield the most frequent values of each text column, their number, and the first rows."""
        for column in (column for column in self.schema.columns if column.info.kind == "text"):
            name, language = quoted_name(column.name), self.language
            suffix, prefix = self._table(column.name in self.shared)
            english = f"top {RANKED} {name} by number of rows{suffix}"
            text = localize(language, english, f"{prefix}行数が多い{name}の上位{RANKED}件")
            ranked = {"kind": "groups", "groups": (Group(column.name),), "descending": True, "top": RANKED}
            yield Chunk("figure", text, {**ranked, "measures": (Measure(),)})
            english, japanese = AGGREGATES["nunique"]
            text = localize(language, f"{english} {name}{suffix}", f"{prefix}{name}の{japanese}")
            yield Chunk("figure", text, {"measures": (Measure("nunique", column.name),)})
        suffix, prefix = self._table(self.several)
        first = template("head_of", self.language).format(n=RANKED)
        text = localize(self.language, first + suffix, prefix + first)
        yield Chunk("figure", text, {"kind": "head", "top": RANKED})

    def _table(self, is_named: object) -> tuple[str, str]:
        """Return the English suffix and the Japanese prefix that name the table, if they must."""
        name = quoted_name(self.schema.info.name)
        return (f" in {name}", f"{name}の") if is_named else ("", "")

    def _cut(self, query: Query) -> Iterator[Chunk]:
        if query.groups or query.kind in ("rows", "head") or (self.language == "en" and not query.measures):
            return
        kind = "groups" if query.measures else query.kind
        for column in self._categories():
            name = quoted_name(column.name)
            text = localize(self.language, f" by {name}", f"{name}別の")
            yield Chunk("group", text, {"kind": kind, "groups": (Group(column.name),)})
        for column in self.schema.dates[:1]:
            for grain in _GRAINS:
                english, japanese = GRAINS[grain]
                by = localize(self.language, f" by {english}", f"{japanese}ごとの")
                yield Chunk("group", by, {"kind": kind, "groups": (Group(column.name, grain),)})

    def _filter_chunks(self, query: Query) -> Iterator[Chunk]:
        is_too_early = self.language == "en" and not query.measures
        if is_too_early or len(query.where) >= 2 or query.kind in ("rows", "head"):
            return
        used_columns = {condition.column for group in query.where for condition in group}
        joined = " and " if query.where else " where "
        latest = latest_condition(self.schema)
        for column in self.schema.columns:
            if column.name in used_columns:
                continue
            name = quoted_name(column.name)
            if latest and latest.column == column.name and not column.is_category:
                cell = Sentence(query, self.language).value(latest.values[0])
                text = localize(
                    self.language, f"{joined}{name} is {cell}", f"{japanese_rows(f'{name}が{cell}')}、"
                )
                yield Chunk("condition", text, {"where": (*query.where, (latest,))}, more=True)
            if column in self.schema.numbers:
                for op, (english, japanese) in _COMPARED.items():
                    text = localize(self.language, f"{joined}{name} {english} ", f"{name}が")
                    behind = localize(self.language, "", f"{japanese_rows(japanese)}、")
                    change = {"where": (*query.where, (Condition(column.name, op),))}
                    yield Chunk("condition", text, change, True, behind, more=True)
            elif column.is_category and column.info.yes_no is None:
                for value in self.schema.values_of(column)[:MAX_VALUES]:
                    cell = quoted_name(value)
                    text = localize(
                        self.language, f"{joined}{name} is {cell}", f"{japanese_rows(f'{name}が{cell}')}、"
                    )
                    conditions = (Condition(column.name, "==", (value,)),)
                    yield Chunk("condition", text, {"where": (*query.where, conditions)}, more=True)

    def _tail(self, query: Query) -> Iterator[Chunk]:
        grouped = query.groups or len(query.measures) > 1
        if not (grouped and query.measures) or query.plot or query.top:
            return
        if query.kind == "groups" and query.where:
            top = template("top_of", self.language).format(n=RANKED)
            text = localize(self.language, f", {top}", f"、{top}")
            yield Chunk("figure", text, {"descending": True, "top": RANKED})
        for plot in ("bar", "line"):
            english, japanese = PLOTS[plot]
            text = localize(self.language, f", as {english}", f"、{japanese}")
            yield Chunk("chart", text, {"plot": plot})

    def _categories(self) -> list[Column]:
        columns = self.schema.columns
        cuts = [c for c in columns if c.is_category and 1 < len(c.info.values) <= MAX_VALUES]
        small = [c for c in cuts if c.info.yes_no is None and not row_like(self.schema, c)]
        labels = [c for c in columns if c.info.role == "time" and not c.is_date]
        by_role = [c for c in columns if c.info.role == "category" or c in labels]
        return list(dict.fromkeys([*small, *by_role]))


def _with_number(chunk: Chunk, typed: str) -> Chunk:
    """Add the typed number and the text after it to a comparison; without a number, return it unchanged."""
    plain = _plain(chunk.text)
    number = _NUMBER.match(typed, len(plain)) if typed.startswith(plain) else None
    if number is None:
        return chunk
    *other_groups, (last,) = chunk.change["where"]
    where = (*other_groups, (replace(last, values=(float(number[0]),)),))
    return Chunk(chunk.part, f"{chunk.text}{number[0]}{chunk.behind}", {"where": where}, more=True)


def _is_complete(query: Query) -> bool:
    return bool(query.measures) or len(query.columns) > 1 or bool(query.plot) or query.kind == "head"


@lru_cache(maxsize=4_000)
def quoted_name(name: str) -> str:
    """Return a header or cell for a sentence: in backquotes if it contains a word of the grammar."""
    return f"`{name}`" if _WORDS & {*_WORD.findall(name.casefold())} else name
