"""Mentions get one meaning each: which table a request speaks of, and what every word is in that table."""

from dataclasses import dataclass

from backend.builtin.catalogue import Catalogue, ColumnInfo, TableInfo
from backend.builtin.glossary import UNIT_CONCEPTS
from backend.builtin.intents import Refusal
from backend.builtin.lexicon import concepts, units
from backend.builtin.meanings import (
    ColumnRef,
    FileName,
    Mention,
    Number,
    Quoted,
    RowNoun,
    Skip,
    TableRef,
    Unit,
    Unknown,
    ValueRef,
    When,
)
from backend.builtin.value_index import bare
from backend.builtin.words import key

_CUE_NAMES = """
agg op change rule trendline noun per grain time and or vs not without with which cmp range top sort plot
follow high low opposite
"""
_DATA_CUES = frozenset(_CUE_NAMES.split())
_EXACT = 2.5
_OTHER_SENSES = frozenset(("and", "or", "not", "per", "cmp", "range", "which", "with", "without", "vs"))


@dataclass(frozen=True)
class Item:
    """One mention inside one table: a column, a cell value, a number, a row noun, or cues only."""

    mention: Mention
    column: ColumnInfo | None = None
    value: str | None = None
    rows: bool = False
    number: float | None = None
    unit: str = ""
    when: When | None = None
    stray: bool = False

    def cue(self, kind: str) -> str | None:
        """The value of its cue of that kind, when the mention was read as a cue."""
        plain = (
            self.column is None
            and self.number is None
            and not self.unit
            and not self.stray
            and self.when is None
        )
        return self.mention.cue(kind) if plain else None

    def is_cue(self, *kinds: str) -> bool:
        return any(self.cue(kind) is not None for kind in kinds)

    @property
    def is_column(self) -> bool:
        return self.column is not None and self.value is None


def choose_table(mentions: tuple[Mention, ...], catalogue: Catalogue, usual: str = "") -> TableInfo | Refusal:
    """The table a request speaks of: named, or covering most of its words; `usual` wins a tie."""
    named = list(dict.fromkeys(name for mention in mentions for name in _tables_named(mention)))
    if len(named) == 1:
        return catalogue.table(named[0])
    own = [table for table in catalogue.tables if not table.bundled and not table.produced]
    scores = {
        table.name: _score(mentions, table.name, 2.9 if own and table.bundled else 0.0)
        for table in catalogue.tables
        if not named or table.name in named
    }
    most = max(covered for covered, _ in scores.values())
    best = [catalogue.table(name) for name, (covered, _) in scores.items() if covered == most]
    if any(mention.says("time", "grain") for mention in mentions):  # only a table with dates can tell
        best = [table for table in best if any(column.kind == "date" for column in table.columns)] or best
    if any(table.name == usual for table in best):
        return catalogue.table(usual)
    best = [table for table in best if table.place == min(one.place for one in best)]
    if len(best) > 1 and most > 0:
        strongest = max(scores[table.name][1] for table in best)
        best = [table for table in best if scores[table.name][1] == strongest]
    if len(best) == 1:
        return best[0]
    return Refusal("which_table", choices=tuple(table.name for table in best))


def _tables_named(mention: Mention) -> list[str]:
    """Tables that a name may mean, those of exactly that name first; none if it is a column or a cell value as well."""
    called = [ref.table for ref in mention.all(TableRef) if key(ref.table) == key(mention.text)]
    if called and all(ref.strength < 2.9 for ref in mention.all(ColumnRef)) and not mention.all(ValueRef):
        return called
    if mention.all(ColumnRef) or mention.all(ValueRef):
        return []
    named = [ref.table for ref in mention.all(TableRef)]
    return [table for table in named if key(table) == key(mention.text)] or named


def _score(mentions: tuple[Mention, ...], table: str, least: float = 0.0) -> tuple[int, float]:
    """How many mentions a table covers and how well. Beside a person's own tables a bundled one needs its very names."""
    covered, strength = 0, 0.0
    for mention in mentions:
        here = [ref.strength for ref in mention.all(ColumnRef) if ref.table == table]
        here += [ref.strength for ref in mention.all(ValueRef) if ref.table == table and not ref.needs_column]
        if least and not any(
            ref.table == table and ref.strength >= least for one in mentions for ref in one.all(ColumnRef)
        ):
            here = []
        here += [1.0 for noun in mention.all(RowNoun) if noun.table == table]
        covered += bool(here)
        strength += max(here, default=0.0)
    return covered, strength


def resolve(mentions: tuple[Mention, ...], table: TableInfo) -> list[Item]:
    """What each mention is in that table. A stray is a word that has no place in it."""
    columns = [_best_column(mention, table) for mention in mentions]
    aggregated = any(mention.cue("agg") not in (None, "count", "share") for mention in mentions)
    items: list[Item] = []
    for index, mention in enumerate(mentions):
        before = items[-1] if items else None
        after = mentions[index + 1] if index + 1 < len(mentions) else None
        neighbours = {column.name for column in columns[max(0, index - 1) : index + 2] if column}
        items.append(_resolve_one(mention, table, columns[index], neighbours, before, after, aggregated))
    return items


def _best_column(mention: Mention, table: TableInfo) -> ColumnInfo | None:
    refs = [ref for ref in mention.all(ColumnRef) if ref.table == table.name]
    return table.column(max(refs, key=lambda ref: ref.strength).column) if refs else None


