"""`which units are missing something`: the rows in which any cell is blank, by name."""

import re
from dataclasses import replace

from smoldesk.analyst.intents import DataIntent, Filter
from smoldesk.analyst.reading.asked_rows import names_each
from smoldesk.analyst.reading.counts import take
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.durations import is_duration

_ASKED_JA = re.compile(
    r"(?:どれ(?:とどれ)?|どこ|誰(?:と誰)?|だれ|どちら)(?:です|だった|でした|なの|だ|か|かな|かね|っけ)*[。?？]*$"
)
_ANY_JA = re.compile(
    "(?:(?:が|の|は)(?:ある|あった|含まれる|含まれている|ない|無い|なかった)|を?含む|を?含んだ|を?含まない|の|な)(?:行|データ|レコード)"
    "(?P<count>の?(?:行数|件数|数)|[はが]?(?:何[行件個]|いくつ))?"
)
_HOLED = "(?:missing|blank|empty|null|nan|incomplete)"
_ROWS = "(?:rows?|records?|lines?|entries|observations)"
_ANY_EN = re.compile(
    rf"(?P<count>how many|number of|count(?: of)?)?(?: of)?(?: the)? ?{_ROWS} (?:(?:that|which|are there) )?"
    rf"(?:with(?P<none>out)?|have|has|had|containing|contains?|having|include|including|are)"
    rf"(?: (?:any|a|an|some|at least one|one or more|(?P<no>no)))? {_HOLED}",
    re.IGNORECASE,
)
"""欠損値のある行, rows with missing values: the rows themselves or their number, not how many blanks each column has."""
_COLUMNS = ("columns", "shape")
_ASKED = ("which", "who", "whose", "any")


def rows_with_blanks(draft: Draft, intent: DataIntent) -> DataIntent | None:
    """The intent that lists them; None where blanks of a column are asked about, or how many there are of each."""
    free = draft.free()
    if whole := _rows_of_blanks(draft, intent, free):
        return whole
    if draft.language == "ja":
        return _rows_blank_in(draft, intent, free)
    labels = [
        (at, column)
        for at, column in free
        if (column.kind == "text" or column.is_id) and names_each(column, draft.table)
    ]
    if named := _blanks_of_columns(draft, intent):
        return named
    asked = any(item.is_cue("which") and item.mention.text.lower() in _ASKED for item in draft.items)
    if not asked or len(labels) != len(free) or not (labels or draft.rows):
        return None
    if draft.aggregates or intent.groups or intent.date or draft.plot or "columns" in draft.operations:
        return None
    take(draft, labels)
    one = any_blank(draft.table, labels[0][1].name if labels else "")
    return replace(intent, operation="head", measures=(), filters=(*intent.filters, one))


def _rows_of_blanks(
    draft: Draft, intent: DataIntent, free: list[tuple[int, ColumnInfo]]
) -> DataIntent | None:
    """The rows in which any cell is blank, or that of the columns named; those in which none is; or their number."""
    found = (_ANY_JA if draft.language == "ja" else _ANY_EN).search(draft.text)
    if found is None or intent.groups or draft.plot or set(draft.aggregates) - {"count"}:
        return None
    parts = found.groupdict()
    none = parts.get("none") or parts.get("no") or re.search("ない|無い|なかった", found[0])
    blank = any_blank(draft.table)
    if free:
        chosen = tuple(Filter(name, "==", (), "blank") for name in take(draft, free))
    else:
        chosen = blank.options if none else (blank,)
    if none:
        chosen = tuple(replace(one, comparison="!=") for one in chosen)
        draft.said_no = True
    filters = (*(one for one in intent.filters if one.part != "blank"), *chosen)
    if parts.get("count") or "count" in draft.aggregates:
        return replace(intent, operation="aggregate", measures=(), aggregates=("count",), filters=filters)
    return replace(intent, operation="head", measures=(), filters=filters)


