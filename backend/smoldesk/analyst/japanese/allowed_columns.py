"""ペット可, 駐車場なし, 英語対応OK: a yes/no column said with a word that only says yes or no.

Written ペット可がある and ペット可がない, whether the header is Japanese or English (`Pets Allowed`).
"""

import re
from collections.abc import Iterator, Sequence

from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.tables.column_names import core_words
from smoldesk.analyst.tables.english_headers import japanese_names
from smoldesk.analyst.words.text import is_japanese, tidy

Rule = tuple[re.Pattern[str], str]
_ALLOWS = frozenset(
    ("allowed", "ok", "okay", "permitted", "friendly", "available", "included", "possible", "accepted", "provided", "welcome",
     "capable", "supported", "offered", "there")
)  # fmt: skip
_SAYS_YES = re.compile(r"(?:の?(?:有無|可否|要否)|可能?|OK|あり|有り?|付き?|対応|許可|不可)$", re.IGNORECASE)
_YES = "(?:可能?|OK|ＯＫ|オーケー|オッケー|あり|有り|アリ|付き|対応|許可)"
_NO = "(?:不可能?|NG|ＮＧ|なし|無し|ナシ|禁止|非対応|お断り|ダメ|だめ|駄目)"
_OR = "(?:か|と|/|・|、|または)"
_OF_IT = "(?:が|は|も|の)?"
_CUT = (
    "(?:の(?:物件|もの|店|部屋|場合|人|商品))?"
    "(?:別に?|ごとに?|で分けて|で(?=[^すし])|とで|に分けて|の(?=平均|合計|件数|割合|違い|差))"
)
_ENDS = (
    "(?:な|の)?(?!別|ごと|毎|率|割合|比率|数|件数|否|かどうか)"
    "(?=[一-龥ァ-ヶ]|ところ|もの|のうち|うち|だけ|のみ|[でとはがをに、。?？]|$)"
)


def allowed(column: ColumnInfo, names: Sequence[str]) -> Iterator[Rule]:
    """The patterns for a column of yes and no that is called by `names`; none for others."""
    if not column.yes_no:
        return
    nouns = sorted(_nouns(column, names), key=len, reverse=True)
    if not nouns:
        return
    said = "(?<![一-龥ァ-ヶー])(?:" + "|".join(map(re.escape, nouns)) + ")"
    written = tidy(column.name)
    again = f"(?:{said})?{_OF_IT}"
    either = f"{_YES}{_OR}{again}{_NO}|{_NO}{_OR}{again}{_YES}|可不可|可否|有無"
    both = f"{said}{_OF_IT}(?:{either})"
    yield re.compile(f"{both}{_CUT}", re.IGNORECASE), f"{written}別に"
    if is_japanese(column.name):
        return  # 朝食なし beside a column 朝食付き is read by its cells
    yield re.compile(rf"{said}{_OF_IT}{_YES}(?=別|ごと|毎)", re.IGNORECASE), written
    yield re.compile(rf"{said}{_OF_IT}{_NO}(?:の)?(?=割合|比率)", re.IGNORECASE), f"{written}がない"
    yield re.compile(rf"{said}{_OF_IT}{_YES}(?=の?(?:割合|比率))", re.IGNORECASE), written
    yield (
        re.compile(rf"{said}{_OF_IT}{_YES}かどうか(?:別に?|ごとに?|で|によって)*", re.IGNORECASE),
        f"{written}別に",
    )
    yield re.compile(rf"{said}{_OF_IT}{_NO}{_ENDS}", re.IGNORECASE), f"{written}がない"
    yield re.compile(rf"{said}{_OF_IT}{_YES}{_ENDS}", re.IGNORECASE), f"{written}がある"


def _nouns(column: ColumnInfo, names: Sequence[str]) -> set[str]:
    """ペット of ペット可 and of `Pets Allowed`."""
    found = {_SAYS_YES.sub("", name) for name in names if is_japanese(name)}
    core = core_words(column.name)
    kept = [word for word in core if word not in _ALLOWS]
    if kept and len(kept) < len(core):
        found |= {name for name, _ in japanese_names(kept)}
    return {name for name in found if len(name) > 1}
