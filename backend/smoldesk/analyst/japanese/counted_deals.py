"""売上は何件, 15時以降の会計は何件: rows called by the money or the day that they hold."""

import re
from collections.abc import Iterator

from smoldesk.analyst.tables.catalogue import TableInfo
from smoldesk.analyst.tables.column_names import graded_concepts, units
from smoldesk.analyst.words.text import tidy

Rule = tuple[re.Pattern[str], str]
_DEALS = "お?会計|売上|売り上げ|販売|お?支払い|支払|お?買い物|購入|請求|支出|出費|収入|入金|出金|取引"
_MONEY = ("revenue", "price", "cost", "amount", "fee", "spending", "income", "sale", "total price")
_ALL = "(?:全部で|ぜんぶで|全体で|合わせて|合計で|トータルで)?"
_COUNTED = re.compile("(?:件数|回数|取引数|会計数|客数)")


def counted_deals(table: TableInfo) -> Iterator[Rule]:
    """The patterns for a table whose rows are deals; none where a column counts them itself, or no money is held."""
    if any(one.kind == "number" and _COUNTED.search(tidy(one.name)) for one in table.columns):
        return
    dated = any(one.kind == "date" for one in table.columns)
    money = any(
        one.kind == "number"
        and (
            bool(units(one.name) & {"yen", "dollar"})
            or any(graded_concepts(one.name).get(what, 0.0) >= 0.6 for what in _MONEY)
        )
        for one in table.columns
    )
    if not (dated and money):
        return
    called = rf"(?<![一-龥ァ-ヶー])(?:{_DEALS})"
    yield (
        re.compile(rf"{called}(?:の|は|って|が|も)?、?{_ALL}、?(?=何(?:件|回)(?!以|も?以))"),
        "行は",
    )
    yield re.compile(rf"(?<=[のた]){called}の?(?=(?:件数|回数)(?!別))"), "行の"
