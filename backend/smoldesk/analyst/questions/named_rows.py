"""`hours for tickets 1001 and 1004`, `compare Dina and Gus`, `who handled ticket 5`: the cells of the rows that are named."""

import re
from dataclasses import replace

from smoldesk.analyst.intents import DataIntent, Filter, Refusal
from smoldesk.analyst.reading.asked_person import asked_person, handles, persons
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.resolve import concept_column
from smoldesk.analyst.reading.row_ids import is_row_id, pins_rows
from smoldesk.analyst.reading.row_money import only_measure, row_money
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.durations import is_duration

_MOST_COLUMNS = 20
_HOW_MUCH = re.compile(
    r"(?:and |so )?how much (?:is|was|were|are|did|does|do|has)\b(?!.*\b(?:more|less)\b)", re.IGNORECASE
)
_WHEN = re.compile(r"^(?:and |so )?when (?:is|was|were|are|did|does)\b|いつ", re.IGNORECASE)
_BUYS = re.compile(
    r"\b(?:plac|order|bought|buy|purchas|book)\w*(?! by)\b.*\b(?:orders?|it|this)\b|注文した|買った|購入した",
    re.IGNORECASE,
)
_WHO = re.compile(r"\bwhom?\b|\bwhose\b|誰|だれ", re.IGNORECASE)


def named_rows(draft: Draft, intent: DataIntent) -> DataIntent | Refusal | None:
    """The cells of the named rows; None where none are named by an id or a name, or figures of them are asked for."""
    pin = pinning(draft)
    if pin is not None and draft.aggregates == ["count"] and (number := _number_in_row(draft, pin)):
        draft.used.update(at for at, _ in draft.free())
        return replace(intent, operation="head", groups=(), aggregates=(), measures=(number.name,))
    if pin is not None and draft.aggregates == ["count"] and (which := _which_ja(draft, pin)):
        draft.used.update(at for at, _ in draft.free())
        return replace(intent, operation="head", groups=(), aggregates=(), measures=(which.name,))
    if pin is not None and len(pin.values) > 1 and (figure := _figure(draft, intent, pin)):
        return figure
    other = draft.plot or draft.save or draft.change or draft.over_time or draft.order or draft.limit
    if pin is None or other or draft.aggregates or draft.grain or draft.says("per", "calc", "more"):
        return None
    if set(draft.operations) - {"rows"}:
        return None
    free = [(at, column) for at, column in draft.free() if column.name != pin.column]
    columns = [column for _, column in free] + [draft.table.column(name) for name in draft.groups]
    several = len(pin.values) > 1
    deeds = all(column.yes_no or column.kind == "date" for column in columns)  # who delivered parcel 5
    by_id = is_row_id(draft.table.column(pin.column), draft.table)
    if deeds and (by_id or columns) and _WHO.search(draft.text):
        columns = _who(draft, pin)
        if not columns:
            return Refusal(
                "no_column",
                ("who" if draft.language == "en" else "誰",),
                tuple(one.name for one in draft.table.columns),
                draft.table.name,
            )
    elif not columns and (days := _days(draft)):
        columns = days
    elif not columns and _HOW_MUCH.match(draft.text):
        money = row_money(draft.table) or only_measure(draft.table)
        columns = [money] if money else []
    elif not columns:
        columns = [one for one in draft.table.columns if not is_duration(one)][:_MOST_COLUMNS]
        if draft.free() or not _asks_for_rows(draft):
            return None
    elif not several and not draft.groups:
        return None  # one cell of one row is told by those who come later
    if not columns:
        return None
    draft.used.update(at for at, _ in draft.free())
    first = [pin.column] if several else []
    names = tuple(dict.fromkeys((*first, *(column.name for column in columns))))
    return replace(intent, operation="head", groups=(), measures=names)


_FIGURES = frozenset(("mean", "sum", "median", "min", "max"))


