"""What can be typed next: a sentence of the small language grows by chunks, each of which says one part of a query.

English says what, then by what, then of which rows, then in what order; Japanese the other way round. A chunk is offered
when it begins with what is typed of it, so every sentence that is built here is the sentence of the query built beside it;
that it is read as that query is a property (tests/analyst/test_complete.py). Pure.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Literal

from smoldesk.analyst.language import Language, say
from smoldesk.analyst.parts import row_like
from smoldesk.analyst.query import Condition, Grain, Group, Measure, Query
from smoldesk.analyst.schema import Column, TableSchema
from smoldesk.analyst.sentence import AGGREGATES, GRAINS, PLOTS
from smoldesk.analyst.units import normalized, speaks_japanese

Part = Literal["figure", "group", "condition", "chart"]
MOST = 8
_FIGURES = ("mean", "median", "sum", "min", "max")
_GRAINS: tuple[Grain, ...] = ("month", "week", "day", "quarter", "year", "weekday")
_COMPARED = {
    ">": ("over", "より大きい"),
    ">=": ("at least", "以上"),
    "<": ("under", "未満"),
    "<=": ("at most", "以下"),
}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_WORD = re.compile(r"[^\W_]+")
_OWN = "by where is and over under at least most in as number of rows"
_WORDS = frozenset((*_OWN.split(" "), *(word for pair in AGGREGATES.values() for word in pair)))
"""Words of the sentences themselves."""
MOST_VALUES = 40


@dataclass(frozen=True)
class Chunk:
    """One part: its text, and what it makes of a query. One of a comparison ends before the number; `behind` follows it."""

    part: Part
    text: str
    change: Mapping[str, Any]
    open: bool = False
    behind: str = ""

    def on(self, query: Query) -> Query:
        """The query with this part."""
        return replace(query, **self.change)


@dataclass(frozen=True)
class Completed:
    """A text that what was typed can become; `query` is what it says, None while a number is missing."""

    text: str
    part: Part
    query: Query | None


def complete(text: str, schemas: Sequence[TableSchema], language: Language) -> list[Completed]:
    """What a text can become, the likeliest first: at most MOST, none where it is no beginning of a sentence."""
    typed = normalized(text).lstrip()
    if speaks_japanese(typed):
        language = "ja"
    elif typed and typed.isascii() and _is_english(typed):
        language = "en"
    found: list[Completed] = []
    for schema in schemas:
        found += _Grammar(schema, language, schemas).all(typed)
    fewest = sorted(dict.fromkeys(found), key=lambda one: len(one.text))
    return _spread(fewest)


def as_sentence(text: str, schemas: Sequence[TableSchema]) -> tuple[Query, TableSchema] | None:
    """The query of a text that is a whole sentence as completion builds it, and its table; None for every other text."""
    typed = _plain(text.strip())
    languages: tuple[Language, ...] = ("en", "ja")  # English may be about Japanese headers
    for spoken, schema in product(languages, schemas):
        if typed.startswith(_first(schema, spoken)):
            grammar = _Grammar(schema, spoken, schemas)
            if query := grammar.read(typed, Query(schema.info.name), 0):
                return query, schema
    return None


def _first(schema: TableSchema, language: Language) -> tuple[str, ...]:
    """What the first words of a sentence can be."""
    if language == "en":
        return (*(word for word, _ in AGGREGATES.values()), "number of rows")
    names = (schema.info.name, *(column.name for column in schema.columns))
    return ("行数", *(GRAINS[grain][1] for grain in _GRAINS), *map(_plain, names))


def _plain(text: str) -> str:
    return normalized(text).replace("`", "").casefold()


def _is_english(typed: str) -> bool:
    words = [word for word, _ in AGGREGATES.values()]
    return any(
        word.startswith(typed.casefold()) or typed.casefold().startswith(word)
        for word in (*words, "number of rows")
    )


def _spread(found: list[Completed]) -> list[Completed]:
    """At most MOST of them, of every part some."""
    parts = list(dict.fromkeys(one.part for one in found))
    each = [[one for one in found if one.part == part] for part in parts]
    taken: list[Completed] = []
    while len(taken) < MOST and any(each):
        taken += [group.pop(0) for group in each if group]
    return taken[:MOST]


class _Grammar:
    """The chunks of one table in one language."""

    def __init__(self, schema: TableSchema, language: Language, all_tables: Sequence[TableSchema]) -> None:
        """A figure names its table where another of them has such a column, too."""
        self.schema = schema
        self.language: Language = language
        others = [one for one in all_tables if one is not schema]
        self.shared = {column.name for one in others for column in one.columns}
        self.several = bool(others)

    def all(self, typed: str) -> Iterator[Completed]:
        """Every way to go on."""
        yield from self._grow("", _plain(typed), Query(self.schema.info.name), 0)

    def _grow(self, said: str, typed: str, query: Query, level: int) -> Iterator[Completed]:
        """`said` is the beginning of a sentence, `typed` what is left to go on from, without backquotes."""
        for at, chunks in enumerate(self._levels(query)):
            if at < level:
                continue
            for chunk in chunks:
                plain = _plain(chunk.text)
                if plain.startswith(typed) and len(plain) > len(typed):
                    made = None if chunk.open else chunk.on(query)
                    yield Completed(said + chunk.text, chunk.part, made if made and made.measures else None)
                elif typed.startswith(plain) and chunk.open:
                    yield from self._number(said + chunk.text, typed[len(plain) :], query, chunk, at)
                elif typed.startswith(plain):
                    rest, after = typed[len(plain) :], at + (chunk.part != "condition")
                    yield from self._grow(said + chunk.text, rest, chunk.on(query), after)

    def read(self, typed: str, query: Query, level: int) -> Query | None:
        """The query that is said when nothing is left to read; `typed` is what comes behind it."""
        if not typed:
            return query if query.measures else None
        for at, chunks in enumerate(self._levels(query)):
            for chunk in chunks if at >= level else ():
                if not typed.startswith(plain := _plain(chunk.text)):
                    continue
                rest, made = typed[len(plain) :], chunk.on(query)
                if chunk.open:
                    compared = _compared(made, rest)
                    if compared is None or not compared[1].startswith(chunk.behind):
                        continue
                    made, rest = compared[0], compared[1][len(chunk.behind) :]
                if found := self.read(rest, made, at + (chunk.part != "condition")):
                    return found
        return None

    def _number(self, said: str, typed: str, before: Query, chunk: Chunk, level: int) -> Iterator[Completed]:
        """The number behind a comparison, and what goes on behind it."""
        if (compared := _compared(chunk.on(before), typed)) is None:
            return
        query, rest = compared
        told = said + typed[: len(typed) - len(rest)] + chunk.behind
        if chunk.behind.startswith(rest) and rest != chunk.behind:
            yield Completed(told, "condition", query if query.measures else None)
        elif rest.startswith(chunk.behind):
            yield from self._grow(told, rest[len(chunk.behind) :], query, level)

    def _levels(self, query: Query) -> list[Iterable[Chunk]]:
        what, cut, kept = self._what(query), self._cut(query), self._kept(query)
        tail = self._tail(query)
        return [what, cut, kept, tail] if self.language == "en" else [kept, cut, what, tail]

    def _what(self, query: Query) -> Iterator[Chunk]:
        if query.measures:
            return
        kind = "groups" if query.groups else "figure"
        english, japanese = f" in {named(self.schema.info.name)}", f"{named(self.schema.info.name)}の"
        for column in self.schema.numbers:
            of, no = (english, japanese) if column.name in self.shared else ("", "")
            for fn in _FIGURES:
                words, figure = AGGREGATES[fn]
                name = named(column.name)
                text = say(self.language, f"{words} {name}{of}", f"{no}{name}の{figure}")
                yield Chunk("figure", text, {"kind": kind, "measures": (Measure(fn, column.name),)})
        of, no = (english, japanese) if self.several else ("", "")
        rows = say(self.language, f"number of rows{of}", f"{no}行数")
        yield Chunk("figure", rows, {"kind": kind, "measures": (Measure(),)})

    def _cut(self, query: Query) -> Iterator[Chunk]:
        if query.groups or (self.language == "en" and not query.measures):
            return
        kind = "groups" if query.measures else query.kind
        for column in self._categories():
            text = say(self.language, f" by {named(column.name)}", f"{named(column.name)}ごとの")
            yield Chunk("group", text, {"kind": kind, "groups": (Group(column.name),)})
        for column in self.schema.dates[:1]:
            for grain in _GRAINS:
                english, japanese = GRAINS[grain]
                by = say(self.language, f" by {english}", f"{japanese}ごとの")
                yield Chunk("group", by, {"kind": kind, "groups": (Group(column.name, grain),)})

    def _kept(self, query: Query) -> Iterator[Chunk]:
        if len(query.where) >= 2 or (self.language == "en" and not query.measures):
            return
        taken = {one.column for group in query.where for one in group}
        joined = " and " if query.where else " where "
        for column in self.schema.columns:
            if column.name in taken:
                continue
            name = named(column.name)
            if column in self.schema.numbers:
                for op, (english, japanese) in _COMPARED.items():
                    text = say(self.language, f"{joined}{name} {english} ", f"{name}が")
                    behind = say(self.language, "", f"{japanese}の行で、")
                    made = (Condition(column.name, op),)
                    yield Chunk("condition", text, {"where": (*query.where, made)}, True, behind)
            elif column.is_category and column.info.yes_no is None:
                for value in column.info.values[:MOST_VALUES]:
                    said = named(value)
                    text = say(self.language, f"{joined}{name} is {said}", f"{name}が{said}の行で、")
                    made = (Condition(column.name, "==", (value,)),)
                    yield Chunk("condition", text, {"where": (*query.where, made)})

    def _tail(self, query: Query) -> Iterator[Chunk]:
        if not (query.groups and query.measures) or query.descending is not None or query.plot:
            return
        for plot in ("bar", "line"):
            english, japanese = PLOTS[plot]
            text = say(self.language, f", as {english}", f"、{japanese}")
            yield Chunk("chart", text, {"plot": plot})

    def _categories(self) -> list[Column]:
        few = (
            one for one in self.schema.columns if one.is_category and 1 < len(one.info.values) <= MOST_VALUES
        )
        return [one for one in few if one.info.yes_no is None and not row_like(self.schema, one)]


def _compared(query: Query, typed: str) -> tuple[Query, str] | None:
    """The query of a comparison with its number, and what is left behind that; None without a number."""
    found = _NUMBER.match(typed)
    if found is None:
        return None
    last = query.where[-1][0]
    where = (*query.where[:-1], (replace(last, values=(float(found[0]),)),))
    return replace(query, where=where), typed[found.end() :]


def named(name: str) -> str:
    """A header or a cell as it stands in a sentence: in backquotes where one of its words is one of the language."""
    return f"`{name}`" if _WORDS & {*_WORD.findall(name.casefold())} else name
