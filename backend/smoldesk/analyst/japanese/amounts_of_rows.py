"""合計金額が一番大きい注文 of a table with 単価 and 数量 alone: what a row came to, which no column holds."""

import re
from collections.abc import Iterator

from smoldesk.analyst.tables.catalogue import TableInfo
from smoldesk.analyst.tables.column_names import units
from smoldesk.analyst.words.text import name_words, tidy

Rule = tuple[re.Pattern[str], str]
_PRICE = re.compile(r"単価|unit ?price|price (?:each|per)", re.IGNORECASE)
_NUMBER = re.compile(r"数量|個数|販売数|購入数|\b(?:qty|quantity|units?(?: sold)?)\b", re.IGNORECASE)
_AMOUNT = r"(?<![一-龥])(?:合計|購入|注文|売上|販売|支払い?|会計)?(?:金額|総額|代金)"
_ADDED = re.compile(rf"{_AMOUNT}の?(?:合計|総計|総額)")
_PLAIN = re.compile(rf"{_AMOUNT}(?=[がはを別ので、。?？]|$)")


def amounts_of_rows(table: TableInfo) -> Iterator[Rule]:
    """The patterns for a table of prices and quantities; none where a column holds what each row came to."""
    numbers = [one for one in table.columns if one.kind == "number" and not one.is_id]
    called = {one.name: " ".join(name_words(tidy(one.name))) for one in numbers}
    prices = [one for one in numbers if _PRICE.search(called[one.name])]
    several = [one for one in numbers if _NUMBER.search(called[one.name])]
    money = [one for one in numbers if one not in prices and units(one.name) & {"yen", "dollar"}]
    named = any(re.search("金額|総額|代金|売上|合計", tidy(one.name)) for one in table.columns)
    if len(prices) == 1 and len(several) == 1 and not money and not named:
        yield _ADDED, "売上の合計"
        yield _PLAIN, "売上"
