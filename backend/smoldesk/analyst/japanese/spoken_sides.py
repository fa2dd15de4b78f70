"""A column said by its cells: 済と未で分けると, 指名ありとなしで, 返還の済・未で, 設備点検（済・未）.

Where all the cells that are named belong to one column, the request is cut by that column.
"""

import re
from collections.abc import Iterator, Sequence

from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.words.japanese_verbs import plain_denials
from smoldesk.analyst.words.text import key, tidy

_JOIN = r" ?(?:と|・|/|、|,|か|or|vs\.?|対|または) ?"
_CUT = (
    r"(?:の(?:別|それぞれ))?(?:に|で|とで|を|とに|別に|別で)?(?:、)?(?:分け(?:て(?:みて)?|たら?|ると)|わけ(?:て|たら?|ると)|比べ(?:て(?:みて)?|たら?|ると)"
    r"|比較(?:して|したら|すると)|見比べて|集計(?:して|すると))"
)
_YES = frozenset(("あり", "有り", "有", "はい", "yes", "○", "〇", "◯", "true"))
_NO = frozenset(("なし", "無し", "無", "いいえ", "no", "×", "✕", "false"))
_SPOKEN_YES, _SPOKEN_NO = ("あり", "有り", "ある", "有"), ("なし", "無し", "ない", "無")
_BOTH = r"(?:の)?(?:有無|有り無し|ありなし|あるなし|有る無し|要不要|可否)"
_MOST = 8


def sides(column: ColumnInfo, names: Sequence[str]) -> Iterator[tuple[re.Pattern[str], str]]:
    """The patterns of one column's cells, and what is written instead."""
    if _is_mark(column):
        yield from _marked(column, names)
    yield from _together(column)
    if column.kind not in ("text", "bool") or not 2 <= len(column.values) <= _MOST:
        return
    named = "(?:" + "|".join(map(re.escape, names)) + ")"
    cell = "(?:" + "|".join(sorted(map(re.escape, _cells(column)), key=len, reverse=True)) + ")"
    several = rf"{cell}(?:{_JOIN}{cell})+"
    written = tidy(column.name)
    yield re.compile(rf"({named})(?: ?\({several}\)|の(?:{several})(?=別|ごと|毎))", re.IGNORECASE), r"\1"
    yield re.compile(rf"(?:{named}(?:の|が|は|を)?)?{several}{_CUT}", re.IGNORECASE), f"{written}別に"
    yield (
        re.compile(rf"(?:{named}(?:の|が|は)?){several}(?:別|の別|の内訳)?で(?!き|す)", re.IGNORECASE),
        f"{written}別に",
    )
    if column.yes_no and written.isascii():
        bare = written.rstrip("?？ ")
        verbs = [name for name in names if len(name) > 1 and re.search("[一-龥][いきしちにりみびぎ]$", name)]
        if denied := "|".join(
            sorted({form for name in verbs for form in plain_denials(name)}, key=len, reverse=True)
        ):
            yield re.compile(rf"(?:{denied})(?=の|もの|人|件|[一-龥ァ-ヶ]|$)"), f"{bare}がない"
        yield (
            re.compile(rf"{named}(?:が|は|=)(?:false|偽)(?=の|で|$|[一-龥ァ-ヶ])", re.IGNORECASE),
            f"{bare}がない",
        )
        yield (
            re.compile(rf"{named}(?:が|は|=)(?:true|真)(?=の|で|$|[一-龥ァ-ヶ])", re.IGNORECASE),
            f"{bare}がある",
        )
    if column.yes_no and len(written) > 1 and not written.isascii():
        denied = "|".join(
            sorted(
                {form for name in names if len(name) > 1 for form in plain_denials(name)},
                key=len,
                reverse=True,
            )
        )
        yield re.compile(rf"(?:{denied})(?=の|もの|人|件|[一-龥ァ-ヶ]|$)"), f"{written}がない"
    if column.yes_no:
        others = rf"(?:非{named}|{named}以外|そうで(?:は)?ない(?:人|もの)|そうじゃない(?:人|もの)|それ以外)"
        yield re.compile(rf"{named}と{others}(?=で|の|を|に)"), f"{written}別"
        rest = rf"(?:それ以外|{named}以外|(?:して|されて)(?:い)?ない|でない|ではない|じゃない|(?:し|され)なかった)(?:の)?"
        yield (
            re.compile(
                rf"{named}(?:の|な|した|された|している|されている|がある|あり)?(?:{_WHOM})?(?:の方)?と{rest}(?:{_WHOM})(?=で|の|を|に|は|、)",
                re.IGNORECASE,
            ),
            f"{written}別",
        )
        yield re.compile(rf"{named}{_BOTH}(?:に|で|別|ごと|毎|による|によって|によらず)+"), f"{written}別に"
        yield re.compile(rf"({named}){_BOTH}"), r"\1"


_WHOM = "人|方|もの|の|件|社員|従業員|会員|客|お客さん|お客様|生徒|患者|予約|注文|株|商品|店|店舗|日|部屋|物件|便|試合|車|本|回"
_MANY = 40


def _together(column: ColumnInfo) -> Iterator[tuple[re.Pattern[str], str]]:
    """札幌と福岡は合わせて何件: one figure of both, no figure of each."""
    if column.kind not in ("text", "bool") or column.is_id or not 2 <= len(column.values) <= _MANY:
        return
    cell = "(?:" + "|".join(sorted(map(re.escape, _cells(column)), key=len, reverse=True)) + ")"
    whole = "(?![^。?？]*(?:それぞれ|別|ごと|毎))(?=[^。?？]*(?:合わせ|あわせ|足し|足す|ひっくるめ|両方で))"
    yield re.compile(rf"({cell}) ?(?:と|、|・|＋|\+) ?(?={cell}){whole}", re.IGNORECASE), r"\1か"


def _cells(column: ColumnInfo) -> set[str]:
    """The cells as people say them: one that means yes is あり, too."""
    found = {tidy(value) for value in column.values}
    for value in column.values:
        if column.yes_no and key(value) in _YES:
            found.update(_SPOKEN_YES)
        if column.yes_no and key(value) in _NO:
            found.update(_SPOKEN_NO)
    return found


_MARKS = frozenset(
    (
        "○",
        "〇",
        "◯",
        "✓",
        "✔",
        "レ",
        "*",
        "●",
        "x",
        "yes",
        "y",
        "あり",
        "有",
        "要",
        "済",
        "済み",
        "はい",
        "該当",
    )
)


def _is_mark(column: ColumnInfo) -> bool:
    """True for a column that holds one mark or nothing: 要冷蔵 with ○ in some rows."""
    return column.kind == "text" and len(column.values) == 1 and key(column.values[0]) in _MARKS


def _marked(column: ColumnInfo, names: Sequence[str]) -> Iterator[tuple[re.Pattern[str], str]]:
    """要冷蔵の品 are the rows with the mark, 要冷蔵じゃない品 and 要冷蔵なし those without."""
    named = "(?:" + "|".join(map(re.escape, names)) + ")"
    written = tidy(column.name)
    yield (
        re.compile(
            rf"{named}(?:では|じゃ|で)な(?:い|かった)|{named}(?:が|の)?(?:なし|無し|不要|ない|ついて(?:い)?ない)(?:の)?"
        ),
        f"{written}がない",
    )
    yield (
        re.compile(
            rf"{named}(?:の|な|あり|有り|が必要な|対象の)(?=[^\W\d別ごと割比]{{1,8}}?(?:は|が|を|だけ|の|って|何|[。?？]|$))(?!割合|比率|数|有無|件数)"
        ),
        f"{written}がある",
    )
