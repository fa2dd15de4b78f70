"""The money of a row: what `takings`, `cost more than 25` and `over 100 dollars` are about where no column is called so."""

import re

from smoldesk.analyst.reading.read_dates import is_year
from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import units
from smoldesk.analyst.tables.durations import is_duration
from smoldesk.analyst.words.english_lists import MULTIPLIERS
from smoldesk.analyst.words.text import name_words

_MONEY_UNITS = frozenset(("dollar", "yen", "euro", "pound"))
_TAKEN = frozenset(
    ["total", "paid", "amount", "takings", "revenue", "sales", "income", "bill",
     "charge", "charged", "turnover", "receipts", "gross", "fee", "fees", "fare"]
)  # fmt: skip
_PAID = _TAKEN | frozenset(["price", "cost", "fine", "rent", "spend", "spent", "premium", "toll"])
_COUNTED = re.compile(
    r"\b(?:qty|quantity|units?|nights?|hours?|days?|items?|score|points?|guests?|number|no|count|rate|per|tip|discount|tax|deposit|"
    r"minutes?|mins?|seats?|people|staff|weight|kg|time|distance|km|miles)\b"
)
_TAKEN_JA = re.compile(
    "売上|支出|出費|支払い?金|料金|代金|金額|会計|支払額|受取額|運賃|収入|総額|入場料|入館料|利用料|参加費|会費|施術料|診療費|宿泊料|レンタル料"
)
_PAID_JA = re.compile(rf"{_TAKEN_JA.pattern}|価格|値段|家賃|賃料|費用|費$|代$|料$|額$")
_COUNTED_JA = re.compile(
    "単価|送料|手数料|割引|値引|値下|税|率|ポイント|残高|予算|目標|資料|材料|給料|飲料|燃料|年代|"
    "(?:電気|水道|ガス|光熱|通信|修理|維持|交通)(?:代|費|料)"
)
"""Money that is no price of a row, or that is spent on it."""


def takings_column(table: TableInfo) -> ColumnInfo | None:
    """The one column whose figures are money taken for a row; None where there is none, or more than one."""
    return _only(table, _TAKEN, _TAKEN_JA) or _price_of_a_sale(table)


_SOLD = re.compile(r"(?:sale|sales|sold|order|receipt|transaction|invoice|purchase)\b", re.IGNORECASE)


def _price_of_a_sale(table: TableInfo) -> ColumnInfo | None:
    """The price, in a table whose rows are sales of one thing each: no column tells how many of them."""
    names = [name_words(column.name) for column in table.columns]
    if not any(words and _SOLD.match(words[0]) for words in names):
        return None
    for column, words in zip(table.columns, names, strict=True):
        measure = column.kind == "number" and not column.is_id and not column.is_flag
        several = len(words) == 1 and words[0] in MULTIPLIERS
        if measure and (several or {"quantity", "qty", "number", "discount"} & set(words)):
            return None
    return _only(table, _PAID, _PAID_JA)


def row_money(table: TableInfo) -> ColumnInfo | None:
    """The one column of what a row costs or brings."""
    return _only(table, _PAID, _PAID_JA)


_NAMES_MONEY = re.compile(r"(?:費|代|料|賃|料金|代金|支出|収入|手当|給与|年金)$")
_NO_MONEY = re.compile(
    r"(?:資料|材料|衣料|飲料|食料|原料|肥料|燃料|塗料|調味料|香料|飼料|無料|有料|年代|世代|時代|交代|車代|\d代)$"
)


def is_money(cell: str) -> bool:
    """Whether a cell names money that is spent or taken: 食費, 電気代, 給与; not 飲料 or 20代."""
    return bool(_NAMES_MONEY.search(cell)) and not _NO_MONEY.search(cell)


def only_measure(table: TableInfo) -> ColumnInfo | None:
    """The column that can be added up or averaged, if there is just one."""
    numbers = [one for one in table.columns if one.kind == "number" and not one.is_flag and not one.is_id]
    measures = [column for column in numbers if not is_year(column)]
    return measures[0] if len(measures) == 1 else None


def _only(table: TableInfo, words: frozenset[str], japanese: re.Pattern[str]) -> ColumnInfo | None:
    named = [
        column
        for column in table.columns
        if column.kind == "number"
        and not column.is_flag
        and not column.is_id
        and not is_duration(column)
        and (set(name_words(column.name)) & words or japanese.search("".join(name_words(column.name))))
        and not _COUNTED.search(" ".join(name_words(column.name)))
        and not _COUNTED_JA.search("".join(name_words(column.name)))
    ]
    other = [column for column in table.columns if column not in named and units(column.name) & _MONEY_UNITS]
    return named[0] if len(named) == 1 and not other else None
