"""Mentions get one meaning each: which table a request speaks of, and what every word is in that table."""

import re
from dataclasses import dataclass

from smoldesk.analyst.meanings import (
    ColumnRef,
    Cue,
    FileName,
    Fragment,
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
from smoldesk.analyst.reading.plot_words import names_no_plot
from smoldesk.analyst.tables.adding_up import adds_up
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import (
    graded_concepts,
    suits,
    unit_of,
    units,
)
from smoldesk.analyst.tables.row_names import row_synonyms
from smoldesk.analyst.tables.value_index import bare
from smoldesk.analyst.words.glossary import ADDITIVE, UNIT_CONCEPTS
from smoldesk.analyst.words.japanese import PEOPLE
from smoldesk.analyst.words.text import (
    inflections,
    is_japanese,
    key,
    name_words,
)
from smoldesk.analyst.words.words_of_size import ranks_by_size

_CUE_NAMES = """
agg op change rule trendline noun per grain time and or vs not without with which cmp range top sort end bins plot
follow back adds high low more calc quart opposite idiom unit people light verb deed pad
"""
_DATA_CUES = frozenset(_CUE_NAMES.split())
_EXACT = 2.5
_OWN = 2.9
_SYNONYM = 1.7
_BY_UNIT = 0.4
"""How surely a column answers to a concept by nothing but its unit."""
_MOST = ("most", "the most", "fewest", "the fewest")
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


def resolve(mentions: tuple[Mention, ...], table: TableInfo) -> list[Item]:
    """What each mention is in that table. A stray is a word that has no place in it."""
    columns = [_best_column(mention, table) for mention in mentions]
    aggregated = any(
        mention.cue("agg") not in (None, "count", "share")
        and not (index and mention.first(Unit) and mentions[index - 1].first(Number))  # 20 min
        for index, mention in enumerate(mentions)
    )
    ranked = any(mention.says("top", "sort", "which") for mention in mentions)
    items: list[Item] = []
    owner = ""
    for index, mention in enumerate(mentions):
        owner = _owner(mention, columns[index], owner, table)
        before = items[-1] if items else None
        after = mentions[index + 1] if index + 1 < len(mentions) else None
        neighbours = {column.name for column in columns[max(0, index - 1) : index + 2] if column}
        if index > 1 and mentions[index - 1].says("not") and (denied := columns[index - 2]):  # flag is not ok
            neighbours.add(denied.name)
        items.append(
            _resolve_one(mention, table, columns[index], neighbours, before, after, aggregated, ranked, owner)
        )
    return items


def _owner(mention: Mention, column: ColumnInfo | None, owner: str, table: TableInfo) -> str:
    """到着地が山形市か福島市: the column that was named right before a cell, or before a list of cells."""
    if any(ref.table == table.name for ref in mention.all(ValueRef)) or mention.says("or", "and", "not"):
        return owner
    return column.name if column else ""


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
    ranked: bool = False,
    owner: str = "",
) -> Item:
    if mention.first(Fragment):
        return Item(mention)
    when, number = mention.first(When), mention.first(Number)
    if when or number:
        return Item(mention, number=number.value if number else None, when=when)
    if (unit := mention.first(Unit)) and before and before.number is not None:
        return Item(mention, unit=_unit_here(mention, unit, table))
    if (
        unit
        and not mention.says("grain", *_DATA_CUES)
        and not column
        and not _beside_its_column(mention, table, neighbours)
        and not _is_written_so(mention, table)
        and not any(noun.table == table.name for noun in mention.all(RowNoun))
    ):  # total km, daily kWh
        column = unit_column(unit.name, table)
        return Item(mention, column=column, stray=column is None)
    if after and after.first(Number) and mention.cue("op") in ("head", "tail"):
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
    value = max(
        values, key=lambda ref: ref.strength + _direction(mention, ref) + (ref.column == owner), default=None
    )
    rate = (
        mention.cue("agg") == "share" and aggregated and column and mention.text.lower() in ("rate", "rates")
    )
    if rate:
        return Item(mention, column=column)
    named = column_strength >= _SYNONYM or (column_strength > 0 and is_japanese(mention.text))
    named = named or (aggregated and column is not None and _is_figure_of(mention, column))
    cut = before is not None and before.is_cue("per") and mention.text.isascii()
    named = named or (cut and column is not None and column.kind == "text")  # hours by work, of `Work done`
    said_people = mention.text in PEOPLE or (mention.text.lower() == "people" and _is_number_asked(before))
    if said_people and not mention.all(ValueRef) and (counted := people_counted(table)):
        return Item(mention, column=counted)
    if column and column_strength >= _SYNONYM and _are_counted(mention, column, before):
        return Item(mention, column=column)
    if column and _most_of(mention, column, before):
        return Item(mention, column=column)
    if column and names_no_plot(mention, column, after):
        return Item(mention, column=column)
    has_cue = mention.says(*_DATA_CUES) and not (named and _only_ties(mention))
    if has_cue and _holds_count(mention, column, column_strength):
        return Item(mention, column=column)
    if value and value.strength >= column_strength and not mention.says(*_OTHER_SENSES):
        return Item(mention, column=table.column(value.column), value=value.value)
    exact = key(mention.text) in (key(table.name), key(table.file))
    figure = column is not None and column.kind == "number" and aggregated
    measured = (  # stock by warehouse
        column is not None
        and column.kind == "number"
        and bool(set(graded_concepts(column.name)) & ADDITIVE or _names_things(mention, column))
        and (column_strength >= _SYNONYM or _names_things(mention, column))
        and after is not None
        and after.says("per")
    )
    measured = measured or (  # with a bill over 60
        column is not None
        and column.kind == "number"
        and after is not None
        and after.says("cmp")
        and mention.lead.endswith(("with a ", "with an ", "have a ", "has a ", "had a ", "whose "))
    )
    nouns = [noun for noun in mention.all(RowNoun) if noun.table in ("", table.name)]
    if exact and mention.all(TableRef) and column_strength < _EXACT and not figure and not measured:
        return Item(mention, rows=any(noun.table == table.name and not noun.weak for noun in nouns))
    weak = bool(nouns) and all(noun.weak for noun in nouns)
    grouped = (after is not None and after.says("per")) or (
        before is not None and before.is_cue("per") and mention.text.isascii()
    )
    single = (
        before is not None and not aggregated and before.is_cue("top") and ranks_by_size(before.mention.text)
    )
    named = {ref.column for ref in after.all(ColumnRef) if ref.strength >= 2.8} if after else set[str]()
    single = single or (column is not None and column.name in named)  # 一番高い車の車種
    different = any(near is not None and near.cue("op") == "distinct" for near in (before, after))
    different = different and mention.all(ColumnRef) and not mention.text.isascii()
    if (
        any(noun.kinds for noun in nouns)
        and column is not None
        and (ranked or not after or different)
        and not single
    ):
        nouns = []  # 一番釣れた魚は, but 一番重い魚 is one of the rows
    elif single and column is not None and any(noun.kinds for noun in nouns):
        return Item(mention, rows=True)
    row = (
        bool(nouns)
        and not measured
        and not (
            weak and column and (grouped or (aggregated and not _are_rows(mention, column, column_strength)))
        )
    )
    row = row and not (weak and column and column_strength >= _EXACT)
    row = row and not (
        column and before and before.cue("agg") in _FIGURES and _is_the_only(mention, column, table)
    )
    row = row and not (
        column and column_strength >= _OWN and _names_things(mention, column) and not column.is_id
    )
    row = row and not (grouped and column and column_strength >= _OWN and _repeats(column, table))
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


