"""採水日順に3回分の移動平均, 受注日順に折れ線で: the order of the days in which such a figure is taken anyway.

泊まった日が一番早い is written with the one column of days, too.

Only where a table has one column of days: of two, the order would say which is meant.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from smoldesk.analyst.tables.catalogue import TableInfo
from smoldesk.analyst.words.text import tidy

Rule = tuple[re.Pattern[str], str]
_MOVING = "移動平均"
_STEPWISE = "(?:折れ線|ラインチャート|推移|累計|累積)"
_SHOWN = "(?:表示|見せ|出力|リスト|一覧)"


def orders_of_days(table: TableInfo, names: Mapping[str, Sequence[str]]) -> Iterator[Rule]:
    """The patterns for one table, whose columns are called by `names`."""
    days = [column for column in table.columns if column.kind == "date"]
    if len(days) != 1:
        return
    called = "|".join(map(re.escape, names[days[0].name]))
    order = rf"(?:{called}|日付|時間|時系列|日)の?(?:昇)?順"
    yield re.compile(rf"、?{order}(?:に|で)、?(?=[^。?？]*{_MOVING})"), ""
    deed = r"(?<![一-龥ァ-ヶー])[一-龥]{1,3}[ぁ-ん]{0,4}[ただ]日(?:時|にち|付)?"
    yield re.compile(rf"{deed}(?=が(?:一番|いちばん|最も|もっとも)?(?:早|遅|新し|古))"), tidy(days[0].name)
    yield re.compile(rf"({_MOVING}[^。?？]*?)、?{order}(?:に|で)"), r"\1"
    yield re.compile(rf"{order}(?:に|で)、?(?=[^。?？]*{_STEPWISE})"), f"{tidy(days[0].name)}ごとに"
    yield re.compile(rf"((?:{called})の?)順(?:に|で)(?={_SHOWN})"), r"\1順に並べて"
