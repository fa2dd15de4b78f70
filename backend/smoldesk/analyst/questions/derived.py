"""Columns that a question makes of others, row by row: price × quantity, cost per km, the days between two dates.

Read off the items before anything else, so that a made column is then grouped, ranked and compared like one of the table.
"""

import re
from dataclasses import dataclass, replace

from smoldesk.analyst.intents import DataIntent, Derived, DerivedSign
from smoldesk.analyst.meanings import Mention, TableRef, Unit
from smoldesk.analyst.reading.asked_rows import names_each
from smoldesk.analyst.reading.resolve import Item, units_of
from smoldesk.analyst.reading.row_money import takings_column
from smoldesk.analyst.tables.adding_up import adds_up
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import graded_concepts
from smoldesk.analyst.tables.durations import is_duration

_SIGNS: dict[str, DerivedSign] = {"times": "×", "over": "÷", "plus": "+", "minus": "−"}
_NO_PER = ("age", "year", "rating", "score", "class", "month")
_MEASURED = frozenset(
    ("floor area", "area", "land area", "weight", "distance", "duration", "volume", "population")
)


@dataclass(frozen=True)
class Made:
    """The items with made columns in the place of their words, the table that has them, and how they are made."""

    items: list[Item]
    table: TableInfo
    derived: tuple[Derived, ...] = ()


def with_derived(table: TableInfo, derived: tuple[Derived, ...]) -> TableInfo:
    """The table with made columns beside its own."""
    known = {column.name for column in table.columns}
    more = [ColumnInfo(one.name, "number") for one in derived if one.name not in known]
    return replace(table, columns=[*table.columns, *more]) if more else table


def said_by(intent: DataIntent, derived: tuple[Derived, ...]) -> DataIntent:
    """The intent with the made columns it looks at."""
    filters = [*intent.filters, *intent.sides, *([intent.target] if intent.target else [])]
    names = {*intent.measures, *intent.groups, *(name for one in filters for name in one.columns)}
    known = {one.name: one for one in (*intent.derived, *derived) if one.name in names}
    return replace(intent, derived=tuple(known.values()))


def derive(items: list[Item], table: TableInfo, text: str) -> Made:
    """The items of a request with every made column it asks for."""
    made = Made(items, table)
    for look in (_formula, _days_between, _days_from_to, _ratio, _row_sum, _row_gap):
        at = 0
        while at < len(made.items):
            found = look(made.items, at, text, made.table)
            if found:
                first, last, one = found
                made = _put(made, first, last, one)
            at += 1
    return _worth(made)


_Found = tuple[int, int, Derived]


def _put(made: Made, first: int, last: int, one: Derived) -> Made:
    start, end = made.items[first].mention.start, made.items[last].mention.end
    said = " ".join(item.mention.text for item in made.items[first : last + 1])
    lead = made.items[first].mention.lead
    table = with_derived(made.table, (one,))
    item = Item(Mention(start, end, said, (), lead=lead), column=table.column(one.name))
    items = [*made.items[:first], item, *made.items[last + 1 :]]
    return Made(items, table, tuple(dict.fromkeys((*made.derived, one))))


def _number(items: list[Item], at: int) -> ColumnInfo | None:
    if not 0 <= at < len(items):
        return None
    column = items[at].column if items[at].is_column else None
    return column if column and column.kind == "number" and not column.is_flag and not column.is_id else None


def _of(sign: DerivedSign, *columns: ColumnInfo) -> Derived:
    return Derived(f" {sign} ".join(column.name for column in columns), sign, tuple(c.name for c in columns))


def _formula(items: list[Item], at: int, text: str, table: TableInfo) -> _Found | None:
    """`price times quantity`, `list price minus sale price`, `maths plus english plus science`."""
    first, second = _number(items, at), _number(items, at + 2)
    if not first or not second or first == second:
        return None
    middle = items[at + 1].mention
    sign = _SIGNS.get(middle.cue("calc") or ("times" if middle.text.lower() in ("x", "×", "*") else ""))
    if sign is None or items[at + 1].column is not None:
        return None
    columns, last = [first, second], at + 2
    while (more := _number(items, last + 2)) and items[last + 1].mention.cue("calc") == middle.cue("calc"):
        if sign not in "+×" or more in columns:
            break
        columns.append(more)
        last += 2
    ranked = at > 1 and (items[at - 2].is_cue("top") or items[at - 2].cue("agg") in ("max", "min"))
    begin = at - 1 if sign == "+" and ranked and items[at - 1].cue("agg") == "sum" else at
    return begin, last, _of(sign, *columns)


