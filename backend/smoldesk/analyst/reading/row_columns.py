"""Columns that name each row: `how many tickets` beside a column of ticket numbers counts rows, it does not list them."""

from dataclasses import replace

from smoldesk.analyst.meanings import ColumnRef
from smoldesk.analyst.reading.asked_rows import names_each, numbers_rows
from smoldesk.analyst.reading.resolve import Item
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.domains import domain_nouns
from smoldesk.analyst.words.text import inflections, key, name_words

_DATES = ("date", "day", "time", "on", "at", "month", "year")
_RUNNING = ("回", "話", "号", "巻", "便", "戦", "節", "通番", "連番", "番号", "番")
"""First columns that only count the rows up, by their whole name."""
_CUTS = ("per", "which", "vs", "without", "not", "cmp")


def rows_by_their_names(items: list[Item], table: TableInfo) -> list[Item]:
    """The items with plural names of such columns read as the rows, and rows asked for as `different` as their ids."""
    read: list[Item] = []
    for index, item in enumerate(items):
        before = items[index - 1] if index else None
        after = items[index + 1] if index + 1 < len(items) else None
        if (
            item.is_column
            and item.column
            and not _is_listed(items, index, item.column)
            and (
                _are_rows(item, item.column, before, after, table, _cut_by_time(items, index))
                or _stands_before(item, item.column, before, after, table)
            )
        ):
            item = replace(item, column=None, rows=True)
        elif item.rows and before and before.cue("op") == "distinct":
            item = _repeated_id(item, table) or item
        elif (
            item.rows and _is_ranked(items, index) and (numbered := _repeated_id(item, table, strictly=True))
        ):
            item = numbered
        read.append(item)
    return read


def _is_listed(items: list[Item], index: int, column: ColumnInfo) -> bool:
    """`names of remote staff`, `names and emails`: the cells are asked for, not how many rows there are."""
    item = items[index]
    if column.kind != "text" or column.is_id or any(one.is_cue("agg", "per", "top", "sort") for one in items):
        return False
    if item.is_cue("which") or name_words(column.name)[-1:] != inflections(key(item.mention.text))[-1:]:
        return False
    near = items[max(0, index - 1) : index] + items[index + 1 : index + 2]
    after = items[index + 1].mention.lead.rstrip() if index + 1 < len(items) else ""
    of = after.endswith((" of", " of the", " of all", " of all the"))
    return of or any(one.is_cue("and") or "," in one.mention.lead[-2:] for one in near)


def _cut_by_time(items: list[Item], index: int) -> bool:
    """Whether a month, a week or the like is what comes after the next word."""
    return (
        index + 2 < len(items)
        and items[index + 2].is_cue("grain")
        and not any(one.cue("agg") for one in items)
    )


def _stands_before(
    item: Item, column: ColumnInfo, before: Item | None, after: Item | None, table: TableInfo
) -> bool:
    """`average meeting length`, `per meeting type`: a noun that names each row, right before what is asked of it."""
    if (
        (column.kind == "number" and not column.is_id)
        or not names_each(column, table)
        or not item.mention.text.isascii()
    ):
        return False
    if after is None or not after.is_column or after.column == column:
        return False
    return after.mention.start - item.mention.end == 1 and not (before and before.is_cue("which"))


def _are_rows(
    item: Item, column: ColumnInfo, before: Item | None, after: Item | None, table: TableInfo, grain: bool
) -> bool:
    text = key(item.mention.read_as or item.mention.text)
    if column.name in _RUNNING and column == table.columns[0] and names_each(column, table):
        return not (before and before.is_cue("top", "sort")) and not (after and after.is_cue("cmp"))
    if column.kind == "number" and not column.is_id and not numbers_rows(column, table):
        return False
    if _is_counted_noun(item, column, after, table):
        return True
    if _is_deed(item, column) and not (before and before.is_cue("per")):
        return True
    noun = (
        text in domain_nouns(table)
        and _is_plural(text)
        and not (before and before.is_cue("op", "per", "which"))
    )
    if noun and column.kind == "text" and after and after.is_cue("per") and grain:
        return True  # found items per month
    if before and before.is_cue("per") and column.is_id and names_each(column, table) and text.isascii():
        return True  # average fee per lesson
    if (
        _is_any_row(item, column, before, table)
        or _is_one_of_all(item, column, before, after)
        or _is_told_beside(item, column, table)
    ):
        return True
    if before and (before.is_cue(*_CUTS) or before.cue("op") == "distinct"):
        return False
    if column.kind == "date":  # 予約件数, of a column 予約日
        counted = (
            after is not None and after.cue("agg") == "count" and after.mention.start == item.mention.end
        )
        if text.isascii():
            return _is_dated_noun(item, column, before)
        return counted and text not in key(column.name).split() and text != key(column.name)
    ranked = before is not None and (
        before.is_cue("top", "end") or before.mention.text.lower().endswith("est")
    )
    if (
        ranked
        and (column.kind != "number" or numbers_rows(column, table))
        and column.name == table.columns[0].name
        and names_each(column, table)
    ):
        return True  # the heaviest trip
    if not text.isascii() or not _is_plural(text) or text == key(column.name):
        return False
    if column.kind == "number" and not column.is_id:
        return True
    weak = max(
        (ref.strength for ref in item.mention.all(ColumnRef) if ref.column == column.name), default=3.0
    )
    if (
        weak <= 1.5 and before and before.cue("agg") == "share"
    ):  # percent of cars, beside a column `car class`
        return not (after and after.is_cue("per"))
    first = column == table.columns[0]
    return names_each(column, table) and (column.is_id or first or bool(column.values))


