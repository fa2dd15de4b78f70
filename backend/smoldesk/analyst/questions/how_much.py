"""`how much did we take on 9 March`, `what did we spend on equipment`: the money of the rows, where no column is named."""

import re
from dataclasses import replace

from smoldesk.analyst.intents import DataIntent, Refusal
from smoldesk.analyst.reading.draft import Draft, number_columns
from smoldesk.analyst.reading.resolve import unit_column
from smoldesk.analyst.reading.row_money import is_money, row_money, takings_column
from smoldesk.analyst.tables.adding_up import adds_up
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.words.text import key

_US = r"(?:we|i|they|you|he|she|it|everyone|people)"
_ASKED = re.compile(
    rf"\bhow much (?:money |cash )?(?:did|do|does|have|has|had|was|were|is|are)\b"
    rf"|^(?:and )?what (?:did|do|have) {_US} (?:take|took|taken|make|made|earn|earned|spend|spent|pay|paid|charge|collect)\b",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"\bhow (?:long|far|old|heavy|tall|big|large|often|fast|high|deep|wide|late|hot|cold|warm|busy)\b",
    re.IGNORECASE,
)


SPENT = frozenset(("spend", "spent", "earn", "earned", "pay", "paid", "make", "made", "take", "taken", "charge", "charged",
                   "collect", "collected", "got", "get", "raise", "raised", "spending"))  # fmt: skip
"""Verbs of money that say no more beside `how much did we`."""


def asks_money(text: str) -> bool:
    """Whether a request asks how much somebody spent, took or the like."""
    return bool(_ASKED.search(text))


def asked_money(draft: Draft) -> ColumnInfo | Refusal | None:
    """The column to add up; a refusal where a figure is asked for and nobody can tell which; None where none is."""
    if draft.language == "ja":
        return _money_of_cells(draft)
    if draft.language == "en" and (money := _money_said(draft)):
        return money
    if draft.language != "en" or draft.order:
        return None
    if _ASKED.search(draft.text):
        column = takings_column(draft.table) or row_money(draft.table)
        if column is not None and adds_up(column, "money"):
            return column
    elif not _OTHER.search(draft.text):
        return None
    return Refusal("which_column", choices=number_columns(draft), table=draft.table.name)


_HOW_MUCH = re.compile(
    r"\bhow much (?:money |cash )?(?:(?:do|does|did|have|has|had|by|per|for each)\b"
    rf"|{_US} (?:take|took|make|made|earn|earned|spend|spent|pay|paid)\b)",
    re.IGNORECASE,
)


def with_money(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    """`how much do we earn from A`: the money, or a question for which; rows and their number are no answer."""
    if draft.language != "en" or intent.measures or not _HOW_MUCH.search(draft.text):
        return intent
    if intent.operation not in ("head", "tail", "aggregate") or intent.aggregates not in ((), ("count",)):
        return intent
    money = takings_column(draft.table) or row_money(draft.table)
    if money is None or not adds_up(money, "money"):
        return Refusal("which_column", choices=number_columns(draft), table=draft.table.name)
    return replace(intent, operation="aggregate", measures=(money.name,), aggregates=("sum",))


def _money_of_cells(draft: Draft) -> ColumnInfo | None:
    """月ごとの食費, where 食費 is a cell of a column of kinds: the money of those rows, not how many there are."""
    cells = [item.value for item in draft.items if item.value is not None]
    cut = draft.groups or draft.grain or draft.over_time
    if not cut or draft.rows or draft.aggregates or not cells or not all(map(is_money, cells)):
        return None
    return row_money(draft.table)


_MONEY_CELLS = frozenset((
    "expense", "expenses", "expenditure", "outgoings", "outgoing", "spending", "income", "incomes", "revenue", "revenues",
    "earnings", "cost", "costs",
))  # fmt: skip


def _money_said(draft: Draft) -> ColumnInfo | None:
    """`expenses by category`, where expense is a cell of a column of kinds: the money of those rows, as of 食費 above."""
    cells = [item for item in draft.items if item.value is not None and key(item.value) in _MONEY_CELLS]
    cut = draft.groups or draft.grain or draft.over_time
    if not cells or not cut or draft.rows or draft.aggregates or draft.says("count"):
        return None
    if any(
        item.is_cue("top") and key(item.mention.text) in ("most", "fewest", "least") for item in draft.items
    ):
        return None  # the most expenses may be the most rows
    money = takings_column(draft.table) or row_money(draft.table)
    return money if money is not None and adds_up(money, "money") else None


_GAVE = re.compile(
    r"\b(?:gave|gives|give|produced|produces|yielded|yields|collected|collects|raised|raises|earned|earns|donated|donates"
    r"|generated|generates|consumed|consumes|spent|spends) (?:us |me |him |her |them )?(?:the )?"
    r"(?:most|least|fewest)(?: (?:in total|overall|altogether|in all|all together|of all))?(?=[ ?.!]*$)",
    re.IGNORECASE,
)


def says_given(draft: Draft) -> bool:
    """Whether a question ends in `gave the most` or the like."""
    return bool(_GAVE.search(draft.text))


def given(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    """`which crop gave the most`: the one column that is added up; a question back where there are several or none."""
    heaps = [
        one
        for one in draft.table.columns
        if one.kind == "number" and not one.is_id and not one.is_flag and adds_up(one)
    ]
    money = takings_column(draft.table) or row_money(draft.table)
    column = heaps[0] if len(heaps) == 1 else money if len(heaps) != 1 and money else None
    if column is None:
        kilos = unit_column("kilogram", draft.table)
        column = kilos if kilos and not heaps else None
    if column is None:
        return Refusal("which_column", choices=number_columns(draft), table=draft.table.name)
    return replace(intent, measures=(column.name,), aggregates=("sum",), unnamed=True)
