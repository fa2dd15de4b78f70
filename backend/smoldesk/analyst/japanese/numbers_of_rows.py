"""カテゴリ別の注文数 of a table with 注文番号: the rows, which that column numbers.

Never the things that they count; 記録件数 are the rows, too.
"""

import re
from collections.abc import Iterator

from smoldesk.analyst.tables.catalogue import TableInfo
from smoldesk.analyst.tables.row_names import row_nouns
from smoldesk.analyst.words.text import is_japanese, tidy

Rule = tuple[re.Pattern[str], str]
_FIGURE = "合計|総計|平均|最大|最小|最高|最低|中央値|標準偏差|分布|相関|外れ値|総数"

_DEALS = ("注文", "予約", "取引", "受注")


def numbers_of_rows(table: TableInfo) -> Iterator[Rule]:
    """The pattern for each word for the rows of a table; none where a column is called so, or nothing numbers the rows."""
    heads = "|".join(tidy(column.name) for column in table.columns)
    if "記録" not in heads:
        yield re.compile(r"(?<![一-龥ァ-ヶー])記録の?(?:件数|回数)"), "件数"
        yield re.compile(r"(?<![一-龥ァ-ヶー])記録(?=[はが](?:全部で|ぜんぶで|合計で)?何件)"), "データ"
    for column in table.columns:
        for noun in sorted(row_nouns(column, table.rows)) if column.is_id else ():
            own = (
                tidy(column.name).startswith(noun) or noun in _DEALS
            )  # 宿泊数 of a booking_id are its nights
            if is_japanese(noun) and own and f"{noun}数" not in heads:
                said = rf"(?<![一-龥ァ-ヶー])(?<!平均)(?<!合計){re.escape(noun)}数(?!量|字|値|(?:の|と)?(?:{_FIGURE}))"
                yield re.compile(said), "件数"