def _are_rows(mention: Mention, column: ColumnInfo, strength: float) -> bool:
    """`average fee of permits`, of a column `Permit type`: the rows, which it only tells the kind of."""
    words, said = name_words(column.name), set(inflections(key(mention.text)))
    kinds = len(words) == 2 and words[0] in said and words[1] in ("type", "kind", "category", "class")
    return kinds and strength < _SYNONYM and column.kind == "text" and mention.text.isascii()


def _are_counted(mention: Mention, column: ColumnInfo, before: Item | None) -> bool:
    """`over 500 people`, `how many people per gig`: those whom a column counts."""
    if column.kind != "number" or mention.text.lower() not in ("people", "ppl") or before is None:
        return False
    return before.number is not None or before.is_cue("agg", "cmp", "top", "more")


def _is_number_asked(before: Item | None) -> bool:
    """`how many people visited`, `the fewest people`, of a column Visitors."""
    return before is not None and before.is_cue("agg", "top")


def _most_of(mention: Mention, column: ColumnInfo, before: Item | None) -> bool:
    """`the trips with the most sightings`, of a column `No. of sightings`: what it counts, not the rows."""
    if before is None or before.mention.text.lower() not in _MOST or not before.is_cue("top", "agg"):
        return False
    word = key(mention.text)
    return (
        word.endswith("s")
        and column.kind == "number"
        and not column.is_id
        and word in name_words(column.name)
    )


