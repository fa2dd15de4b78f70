"""`names and ages of gold members`, 現金の注文の商品名と数量: columns of rows are to be seen, and no figure of them.

The intent shows the rows (`head`) with the columns as its measures.
"""

import itertools
import re
from dataclasses import replace

from smoldesk.analyst.intents import DataIntent, Filter
from smoldesk.analyst.meanings import ColumnRef
from smoldesk.analyst.questions.yes_or_no import pins_row
from smoldesk.analyst.reading.asked_rows import names_each, row_label
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.read_values import cell_value
from smoldesk.analyst.tables.adding_up import adds_up
from smoldesk.analyst.tables.catalogue import ColumnInfo

_OPENS = re.compile(
    r"(?:please |can you |could you |just |i (?:want|need|would like) )*"
    r"(?:list|show|give|print|display|get|find|tell|see|what (?:are|is|were|was)|what's|the (?:\w+ )?names?\b|names?\b)",
    re.IGNORECASE,
)
_NAMES = ("name", "names")
_NEXT = re.compile(
    r"(?:,|\band|&|\bplus|\b(?:along |together )?with)(?: (?:the|their|his|her|its|also))*\s*$", re.IGNORECASE
)
_NEXT_JA = re.compile(r"と|、|や|・|,|，|および|及び|そして|それと|とその")
_SHOWN_JA = re.compile(
    r"一覧|リスト|見せ|見たい|教え|表示|出して|だけ|のみ|抜き出|抽出|並べ|知りたい|ください|下さい"
)
_CLOSES = re.compile(r"\s+(?:status|flag)\b|[ ?.!]*$", re.IGNORECASE)
"""What may stand behind a yes/no column that is to be seen, and is no condition."""


def chosen_columns(draft: Draft, intent: DataIntent) -> DataIntent | None:
    """The rows with those columns; None where anything else is asked."""
    if in_order := _in_order(draft, intent):
        return in_order
    cut = intent.groups or intent.date or intent.grain or intent.plot or intent.over_time or intent.order
    if cut or draft.aggregates or draft.change or draft.window or draft.says("per", "vs", "pair", "calc"):
        return None
    if set(draft.operations) - {"head"} or (draft.limit and "head" not in draft.operations):
        return None
    named = _names(draft)
    columns = [*draft.free(), *named] if len(named) == 1 else draft.free()
    columns.sort(key=lambda pair: pair[0])
    flags = [(at, column) for at, column in columns if column.yes_no and _before_rows(draft, at)]
    columns = [one for one in columns if one not in flags]
    unique = dict.fromkeys(column.name for _, column in columns)
    if not columns or len(unique) < len(columns) or not _in_a_row(draft, [at for at, _ in columns]):
        return None
    asked = _asked_ja(draft, columns) if draft.language == "ja" else _asked(draft, columns, bool(named))
    if not asked:
        return None
    draft.used.update(at for at, _ in (*columns, *flags))
    kept = [Filter(one.name, "==", (cell_value(one, yes[0]),)) for _, one in flags if (yes := one.yes_no)]
    return replace(intent, operation="head", measures=tuple(unique), filters=(*intent.filters, *kept))


def _before_rows(draft: Draft, at: int) -> bool:
    """`the licensed crew`: right before the rows, a yes/no column says which they are."""
    after = draft.at(at + 1)
    return draft.language == "en" and after is not None and after.rows


def _in_order(draft: Draft, intent: DataIntent) -> DataIntent | None:
    """単価が高い順に商品名を並べて: all rows in the order of a number, with the columns that are to be seen."""
    if draft.language == "en":
        return _sorted(draft, intent)
    if not draft.order or draft.limit or "順" not in draft.text:
        return None
    other = draft.aggregates or draft.groups or draft.grain or draft.plot or draft.change or draft.operations
    free = draft.free()
    numbers = [column for _, column in free if column.kind == "number" and not column.is_id]
    texts = [column for _, column in free if column not in numbers]
    if other or len(numbers) != 1 or not texts or any(column.kind == "date" for column in texts):
        return None
    if adds_up(numbers[0]) and not any(names_each(column, draft.table) for column in texts):
        return None  # 売上が高い順に店舗を並べて ranks groups
    draft.used.update(at for at, _ in free)
    names = tuple(dict.fromkeys(column.name for column in (*numbers, *texts)))
    return replace(intent, operation="top", measures=names, limit=draft.table.rows)