def any_blank(table: TableInfo, label: str = "") -> Filter:
    """The condition that a cell of any column is blank; `label` is the one that names the rows."""
    columns = [one.name for one in table.columns if not is_duration(one) and one.name != label]
    blank = tuple(Filter(name, "==", (), "blank") for name in columns)
    return Filter(columns[0], "==", (), "any", blank)


def share_of_blanks(draft: Draft, intent: DataIntent) -> DataIntent | None:
    """`what percent of the ratings are missing`: the part of the rows that is blank in the one column named."""
    free = draft.free()
    if draft.aggregates != ["share"] or len(free) != 1 or intent.groups or intent.date or draft.order:
        return None
    target = Filter(take(draft, free)[0], "==", (), "blank")
    return replace(intent, operation="aggregate", aggregates=("share",), target=target)


def _blanks_of_columns(draft: Draft, intent: DataIntent) -> DataIntent | None:
    """`which invoice has an empty paid date`: the column after the asking word names the rows, the others are blank there."""
    if draft.aggregates or draft.order or intent.groups or draft.plot or "columns" in draft.operations:
        return None
    asked = [
        at
        for at, item in enumerate(draft.items)
        if item.is_cue("which") and item.mention.text.lower() in ("which", "what", "whose")
    ]
    free = dict(draft.free())
    label = next((at + 1 for at in asked if at + 1 in free), None)
    if label is None:
        return None
    blank = [(at, column) for at, column in free.items() if at != label and column != free[label]]
    if not blank:
        return None
    draft.used.add(label)
    names = take(draft, blank)
    filters = tuple(Filter(name, "==", (), "blank") for name in names)
    return replace(intent, operation="head", measures=(), filters=(*intent.filters, *filters))


def _rows_blank_in(draft: Draft, intent: DataIntent, free: list[tuple[int, ColumnInfo]]) -> DataIntent | None:
    """納入日が空欄の世帯はどこ: the rows that are blank in the column said first; what they are called may follow."""
    if listed := _named_behind(draft, intent, free):
        return listed
    if not _ASKED_JA.search(draft.text) or not free or draft.aggregates or intent.groups or intent.date:
        return None
    blank, named = free[0][1], [column for _, column in free[1:] if column != free[0][1]]
    if draft.plot or any(one in draft.operations for one in _COLUMNS):
        return None
    if not (draft.rows or named or _PLACE.search(draft.text)) or any(
        not _calls_rows(one, draft) for one in named
    ):
        return None
    take(draft, free)
    return replace(
        intent,
        operation="head",
        measures=(),
        filters=(*intent.filters, Filter(blank.name, "==", (), "blank")),
    )


def _named_behind(draft: Draft, intent: DataIntent, free: list[tuple[int, ColumnInfo]]) -> DataIntent | None:
    """Last Countが抜けてる商品名: the last column names the rows, the one before the word for blanks is blank in them."""
    gap = next((at for at, item in enumerate(draft.items) if item.cue("op") == "missing"), -1)
    before = [(at, column) for at, column in free if at < gap]
    behind = [(at, column) for at, column in free if at > gap]
    if len(before) != 1 or len(behind) != 1 or draft.aggregates or draft.order or draft.plot:
        return None
    name = behind[0][1]
    between = draft.text[draft.items[gap].mention.end : draft.items[behind[0][0]].mention.start]
    last = all(item.is_cue("which") for item in draft.items[behind[0][0] + 1 :])
    if intent.groups or intent.date or not last or _SEVERAL.search(between):
        return None
    if any(one in draft.operations for one in _COLUMNS) or (name.kind != "text" and not name.is_id):
        return None
    take(draft, free)
    filters = (*intent.filters, Filter(before[0][1].name, "==", (), "blank"))
    if _calls_rows(name, draft) or name.is_id:
        return replace(intent, operation="head", measures=(), filters=filters)
    return replace(intent, operation="distinct", measures=(name.name,), filters=filters)


_SEVERAL = re.compile("[と、]|および|や")
_PLACE = re.compile(r"(?:どこ|誰|だれ)")


def _calls_rows(column: ColumnInfo, draft: Draft) -> bool:
    return column.kind == "text" and names_each(column, draft.table)
