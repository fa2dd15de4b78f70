"""Japanese ranks that ask for rows and what stands in them: 大きい順に3件、日付と金額; 一番大きい出費はいつ."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from smoldesk.analyst.intents import DataIntent, Order
from smoldesk.analyst.questions.spoken_sizes import spoken_size
from smoldesk.analyst.reading.asked_rows import names_each
from smoldesk.analyst.reading.counts import take
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.read_speed import order_of_speed
from smoldesk.analyst.reading.resolve import concept_column
from smoldesk.analyst.reading.row_money import only_measure, row_money
from smoldesk.analyst.reading.turned_ranks import order_of_age, turned_order
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.tables.column_names import concepts
from smoldesk.analyst.words.words_of_size import ranks_by_size

_GENERAL = re.compile("大き|小さ|高|低")
"""Words that rank whatever figure is named: 一番高い店の点数 may be the highest score."""
_NEVER_HIGH = frozenset(
    ("distance", "mileage", "duration", "length", "weight", "age", "floor area", "year", "quantity")
)
"""Measures that are not called 高い: beside them it is the price that is."""
_AGED = re.compile("若|年上|年長|年下|年少|高齢")
_ROWS = re.compile(r"(?:件|つ|個|台|匹|頭|羽|本|枚|冊|回|行|日|泊|便|戸|棟|室|曲|通)$")
"""Counters of rows; those of people and shops may count who stands in several rows."""
_WHEN = ("いつ", "何日", "何月何日")


def listed_ranks(draft: Draft, intent: DataIntent) -> DataIntent | None:
    """The intent that lists them; None where groups are ranked, or nothing but the figure is asked for."""
    if draft.language != "ja" or not draft.order or draft.aggregates or draft.plot or draft.change:
        return None
    if draft.operations or intent.groups or draft.over_time or draft.says("per"):
        return None
    ranked = next((at for at, item in enumerate(draft.items) if item.is_cue("top", "high", "low")), -1)
    if ranked < 0:
        return None
    if not draft.limit and not draft.grain:
        return _beside(draft, intent, ranked)
    if draft.limit and not draft.grain:
        return _listed(draft, intent, ranked)
    return _dated(draft, intent, ranked) if draft.grain and draft.limit == 1 else None


def read_day_of_rank(draft: Draft) -> None:
    """会員数が一番多かったのはいつ asks for one day, or for one month where the table has no days."""
    if draft.language != "ja" or not draft.order or draft.limit or draft.grain != "day" or draft.groups:
        return
    if not any(item.mention.text in _WHEN for item in draft.items) or draft.plot or draft.change:
        return
    dates = [column for column in draft.table.columns if column.kind == "date"]
    draft.limit = 1
    if len(dates) == 1 and "%m" in dates[0].form and "%d" not in dates[0].form:
        draft.grain = "month"


def _listed(draft: Draft, intent: DataIntent, ranked: int) -> DataIntent | None:
    """大きい順に3件、日付と金額: what stands behind the number of rows is shown with them."""
    number = next((at for at, one in enumerate(draft.items) if one.number == draft.limit and at > ranked), -1)
    free = draft.free()
    shown = [(at, column) for at, column in free if at > number]
    before = [(at, column) for at, column in free if at < number]
    if number < 0 or not shown or any(not _is_measure(column) for _, column in before):
        return None
    if not _ROWS.search(draft.items[number].mention.text) and any(_repeats(one, draft) for _, one in shown):
        return None
    named = [column for _, column in shown if _is_measure(column)]
    first = [column for _, column in before]
    measure = _measure(draft, first) if first else _meant(draft, ranked, named) or _measure(draft, named)
    if measure is None:
        return None
    take(draft, free)
    others = dict.fromkeys(column.name for _, column in shown if column != measure)
    order = turned_order(draft, [measure]) or intent.order
    return replace(intent, operation="top", measures=(measure.name, *others), limit=draft.limit, order=order)


def _beside(draft: Draft, intent: DataIntent, ranked: int) -> DataIntent | None:
    """一番重い犬の診察料, 一番古い車の価格: ranked by what the word is about, or what stands before it; the figure is shown."""
    noun = draft.at(ranked + 1)
    free = draft.free()
    shown = [(at, column) for at, column in free if at > ranked + 1]
    before = [column for at, column in free if at < ranked]
    if noun is None or not (noun.rows or noun.value is not None) or not any(_is_measure(c) for _, c in shown):
        return None
    if any(not _is_measure(column) for column in before) or (before and draft.says("and", "vs", "or")):
        return None
    named = [column for _, column in shown if _is_measure(column)]
    measure = _measure(draft, before) if before else _meant(draft, ranked, named)
    if measure is None or all(column == measure for _, column in shown):
        return None
    if any(column.yes_no for _, column in shown) or not _ranks(draft.items[ranked].mention.text):
        return None
    order = order_of_speed(draft, measure) or order_of_age(draft, measure) or draft.order
    take(draft, free)
    others = dict.fromkeys(column.name for _, column in shown if column != measure)
    names = (measure.name, *others)
    return replace(intent, operation="top", measures=names, limit=1, order=cast(Order, order))


def _ranks(said: str) -> bool:
    return ranks_by_size(said) or bool(_AGED.search(said))


def _meant(draft: Draft, ranked: int, named: Sequence[ColumnInfo]) -> ColumnInfo | None:
    """The column that the word of size is about by itself: weight for 重い, the year for 古い, money for 高い."""
    item = draft.items[ranked]
    concept = item.cue("high") or item.cue("low")
    if concept:
        column = concept_column(concept, draft.table)
        return column if column and _is_measure(column) else None
    if _AGED.search(item.mention.text):
        return concept_column("age", draft.table)
    money = row_money(draft.table)
    if "高" in item.mention.text and money and all(_NEVER_HIGH & set(concepts(c.name)) for c in named):
        return money
    if _GENERAL.search(item.mention.text):
        return None
    sized = spoken_size(draft)
    return sized if isinstance(sized, ColumnInfo) else None


def _dated(draft: Draft, intent: DataIntent, ranked: int) -> DataIntent | None:
    """一番大きい出費はいつ: the row of it, and its day."""
    asked = [at for at, item in enumerate(draft.items) if item.mention.text in _WHEN]
    dates = [column for column in draft.table.columns if column.kind == "date"]
    said = draft.items[ranked].mention.text
    free = draft.free()
    if not asked or len(dates) != 1 or not ranks_by_size(said):
        return None
    if any(not _is_measure(column) for _, column in free):
        return None
    measure = _measure(draft, [column for _, column in free])
    if measure is None:
        return None
    take(draft, free)
    draft.used.update(asked)
    draft.grain = ""
    names = (measure.name, dates[0].name)
    return replace(intent, operation="top", measures=names, limit=1, grain="", date="")


def _measure(draft: Draft, named: Sequence[ColumnInfo]) -> ColumnInfo | None:
    """The one measure that was named, else the one that the word of size is about."""
    measures = list(dict.fromkeys(column.name for column in named if _is_measure(column)))
    if measures:
        return draft.table.column(measures[0]) if len(measures) == 1 else None
    if named:
        return None
    sized = spoken_size(draft)
    if isinstance(sized, ColumnInfo):
        return sized
    return row_money(draft.table) or only_measure(draft.table)


def _is_measure(column: ColumnInfo) -> bool:
    return column.kind == "number" and not column.is_flag and not column.is_id


def _repeats(column: ColumnInfo, draft: Draft) -> bool:
    return column.kind == "text" and not names_each(column, draft.table)
