"""Words that a table reads in two ways, by the column they name or stand beside.

店舗 is the column 店舗 and no synonym of its cell 店頭; 映画, of a column of titles, is no short form of 映画館; the N of
`on_display N` is a cell, not `and`; the 参加 of 参加人数 counts rows, whatever the column 参加回数 holds.
"""

from collections.abc import Sequence
from dataclasses import replace

from smoldesk.analyst.meanings import (
    ColumnRef,
    Mention,
    RowNoun,
    Unknown,
    ValueRef,
)
from smoldesk.analyst.reading.asked_rows import row_label
from smoldesk.analyst.reading.row_money import row_money
from smoldesk.analyst.tables.catalogue import Catalogue, ColumnInfo, TableInfo
from smoldesk.analyst.words.text import is_japanese, key, name_words

_NAME_EN = ("name", "names")
_NAME = ("名前", "お名前", "なまえ", "名称")
_SO_CALLED = ("って", "という", "と言う", "いう")
_CALLED = ("名", "名前", "主", "名称")
_NAMED, _MEANT, _TOUCHED = 2.75, 2.3, 1.0
"""How strong a column is that a word names in full, that it means, and of which it is but a part."""


def beside_columns(mentions: Sequence[Mention], catalogue: Catalogue) -> tuple[Mention, ...]:
    """The mentions, each with the meanings that are left beside its neighbours."""
    kept: list[Mention] = []
    for at, mention in enumerate(mentions):
        after = mentions[at + 1] if at + 1 < len(mentions) else None
        if _counts_rows(mention, after, catalogue):
            continue
        if _names_of(mention, after):
            continue
        mention = _paid(mention, kept[-1] if kept else None, after, catalogue) or mention
        mention = _column_itself(_name_of_row(mention, kept[-1] if kept else None, after, catalogue))
        kept.append(_cell_of_column(mention, kept[-1] if kept else None))
    return tuple(kept)


def _column_itself(mention: Mention) -> Mention:
    """Without the cells that the word only resembles, where it names or means a column."""
    refs = [ref for ref in mention.all(ColumnRef) if ref.strength >= _MEANT]
    said = key(mention.text)
    if not refs or not is_japanese(said):
        return mention
    named = {ref.table for ref in refs if ref.strength >= _NAMED and key(ref.column) == said}
    meant = {ref.table for ref in refs}

    def resembles(one: object) -> bool:
        if not isinstance(one, ValueRef) or key(one.value) == said:
            return False
        return one.table in named or (one.table in meant and key(one.value).startswith(said))

    return replace(mention, meanings=tuple(one for one in mention.meanings if not resembles(one)))


def _name_of_row(
    mention: Mention, before: Mention | None, after: Mention | None, catalogue: Catalogue
) -> Mention:
    """名前 and `names`, in a table without such a column: its only column of names, or what tells its rows apart."""
    if mention.text.lower() in _NAME_EN:
        beside = any(one is not None and _touches(one, mention) for one in (before, after))
        if beside or not mention.says("pad"):
            return mention  # donor name
    elif mention.text not in _NAME or not mention.first(Unknown) or mention.lead.endswith(_SO_CALLED):
        return mention
    named = [(table.name, column) for table in catalogue.tables if (column := _names(table))]
    refs = tuple(ColumnRef(table, column.name, _MEANT) for table, column in named)
    return replace(mention, meanings=refs) if refs else mention


def _paid(
    mention: Mention, before: Mention | None, after: Mention | None, catalogue: Catalogue
) -> Mention | None:
    """`how much does Ana pay`, where no column is called so: the one column of money."""
    if mention.text.lower() not in ("pay", "pays") or not mention.first(Unknown):
        return None
    if after is not None or before is None or not before.all(ValueRef):
        return None
    tables = {ref.table for ref in before.all(ValueRef)}
    found = [
        (one.name, money) for one in catalogue.tables if one.name in tables and (money := row_money(one))
    ]
    refs = tuple(ColumnRef(name, money.name, _MEANT) for name, money in found)
    return replace(mention, meanings=refs) if refs else None


def _touches(one: Mention, mention: Mention) -> bool:
    """Whether a column is named right beside the word."""
    near = min(abs(one.start - mention.end), abs(mention.start - one.end)) <= 1
    return near and any(ref.strength >= _TOUCHED for ref in one.all(ColumnRef))


def _names_of(mention: Mention, after: Mention | None) -> bool:
    """`names of the trainers`, of a column Trainer: its cells are the names."""
    if mention.text.lower() not in _NAME_EN or not mention.says("pad") or after is None or after.all(RowNoun):
        return False
    between = after.lead[len(after.lead) - (after.start - mention.end) :].strip()
    of = between in ("of", "of the", "of all", "of all the")
    return of and any(ref.strength >= _MEANT for ref in after.all(ColumnRef))


def _names(table: TableInfo) -> ColumnInfo | None:
    texts = [column for column in table.columns if column.kind == "text" and not column.is_id]
    called = [column for column in texts if column.name.endswith(_CALLED)]
    called += [column for column in texts if name_words(column.name)[-1:] == ["name"]]
    label = row_label(table)
    return called[0] if len(called) == 1 else label if not called and label in texts else None


def _cell_of_column(mention: Mention, before: Mention | None) -> Mention:
    """A letter of the grammar, written as a cell of the column right before it."""
    if before is None or len(mention.text) > 1 or not mention.text.isalpha():
        return mention
    named = {(ref.table, ref.column) for ref in before.all(ColumnRef) if ref.strength >= _NAMED}
    cells = [
        one for one in mention.all(ValueRef) if one.value == mention.text and (one.table, one.column) in named
    ]
    return replace(mention, meanings=tuple(cells)) if cells else mention


def _counts_rows(mention: Mention, after: Mention | None, catalogue: Catalogue) -> bool:
    """参加人数, 登園人数: what the rows did, not the column of another figure; 返却件数 counts days, which may be blank."""
    if after is None or after.start != mention.end or after.cue("agg") != "count":
        return False
    refs = mention.all(ColumnRef)
    if (
        not refs
        or len(refs) != len(mention.meanings)
        or not is_japanese(mention.text)
        or mention.all(RowNoun)
    ):
        return False
    return all(ref.strength <= _TOUCHED and _every_row_has(ref, catalogue) for ref in refs)


def _every_row_has(ref: ColumnRef, catalogue: Catalogue) -> bool:
    table = next(one for one in catalogue.tables if one.name == ref.table)
    dates: list[ColumnInfo] = [one for one in table.columns if one.kind == "date"]
    column = table.column(ref.column)
    return column not in dates[1:] and not column.yes_no
