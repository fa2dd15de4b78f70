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
)
from backend.builtin.words import key

_CUE_NAMES = """
agg op noun per grain time and or vs not without with which cmp range top sort plot follow high low opposite
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
    stray: bool = False

    def cue(self, kind: str) -> str | None:
        """The value of its cue of that kind, when the mention was read as a cue."""
        plain = self.column is None and self.number is None and not self.unit and not self.stray
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
    scores = {
        table.name: _score(mentions, table.name)
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
    if mention.all(ColumnRef) or mention.all(ValueRef):
        return []
    named = [ref.table for ref in mention.all(TableRef)]
    return [table for table in named if key(table) == key(mention.text)] or named


def _score(mentions: tuple[Mention, ...], table: str) -> tuple[int, float]:
    covered, strength = 0, 0.0
    for mention in mentions:
        here = [ref.strength for ref in mention.all(ColumnRef) if ref.table == table]
        here += [ref.strength for ref in mention.all(ValueRef) if ref.table == table and not ref.needs_column]
        here += [1.0 for noun in mention.all(RowNoun) if noun.table == table]
        covered += bool(here)
        strength += max(here, default=0.0)
    return covered, strength


def resolve(mentions: tuple[Mention, ...], table: TableInfo) -> list[Item]:
    """What each mention is in that table. A stray is a word that has no place in it."""
    columns = [_best_column(mention, table) for mention in mentions]
    aggregated = any(mention.cue("agg") not in (None, "count") for mention in mentions)
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
    if number := mention.first(Number):
        return Item(mention, number=number.value)
    if (unit := mention.first(Unit)) and before and before.number is not None:
        return Item(mention, unit=unit.name)
    if after and after.first(Number) and mention.cue("op") == "head":
        return Item(mention)
    column_strength = max((r.strength for r in mention.all(ColumnRef) if r.table == table.name), default=0.0)
    values = [
        ref
        for ref in mention.all(ValueRef)
        if ref.table == table.name
        and (not ref.needs_column or (ref.column in neighbours and mention.text == ref.value))
    ]
    value = max(values, key=lambda ref: ref.strength, default=None)
    has_cue = mention.says(*_DATA_CUES)
    if value and value.strength >= column_strength and not mention.says(*_OTHER_SENSES):
        return Item(mention, column=table.column(value.column), value=value.value)
    if any(noun.table in ("", table.name) for noun in mention.all(RowNoun)) and not (column and aggregated):
        return Item(mention, rows=True)
    if column and not (has_cue and column_strength < _EXACT) and not mention.says(*_OTHER_SENSES):
        return Item(mention, column=column)
    if has_cue or mention.all(TableRef) or mention.first(FileName) or mention.first(Quoted):
        return Item(mention)
    if column:
        return Item(mention, column=column)
    return Item(mention, stray=not mention.all(Skip) and mention.cue("map") not in ("map", "rooms"))


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
