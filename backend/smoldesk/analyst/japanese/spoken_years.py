"""A year said by what was done in it: 2015年以降に入社した of a column 入社年, where a table may have other dates beside it."""

import re
from collections.abc import Iterator

from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.words.text import tidy

_YEAR_OF = re.compile(r"^([一-龥ァ-ヶー]{2,}?)年度?$")
_AT = r"(?:以降|以前|以後|以上|以下|未満|より前|より後|より以前|まで|から|前|後)?"
_WHEN = rf"(\d{{4}}年度?{_AT}(?:\d{{4}}年度?{_AT})?)"


_DAY = rf"((?:\d{{4}}年)?(?:\d{{1,2}}月(?:\d{{1,2}}日)?)?(?<=[年月日]){_AT})"
_ENDS = re.compile("期限|期日|締め?切|満期")


def ends_by(column: ColumnInfo) -> Iterator[tuple[re.Pattern[str], str]]:
    """2027年末までに賞味期限が切れる: a day that is said by what runs out on it, for a column of such days."""
    name = tidy(column.name)
    if column.kind == "date" and _ENDS.search(name):
        over = r"(?:切れる|切れた|切れ|くる|来る|過ぎる|迎える)(?!て)"
        yield re.compile(rf"{_DAY}(?:中)?(?:に)?{re.escape(name)}(?:が|を){over}"), rf"{name}が\1の"


_SAID = {
    "買った|買われた|手に入れた": ("購入", "取得", "仕入"),
    "建った|建てた|建てられた|できた": ("建築", "建設", "竣工", "築"),
    "作った|作られた|造られた": ("製造", "製作", "制作", "生産"),
    "入れた|入った": ("導入", "設置", "入社", "入会"),
    "受け入れた|受け入れられた|受入れた|受け取った|もらった": ("受入", "受け入れ", "受領"),
    "買い取った|買い取られた|買取った": ("買取", "買い取り"),
    "引き取った|引き取られた": ("引取", "引き取り"),
    "取り付けた|取り付けられた|付けた": ("取付", "取り付け", "設置"),
    "植えた|植えられた": ("植栽", "植樹", "植付", "定植"),
    "見つかった|見つけた|見つけられた": ("発見",),
    "出た|出された|出した": ("発行", "刊行", "出版", "発売"),
    "開いた|オープンした": ("開業", "開店", "開館", "開園", "開設"),
    "生まれた": ("誕生", "出生"),
}
"""Plain verbs and the deeds that headers of years are called after."""


def years_of_deeds(column: ColumnInfo) -> Iterator[tuple[re.Pattern[str], str]]:
    """Patterns and what is written for them, for a column of years that is called after a deed."""
    named = _YEAR_OF.match(tidy(column.name))
    if column.kind != "number" or not named:
        return
    deed = re.escape(named[1])
    for said in (one for one, deeds in _SAID.items() if named[1] in deeds):
        yield re.compile(rf"{_WHEN}(?:の間)?(?:に)?(?:{said})"), rf"{tidy(column.name)}が\1の"
    yield (
        re.compile(
            rf"{_WHEN}(?:の間)?(?:に)?{deed}(?:した|された|していた|している|してる|しています|の(?!年))"
        ),
        rf"{tidy(column.name)}が\1の",
    )
