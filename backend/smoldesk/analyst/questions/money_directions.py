"""Income asked of a table of spending, or spending of one of takings: money that the column does not hold."""

import re

from smoldesk.analyst.intents import DataIntent
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.words.text import name_words

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
_TAKEN_IN = "売り?上げ?(?:高|金額|額)?|収入|収益|利益|粗利|稼ぎ|儲け"
_PAID_OUT = "支出|出費|経費|費用|原価|仕入|コスト|支払い?額|使った(?:お金|金額|額)"
_ASKS_INCOME_JA = re.compile(f"(?:{_TAKEN_IN})(?!原価|目標|予算|税)")
_ASKS_SPENT_JA = re.compile(f"(?:{_PAID_OUT})(?!対効果)")
_OWN_INCOME_JA = re.compile(_TAKEN_IN)
_OWN_SPENT_JA = re.compile(f"{_PAID_OUT}|[告伝熱食通]費")


def wrong_direction(draft: Draft, intent: DataIntent) -> str:
    """The word for the money that no column holds, so that the question is declined; else empty."""
    if not intent.measures:
        return ""
    return _in_english(draft, intent) if draft.language == "en" else _in_japanese(draft, intent)


def _in_japanese(draft: Draft, intent: DataIntent) -> str:
    """売上 asked where the figure is Spend or 支出, 費用 where it is Revenue or 売上: headers of either language."""
    names = [column.name for column in draft.table.columns]
    money_in = any(_comes_in(name) for name in names)
    money_out = any(_goes_out(name) for name in names)
    cells = " ".join(
        [item.value for item in draft.items if item.value is not None]
        + [value for one in intent.filters for value in one.values if isinstance(value, str)]
    )
    if any(map(_goes_out, intent.measures)) and not money_in:
        asked = _ASKS_INCOME_JA.search(draft.text)
    elif any(map(_comes_in, intent.measures)) and not money_out:
        asked = _ASKS_SPENT_JA.search(draft.text)
    else:
        return ""
    return asked[0] if asked and asked[0] not in cells and not any(asked[0] in name for name in names) else ""


def _comes_in(name: str) -> bool:
    return bool((set(name_words(name)) & _INCOME) or _OWN_INCOME_JA.search(name))


def _goes_out(name: str) -> bool:
    return bool((set(name_words(name)) & _SPENT) or _OWN_SPENT_JA.search(name))


def _in_english(draft: Draft, intent: DataIntent) -> str:
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
