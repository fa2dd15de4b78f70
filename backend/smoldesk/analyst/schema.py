"""Terms of the tables and the building: what columns, values, tables and rooms are called, each with how sure it is."""

import re
from collections import OrderedDict, defaultdict
from dataclasses import dataclass, field, replace
from itertools import product

from smoldesk.analyst.catalogue import Catalogue, ColumnInfo, TableInfo
from smoldesk.analyst.lexicon import Lexicon, lexicon
from smoldesk.analyst.units import is_japanese, key_of, normalized, words_of

BRACKETS = re.compile(r"[(\[（【].*?[)\]）】]|[#?*]")
MOST_INDEXED = 20_000
Key = tuple[str, ...]
_NOT_OF_TABLES = (
    "dir",
    "colour",
    "icon",
    "draw",
    "people",
    "help",
    "greet",
    "unit",
    "beyond",
    "way",
    "errand",
)


@dataclass(frozen=True)
class Column:
    """A column of a table, as mentions and queries name it."""

    table: str
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
    """What a phrase stands for: `kind` column, value, table, row or room; how strong: 1.0 for its whole name."""

    kind: str
    strength: float
    column: Column | None = None
    value: str = ""


@dataclass
class TableSchema:
    """One table and its terms."""

    info: TableInfo
    columns: list[Column]
    terms: dict[Key, list[Term]] = field(default_factory=lambda: defaultdict(list))
    floor: str = ""
    """The floor whose rooms a column names; empty without such a column."""
    room_column: str = ""
    selected: tuple[tuple[str, str], ...] = ()
    """Rooms that the person chose on the map, each by its floor and name."""

    def speaks(self, kind: str, value: str) -> bool:
        """Whether a meaning of the lexicon can belong to a question about this table."""
        if kind == "map":
            return bool(self.room_column) and value in ("highlight", "map", "play")
        if kind == "noun":
            return value == "data"
        return kind not in _NOT_OF_TABLES

    def column(self, name: str) -> Column:
        """The column of a name. Raises KeyError."""
        return next(column for column in self.columns if column.name == name)

    @property
    def numbers(self) -> list[Column]:
        return [one for one in self.columns if one.is_number and not one.is_id and not one.info.yes_no]

    @property
    def dates(self) -> list[Column]:
        return [one for one in self.columns if one.is_date]


def schema_of(table: TableInfo) -> TableSchema:
    """The terms of a table."""
    lex = lexicon()
    columns = [Column(table.name, info, info.name, _unit(info.name, lex)) for info in table.columns]
    made = TableSchema(table, columns)
    parts: dict[Key, set[str]] = defaultdict(set)
    for column in columns:
        for key, strength in _names(column.name, lex):
            made.terms[key].append(Term("column", strength, column))
        for key in _parts(column.name):
            parts[key].add(column.name)
    for key, names in parts.items():
        known_as = max((one.strength for one in made.terms.get(key, ())), default=0.0)
        if known_as < 0.85 and len(names) <= 2:
            for name in names:
                begins = len(names) == 1 and key_of(name)[: len(key)] == key
                strength = 0.82 if begins and 0 < known_as < 0.82 else 0.6 if len(names) == 1 else 0.5
                made.terms[key].append(Term("column", strength, made.column(name)))
    measured: dict[str, list[Column]] = defaultdict(list)
    for column in columns:
        if column.is_number and column.unit and not column.is_id:
            measured[column.unit].append(column)
    for words, unit in lex.units.items():  # total km, minutes by member: the one column of that unit
        if len(measured.get(unit, ())) == 1 and words not in made.terms and unit not in ("percent",):
            made.terms[words].append(Term("column", 0.65, measured[unit][0]))
    for column in columns:
        _add_values(made, column, lex)
    _add_table(made, lex)
    return made


def _unit(header: str, lex: Lexicon) -> str:
    inside = re.findall(r"[(\[（【](.*?)[)\]）】]", header)
    for one in [*inside, re.split(r"[_\s]", header)[-1]]:
        unit = lex.units.get(key_of(one)) or lex.units.get(key_of(re.split(r"[/・\s]", one)[0]))
        if unit:
            return unit
    return ""