def _days_between(items: list[Item], at: int, text: str, table: TableInfo) -> _Found | None:
    """`number of days between order and delivery`, `how long from order date to delivery date`."""
    first = items[at]
    last = at + 2 if at + 1 < len(items) and items[at + 1].is_cue("and", "range", "vs") else at + 1
    if last >= len(items):
        return None
    second = items[last]
    joined = text[first.mention.end : second.mention.start].strip().lower()
    if last == at + 1 and joined not in ("to", "to the", "until", "and", "から"):
        return None
    dates = [
        one.column for one in (first, second) if one.is_column and one.column and one.column.kind == "date"
    ]
    if len(dates) != 2 or dates[0] == dates[1]:
        return None
    lead = text[: first.mention.start].lower()
    if not re.search(
        r"(?:days|time|long|gap|weeks?|delay|duration)\b[\w ]{0,30}\b(?:between|from)\b[\w ]{0,12}$", lead
    ):
        return None
    begin = at
    while begin and (
        items[begin - 1].is_cue("range", "vs", "change", "time", "count")
        or items[begin - 1].cue("grain") == "day"
        or items[begin - 1].mention.first(Unit)
        or items[begin - 1].cue("agg") == "count"
        or items[begin - 1].mention.text.lower() in ("days", "time", "long", "gap", "how long")
    ):
        begin -= 1
    name = f"days from {dates[0].name} to {dates[1].name}"
    return begin, last, Derived(name, "days", (dates[0].name, dates[1].name))


_LASTS = re.compile("日数|期間|何日|かか|平均|日間|最長|最短")


def _days_from_to(items: list[Item], at: int, text: str, table: TableInfo) -> _Found | None:
    """受付日から引き渡し日まで平均何日: the days from one date of a row to another."""
    said = items[at : at + 4]
    if len(said) < 4 or [one.mention.text for one in (said[1], said[3])] != ["から", "まで"]:
        return None
    dates = [
        one.column for one in (said[0], said[2]) if one.is_column and one.column and one.column.kind == "date"
    ]
    if len(dates) != 2 or dates[0] == dates[1] or not _LASTS.search(text):
        return None
    return (
        at,
        at + 3,
        Derived(f"days from {dates[0].name} to {dates[1].name}", "days", (dates[0].name, dates[1].name)),
    )


def _ratio(items: list[Item], at: int, text: str, table: TableInfo) -> _Found | None:
    """`fuel cost per km`, `votes per registered voter`, `price divided by area` (the last is a formula)."""
    first, second = _number(items, at), _number(items, at + 2)
    if not first or not second or first == second or not items[at + 1].is_cue("per"):
        return None
    if items[at + 1].mention.text.lower() not in ("per", "for each", "for every", "あたり"):
        return None
    concepts = set(graded_concepts(second.name))
    counted = adds_up(second, items[at + 2].mention.text) or bool(units_of(second) or concepts & _MEASURED)
    if not counted or concepts & set(_NO_PER):
        return None
    return at, at + 2, _of("÷", first, second)


def _row_sum(items: list[Item], at: int, text: str, table: TableInfo) -> _Found | None:
    """`total of maths and english per student`, `maths and english combined`."""
    first = _number(items, at)
    if not first:
        return None
    columns, last = [first], at
    while items[last + 1 : last + 2] and items[last + 1].is_cue("and") and (more := _number(items, last + 2)):
        columns.append(more)
        last += 2
    if len({column.name for column in columns}) < 2:
        return None
    after = items[last + 1 : last + 3]
    combined = bool(after) and after[0].mention.cue("calc") == "all"
    before = items[at - 1] if at else None
    summed = before is not None and (before.cue("agg") == "sum" or before.mention.cue("calc") == "all")
    per = len(after) == 2 and after[0].is_cue("per")
    per_row = per and after[1].rows
    named = per and after[1].is_column and after[1].column is not None and names_each(after[1].column, table)
    if summed and named:
        return at, last, _of("+", *columns)
    if not (combined or (summed and per_row) or (before is not None and before.mention.cue("calc") == "all")):
        return None
    begin = at - 1 if before is not None and (before.mention.cue("calc") == "all" or per_row) else at
    end = last + 1 if combined else last + 2 if per_row else last
    return begin, end, _of("+", *columns)


