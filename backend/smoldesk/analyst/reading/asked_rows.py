"""`longest film`, 一番背が高い生徒は誰: one row is asked for by name, not the figure alone."""

import re

from smoldesk.analyst.meanings import ColumnRef, RowNoun
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.tables.adding_up import adds_up
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import concepts
from smoldesk.analyst.words.text import is_japanese, name_words
from smoldesk.analyst.words.words_of_size import ranks_by_size

_NAMES = ("title", "name", "player", "product", "customer", "city", "country", "store", "author")


def asks_for_row(draft: Draft) -> bool:
    """True where a superlative stands before what a row is called, or, in Japanese, a row is what the question ends in."""
    said = {item.mention.text.lower() for item in draft.items}
    if "who" in said and said & {"most", "fewest", "least"}:
        return False
    if is_japanese(draft.text):
        return _ends_in_rows(draft)
    for index, item in enumerate(draft.items):
        after = draft.at(index + 1)
        if after and (item.is_cue("top") or _superlative(item.mention.text)):
            if not after.rows and after.is_cue(
                "light", "high", "low"
            ):  # best scoring lot, most expensive flat
                after = draft.at(index + 2)
            if after and (after.rows or after.value is not None) and _is_last(draft, after.mention.end):
                return True
        if item.is_cue("which") and after and after.rows and item.mention.text.lower() in ("which", "what"):
            return True
    return False


def _is_last(draft: Draft, end: int) -> bool:
    """`the highest passenger age`: what follows the noun is what is measured."""
    return not any(
        item.is_column
        and item.mention.start >= end
        and item.column
        and item.column.kind == "number"
        and not item.mention.text.lower().startswith("to ")  # slowest ticket to close
        for item in draft.items
        if draft.items and item.mention.start - end <= 1
    )


def _superlative(text: str) -> bool:
    return text.lower().endswith("est") or text.lower().startswith("most ")


def _ends_in_rows(draft: Draft) -> bool:
    if _IN_ORDER.search(draft.text):
        return False  # 身長の高い順に選手を並べ替えて
    items = list(draft.items)
    if any(_is_kind_ranked(draft, at) for at in range(1, len(items))):
        return True  # 一番重い動物の名前と体重は
    while items and items[-1].is_cue("which", "map"):
        items.pop()
    before = items[-2] if len(items) > 1 else None
    if before and items[-1].value is not None and before.is_cue("top", "high", "low"):
        return True  # 一番高いパソコンは
    measured = bool(items) and items[-1].column is not None and items[-1].column.kind == "number"
    if before and measured and before.is_cue("top", "high", "low") and _WHICH_ONE.search(draft.text):
        return True  # 一番大きい支出はどれ
    return bool(items) and items[-1].rows and items[-1].mention.text not in ("行数", "件数", "人数", "件")


def _is_kind_ranked(draft: Draft, at: int) -> bool:
    """Whether a word of size ranks rows by the noun of a column of kinds: 一番重い魚."""
    item, before = draft.items[at], draft.items[at - 1]
    kinds = any(noun.kinds for noun in item.mention.all(RowNoun))
    return item.rows and kinds and before.is_cue("top") and ranks_by_size(before.mention.text)


def kinds_shown(draft: Draft) -> tuple[str, ...]:
    """What is shown beside the row of 一番高い車 or 一番重い魚は何: its kind, and a name of its own where it has one."""
    if draft.language != "ja":
        return ()
    found: dict[str, None] = {}
    for item in draft.items:
        refs = [ref for ref in item.mention.all(ColumnRef) if ref.table == draft.table.name]
        if refs and item.rows and any(noun.kinds for noun in item.mention.all(RowNoun)):
            found[max(refs, key=lambda ref: ref.strength).column] = None
    kinds = tuple(name for name in found if draft.table.column(name).kind == "text")
    label = row_label(draft.table)
    named = kinds and label is not None and label.kind == "text" and label.name not in kinds
    return (*kinds, label.name) if named and label else kinds


def words_shown(draft: Draft) -> tuple[str, ...]:
    """一番大きい支出って何: the columns that tell most of a row, where none names it."""
    if draft.language != "ja" or row_label(draft.table) is not None:
        return ()
    told = [
        one for one in draft.table.columns if one.kind == "text" and not one.yes_no and len(one.values) > 2
    ]
    return tuple(one.name for one in sorted(told, key=lambda one: -len(one.values))[:2])


