"""Income asked of a table of spending, or what `we` spent of one of takings: money that the column does not hold."""

import re

from backend.builtin.intents import DataIntent
from backend.builtin.reading.draft import Draft
from backend.builtin.words.text import name_words

_INCOME = frozenset((
    "income", "incomes", "revenue", "revenues", "earnings", "earned", "takings", "turnover", "profit",
    "profits", "sales", "salary", "wages",
))  # fmt: skip
_SPENT = frozenset((
    "expense", "expenses", "expenditure", "spent", "spend", "spending", "outgoings", "payee", "merchant",
    "bills", "cost", "costs",
))  # fmt: skip
_ASKS_INCOME = re.compile(
    r"\b(incomes?|revenues?|earnings|takings|turnover|profits?|(?:(?<=we )|(?<=i )|(?<=they ))earn(?:ed)?)\b",
    re.I,
)
_ASKS_SPENT = re.compile(
    r"\b(?:did|do|have) (?:we|i) (spend|spent|pay)\b|\b(?:our|my) (expenses|spending|outgoings|expenditure|costs)\b",
    re.I,
)


def wrong_direction(draft: Draft, intent: DataIntent) -> str:
    """The word for the money that no column holds, so that the question is declined; else empty."""
    if draft.language != "en" or not intent.measures:
        return ""
    cells = " ".join(item.value.lower() for item in draft.items if item.value is not None)
    own = {word for name in intent.measures for word in name_words(name)}
    words = {word for column in draft.table.columns for word in name_words(column.name)}
    if (
        (asked := _ASKS_INCOME.search(draft.text))
        and words & (_SPENT - {"cost", "costs"})
        and not words & _INCOME
    ):
        return "" if asked[1].lower() in cells else asked[1]
    if (
        (asked := _ASKS_SPENT.search(draft.text))
        and own & (_INCOME - {"salary", "wages"})
        and not own & (_SPENT | {"paid"})
    ):
        return asked[1] or asked[2]
    return ""