def _row_gap(items: list[Item], at: int, text: str, table: TableInfo) -> _Found | None:
    """`which product has the biggest gap between list price and sale price`: of each row, not of the two averages."""
    first, second = _number(items, at), _number(items, at + 2)
    if not first or not second or first == second or not items[at + 1].is_cue("and"):
        return None
    begin = at
    while begin and (items[begin - 1].is_cue("vs", "range")):
        begin -= 1
    if not begin or items[begin - 1].cue("change") != "diff":
        return None
    ranked = any(item.is_cue("top") or item.cue("agg") in ("max", "min", "median") for item in items[:begin])
    after = items[at + 3 : at + 5]
    per_row = len(after) == 2 and after[0].is_cue("per") and after[1].rows
    if not ranked and not per_row:
        return None
    one = Derived(f"gap between {first.name} and {second.name}", "gap", (first.name, second.name))
    return begin - 1, at + 4 if per_row else at + 2, one


def _worth(made: Made) -> Made:
    """`revenue` where no column holds it: the one price times the one quantity; beside a formula it says no more."""
    for index, item in enumerate(made.items):
        if item.column is not None or item.mention.cue("worth") is None:
            continue
        if item.mention.first(TableRef):  # 売上の行数, of a table called 売上
            continue
        if any(one.sign == "×" for one in made.derived):
            return replace(made, items=made.items[:index] + made.items[index + 1 :])
        one = _price_times_quantity(made.table)
        if one is None:
            if money := takings_column(made.table):
                own = replace(item, mention=replace(item.mention, meanings=()), column=money, stray=False)
                return replace(made, items=[*made.items[:index], own, *made.items[index + 1 :]])
            return made
        return _put(made, index, index, one)
    return made


def _price_times_quantity(table: TableInfo) -> Derived | None:
    """None where a discount would make it another sum, or where there are two prices or quantities."""
    numbers = [column for column in table.columns if column.kind == "number" and not column.is_id]
    numbers = [column for column in numbers if not is_duration(column)]
    best = {
        column.name: max(graded_concepts(column.name).items(), key=lambda pair: pair[1], default=("", 0.0))
        for column in numbers
    }
    prices = [
        column
        for column in numbers
        if "price" in graded_concepts(column.name)
        and best[column.name][1] >= 0.6
        and not _TOTALS.search(column.name)
    ]
    counts = [
        column
        for column in numbers
        if column not in prices and ("quantity" in graded_concepts(column.name) or _SOLD.search(column.name))
    ]
    reduced = any("discount" in column.name.lower() or "割引" in column.name for column in numbers)
    if len(prices) != 1 or len(counts) != 1 or reduced:
        return None
    return _of("×", prices[0], counts[0])


_TOTALS = re.compile("料金|代金|会計|合計|総額|支払|請求|金額")
"""Japanese for what a row came to in all."""
_SOLD = re.compile(r"\b(?:sold|qty|quantity|units|tickets|pieces)\b|数量|個数|枚数", re.IGNORECASE)


def code_of(one: Derived, frame: str, quoted: list[str]) -> str:
    """The expression of a made column; `quoted` are its columns as literals."""
    columns = [f"{frame}[{name}]" for name in quoted]
    match one.sign:
        case "÷":
            return f"{columns[0]} / {columns[1]}.where({columns[1]} != 0)"
        case "−":
            return f"{columns[0]} - {columns[1]}"
        case "gap":
            return f"({columns[0]} - {columns[1]}).abs()"
        case "days":
            return f"({columns[1]} - {columns[0]}).dt.days"
        case _:
            return f" {'*' if one.sign == '×' else '+'} ".join(columns)