def _figure(draft: Draft, intent: DataIntent, pin: Filter) -> DataIntent | None:
    """`average hours of tickets 5 and 6`: one figure of those rows, each of which has but one."""
    measures = {column.name: column for _, column in draft.free() if column.name != pin.column}
    other = draft.plot or draft.groups or draft.order or draft.grain or draft.over_time or draft.operations
    if other or len(measures) != 1 or not draft.aggregates or set(draft.aggregates) - _FIGURES:
        return None
    (measure,) = measures.values()
    if measure.kind != "number" or measure.is_id or draft.says("per", "vs", "which", "calc", "more"):
        return None
    draft.used.update(at for at, _ in draft.free())
    return replace(intent, measures=(measure.name,), aggregates=tuple(draft.aggregates))


def told_of_named(intent: DataIntent, table: TableInfo) -> DataIntent:
    """`and the priority?`, after a question about ticket 5: its cell, not how often that comes."""
    pinned = len(intent.filters) == 1 and _pins(intent.filters[0], table)
    counted = intent.operation == "aggregate" and intent.aggregates == ("count",) and len(intent.groups) == 1
    if not pinned or not counted or intent.plot or intent.save or intent.date or intent.limit:
        return intent
    return replace(intent, operation="head", measures=intent.groups, groups=(), aggregates=(), order="")


def _which_ja(draft: Draft, pin: Filter) -> ColumnInfo | None:
    """上野は何組: the column that is called as one counts, of one row."""
    if draft.language != "ja" or len(pin.values) > 1:
        return None
    found = [one for one in draft.table.columns if len(one.name) < 3 and f"何{one.name}" in draft.text]
    return found[0] if len(found) == 1 else None


def _number_in_row(draft: Draft, pin: Filter) -> ColumnInfo | None:
    """`how many items in order 5`: the one column of how many there are, where each row is of one thing."""
    texts = {column.name for _, column in draft.free() if column.kind == "text" and column.name != pin.column}
    if len(pin.values) > 1 or not texts or draft.groups or draft.says("per", "op"):
        return None
    column = concept_column("quantity", draft.table)
    return column if column is not None and column.kind == "number" else None


def pinning(draft: Draft) -> Filter | None:
    """The condition that names rows one by one, where there is no other but those that tell more of them."""
    pins = [one for one in draft.filters if _pins(one, draft.table)]
    return pins[0] if len(pins) == 1 and len(draft.filters) == 1 else None


def _pins(one: Filter, table: TableInfo) -> bool:
    plain = one.comparison == "==" and not (one.part or one.options) and bool(one.values)
    return plain and pins_rows(table.column(one.column), one.values, table)


def _who(draft: Draft, pin: Filter) -> list[ColumnInfo]:
    """Whom the rows tell of: the one that does what was said, else all of those who stand in them."""
    asked = asked_person(draft)
    found = [one for one in persons(draft.table) if one.name != pin.column]
    if _BUYS.search(draft.text):
        return [one for one in found if not handles(one)]
    if asked and asked != pin.column and (len(found) < 2 or asked not in {one.name for one in found}):
        return [draft.table.column(asked)]
    named = [one for one in draft.table.columns if one.kind == "text" and _NAME.search(one.name)]
    return found or (named if len(named) == 1 and named[0].name != pin.column else [])


_NAME = re.compile(
    r"(?:生徒|児童|会員|社員|患者|顧客|客様?|利用者|参加者|選手|職員|申込者|購入者|注文者|氏)名$|\bname$",
    re.IGNORECASE,
)


def _days(draft: Draft) -> list[ColumnInfo]:
    """`when was visit 5`: all days that are known of the row."""
    dates = [one for one in draft.table.columns if one.kind == "date"]
    return dates if _WHEN.search(draft.text) and not draft.free() else []


def _asks_for_rows(draft: Draft) -> bool:
    """Whether nothing but the rows is spoken of: no comparison, no denial."""
    return not draft.says("cmp", "not", "without", "range", "vs", "top", "high", "low") or bool(
        draft.says("vs") and not draft.says("cmp", "top", "high", "low")
    )
