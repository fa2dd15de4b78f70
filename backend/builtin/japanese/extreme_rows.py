"""数学が最低点だった生徒の名前, 売上が最大だった店: the row with an extreme, not the extreme itself."""

import re
from collections.abc import Iterator, Sequence

from backend.builtin.tables.catalogue import ColumnInfo

Rule = tuple[re.Pattern[str], str]
_SAID = {
    "最高": "高い", "最低": "低い", "最大": "大きい", "最小": "小さい", "最長": "長い", "最短": "短い", "最多": "多い",
    "最少": "少ない", "最安": "安い", "最速": "早い",
}  # fmt: skip
_OF = "(?:点数?|値|額|記録|得点|スコア|時間|日数|数|気温|温度)?"
_WAS = "(?:だった|であった|である|を?(?:取った|とった|取って(?:い)?る|記録した|出した|マークした)|になった|となった|となって(?:い)?る|になって(?:い)?る)"
_ASKS = r"[^、。?？]{0,10}?(?:の?(?:名前|氏名|番号|名|ID)|誰|だれ|どれ|どこ|どの|いつ|何日)"


def extreme_rows(column: ColumnInfo, names: Sequence[str]) -> Iterator[Rule]:
    """The patterns for a column of numbers that is called by `names`; none for others."""
    if column.kind != "number" or column.is_id or column.is_flag:
        return
    said = "|".join(map(re.escape, names))
    for extreme, adjective in _SAID.items():
        begun = rf"({said})(?:の点数|の値)?(?:が|の|で|は|で、)?{extreme}{_OF}"
        yield re.compile(rf"{begun}{_WAS}(?=[一-龥ァ-ヶ]{{1,6}}|人|子|の)", re.IGNORECASE), rf"\1が一番{adjective}"
        yield (
            re.compile(rf"{begun}の(?=[一-龥ァ-ヶ]{{1,6}}{_ASKS})(?!差|平均|合計)", re.IGNORECASE),
            rf"\1が一番{adjective}",
        )