_IN_ORDER = re.compile("(?:順|順番)に[^。?？]*(?:並べ|並び|ならべ|ソート)")
"""All rows, in their order."""
_WHICH_ONE = re.compile(
    r"(?:どれ|どこ|誰|だれ|(?<![一-龥])(?:何|なん|なに)(?=(?:だった|でした|だっけ|ですか|なの|か)?[。?？]*$))"
    r"(?:だった|でした|だっけ|です|なの|か)*[。?？]*$"
)
_BARE = ("no", "no.", "nr", "nr.", "#", "番号")
"""Running numbers, which say less of a row than any text that does not come again."""


def row_label(table: TableInfo) -> ColumnInfo | None:
    """The column that names a row: a title or name that does not come again, else the id, else any text that does not."""
    texts = [column for column in table.columns if column.kind == "text" and names_each(column, table)]
    named = [column for column in texts if concepts(column.name)[:1] and concepts(column.name)[0] in _NAMES]
    ids = [column for column in table.columns if column.is_id and names_each(column, table)]
    numbered = [column for column in ids if column.kind == "number" and column.name.casefold() in _BARE]
    counted = [column for column in table.columns[:1] if numbers_rows(column, table)]
    return next(
        iter([*named, *(one for one in ids if one not in numbered), *texts, *numbered, *counted]), None
    )


def numbers_rows(column: ColumnInfo, table: TableInfo) -> bool:
    """A first column of whole numbers, none twice, that measures nothing: `ticket`, whose rows are tickets."""
    whole = bool(column.values) and all(value.removesuffix(".0").isdigit() for value in column.values)
    whole = whole and column.kind == "number" and column == table.columns[0]
    return whole and names_each(column, table) and (not concepts(column.name) or _counts_up(column))


_STEPS = frozenset(("day", "week", "month", "quarter", "year", "hour", "minute", "日", "週", "月", "年"))


def _counts_up(column: ColumnInfo) -> bool:
    """Whether the cells are 1, 2, 3 and so on, as they stand: sessions, which are numbered, and no lengths of time."""
    numbers = [float(value) for value in column.values]
    counted = len(numbers) > 2 and numbers == [float(place) for place in range(1, len(numbers) + 1)]
    return counted and not set(name_words(column.name)) & _STEPS and len(name_words(column.name)) == 1


def names_each(column: ColumnInfo, table: TableInfo) -> bool:
    """True for a column whose values do not come again, as far as is known."""
    return not column.values or len(column.values) >= table.rows


def let_rows_be_named(draft: Draft) -> None:
    """体育館にある品目の割合, 公民館にある品目を保存: the column that names each row is a word for the rows."""
    if draft.language != "ja" or not (draft.filters or draft.groups) or draft.says("which", "vs"):
        return
    if "distinct" in draft.operations or not (draft.aggregates == ["share"] or draft.save):
        return
    if draft.save and (draft.aggregates or draft.order):
        return
    for index, column in draft.free():
        called = any(noun.table == draft.table.name for noun in draft.items[index].mention.all(RowNoun))
        named = column.kind == "text" and names_each(column, draft.table) and len(column.values) > 3
        if called and named:
            draft.used.add(index)
            draft.rows = True


_SIZES = ("biggest", "largest", "smallest")
_HOW_BIG = ("amount", "sales", "size", "weight", "floor area", "area", "population", "height")


def sized_rows(draft: Draft) -> bool:
    """True where a word of size stands right before what the rows are called: `the smallest fish`."""
    return any(
        item.mention.text.lower() in _SIZES and (after := draft.at(index + 1)) is not None and after.rows
        for index, item in enumerate(draft.items)
    )


_CHARGES = frozenset(("fee", "fees", "price", "prices", "rate", "tariff", "fare", "rent", "tuition"))


def is_charge(column: ColumnInfo) -> bool:
    """`the biggest class` is not the one of the highest fee: what one pays for a thing says not how big it is."""
    return bool(_CHARGES & set(name_words(column.name)))


def size_column(draft: Draft) -> ColumnInfo | None:
    """The measure of how big a row is, where only one can be meant."""
    found = {
        column.name: column
        for column in draft.table.columns
        if column.kind == "number"
        and concepts(column.name)[:1]
        and concepts(column.name)[0] in _HOW_BIG
        and not is_charge(column)
    }
    if not found and not is_japanese(draft.text):
        found = {
            one.name: one
            for one in draft.table.columns
            if one.kind == "number" and not one.is_id and adds_up(one) and not is_charge(one)
        }
    return next(iter(found.values())) if len(found) == 1 else None