_SORTS = re.compile(
    r"\b(?:sort|order|rank)(?:ed)?\b.*\bby\b|\bin order of\b|^(?:please )?(?:list|show)\b.*\bby\b",
    re.IGNORECASE,
)


def _sorted(draft: Draft, intent: DataIntent) -> DataIntent | None:
    """`sort members by age and show their plan`, `names in order of age`."""
    other = draft.aggregates or draft.grain or draft.plot or draft.change or draft.limit or draft.operations
    if other or not _SORTS.search(draft.text):
        return None
    free, by = draft.free(), [draft.table.column(name) for name in draft.groups]
    names = list(dict.fromkeys(column.name for _, column in free))
    numbers = [
        one for one in (*by, *(column for _, column in free)) if one.kind == "number" and not one.is_id
    ]
    texts = [name for name in names if name not in {one.name for one in numbers}]
    kinds = {draft.table.column(name).kind for name in texts}
    label = row_label(draft.table)
    listed = draft.rows or (label is not None and label.name in texts)
    if not texts and label is not None and "in order of" in draft.text.lower():
        texts = [label.name]
    if len({one.name for one in numbers}) != 1 or not texts or kinds - {"text"} or not listed or by[1:]:
        return None
    if any(one.kind != "number" for one in by):
        return None
    draft.used.update(at for at, _ in free)
    shown = texts if label is None or label.name in texts or label.kind != "text" else [label.name, *texts]
    order = draft.order or "asc"
    measures = (numbers[0].name, *shown)
    return replace(intent, operation="top", groups=(), measures=measures, order=order, limit=draft.table.rows)


def _names(draft: Draft) -> list[tuple[int, ColumnInfo]]:
    """The word `names` as the column that names the rows; before a column of names it says no more."""
    if draft.language != "en":
        return []
    for at, item in enumerate(draft.items):
        if not item.is_cue("pad") or item.mention.text.lower() not in _NAMES or at in draft.used:
            continue
        after = draft.at(at + 1)
        if after and after.is_column and after.column and after.column.kind == "text":
            return []
        refs = {one.column for one in item.mention.all(ColumnRef) if one.table == draft.table.name}
        texts = [column for column in draft.table.columns if column.name in refs and column.kind == "text"]
        label = row_label(draft.table)
        if len(texts) == 1:
            return [(at, texts[0])]
        return [(at, label)] if label and label.kind == "text" and not label.is_id else []
    return []


def _in_a_row(draft: Draft, places: list[int]) -> bool:
    """Whether nothing but `and` and commas stands between the columns, or `with their` before the later ones."""
    for before, at in itertools.pairwise(places):
        here = draft.items[at].mention
        if draft.language == "ja":
            if not _NEXT_JA.fullmatch(draft.text[draft.items[before].mention.end : here.start].strip(" の")):
                return False
        elif not _NEXT.search(draft.text[: here.start]):
            return False
    return True


def _asked(draft: Draft, columns: list[tuple[int, ColumnInfo]], named: bool) -> bool:
    """Whether rows are to be listed: names, or several columns that somebody wants to see of some rows."""
    opened = _OPENS.match(draft.text)
    some = bool(draft.filters or draft.rows)
    flags = [at for at, column in columns if column.yes_no]
    if any(at == columns[0][0] or not _CLOSES.match(draft.text, _end(draft, at)) for at in flags):
        return False
    if _pinned(draft) and len(columns) > 1:
        return True
    if named and len(columns) == 1:
        return some
    label = row_label(draft.table)
    named = named or any(label is not None and column == label for _, column in columns)
    numbers = all(column.kind == "number" for _, column in columns)
    lists = opened is not None and opened[0].lower().endswith("list")
    if len(columns) == 1:
        return lists and numbers and some and not columns[0][1].is_id
    if numbers:
        return lists or (bool(opened) and _pinned(draft))
    return opened is not None or named


def _asked_ja(draft: Draft, columns: list[tuple[int, ColumnInfo]]) -> bool:
    if len(columns) < 2 or all(column.kind == "number" for _, column in columns):
        return False
    tail = draft.text[_end(draft, columns[-1][0]) :].strip(" 。?？は")
    named = columns[0][1].kind == "text" and names_each(columns[0][1], draft.table)
    return bool(_SHOWN_JA.search(tail)) or (not tail and (named or bool(draft.filters)))


def _end(draft: Draft, at: int) -> int:
    return draft.items[at].mention.end


def _pinned(draft: Draft) -> bool:
    """Whether a condition names one row."""
    return any(pins_row(draft, one) for one in draft.filters)
