"""欠席が一日もない, 一度も遅刻していない: a column of numbers of which a row has none, written 欠席日数が0の."""

import re
from collections.abc import Iterator, Sequence

from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.words.text import is_japanese, tidy

Rule = tuple[re.Pattern[str], str]
_COUNTERS = "(?:日|回|度|件|個|人|名|つ|枚|本|冊|台|分|時間|円|点|匹|頭|箱|杯|社|行|ヶ月|か月|泊|秒)"
_ONE = rf"(?:一|1|１|ひと){_COUNTERS}(?:間)?も"
_TAIL = re.compile("(?:日数|回数|件数|個数|枚数|人数|者数|時間数|時間|分数|数|量|額|金額)$")
_NONE = "(?:ない|なかった|無い|無かった|ありません(?:でした)?|出(?:て|し)(?:い)?ない|出なかった|ゼロ(?:の|だった)?)"
_DENIED = "(?:を|は)?(?:し(?:て(?:い)?ない|なかった|たことがない|ていません)|されて(?:い)?ない|されなかった)"


def not_once(column: ColumnInfo, names: Sequence[str]) -> Iterator[Rule]:
    """The patterns for a column of numbers that is called by `names`; none for others."""
    if column.kind != "number" or column.is_id or column.is_flag:
        return
    plain = {re.sub(r"[(（\[［_].*$", "", name).strip() for name in names if is_japanese(name)}
    nouns = {one for name in plain for one in (name, _TAIL.sub("", name)) if len(one) > 1}
    if not nouns:
        return
    said = "(?:" + "|".join(map(re.escape, sorted(nouns, key=len, reverse=True))) + ")"
    written = f"{tidy(column.name)}が0に等しい"
    end = "(?:の(?=[一-龥ァ-ヶ]))?"
    yield re.compile(rf"(?<![一-龥ァ-ヶー]){said}(?:が|は|の|を)?{_ONE}(?:{_NONE}|{_DENIED}){end}"), written
    yield re.compile(rf"{_ONE}{said}(?:{_DENIED}|(?:が|の|は){_NONE}){end}"), written
    yield re.compile(rf"(?<![一-龥ァ-ヶー]){said}(?:が|は|の)?(?:全く|まったく|全然){_NONE}{end}"), written
    yield re.compile(rf"(?:全く|まったく|全然){said}(?:{_DENIED}|(?:が|の|は){_NONE}){end}"), written
