"""How many rows each thing has: the things and the rows are read as requests of their own, and put together."""

import re

from smoldesk.analyst.english.numbers_english import numbers_in_english
from smoldesk.analyst.intents import (
    DataIntent,
    Filter,
    Intent,
    Reading,
    Refusal,
)
from smoldesk.analyst.japanese.numbers_japanese import numbers_in_japanese
from smoldesk.analyst.meanings import ColumnRef
from smoldesk.analyst.tables.catalogue import TableInfo
from smoldesk.analyst.tables.column_names import concepts
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.talk.read_looks import Read, own_word
from smoldesk.analyst.words.numbered import Numbered
from smoldesk.analyst.words.text import (
    inflections,
    is_japanese,
    key,
    name_words,
    tidy,
)

_FEW = 5
"""`more than one refund`, where refunds are amounts: so few are never meant of money."""
_MONEY = frozenset(("amount", "price", "cost", "sales", "fee", "discount", "income"))


def read_numbers(text: str, lexicon: Lexicon, previous: Intent | None, read: Read) -> Reading | None:
    """The reading of a request about how many rows each thing has; None for any other, which is then read by itself."""
    said = tidy(text).rstrip("?？!！。. ")
    language = "ja" if is_japanese(said) else "en"
    for numbered in numbers_in_japanese(said) if language == "ja" else numbers_in_english(said):
        if (numbered.word and own_word(numbered.word, lexicon)) or _is_figure(numbered.measure, lexicon):
            continue
        if numbered.late and not isinstance((plain := read(text, previous)).intent, Refusal):
            return plain
        intent = _put_together(numbered, lexicon, previous, read)
        if intent is not None:
            return Reading(intent, language)
    return None


def _is_figure(word: str, lexicon: Lexicon) -> bool:
    """Whether a column of numbers is called so: 在庫が3件以上ある is about its cells."""
    numbers = {
        (table.name, column.name)
        for table in lexicon.catalogue.tables
        for column in table.columns
        if column.kind == "number" and not column.is_flag and not column.is_id and not column.yes_no
    }
    known = lexicon.terms.get(key(word), ()) if word else ()
    return any(isinstance(one, ColumnRef) and (one.table, one.column) in numbers for one in known)


def _put_together(numbered: Numbered, lexicon: Lexicon, previous: Intent | None, read: Read) -> Intent | None:
    things = next((one for said in numbered.things if (one := _things(said, lexicon, previous, read))), None)
    if things is None:
        return None
    rows = next((one for said in numbered.rows if (one := _rows(said, things, read))), None)
    told = next((one for said in numbered.told if (one := _rows(said, things, read))), None)
    if rows is None and told is None:
        return _few_of_money(numbered, things, read)
    says_more = told is not None and _says_more(told, rows)
    if not numbered.usual and not says_more and (told is None or rows is None):
        return Refusal("unknown", (numbered.verb,), table=things.table) if numbered.verb else None
    counted = told if says_more or rows is None else rows
    if numbered.kinds and not (counted and counted.measures):
        return None
    if counted is None or {*counted.measures} & {*things.groups}:
        return None
    if numbered.per_thing.asked == "share" and counted.filters:
        return None
    return DataIntent(
        things.table,
        measures=counted.measures,
        aggregates=("nunique",) if counted.measures else ("count",),
        groups=things.groups,
        date=things.date,
        grain=things.grain,
        filters=tuple(dict.fromkeys((*things.filters, *counted.filters))),
        joined=things.joined,
        per_thing=numbered.per_thing,
    )


def _asked(said: str, previous: Intent | None, read: Read) -> DataIntent | None:
    """The intent of one part; what was asked before only says which table is meant."""
    intent = read(said, None).intent
    if isinstance(intent, Refusal) and intent.reason == "which_table" and previous is not None:
        intent = read(said, previous).intent
    if not isinstance(intent, DataIntent) or intent.plot or intent.save or intent.target or intent.sides:
        return None
    return intent


def _things(said: str, lexicon: Lexicon, previous: Intent | None, read: Read) -> DataIntent | None:
    """The column, or the span of time, whose values are the things; None where each row is a thing of its own."""
    one = _asked(said, previous, read)
    table = one and next((each for each in lexicon.catalogue.tables if each.name == one.table), None)
    if one is None or table is None:
        return None
    if one.operation == "distinct" and len(one.measures) == 1:
        groups, date, grain = one.measures, "", ""
    elif one.aggregates == ("count",) and len(one.groups) + bool(one.grain) == 1:
        groups, date, grain = one.groups, one.date, one.grain
    else:
        return None
    if groups and not _comes_again(groups[0], table, said):
        return None
    return DataIntent(
        table.name, groups=groups, date=date, grain=grain, filters=one.filters, joined=one.joined
    )


def _comes_again(name: str, table: TableInfo, said: str) -> bool:
    """Whether a thing has rows of its own; numbers are things only where they are called by their column's name."""
    column = next((one for one in table.columns if one.name == name), None)
    if column is not None and column.kind == "date":
        return False
    if column is not None and column.kind == "number" and not set(name_words(name)) & set(_words(said)):
        return False
    if column is None or (column.is_id and not column.values):
        return column is None
    return not column.values or len(column.values) < table.rows


def _words(said: str) -> list[str]:
    return [
        form
        for word in re.findall(r"[a-z]+|[^a-z\s]+?(?=は何種類|ごと|別)", key(said))
        for form in inflections(word)
    ]


def _rows(said: str, things: DataIntent, read: Read) -> DataIntent | None:
    """The rows, or the different values, that are counted."""
    one = _asked(said, things, read)
    if one is None or one.table != things.table or one.groups or one.date or one.order:
        return None
    if one.operation == "distinct" and len(one.measures) == 1:
        return one
    plain = one.operation == "aggregate" and one.aggregates == ("count",) and not one.measures
    return one if plain else None


def _says_more(told: DataIntent, rows: DataIntent | None) -> bool:
    """Whether the verb is a condition of its own, as `cancelled` is; a day that is filled in is none."""
    known: tuple[Filter, ...] = rows.filters if rows else ()
    return any(one not in known and one.part != "blank" for one in told.filters)


def _few_of_money(numbered: Numbered, things: DataIntent, read: Read) -> Refusal | None:
    """`customers with more than one refund`: nobody means an amount above one."""
    if numbered.per_thing.figure or numbered.per_thing.number > _FEW or not numbered.rows:
        return None
    one = _asked(numbered.rows[0], things, read)
    if one is None or not one.measures or one.aggregates != ("sum",):
        return None
    of_money = _MONEY & set(concepts(one.measures[0])) or any(sign in one.measures[0] for sign in "$£€¥円")
    return (
        Refusal("too_much", (numbered.rows[0].removeprefix("how many "),), table=one.table)
        if of_money
        else None
    )
