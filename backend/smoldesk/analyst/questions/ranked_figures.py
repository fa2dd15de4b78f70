"""Which column a superlative ranks where none is named, and from which end: `fastest` the least time, 最安 the one money."""

import re
from typing import cast

from smoldesk.analyst.intents import Order
from smoldesk.analyst.reading.asked_person import asked_person
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.read_speed import is_word_of_speed, order_of_speed, speed_measure
from smoldesk.analyst.reading.resolve import concept_column
from smoldesk.analyst.reading.row_money import row_money
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.tables.column_names import graded_concepts
from smoldesk.analyst.tables.measured_in import columns_measuring
from smoldesk.analyst.words.measures import MONEY


def ranked_figure(draft: Draft, adjective: str, grouped: bool) -> ColumnInfo | None:
    """What an adjective ranks: the fastest by a time or a speed, never by a length; the dearest by the one money."""
    if (
        adjective == "duration"
        and (draft.order or draft.says("which"))
        and any(
            is_word_of_speed(item.mention.text) for item in draft.items if item.is_cue("top", "high", "low")
        )
    ):
        of_rows = _of_rows(draft) or not (grouped or asked_person(draft))
        quick = any(item.mention.text.lower().startswith("quick") for item in draft.items)
        return speed_measure(draft.table, of_rows, quick)
    column = concept_column(adjective, draft.table) or _other_figure(draft, adjective)
    if adjective == "duration" and column and _one_of_many_times(draft, column):
        return None
    return column


def _one_of_many_times(draft: Draft, column: ColumnInfo) -> bool:
    """Whether nothing but its unit says that a column is how long something was, and others say as much of themselves."""
    if graded_concepts(column.name).get("duration", 0.0) >= 0.5:
        return False
    return len(columns_measuring(frozenset(("time",)), draft.table)) > 1


def _of_rows(draft: Draft) -> bool:
    """`the driver with the quickest deliveries`: the word of speed stands right before the rows."""
    return any(
        item.is_cue("top")
        and is_word_of_speed(item.mention.text)
        and (after := draft.at(at + 1))
        and after.rows
        for at, item in enumerate(draft.items)
    )


_COMPARED = re.compile(r"^(?:more |less )|er$", re.IGNORECASE)


def compared_order(draft: Draft, column: ColumnInfo) -> Order:
    """`which team is quicker`, `which city is cheaper`: one of them comes first, as it does for quickest."""
    if draft.language != "en" or not draft.says("which"):
        return ""
    said = [one for one in draft.items if _COMPARED.search(one.mention.text) and not one.is_cue("cmp")]
    ways = {"desc" if item.is_cue("high") else "asc" for item in said if item.is_cue("high", "low")}
    if len(ways) != 1:
        return ""
    (way,) = ways
    quick = any(is_word_of_speed(item.mention.text) for item in said)
    return cast(Order, (quick and order_of_speed(draft, column)) or way)


def _other_figure(draft: Draft, adjective: str) -> ColumnInfo | None:
    """What is dear or heavy where no column is called a price or a weight: the one of money, the one in kilograms."""
    if draft.language != "en":
        return None
    if adjective in ("price", "cost"):
        moneyed = columns_measuring(MONEY, draft.table)
        return row_money(draft.table) or (moneyed[0] if len(moneyed) == 1 else None)
    weighed = columns_measuring(frozenset(("mass",)), draft.table) if adjective == "weight" else []
    return weighed[0] if len(weighed) == 1 else None


_BARE_MOST = ("一番", "最も", "いちばん", "もっとも", "1番")


def ends_said(draft: Draft) -> set[str]:
    """From which ends a rank is asked; 一番 before 評価が低い says no end of its own."""
    said = [(item.mention.text, value) for item in draft.items if (value := item.cue("top"))]
    plain = {value for text, value in said if text not in _BARE_MOST}
    return plain or {value for _, value in said}
