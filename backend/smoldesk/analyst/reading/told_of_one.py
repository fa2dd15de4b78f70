"""`what was the strongest wind and at which station was it`: the one row that ranks first, and what else it tells."""

import re
from collections.abc import Sequence
from typing import cast

from smoldesk.analyst.intents import Aggregate, Order
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.resolve import Item
from smoldesk.analyst.tables.adding_up import adds_up
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.words.text import inflections

_BEHIND = r"(?:[,;:?.]| -| and| plus| with)+ "
_WHICH = r"(?:(?:in|on|at|for|by|from|to|of|with) )?(?:which|what) (?!(?:month|year|week|quarter)\b)(?:[\w-]+ ){1,3}?"
_OF_IT = re.compile(
    rf"{_BEHIND}(?:{_WHICH}(?:was|is|did|does|had|has|were) (?:it|that|this)\b|its (?!own\b)[\w-]+"
    r"|(?P<when>(?:when|on (?:which|what) (?:day|date)) (?:was|is|did|does) (?:it|that|this)\b))",
    re.IGNORECASE,
)
_HOW_MUCH = re.compile(
    rf"^(?:and |so )?(?:which|what) (?!(?:month|year|week|quarter|day|hour)s?\b)[^,;?]*{_BEHIND}"
    r"(?:what|how (?:high|low|long|short|big|large|small|heavy|old|deep|far|fast|hot|cold|tall|expensive))"
    r" (?:was|is) (?:it|that|this)[?.! ]*$",
    re.IGNORECASE,
)


def figure_of_one(draft: Draft, measures: Sequence[ColumnInfo]) -> bool:
    """`which station had the strongest wind and what was it`: one row's figure, where it is nothing that is added up."""
    asked = draft.language == "en" and draft.limit <= 1 and _HOW_MUCH.search(draft.text)
    return bool(asked) and len(measures) == 1 and not draft.aggregates and not adds_up(measures[0])


def order_of_one(draft: Draft, aggregates: tuple[Aggregate, ...], order: str) -> Order:
    """From which end the row comes whose own extreme is asked for with what it tells besides; empty elsewhere."""
    if draft.language != "en" or draft.limit > 1 or not _OF_IT.search(draft.text):
        return ""
    if aggregates in (("max",), ("min",)):
        return "desc" if aggregates == ("max",) else "asc"
    return "" if aggregates else cast(Order, order)


def days_of_one(draft: Draft) -> tuple[str, ...]:
    """The one column of dates, where `and when was it` asks for it."""
    asked = _OF_IT.search(draft.text)
    dates = [column.name for column in draft.table.columns if column.kind == "date"]
    return tuple(dates) if asked and asked["when"] and len(dates) == 1 else ()


def days_told(draft: Draft, days: Sequence[tuple[int, ColumnInfo]]) -> bool:
    """`the due date of the largest bill`, `when was the heaviest pup weighed`: a day that the one row is asked for."""
    alone = not (draft.aggregates or draft.grain or draft.groups or draft.over_time or draft.limit > 1)
    return bool(days) and alone and bool(_DAY_OF.search(draft.text))


_DAY_OF = re.compile(
    r"\b(?:date|day) of (?:the )?(?:\w+est|most|least)\b"
    r"|^(?:and )?(?:when|(?:on )?(?:what|which) (?:date|day)) (?:was|is|did) ",
    re.IGNORECASE,
)


def ranks_one_row(draft: Draft) -> bool:
    """`which region had the strongest quake`: a superlative right before one of the rows, in the singular."""
    return draft.language == "en" and any(
        item.mention.text.lower().endswith("est") and _is_one(draft.at(at + 1))
        for at, item in enumerate(draft.items)
    )


def _is_one(item: Item | None) -> bool:
    if item is None or not item.rows:
        return False
    said = item.mention.text.lower()
    return not (said.endswith("s") and len(inflections(said)) > 1 and not said.endswith(("ss", "us", "is")))