def _is_figure_of(mention: Mention, column: ColumnInfo) -> bool:
    """`average score` of a column `Score last test`: a verb elsewhere, the figure itself here."""
    return column.kind == "number" and key(mention.text) in name_words(column.name)


_FIGURES = ("mean", "median", "min", "max")


def _is_the_only(mention: Mention, column: ColumnInfo, table: TableInfo) -> bool:
    """`average exam` of a column `Exam score`, the only figure of the table that is called by the word."""
    word = key(mention.text)
    figures = [one for one in table.columns if one.kind == "number" and word in name_words(one.name)]
    return not word.endswith("s") and figures == [column] and not column.is_id


def _repeats(column: ColumnInfo, table: TableInfo) -> bool:
    """`takings per film`, of a column Film whose films come in several rows."""
    return column.kind == "text" and 0 < len(column.values) < table.rows


def _unit_here(mention: Mention, unit: Unit, table: TableInfo) -> str:
    """キロ is a length or a weight: the one that a column of the table is measured in."""
    names = [one.name for one in mention.all(Unit)]
    return next((name for name in names if unit_column(name, table)), unit.name)


def _names_things(mention: Mention, column: ColumnInfo) -> bool:
    """`units per picker`, of a column `Units Picked`: the things it counts, by the very word."""
    word = key(mention.text)
    return word.endswith("s") and word in name_words(column.name) and adds_up(column)


def _beside_its_column(mention: Mention, table: TableInfo, neighbours: set[str]) -> bool:
    """`kind is c`: a short cell value beside the name of its column is no unit."""
    return any(
        ref.table == table.name and ref.column in neighbours and ref.value == mention.text
        for ref in mention.all(ValueRef)
    )