def _names(header: str, lex: Lexicon) -> list[tuple[Key, float]]:
    """Keys that a column is known by as a whole, with their strengths."""
    whole, plain = key_of(header), key_of(BRACKETS.sub(" ", normalized(header)))
    found: dict[Key, float] = {}

    def add(key: Key, strength: float) -> None:
        if key and found.get(key, 0) < strength:
            found[key] = strength

    add(whole, 1.0)
    add(key_of(BRACKETS.sub(" ", normalized(header)), camel=False), 1.0)
    add(plain, 1.0)
    if len(plain) > 1 and plain[-1:] in lex.units and not is_japanese(header):
        plain = plain[:-1]
        add(plain, 0.97)
    for ending in lex.endings:
        if len(plain) > len(ending) and plain[-len(ending) :] == ending:
            add(plain[: -len(ending)], 0.85)
    longer = [_longer(word, lex) for word in plain]
    if any(len(words) > 1 for words in longer):
        for spelled in product(*longer):
            key = tuple(part for word in spelled for part in key_of(word))
            add(key, 0.95)
            for word in lex.concept_words(key):
                add(word, 0.8)
            for size in range(1, len(key)):
                add(key[-size:], 0.6)
                for word in lex.concept_words(key[-size:]):
                    add(word, 0.55)
    for number in lex.concept_of.get(plain, ()):
        later = lex.concepts[number].index(
            plain
        )  # of two columns of one concept the one with its first word is meant
        for word in lex.concepts[number]:
            add(word, 0.8 - 0.1 * min(later, 3))
    if not is_japanese(header):
        for size in range(1, len(plain)):
            for word in lex.concept_words(plain[-size:]):
                add(word, 0.55)
    else:
        for at in range(1, len(plain) - 1):
            for word in lex.concept_words(plain[at:]) | lex.concept_words(plain[: len(plain) - at]):
                add(word, 0.55)
    return list(found.items())


def _longer(word: str, lex: Lexicon) -> list[str]:
    """A word of a header and what it is short for."""
    return [word, *lex.abbreviations.get(word, [])[:2]]


def _parts(header: str) -> set[Key]:
    """Content words inside a header of several."""
    plain = normalized(BRACKETS.sub(" ", header))
    if is_japanese(plain):
        words = [plain[start:end] for start, end, part in words_of(plain) if part == "名詞"]
        found = {key_of(word) for word in words if len(word) >= 2}
        found |= {key_of("".join(words[:count])) for count in range(1, len(words))}
        found |= {key_of("".join(words[count:])) for count in range(1, len(words))}
        return {key for key in found if len(key) >= 2}
    keys = key_of(plain)
    return {(one,) for one in keys if len(one) > 2 and not one.isdigit()} if len(keys) > 1 else set()


def _add_values(made: TableSchema, column: Column, lex: Lexicon) -> None:
    info = column.info
    if info.kind == "bool" or info.yes_no or column.is_date:
        return
    values = list(info.values)
    if info.kind == "text" and made.info.index is not None and not values:
        values = indexed_values(made.info, info.name)
    if info.kind != "text":
        return
    words: dict[Key, set[str]] = defaultdict(set)
    for value in values:
        key = key_of(value)
        if not key:
            continue
        short = len(key) == 1 and len(key[0]) == 1 and (key[0].isascii() or key in lex.units)  # 日 of 雨の日
        for one in {key, key_of(value, camel=False)}:
            made.terms[one].append(Term("value", 0.4 if short else 1.0, column, value))
        for group in lex.value_concepts:
            if key in group:
                for word in group:
                    if word != key:
                        made.terms[word].append(Term("value", 0.75, column, value))
        for word in lex.concept_words(key):
            if word != key:
                made.terms[word].append(Term("value", 0.6, column, value))
        if is_japanese(value):
            if 3 <= len(value) <= 5 and re.fullmatch(r"[\u3400-\u9fff]+", value):
                words[key_of(value[:2])].add(value)  # 田中 of 田中太郎
            for ending in lex.value_endings:
                if value.endswith(ending) and len(value) - len(ending) >= 2:
                    words[key_of(value.removesuffix(ending))].add(value)
        elif len(key) > 1:
            for one in key:
                if len(one) > 2 and not one.isdigit():
                    words[(one,)].add(value)
    rows = set(key_of(made.info.name))
    for key, named in words.items():
        if len(named) <= 3 and not set(key) & rows:
            for value in named:
                made.terms[key].append(Term("value", 0.7 if len(named) == 1 else 0.55, column, value))