def _resolve_one(
    mention: Mention,
    table: TableInfo,
    column: ColumnInfo | None,
    neighbours: set[str],
    before: Item | None,
    after: Mention | None,
    aggregated: bool,
) -> Item:
    when, number = mention.first(When), mention.first(Number)
    if when or number:
        return Item(mention, number=number.value if number else None, when=when)
    if (unit := mention.first(Unit)) and before and before.number is not None:
        return Item(mention, unit=unit.name)
    if after and after.first(Number) and mention.cue("op") == "head":
        return Item(mention)
    column_strength = max((r.strength for r in mention.all(ColumnRef) if r.table == table.name), default=0.0)
    values = [
        ref
        for ref in mention.all(ValueRef)
        if ref.table == table.name
        and (
            not ref.needs_column
            or (ref.column in neighbours and mention.text == ref.value)
            or _is_code(mention.text, ref.value)
        )
    ]
    value = max(values, key=lambda ref: ref.strength + _direction(mention, ref), default=None)
    rate = (
        mention.cue("agg") == "share" and aggregated and column and mention.text.lower() in ("rate", "rates")
    )
    if rate:
        return Item(mention, column=column)
    has_cue = mention.says(*_DATA_CUES)
    if value and value.strength >= column_strength and not mention.says(*_OTHER_SENSES):
        return Item(mention, column=table.column(value.column), value=value.value)
    exact = key(mention.text) in (key(table.name), key(table.file))
    figure = column is not None and column.kind == "number" and aggregated
    if exact and mention.all(TableRef) and column_strength < _EXACT and not figure:
        return Item(mention)
    row = any(noun.table in ("", table.name) for noun in mention.all(RowNoun))
    if row and not (column and aggregated and column_strength >= 2 and not column.is_id):
        return Item(mention, rows=True)
    if column and not (has_cue and column_strength < _EXACT) and not mention.says(*_OTHER_SENSES):
        return Item(mention, column=column)
    if has_cue or mention.all(TableRef) or mention.first(FileName) or mention.first(Quoted):
        return Item(mention)
    if column:
        return Item(mention, column=column)
    return Item(
        mention,
        stray=not mention.all(Skip) and mention.cue("map") not in ("map", "rooms") and mention.text != "どこ",
    )


_STARTS = ("dep", "start", "from", "origin", "departure", "出発", "乗車", "開始")
_ENDS = ("arr", "destination", "end", "to", "dest", "arrival", "到着", "降車", "終了")


def _direction(mention: Mention, ref: ValueRef) -> float:
    """Tells `from the zoo` and `to the zoo` apart where two columns hold the same places."""
    lead = mention.lead.removesuffix("the ").rstrip()
    words = key(ref.column)
    if lead.endswith((" to", " at", "ending at", "into")) and any(one in words.split() for one in _ENDS):
        return 1.0 if not lead.endswith("starting at") else 0.0
    if lead.endswith(("from", "starting at", "leaving")) and any(one in words.split() for one in _STARTS):
        return 1.0
    return 0.0


def ambiguous(mention: Mention, table: TableInfo, named: set[str]) -> tuple[str, ...]:
    """The columns that hold the same cell value when nothing says which is meant: `rides at the zoo`."""
    text = bare(mention.read_as or key(mention.text))
    refs = [ref for ref in mention.all(ValueRef) if ref.table == table.name and bare(key(ref.value)) == text]
    columns = list(dict.fromkeys(ref.column for ref in refs))
    alike = len({tuple(sorted(table.column(name).values)) for name in columns}) == 1
    many = any(not table.column(name).values for name in columns)  # of which it is not known that they differ
    if (
        len(columns) < 2
        or not (alike or many)
        or named & set(columns)
        or any(_direction(mention, ref) for ref in refs)
    ):
        return ()
    return tuple(columns)


def guessed(mention: Mention, table: TableInfo) -> tuple[str, ...]:
    """The values that may be meant when it is not certain which: `Tanaka` where there are several."""
    refs = [ref for ref in mention.all(ValueRef) if ref.table == table.name and ref.guess]
    return tuple(dict.fromkeys(ref.value for ref in refs))


def _is_code(text: str, value: str) -> bool:
    """`8B`, `UK`: two characters are believed when they are written as in the table."""
    return text == value and len(text) == 2 and (text.isupper() or not text.isalpha())


def stray_words(items: list[Item]) -> list[str]:
    """Words of the request that have no place in the table, unknown ones first."""
    unknown = [item.mention.text for item in items if item.mention.first(Unknown)]
    return unknown or [item.mention.text for item in items if item.stray]


def unit_column(unit: str, table: TableInfo) -> ColumnInfo | None:
    """The one column of a table that is measured in that unit or speaks of what the unit measures."""
    named = [column for column in table.columns if unit in units(column.name)]
    if len(named) != 1 and unit in UNIT_CONCEPTS:
        return concept_column(UNIT_CONCEPTS[unit], table)
    return named[0] if len(named) == 1 else None


def concept_column(concept: str, table: TableInfo) -> ColumnInfo | None:
    """The column of a table that answers best to a concept of the glossary, or None."""
    ranked = [
        (names.index(concept), place, column)
        for place, column in enumerate(table.columns)
        if concept in (names := concepts(column.name))
    ]
    return min(ranked, key=lambda entry: entry[:2])[2] if ranked else None
