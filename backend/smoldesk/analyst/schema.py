"""Terms of tables and buildings: names of columns, values, tables and rooms, each with its strength."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property

from smoldesk.analyst.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.lexicon import lexicon
from smoldesk.analyst.units import normalized, roots, units_of

BRACKETS = re.compile(r"[(\[（【].*?[)\]）】]|[#?*]")
# Values per column that become terms; the most frequent come first.
MAX_INDEXED = 20_000
Key = tuple[str, ...]
# Kinds of meanings that a misspelled word is corrected to.
_CORRECTED = ("agg", "plot", "op", "grain", "top", "range", "cmp", "sort", "change", "map", "colour", "way")
# Kinds of meanings that do not concern tables.
_ELSEWHERE = ("dir", "colour", "icon", "draw", "people", "help", "unit", "beyond", "way", "errand")


@dataclass(frozen=True)
class Column:
    """Column of a table, as mentions and queries refer to it."""

    info: ColumnInfo = field(compare=False, hash=False)
    name: str
    unit: str = ""

    @property
    def is_number(self) -> bool:
        return self.info.kind == "number"

    @property
    def is_date(self) -> bool:
        return self.info.kind == "date"

    @property
    def is_category(self) -> bool:
        return self.info.kind in ("text", "bool") or bool(self.info.yes_no)

    @property
    def is_id(self) -> bool:
        return self.info.is_id


@dataclass(frozen=True)
class Term:
    """Meaning of a phrase: `kind` is column, value, table, row or room; `strength` is 1.0 for the complete name."""

    kind: str
    strength: float
    column: Column | None = None
    value: str = ""


@dataclass(eq=False)
class TableSchema:
    """One table and its terms."""

    info: TableInfo
    columns: list[Column]
    terms: dict[Key, list[Term]] = field(default_factory=lambda: defaultdict(list))
    # Floor whose rooms a column contains; empty without such a column.
    floor: str = ""
    room_column: str = ""
    # Values of that column that are rooms.
    rooms: tuple[str, ...] = ()
    # Rooms selected on the map, as floor and name.
    selected: tuple[tuple[str, str], ...] = ()

    def speaks(self, kind: str, value: str) -> bool:
        """Return whether a lexicon meaning can belong to a question about this table."""
        if kind == "map":
            return bool(self.room_column) and value in ("highlight", "map", "play")
        if kind == "noun":
            return value == "data"
        if kind == "grain" and value.startswith("hour") and self.dates:
            return any(not date.info.form or "%H" in date.info.form for date in self.dates)
        return kind not in _ELSEWHERE

    def values_of(self, column: Column) -> list[str]:
        """Return the known values of a column, the most frequent first; empty if there are too many."""
        return column.info.values or indexed_values(self.info, column.name)

    def column(self, name: str) -> Column:
        """Return the column with a name. Raises KeyError."""
        return next(column for column in self.columns if column.name == name)

    @cached_property
    def _spelling_candidates(self) -> dict[tuple[str, int], list[str]]:
        """Names of the table, cues and adjectives by length and by first letter, or by second and third."""
        lex = lexicon()
        names = [key[0] for key in self.terms if len(key) == 1 and len(key[0]) >= 4 and key[0].isalpha()]
        cues = [
            key
            for key, meanings in lex.meanings.items()
            if any(m.kind in _CORRECTED and self.speaks(m.kind, m.value) for m in meanings)
        ]
        names += [key[0] for key in (*cues, *lex.adjectives) if len(key) == 1 and len(key[0]) >= 5]
        index: dict[tuple[str, int], list[str]] = defaultdict(list)
        for word in names:
            index[word[0], len(word)].append(word)
            index[word[1:3], len(word)].append(word)
        return index

    def like(self, misspelling: str) -> list[str]:
        """Return the words that a misspelled one may mean: of similar length, with the same start or the same letters after
        it.
        """
        lengths = range(-(-2 * len(misspelling) // 3), 3 * len(misspelling) // 2 + 1)
        starts = (misspelling[0], misspelling[:2], misspelling[1:3])
        buckets = [(start, length) for length in lengths for start in starts]
        return [word for bucket in buckets for word in self._spelling_candidates.get(bucket, ())]

    @cached_property
    def by_root(self) -> dict[str, list[Term]]:
        """Columns by the roots of their English words: Winner by `win`, Booked by by `book`."""
        index: dict[str, list[Term]] = defaultdict(list)
        for column in self.columns:
            units = units_of(normalized(BRACKETS.sub(" ", column.name)))
            for word in {unit.raw for unit in units if unit.is_word}:
                for root in roots(word) if len(word) >= 3 and word not in lexicon().stop else ():
                    index[root].append(Term("column", 0.65, column))
        return index

    def short_for(self, word: str) -> list[Term]:
        """Return the columns with a word that is a prefix of `word`: Vis of visibility."""
        abbreviations = (root for root in self.by_root if 3 <= len(root) <= 5 and len(word) >= len(root) + 3)
        return [term for root in abbreviations if word.startswith(root) for term in self.by_root[root]]

    def cells_within(self, word: str) -> list[Term]:
        """Return the cells with which a word starts: Herbi of herbivores."""
        keys = (word[:size] for size in range(4, len(word) - 2))
        return [term for key in keys for term in self.terms.get((key,), ()) if term.kind == "value"]

    @cached_property
    def called(self) -> list[str]:
        """Names of the table: their keys, with spaces between the units."""
        return [" ".join(key) for key, terms in self.terms.items() if any(t.kind == "table" for t in terms)]

    @cached_property
    def row_keys(self) -> set[Key]:
        """Names of this table's rows."""
        rows = ((key, term) for key, terms in self.terms.items() for term in terms if term.kind == "row")
        return {key for key, term in rows if term.strength > 0.5}

    @cached_property
    def quantity(self) -> Column | None:
        """Column with the number of things in a row: tickets of an order."""
        keys = (("quantity",), ("pieces",), ("tickets", "sold"), ("boxes",))
        terms = (term for word in keys for term in self.terms.get(word, ()) if term.strength >= 0.8)
        columns = (term.column for term in terms if term.kind == "column")
        return next((column for column in columns if column is not None and column.is_number), None)

    @cached_property
    def takings(self) -> tuple[Column, Column] | None:
        """Columns whose product is what was taken: pieces, and the price of a piece; None if a column has amounts itself."""
        pieces, prices = self._numbers_called("quantity"), self._numbers_called("price")
        has_amounts = any(map(self._numbers_called, ("amount", "sales", "revenue", "total")))
        is_clear = len(pieces) == len(prices) == 1 and pieces != prices and not has_amounts
        return (pieces[0], prices[0]) if is_clear else None

    def _numbers_called(self, word: str) -> list[Column]:
        terms = self.terms.get((word,), ())
        return [
            term.column for term in terms if term.kind == "column" and term.column and term.column.is_number
        ]

    @cached_property
    def numbers(self) -> list[Column]:
        return [c for c in self.columns if c.is_number and not c.is_id and not c.info.yes_no]

    @cached_property
    def wholes(self) -> dict[str, str]:
        """Value of each column that stands for the sum of its other values: 全国 of regions, `All` of kinds."""
        return {column.name: column.info.whole for column in self.columns if column.info.whole}

    def has_codes(self, name: str) -> bool:
        """Check whether a column has the codes of another one: both have the same whole."""
        return name in self.wholes and self.column(name).info.role == "id"

    @cached_property
    def row_id(self) -> Column | None:
        """First id: of the rows. Later ones are of other things, such as the customer of an order."""
        return next((column for column in self.columns if column.is_id), None)

    @cached_property
    def things(self) -> Column | None:
        """Column whose ids or names stand in several rows each: the rows are records of these."""
        roles = ("id", "name")
        named = [c for c in self.columns if c.is_id or c.info.role in roles or c.name.endswith("名前")]
        named = [c for c in named if not c.name.casefold().endswith(("code", "コード"))]
        return next((c for c in named if 1 < len(self.values_of(c)) < 0.8 * self.info.rows), None)

    @cached_property
    def steps(self) -> dict[str, str]:
        """Period of each column of dates that are all the first day of one."""
        return {column.name: column.info.step for column in self.columns if column.info.step}

    @cached_property
    def dates(self) -> list[Column]:
        return [column for column in self.columns if column.is_date]


def indexed_values(table: TableInfo, column: str) -> list[str]:
    """Return the known values of a text column, the most frequent first; empty without an index."""
    return list(table.index().get(column, ())[:MAX_INDEXED]) if table.index is not None else []