def indexed_values(table: TableInfo, column: str) -> list[str]:
    """The known values of a column of text, the most frequent first; none where the table has no index."""
    if table.index is None:
        return []
    for one in table.index().columns:
        if one.name == column:
            return [] if one.whole else list(one.values[:MOST_INDEXED])
    return []


def _add_table(made: TableSchema, lex: Lexicon) -> None:
    name = made.info.name
    key = key_of(name)
    shared = any(term.kind == "column" and term.strength >= 0.75 for term in made.terms.get(key, ()))
    made.terms[key].append(
        Term("table", 0.72 if shared else 1.0)
    )  # a column of the table's own name is meant
    if made.info.file and not shared:
        made.terms[key_of(made.info.file)].append(Term("table", 1.0))
    for first in range(len(key)):
        for end in range(first + 1, len(key) + 1):
            if len(key[first]) > 2 or (is_japanese(name) and end - first > 1):
                made.terms[key[first:end]].append(Term("row", 0.75))
    for column in made.columns:  # ids name the rows: Order ID, 患者ID
        if column.is_id:
            for ending in lex.endings:
                plain = key_of(BRACKETS.sub(" ", column.name))
                if len(plain) > len(ending) and plain[-len(ending) :] == ending:
                    made.terms[plain[: -len(ending)]].append(Term("row", 0.9))
    for word in lex.concept_words(key) - {key}:
        made.terms[word].append(Term("table", 0.9))
    for table, nouns in lex.rows_of.items():
        for noun in nouns if table in name.casefold() else ():
            made.terms[noun].append(Term("row", 0.9))
    for noun in lex.row_nouns:
        made.terms[noun].append(Term("row", 0.5))


@dataclass
class Known:
    """Everything a request may name in one chat."""

    catalogue: Catalogue
    tables: list[TableSchema]

    @property
    def own(self) -> list[TableSchema]:
        """The chat's own tables; without any, all there are."""
        return [one for one in self.tables if one.info.place == 0] or self.tables


_KEPT: OrderedDict[tuple[object, ...], tuple[object, TableSchema]] = OrderedDict()
MOST_KEPT = 64


def _schema(table: TableInfo, catalogue: Catalogue) -> TableSchema:
    """The schema of a table, kept as long as nothing of the table changes."""
    columns = tuple((one.name, one.kind, tuple(one.values), one.form, one.span) for one in table.columns)
    key = (table.name, table.load, table.rows, table.place, columns, tuple(catalogue.room_names))
    index = table.index() if table.index is not None else None
    held = _KEPT.get(key)
    if held is None or held[0] is not index:
        made = schema_of(table)
        made.floor, made.room_column = _rooms(made, catalogue)
        _KEPT[key] = held = (index, made)
        while len(_KEPT) > MOST_KEPT:
            _KEPT.popitem(last=False)
    _KEPT.move_to_end(key)
    return held[1]


def _rooms(schema: TableSchema, catalogue: Catalogue) -> tuple[str, str]:
    """The floor whose rooms a column of a table names, and the column; empty without one."""
    floors = [catalogue.current_floor, *catalogue.rooms]
    for floor in dict.fromkeys(floors):
        rooms = set(catalogue.rooms.get(floor, ()))
        for column in schema.columns:
            values = set(column.info.values or indexed_values(schema.info, column.name))
            if column.info.kind == "text" and values and 2 * len(values & rooms) >= len(values):
                return floor, column.name
    return "", ""


def known(catalogue: Catalogue, selected: tuple[tuple[str, str], ...] = ()) -> Known:
    """The schemas of a catalogue's tables, with the rooms that are selected."""
    schemas = [_schema(table, catalogue) for table in catalogue.tables]
    if selected:
        schemas = [replace(schema, selected=selected) for schema in schemas]
    return Known(catalogue, schemas)