def _is_deed(item: Item, column: ColumnInfo) -> bool:
    """`the biggest payment`, `number of payments`, of a column `paid_by`: what was done, not who did it."""
    words, said = name_words(column.name), key(item.mention.text).split()
    if len(words) != 2 or words[1] != "by" or column.kind != "text" or len(said) != 1:
        return False
    return said[0] not in words and not said[0].endswith(("er", "or", "ers", "ors"))


def _is_any_row(item: Item, column: ColumnInfo, before: Item | None, table: TableInfo) -> bool:
    """`time to close a ticket`, of a column that names each ticket: any of the rows."""
    first = column == table.columns[0] and column.kind == "text" and names_each(column, table)
    lead = item.mention.lead
    return first and lead.endswith((" a ", " an ")) and not (before and before.is_cue("per", "which", "top"))


def _is_one_of_all(item: Item, column: ColumnInfo, before: Item | None, after: Item | None) -> bool:
    """`average length of a game`, of a column Game: of any of them, at the end or before a unit or a condition."""
    last = after is None or after.cue("unit") is not None or not after.is_column
    plain = column.kind == "text" and not column.yes_no and last
    measured = before is not None and before.is_column and before.column is not None
    return plain and item.mention.lead.endswith((" of a ", " of an ")) and measured


_BESIDE = (" with their ", " and their ", " with its ", " plus their ", " with the ", " by their ")


def _is_told_beside(item: Item, column: ColumnInfo, table: TableInfo) -> bool:
    """`the three fastest with their bib`, `longest trips with their ids`: the number of each row, which the answer tells."""
    numbers = (column.is_id and names_each(column, table)) or numbers_rows(column, table)
    return numbers and item.mention.lead.endswith(_BESIDE) and item.mention.text.isascii()


def _is_dated_noun(item: Item, column: ColumnInfo, before: Item | None) -> bool:
    """`average gift`, `number of gifts`, of a column `gift date`."""
    words = key(column.name).split()
    noun = (
        len(words) > 1 and bool(set(inflections(key(item.mention.text))) & {words[0]}) and words[-1] in _DATES
    )
    return noun and before is not None and before.is_cue("agg")


def _is_counted_noun(item: Item, column: ColumnInfo, after: Item | None, table: TableInfo) -> bool:
    """注文件数, 注文は何件, of a column 注文No: the orders, not their numbers."""
    text = key(item.mention.text)
    if after is not None and text.isascii() and after.mention.text.lower() in ("count", "counts"):
        return after.mention.start - item.mention.end == 1 and names_each(column, table)  # ticket counts
    if text.isascii() or text == key(column.name) or not (column.is_id and names_each(column, table)):
        return False
    return after is not None and after.cue("agg") == "count"


def _is_plural(text: str) -> bool:
    return text.endswith("s") and len(inflections(text)) > 1 and not text.endswith(("ss", "us", "is"))


def _is_ranked(items: list[Item], index: int) -> bool:
    """Whether one of the rows' makers is asked for: `the 2 donors that gave the most`, `which donor`."""
    before = items[index - 1] if index else None
    asked = before is not None and (before.number is not None or before.is_cue("which", "top", "per"))
    return asked and any(one.is_cue("top", "sort", "per") for one in items)


def _repeated_id(item: Item, table: TableInfo, strictly: bool = False) -> Item | None:
    """`different patients` where patients come in several rows: their ids."""
    ids = [
        column
        for column in table.columns
        if column.is_id and column.values and len(column.values) < table.rows
    ]
    named = [
        column
        for column in ids
        if set(inflections(key(item.mention.text))) & set(key(column.name).split())
        or (not strictly and any(ref.column == column.name for ref in item.mention.all(ColumnRef)))
    ]
    return replace(item, column=named[0], rows=False) if len(named) == 1 else None