def _is_written_so(mention: Mention, table: TableInfo) -> bool:
    """HR以外の部署: two capitals that are a cell as they stand are no hours."""
    capitals = len(mention.text) == 2 and mention.text.isalpha() and mention.text.isupper()
    return capitals and any(
        ref.table == table.name and ref.value == mention.text for ref in mention.all(ValueRef)
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


def _only_ties(mention: Mention) -> bool:
    """True for a word of the grammar that ties a condition to its rows and says nothing else: paid, 利用した."""
    return all(cue.kind in ("light", "verb", "deed", "pad", "unit") for cue in mention.all(Cue))


def guessed(mention: Mention, table: TableInfo) -> tuple[str, ...]:
    """The values that may be meant when it is not certain which: `Tanaka` where there are several."""
    refs = [ref for ref in mention.all(ValueRef) if ref.table == table.name and ref.guess]
    return tuple(dict.fromkeys(ref.value for ref in refs))


def _holds_count(mention: Mention, column: ColumnInfo | None, strength: float) -> bool:
    """`人数` where a column holds numbers of people: they are added up, the rows are not counted."""
    counted = mention.cue("agg") == "count" and mention.text.endswith("数")
    return counted and column is not None and column.kind == "number" and strength >= _SYNONYM


def people_counted(table: TableInfo) -> ColumnInfo | None:
    """The column that holds how many people came: `the most customers` are not the most rows there."""
    found = (concept_column(concept, table) for concept in ("passengers", "visitors", "guests"))
    return next(
        (column for column in found if column and column.kind == "number" and "同伴" not in column.name), None
    )  # who comes with the people of the rows


def _is_code(text: str, value: str) -> bool:
    """`8B`, `UK`: two characters are believed when they are written as in the table; `5k` also as 5K."""
    if len(text) == 2 and text[0].isdigit() and text[1].isalpha():
        return text.casefold() == value.casefold()
    return text == value and len(text) == 2 and (text.isupper() or not text.isalpha())


def row_nouns_of(items: list[Item], table: TableInfo) -> set[str]:
    """What the rows of a table are called, by its name, its ids and the row nouns of a request."""
    said = {item.mention.text.lower() for item in items if item.rows}
    named = set(row_synonyms(name_words(re.sub(r"\.\w{1,5}$", "", table.name))[-1]))
    numbered = {
        form
        for column in table.columns
        if column.is_id and (words := name_words(column.name))
        for form in row_synonyms(words[0])
    }
    return said | named | numbered


def stray_words(items: list[Item]) -> list[str]:
    """Words of the request that have no place in the table, unknown ones first."""
    unknown = [item.mention.text for item in items if item.mention.first(Unknown)]
    return unknown or [_with_noun(items, index) for index, item in enumerate(items) if item.stray]


def _with_noun(items: list[Item], index: int) -> str:
    """A stray with the Japanese column it is written on to: Dライン rather than D."""
    mention, after = items[index].mention, items[index + 1].mention if index + 1 < len(items) else None
    if after and after.start == mention.end and items[index + 1].column and not after.text.isascii():
        return mention.text + after.text
    return mention.text


def units_of(column: ColumnInfo) -> set[str]:
    """The units a column's name states."""
    return units(column.name)


def unit_column(unit: str, table: TableInfo) -> ColumnInfo | None:
    """The one column of a table that is measured in that unit or speaks of what the unit measures."""
    named = [column for column in table.columns if unit in units(column.name)]
    named = named or [column for column in table.columns if _begins_with(unit, column)]
    if len(named) > 1:
        concept = UNIT_CONCEPTS.get(unit, "")
        best = [column for column in named if graded_concepts(column.name).get(concept, 0.0) > _BY_UNIT]
        return best[0] if len(best) == 1 else None
    if not named and unit in UNIT_CONCEPTS:
        return concept_column(UNIT_CONCEPTS[unit], table)
    return named[0] if len(named) == 1 else None


def _begins_with(unit: str, column: ColumnInfo) -> bool:
    """Hours slept, kg harvested: the unit stands first in the name."""
    words = name_words(column.name)
    return (
        column.kind == "number"
        and len(words) > 1
        and unit_of(words[0]) == unit
        and words[0] not in ("no", "m")
    )


def concept_column(concept: str, table: TableInfo) -> ColumnInfo | None:
    """The column of a table that answers best to a concept of the glossary, or None."""
    ranked = [
        (-grades[concept], place, column)
        for place, column in enumerate(table.columns)
        if concept in (grades := graded_concepts(column.name))
        and suits(concept, column.kind)
        and not column.is_id
    ]
    return min(ranked, key=lambda entry: entry[:2])[2] if ranked else None
