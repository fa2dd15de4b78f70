"""Words of rank that mean another thing of some columns: the oldest year is the smallest, a top finish time the shortest.

And the score that was given most often is not the highest one.
"""

import re
from dataclasses import replace

from smoldesk.analyst.intents import DataIntent, Order
from smoldesk.analyst.reading.counts import take
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.read_dates import is_year
from smoldesk.analyst.reading.read_speed import is_time
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.tables.column_names import concepts
from smoldesk.analyst.words.text import name_words

_TURNED: dict[str, Order] = {"oldest": "asc", "earliest": "asc", "youngest": "desc", "newest": "desc"}
_AGED = frozenset(("vintage", "founded", "established", "built"))
_FIRST = ("上位", "トップ", "ベスト")
_TIMED = re.compile("タイム|[(（\\[](?:分|秒|時間|h|min|sec|s)[)）\\]]")
"""A 記録 may be a distance, whose best is the longest."""
_OFTEN = ("most often", "most frequently")


def turned_order(draft: Draft, measures: list[ColumnInfo]) -> Order:
    """The order that `oldest` means of years and `top` of finish times; empty for other words and columns."""
    if not draft.order or not measures:
        return ""
    said = [item.mention.text.lower() for item in draft.items if item.is_cue("top")]
    if draft.language == "ja" and all(is_year(one) for one in measures):
        return order_of_age(draft, measures[0])
    if all("year" in concepts(one.name) or _AGED & set(name_words(one.name)) for one in measures):
        turned: list[Order] = [_TURNED[word] for word in said if word in _TURNED]
        return turned[0] if turned else ""
    raced = all("finish time" in concepts(column.name)[:1] for column in measures)
    if draft.order != "desc" or not raced:
        return ""
    timed = all(is_time(column) and _TIMED.search(column.name) for column in measures)
    return "asc" if said == ["top"] or (timed and len(said) == 1 and said[0] in _FIRST) else ""


def order_of_age(draft: Draft, measure: ColumnInfo) -> Order:
    """一番古い: the smallest year; empty for other words and columns."""
    said = " ".join(item.mention.text for item in draft.items if item.is_cue("top"))
    if not is_year(measure):
        return ""
    return "asc" if "古" in said else "desc" if "新し" in said else ""


def most_often(draft: Draft, intent: DataIntent, measures: list[tuple[int, ColumnInfo]]) -> DataIntent | None:
    """`what score was given most often`: rows are counted by the score; None where another column is ranked."""
    often = any(item.is_cue("top") and item.mention.text.lower() in _OFTEN for item in draft.items)
    names = {column.name for _, column in measures}
    others = [column for _, column in draft.free() if column.name not in names]
    if not often or len(names) != 1 or others or draft.aggregates or intent.groups or intent.date:
        return None
    return replace(intent, groups=take(draft, measures)[:1], aggregates=("count",))
