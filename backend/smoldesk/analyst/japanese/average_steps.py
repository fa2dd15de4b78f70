"""1日あたりの売上, 月平均の支出, 平均月間売上: the totals of the days or months, averaged."""

import re
from collections.abc import Iterator

from smoldesk.analyst.tables.catalogue import TableInfo

Rule = tuple[re.Pattern[str], str]
_STEPS = {
    "日": "(?:日|日間)",
    "週": "(?:週|週間)",
    "月": "(?:月|か月|ヶ月|カ月|ヵ月|箇月|ケ月)",
    "年": "(?:年|年間)",
}
_EACH = "(?:あたり|当たり|当り|につき|平均)の?(?:平均)?の?"
_FIGURE = "(?=[^、。?？]{1,12}(?:は|を|って|が|$|[。?？]))(?!平均?[一-龥]{0,4}(?:件|回|行)数)"
_ADVERBS = {"日": "(?:日次|日間|1日)", "週": "(?:週間|週次)", "月": "(?:月間|月次)", "年": "(?:年間|年次)"}


def average_steps(table: TableInfo) -> Iterator[Rule]:
    """The patterns for one table; none where a header itself says per day or average. Without dates each row is a day."""
    headers = "".join(column.name for column in table.columns)
    if re.search("あたり|当たり|平均", headers):
        return
    if not any(column.kind == "date" for column in table.columns):
        yield re.compile(r"(?<![\d.])[1一]日(?:あたり|当たり|につき)の?(?=[^、。?？]*平均)"), ""
        return
    for step, said in _STEPS.items():
        totals = f"{step}別合計の平均"
        yield re.compile(rf"(?<![\d.一二三四五六七八九十])(?:1|一){said}{_EACH}{_FIGURE}"), f"{totals}の"
        yield re.compile(rf"(?<![\d一-龥ァ-ヶー]){step}平均の?{_FIGURE}"), totals
        yield re.compile(rf"(?<![\d一-龥ァ-ヶー])平均{_ADVERBS[step]}の?{_FIGURE}"), totals
